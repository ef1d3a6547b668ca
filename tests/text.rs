//! The sanitiser's promises, on text made to break them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use turnlane::text;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Strings of ordinary text, controls, format characters, marks, emoji parts and odd letters.
fn hostile() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => "[a-z ]{1,6}",
        2 => "[\\p{Cc}\\p{Cf}]",
        2 => "\\p{M}{1,12}",
        1 => "[\\p{Zl}\\p{Zp}\\p{Zs}\\p{Co}]",
        1 => prop_oneof![Just("\u{200d}"), Just("\u{fe0f}"), Just("\u{fe0e}"), Just("\u{20e3}")]
            .prop_map(str::to_owned),
        1 => prop_oneof![Just("👨"), Just("👩🏽"), Just("❤"), Just("🇩"), Just("1"), Just("♂")]
            .prop_map(str::to_owned),
        1 => "[\u{1100}-\u{11ff}\u{3164}\u{ffa0}\u{e0020}-\u{e007f}]",
        1 => "[日本क्षلاא]",
        2 => any::<char>().prop_map(|c| c.to_string()),
        1 => Just("\r\n\t\x1b[31m\u{9b}2J\x1b]52;c;QUJD\x07".to_owned()),
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

/// What must never come out: controls, and characters without a cell that do not sit on another.
fn assert_safe(shown: &str, newline: bool) -> Result<(), TestCaseError> {
    for cluster in shown.graphemes(true) {
        if newline && cluster == "\n" {
            continue;
        }
        prop_assert!(cluster.width() > 0, "invisible {cluster:?} in {shown:?}");
        prop_assert!(!cluster.chars().any(char::is_control), "{shown:?}");
        let first = cluster.chars().next().unwrap();
        prop_assert!(first.width() > Some(0), "{cluster:?} hangs on nothing");
    }
    let hidden = |c: char| {
        matches!(c, '\u{61c}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{ad}' | '\u{fff9}'..='\u{fffb}' | '\u{e0001}'..='\u{e007f}')
    };
    prop_assert!(!shown.chars().any(hidden), "{shown:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn what_is_shown_holds_nothing_that_acts_or_hides(raw in hostile()) {
        assert_safe(&text::clean(&raw), false)?;
        assert_safe(&text::clean_block(&raw), true)?;
        prop_assert!(!text::clean(&raw).contains('\n'));
    }

    #[test]
    fn cleaning_twice_changes_nothing(raw in hostile()) {
        let once = text::clean(&raw).into_owned();
        prop_assert_eq!(text::clean(&once), once.as_str());
        let block = text::clean_block(&raw).into_owned();
        prop_assert_eq!(text::clean_block(&block), block.as_str());
    }

    #[test]
    fn bytes_of_any_kind_come_out_safe(raw in prop::collection::vec(any::<u8>(), 0..60)) {
        assert_safe(&text::from_bytes(&raw), false)?;
    }

    #[test]
    fn fitted_text_has_exactly_the_cells_asked_for(raw in hostile(), cells in 0usize..40) {
        for fitted in [text::fit(&raw, cells), text::fit_right(&raw, cells)] {
            prop_assert_eq!(text::width(&fitted), cells, "{:?}", fitted);
            assert_safe(&fitted, false)?;
        }
        for cut in [text::cut(&raw, cells), text::cut_start(&raw, cells)] {
            prop_assert!(text::width(&cut) <= cells, "{:?}", cut);
        }
        let whole = text::clean(&raw);
        if text::width(&whole) <= cells {
            prop_assert_eq!(text::cut(&raw, cells), whole.clone());
            prop_assert_eq!(text::cut_start(&raw, cells), whole);
        }
    }

    #[test]
    fn wrapped_lines_lose_nothing_and_stay_inside(raw in hostile(), cells in 1usize..20) {
        let block = text::clean_block(&raw);
        let lines = text::wrap(&raw, cells);
        prop_assert_eq!(lines.concat(), block.replace('\n', ""));
        for line in lines {
            let single = line.graphemes(true).count() <= 1;
            prop_assert!(single || text::width(&line) <= cells, "{:?}", line);
        }
    }

    #[cfg(feature = "tui")]
    #[test]
    fn a_terminal_grid_agrees_about_the_width(raw in hostile(), cells in 0usize..40) {
        use ratatui::{buffer::Buffer, layout::Rect, style::Style};
        let mut grid = Buffer::empty(Rect::new(0, 0, 60, 1));
        let (end, _) = grid.set_stringn(0, 0, text::fit(&raw, cells), 60, Style::new());
        prop_assert_eq!(usize::from(end), cells);
    }
}

#[test]
fn every_character_alone_is_shown_in_at_least_one_cell() {
    for c in (0..=0x10_FFFFu32).filter_map(char::from_u32) {
        let raw = c.to_string();
        let shown = text::clean(&raw);
        assert!(!shown.chars().any(char::is_control), "U+{:04X}", c as u32);
        assert!(text::width(&shown) >= 1, "U+{:04X}", c as u32);
        for cluster in shown.graphemes(true) {
            assert!(cluster.width() >= 1, "U+{:04X} is {shown:?}", c as u32);
        }
    }
}

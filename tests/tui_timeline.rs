//! The timeline: lanes by call, key and slot, the chain of causes, the cursor.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use support::runs::{self, Recording, call};
use support::screen::{Screen, frame};
use turnlane::time::Nanos;
use turnlane::trace::Run;
use turnlane::tui::LaneBy;
use turnlane::tui::keymap::Action;

const SIZE: (u16, u16) = (120, 40);

/// A patch, two reads behind it, a read of something else, a test behind everything.
fn queue() -> Run {
    let mut recording = Recording::new("keyed", "glm-5.3");
    recording.turn(
        3_000,
        &[
            call("patch", 0, 400_000).writes("file:a"),
            call("read", 400_000, 500_000)
                .reads("file:a")
                .because("file:a", 0),
            call("list", 0, 80_000).reads("dir:src"),
            call("read", 400_000, 450_000)
                .reads("file:a")
                .because("file:a", 0),
            call("test", 500_000, 900_000)
                .opaque()
                .because("barrier", 1),
        ],
    );
    recording.run
}

fn lines_with<'a>(lines: &'a [String], word: &str) -> Vec<&'a String> {
    lines.iter().filter(|line| line.contains(word)).collect()
}

#[test]
fn the_chain_of_causes_is_marked_drawn_and_told() {
    let screen = Screen::new(queue(), (200, 60)).press(&[Action::NextPanel, Action::Last]);
    let lines = screen.lines();
    for marked in ["•0 patch", "•1 read", "▶4 test"] {
        assert_eq!(lines_with(&lines, marked).len(), 1, "{marked} {lines:#?}");
    }
    assert!(lines_with(&lines, "•2 list").is_empty());
    let told = lines.join(" ");
    for sentence in [
        "4 test started at 500 ms: waited 500 ms behind call 1 (read), a barrier",
        "0 patch waited for nothing",
    ] {
        let plain = told
            .replace('│', " ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert!(plain.contains(sentence), "{sentence}: {lines:#?}");
    }
    // From the end of call 1 down to the start of call 4, through the lane of call 2.
    let list = lines_with(&lines, " 2 list")[0];
    let at = |line: &str, sign: char| line.char_indices().filter(move |(_, c)| *c == sign).count();
    assert!(
        at(list, '│') > at(lines_with(&lines, "•0 patch")[0], '│'),
        "{lines:#?}"
    );
}

#[test]
fn a_key_is_a_lane_with_who_held_it_and_who_waited() {
    let keys = [Action::NextPanel, Action::Lanes];
    let screen = Screen::new(queue(), (200, 60)).press(&keys);
    assert_eq!(screen.model.lane_by(), LaneBy::Key);
    let lines = screen.lines();
    let of_a = lines_with(&lines, "file:a ");
    assert!(
        of_a[0].contains("500 ms"),
        "held from 0 to 500 ms: {lines:#?}"
    );
    assert!(of_a[0].contains("waited 400 ms"), "{lines:#?}");
    assert_eq!(lines_with(&lines, "everything (opaque)").len(), 1);
    let order = lines_with(&lines, "order")[0];
    assert!(
        order.contains("0 patch writes → 1 read (waited 400 ms) → 3 read (waited 400 ms)"),
        "{order}"
    );
}

#[test]
fn a_slot_is_a_lane_and_calls_without_one_are_packed_where_they_fit() {
    let lanes = [Action::NextPanel, Action::Lanes, Action::Lanes];
    let mut run = queue();
    for call in &mut run.calls {
        call.slot = None;
    }
    let screen = Screen::new(run, (200, 60)).press(&lanes);
    assert_eq!(screen.model.lane_by(), LaneBy::Slot);
    let lines = screen.lines();
    let packed = lines_with(&lines, "slot unknown");
    assert_eq!(
        packed.len(),
        2,
        "never more than two ran at once: {lines:#?}"
    );
    assert!(packed[0].contains("850 ms"), "0, 3 and 4: {lines:#?}");
    assert!(packed[1].contains("180 ms"), "2 and 1: {lines:#?}");
}

#[test]
fn the_selected_call_stays_when_the_lanes_change() {
    let screen = Screen::new(queue(), SIZE);
    let screen = screen.press(&[Action::NextPanel, Action::Last]);
    let screen = screen.press(&[Action::Lanes, Action::Lanes, Action::Lanes]);
    assert_eq!(screen.model.lane_by(), LaneBy::Call);
    assert_eq!(screen.model.selected_call(), 4);
}

#[test]
fn the_cursor_tells_its_time_picks_the_call_under_it_and_holds_the_zoom() {
    let screen = Screen::new(queue(), SIZE).press(&[Action::NextPanel, Action::Lanes]);
    let mut screen = screen.press(&[Action::CursorRight]);
    assert_eq!(screen.model.cursor(), Some(Nanos::ZERO));
    while screen.model.cursor() < Some(Nanos::from_millis(460)) {
        screen = screen.press(&[Action::CursorRight]);
    }
    let at = screen.model.cursor().unwrap();
    assert_eq!(screen.model.selected_call(), 1, "call 1 has file:a now");
    let screen = screen.press(&[Action::ZoomIn, Action::ZoomIn]);
    assert_eq!(screen.model.cursor(), Some(at));
    assert!(screen.text().contains(&at.to_string()), "{}", screen.text());
    let screen = screen.press(&[Action::Close]);
    assert_eq!(screen.model.cursor(), None);
    assert!(
        screen.model.is_zoomed(),
        "the first Esc takes the cursor only"
    );
}

#[test]
fn the_selection_fills_the_axis_when_asked() {
    let mut recording = Recording::new("", "m");
    recording.turn(
        100,
        &[call("short", 0, 100_000), call("long", 0, 10_000_000)],
    );
    let cells = |screen: &Screen| {
        let lines = screen.lines();
        lines_with(&lines, "0 short")[0].matches('█').count()
    };
    let screen = Screen::new(recording.run, SIZE).press(&[Action::NextPanel]);
    assert!(cells(&screen) < 2);
    let screen = screen.press(&[Action::FitSelection]);
    assert!(cells(&screen) > 15, "{:#?}", screen.lines());
    let screen = screen.press(&[Action::Fit]);
    assert!(cells(&screen) < 2);
}

#[test]
fn thousands_of_calls_on_one_key_are_one_lane_that_draws_no_more_than_its_cells() {
    let calls: Vec<_> = (0..5_000)
        .map(|at| call("touch", at * 1_000, (at + 1) * 1_000).writes("file:a"))
        .collect();
    let mut recording = Recording::new("keyed", "m");
    recording.turn(100, &calls);
    let screen = Screen::new(recording.run, SIZE).press(&[Action::NextPanel, Action::Lanes]);
    let lines = screen.lines();
    let lane = lines_with(&lines, "file:a")[0];
    assert!(
        lane.contains("≡"),
        "several calls in a cell are said to be several: {lane}"
    );
    assert!(lane.contains("5.00 s"), "{lane}");
}

#[test]
fn every_kind_of_lanes_at_every_size() {
    for (columns, rows) in [(40, 10), (80, 24), (120, 40), (200, 60)] {
        for (name, times) in [("call", 0), ("key", 1), ("slot", 2)] {
            let mut screen = Screen::new(queue(), (columns, rows)).press(&[Action::NextPanel]);
            screen = screen
                .press(&vec![Action::Lanes; times])
                .press(&[Action::Last]);
            insta::assert_snapshot!(
                format!("lanes_by_{name}_{columns}x{rows}"),
                frame(&screen.buffer())
            );
        }
    }
}

#[test]
fn hostile_keys_are_text_in_their_lanes() {
    let screen = Screen::new(runs::hostile(), SIZE).press(&[Action::NextPanel, Action::Lanes]);
    for cell in screen.buffer().content() {
        assert!(
            !cell.symbol().chars().any(char::is_control),
            "{:?}",
            cell.symbol()
        );
    }
}

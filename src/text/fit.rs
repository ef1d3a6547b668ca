//! Width in cells, and text brought to a width at cluster borders.
//!
//! Every function cleans what it is given, lazily: cutting a long text to ten cells reads about
//! ten cells of it.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::clean::{Breaks, Shower, clean, is_plain};

const ELLIPSIS: char = '…';

/// How many cells `text` takes once cleaned: the sum over its clusters, as a terminal grid
/// counts them.
#[must_use]
pub fn width(text: &str) -> usize {
    if is_plain(text) {
        return text.len();
    }
    clean(text)
        .graphemes(true)
        .map(UnicodeWidthStr::width)
        .sum()
}

/// At most `cells` of the cleaned text; `…` is the last of them where something was cut off.
#[must_use]
pub fn cut(text: &str, cells: usize) -> Cow<'_, str> {
    if is_plain(text) && text.len() <= cells {
        return Cow::Borrowed(text);
    }
    Cow::Owned(cut_measured(text, cells).0)
}

/// At most `cells` of the end of the cleaned text, `…` first where something was cut off: for
/// paths, whose end says most.
#[must_use]
pub fn cut_start(text: &str, cells: usize) -> Cow<'_, str> {
    let clean = clean(text);
    if width(&clean) <= cells {
        return clean;
    }
    let mut left = cells.saturating_sub(1);
    let mut from = clean.len();
    for (at, cluster) in clean.grapheme_indices(true).rev() {
        let Some(rest) = left.checked_sub(cluster.width()) else {
            break;
        };
        (left, from) = (rest, at);
    }
    let mut out = String::new();
    if cells > 0 {
        out.push(ELLIPSIS);
    }
    out.push_str(&clean[from..]);
    Cow::Owned(out)
}

/// Exactly `cells` cells: cut with `…`, or filled with spaces on the right.
#[must_use]
pub fn fit(text: &str, cells: usize) -> String {
    let (mut out, used) = cut_measured(text, cells);
    out.extend(std::iter::repeat_n(' ', cells.saturating_sub(used)));
    out
}

/// Exactly `cells` cells: cut with `…`, or filled with spaces on the left.
#[must_use]
pub fn fit_right(text: &str, cells: usize) -> String {
    let (text, used) = cut_measured(text, cells);
    let mut out = " ".repeat(cells.saturating_sub(used));
    out.push_str(&text);
    out
}

/// The cleaned text in lines of at most `cells` cells, broken at its own line breaks and at
/// cluster borders. A cluster wider than a line stands alone. No cells, no lines.
#[must_use]
pub fn wrap(text: &str, cells: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if cells == 0 {
        return lines;
    }
    let safe = super::clean_block(text);
    for line in safe.lines() {
        let (mut row, mut used) = (String::new(), 0);
        for cluster in line.graphemes(true) {
            let wide = cluster.width();
            if used > 0 && used + wide > cells {
                lines.push(std::mem::take(&mut row));
                used = 0;
            }
            row.push_str(cluster);
            used += wide;
        }
        lines.push(row);
    }
    lines
}

/// The cleaned text in lines of at most `cells` cells, broken at spaces where there are any.
#[must_use]
pub fn wrap_words(text: &str, cells: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    for word in clean(text).split(' ').filter(|word| !word.is_empty()) {
        let wide = width(word);
        match lines.last_mut() {
            Some(line) if used + 1 + wide <= cells => {
                line.push(' ');
                line.push_str(word);
                used += 1 + wide;
            }
            _ => {
                lines.extend(wrap(word, cells));
                used = lines.last().map_or(0, |line| width(line));
            }
        }
    }
    lines
}

/// The cut text and how many cells it takes.
fn cut_measured(text: &str, cells: usize) -> (String, usize) {
    let mut shower = Shower::new(Breaks::Shown);
    let (mut out, mut used) = (String::new(), 0);
    // Where to cut to make room for the ellipsis.
    let (mut room_at, mut room_used) = (0, 0);
    let mut shown = String::new();
    for raw in text.graphemes(true) {
        shown.clear();
        shower.show(raw, &mut shown);
        for cluster in shown.graphemes(true) {
            let wide = cluster.width();
            if used + wide > cells {
                out.truncate(room_at);
                if cells > 0 {
                    out.push(ELLIPSIS);
                    room_used += 1;
                }
                return (out, room_used);
            }
            out.push_str(cluster);
            used += wide;
            if used < cells {
                (room_at, room_used) = (out.len(), used);
            }
        }
    }
    (out, used)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_emoji_wide_and_combining_characters_have_the_cells_a_grid_gives_them() {
        for (text, cells) in [
            ("👨‍👩‍👧", 2),
            ("❤️", 2),
            ("日本", 4),
            ("e\u{301}", 1),
            ("\t", 4),
            ("\u{9b}", 4),
            ("", 0),
        ] {
            assert_eq!(width(text), cells, "{text:?}");
        }
    }

    #[test]
    fn text_is_cut_between_clusters_and_says_so() {
        for (text, cells, out) in [
            ("code_patch", 10, "code_patch"),
            ("code_patch", 9, "code_pat…"),
            ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"),
            ("日本語", 4, "日…"),
            ("日本語", 1, "…"),
            ("日本語", 0, ""),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
            ("\u{202e}abc", 5, "<U+2…"),
        ] {
            assert_eq!(cut(text, cells), out, "{text:?} in {cells}");
        }
        assert_eq!(cut_start("src/text/fit.rs", 7), "…fit.rs");
        assert_eq!(cut_start("日本語", 4), "…語");
        assert_eq!(cut_start("abc", 3), "abc");
    }

    #[test]
    fn text_is_filled_to_its_width_on_either_side() {
        assert_eq!(fit("日本語", 6), "日本語");
        assert_eq!(fit("日本語", 5), "日本…");
        assert_eq!(fit("日本語", 4), "日… ");
        assert_eq!(fit("ab", 4), "ab  ");
        assert_eq!(fit_right("4 ms", 6), "  4 ms");
    }

    #[test]
    fn long_lines_are_wrapped_and_short_ones_kept() {
        assert_eq!(wrap("abcdef\n\ngh", 4), ["abcd", "ef", "", "gh"]);
        assert_eq!(wrap("日本語", 3), ["日", "本", "語"]);
        assert_eq!(wrap("日", 1), ["日"]);
        assert!(wrap("abc", 0).is_empty());
        assert_eq!(wrap_words("ab cd  efghij k", 5), ["ab cd", "efghi", "j k"]);
    }
}

//! Foreign text made safe and visible, cluster by cluster.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Cells from one tab stop to the next.
const TAB: usize = 4;
/// More marks than this on one letter are noise that climbs into the lines around it.
const MAX_MARKS: usize = 8;
const ZWJ: char = '\u{200D}';
const VS16: char = '\u{FE0F}';

/// What becomes of a line break.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Breaks {
    /// Shown as `⏎`: the result is one line.
    Shown,
    /// Kept as `\n`, the only control character a block may hold.
    Kept,
}

/// `text` as one line that is safe to show: a line break becomes `⏎`, a tab spaces to the next
/// fourth cell, other controls their picture or code, invisible characters `<U+200B>`.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    clean_with(text, Breaks::Shown)
}

/// As [`clean`], but lines stay lines: `\n` and `\r\n` are kept as `\n`.
#[must_use]
pub fn clean_block(text: &str) -> Cow<'_, str> {
    clean_with(text, Breaks::Kept)
}

/// Bytes that ought to be UTF-8 as one safe line; a byte that is none is shown as `<9B>`.
#[must_use]
pub fn from_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string does not fail.
            let _ = write!(text, "<{byte:02X}>");
        }
    }
    match clean(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(safe) => safe,
    }
}

fn clean_with(text: &str, breaks: Breaks) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut shower = Shower::new(breaks);
    for cluster in text.graphemes(true) {
        shower.show(cluster, &mut out);
    }
    if out == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(out)
    }
}

/// True where every byte is a visible ASCII character or a space.
pub(super) fn is_plain(text: &str) -> bool {
    text.bytes().all(|b| (0x20..0x7F).contains(&b))
}

/// Turns clusters into their visible form one after the other; remembers the column for tabs.
pub(super) struct Shower {
    breaks: Breaks,
    column: usize,
}

impl Shower {
    pub(super) const fn new(breaks: Breaks) -> Self {
        Self { breaks, column: 0 }
    }

    /// Appends the visible form of one grapheme cluster.
    pub(super) fn show(&mut self, cluster: &str, out: &mut String) {
        let from = out.len();
        match cluster {
            "\n" | "\r\n" if self.breaks == Breaks::Kept => {
                out.push('\n');
                self.column = 0;
                return;
            }
            "\n" | "\r\n" => {
                out.push('⏎');
                self.column = 0;
                return;
            }
            "\t" => out.extend(std::iter::repeat_n(' ', TAB - self.column % TAB)),
            _ => show_cluster(cluster, out),
        }
        self.column = self.column.saturating_add(out[from..].width());
    }
}

fn show_cluster(cluster: &str, out: &mut String) {
    let mut marks = 0;
    // The character before, as long as the cluster has been copied as it is.
    let mut before: Option<char> = None;
    let mut rest = cluster.chars().peekable();
    while let Some(c) = rest.next() {
        let keep = match (before, c) {
            (Some(_), ZWJ) => joins_emoji(cluster, rest.peek().copied()),
            (Some(b), VS16) => makes_emoji(b),
            (Some(_), _) if attaches(c) => {
                marks += 1;
                marks <= MAX_MARKS
            }
            _ => is_visible(c),
        };
        if keep {
            out.push(c);
            before = Some(c);
        } else {
            push_code(c, out);
            before = None;
        }
    }
}

/// True where the joiner stands between two parts of one emoji. In scripts the joiner has
/// another use, and there it is shown.
fn joins_emoji(cluster: &str, next: Option<char>) -> bool {
    let pictorial = |c: char| !c.is_alphabetic() && !is_combining_mark(c) && is_visible(c);
    cluster.width() == 2
        && next.is_some_and(pictorial)
        && cluster.chars().next().is_some_and(pictorial)
}

/// True where the selector turns the character before it into an emoji of two cells.
fn makes_emoji(before: char) -> bool {
    let mut pair = [0; 8];
    let len = before.encode_utf8(&mut pair).len();
    let len = len + VS16.encode_utf8(&mut pair[len..]).len();
    std::str::from_utf8(&pair[..len]).is_ok_and(|pair| pair.width() == 2)
}

/// True for what is drawn onto the letter before it: marks and the later letters of a Hangul
/// syllable.
fn attaches(c: char) -> bool {
    (is_combining_mark(c) && !is_ignorable(c))
        || matches!(c, '\u{1161}'..='\u{11FF}' | '\u{D7B0}'..='\u{D7FF}')
}

/// True for a character that can stand alone and be seen; the space is one.
fn is_visible(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    !c.is_control()
        && !is_combining_mark(c)
        && !is_format(c)
        && !is_ignorable(c)
        && !is_private(c)
        && c.width().is_some_and(|cells| cells > 0)
}

/// General category Cf and the line and paragraph separators.
const fn is_format(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{890}'..='\u{891}'
        | '\u{8E2}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{110BD}' | '\u{110CD}'
        | '\u{13430}'..='\u{1343F}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Characters that a renderer may draw as nothing at all, beyond those in [`is_format`].
const fn is_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{34F}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}'
        | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Private use: every terminal draws something else, in one cell or two.
const fn is_private(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}')
}

fn push_code(c: char, out: &mut String) {
    let code = u32::from(c);
    // Writing to a string does not fail.
    let _ = match code {
        0..=0x1F => {
            out.push(char::from_u32(0x2400 + code).unwrap_or('?'));
            Ok(())
        }
        0x7F => {
            out.push('␡');
            Ok(())
        }
        0x80..=0x9F => write!(out, "<{code:02X}>"),
        _ => write!(out, "<U+{code:04X}>"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_hidden_characters_become_visible() {
        for (raw, shown) in [
            ("plain", "plain"),
            ("a\nb\r\nc\rd", "a⏎b⏎c␍d"),
            ("a\tb\tcdef\tg", "a   b   cdef    g"),
            ("\x1b]52;c;QUJD\x07", "␛]52;c;QUJD␇"),
            ("\u{9b}2J\u{7f}\0", "<9B>2J␡␀"),
            ("\u{202e}txt\u{2066}", "<U+202E>txt<U+2066>"),
            ("a\u{200b}b\u{feff}", "a<U+200B>b<U+FEFF>"),
            ("\u{2028}\u{ad}\u{3164}", "<U+2028><U+00AD><U+3164>"),
            ("\u{e0b0}", "<U+E0B0>"),
        ] {
            assert_eq!(clean(raw), shown, "{raw:?}");
        }
    }

    #[test]
    fn a_joiner_stays_in_an_emoji_and_nowhere_else() {
        for kept in ["👨‍👩‍👧", "❤️", "🏃🏽‍♂️", "❤️‍🔥", "1️⃣", "🇩🇪", "日本", "e\u{301}", "각"]
        {
            assert_eq!(clean(kept), kept);
        }
        for (raw, shown) in [
            ("a\u{200d}b", "a<U+200D>b"),
            ("a\u{fe0f}", "a<U+FE0F>"),
            ("क्\u{200d}ष", "क्<U+200D>ष"),
            ("👨\u{200d}", "👨<U+200D>"),
        ] {
            assert_eq!(clean(raw), shown, "{raw:?}");
        }
    }

    #[test]
    fn a_mark_without_a_letter_and_the_ninth_mark_are_shown_as_codes() {
        assert_eq!(clean("\u{301}a"), "<U+0301>a");
        let zalgo = format!("a{}", "\u{301}".repeat(20));
        let shown = clean(&zalgo);
        assert!(shown.ends_with("<U+0301>"), "{shown}");
        assert_eq!(shown.chars().filter(|c| *c == '\u{301}').count(), MAX_MARKS);
    }

    #[test]
    fn a_block_keeps_its_lines_and_starts_tabs_anew_in_each() {
        assert_eq!(clean_block("a\r\n\tb\n\x1b"), "a\n    b\n␛");
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_in_hexadecimal() {
        assert_eq!(from_bytes(b"ok \x9b2J \xff\xc3"), "ok <9B>2J <FF><C3>");
    }
}

//! JSON that is safe on a terminal too.

use std::fmt::Write as _;

use serde::Serialize;

/// `value` as indented JSON. Characters that a terminal could act on, or that cannot be seen, are
/// written as `\u` escapes, so the data stays what it was.
///
/// # Errors
/// Where the value has no JSON form.
pub fn safe_json<T: Serialize>(value: &T) -> serde_json::Result<String> {
    serde_json::to_string_pretty(value).map(|text| escape(&text))
}

/// As [`safe_json`], on one line.
///
/// # Errors
/// Where the value has no JSON form.
pub fn safe_json_line<T: Serialize>(value: &T) -> serde_json::Result<String> {
    serde_json::to_string(value).map(|text| escape(&text))
}

/// Outside strings JSON is ASCII, so every character that is escaped here stands in a string.
fn escape(text: &str) -> String {
    if text.is_ascii() && !text.contains('\u{7f}') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_risky(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// C1 controls, delete, and everything without width of its own: bidi controls, joiners, marks.
fn is_risky(c: char) -> bool {
    let visible = c == '\n' || c.is_ascii_graphic() || c == ' ';
    !visible && (c.is_control() || unicode_width::UnicodeWidthChar::width(c).unwrap_or(0) == 0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_a_terminal_could_act_on_is_escaped_and_reads_back_as_it_was() {
        let text = "a\u{9b}2J\u{202e}b\u{200b}\u{1b}[31m日本\u{7f}\u{e0001}é";
        let json = safe_json_line(&text).unwrap();
        assert!(json.chars().all(|c| !is_risky(c)), "{json:?}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}

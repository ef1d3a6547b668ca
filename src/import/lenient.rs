//! JSON as other programs write it: with numbers that are none, and ending in the middle.

use serde::de::IgnoredAny;

/// Puts an empty string in the place of every `NaN` and `Infinity` outside strings, so that
/// places stay where they are. How many there were.
pub(super) fn without_nan(bytes: &mut [u8]) -> u64 {
    if memchr::memmem::find(bytes, b"NaN").is_none()
        && memchr::memmem::find(bytes, b"Infinity").is_none()
    {
        return 0;
    }
    let mut found = 0;
    let mut scan = Scan::default();
    let mut at = 0;
    while at < bytes.len() {
        if scan.in_string || !matches!(bytes[at], b'N' | b'I' | b'-') {
            scan.step(bytes[at]);
            at += 1;
            continue;
        }
        let words: [&[u8]; 3] = [b"NaN", b"Infinity", b"-Infinity"];
        let word = words.iter().find(|word| bytes[at..].starts_with(word));
        let Some(word) = word else {
            at += 1;
            continue;
        };
        let len = word.len();
        bytes[at..at + len].fill(b' ');
        bytes[at..at + 2].fill(b'"');
        found += 1;
        at += len;
    }
    found
}

/// Why a document is none, and where.
#[derive(Debug)]
pub(super) struct Flaw {
    /// Line, from 1.
    pub(super) line: u64,
    /// Byte offset.
    pub(super) offset: u64,
    /// What the parser says.
    pub(super) reason: String,
    /// True where the document only ends too early.
    pub(super) cut: bool,
}

/// What is wrong with a document; `None` for a whole one. Depth is no fault.
pub(super) fn flaw(text: &str) -> Option<Flaw> {
    let error = serde_json::from_str::<IgnoredAny>(text).err()?;
    let lines = text.split_inclusive('\n').take(error.line().max(1) - 1);
    let before: usize = lines.map(str::len).sum();
    let offset = (before + error.column().saturating_sub(1)).min(text.len());
    let cut = error.is_eof();
    Some(Flaw {
        line: error.line() as u64,
        offset: if cut { text.len() } else { offset } as u64,
        reason: error.to_string(),
        cut,
    })
}

/// The part of a document before `end` that is whole, with its open brackets closed, and how many
/// of its bytes are the document's: those stay where they are.
pub(super) fn closed(text: &str, end: usize) -> (String, usize) {
    let bytes = &text.as_bytes()[..text.floor_char_boundary(end)];
    let mut scan = Scan::default();
    // A place is safe where everything before it is whole: after a bracket or a string that is a
    // value, before a comma.
    let mut safe = 0;
    let mut depth = 0;
    let mut open: Vec<u8> = Vec::new();
    let mut after_colon = false;
    for (at, byte) in bytes.iter().enumerate() {
        let outside = !scan.in_string;
        scan.step(*byte);
        let value = after_colon || open[..scan.depth.min(open.len())].last() == Some(&b']');
        if outside && !byte.is_ascii_whitespace() && *byte != b'"' {
            after_colon = *byte == b':';
        }
        match byte {
            b'"' if !outside && !scan.in_string && value => after_colon = false,
            b'{' | b'[' if outside => {
                open.truncate(scan.depth - 1);
                open.push(if *byte == b'{' { b'}' } else { b']' });
            }
            b'}' | b']' if outside => {}
            b',' if outside => {
                (safe, depth) = (at, scan.depth);
                continue;
            }
            _ => continue,
        }
        (safe, depth) = (at + 1, scan.depth);
    }
    // Brackets opened after the safe place have replaced none below its depth.
    let mut whole = text[..safe].to_owned();
    whole.extend(open[..depth].iter().rev().map(|b| char::from(*b)));
    (whole, safe)
}

/// Where in the structure of a JSON text a byte stands.
#[derive(Debug, Default)]
struct Scan {
    in_string: bool,
    escaped: bool,
    depth: usize,
}

impl Scan {
    fn step(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.in_string => self.escaped = true,
            b'"' => self.in_string = !self.in_string,
            b'{' | b'[' if !self.in_string => self.depth += 1,
            b'}' | b']' if !self.in_string => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::json;

    #[test]
    fn numbers_that_are_none_become_empty_and_strings_stay() {
        let mut text = br#"{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \" NaN","d":-1}"#.to_vec();
        let len = text.len();
        assert_eq!(without_nan(&mut text), 3);
        let text = String::from_utf8_lossy(&text);
        assert_eq!(text.len(), len);
        assert!(json::is_value(&text), "{text}");
        assert!(text.contains(r#""NaN \" NaN","d":-1"#), "{text}");
    }

    #[test]
    fn every_cut_of_a_document_closes_to_a_whole_one() {
        let text = r#"{"a":[{"b":"x,]}\"","c":[1,2,{"d":null}]},"é",true],"e":{}}"#;
        assert!(flaw(text).is_none());
        for end in 1..text.len() {
            let Some(part) = text.get(..end) else {
                continue;
            };
            let found = flaw(part);
            assert!(found.is_some_and(|flaw| flaw.cut), "{part}");
            let (whole, _) = closed(part, part.len());
            assert!(json::is_value(&whole), "{part} became {whole}");
        }
        for (part, whole) in [
            (r#"{"a":[1,{"b":2,"c"#, r#"{"a":[1,{"b":2}]}"#),
            (r#"{"a":[1,{"b":2,"c""#, r#"{"a":[1,{"b":2}]}"#),
            (r#"{"a":[1,{"b":"c""#, r#"{"a":[1,{"b":"c"}]}"#),
            (r#"{"a":["b","c"  "#, r#"{"a":["b","c"]}"#),
            (r#"{"a":"b","c":12"#, r#"{"a":"b"}"#),
        ] {
            assert_eq!(closed(part, part.len()).0, whole);
        }
    }

    #[test]
    fn a_flaw_in_the_middle_says_its_line_and_costs_what_is_behind_it() {
        let text = "{\n\"a\": [1, 2],\n\"b\": x,\n\"c\": 3}";
        let found = flaw(text);
        let found = found.map(|flaw| (flaw.line, flaw.offset, flaw.cut));
        assert_eq!(found, Some((3, 20, false)));
        assert_eq!(closed(text, 20), ("{\n\"a\": [1, 2]}".to_owned(), 13));
    }
}

//! A file that is one JSON value, or one on each line.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::draft::Draft;
use super::lenient;
use super::place::At;
use crate::trace::input::Input;
use crate::trace::json;
use serde_json::value::RawValue;

/// A file that is one JSON value or one on each line, in memory while it is read.
#[derive(Debug)]
pub(super) struct Document {
    file: u32,
    text: String,
    /// Bytes of a mark at the beginning, before the text.
    before: usize,
    /// True where each line is a value.
    by_line: bool,
}

impl Document {
    /// Reads a whole file and adds it to the draft's.
    ///
    /// What is not JSON in it is put right and counted: `NaN` becomes an empty string, bytes that
    /// are no UTF-8 become question marks, and of a document that ends early or is broken the
    /// whole values before that place remain.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub(super) fn read(draft: &mut Draft, path: &Path, input: Input) -> io::Result<Self> {
        draft.skipped().cut_stream |= input.is_cut();
        let held = input.memory();
        let bytes = input.into_bytes()?;
        let file = draft.file(path, held);
        Ok(Self::of(draft, file, Arc::unwrap_or_clone(bytes)))
    }

    /// A document from memory. Where its parts lie counts from its beginning, in file `file`.
    pub(super) fn of(draft: &mut Draft, file: u32, mut bytes: Vec<u8>) -> Self {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let before = if bytes.starts_with(MARK) {
            MARK.len()
        } else {
            0
        };
        bytes.drain(..before);
        for _ in 0..lenient::without_nan(&mut bytes) {
            draft.skipped().unknown_field("NaN or Infinity");
        }
        let mut text = utf8(draft, before, bytes);
        draft.skipped().lines += text.lines().count() as u64;
        let by_line = is_by_line(&text);
        if by_line {
            count_bad_lines(draft, &text, before);
        } else if let Some(flaw) = lenient::flaw(&text) {
            let skipped = draft.skipped();
            if flaw.cut {
                skipped.torn_tail = true;
            } else {
                let reason = format!("{}; what follows is left out", flaw.reason);
                skipped.bad_line(flaw.line, flaw.offset + before as u64, reason);
            }
            let end = usize::try_from(flaw.offset).unwrap_or(usize::MAX);
            let (whole, kept) = lenient::closed(&text, end.min(text.len()));
            text = whole;
            draft.ends_at(file, (before + kept) as u64);
        }
        Self {
            file,
            text,
            before,
            by_line,
        }
    }

    /// The values: one, or those of the lines that are some.
    pub(super) fn values(&self) -> Vec<&RawValue> {
        let read = |text| serde_json::from_str::<&RawValue>(text).ok();
        if self.by_line {
            return self.text.lines().filter_map(read).collect();
        }
        read(&self.text).into_iter().collect()
    }

    /// The value, and where its parts lie.
    pub(super) fn at(&self) -> At<'_> {
        At {
            file: self.file,
            text: &self.text,
            offset: self.before as u64,
        }
    }
}

/// True where one of the first two lines is a whole object and another line follows.
fn is_by_line(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let whole = |line: Option<&str>| {
        let line = line.map(str::trim);
        line.is_some_and(|line| line.starts_with('{') && json::is_value(line))
    };
    let (first, second) = (lines.next(), lines.next());
    second.is_some() && (whole(first) || whole(second))
}

fn count_bad_lines(draft: &mut Draft, text: &str, before: usize) {
    let mut offset = before;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let error = serde_json::from_str::<serde::de::IgnoredAny>(line).err();
        let error = error.filter(|_| !line.trim().is_empty());
        match error {
            Some(_) if !line.ends_with('\n') => draft.skipped().torn_tail = true,
            Some(error) => {
                let skipped = draft.skipped();
                skipped.bad_line(number, offset as u64, error.to_string());
            }
            None => {}
        }
        offset += line.len();
    }
}

/// The bytes as text of the same length.
fn utf8(draft: &mut Draft, before: usize, bytes: Vec<u8>) -> String {
    let mut bytes = bytes;
    let mut from = 0;
    loop {
        match std::str::from_utf8(&bytes[from..]) {
            Ok(_) => break,
            Err(error) => {
                let at = from + error.valid_up_to();
                let end = error.error_len().map_or(bytes.len(), |len| at + len);
                let line = 1 + memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64;
                let reason = "these bytes are no UTF-8";
                let skipped = draft.skipped();
                skipped.bad_line(line, (before + at) as u64, reason);
                bytes[at..end].fill(b'?');
                from = end;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

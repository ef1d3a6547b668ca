//! A file that is one JSON value.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::draft::Draft;
use super::lenient;
use super::place::At;
use crate::trace::input::Input;

/// A file that is one JSON value, in memory while it is read.
#[derive(Debug)]
pub(super) struct Document {
    file: u32,
    text: String,
    /// Bytes of a mark at the beginning, before the text.
    before: usize,
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

    fn of(draft: &mut Draft, file: u32, mut bytes: Vec<u8>) -> Self {
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
        if let Some(flaw) = lenient::flaw(&text) {
            let skipped = draft.skipped();
            if flaw.cut {
                skipped.torn_tail = true;
            } else {
                let reason = format!("{}; what follows is left out", flaw.reason);
                skipped.bad_line(flaw.line, flaw.offset + before as u64, reason);
            }
            let end = usize::try_from(flaw.offset).unwrap_or(usize::MAX);
            text = lenient::closed(&text, end.min(text.len()));
        }
        Self { file, text, before }
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

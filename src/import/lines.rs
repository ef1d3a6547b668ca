//! A file of JSON lines: what is wrong with one line costs that line.

use std::io;
use std::path::Path;

use super::draft::Draft;
use super::lenient;
use super::place::At;
use crate::trace::input::{Input, Line};

/// Reads a whole file of JSON lines into the draft. `take` gets each line; its error says why the
/// line is none.
///
/// # Errors
/// Where the file cannot be read.
pub(super) fn read_lines(
    draft: &mut Draft,
    path: &Path,
    mut input: Input,
    mut take: impl FnMut(&mut Draft, At<'_>) -> serde_json::Result<()>,
) -> io::Result<()> {
    let file = draft.file(path, None);
    while let Some(line) = input.next_line()? {
        draft.skipped().lines += 1;
        one(draft, file, line, &mut take);
    }
    if let Some(bytes) = input.memory() {
        draft.hold(file, bytes);
    }
    draft.skipped().cut_stream |= input.is_cut();
    Ok(())
}

fn one(
    draft: &mut Draft,
    file: u32,
    line: Line<'_>,
    take: &mut impl FnMut(&mut Draft, At<'_>) -> serde_json::Result<()>,
) {
    if line.too_long {
        let reason = "the line is too long to be read";
        draft.skipped().bad_line(line.number, line.offset, reason);
        return;
    }
    let text = match std::str::from_utf8(line.bytes) {
        Ok(text) if text.trim().is_empty() => return,
        Ok(text) => text,
        Err(_) if !line.ended => {
            draft.skipped().torn_tail = true;
            return;
        }
        Err(error) => {
            let skipped = draft.skipped();
            skipped.bad_line(line.number, line.offset, error.to_string());
            return;
        }
    };
    let at = At {
        file,
        text,
        offset: line.offset,
    };
    let Err(error) = take(draft, at) else {
        return;
    };
    let mut mended = line.bytes.to_vec();
    let odd = lenient::without_nan(&mut mended);
    let mended = String::from_utf8(mended).unwrap_or_default();
    if odd > 0
        && take(
            draft,
            At {
                text: &mended,
                ..at
            },
        )
        .is_ok()
    {
        for _ in 0..odd {
            draft.skipped().unknown_field("NaN or Infinity");
        }
    } else if line.ended {
        let skipped = draft.skipped();
        skipped.bad_line(line.number, line.offset, error.to_string());
    } else {
        // A part of an object is never a whole one, so a tail that can be read is a record.
        draft.skipped().torn_tail = true;
    }
}

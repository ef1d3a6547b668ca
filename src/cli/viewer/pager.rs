//! A body as a whole, for a pager.

use std::io::{self, Write};

use crate::text::clean_block;
use crate::trace::{Bodies, BodyRef, Run};

/// Bytes that are made safe at a time.
const PIECE: usize = 64 * 1024;

/// Writes a body as a person reads it, safe to show.
pub(super) fn write(run: &Run, body: BodyRef, out: &mut dyn Write) -> io::Result<()> {
    let text = Bodies::text(run, body)?;
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(border(rest));
        out.write_all(clean_block(piece).as_bytes())?;
        rest = after;
    }
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Where the next piece ends: after a line where there is one, else between characters.
fn border(text: &str) -> usize {
    if text.len() <= PIECE {
        return text.len();
    }
    let mut end = PIECE;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].rfind('\n').map_or(end, |line| line + 1)
}

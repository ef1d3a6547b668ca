//! Arguments and answers, loaded from the file when someone looks at them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::json;
use super::run::{BodyRef, Run};

/// Loads bodies on demand; a run in memory holds only where they are.
#[derive(Clone, Copy, Debug)]
pub struct Bodies;

impl Bodies {
    /// The bytes of a body: one JSON value as it stands in the file, or the plain text of a side
    /// file. Empty for no body.
    ///
    /// # Errors
    /// Where the file is gone, or shorter than when it was opened.
    pub fn load(run: &Run, body: BodyRef) -> io::Result<Vec<u8>> {
        Self::load_head(run, body, u64::MAX)
    }

    /// The first `most` bytes of a body, for looking at one that may be very long.
    ///
    /// # Errors
    /// As [`Bodies::load`].
    pub fn load_head(run: &Run, body: BodyRef, most: u64) -> io::Result<Vec<u8>> {
        if body.len == 0 {
            return Ok(Vec::new());
        }
        let len = body.len.min(most);
        if let Some(bytes) = run.held.get(&body.file) {
            let from = usize::try_from(body.offset).map_err(io::Error::other)?;
            let len = usize::try_from(len).map_err(io::Error::other)?;
            let part = bytes.get(from..).and_then(|rest| rest.get(..len));
            return part.map(<[u8]>::to_vec).ok_or_else(changed);
        }
        let path = run.files.get(body.file as usize).ok_or_else(changed)?;
        let mut file = File::open(path)?;
        let meta = file.metadata()?;
        // A pipe in the place of a side file would never end.
        if !meta.is_file() || meta.len() < body.offset.saturating_add(body.len) {
            return Err(changed());
        }
        file.seek(SeekFrom::Start(body.offset))?;
        let mut bytes = Vec::new();
        file.take(len).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Shows a body piece by piece, as it stands and, where it holds escapes, without them, until
    /// `see` has seen enough. Pieces overlap by [`Bodies::OVERLAP`], so that a text no longer than
    /// that is in one of them; no more than a few pieces are in memory.
    ///
    /// # Errors
    /// As [`Bodies::load`].
    pub fn each_piece(
        run: &Run,
        body: BodyRef,
        mut see: impl FnMut(&str) -> bool,
    ) -> io::Result<()> {
        let mut at = 0;
        while at < body.len {
            let piece = BodyRef {
                offset: body.offset + at,
                len: (body.len - at).min(Self::PIECE),
                ..body
            };
            let bytes = Self::load_head(run, piece, piece.len)?;
            let raw = String::from_utf8_lossy(&bytes);
            if see(&raw) {
                return Ok(());
            }
            if raw.contains('\\') {
                let literal = format!("\"{raw}");
                if json::string(&literal).is_some_and(|text| see(&text)) {
                    return Ok(());
                }
            }
            if at + piece.len >= body.len {
                return Ok(());
            }
            at += Self::PIECE - Self::OVERLAP;
        }
        Ok(())
    }

    /// Bytes of a piece.
    const PIECE: u64 = 1 << 20;
    /// Bytes that two pieces share.
    pub const OVERLAP: u64 = 1 << 13;

    /// A body as a person reads it: the text of a JSON string, the texts of a list of content
    /// blocks, any other value as it stands. Sanitise it before showing it.
    ///
    /// # Errors
    /// As [`Bodies::load`].
    pub fn text(run: &Run, body: BodyRef) -> io::Result<String> {
        Self::text_head(run, body, u64::MAX)
    }

    /// As [`Bodies::text`], from the first `most` bytes of the body. A list of blocks that is cut
    /// by `most` stays as it stands.
    ///
    /// # Errors
    /// As [`Bodies::load`].
    pub fn text_head(run: &Run, body: BodyRef, most: u64) -> io::Result<String> {
        let bytes = Self::load_head(run, body, most)?;
        let raw = String::from_utf8_lossy(&bytes);
        if body.offset == 0 {
            return Ok(raw.into_owned());
        }
        Ok(plain(&raw))
    }
}

/// The text of a JSON value that may be a string, a list of content blocks, or anything else.
pub(crate) fn plain(raw: &str) -> String {
    if let Some(text) = json::string(raw) {
        return text.into_owned();
    }
    blocks(raw).unwrap_or_else(|| raw.to_owned())
}

fn blocks(raw: &str) -> Option<String> {
    if !raw.starts_with('[') {
        return None;
    }
    let mut out = String::new();
    for block in json::items(raw).ok()? {
        let [kind, text] = json::fields(block.get(), ["type", "text"]).ok()?;
        let kind = json::string(kind?.get())?;
        if !out.is_empty() {
            out.push('\n');
        }
        match text.and_then(|text| json::string(text.get())) {
            Some(text) if kind == "text" => out.push_str(&text),
            _ => out.push_str(&format!("[{kind}]")),
        }
    }
    Some(out)
}

fn changed() -> io::Error {
    io::Error::new(
        io::ErrorKind::UnexpectedEof,
        "the file has changed since it was opened: open it again",
    )
}

//! Where a piece of text lies in its file.

use crate::trace::{BodyRef, json};

/// A line's text, or a whole document, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'a> {
    pub(super) file: u32,
    pub(super) text: &'a str,
    pub(super) offset: u64,
}

impl At<'_> {
    /// Where `part`, which was cut out of the text, lies in the file.
    pub(super) fn body(&self, part: &str) -> BodyRef {
        BodyRef {
            file: self.file,
            offset: self.offset_of(part),
            len: part.len() as u64,
        }
    }

    /// The byte offset of `part` in the file.
    pub(super) fn offset_of(&self, part: &str) -> u64 {
        self.offset + json::offset_in(self.text, part)
    }
}

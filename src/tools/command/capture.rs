//! A stream kept within bounds: its beginning, its end, and a count of what lies between.

use std::collections::VecDeque;

use tokio::io::{AsyncRead, AsyncReadExt};

/// What a process wrote, in at most `limit` bytes of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    limit: usize,
    total: u64,
}

impl Captured {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    /// Bytes written in all, kept or not.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Bytes that were counted and not kept.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        let kept = self.head.len() + self.tail.len();
        self.total - kept as u64
    }

    /// True where nothing was written.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// All bytes, or `None` where some were dropped.
    #[must_use]
    pub fn into_whole(self) -> Option<Vec<u8>> {
        (self.dropped() == 0).then(|| {
            let mut bytes = self.head;
            bytes.extend(self.tail);
            bytes
        })
    }

    /// The text, invalid UTF-8 replaced; where bytes were dropped a line says how many.
    #[must_use]
    pub fn text(&self) -> String {
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let dropped = self.dropped();
        if dropped == 0 {
            let mut bytes = self.head.clone();
            bytes.extend(tail);
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        format!(
            "{}\n[{dropped} of {} bytes left out here]\n{}",
            String::from_utf8_lossy(&self.head),
            self.total,
            String::from_utf8_lossy(&tail),
        )
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = (self.limit / 2).saturating_sub(self.head.len());
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        let tail = self.limit - self.limit / 2;
        let rest = &rest[rest.len().saturating_sub(tail)..];
        let over = (self.tail.len() + rest.len()).saturating_sub(tail);
        self.tail.drain(..over);
        self.tail.extend(rest);
    }

    /// Reads to the end. A read error ends the stream as well: what came before it stands.
    pub(super) async fn fill(&mut self, from: Option<impl AsyncRead + Unpin>) {
        let Some(mut from) = from else { return };
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(n @ 1..) = from.read(&mut buffer).await {
            self.push(&buffer[..n]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_are_kept_and_the_rest_is_counted() {
        for chunk in 1..12 {
            let mut captured = Captured::new(7);
            for bytes in b"abcdefghijklmnop".chunks(chunk) {
                captured.push(bytes);
            }
            assert_eq!(captured.dropped(), 9, "chunks of {chunk}");
            assert_eq!(captured.text(), "abc\n[9 of 16 bytes left out here]\nmnop");
            assert_eq!(captured.into_whole(), None);
        }
    }

    #[test]
    fn a_stream_that_just_fits_is_whole() {
        let mut captured = Captured::new(7);
        captured.push(b"abcd");
        captured.push(b"efg");
        assert_eq!(captured.text(), "abcdefg");
        assert_eq!(captured.into_whole(), Some(b"abcdefg".to_vec()));
    }
}

//! A trace that is being written, read on from where it ended.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

use crate::trace::{Reader, Run};

/// The beginning of a file tells whether it is still the same one.
const HEAD: usize = 256;
/// A line that is longer than this and has no end yet is not waited for.
const LONGEST: usize = 1 << 28;

/// What tells a file that has changed from one that has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) len: u64,
    modified: Option<SystemTime>,
    place: (u64, u64),
}

impl Stamp {
    /// Of the file at `path`; `None` where there is none.
    pub(super) fn of(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().map(|m| Self {
            len: m.len(),
            modified: m.modified().ok(),
            place: place(&m),
        })
    }

    /// True where it may be the same file as before, with more in it.
    pub(super) fn continues(self, before: Self) -> bool {
        self.place == before.place && self.len >= before.len
    }
}

#[cfg(unix)]
fn place(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn place(_metadata: &Metadata) -> (u64, u64) {
    (0, 0)
}

/// A trace and how far it was read.
pub(super) struct Tail {
    file: File,
    reader: Reader,
    head: Vec<u8>,
    /// First byte that was not read yet.
    offset: u64,
    /// What stands behind the last line break: it becomes a line later.
    pending: Vec<u8>,
}

impl Tail {
    /// Reads everything that is there.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut tail = Self {
            file: File::open(path)?,
            reader: Reader::new(path),
            head: Vec::new(),
            offset: 0,
            pending: Vec::new(),
        };
        tail.head = tail.beginning()?;
        tail.read_new()?;
        Ok(tail)
    }

    /// Reads what is new; false where the file begins in another way than before.
    pub(super) fn read_on(&mut self) -> io::Result<bool> {
        let head = self.beginning()?;
        if !head.starts_with(&self.head) {
            return Ok(false);
        }
        self.head = head;
        self.read_new()?;
        Ok(true)
    }

    /// The run as far as it was read.
    pub(super) fn run(&mut self) -> Result<Run, String> {
        self.reader.check().map_err(|error| error.to_string())?;
        Ok(self.reader.run().clone())
    }

    fn beginning(&mut self) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut head = Vec::new();
        (&self.file).take(HEAD as u64).read_to_end(&mut head)?;
        Ok(head)
    }

    fn read_new(&mut self) -> io::Result<()> {
        let mut chunk = vec![0; 1 << 16];
        self.file.seek(SeekFrom::Start(self.offset))?;
        loop {
            let n = match self.file.read(&mut chunk) {
                Ok(0) => return Ok(()),
                Ok(n) => n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let searched = self.pending.len();
            self.pending.extend_from_slice(&chunk[..n]);
            self.offset += n as u64;
            self.take_lines(searched);
            if self.pending.len() > LONGEST {
                return Err(io::Error::other("a line is too long to be followed"));
            }
        }
    }

    /// Feeds every complete line. The first `searched` bytes hold no line break.
    fn take_lines(&mut self, searched: usize) {
        let start = self.offset - self.pending.len() as u64;
        let (mut taken, mut from) = (0, searched);
        while let Some(end) = memchr::memchr(b'\n', &self.pending[from..]) {
            let line = &self.pending[taken..from + end];
            let offset = start + taken as u64;
            // Windows editors start a file with a byte order mark.
            let mark = b"\xef\xbb\xbf";
            let text = line.strip_prefix(mark).filter(|_| offset == 0);
            let text = text.unwrap_or(line);
            let skipped = (line.len() - text.len()) as u64;
            self.reader.feed_line(text, offset + skipped);
            from += end + 1;
            taken = from;
        }
        self.pending.drain(..taken);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::Write as _;

    use super::*;

    const LINES: [&str; 4] = [
        r#"{"kind":"run","format":"turnlane","version":1,"id":"a","policy":"keyed"}"#,
        r#"{"kind":"turn","turn":1,"at_ns":0,"calls":1}"#,
        r#"{"kind":"call","turn":1,"call":0,"id":"c","tool":"t","args":{},"issued_ns":0}"#,
        r#"{"kind":"end","turn":1,"call":0,"at_ns":5,"outcome":"ok","timing":"measured"}"#,
    ];

    #[test]
    fn a_trace_fed_byte_by_byte_is_the_one_that_is_read_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        let mut file = File::create(&path).unwrap();
        let mut tail = Tail::open(&path).unwrap();
        for byte in LINES.map(|line| format!("{line}\n")).concat().bytes() {
            file.write_all(&[byte]).unwrap();
            assert!(tail.read_on().unwrap());
        }
        let (grown, whole) = (tail.run().unwrap(), crate::trace::read(&path).unwrap());
        assert_eq!(grown.calls, whole.calls);
        assert_eq!(grown.turns, whole.turns);
        assert_eq!(grown.meta, whole.meta);
        assert_eq!(grown.skipped, whole.skipped);
    }

    #[test]
    fn a_line_without_its_break_is_pending() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        let text = LINES[..3].join("\n");
        std::fs::write(&path, text).unwrap();
        let mut tail = Tail::open(&path).unwrap();
        assert_eq!(tail.run().unwrap().calls.len(), 0);
        let mut file = File::options().append(true).open(&path).unwrap();
        file.write_all(b"\n").unwrap();
        assert!(tail.read_on().unwrap());
        assert_eq!(tail.run().unwrap().calls.len(), 1);
    }

    #[test]
    fn a_file_that_begins_in_another_way_is_another_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        std::fs::write(&path, format!("{}\n", LINES[0])).unwrap();
        let mut tail = Tail::open(&path).unwrap();
        let other = LINES[0].replace("\"a\"", "\"b\"");
        std::fs::write(&path, format!("{other}\n{}\n", LINES[1])).unwrap();
        assert!(!tail.read_on().unwrap());
    }
}

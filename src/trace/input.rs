//! A file line by line with byte offsets. Compressed files are known by their first bytes and
//! read into memory; plain files are streamed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;
use std::sync::Arc;

const BUFFER: usize = 64 * 1024;
/// Of a compressed file or a pipe at most so much is kept; what lies behind counts as cut off.
const MOST_HELD: u64 = 1 << 30;
/// Longer lines are skipped without being held.
const LONGEST_LINE: usize = 1 << 29;
/// A line buffer that grew beyond this is given back before the next line.
const KEEP_BUFFER: usize = 1 << 23;

/// One line, without its line break.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// The text; empty where the line is too long to be held.
    pub(crate) bytes: &'a [u8],
    /// Where it starts, after decompression.
    pub(crate) offset: u64,
    /// Its number, from 1.
    pub(crate) number: u64,
    /// False for a last line without a line break.
    pub(crate) ended: bool,
    /// True where the line was skipped for its length.
    pub(crate) too_long: bool,
}

/// Lines of a file, of a compressed file, or of bytes in memory.
#[derive(Debug)]
pub(crate) struct Input {
    from: From,
    offset: u64,
    number: u64,
    cut: bool,
}

#[derive(Debug)]
enum From {
    File {
        reader: BufReader<File>,
        line: Vec<u8>,
    },
    Memory(Arc<Vec<u8>>),
}

impl Input {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Self::read_all(file);
        }
        let mut reader = BufReader::with_capacity(BUFFER, file);
        if packing(reader.fill_buf()?).is_some() {
            return Self::unpack(reader);
        }
        Ok(Self::new(From::File {
            reader,
            line: Vec::new(),
        }))
    }

    /// Everything a pipe gives, compressed or not.
    pub(crate) fn read_all(from: impl Read) -> io::Result<Self> {
        let mut reader = BufReader::with_capacity(BUFFER, from);
        if packing(reader.fill_buf()?).is_some() {
            return Self::unpack(reader);
        }
        let mut bytes = Vec::new();
        reader.take(MOST_HELD + 1).read_to_end(&mut bytes)?;
        Ok(Self::held(bytes, false))
    }

    pub(crate) fn from_bytes(bytes: Vec<u8>) -> io::Result<Self> {
        match packing(&bytes) {
            Some(_) => Self::unpack(&*bytes),
            None => Ok(Self::new(From::Memory(Arc::new(bytes)))),
        }
    }

    /// The next line; `None` at the end.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let offset = self.offset;
        let (bytes, too_long) = match &mut self.from {
            From::File { reader, line } => {
                let (taken, too_long) = read_line(reader, line)?;
                self.offset += taken;
                (line.as_slice(), too_long)
            }
            From::Memory(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|at| bytes.get(at..));
                let rest = rest.unwrap_or_default();
                let len = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
                self.offset += len as u64;
                (&rest[..len], false)
            }
        };
        if self.offset == offset {
            return Ok(None);
        }
        self.number += 1;
        let (bytes, ended) = match bytes.strip_suffix(b"\n") {
            Some(text) => (text, true),
            None => (bytes, too_long),
        };
        // Windows editors start a file with a byte order mark.
        let text = match offset {
            0 => bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
            _ => bytes,
        };
        Ok(Some(Line {
            bytes: text,
            offset: offset + (bytes.len() - text.len()) as u64,
            number: self.number,
            ended,
            too_long,
        }))
    }

    /// True where a compressed stream ended early or was too large to hold.
    pub(crate) const fn is_cut(&self) -> bool {
        self.cut
    }

    /// The bytes, where the file cannot be read at an offset.
    pub(crate) fn memory(&self) -> Option<Arc<Vec<u8>>> {
        match &self.from {
            From::File { .. } => None,
            From::Memory(bytes) => Some(Arc::clone(bytes)),
        }
    }

    /// Goes back to the first line.
    pub(crate) fn restart(&mut self) -> io::Result<()> {
        if let From::File { reader, .. } = &mut self.from {
            reader.rewind()?;
        }
        (self.offset, self.number) = (0, 0);
        Ok(())
    }

    /// The whole file; of a very large one its beginning.
    pub(crate) fn into_bytes(self) -> io::Result<Arc<Vec<u8>>> {
        match self.from {
            From::Memory(bytes) => Ok(bytes),
            From::File { mut reader, .. } => {
                reader.rewind()?;
                let mut bytes = Vec::new();
                reader.take(MOST_HELD).read_to_end(&mut bytes)?;
                Ok(Arc::new(bytes))
            }
        }
    }

    const fn new(from: From) -> Self {
        Self {
            from,
            offset: 0,
            number: 0,
            cut: false,
        }
    }

    fn held(mut bytes: Vec<u8>, cut: bool) -> Self {
        let most = usize::try_from(MOST_HELD).unwrap_or(usize::MAX);
        let cut = cut || bytes.len() > most;
        bytes.truncate(most);
        Self {
            cut,
            ..Self::new(From::Memory(Arc::new(bytes)))
        }
    }

    /// Decompresses as much as there is: an archive that ends early gives all that was complete.
    fn unpack(mut reader: impl BufRead) -> io::Result<Self> {
        let mut bytes = Vec::new();
        let most = MOST_HELD + 1;
        let result = match packing(reader.fill_buf()?) {
            Some(Packing::Gzip) => flate2::bufread::MultiGzDecoder::new(reader)
                .take(most)
                .read_to_end(&mut bytes),
            Some(Packing::Zstd) => zstd::stream::read::Decoder::with_buffer(reader)?
                .take(most)
                .read_to_end(&mut bytes),
            None => reader.take(most).read_to_end(&mut bytes),
        };
        Ok(Self::held(bytes, result.is_err()))
    }
}

enum Packing {
    Gzip,
    Zstd,
}

pub(crate) fn is_packed(head: &[u8]) -> bool {
    packing(head).is_some()
}

fn packing(head: &[u8]) -> Option<Packing> {
    match head {
        [0x1f, 0x8b, ..] => Some(Packing::Gzip),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Packing::Zstd),
        _ => None,
    }
}

/// One line with its line break into `line`; how many bytes it took, and whether it was too long
/// to be kept.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<(u64, bool)> {
    line.clear();
    line.shrink_to(KEEP_BUFFER);
    let mut taken = 0;
    let mut too_long = false;
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = memchr::memchr(b'\n', chunk).map(|at| at + 1);
        let len = end.unwrap_or(chunk.len());
        too_long |= line.len() + len > LONGEST_LINE;
        if too_long {
            line.clear();
        } else {
            line.extend_from_slice(&chunk[..len]);
        }
        reader.consume(len);
        taken += len as u64;
        if end.is_some() || len == 0 {
            return Ok((taken, too_long));
        }
    }
}

//! Appends lines to a trace. A `start` is with the kernel before the method returns, so that a
//! body which takes the process down leaves a trace of having begun.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::line;
use super::run::Meta;
use super::side::{SideFiles, SideFolder};

/// Answers beyond this many bytes go to a side file.
const LONGEST_ANSWER: usize = 64 * 1024;
/// Lines that may wait are written once so many bytes have gathered.
const BUFFER: usize = 16 * 1024;

/// Writes a trace. Every line is complete in one write; lines that need not be on disk at once
/// may share one.
pub struct Writer<W: Write> {
    out: W,
    pending: Vec<u8>,
    sides: Box<dyn SideFiles + Send>,
}

impl<W: Write + fmt::Debug> fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer")
            .field("out", &self.out)
            .field("pending", &self.pending.len())
            .finish_non_exhaustive()
    }
}

impl Writer<File> {
    /// A new trace at `path`, side files beside it.
    ///
    /// # Errors
    /// Where the file exists already or cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(path)?;
        Ok(Self::new(file, SideFolder::beside(path)))
    }

    /// Goes on with the trace at `path`. Where it ends in half a line that line is closed first:
    /// it stays the only one that is lost.
    ///
    /// # Errors
    /// Where the file cannot be opened, or is compressed.
    pub fn append(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).open(path)?;
        let half = ends_in_half_a_line(&mut file)?;
        let mut writer = Self::new(file, SideFolder::beside(path));
        if half {
            writer.pending.push(b'\n');
        }
        Ok(writer)
    }

    /// The same writer, for those who hold writers to files and to memory alike.
    #[must_use]
    pub fn boxed(self) -> Writer<Box<dyn Write + Send>> {
        Writer {
            out: Box::new(self.out),
            pending: self.pending,
            sides: self.sides,
        }
    }
}

fn ends_in_half_a_line(file: &mut File) -> io::Result<bool> {
    let mut head = Vec::new();
    file.take(4).read_to_end(&mut head)?;
    if super::input::is_packed(&head) {
        let problem = "the trace is compressed: unpack it before adding to it";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    if head.is_empty() {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

impl<W: Write> Writer<W> {
    /// Writes to `out`, which must not hold lines back; long answers go to `sides`.
    pub fn new(out: W, sides: impl SideFiles + Send + 'static) -> Self {
        Self {
            out,
            pending: Vec::new(),
            sides: Box::new(sides),
        }
    }

    /// `run`: the first line.
    ///
    /// # Errors
    /// Where `out` cannot be written; so with every method.
    pub fn run(&mut self, meta: &Meta) -> io::Result<()> {
        self.line("run", &line::Run::of(meta))
    }

    /// `catalog`: the tools in force, as JSON.
    ///
    /// # Errors
    /// Also where `tools` is no JSON.
    pub fn catalog(&mut self, tools: &str) -> io::Result<()> {
        let flat = tools.replace(['\n', '\r'], " ");
        let tools = serde_json::from_str::<&RawValue>(&flat).map_err(io::Error::from)?;
        self.line("catalog", &line::Catalog { tools: Some(tools) })
    }

    /// `turn`: a reply was received.
    ///
    /// # Errors
    /// As [`Writer::run`].
    pub fn turn(&mut self, line: &line::Turn<'_>) -> io::Result<()> {
        self.line("turn", line)
    }

    /// `call`: before any start of its turn.
    ///
    /// # Errors
    /// As [`Writer::run`].
    pub fn call(&mut self, line: &line::Call<'_>) -> io::Result<()> {
        self.line("call", line)
    }

    /// `start`: with the kernel, and all lines before it, when this returns.
    ///
    /// # Errors
    /// As [`Writer::run`]; the body must then not run.
    pub fn start(&mut self, line: &line::Start<'_>) -> io::Result<()> {
        self.line("start", line)?;
        self.flush()
    }

    /// `ask`: approval is asked for. Written at once: the wait for a person may be long.
    ///
    /// # Errors
    /// As [`Writer::run`].
    pub fn ask(&mut self, line: &line::Ask<'_>) -> io::Result<()> {
        self.line("ask", line)?;
        self.flush()
    }

    /// `granted`: approval was answered.
    ///
    /// # Errors
    /// As [`Writer::run`].
    pub fn granted(&mut self, line: &line::Ask<'_>) -> io::Result<()> {
        self.line("granted", line)
    }

    /// `end`: a call ended or will never start. What `line` has as its answer is replaced by
    /// `answer`.
    ///
    /// # Errors
    /// As [`Writer::run`], and where a side file cannot be written.
    pub fn end(&mut self, line: line::End<'_>, answer: Option<&str>) -> io::Result<()> {
        self.ended("end", line, answer)
    }

    /// `late`: a timed-out call ended after all.
    ///
    /// # Errors
    /// As [`Writer::end`].
    pub fn late(&mut self, line: line::End<'_>, answer: Option<&str>) -> io::Result<()> {
        self.ended("late", line, answer)
    }

    /// `turn_end`: the results went back. Written at once.
    ///
    /// # Errors
    /// As [`Writer::run`].
    pub fn turn_end(&mut self, line: &line::TurnEnd<'_>) -> io::Result<()> {
        self.line("turn_end", line)?;
        self.flush()
    }

    /// `resume`: this writer goes on where another died. Written at once.
    ///
    /// # Errors
    /// As [`Writer::run`].
    pub fn resume(&mut self, line: &line::Resume<'_>) -> io::Result<()> {
        self.line("resume", line)?;
        self.flush()
    }

    /// `run_end`: the run is complete. Written at once.
    ///
    /// # Errors
    /// As [`Writer::run`].
    pub fn run_end(&mut self, line: line::RunEnd) -> io::Result<()> {
        self.line("run_end", &line)?;
        self.flush()
    }

    /// Hands all lines to the kernel.
    ///
    /// # Errors
    /// Where `out` cannot be written. What was not taken is kept, so that a later flush goes on
    /// exactly there and no line is torn.
    pub fn flush(&mut self) -> io::Result<()> {
        let mut taken = 0;
        let result = loop {
            if taken == self.pending.len() {
                break Ok(());
            }
            match self.out.write(&self.pending[taken..]) {
                Ok(0) => break Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => taken += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        self.pending.drain(..taken);
        result.and_then(|()| self.out.flush())
    }

    fn ended(
        &mut self,
        kind: &str,
        mut line: line::End<'_>,
        answer: Option<&str>,
    ) -> io::Result<()> {
        let Some(text) = answer else {
            line.answer = None;
            return self.line(kind, &line);
        };
        let mut entry = line::Answer {
            bytes: text.len() as u64,
            sha256: hex(&Sha256::digest(text.as_bytes())).into(),
            ..line::Answer::default()
        };
        let literal;
        if text.len() > LONGEST_ANSWER {
            let name = self.sides.keep(&line.thread, line.turn, line.call, text)?;
            entry.side = name.into();
        } else {
            literal = serde_json::value::to_raw_value(text).map_err(io::Error::from)?;
            entry.text = Some(&literal);
        }
        let line = line::End {
            answer: Some(entry),
            ..line
        };
        self.line(kind, &line)
    }

    fn line(&mut self, kind: &str, line: &impl Serialize) -> io::Result<()> {
        let start = self.pending.len();
        self.pending.extend_from_slice(b"{\"kind\":\"");
        self.pending.extend_from_slice(kind.as_bytes());
        self.pending.push(b'"');
        let fields = self.pending.len();
        if let Err(error) = serde_json::to_writer(&mut self.pending, line) {
            self.pending.truncate(start);
            return Err(error.into());
        }
        // The fields come as an object of their own; its brace becomes the comma after the kind.
        if &self.pending[fields..] == b"{}" {
            self.pending.remove(fields);
        } else if let Some(brace) = self.pending.get_mut(fields) {
            *brace = b',';
        }
        self.pending.push(b'\n');
        if self.pending.len() >= BUFFER {
            self.flush()?;
        }
        Ok(())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        text.push(char::from(b"0123456789abcdef"[usize::from(byte >> 4)]));
        text.push(char::from(b"0123456789abcdef"[usize::from(byte & 15)]));
        text
    })
}

//! Reads a trace line by line into columns. What is wrong with one line costs that line.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::columns::{self, Sides};
use super::error::TraceError;
use super::input::{Input, Line};
use super::rows::Rows;
use super::run::Run;
use super::{json, line};

/// Reads a trace. Compressed ones (gzip, zstd) are known by their first bytes.
///
/// # Errors
/// Where the file cannot be read, is no turnlane trace, or has a later version.
pub fn read(path: impl AsRef<Path>) -> Result<Run, TraceError> {
    let path = path.as_ref();
    let failed = |source| TraceError::Io {
        file: path.to_owned(),
        source,
    };
    drain(Reader::new(path), Input::open(path).map_err(failed)?)
}

/// Reads a trace from a pipe; `name` stands for the file in errors.
///
/// # Errors
/// As [`read`].
pub fn read_from(name: impl AsRef<Path>, from: impl Read) -> Result<Run, TraceError> {
    let path = name.as_ref();
    let failed = |source| TraceError::Io {
        file: path.to_owned(),
        source,
    };
    drain(Reader::new(path), Input::read_all(from).map_err(failed)?)
}

/// Reads a trace from memory; `name` stands for the file in errors.
///
/// # Errors
/// As [`read`].
pub fn read_bytes(name: impl AsRef<Path>, bytes: Vec<u8>) -> Result<Run, TraceError> {
    let path = name.as_ref();
    let failed = |source| TraceError::Io {
        file: path.to_owned(),
        source,
    };
    drain(Reader::new(path), Input::from_bytes(bytes).map_err(failed)?)
}

fn drain(mut reader: Reader, mut input: Input) -> Result<Run, TraceError> {
    loop {
        match input.next_line() {
            Ok(Some(line)) => reader.take(line),
            Ok(None) => break,
            Err(source) => {
                return Err(TraceError::Io {
                    file: reader.path,
                    source,
                });
            }
        }
    }
    reader.check()?;
    if let Some(bytes) = input.memory() {
        reader.rows.run.held.insert(0, bytes);
    }
    reader.rows.run.skipped.cut_stream = input.is_cut();
    Ok(reader.finish())
}

/// Reads a trace as its lines come: feed every complete line with its byte offset, and at the end
/// of a file that no longer grows what is left without a line break.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    rows: Rows,
    sides: Sides,
    /// Lines of a known kind.
    known: u64,
    has_run_line: bool,
    refused: Option<TraceError>,
}

impl Reader {
    /// A reader for the file at `path`. Side files are looked for beside it.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let mut rows = Rows::new();
        rows.run.files.push(path.clone());
        let sides = Sides::beside(&path);
        Self {
            path,
            rows,
            sides,
            known: 0,
            has_run_line: false,
            refused: None,
        }
    }

    /// Takes one complete line, without its line break, that starts at byte `offset`.
    pub fn feed_line(&mut self, line: &[u8], offset: u64) {
        let number = self.rows.run.skipped.lines + 1;
        self.take(Line {
            bytes: line,
            offset,
            number,
            ended: true,
            too_long: false,
        });
    }

    /// Takes what stands behind the last line break. Where that is a whole record it counts,
    /// else it is pending. Once it has grown into a line it must not be fed again.
    pub fn feed_tail(&mut self, tail: &[u8], offset: u64) {
        let number = self.rows.run.skipped.lines + 1;
        self.take(Line {
            bytes: tail,
            offset,
            number,
            ended: false,
            too_long: false,
        });
    }

    /// Whether what was fed so far can be a trace.
    ///
    /// # Errors
    /// Where no line is one of a turnlane trace, or the version is a later one.
    pub fn check(&mut self) -> Result<(), TraceError> {
        if let Some(error) = self.refused.take() {
            return Err(error);
        }
        let skipped = &self.rows.run.skipped;
        let strange = skipped.bad_lines > 0 || !skipped.unknown_types.is_empty();
        if self.known > 0 || !strange {
            return Ok(());
        }
        let (line, problem) = match skipped.bad.first() {
            Some((line, _, problem)) => (*line, problem.clone()),
            None => (1, "no line is of a known kind".to_owned()),
        };
        Err(TraceError::NotATrace {
            file: self.path.clone(),
            line,
            problem,
        })
    }

    /// The run as far as it was fed.
    pub fn run(&mut self) -> &Run {
        self.rows.settle();
        &self.rows.run
    }

    /// The run.
    #[must_use]
    pub fn finish(mut self) -> Run {
        self.rows.settle();
        self.rows.run
    }

    fn take(&mut self, line: Line<'_>) {
        self.rows.run.skipped.lines += 1;
        if line.too_long {
            let skipped = &mut self.rows.run.skipped;
            skipped.bad_line(line.number, line.offset, "the line is too long to be read");
            return;
        }
        let text = match std::str::from_utf8(line.bytes) {
            Ok(text) if text.trim().is_empty() => return,
            Ok(text) => text,
            Err(_) if !line.ended => {
                self.rows.run.skipped.torn_tail = true;
                return;
            }
            Err(error) => {
                let skipped = &mut self.rows.run.skipped;
                skipped.bad_line(line.number, line.offset, error.to_string());
                return;
            }
        };
        // A part of an object is never a whole one, so a tail that parses is a complete record.
        if !line.ended && !json::is_value(text) {
            self.rows.run.skipped.torn_tail = true;
            return;
        }
        if let Err(error) = self.record(text, line) {
            let skipped = &mut self.rows.run.skipped;
            skipped.bad_line(line.number, line.offset, error.to_string());
        }
    }

    fn record(&mut self, text: &str, at: Line<'_>) -> serde_json::Result<()> {
        let [kind] = json::fields(text, ["kind"])?;
        let kind = kind.and_then(|kind| json::string(kind.get()));
        let kind = kind.as_deref().unwrap_or("(no kind)");
        if kind == "run" {
            self.known += 1;
            return self.run_line(text, at.number);
        }
        if columns::record(&mut self.rows, &mut self.sides, kind, text, at.offset)? {
            self.known += 1;
        } else {
            self.rows.run.skipped.unknown_type(kind);
        }
        Ok(())
    }

    fn run_line(&mut self, text: &str, number: u64) -> serde_json::Result<()> {
        let line: line::Run<'_> = columns::parse(text, &mut self.rows.run.skipped)?;
        if line.format != "turnlane" {
            self.refused = Some(TraceError::NotATrace {
                file: self.path.clone(),
                line: number,
                problem: "`format` is not \"turnlane\"".to_owned(),
            });
        } else if line.version > 1 {
            self.refused = Some(TraceError::Version {
                file: self.path.clone(),
                line: number,
                version: line.version,
            });
        } else if self.has_run_line {
            self.rows.run.skipped.copies += 1;
        } else {
            self.rows.run.meta = line.meta();
            self.has_run_line = true;
        }
        Ok(())
    }
}

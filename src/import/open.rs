//! Opens whatever a path leads to.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::detect::{Format, Look, look};
use super::error::ImportError;
use super::{
    atif, bfcl, chrome, claude_code, codex, gemini, inspect, langfuse, langsmith, messages,
    mini_swe_agent, openhands, otlp, swe_agent, tau_bench, tau2,
};
use crate::model::Catalog;
use crate::trace::input::Input;
use crate::trace::{self, Run};

/// What a file holds.
#[derive(Debug)]
pub enum Opened {
    /// A recording.
    Run(Box<Run>),
    /// A scenario: its text as it stands in the file.
    Scenario(String),
}

/// Reads a file of one foreign format. The catalog holds the user's tools; the reader puts those
/// of the harness below them.
///
/// Its errors of the kind [`io::ErrorKind::InvalidData`] say what is wrong with the content.
type Reader = fn(&Path, Input, &Catalog) -> io::Result<Run>;

/// What reads a foreign format; `None` for turnlane's own.
fn reader(format: Format) -> Option<Reader> {
    match format {
        Format::ClaudeCode => Some(claude_code::read),
        Format::Codex => Some(codex::read),
        Format::TauBench => Some(tau_bench::read),
        Format::Tau2 => Some(tau2::read),
        Format::SweAgent => Some(swe_agent::read),
        Format::MiniSweAgent => Some(mini_swe_agent::read),
        Format::OpenHands => Some(openhands::read),
        Format::Atif => Some(atif::read),
        Format::Gemini => Some(gemini::read),
        Format::Messages => Some(messages::read),
        Format::Bfcl => Some(bfcl::read),
        Format::Otlp => Some(otlp::read),
        Format::Inspect => Some(inspect::read_document),
        Format::InspectEval => Some(inspect::read_archive),
        Format::Langfuse => Some(langfuse::read),
        Format::LangSmith => Some(langsmith::read),
        Format::Chrome => Some(chrome::read),
        Format::Trace | Format::Scenario => None,
    }
}

/// Opens a turnlane trace, a scenario or a session of a known format, compressed or not.
///
/// What the calls of a foreign session touch says `catalog`, and for tools that it does not hold
/// turnlane's own catalog of that harness; a trace holds that itself.
///
/// # Errors
/// Where the file cannot be read, or is in no format that can be opened; the error says which it
/// is and what can be. A bad line is no error: it is skipped and counted.
pub fn open_any(path: &Path, catalog: &Catalog) -> Result<Opened, ImportError> {
    let failed = |source| ImportError::Io {
        file: path.to_owned(),
        source,
    };
    if path.is_dir() {
        return Err(ImportError::Folder {
            file: path.to_owned(),
        });
    }
    let probe = Input::open(path).map_err(failed)?;
    open_probed(path, probe, catalog)
}

/// As [`open_any`], of something that can be read once: a pipe, standard input. `name` is what
/// errors call it. All of it is held in memory, up to a bound; what lies behind counts as cut.
///
/// # Errors
/// As [`open_any`].
pub fn open_stream(name: &Path, from: impl Read, catalog: &Catalog) -> Result<Opened, ImportError> {
    let probe = Input::read_all(from).map_err(|source| ImportError::Io {
        file: name.to_owned(),
        source,
    })?;
    open_probed(name, probe, catalog)
}

fn open_probed(path: &Path, mut probe: Input, catalog: &Catalog) -> Result<Opened, ImportError> {
    let failed = |source| ImportError::Io {
        file: path.to_owned(),
        source,
    };
    let look = look(&mut probe).map_err(failed)?;
    let source = Source::of(probe);
    let look = match look {
        Look::Strange(_) if source.cut => {
            Look::Strange("the compressed file is broken, or ends too early")
        }
        look => look,
    };
    match look {
        Look::Is(Format::Trace) => Ok(Opened::Run(Box::new(source.trace(path)?))),
        Look::Is(format) => {
            let Some(read) = reader(format) else {
                return source.text(path).map(Opened::Scenario);
            };
            let cut = source.cut;
            let input = source.input(path).map_err(failed)?;
            let mut run = read(path, input, catalog).map_err(|error| match error.kind() {
                io::ErrorKind::InvalidData => ImportError::Unusable {
                    file: path.to_owned(),
                    format,
                    problem: error.to_string(),
                },
                _ => failed(error),
            })?;
            run.skipped.cut_stream |= cut;
            Ok(Opened::Run(Box::new(run)))
        }
        Look::Strange(problem) => Err(ImportError::Unknown {
            file: path.to_owned(),
            problem: problem.to_owned(),
        }),
    }
}

/// True for a trace of turnlane's own that is not compressed: one that can be read on from where
/// it ended.
///
/// # Errors
/// Where the file cannot be read.
pub fn is_plain_trace(path: &Path) -> std::io::Result<bool> {
    let mut input = Input::open(path)?;
    Ok(input.memory().is_none() && matches!(look(&mut input)?, Look::Is(Format::Trace)))
}

/// The file from its beginning again. What cannot be read twice (a pipe) or not at an offset (a
/// compressed file) is in memory.
struct Source {
    bytes: Option<Vec<u8>>,
    cut: bool,
}

impl Source {
    fn of(probe: Input) -> Self {
        let cut = probe.is_cut();
        let bytes = probe.memory();
        drop(probe);
        Self {
            bytes: bytes.map(Arc::unwrap_or_clone),
            cut,
        }
    }

    fn input(self, path: &Path) -> io::Result<Input> {
        match self.bytes {
            Some(bytes) => Input::from_bytes(bytes),
            None => Input::open(path),
        }
    }

    fn trace(self, path: &Path) -> Result<Run, ImportError> {
        let Some(bytes) = self.bytes else {
            return Ok(trace::read(path)?);
        };
        let mut run = trace::read_bytes(path, bytes)?;
        run.skipped.cut_stream |= self.cut;
        Ok(run)
    }

    fn text(self, path: &Path) -> Result<String, ImportError> {
        let failed = |source| ImportError::Io {
            file: path.to_owned(),
            source,
        };
        let bytes = match self.bytes {
            Some(bytes) => bytes,
            None => std::fs::read(path).map_err(failed)?,
        };
        String::from_utf8(bytes).map_err(|error| failed(io::Error::other(error)))
    }
}

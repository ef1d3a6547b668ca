//! Answers too long for a line go to files of their own, beside the trace.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Keeps an answer outside the trace and says under which name.
pub trait SideFiles {
    /// Keeps `text`, the answer of a call, and gives the name of the file: one path component,
    /// looked for in the trace's folder. The file is complete when this returns.
    ///
    /// # Errors
    /// Where it cannot be written.
    fn keep(&mut self, thread: &str, turn: u32, call: u32, text: &str) -> io::Result<String>;
}

impl<F: FnMut(&str, u32, u32, &str) -> io::Result<String>> SideFiles for F {
    fn keep(&mut self, thread: &str, turn: u32, call: u32, text: &str) -> io::Result<String> {
        self(thread, turn, call, text)
    }
}

/// Side files in the trace's folder: `<trace>.main.12.0.txt` for call 0 of turn 12.
#[derive(Clone, Debug)]
pub struct SideFolder {
    folder: PathBuf,
    stem: String,
}

impl SideFolder {
    /// Side files for the trace at `path`.
    #[must_use]
    pub fn beside(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default();
        Self {
            folder: path.parent().map(Path::to_owned).unwrap_or_default(),
            stem: safe(&name.to_string_lossy()),
        }
    }
}

impl SideFiles for SideFolder {
    fn keep(&mut self, thread: &str, turn: u32, call: u32, text: &str) -> io::Result<String> {
        let base = format!("{}.{}.{turn}.{call}", self.stem, safe(thread));
        for attempt in 0_u32.. {
            let name = match attempt {
                0 => format!("{base}.txt"),
                n => format!("{base}-{n}.txt"),
            };
            let mut options = OpenOptions::new();
            // Never over a file that is there: an earlier run may still point to it.
            match options
                .write(true)
                .create_new(true)
                .open(self.folder.join(&name))
            {
                Ok(mut file) => {
                    file.write_all(text.as_bytes())?;
                    return Ok(name);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

/// A name that is one path component on every system.
fn safe(name: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name = name.chars().map(|c| if keep(c) { c } else { '_' });
    let name: String = name.take(100).collect();
    if name.trim_matches('.').is_empty() {
        "trace".to_owned()
    } else {
        name
    }
}

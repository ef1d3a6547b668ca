//! A log in a zip archive: a member for each sample.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::Path;

use serde_json::value::RawValue;
use zip::ZipArchive;

use super::document::Log;
use crate::import::document::Document;
use crate::import::draft::Draft;
use crate::model::Catalog;
use crate::trace::input::Input;
use crate::trace::{Run, json};

/// A member may unpack to so much and no more ...
const MOST: u64 = 1 << 30;
/// ... and beyond this only to so many times its packed size: a few bytes must not fill the memory.
const FREE: u64 = 64 << 20;
const MOST_TIMES: u64 = 500;
/// All members together.
const MOST_IN_ALL: u64 = 4 << 30;

/// Reads a log.
///
/// # Errors
/// Where the file cannot be read, or is no such archive.
pub(in crate::import) fn read(path: &Path, input: Input, catalog: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("inspect", catalog);
    match input.memory() {
        Some(bytes) => members(&mut draft, path, Cursor::new(&**bytes))?,
        None => members(&mut draft, path, BufReader::new(File::open(path)?))?,
    }
    Ok(draft.finish())
}

fn members(draft: &mut Draft, path: &Path, from: impl Read + Seek) -> io::Result<()> {
    let broken = |error: &dyn std::fmt::Display| {
        let problem = format!("it is broken or was not finished: {error}");
        io::Error::new(io::ErrorKind::InvalidData, problem)
    };
    let mut archive = ZipArchive::new(from).map_err(|error| broken(&error))?;
    let is_sample = |name: &str| name.starts_with("samples/") && name.ends_with(".json");
    let mut samples: Vec<usize> = Vec::new();
    for at in 0..archive.len() {
        let name = archive.name_for_index(at);
        if let Some(Ok(name)) = name
            && is_sample(&name)
        {
            samples.push(at);
        }
    }
    if samples.is_empty() {
        let problem = "it holds no samples of an Inspect log (samples/*.json)";
        return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
    }
    draft.file(path, None);
    let mut log = Log::new(draft, path);
    let mut unpacker = Unpacker { left: MOST_IN_ALL };
    head(&mut log, &mut archive, &mut unpacker);
    for at in samples {
        let Some(document) = unpacker.document(log.draft, &mut archive, at) else {
            continue;
        };
        match serde_json::from_str::<&RawValue>(document.at().text) {
            Ok(sample) => log.sample(None, sample),
            Err(error) => log.draft.skipped().bad_line(1, 0, error.to_string()),
        }
    }
    log.finish();
    Ok(())
}

/// The header; a run that did not end has only the one it started with.
fn head(log: &mut Log<'_>, archive: &mut ZipArchive<impl Read + Seek>, unpacker: &mut Unpacker) {
    for name in ["header.json", "_journal/start.json"] {
        let Some(at) = archive.index_for_name(name) else {
            continue;
        };
        let Some(document) = unpacker.document(log.draft, archive, at) else {
            continue;
        };
        if let Ok([Some(eval)]) = json::fields(document.at().text, ["eval"]) {
            log.head(Some(eval));
            return;
        }
    }
}

struct Unpacker {
    left: u64,
}

impl Unpacker {
    /// A member as a document. One that cannot be unpacked is counted, with the reason.
    fn document(
        &mut self,
        draft: &mut Draft,
        archive: &mut ZipArchive<impl Read + Seek>,
        at: usize,
    ) -> Option<Document> {
        let name = archive.name_for_index(at);
        let name = name.and_then(Result::ok);
        let name = name.map_or_else(String::new, Cow::into_owned);
        let mut bytes = Vec::new();
        match self.unpack(archive, at, &mut bytes) {
            Ok(()) => {}
            // What came before the fault is still there.
            Err(Fault::Read(error)) if !bytes.is_empty() => {
                draft.skipped().bad_line(1, 0, format!("{name}: {error}"));
            }
            Err(Fault::Read(error)) => {
                draft.skipped().bad_line(1, 0, format!("{name}: {error}"));
                return None;
            }
            Err(Fault::Large(most)) => {
                let reason = format!("{name}: unpacks to more than {most} bytes, left out");
                draft.skipped().bad_line(1, 0, reason);
                return None;
            }
        }
        Some(Document::of(draft, 0, bytes))
    }

    fn unpack(
        &mut self,
        archive: &mut ZipArchive<impl Read + Seek>,
        at: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let member = archive
            .by_index(at)
            .map_err(|error| Fault::Read(error.into()))?;
        let packed = member.compressed_size();
        let most = MOST.min(FREE.saturating_add(packed.saturating_mul(MOST_TIMES)));
        let most = most.min(self.left);
        let result = member.take(most + 1).read_to_end(bytes);
        let size = bytes.len() as u64;
        self.left = self.left.saturating_sub(size);
        if size > most {
            bytes.clear();
            return Err(Fault::Large(most));
        }
        result.map_err(Fault::Read)?;
        Ok(())
    }
}

enum Fault {
    Read(io::Error),
    Large(u64),
}

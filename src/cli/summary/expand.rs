//! Which files a summary is of.

use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;
use crate::cli::load::STANDARD_INPUT;

/// A file as it is; a folder as the session files below it, in order of their names. Links are
/// not followed, and a sub-agent's file is read with its session.
pub(super) fn expand(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable =
        |error: std::io::Error| Failure::Unreadable(format!("{}: {error}", path.display()));
    if path == Path::new(STANDARD_INPUT) {
        return Ok(vec![path.to_owned()]);
    }
    if !std::fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let kind = entry.file_type().map_err(unreadable)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if kind.is_dir() {
                let skip = name == "subagents" || name.starts_with('.');
                open.extend((!skip).then(|| entry.path()));
            } else if kind.is_file() && is_session_name(&name) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Which files of a folder are tried: the content decides what they are. What lies beside a
/// session (a sub-agent's file, its sidecar) is read with it.
fn is_session_name(name: &str) -> bool {
    const ENDINGS: [&str; 5] = [".jsonl", ".ndjson", ".json", ".eval", ".traj"];
    let name = name
        .strip_suffix(".gz")
        .or_else(|| name.strip_suffix(".zst"))
        .unwrap_or(name);
    let session = ENDINGS.iter().any(|ending| name.ends_with(ending));
    session && !name.starts_with("agent-") && !name.ends_with(".meta.json")
}

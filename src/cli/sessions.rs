//! Sessions on this machine: what other programs have left where they always do.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What was found.
pub(super) struct Found {
    /// The session that was written last.
    pub(super) newest: Option<PathBuf>,
    /// How many there are.
    pub(super) count: usize,
}

/// Looks below Claude Code's folder; its own variable moves that. Folders that cannot be read
/// hold nothing: a first look must not fail over somebody else's files.
pub(super) fn newest() -> Found {
    let folder = std::env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    let folder = folder.or_else(|| std::env::home_dir().map(|home| home.join(".claude")));
    let mut all = Vec::new();
    if let Some(folder) = folder {
        for project in entries(&folder.join("projects")) {
            all.extend(
                entries(&project)
                    .into_iter()
                    .filter_map(|file| Some((modified(&file)?, file))),
            );
        }
    }
    let count = all.len();
    Found {
        newest: all.into_iter().max().map(|(_, file)| file),
        count,
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).into_iter().flatten().flatten();
    read.map(|entry| entry.path()).collect()
}

/// When a session file was last written; `None` for what is none.
fn modified(file: &Path) -> Option<SystemTime> {
    let name = file.file_name()?.to_string_lossy().into_owned();
    let session = name.ends_with(".jsonl") && !name.starts_with("agent-");
    let metadata = std::fs::metadata(file)
        .ok()
        .filter(|m| session && m.is_file() && m.len() > 0)?;
    metadata.modified().ok()
}

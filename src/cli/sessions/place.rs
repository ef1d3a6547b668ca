//! Where programs leave their sessions.

use std::env;
use std::path::{Path, PathBuf};

/// Who writes to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Anybody: a folder whose own files may be turnlane traces.
    Traces,
    /// Claude Code: a folder a project.
    ClaudeCode,
    /// The Codex CLI: a folder a day, and old ones in one folder.
    Codex,
    /// Whoever the user says: everything below it.
    Named,
}

impl Kind {
    /// What the harness is called in a run that was read.
    pub(super) const fn harness(self) -> &'static str {
        match self {
            Self::Traces => "turnlane",
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Named => "",
        }
    }
}

/// A folder to look into.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) folder: PathBuf,
    pub(super) kind: Kind,
}

/// Where sessions are looked for. The programs' own variables move their folders.
pub(super) fn places(named: &[PathBuf]) -> Vec<Place> {
    let place = |folder: PathBuf, kind| Place { folder, kind };
    let mut places = vec![
        place(".".into(), Kind::Traces),
        place("traces".into(), Kind::Traces),
    ];
    if let Some(folder) = below_home("CLAUDE_CONFIG_DIR", ".claude") {
        places.push(place(folder.join("projects"), Kind::ClaudeCode));
    }
    if let Some(folder) = below_home("CODEX_HOME", ".codex") {
        places.push(place(folder.join("sessions"), Kind::Codex));
        places.push(place(folder.join("archived_sessions"), Kind::Codex));
    }
    let named = named.iter().cloned();
    places.extend(named.map(|folder| place(folder, Kind::Named)));
    places
}

fn below_home(variable: &str, name: &str) -> Option<PathBuf> {
    let moved = env::var_os(variable).filter(|path| !path.is_empty());
    let moved = moved.map(PathBuf::from);
    moved.or_else(|| env::home_dir().map(|home| home.join(name)))
}

/// What a session belongs to, as far as its place says.
pub(super) fn project(place: &Place, path: &Path) -> String {
    let name = |path: Option<&Path>| {
        let name = path.and_then(Path::file_name).unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    match place.kind {
        Kind::Traces => {
            let name = name(Some(path));
            let name = name.split(".jsonl").next().unwrap_or_default();
            name.to_owned()
        }
        // The folder's name is the project's path with dashes in it.
        Kind::ClaudeCode => {
            let inside = path.strip_prefix(&place.folder).unwrap_or(path);
            let first = inside.components().next().map(|c| c.as_os_str());
            let first = first.unwrap_or_default().to_string_lossy();
            first.trim_start_matches('-').to_owned()
        }
        Kind::Codex => String::new(),
        Kind::Named => name(path.parent()),
    }
}

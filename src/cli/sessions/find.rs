//! Walks the places where sessions lie. Names and sizes only, but for files that may be anything.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::content::is_trace;
use super::place::{Kind, Place, project};

/// Folders lie no deeper than this in each other.
const DEEPEST: usize = 12;
/// After so many entries somebody pointed at the wrong folder.
const MOST: usize = 200_000;

/// A session's file.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) project: String,
    pub(super) harness: &'static str,
    pub(super) written: SystemTime,
    pub(super) bytes: u64,
}

/// Gives every session of the places to `take`, in no order, each file once, until that says no.
/// False where not everything was looked at. Folders that cannot be read hold nothing: a first
/// look must not fail over somebody else's files.
pub(super) fn find(places: &[Place], take: &mut dyn FnMut(Found) -> bool) -> bool {
    let mut seen = HashSet::new();
    let mut left = MOST;
    for place in places {
        let walk = Walk {
            place,
            root: fs::canonicalize(&place.folder).unwrap_or_default(),
            seen: &mut seen,
            left: &mut left,
        };
        if !walk.all(take) {
            return false;
        }
    }
    true
}

struct Walk<'a> {
    place: &'a Place,
    /// The place without links, for telling files apart.
    root: PathBuf,
    seen: &'a mut HashSet<PathBuf>,
    left: &'a mut usize,
}

impl Walk<'_> {
    fn all(mut self, take: &mut dyn FnMut(Found) -> bool) -> bool {
        let mut open = vec![(self.place.folder.clone(), 0)];
        while let Some((folder, depth)) = open.pop() {
            let mut files = Vec::new();
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let Some(left) = self.left.checked_sub(1) else {
                    return false;
                };
                *self.left = left;
                let name = entry.file_name().to_string_lossy().into_owned();
                // Links are not followed: they may go in circles.
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                if kind.is_dir() {
                    let skip = name == "subagents" || name.starts_with('.');
                    if self.place.kind != Kind::Traces && depth < DEEPEST && !skip {
                        open.push((entry.path(), depth + 1));
                    }
                } else if kind.is_file() && is_session_name(&name) {
                    files.push((name, entry));
                }
            }
            let names: HashSet<String> = files.iter().map(|(name, _)| name.clone()).collect();
            for (name, entry) in files {
                // For a moment a session lies there plain and packed.
                let plain = unpacked(&name);
                let twice = plain != name && names.contains(plain);
                let found = if twice { None } else { self.found(&entry) };
                if found.is_some_and(|found| !take(found)) {
                    return false;
                }
            }
        }
        true
    }

    fn found(&mut self, entry: &fs::DirEntry) -> Option<Found> {
        let path = entry.path();
        let metadata = entry.metadata().ok().filter(|m| m.len() > 0)?;
        let inside = path.strip_prefix(&self.place.folder).ok()?;
        if !self.seen.insert(self.root.join(inside)) {
            return None;
        }
        if self.place.kind == Kind::Traces && !is_trace(&path) {
            return None;
        }
        Some(Found {
            project: project(self.place, &path),
            harness: self.place.kind.harness(),
            written: metadata.modified().ok()?,
            bytes: metadata.len(),
            path: shown(&path),
        })
    }
}

/// A path as a person would type it.
fn shown(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_owned()
}

fn unpacked(name: &str) -> &str {
    let packed = name
        .strip_suffix(".zst")
        .or_else(|| name.strip_suffix(".gz"));
    packed.unwrap_or(name)
}

/// Which files are tried: the content decides what they are. A sub-agent's file is read with its
/// session.
fn is_session_name(name: &str) -> bool {
    unpacked(name).ends_with(".jsonl") && !name.starts_with("agent-")
}

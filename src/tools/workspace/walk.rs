//! Walking a folder through its handle, in a fixed order and within bounds.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::fs::{Dir, DirEntry};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::files::{open_file, permission_bits};
use super::folder::Stop;
use crate::run::ToolError;

/// How the names of our own passing files begin.
pub(super) const OWN_PREFIX: &str = ".turnlane-";
/// A folder with more entries is not walked to its end.
const ENTRY_LIMIT: usize = 200_000;
/// Bytes read of a `.gitignore`.
const IGNORE_LIMIT: u64 = 64 * 1024;

/// What to pass over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pass {
    /// Nothing.
    Nothing,
    /// `target`, `.git` and our own passing files: for copies.
    Output,
    /// Also hidden files and what the `.gitignore` files name: for people and models.
    Hidden,
}

/// What an entry is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Folder,
    File {
        bytes: u64,
        mode: u32,
    },
    Link,
    /// A pipe, a socket, a device.
    Other,
}

/// One entry, named from the folder that was walked.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
}

/// What a walk found, in the order of the paths.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) entries: Vec<Entry>,
    /// Folders and entries that could not be read.
    pub(super) unread: usize,
    /// True where the limit cut the walk.
    pub(super) cut: bool,
}

/// The ignore files in force in a folder, the innermost first.
struct Ignored {
    own: Gitignore,
    outer: Option<Arc<Self>>,
}

impl Ignored {
    fn holds(&self, path: &Path, is_folder: bool) -> bool {
        match self.own.matched(path, is_folder) {
            Match::Ignore(_) => true,
            Match::Whitelist(_) => false,
            Match::None => self
                .outer
                .as_ref()
                .is_some_and(|o| o.holds(path, is_folder)),
        }
    }
}

/// Walks everything below `dir`. Links are named, not followed.
pub(super) fn walk(dir: &Dir, pass: Pass, stop: &Stop) -> Result<Found, ToolError> {
    let mut found = Found::default();
    let mut waiting = VecDeque::from([(PathBuf::new(), None)]);
    while let Some((folder, outer)) = waiting.pop_front() {
        let Ok(open) = open_folder(dir, &folder) else {
            found.unread += 1;
            continue;
        };
        let ignored = match pass {
            Pass::Nothing | Pass::Output => None,
            Pass::Hidden => ignored_in(&open, &folder, outer),
        };
        let Ok(entries) = open.entries() else {
            found.unread += 1;
            continue;
        };
        for entry in entries {
            stop.check()?;
            if found.entries.len() >= ENTRY_LIMIT {
                found.cut = true;
                waiting.clear();
                break;
            }
            let looked = entry.and_then(|entry| look(&entry, &open, &folder));
            let Ok(entry) = looked else {
                found.unread += 1;
                continue;
            };
            if passes(&entry, pass, &open, ignored.as_deref()) {
                continue;
            }
            if matches!(entry.kind, Kind::Folder) {
                waiting.push_back((entry.path.clone(), ignored.clone()));
            }
            found.entries.push(entry);
        }
    }
    found.entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn open_folder(dir: &Dir, folder: &Path) -> io::Result<Dir> {
    if folder.as_os_str().is_empty() {
        dir.try_clone()
    } else {
        dir.open_dir(folder)
    }
}

fn look(entry: &DirEntry, open: &Dir, folder: &Path) -> io::Result<Entry> {
    let name = entry.file_name();
    let found = open.symlink_metadata(&name)?;
    let kind = if found.is_symlink() {
        Kind::Link
    } else if found.is_dir() {
        Kind::Folder
    } else if found.is_file() {
        Kind::File {
            bytes: found.len(),
            mode: permission_bits(&found),
        }
    } else {
        Kind::Other
    };
    Ok(Entry {
        path: folder.join(name),
        kind,
    })
}

fn passes(entry: &Entry, pass: Pass, open: &Dir, ignored: Option<&Ignored>) -> bool {
    let Some(name) = entry.path.file_name().filter(|_| pass >= Pass::Output) else {
        return false;
    };
    let bytes = name.as_encoded_bytes();
    let is_folder = matches!(entry.kind, Kind::Folder);
    if name == ".git" || bytes.starts_with(OWN_PREFIX.as_bytes()) {
        return true;
    }
    // Below the top a `target` may be source; cargo marks the folders it builds in.
    if name == "target" {
        let top = entry.path.components().count() == 1;
        if top || (is_folder && open.symlink_metadata("target/CACHEDIR.TAG").is_ok()) {
            return true;
        }
    }
    pass == Pass::Hidden
        && (bytes.starts_with(b".") || ignored.is_some_and(|i| i.holds(&entry.path, is_folder)))
}

fn ignored_in(open: &Dir, folder: &Path, outer: Option<Arc<Ignored>>) -> Option<Arc<Ignored>> {
    let Ok((file, _)) = open_file(open, Path::new(".gitignore")) else {
        return outer;
    };
    let mut bytes = Vec::new();
    if file.take(IGNORE_LIMIT).read_to_end(&mut bytes).is_err() {
        return outer;
    }
    let root = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let mut builder = GitignoreBuilder::new(root);
    for line in String::from_utf8_lossy(&bytes).lines() {
        // A line that is no glob ignores nothing, as in git.
        let _ = builder.add_line(None, line);
    }
    match builder.build() {
        Ok(own) => Some(Arc::new(Ignored { own, outer })),
        Err(_) => outer,
    }
}

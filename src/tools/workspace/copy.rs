//! Copies of a workspace: a fresh one to run a scenario on, a staged one to try a patch in.

use std::io::{self, Read, Seek};
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File};
use tempfile::TempDir;

use super::files::{create_file, open_file, permission_bits};
use super::folder::{Folder, FolderError, Stop};
use super::output::shown;
use super::walk::{Entry, Kind, Pass, walk};
use crate::run::ToolError;

/// Bytes of a workspace that is copied. A sparse file counts with its full length.
const COPY_LIMIT: u64 = 4 * 1024 * 1024 * 1024;
/// Bytes copied between two looks at whether to stop.
const CHUNK: u64 = 16 * 1024 * 1024;

/// A copy of a workspace in a folder of its own, removed when this value goes.
#[derive(Debug)]
pub struct FreshCopy {
    dir: TempDir,
    /// What was left out, with the reason: links that lead out of the folder, pipes, sockets.
    pub left_out: Vec<String>,
}

impl FreshCopy {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// Copies a workspace folder without `target` and `.git`. Links are not followed: those that
/// stay inside the folder are made again, others are left out.
///
/// # Errors
/// Where the folder cannot be read, is too large, or the copy cannot be written.
pub fn fresh_copy(workspace: &Path) -> Result<FreshCopy, FolderError> {
    let problem = |problem| FolderError {
        path: workspace.to_owned(),
        problem,
    };
    let from = Folder::open(workspace)?;
    let dir = tempfile::Builder::new()
        .prefix("turnlane-")
        .tempdir()
        .map_err(problem)?;
    let to = Dir::open_ambient_dir(dir.path(), ambient_authority()).map_err(problem)?;
    let left_out = mirror(from.dir(), &to, &Stop::never())
        .map_err(|error| problem(io::Error::other(error.to_string())))?;
    Ok(FreshCopy { dir, left_out })
}

/// Makes `to` equal to `from` and tells what it had to leave out.
///
/// A file is written only where its content differs: its time changes exactly when its content
/// does, which is what build tools go by. Nothing is written in place, for a file of the copy
/// may share its content with another.
pub(super) fn mirror(from: &Dir, to: &Dir, stop: &Stop) -> Result<Vec<String>, ToolError> {
    let wanted = walk(from, Pass::Output, stop)?;
    if wanted.cut {
        return Err(ToolError::Failed(
            "the workspace has too many files to copy: name a smaller folder".to_owned(),
        ));
    }
    let bytes = wanted.entries.iter().map(|entry| match entry.kind {
        Kind::File { bytes, .. } => bytes,
        _ => 0,
    });
    if bytes.fold(0, u64::saturating_add) > COPY_LIMIT {
        return Err(ToolError::Failed(format!(
            "the workspace has more than {COPY_LIMIT} bytes to copy: name a smaller folder"
        )));
    }
    clear(to, &wanted.entries, stop)?;
    let mut left_out = Vec::new();
    if wanted.unread > 0 {
        left_out.push(format!("{} entries that cannot be read", wanted.unread));
    }
    for entry in &wanted.entries {
        stop.check()?;
        let copied = match &entry.kind {
            Kind::Folder => to.create_dir(&entry.path).or_else(|error| {
                (error.kind() == io::ErrorKind::AlreadyExists)
                    .then_some(())
                    .ok_or(error)
            }),
            Kind::File { mode, .. } => copy_file(from, to, &entry.path, *mode, stop),
            Kind::Link => match inner_link(from, &entry.path) {
                Some(target) => to.symlink(target, &entry.path),
                None => {
                    left_out.push(format!("{} (a link out of it)", shown(&entry.path)));
                    Ok(())
                }
            },
            Kind::Other => {
                left_out.push(format!("{} (no regular file)", shown(&entry.path)));
                Ok(())
            }
        };
        match copied {
            Ok(()) => {}
            // It went between the walk and the copy, as another tool's passing file does.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let _ = to.remove_file(&entry.path);
            }
            Err(error) => {
                return Err(ToolError::Failed(format!(
                    "{} cannot be copied: {error}",
                    shown(&entry.path)
                )));
            }
        }
    }
    Ok(left_out)
}

/// Removes what is not wanted: entries of other names or other kinds, and every link.
fn clear(to: &Dir, wanted: &[Entry], stop: &Stop) -> Result<(), ToolError> {
    let stale = |entry: &Entry| {
        let same = wanted.binary_search_by(|w| w.path.cmp(&entry.path));
        !same.is_ok_and(|i| {
            matches!(
                (&wanted[i].kind, &entry.kind),
                (Kind::Folder, Kind::Folder) | (Kind::File { .. }, Kind::File { .. })
            )
        })
    };
    for entry in walk(to, Pass::Nothing, stop)?.entries {
        if !stale(&entry) {
            continue;
        }
        stop.check()?;
        let removed = match entry.kind {
            Kind::Folder => to.remove_dir_all(&entry.path),
            _ => to.remove_file(&entry.path),
        };
        match removed {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(ToolError::Failed(format!(
                    "the copy's {} cannot be removed: {error}",
                    shown(&entry.path)
                )));
            }
        }
    }
    Ok(())
}

fn copy_file(from: &Dir, to: &Dir, path: &Path, mode: u32, stop: &Stop) -> io::Result<()> {
    let (mut source, found) = open_file(from, path)?;
    if is_copy(&mut source, to, path, mode).unwrap_or(false) {
        return Ok(());
    }
    match to.remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    source.rewind()?;
    let mut copy = create_file(to, path, Some(mode))?;
    // No more than it had, for it may be growing.
    let mut rest = source.take(found.len());
    while io::copy(&mut rest.by_ref().take(CHUNK), &mut copy)? > 0 {
        if stop.check().is_err() {
            break;
        }
    }
    Ok(())
}

fn is_copy(source: &mut File, to: &Dir, path: &Path, mode: u32) -> io::Result<bool> {
    let (mut copy, found) = open_file(to, path)?;
    if source.metadata()?.len() != found.len() || permission_bits(&found) != mode {
        return Ok(false);
    }
    let (mut left, mut right) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    loop {
        let n = source.read(&mut left)?;
        if n == 0 {
            return Ok(copy.read(&mut right)? == 0);
        }
        copy.read_exact(&mut right[..n])?;
        if left[..n] != right[..n] {
            return Ok(false);
        }
    }
}

/// Where a link leads, if that is inside the folder by its letters alone.
fn inner_link(dir: &Dir, path: &Path) -> Option<PathBuf> {
    let target = dir.read_link_contents(path).ok()?;
    let mut depth = path.components().count().checked_sub(1)?;
    for part in target.components() {
        match part {
            Component::CurDir => {}
            Component::Normal(_) => depth += 1,
            Component::ParentDir => depth = depth.checked_sub(1)?,
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(target)
}

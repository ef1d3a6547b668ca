//! Reading and replacing single files of the workspace.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use cap_std::fs::{Dir, File, Metadata, OpenOptions, OpenOptionsExt, Permissions, PermissionsExt};
use rustix::fs::OFlags;

use super::folder::{Folder, Stop};
use super::place::Place;
use super::walk::OWN_PREFIX;
use crate::run::ToolError;

/// Files above this many bytes are not read: no source file is that long.
pub(super) const FILE_LIMIT: u64 = 16 * 1024 * 1024;

/// A file's content and its permission bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    mode: u32,
}

impl Folder {
    /// A file's content; `None` where there is no such file.
    pub(super) fn read(&self, place: &Place) -> Result<Option<Content>, ToolError> {
        if !self.follow(place)? {
            return Ok(None);
        }
        match open_file(self.dir(), place.path()) {
            Ok((file, found)) => read_whole(file, &found, place).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(place, &error)),
        }
    }

    /// A file's content; the error tells how to find the files that there are.
    pub(super) fn read_existing(&self, place: &Place) -> Result<Content, ToolError> {
        self.read(place)?.ok_or_else(|| {
            ToolError::Failed(format!(
                "{} does not exist: code_list shows the files that do",
                place.as_str()
            ))
        })
    }

    /// Puts `bytes` in place of `seen`, the content that the change was made against.
    ///
    /// The file is replaced as a whole: a reader sees the old or the new one. Where it is no
    /// longer as it was seen, nothing is written.
    pub(super) fn replace(
        &self,
        place: &Place,
        seen: Option<&Content>,
        bytes: &[u8],
        stop: &Stop,
    ) -> Result<(), ToolError> {
        // Comparing and replacing are two steps; the lock makes them one to other tools.
        let _lock = self.lock_commits(stop)?;
        if self.read(place)?.as_ref() != seen {
            return Err(ToolError::Conflict(format!(
                "{} was changed meanwhile: read it again, then patch it again",
                place.as_str()
            )));
        }
        self.write(place, seen, bytes)
            .map_err(|error| failed(place, &error))
    }

    fn write(&self, place: &Place, seen: Option<&Content>, bytes: &[u8]) -> io::Result<()> {
        let parent = match place.parent() {
            None => self.dir().try_clone()?,
            Some(parent) => {
                self.dir().create_dir_all(parent)?;
                self.dir().open_dir(parent)?
            }
        };
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let new = format!("{OWN_PREFIX}{}-{next}.tmp", std::process::id());
        let written = create_file(&parent, Path::new(&new), seen.map(|s| s.mode))
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| parent.rename(&new, &parent, place.name()));
        if written.is_err() {
            let _ = parent.remove_file(&new);
        }
        written
    }

    /// True where the place exists; an error where the way to it leads over a link.
    fn follow(&self, place: &Place) -> Result<bool, ToolError> {
        let mut ends: Vec<usize> = place.as_str().match_indices('/').map(|(i, _)| i).collect();
        ends.push(place.as_str().len());
        for end in ends {
            let part = &place.as_str()[..end];
            match self.dir().symlink_metadata(part) {
                Ok(found) if found.is_symlink() => {
                    let to = self.dir().read_link_contents(part).unwrap_or_default();
                    return Err(ToolError::Failed(format!(
                        "{part} is a symbolic link to {}, and links are not followed: \
                         name the file itself, if it is in the workspace",
                        to.display()
                    )));
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
                Err(error) => return Err(failed(place, &error)),
            }
        }
        Ok(true)
    }
}

/// Opens a regular file for reading, never a link, and without waiting: opening a pipe would
/// block until somebody writes to it.
pub(super) fn open_file(dir: &Dir, path: &Path) -> io::Result<(File, Metadata)> {
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.bits().cast_signed());
    let file = dir.open_with(path, &options)?;
    let found = file.metadata()?;
    if found.is_file() {
        Ok((file, found))
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            if found.is_dir() {
                "it is a folder, not a file"
            } else {
                "it is no regular file"
            },
        ))
    }
}

/// Makes a file that must not exist yet.
pub(super) fn create_file(dir: &Dir, path: &Path, mode: Option<u32>) -> io::Result<File> {
    let file = dir.open_with(path, OpenOptions::new().write(true).create_new(true))?;
    if let Some(mode) = mode {
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    Ok(file)
}

/// Who may read, write and execute a file. The set-id bits are left out: a copy is ours, and must
/// not lend our rights to who runs it.
pub(super) fn permission_bits(found: &Metadata) -> u32 {
    found.permissions().mode() & 0o777
}

fn read_whole(file: File, found: &Metadata, place: &Place) -> Result<Content, ToolError> {
    let mut bytes = Vec::new();
    file.take(FILE_LIMIT + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(place, &error))?;
    if bytes.len() as u64 > FILE_LIMIT {
        return Err(ToolError::Failed(format!(
            "{} has {} bytes: these tools take files of up to {FILE_LIMIT}",
            place.as_str(),
            found.len()
        )));
    }
    Ok(Content {
        bytes,
        mode: permission_bits(found),
    })
}

pub(super) fn failed(place: &Place, error: &io::Error) -> ToolError {
    ToolError::Failed(format!("{}: {error}", place.as_str()))
}

//! The workspace folder, held open: what it is called may come to lead elsewhere, the handle
//! does not.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, MetadataExt};
use tokio_util::sync::CancellationToken;

use crate::run::ToolError;

/// A folder that cannot serve as a workspace.
#[derive(Debug, thiserror::Error)]
#[error("workspace {}: {problem}; name a folder that can be read", path.display())]
pub struct FolderError {
    /// The folder as it was named.
    pub path: PathBuf,
    /// What the system says.
    pub problem: io::Error,
}

/// A workspace. All reads and writes of the tools go through its handle and stay below it.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    dir: Dir,
    id: (u64, u64),
}

impl Folder {
    /// Opens a workspace.
    ///
    /// # Errors
    /// Where it is no folder or cannot be read.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        Self::try_open(path).map_err(|problem| FolderError {
            path: path.to_owned(),
            problem,
        })
    }

    fn try_open(path: &Path) -> io::Result<Self> {
        let root = path.canonicalize()?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority())?;
        let found = dir.dir_metadata()?;
        Ok(Self {
            id: (found.dev(), found.ino()),
            root,
            dir,
        })
    }

    /// Its absolute path, for subprocesses.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub(super) const fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Refuses to go on where the folder's path no longer leads to the folder.
    pub(super) fn check(&self) -> Result<(), ToolError> {
        use std::os::unix::fs::MetadataExt;
        // The root is canonical: a link in its place is a replacement.
        let problem = match std::fs::symlink_metadata(&self.root) {
            Ok(found) if (found.dev(), found.ino()) == self.id => return Ok(()),
            Ok(_) => "another file took its place".to_owned(),
            Err(error) => error.to_string(),
        };
        Err(ToolError::Fatal(format!(
            "the workspace {} is gone: {problem}",
            self.root.display()
        )))
    }
}

/// Triggered when the work is to stop: by a cancel, or because nobody waits for it any more.
pub(super) struct Stop(CancellationToken);

impl Stop {
    pub(super) fn check(&self) -> Result<(), ToolError> {
        if self.0.is_cancelled() {
            Err(ToolError::Cancelled)
        } else {
            Ok(())
        }
    }

    /// One that never stops the work.
    pub(super) fn never() -> Self {
        Self(CancellationToken::new())
    }
}

/// Runs blocking `work` on the folder, off the runtime's own threads. An error of a workspace
/// that is gone is fatal, whatever else it looked like.
pub(super) async fn on_folder<T: Send + 'static>(
    folder: &Arc<Folder>,
    cancel: &CancellationToken,
    work: impl FnOnce(&Folder, &Stop) -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    let token = cancel.child_token();
    // Dropping this future drops the guard, which stops the work: a thread cannot be aborted.
    let _guard = token.clone().drop_guard();
    let folder = Arc::clone(folder);
    let work = tokio::task::spawn_blocking(move || {
        let stop = Stop(token);
        stop.check()?;
        folder.check()?;
        work(&folder, &stop).map_err(|error| match error {
            ToolError::Cancelled => error,
            _ => folder.check().err().unwrap_or(error),
        })
    });
    match work.await {
        Ok(ended) => ended,
        Err(lost) => match lost.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(ToolError::Cancelled),
        },
    }
}

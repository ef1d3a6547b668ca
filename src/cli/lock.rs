//! One writer a trace.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::sync::Arc;

use super::failure::Failure;

/// A trace that nobody else writes to, for as long as a clone of this lives. The system lets go
/// of it whatever happens to the process.
#[derive(Clone)]
pub(super) struct TraceLock {
    _file: Option<Arc<File>>,
}

impl TraceLock {
    /// Locks a trace that exists. On a file system without locks nothing is held.
    pub(super) fn take(path: &Path) -> Result<Self, Failure> {
        let name = path.display();
        let opened = OpenOptions::new().append(true).open(path);
        let file = opened
            .map_err(|error| Failure::Unreadable(format!("{name}: cannot write to it: {error}")))?;
        match file.try_lock() {
            Ok(()) => Ok(Self {
                _file: Some(Arc::new(file)),
            }),
            Err(TryLockError::WouldBlock) => Err(Failure::Unreadable(format!(
                "{name} is being recorded by another process"
            ))),
            Err(TryLockError::Error(_)) => Ok(Self { _file: None }),
        }
    }
}

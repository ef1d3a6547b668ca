//! Where build output goes: `target/turnlane/`, one lane for each command that runs at a time.
//!
//! Cargo locks a build folder while it builds in it. A lane of its own keeps two checks, or a
//! check and a test run, from waiting for each other; lanes persist, so later builds are short.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use rustix::fs::OFlags;

use super::folder::{Folder, Stop};
use crate::run::ToolError;
use crate::tools::Command;

const OUTPUT: [&str; 2] = ["target", "turnlane"];
/// No turn overlaps this many builds.
const LANES: usize = 64;

/// A build folder that nobody else uses while this value lives.
#[derive(Debug)]
pub(super) struct Lane {
    path: PathBuf,
    dir: Dir,
    _lock: File,
}

impl Lane {
    /// Claims the lowest free lane of a kind (`check`, `tests`).
    pub(super) fn claim(folder: &Folder, kind: &str) -> Result<Self, ToolError> {
        Self::try_claim(folder, kind).map_err(no_output)
    }

    fn try_claim(folder: &Folder, kind: &str) -> io::Result<Self> {
        let output = output(folder)?;
        for number in 0..LANES {
            let name = format!("{kind}-{number}");
            let dir = own_folder(&output, &name)?;
            let lock = lock_file(&dir)?;
            match lock.try_lock() {
                Ok(()) => {
                    let mut path = folder.root().to_owned();
                    path.extend(OUTPUT);
                    path.push(name);
                    return Ok(Self {
                        path,
                        dir,
                        _lock: lock,
                    });
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Err(io::Error::other(format!(
            "all {LANES} lanes for {kind} are in use"
        )))
    }

    /// The lane's copy of the workspace, made if there is none.
    pub(super) fn tree(&self) -> Result<Dir, ToolError> {
        own_folder(&self.dir, "tree").map_err(no_output)
    }

    /// Where that copy lies, for subprocesses.
    pub(super) fn tree_path(&self) -> PathBuf {
        self.path.join("tree")
    }

    /// A command that runs in `folder`, builds in this lane and hears nothing of how turnlane
    /// itself was built or run.
    pub(super) fn command(&self, argv: &[String], folder: &Path) -> Result<Command, ToolError> {
        own_folder(&self.dir, "build").map_err(no_output)?;
        Ok(Command::new(argv.to_vec())
            .in_folder(folder)
            .without(sets_the_build)
            .with("CARGO_TARGET_DIR", self.path.join("build")))
    }
}

impl Folder {
    /// Keeps other tools from replacing a file of this workspace.
    ///
    /// It asks again and again: a lock that some process never gives back must not hold a thread
    /// that cannot be stopped.
    pub(super) fn lock_commits(&self, stop: &Stop) -> Result<File, ToolError> {
        let lock = output(self).and_then(|dir| lock_file(&dir));
        let lock = lock.map_err(no_output)?;
        loop {
            stop.check()?;
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
                Err(TryLockError::Error(error)) => return Err(no_output(error)),
            }
        }
    }
}

fn output(folder: &Folder) -> io::Result<Dir> {
    let mut dir = folder.dir().try_clone()?;
    for name in OUTPUT {
        dir = own_folder(&dir, name)?;
    }
    Ok(dir)
}

/// A folder in `dir`, made if there is none. A link is refused: subprocesses get this path, and
/// would write wherever it leads.
fn own_folder(dir: &Dir, name: &str) -> io::Result<Dir> {
    match dir.create_dir(name) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    if dir.symlink_metadata(name)?.is_dir() {
        dir.open_dir(name)
    } else {
        Err(io::Error::other(format!(
            "`{name}` is no folder: remove it"
        )))
    }
}

fn lock_file(dir: &Dir) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW;
    let mut options = OpenOptions::new();
    options
        .read(true)
        .write(true)
        .create(true)
        .custom_flags(flags.bits().cast_signed());
    Ok(dir.open_with("lock", &options)?.into_std())
}

fn sets_the_build(name: &str) -> bool {
    (name.starts_with("CARGO") && name != "CARGO_HOME")
        || matches!(
            name,
            "RUSTFLAGS" | "RUSTDOCFLAGS" | "RUST_BACKTRACE" | "RUST_LIB_BACKTRACE"
        )
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn no_output(error: io::Error) -> ToolError {
    ToolError::Failed(format!(
        "{}/ of the workspace cannot be used: {error}",
        OUTPUT.join("/")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_settings_of_a_build_are_hidden() {
        for name in ["CARGO", "CARGO_TARGET_DIR", "CARGO_PKG_NAME", "RUSTFLAGS"] {
            assert!(sets_the_build(name), "{name}");
        }
        for name in ["CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "PATH"] {
            assert!(!sets_the_build(name), "{name}");
        }
    }
}

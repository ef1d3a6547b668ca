//! What a command can fail with, and the exit code it means.

use std::io;

use crate::text::clean;

/// A command's failure: a message that is safe to show, and an exit code.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Something could not be read, or was asked for wrongly. Exit code 2.
    #[error("{0}")]
    Unreadable(String),
    /// A file holds no session of a known kind. Exit code 2; among the files of a folder it is no
    /// failure.
    #[error("{0}")]
    NoSession(String),
    /// The command ran and its answer is no. Exit code 1.
    #[error("{0}")]
    Failed(String),
    /// Standard output, or the terminal, failed. Exit code 2; a closed pipe is no failure.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// An unreadable input, from any error; its text goes through the sanitiser when printed.
    pub fn unreadable(error: impl std::fmt::Display) -> Self {
        Self::Unreadable(error.to_string())
    }

    pub(super) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(super) const fn code(&self) -> u8 {
        match self {
            Self::Failed(_) => 1,
            Self::Unreadable(_) | Self::NoSession(_) | Self::Output(_) => 2,
        }
    }

    pub(super) fn print(&self) {
        let mut text = String::from("turnlane: ");
        text.push_str(&clean(&self.to_string()));
        text.push('\n');
        // There is nowhere left to say that standard error is gone.
        let _ = io::Write::write_all(&mut io::stderr(), text.as_bytes());
    }
}

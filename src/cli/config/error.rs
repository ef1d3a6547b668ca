//! Why the settings cannot be used.

use std::path::PathBuf;

use crate::tui::theme::Fault;

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum ConfigError {
    /// A file that was named, or that is there, cannot be read.
    #[error("{}: cannot be read: {source}; {hint}", file.display())]
    Unreadable {
        file: PathBuf,
        source: std::io::Error,
        hint: &'static str,
    },
    /// Something in a file is wrong.
    #[error("{}: {fault}. Correct that line; `turnlane config --help` names what can be set", file.display())]
    Wrong { file: PathBuf, fault: Fault },
    /// Something that a flag says is wrong.
    #[error("{0}")]
    Flag(String),
}

//! Why a trace cannot be opened.

use std::path::PathBuf;

/// Why a trace cannot be opened. A bad line is no reason: it is skipped and counted.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be read at all.
    #[error("{}: cannot be read: {source}", file.display())]
    Io {
        /// The file as the caller named it.
        file: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// No line of it is one of a turnlane trace.
    #[error(
        "{}, line {line}: {problem}; this is not a turnlane trace, `turnlane import` opens other formats",
        file.display()
    )]
    NotATrace {
        /// The file as the caller named it.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What stands there instead.
        problem: String,
    },
    /// A later version of the format.
    #[error(
        "{}, line {line}: the trace has version {version}, this turnlane reads version 1: update turnlane",
        file.display()
    )]
    Version {
        /// The file as the caller named it.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The version it states.
        version: u64,
    },
}

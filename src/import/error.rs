//! Why a file cannot be opened.

use std::path::PathBuf;

use super::detect::Format;
use crate::trace::TraceError;

/// What can be opened, for the errors that say so.
const KNOWN: &str = "turnlane opens its own traces and scenarios, Claude Code sessions, Codex CLI rollouts, Gemini CLI \
     chats, OpenHands events, trajectories of SWE-agent, mini-swe-agent and ATIF, results of tau-bench, \
     tau2-bench and BFCL, logs of chat messages, spans (OTLP/JSON, Langfuse, LangSmith, Chrome traces) and logs of Inspect, also \
     compressed with gzip or zstd";

/// Why a file cannot be opened. A bad line is no reason: it is skipped and counted.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file cannot be read at all.
    #[error("{}: cannot be read: {source}", file.display())]
    Io {
        /// The file as the caller named it.
        file: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A folder in the place of a file.
    #[error(
        "{}: is a folder; name one session file in it, or use `turnlane summary` for all of them",
        file.display()
    )]
    Folder {
        /// The folder as the caller named it.
        file: PathBuf,
    },
    /// A turnlane trace that cannot be used.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// A format that is known by its content, but this file holds nothing that can be shown.
    #[error("{}: this is {format}, but {problem}", file.display())]
    Unusable {
        /// The file as the caller named it.
        file: PathBuf,
        /// What it is.
        format: Format,
        /// What is wrong with it.
        problem: String,
    },
    /// Nothing in it is of a known format.
    #[error("{}: {problem}; {KNOWN}", file.display())]
    Unknown {
        /// The file as the caller named it.
        file: PathBuf,
        /// What was found instead.
        problem: String,
    },
}

//! What a summary knows of a file.

use crate::analyze::ThreadSummary;

/// One file's name and what was found in it.
#[derive(Debug)]
pub struct FileSummary {
    /// The file as the caller named it.
    pub file: String,
    /// The policy it was recorded under; empty where unknown.
    pub policy: String,
    /// What the run was for.
    pub task: String,
    /// Its threads, `main` first.
    pub threads: Vec<ThreadSummary>,
}

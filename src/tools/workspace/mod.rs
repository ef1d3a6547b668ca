//! Coding tools on one folder, one file each.
//!
//! - Nothing is read or written outside the folder. Symbolic links are refused, not followed:
//!   a file with two names would have two keys.
//! - A folder that is gone or was replaced is fatal for every tool.
//! - `target` and `.git` are no part of the workspace: no tool lists, reads or patches them, and
//!   a copy leaves them out. Build output goes to `target/turnlane/`.
//! - Answers carry no timing and no chance: the same calls in the same order answer the same.

mod args;
mod code_list;
mod code_patch;
mod code_read;
mod code_search;
mod copy;
mod files;
mod final_answer;
mod folder;
mod lane;
mod output;
mod place;
mod run_tests;
mod walk;

pub use code_list::CodeList;
pub use code_patch::CodePatch;
pub use code_read::CodeRead;
pub use code_search::CodeSearch;
pub use copy::{FreshCopy, fresh_copy};
pub use final_answer::FinalAnswer;
pub use folder::{Folder, FolderError};
pub use run_tests::RunTests;

//! Sessions of Claude Code: JSON lines, one content block a line, with sub-agents in files of
//! their own. The format is not documented; the rules here come from real files.
//!
//! A file goes line by line through `read` (what a line is), `reply` (replies and their calls),
//! `result` (which call a result answers) and `notes` (hooks, progress, background work) into a
//! [`session::Session`]. `agents` finds the files of sub-agents, `assemble` makes the run.

mod agents;
mod assemble;
mod line;
mod notes;
mod outcome;
mod pairs;
mod read;
mod reply;
mod result;
mod session;
mod threads;

use std::io;
use std::path::Path;

use crate::model::Catalog;
use crate::trace::Run;
use crate::trace::input::Input;

/// Reads the session at `path` from `input`, and the files of its sub-agents where it keeps them.
///
/// # Errors
/// Where the session's own file cannot be read. A sub-agent's file that cannot be read is noted
/// among the bad lines.
pub(super) fn read(path: &Path, input: Input, catalog: &Catalog) -> io::Result<Run> {
    let mut session = session::Session::new(catalog);
    session.read_file(path, input, None)?;
    session.threads.choose_main();
    agents::read_all(path, &mut session);
    Ok(session.finish())
}

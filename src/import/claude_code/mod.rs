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
mod read;
mod reply;
mod result;
mod session;
mod threads;

pub(super) use read::read;

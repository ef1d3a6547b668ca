//! `summary`: one file, or all that lie below a folder.

mod command;
mod expand;
mod progress;
mod read;
mod reissued;

pub(super) use command::run;

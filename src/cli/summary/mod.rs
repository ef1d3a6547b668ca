//! `summary`: one file, or all that lie below a folder.

mod command;
mod expand;
mod progress;
mod read;
mod reissued;
mod rows;

pub(super) use command::run;

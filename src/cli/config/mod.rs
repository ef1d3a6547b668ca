//! The settings of the viewer: a TOML file in the XDG place, the environment, flags.
//!
//! A broken file stops the viewer, with line and column. `--plain` and the list of sessions warn
//! and go on with what is built in. Commands that write reports never read it: the same input
//! gives the same bytes on every machine.

mod command;
mod effective;
mod error;
mod file;
mod look;
mod origin;
mod print;

pub(super) use command::run;
pub(super) use effective::{Config, ConfigFlags};

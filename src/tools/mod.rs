//! What the runner can call: stand-ins that take a given time, and subprocesses.
//!
//! - [`StandIns`] answers recorded or scripted calls without running anything;
//! - [`Command`] is one subprocess a call, with a process group of its own.

mod command;
mod stand_in;

pub use command::{Captured, Command, Finished};
pub use stand_in::{Scripted, StandIn, StandIns};

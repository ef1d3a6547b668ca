//! The scheduler: a state machine without IO that walks a plan.
//!
//! The driver tells it what has happened at an instant; it answers with what to do. A driver
//! that sleeps, a heap of virtual times and a test are the same to it.

mod core;
mod io;
mod ready;
mod settle;
mod state;

pub use self::core::Scheduler;
pub use io::{Effect, Input};

//! What the runner can call: stand-ins that take a given time.
//!
//! - [`StandIns`] answers recorded or scripted calls without running anything.

mod stand_in;

pub use stand_in::{Scripted, StandIn, StandIns};

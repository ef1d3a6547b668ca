//! What several test crates share. A crate that uses only a part of it is no mistake.
#![allow(dead_code, unused_imports, unreachable_pub, clippy::unwrap_used)]

pub mod agents;
pub mod bridge;
#[cfg(feature = "tui")]
pub mod listing;
pub mod reference;
#[cfg(feature = "run")]
pub mod runner;
pub mod runs;
#[cfg(feature = "tui")]
pub mod screen;
#[cfg(all(unix, feature = "tui", feature = "run"))]
pub mod terminal;
pub mod turns;

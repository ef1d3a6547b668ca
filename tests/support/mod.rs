//! What several test crates share. A crate that uses only a part of it is no mistake.
#![allow(dead_code, unused_imports, unreachable_pub)]

pub mod reference;
pub mod turns;

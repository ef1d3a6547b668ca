//! A run of a foreign format while it is being read: threads, replies, calls and answers in any
//! order, times as the file's wall clock gives them. [`Draft::finish`] makes the run of it.
//!
//! `rows` and `calls` hold what an importer fills, `effects` asks the catalog what a call touches, `finish`
//! turns wall times into times from the earliest one and puts the rows in order.

mod calls;
mod effects;
mod finish;
mod rows;
#[cfg(test)]
mod tests;

pub(super) use rows::{Answer, CallNo, Draft, NewCall, Parent, ReplyNo, ThreadNo};

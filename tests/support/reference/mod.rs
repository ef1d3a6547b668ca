//! A naive scheduler to hold the real one against. It shares no code with the crate, compares
//! keys as plain text and searches instead of keeping books, so that each rule can be read off.
//!
//! - `calls`: a call, and which keys overlap;
//! - `order`: which calls a policy makes a call wait for;
//! - `timeline`: who starts when, in which slot and why;
//! - `hazards`: which conflicting calls ran over each other.
//!
//! Left out: approvals, deadlines, cancellation, and every way to handle a failure but
//! `independent`, under which a failed call changes no order.

mod calls;
mod hazards;
mod order;
mod timeline;

pub use calls::{Mention, RefCall, conflict, contains, inside, is_tree, overlap};
pub use hazards::{RefHazard, hazards};
pub use order::{Policy, closure, direct, is_barrier};
pub use timeline::{RefCause, RefOutcome, RefRun, run};

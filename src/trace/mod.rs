//! The trace file of version 1, and a recorded run in columns.

mod run;

pub use run::{BodyRef, Call, Meta, Names, ParentCall, Pooled, Run, Skipped, Sym, Thread, Turn};

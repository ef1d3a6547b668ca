//! Many files at once: per harness, model and task, how often replies hold several calls, where
//! the time went, and what overlap would save at most.
//!
//! A file is reduced to [`FileFacts`], a few hundred bytes a reply, before the next one is read;
//! [`Fleet`] adds them up in the order of the files, so that the report does not depend on which
//! was read first.

mod facts;
mod group;
mod report;
mod rows;
mod single_reads;

pub use facts::{FileFacts, PairFacts, PartFacts, ReplyFacts, SavedFacts, ThreadFacts, file_facts};
pub use group::{Agent, Group, GroupKey, Hazard4, PartSum, PolicySum, SingleReads, ToolSum};
pub use report::{Fleet, FleetReport, Owned, Pair};
pub use rows::{CallFacts, CallRow, ReplyRow, call_rows};

//! The trace file of version 1, a recorded run in columns, and the scenario file.
//!
//! [`Writer`] appends lines, [`read`] and the incremental [`Reader`] give a [`Run`], [`Bodies`]
//! loads arguments and answers when someone looks at them. A bad line costs itself; what is
//! skipped is counted in [`Skipped`].

mod arg_names;
mod blank;
mod bodies;
mod columns;
mod error;
pub(crate) mod input;
pub(crate) mod json;
mod known;
pub mod line;
mod line_of;
mod names;
mod read;
mod redeclare;
mod rows;
mod run;
mod save;
mod scenario;
mod side;
mod skipped;
mod words;
mod write;

pub(crate) use rows::count_labels;
pub(crate) use skipped::cut;

pub use arg_names::arg_names;
pub use bodies::Bodies;
pub use error::TraceError;
pub use names::{Names, Sym};
pub use read::{Reader, read, read_bytes, read_from};
pub use redeclare::{Redeclared, redeclare};
pub use run::{BodyRef, Call, KeyOrder, Meta, ParentCall, Pooled, Run, Thread, Turn};
pub use save::save;
pub use scenario::{
    CatalogRef, Scenario, ScenarioCall, ScenarioError, ScenarioTurn, ScriptedApproval,
};
pub use side::{SideFiles, SideFolder};
pub use skipped::Skipped;
pub use words::{Json, Slots, Text};
pub use write::Writer;

//! The trace file of version 1, and a recorded run in columns.

mod run;
mod scenario;

pub use run::{BodyRef, Call, Meta, Names, ParentCall, Pooled, Run, Skipped, Sym, Thread, Turn};
pub use scenario::{
    CatalogRef, Scenario, ScenarioCall, ScenarioError, ScenarioTurn, ScriptedApproval,
};

//! What the runner can call: stand-ins that take a given time, subprocesses, and coding tools
//! on a workspace folder, and a store.
//!
//! - [`StandIns`] answers recorded or scripted calls without running anything;
//! - [`Command`] is one subprocess a call, with a process group of its own;
//! - [`workspace`] reads, searches and patches a folder and never leaves it;
//! - [`store`] keeps invoices and tickets in a database, behind conditional writes;
//! - [`tool_for`] picks among them by a catalog's `x-run`.

mod command;
mod for_catalog;
mod scenario_tool;
mod stand_in;
pub mod store;
pub mod workspace;

pub use command::{Captured, Command, Finished};
pub use for_catalog::{BuildError, tool_for};
pub use scenario_tool::ScenarioTool;
pub use stand_in::StandIns;
pub use workspace::fresh_copy;

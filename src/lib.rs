//! turnlane: see, re-run and judge how the tool calls of an agent's turn execute.
//!
//! A *turn* is one model reply; its tool calls run in *lanes*. The layers, from the bottom up
//! (`tests/layers.rs` keeps the direction):
//!
//! - [`text`] makes foreign text safe to show, [`time`] holds nanoseconds;
//! - [`model`] is plain data: tools, keys, effects, outcomes;
//! - [`schedule`] decides: plans as edges, one scheduler without IO, hazards;
//! - [`simulate`] drives that scheduler in virtual time, `run` drives it on tokio;
//! - `tools` is what can be run, [`trace`] the file, [`import`] the files of others;
//! - [`analyze`] judges, [`chart`] maps time to cells, [`export`] writes reports;
//! - `tui` shows, [`cli`] wires everything to files, clocks and the terminal.
//!
//! Without default features the crate builds without an async runtime and without a terminal.

pub mod analyze;
pub mod chart;
pub mod cli;
pub mod export;
pub mod import;
pub mod model;
#[cfg(feature = "run")]
pub mod run;
pub mod schedule;
pub mod simulate;
pub mod text;
pub mod time;
#[cfg(feature = "run")]
pub mod tools;
pub mod trace;
#[cfg(feature = "tui")]
pub mod tui;

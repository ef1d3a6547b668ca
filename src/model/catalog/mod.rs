//! The catalog: which tools there are, what each declares, and what a call of one touches.
//!
//! Reading goes from `parse` (the four shapes) over `fields` (what an `x-` field may hold),
//! `keyexpr` (key expressions) and `declared` (what the fields mean together) to a [`Catalog`].
//! Asking goes from `resolve` (effects of a call) to `args` (one value out of its arguments).
//! Effects come from the declaration alone: never from the model, a payload or a tool's name.

mod args;
mod declared;
mod error;
mod fields;
mod harness;
mod keyexpr;
mod lint;
mod object;
mod parse;
mod resolve;
mod tools;
mod write;

pub use error::CatalogError;
pub use lint::{Lint, lint};
pub use tools::Catalog;

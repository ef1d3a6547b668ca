//! The search line's little language: which calls of a run a person asks for.
//!
//! Words and filters side by side must all fit; `-` in front of one means not. Case does not
//! matter. `"two words"` is one word.

mod error;
mod matching;
mod parse;
mod term;

pub use error::QueryError;
pub use matching::{CallFacts, Fit, Part};
pub use term::Query;

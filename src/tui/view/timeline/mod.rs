//! The selected turn over time: lanes by call, by key or by slot.

mod calls;
mod groups;
mod note;
mod panel;
mod path;

pub(super) use panel::{draw, label};

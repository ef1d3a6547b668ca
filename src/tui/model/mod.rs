//! The state of the viewer: one file for each thing that can be open or selected.

mod change;
mod facts;
mod overlay;
mod timeline;
mod viewer;

pub use facts::Facts;
pub use overlay::{Detail, Overlay};
pub use viewer::{Model, Panel};

//! The state of the viewer: one file for each thing that can be open or selected.

mod change;
mod facts;
mod follow;
mod moment;
mod overlay;
mod play;
mod race;
mod replays;
mod run_view;
mod timeline;
mod viewer;
mod whole;

pub use facts::Facts;
pub(in crate::tui) use moment::Moment;
pub use overlay::{Detail, Overlay};
pub use play::{Clock, Doing, Player, Speed, Tally, doing, last_moment, moments};
pub use race::{Ahead, Race, ahead, rival};
pub(in crate::tui) use replays::{Measured, Replaying};
pub use viewer::{Model, Panel};
pub(super) use whole::{Shown, ThreadRow, indent};

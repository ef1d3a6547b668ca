//! The state of the viewer: one file for each thing that can be open or selected.

mod assuming;
mod assumptions;
mod change;
mod facts;
mod follow;
mod look;
mod moment;
mod mouse;
mod overlay;
mod play;
mod race;
mod replays;
mod run_view;
mod sessions;
mod timeline;
mod viewer;
mod what_if;
mod whole;

pub(in crate::tui) use assuming::Tool;
pub use assuming::{Assuming, Compare, SaveLine};
pub use assumptions::{Assumptions, Changes};
pub use facts::Facts;
pub use look::Look;
pub(in crate::tui) use moment::Moment;
pub(in crate::tui) use mouse::Drag;
pub use overlay::{Detail, Overlay};
pub use play::{Clock, Doing, Player, Speed, Tally, doing, last_moment, moments};
pub use race::{Ahead, Race, ahead, rival};
pub(in crate::tui) use replays::{Measured, Replaying};
pub(in crate::tui) use sessions::SessionRow;
pub use sessions::{Reading, Session};
pub use viewer::{Model, Panel};
pub use what_if::WhatIf;
pub(super) use whole::{Shown, ThreadRow, indent};

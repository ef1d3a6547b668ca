//! What a message does to the state. No IO, no clock: what only the outside can do leaves as a
//! command.

mod assumptions;
mod blank;
mod compare;
mod copy;
mod detail;
mod dispatch;
mod follow;
mod help;
mod jump;
mod mouse;
mod mouse_run;
mod places;
mod play;
mod race;
mod replay;
mod run;
mod search;
mod sessions;
mod timeline;
mod turns;
mod what_if;

pub(super) use copy::says;
pub use dispatch::{begin, update};

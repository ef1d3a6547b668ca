//! What a message does to the state. No IO, no clock: what only the outside can do leaves as a
//! command.

mod assumptions;
mod compare;
mod detail;
mod dispatch;
mod follow;
mod help;
mod mouse;
mod mouse_run;
mod play;
mod race;
mod replay;
mod run;
mod sessions;
mod timeline;
mod turns;
mod what_if;

pub use dispatch::{begin, update};

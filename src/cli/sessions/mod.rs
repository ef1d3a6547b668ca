//! The sessions on this machine: finding them, reading what a list says of each, listing them.
//! Files are only read, and nothing is started.

mod age;
mod content;
#[cfg(feature = "tui")]
mod desk;
mod find;
mod list;
mod place;
mod read;

#[cfg(feature = "tui")]
pub(super) use desk::Desk;
pub(super) use list::text;
pub(super) use read::Reader;

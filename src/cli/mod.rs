//! The commands: everything below wired to files, clocks and the terminal. One file a command.

mod args;
#[cfg(feature = "run")]
mod args_run;
#[cfg(feature = "tui")]
mod config;
mod demo;
mod dispatch;
mod export;
mod failure;
mod generate;
#[cfg(feature = "run")]
mod journal;
mod load;
#[cfg(feature = "run")]
mod lock;
mod open;
mod output;
mod place;
mod plain;
#[cfg(feature = "run")]
mod record;
#[cfg(feature = "run")]
mod replay;
#[cfg(feature = "run")]
mod resume;
#[cfg(feature = "run")]
mod scripted;
mod sessions;
mod settings;
#[cfg(feature = "run")]
mod stand_ins;
#[cfg(feature = "run")]
mod store;
mod summary;
mod tools;
#[cfg(feature = "tui")]
mod viewer;
#[cfg(all(feature = "run", feature = "tui"))]
mod watch;
mod what_if;

pub use args::{Cli, Command};
pub use dispatch::run;
pub use failure::Failure;

//! The commands: everything below wired to files, clocks and the terminal. One file a command.

mod args;
mod demo;
mod failure;
mod generate;
mod load;
mod open;
mod output;
mod plain;
#[cfg(feature = "run")]
mod journal;
#[cfg(feature = "run")]
mod record;
#[cfg(feature = "run")]
mod replay;
mod sessions;
mod summary;
#[cfg(feature = "tui")]
mod viewer;
mod what_if;

pub use args::{Cli, Command};
pub use failure::Failure;

use clap::Parser as _;

/// Parses the arguments, runs the command and gives the exit code: 0 for success, 1 where a
/// check failed, 2 for what could not be read or was asked for wrongly.
#[must_use]
pub fn run() -> std::process::ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output and are no failure.
            let _ = error.print();
            return if error.use_stderr() { 2.into() } else { 0.into() };
        }
    };
    match dispatch(cli) {
        Ok(()) => 0.into(),
        Err(failure) if failure.is_closed_pipe() => 0.into(),
        Err(failure) => {
            failure.print();
            failure.code().into()
        }
    }
}

fn dispatch(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        None => open::run(&cli.open),
        Some(Command::Demo(args)) => demo::run(&args),
        Some(Command::WhatIf(args)) => what_if::run(&args),
        Some(Command::Summary(args)) => summary::run(&args),
        #[cfg(feature = "run")]
        Some(Command::Record(args)) => record::run(&args),
        #[cfg(feature = "run")]
        Some(Command::Replay(args)) => replay::run(&args),
        Some(Command::Completions(args)) => generate::completions(&args),
        Some(Command::Man(args)) => generate::man(&args),
    }
}

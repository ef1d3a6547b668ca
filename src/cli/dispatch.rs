//! From the arguments to the command and its exit code.

use clap::Parser as _;

use super::args::{Cli, Command};
use super::failure::Failure;
use super::{demo, export, generate, open, summary, tools, what_if};
#[cfg(feature = "run")]
use super::{record, replay};

/// Parses the arguments, runs the command and gives the exit code: 0 for success, 1 where a
/// check failed, 2 for what could not be read or was asked for wrongly.
#[must_use]
pub fn run() -> std::process::ExitCode {
    #[cfg(feature = "run")]
    keep_quiet_about_tools();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output and are no failure.
            let _ = error.print();
            return if error.use_stderr() {
                2.into()
            } else {
                0.into()
            };
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
        Some(Command::Export(args)) => export::run(&args),
        #[cfg(feature = "tui")]
        Some(Command::Config(args)) => super::config::run(&args),
        Some(Command::Tools(args)) => tools::run(&args),
        Some(Command::Completions(args)) => generate::completions(&args),
        Some(Command::Man(args)) => generate::man(&args),
    }
}

/// A tool that panics is that call's answer; its panic message has no place on the screen.
#[cfg(feature = "run")]
fn keep_quiet_about_tools() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !crate::run::in_body() {
            before(info);
        }
    }));
}

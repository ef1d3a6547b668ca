//! Completions and manual pages, made from the command line itself.

use clap::CommandFactory as _;

use super::args::{Cli, CompletionsArgs, ManArgs};
use super::failure::Failure;
use super::output::print;

pub(super) fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "turnlane", &mut bytes);
    print(&String::from_utf8_lossy(&bytes))
}

pub(super) fn man(args: &ManArgs) -> Result<(), Failure> {
    let mut command = Cli::command();
    command.build();
    let page = match &args.command {
        None => command,
        Some(name) => {
            let found = command.find_subcommand(name).cloned();
            found.ok_or_else(|| {
                Failure::Unreadable(format!("no command `{name}`; see turnlane --help"))
            })?
        }
    };
    let mut bytes = Vec::new();
    clap_mangen::Man::new(page).render(&mut bytes)?;
    print(&String::from_utf8_lossy(&bytes))
}

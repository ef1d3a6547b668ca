//! `config`: the settings in force, and where their file is.

use super::effective::{Config, ConfigFlags, path};
use super::print::text;
use crate::cli::args::ConfigArgs;
use crate::cli::failure::Failure;
use crate::cli::output::print;

pub(in crate::cli) fn run(args: &ConfigArgs) -> Result<(), Failure> {
    if args.path {
        let (path, _) = path().ok_or_else(|| {
            Failure::Unreadable(
                "no home folder is known; name a settings file with TURNLANE_CONFIG".to_owned(),
            )
        })?;
        return print(&format!(
            "{}\n",
            crate::text::clean(&path.display().to_string())
        ));
    }
    let flags = ConfigFlags {
        theme: args.theme.as_deref(),
    };
    let config = Config::read(flags).map_err(Failure::unreadable)?;
    print(&text(&config))
}

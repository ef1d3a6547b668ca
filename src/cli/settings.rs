//! What the settings mean for opening something; without the viewer there are none.

use std::path::PathBuf;

#[cfg(feature = "tui")]
use super::config::{Config, ConfigFlags};
#[cfg(feature = "tui")]
use super::failure::Failure;
#[cfg(feature = "tui")]
use super::output::note;
use crate::analyze::WhatIfOptions;
#[cfg(feature = "tui")]
use crate::text::clean;

/// What text needs of the settings.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// What the what-if is asked.
    pub(super) options: WhatIfOptions,
    /// More folders with sessions.
    pub(super) folders: Vec<PathBuf>,
}

/// For the viewer: settings that cannot be used are a failure.
#[cfg(feature = "tui")]
pub(super) fn of_viewer(theme: Option<&str>) -> Result<Config, Failure> {
    Config::read(ConfigFlags { theme }).map_err(Failure::unreadable)
}

/// For text: settings that cannot be used are a warning.
#[cfg(feature = "tui")]
pub(super) fn of_text(theme: Option<&str>) -> Settings {
    match Config::read(ConfigFlags { theme }) {
        Ok(config) => Settings {
            options: config.options(),
            folders: config.folders(),
        },
        Err(error) => {
            let error = error.to_string();
            note(&format!(
                "turnlane: going on without settings: {}",
                clean(&error)
            ));
            Settings::default()
        }
    }
}

/// There are none.
#[cfg(not(feature = "tui"))]
pub(super) fn of_text(_: Option<&str>) -> Settings {
    Settings::default()
}

//! The settings in force: what is built in, the file over it, the environment over that, flags
//! over everything.

use std::env;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;

use super::error::ConfigError;
use super::file::{File, GlyphChoice};
use super::look;
use super::origin::{Origin, Setting};
use crate::analyze::WhatIfOptions;
use crate::schedule::{Policy, Slots};
use crate::tui::keymap::{Action, Keymap};
use crate::tui::theme::{BUNDLED, Fault, Theme, bundled};
use crate::tui::{Look, Skin};

/// The variable that names the settings file.
const VARIABLE: &str = "TURNLANE_CONFIG";
/// What is asked for where nothing else is.
const AUTO: &str = "auto";

/// What the command line says of settings.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::cli) struct ConfigFlags<'a> {
    /// A theme's name or path.
    pub(in crate::cli) theme: Option<&'a str>,
}

/// The settings in force.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Config {
    /// Where the file is, or would be.
    pub(super) path: Option<PathBuf>,
    /// True where it is there.
    pub(super) found: bool,
    pub(super) theme: Setting<String>,
    themed: Theme,
    pub(super) glyphs: Setting<GlyphChoice>,
    pub(in crate::cli) mouse: Setting<bool>,
    pub(super) slots: Setting<Slots>,
    pub(super) policies: Setting<Vec<Policy>>,
    pub(in crate::cli) pager: Setting<String>,
    pub(super) folders: Setting<Vec<String>>,
    /// The actions whose keys the file changes.
    pub(super) changed: Vec<Action>,
    pub(super) keymap: Keymap,
}

impl Config {
    /// The settings in force.
    pub(in crate::cli) fn read(flags: ConfigFlags<'_>) -> Result<Self, ConfigError> {
        let path = path();
        let text = match &path {
            Some((path, named)) => text(path, *named)?,
            None => None,
        };
        let path = path.map(|(path, _)| path);
        let wrong = |fault| ConfigError::Wrong {
            file: path.clone().unwrap_or_default(),
            fault,
        };
        let file = File::parse(text.as_deref().unwrap_or("")).map_err(wrong)?;
        let named = match &file.theme {
            None => None,
            Some((name, place)) => {
                let folder = path.as_deref().and_then(Path::parent);
                let at = |problem: String| {
                    wrong(Fault::at(
                        text.as_deref().unwrap_or(""),
                        place.clone(),
                        problem,
                    ))
                };
                Some(theme(name, folder, &at)?)
            }
        };
        let mut config = Self::over(file, named, flags)?;
        (config.path, config.found) = (path, text.is_some());
        Ok(config)
    }

    /// `named` is the theme that the file names.
    fn over(file: File, named: Option<Theme>, flags: ConfigFlags<'_>) -> Result<Self, ConfigError> {
        let setting = Setting::or_file(AUTO.to_owned(), file.theme.map(|(name, _)| name));
        let plain = if look::is_dumb() {
            Some("TERM")
        } else {
            look::no_colour().then_some("NO_COLOR")
        };
        let setting = match plain {
            Some(name) => setting.or(Some("mono".to_owned()), Origin::Environment(name)),
            None => setting,
        };
        let flag = flags.theme.map(str::to_owned);
        let setting = setting.or(flag, Origin::Flag("--theme"));
        let themed = match (setting.from, named) {
            (Origin::File, Some(theme)) => theme,
            _ => theme(&setting.value, None, &|problem| {
                ConfigError::Flag(format!("--theme: {problem}"))
            })?,
        };
        let ascii = look::is_dumb().then_some(GlyphChoice::Ascii);
        let pager = env::var("PAGER").ok().filter(|pager| !pager.is_empty());
        Ok(Self {
            path: None,
            found: false,
            theme: setting,
            themed,
            glyphs: Setting::or_file(GlyphChoice::Auto, file.glyphs)
                .or(ascii, Origin::Environment("TERM")),
            mouse: Setting::or_file(false, file.mouse),
            slots: Setting::or_file(Slots::default(), file.slots),
            policies: Setting::or_file(Policy::SHOWN.to_vec(), file.policies),
            pager: Setting::or_file("less".to_owned(), file.pager)
                .or(pager, Origin::Environment("PAGER")),
            folders: Setting::or_file(Vec::new(), file.folders),
            changed: file.keys.iter().map(|(action, _)| *action).collect(),
            keymap: file.keymap,
        })
    }

    /// The themes to cycle through, in the colours that the terminal has.
    pub(in crate::cli) fn look(&self) -> Look {
        Look::new(self.themed.clone()).at_depth(look::depth())
    }

    /// The characters to draw with.
    pub(in crate::cli) fn skin(&self) -> Skin {
        match self.glyphs.value {
            GlyphChoice::Ascii => Skin::colour().ascii(),
            GlyphChoice::Auto | GlyphChoice::Unicode => Skin::colour(),
        }
    }

    /// The theme that is drawn with.
    pub(super) fn theme_name(&self) -> &str {
        &self.themed.name
    }

    /// The keys in force.
    pub(in crate::cli) fn keymap(&self) -> Keymap {
        self.keymap.clone()
    }

    /// What the what-if is asked.
    pub(in crate::cli) fn options(&self) -> WhatIfOptions {
        WhatIfOptions {
            slots: self.slots.value,
            policies: self.policies.value.clone(),
            ..WhatIfOptions::default()
        }
    }

    /// More folders with sessions; relative ones are relative to the settings file.
    pub(in crate::cli) fn folders(&self) -> Vec<PathBuf> {
        let folder = self.path.as_deref().and_then(Path::parent);
        let folders = self.folders.value.iter();
        folders.map(|name| expanded(name, folder)).collect()
    }
}

/// Where the settings file is, or would be, and whether somebody named it.
pub(super) fn path() -> Option<(PathBuf, bool)> {
    let named = env::var_os(VARIABLE).filter(|path| !path.is_empty());
    if let Some(path) = named {
        return Some((path.into(), true));
    }
    let base = etcetera::choose_base_strategy().ok()?;
    Some((
        base.config_dir().join("turnlane").join("config.toml"),
        false,
    ))
}

/// The text of the settings file; `None` where there is none and none was named.
fn text(path: &Path, named: bool) -> Result<Option<String>, ConfigError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if !named && error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ConfigError::Unreadable {
            file: path.to_owned(),
            source,
            hint: if named {
                "TURNLANE_CONFIG names it: correct the variable, or unset it"
            } else {
                "correct it, or move it away"
            },
        }),
    }
}

/// A theme by name, or by the path of its file; relative ones are relative to `folder`.
fn theme(
    name: &str,
    folder: Option<&Path>,
    wrong: &dyn Fn(String) -> ConfigError,
) -> Result<Theme, ConfigError> {
    let chosen = match name {
        AUTO if look::is_light() => "light",
        AUTO => "dark",
        name => name,
    };
    if let Some(theme) = bundled(chosen) {
        return Ok(theme);
    }
    if !name.contains('/') && !name.ends_with(".toml") {
        let names: Vec<_> = BUNDLED.iter().map(|(name, _)| *name).collect();
        return Err(wrong(format!(
            "no theme `{name}`; there are auto, {}, and the path of a theme file",
            names.join(", ")
        )));
    }
    let path = expanded(name, folder);
    let text = std::fs::read_to_string(&path).map_err(|source| ConfigError::Unreadable {
        file: path.clone(),
        source,
        hint: "the settings name it as the theme",
    })?;
    Theme::parse(name, &text).map_err(|fault| ConfigError::Wrong { file: path, fault })
}

/// A path with `~` for the home folder.
fn expanded(name: &str, folder: Option<&Path>) -> PathBuf {
    let home = name.strip_prefix("~/").and_then(|rest| {
        let home = env::home_dir()?;
        Some(home.join(rest))
    });
    home.unwrap_or_else(|| folder.map_or_else(|| name.into(), |folder| folder.join(name)))
}

//! A theme from its file.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::bundled::{BUNDLED, bundled};
use super::fault::Fault;
use super::palette::{Palette, style};
use crate::tui::skin::Ink;

/// A palette with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// What it is called: one of [`BUNDLED`], or the path of its file.
    pub name: String,
    /// Its colours.
    pub palette: Palette,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    base: Option<Spanned<String>>,
    ground: Option<Spanned<String>>,
    #[serde(default)]
    inks: BTreeMap<Spanned<String>, Spanned<String>>,
}

impl Theme {
    /// Reads a theme. Inks that it does not name are those of its `base`; without one they have
    /// no style.
    ///
    /// # Errors
    /// Where the text is no TOML, or names an ink, a colour or a base that there is not; the
    /// error says line and column.
    pub fn parse(name: impl Into<String>, text: &str) -> Result<Self, Fault> {
        let file: File = toml::from_str(text).map_err(|error| Fault::of(text, &error))?;
        let mut palette = match &file.base {
            None => Palette::default(),
            Some(base) => bundled(base.get_ref())
                .map(|theme| theme.palette)
                .ok_or_else(|| {
                    let names: Vec<_> = BUNDLED.iter().map(|(name, _)| *name).collect();
                    let problem = format!(
                        "no theme `{}`; there are {}",
                        base.get_ref(),
                        names.join(", ")
                    );
                    Fault::at(text, base.span(), problem)
                })?,
        };
        let read = |words: &Spanned<String>| {
            style(words.get_ref()).map_err(|problem| Fault::at(text, words.span(), problem))
        };
        if let Some(ground) = &file.ground {
            palette.ground = read(ground)?;
        }
        for (name, words) in &file.inks {
            let ink = Ink::ALL
                .into_iter()
                .find(|ink| ink.name() == *name.get_ref());
            let ink = ink.ok_or_else(|| {
                let names: Vec<_> = Ink::ALL.iter().map(|ink| ink.name()).collect();
                let problem = format!(
                    "no ink `{}`; there are {}",
                    name.get_ref(),
                    names.join(", ")
                );
                Fault::at(text, name.span(), problem)
            })?;
            palette = palette.with(ink, read(words)?);
        }
        Ok(Self {
            name: name.into(),
            palette,
        })
    }
}

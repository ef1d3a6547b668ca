//! The settings file: what can stand in it, and what it means.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::{Spanned, Value};

use crate::schedule::{Policy, Slots};
use crate::tui::keymap::{Action, Key, Keymap};
use crate::tui::theme::Fault;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    theme: Option<Spanned<String>>,
    glyphs: Option<Spanned<String>>,
    mouse: Option<bool>,
    slots: Option<Spanned<Value>>,
    policies: Option<Vec<Spanned<String>>>,
    pager: Option<String>,
    #[serde(default)]
    sessions: Places,
    #[serde(default)]
    keys: BTreeMap<Spanned<String>, Vec<Spanned<String>>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Places {
    folders: Option<Vec<String>>,
}

/// Which characters bars and borders are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GlyphChoice {
    /// What the terminal can show.
    Auto,
    /// Blocks and lines.
    Unicode,
    /// ASCII only.
    Ascii,
}

impl GlyphChoice {
    const ALL: [Self; 3] = [Self::Auto, Self::Unicode, Self::Ascii];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Unicode => "unicode",
            Self::Ascii => "ascii",
        }
    }
}

/// What a settings file says; `None` where it says nothing.
#[derive(Debug, Default)]
pub(super) struct File {
    /// A theme's name or path, and where it stands.
    pub(super) theme: Option<(String, Range<usize>)>,
    pub(super) glyphs: Option<GlyphChoice>,
    pub(super) mouse: Option<bool>,
    pub(super) slots: Option<Slots>,
    pub(super) policies: Option<Vec<Policy>>,
    pub(super) pager: Option<String>,
    pub(super) folders: Option<Vec<String>>,
    pub(super) keys: Vec<(Action, Vec<Key>)>,
    pub(super) keymap: Keymap,
}

impl File {
    /// Reads a settings file.
    pub(super) fn parse(text: &str) -> Result<Self, Fault> {
        let read: Text = toml::from_str(text).map_err(|error| Fault::of(text, &error))?;
        let wrong = |range, problem: String| Fault::at(text, range, problem);
        let glyphs = read.glyphs.map(|glyphs| {
            let choice = GlyphChoice::ALL.into_iter();
            let choice = choice.into_iter().find(|c| c.name() == glyphs.get_ref());
            choice.ok_or_else(|| {
                let problem = "glyphs are \"auto\", \"unicode\" or \"ascii\"";
                wrong(glyphs.span(), problem.to_owned())
            })
        });
        let slots = read.slots.map(|slots| {
            let text = match slots.get_ref() {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            text.parse()
                .map_err(|problem: String| wrong(slots.span(), problem))
        });
        let policies = read.policies.map(|names| {
            let policy = |name: Spanned<String>| {
                let policy = name.get_ref().parse::<Policy>();
                policy.map_err(|problem| {
                    wrong(name.span(), format!("`{}` is {problem}", name.get_ref()))
                })
            };
            names.into_iter().map(policy).collect::<Result<Vec<_>, _>>()
        });
        let (keys, keymap) = keys(text, read.keys)?;
        Ok(Self {
            theme: read.theme.map(|t| (t.get_ref().clone(), t.span())),
            glyphs: glyphs.transpose()?,
            mouse: read.mouse,
            slots: slots.transpose()?,
            policies: policies.transpose()?.filter(|list| !list.is_empty()),
            pager: read.pager.filter(|pager| !pager.trim().is_empty()),
            folders: read.sessions.folders,
            keys,
            keymap,
        })
    }
}

type Keys = Vec<(Action, Vec<Key>)>;

/// The table of keys, and the keys in force with it.
fn keys(
    text: &str,
    table: BTreeMap<Spanned<String>, Vec<Spanned<String>>>,
) -> Result<(Keys, Keymap), Fault> {
    let mut keys: Keys = Vec::new();
    let mut places = Vec::new();
    for (name, list) in table {
        let action = Action::named(name.get_ref()).ok_or_else(|| {
            let problem = format!(
                "nothing is called `{}`; `turnlane config` lists what keys can do",
                name.get_ref()
            );
            Fault::at(text, name.span(), problem)
        })?;
        let mut own = Vec::new();
        for key in list {
            let read = key.get_ref().parse::<Key>();
            let read = read.map_err(|problem| Fault::at(text, key.span(), problem))?;
            places.push((action, read, key.span()));
            own.push(read);
        }
        keys.push((action, own));
    }
    let keymap = Keymap::with(&keys).map_err(|conflict| {
        let [changed, other] = conflict.actions;
        let place = places
            .iter()
            .find(|(action, key, _)| *action == changed && *key == conflict.key);
        let range = place.map_or(0..0, |(.., range)| range.clone());
        let problem = format!(
            "`{}` would be both {} and {}; give one of them another key",
            conflict.key.name(),
            changed.name(),
            other.name()
        );
        Fault::at(text, range, problem)
    })?;
    Ok((keys, keymap))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn fault(text: &str) -> String {
        File::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn every_setting_is_read() {
        let text = r#"
            theme = "light"
            glyphs = "ascii"
            mouse = true
            slots = 4
            policies = ["sequential", "graph"]
            pager = "less -R"
            [sessions]
            folders = ["~/traces"]
            [keys]
            next-thread = ["T"]
        "#;
        let file = File::parse(text).unwrap();
        assert_eq!(file.theme.unwrap().0, "light");
        assert_eq!(file.glyphs, Some(GlyphChoice::Ascii));
        assert_eq!(file.mouse, Some(true));
        assert_eq!(file.slots, Slots::limit(4));
        assert_eq!(file.policies, Some(vec![Policy::Sequential, Policy::Graph]));
        assert_eq!(file.pager.as_deref(), Some("less -R"));
        assert_eq!(file.folders, Some(vec!["~/traces".to_owned()]));
        assert_eq!(file.keymap.label(Action::NextThread), "T");
        assert_eq!(
            File::parse("slots = \"unlimited\"").unwrap().slots,
            Some(Slots::Unlimited)
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_line_and_column() {
        for (text, place, words) in [
            ("\nthem = 1\n", "line 2, column 1", "unknown field `them`"),
            ("mouse = 3", "line 1, column 9", "expected a boolean"),
            ("a = = 1", "line 1, column 5", ""),
            ("slots = 0", "line 1, column 9", "0"),
            ("glyphs = \"x\"", "line 1, column 10", "unicode"),
            ("policies = [\"keyd\"]", "line 1, column 13", "keyd"),
            ("[keys]\nzoom = [\"w\"]", "line 2, column 1", "`zoom`"),
            (
                "[keys]\nquit = [\"Q\", \"alt-q\"]",
                "line 2, column 14",
                "`alt-q`",
            ),
            (
                "[keys]\nfit = [\"q\"]",
                "line 2, column 8",
                "both fit and quit",
            ),
            ("[sessions]\nfolder = []", "line 2, column 1", "`folder`"),
        ] {
            let said = fault(text);
            assert!(
                said.starts_with(place) && said.contains(words),
                "{text}: {said}"
            );
        }
    }
}

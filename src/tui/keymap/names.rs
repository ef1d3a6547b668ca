//! Keys and actions by name, as a settings file writes them.

use std::fmt;
use std::str::FromStr;

use crossterm::event::KeyCode;

use super::action::Action;
use super::binding::Key;
use super::table::KEYS;

/// Keys that have a name: what a file calls them, and what the help does.
const NAMED: [(&str, &str, KeyCode); 17] = [
    ("up", "↑", KeyCode::Up),
    ("down", "↓", KeyCode::Down),
    ("left", "←", KeyCode::Left),
    ("right", "→", KeyCode::Right),
    ("page-up", "PgUp", KeyCode::PageUp),
    ("page-down", "PgDn", KeyCode::PageDown),
    ("home", "Home", KeyCode::Home),
    ("end", "End", KeyCode::End),
    ("enter", "Enter", KeyCode::Enter),
    ("esc", "Esc", KeyCode::Esc),
    ("tab", "Tab", KeyCode::Tab),
    ("shift-tab", "Shift-Tab", KeyCode::BackTab),
    ("space", "Space", KeyCode::Char(' ')),
    ("backspace", "Backspace", KeyCode::Backspace),
    ("delete", "Del", KeyCode::Delete),
    ("insert", "Ins", KeyCode::Insert),
    ("minus", "-", KeyCode::Char('-')),
];

impl Action {
    /// What a settings file calls it: `zoom-in`.
    #[must_use]
    pub fn name(self) -> String {
        let mut name = String::new();
        for c in format!("{self:?}").chars() {
            if c.is_ascii_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.push(c.to_ascii_lowercase());
        }
        name
    }

    /// The action of this name, of those that have keys.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut actions = KEYS.iter().map(|binding| binding.action);
        actions.find(|action| action.name() == name)
    }
}

impl FromStr for Key {
    type Err = String;

    /// `w`, `+`, `ctrl-t`, `page-up`, `f2`. Shift is part of the character: `W`.
    fn from_str(name: &str) -> Result<Self, String> {
        let unknown = || {
            format!(
                "no key `{name}`; a key is one character, ctrl- and a letter, f1 to f12, or one of {}",
                NAMED.map(|(name, ..)| name).join(", ")
            )
        };
        let key = |code| Ok(Self { code, ctrl: false });
        if let Some(letter) = name.strip_prefix("ctrl-") {
            let mut chars = letter.chars();
            return match (chars.next(), chars.next()) {
                // Terminals send Ctrl with these as Tab, Enter and Esc.
                (Some('i' | 'm' | '['), None) => Err(format!(
                    "terminals cannot tell `{name}` from tab, enter or esc; take another key"
                )),
                (Some(c), None) if c.is_ascii_lowercase() => Ok(Self {
                    code: KeyCode::Char(c),
                    ctrl: true,
                }),
                _ => Err(unknown()),
            };
        }
        if let Some((.., code)) = NAMED.iter().find(|(named, ..)| *named == name) {
            return key(*code);
        }
        let function = name.strip_prefix('f').and_then(|n| n.parse::<u8>().ok());
        if let Some(n @ 1..=12) = function {
            return key(KeyCode::F(n));
        }
        let mut chars = name.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) if !c.is_control() && !c.is_whitespace() => key(KeyCode::Char(c)),
            _ => Err(unknown()),
        }
    }
}

impl Key {
    /// What a settings file calls it.
    #[must_use]
    pub fn name(self) -> String {
        let named = NAMED.iter().find(|(.., code)| *code == self.code);
        match (self.code, named) {
            (KeyCode::Char(c), _) if self.ctrl => format!("ctrl-{c}"),
            (KeyCode::Char(c), _) if c != ' ' => c.to_string(),
            (KeyCode::F(n), _) => format!("f{n}"),
            (_, Some((name, ..))) => (*name).to_owned(),
            (code, None) => format!("{code:?}").to_lowercase(),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = NAMED.iter().find(|(.., code)| *code == self.code);
        match (self.code, named) {
            (KeyCode::Char(c), _) if self.ctrl => write!(f, "Ctrl-{}", c.to_ascii_uppercase()),
            (_, Some((_, label, _))) => f.write_str(label),
            (KeyCode::Char(c), None) => write!(f, "{c}"),
            (KeyCode::F(n), None) => write!(f, "F{n}"),
            (code, None) => write!(f, "{code:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn every_key_of_the_table_is_read_from_its_own_name() {
        for key in KEYS.iter().flat_map(|binding| binding.keys) {
            assert_eq!(key.name().parse(), Ok(*key), "{}", key.name());
        }
    }

    #[test]
    fn every_action_of_the_table_is_found_by_its_name() {
        for action in KEYS.iter().map(|binding| binding.action) {
            assert_eq!(Action::named(&action.name()), Some(action));
        }
        assert_eq!(Action::ZoomIn.name(), "zoom-in");
        assert_eq!(Action::named("zoom"), None);
    }

    #[test]
    fn what_is_no_key_is_refused_with_what_is_one() {
        for name in ["", "ww", "ctrl-", "ctrl-shift-x", "alt-x", "f13", "f0", " "] {
            let error = name.parse::<Key>().unwrap_err();
            assert!(error.contains("page-up"), "{name}: {error}");
        }
        assert!("ctrl-i".parse::<Key>().unwrap_err().contains("tab"));
    }
}

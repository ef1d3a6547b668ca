//! The table with a user's own keys over it.

use super::action::Action;
use super::binding::{Context, Key};
use super::lookup::{Entry, Keymap};

/// A key that would mean two things in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The key.
    pub key: Key,
    /// What it would mean.
    pub actions: [Action; 2],
}

/// Cells of the column of keys in the help.
const LABEL: usize = 11;

impl Keymap {
    /// The table with other keys for some actions. Where an action has keys in several places,
    /// those that count everywhere and those of text stay: Ctrl-C always quits, Esc always closes.
    ///
    /// # Errors
    /// Where a key would mean two things in one place.
    pub fn with(overrides: &[(Action, Vec<Key>)]) -> Result<Self, Conflict> {
        let mut keymap = Self::default();
        for (action, keys) in overrides {
            if keymap.own_keys(*action) == *keys {
                continue;
            }
            let local = keymap.is_local(*action);
            for entry in keymap.entries_mut() {
                if is_own(entry, *action, local) {
                    entry.keys.clone_from(keys);
                    entry.label = label(keys);
                }
            }
        }
        match conflict(&keymap, overrides) {
            Some(conflict) => Err(conflict),
            None => Ok(keymap),
        }
    }

    /// The keys of an action that can be changed.
    #[must_use]
    pub fn own_keys(&self, action: Action) -> Vec<Key> {
        let local = self.is_local(action);
        let mut keys = Vec::new();
        for entry in self.entries().iter().filter(|e| is_own(e, action, local)) {
            keys.extend(
                entry
                    .keys
                    .iter()
                    .filter(|key| !keys.contains(*key))
                    .copied()
                    .collect::<Vec<_>>(),
            );
        }
        keys
    }

    /// True where an action has keys that count in some places only.
    fn is_local(&self, action: Action) -> bool {
        let mut entries = self.entries().iter();
        entries.any(|e| e.binding.action == action && is_local(e.binding.context))
    }

    /// How the keys of an action are written; empty where it has none.
    #[must_use]
    pub fn label(&self, action: Action) -> &str {
        let entry = self.entries().iter().find(|e| e.binding.action == action);
        entry.map_or("", |entry| &entry.label)
    }
}

const fn is_local(context: Context) -> bool {
    matches!(context, Context::Panels | Context::Overlay)
}

/// Whether the keys of an entry change with those of the action.
fn is_own(entry: &Entry, action: Action, local: bool) -> bool {
    let context = entry.binding.context;
    let own = if local {
        is_local(context)
    } else {
        context == Context::Always
    };
    own && entry.binding.action == action
}

/// As many keys as there is room for.
fn label(keys: &[Key]) -> String {
    let mut label = String::new();
    for key in keys {
        let key = key.to_string();
        let wide = label.chars().count() + key.chars().count();
        if label.is_empty() {
            label = key;
        } else if wide < LABEL {
            label = format!("{label} {key}");
        }
    }
    label
}

/// The first key that two entries share in one place; the action that was changed comes first.
fn conflict(keymap: &Keymap, overrides: &[(Action, Vec<Key>)]) -> Option<Conflict> {
    let changed = |action: Action| overrides.iter().any(|(other, _)| *other == action);
    let entries = keymap.entries();
    for (at, first) in entries.iter().enumerate() {
        for second in &entries[at + 1..] {
            let (a, b) = (first.binding, second.binding);
            if a.action == b.action || !together(a.context, b.context) {
                continue;
            }
            let typed = a.context == Context::Text || b.context == Context::Text;
            let shared = first.keys.iter().find(|key| second.keys.contains(key));
            if let Some(key) = shared.filter(|key| !(typed && key.is_text())) {
                let actions = if changed(a.action) {
                    [a.action, b.action]
                } else {
                    [b.action, a.action]
                };
                return Some(Conflict { key: *key, actions });
            }
        }
    }
    None
}

/// Whether keys of both count in some place.
fn together(a: Context, b: Context) -> bool {
    a == b || a == Context::Always || b == Context::Always
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::super::Mode;
    use super::*;

    fn press(keymap: &Keymap, code: KeyCode, mode: Mode) -> Option<Action> {
        keymap.action(KeyEvent::new(code, KeyModifiers::NONE), mode)
    }

    fn keys(names: &[&str]) -> Vec<Key> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn other_keys_take_the_place_of_those_of_the_table() {
        let keymap = Keymap::with(&[(Action::NextThread, keys(&["T", "f5"]))]).unwrap();
        let panels = |code| press(&keymap, code, Mode::Panels);
        assert_eq!(panels(KeyCode::Char('T')), Some(Action::NextThread));
        assert_eq!(panels(KeyCode::F(5)), Some(Action::NextThread));
        assert_eq!(panels(KeyCode::Char('t')), None);
        assert_eq!(keymap.label(Action::NextThread), "T F5");
    }

    #[test]
    fn a_key_that_another_action_has_is_a_conflict() {
        let conflict = Keymap::with(&[(Action::NextThread, keys(&["q"]))]).unwrap_err();
        assert_eq!(conflict.actions, [Action::NextThread, Action::Quit]);
        let swapped = [
            (Action::NextThread, keys(&["q"])),
            (Action::Quit, keys(&["t"])),
        ];
        assert!(Keymap::with(&swapped).is_ok(), "two keys change places");
    }

    #[test]
    fn the_keys_that_always_help_stay() {
        let others = [
            (Action::Quit, keys(&["f10"])),
            (Action::Close, keys(&["f9"])),
        ];
        let keymap = Keymap::with(&others).unwrap();
        let ctrl_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(keymap.action(ctrl_c, Mode::Text), Some(Action::Quit));
        let overlay = |code| press(&keymap, code, Mode::Overlay);
        assert_eq!(overlay(KeyCode::Esc), Some(Action::Close));
        assert_eq!(overlay(KeyCode::F(9)), Some(Action::Close));
        assert_eq!(overlay(KeyCode::Char('q')), None);
        assert!(Keymap::with(&[(Action::Help, keys(&["ctrl-c"]))]).is_err());
    }

    #[test]
    fn a_label_has_as_many_keys_as_fit() {
        let many = keys(&["page-up", "ctrl-b", "insert", "f7"]);
        let keymap = Keymap::with(&[(Action::PageUp, many)]).unwrap();
        assert_eq!(keymap.label(Action::PageUp), "PgUp Ctrl-B");
    }
}

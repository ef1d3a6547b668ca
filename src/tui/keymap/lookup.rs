//! From an event of the terminal to a message.

use crossterm::event::{Event, KeyEvent, KeyEventKind, KeyModifiers, MouseEventKind};
use tui_input::backend::crossterm::to_input_request;

use super::action::Action;
use super::binding::{Binding, Context, Key};
use super::table::KEYS;
use crate::tui::msg::Msg;

/// What the keys are for at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Nothing lies over the panels.
    Panels,
    /// Something does.
    Overlay,
    /// A line of text is being typed: characters are text.
    Text,
}

/// Which keys do what.
#[derive(Clone, Debug)]
pub struct Keymap {
    entries: Vec<Entry>,
}

/// A line of the table with the keys that are in force for it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The line.
    pub binding: &'static Binding,
    /// Its keys, any of which will do.
    pub keys: Vec<Key>,
    /// How they are written.
    pub label: String,
}

impl Default for Keymap {
    fn default() -> Self {
        let entry = |binding: &'static Binding| Entry {
            binding,
            keys: binding.keys.to_vec(),
            label: binding.label.to_owned(),
        };
        Self {
            entries: KEYS.iter().map(entry).collect(),
        }
    }
}

impl Keymap {
    /// The table, in the order of the help.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn entries_mut(&mut self) -> &mut [Entry] {
        &mut self.entries
    }

    /// What a key asks for; `None` where it means nothing here.
    #[must_use]
    pub fn action(&self, event: KeyEvent, mode: Mode) -> Option<Action> {
        // A key is reported when it goes down and while it repeats; some terminals report its
        // release too, which would count twice.
        if !matches!(event.kind, KeyEventKind::Press | KeyEventKind::Repeat) {
            return None;
        }
        if event
            .modifiers
            .intersects(KeyModifiers::ALT | KeyModifiers::SUPER)
        {
            return None;
        }
        let pressed = Key {
            code: event.code,
            ctrl: event.modifiers.contains(KeyModifiers::CONTROL),
        };
        let typed = mode == Mode::Text && pressed.is_text();
        let here = |context| match context {
            Context::Always => !typed,
            Context::Panels => mode == Mode::Panels,
            Context::Overlay => mode == Mode::Overlay,
            Context::Text => mode == Mode::Text,
        };
        self.entries
            .iter()
            .find(|entry| here(entry.binding.context) && entry.keys.contains(&pressed))
            .map(|entry| entry.binding.action)
    }

    /// An event of the terminal as a message. Pasted text is text or nothing, never a command.
    #[must_use]
    pub fn msg(&self, event: &Event, mode: Mode) -> Option<Msg> {
        match event {
            Event::Key(key) => match self.action(*key, mode) {
                Some(action) => Some(Msg::Do(action)),
                None if mode == Mode::Text => to_input_request(event).map(Msg::Edit),
                None => None,
            },
            Event::Paste(text) if mode == Mode::Text => Some(Msg::Paste(text.clone())),
            Event::Resize(columns, rows) => Some(Msg::Resize(*columns, *rows)),
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Moved => None,
            Event::Mouse(mouse) => Some(Msg::Mouse(*mouse)),
            Event::FocusGained | Event::FocusLost | Event::Paste(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyCode;

    use super::*;

    const PANELS: Mode = Mode::Panels;

    fn action(event: KeyEvent, mode: Mode) -> Option<Action> {
        Keymap::default().action(event, mode)
    }

    fn press(code: KeyCode, modifiers: KeyModifiers, kind: KeyEventKind) -> KeyEvent {
        KeyEvent::new_with_kind(code, modifiers, kind)
    }

    #[test]
    fn a_key_counts_when_pressed_and_while_held_but_not_when_let_go() {
        let j = |kind| action(press(KeyCode::Char('j'), KeyModifiers::NONE, kind), PANELS);
        assert_eq!(j(KeyEventKind::Press), Some(Action::Down));
        assert_eq!(j(KeyEventKind::Repeat), Some(Action::Down));
        assert_eq!(j(KeyEventKind::Release), None);
    }

    #[test]
    fn q_closes_an_overlay_and_quits_from_the_panels() {
        let q = press(KeyCode::Char('q'), KeyModifiers::NONE, KeyEventKind::Press);
        assert_eq!(action(q, Mode::Overlay), Some(Action::Close));
        assert_eq!(action(q, PANELS), Some(Action::Quit));
        let c = press(
            KeyCode::Char('c'),
            KeyModifiers::CONTROL,
            KeyEventKind::Press,
        );
        assert_eq!(action(c, Mode::Overlay), Some(Action::Quit));
    }

    #[test]
    fn no_key_means_two_things_in_one_place() {
        for here in [Context::Panels, Context::Overlay, Context::Text] {
            let mut seen: Vec<Key> = Vec::new();
            let counts = |b: &&Binding| b.context == here || b.context == Context::Always;
            for key in KEYS.iter().filter(counts).flat_map(|b| b.keys) {
                let typed = here == Context::Text && key.is_text();
                assert!(typed || !seen.contains(key), "{here:?} {key:?}");
                seen.push(*key);
            }
        }
    }

    #[test]
    fn shifted_letters_are_found_with_and_without_the_shift_flag() {
        for modifiers in [KeyModifiers::NONE, KeyModifiers::SHIFT] {
            let g = press(KeyCode::Char('G'), modifiers, KeyEventKind::Press);
            assert_eq!(action(g, PANELS), Some(Action::Last));
        }
    }

    #[test]
    fn pasted_text_is_no_command() {
        let paste = Event::Paste("qqq".into());
        let keys = Keymap::default();
        assert!(keys.msg(&paste, Mode::Panels).is_none());
        assert!(keys.msg(&paste, Mode::Overlay).is_none());
        assert!(matches!(keys.msg(&paste, Mode::Text), Some(Msg::Paste(text)) if text == "qqq"));
    }

    #[test]
    fn what_is_typed_into_a_line_is_text_and_control_c_still_quits() {
        let q = press(KeyCode::Char('q'), KeyModifiers::NONE, KeyEventKind::Press);
        assert_eq!(action(q, Mode::Text), None);
        let typed = Keymap::default().msg(&Event::Key(q), Mode::Text);
        assert!(matches!(typed, Some(Msg::Edit(_))), "{typed:?}");
        let c = press(
            KeyCode::Char('c'),
            KeyModifiers::CONTROL,
            KeyEventKind::Press,
        );
        assert_eq!(action(c, Mode::Text), Some(Action::Quit));
    }

    #[test]
    fn the_help_fits_in_two_columns_of_a_hundred_and_twenty() {
        for binding in KEYS {
            assert!(binding.help.len() <= 44, "{}", binding.help);
            assert!(binding.label.chars().count() <= 11, "{}", binding.label);
        }
    }

    #[test]
    fn the_readme_table_has_every_key() {
        assert_eq!(super::super::markdown().lines().count(), KEYS.len() + 2);
    }
}

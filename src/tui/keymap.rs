//! Every key, once: the help overlay, the README and the program read the same table.

use std::fmt::Write as _;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::msg::Msg;

/// What a key can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the table below says what each one does")]
pub enum Action {
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    NextPanel,
    PreviousPanel,
    NextSeveral,
    PreviousSeveral,
    NextThread,
    Open,
    Close,
    WhatIf,
    NextPolicy,
    PreviousPolicy,
    ZoomIn,
    ZoomOut,
    PanLeft,
    PanRight,
    Fit,
    Help,
    Redraw,
    Suspend,
    Quit,
}

/// Where a key counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// Everywhere.
    Always,
    /// While no overlay is open.
    Panels,
    /// In an overlay.
    Overlay,
}

/// A heading of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Moving the selection.
    Move,
    /// What is shown.
    Show,
    /// The time axis.
    Time,
    /// The program itself.
    Program,
}

impl Group {
    /// Every group, in the order of the help.
    pub const ALL: [Self; 4] = [Self::Move, Self::Show, Self::Time, Self::Program];

    /// The heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Show => "Show",
            Self::Time => "Time axis",
            Self::Program => "Program",
        }
    }
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// The keys, any of which will do.
    pub keys: &'static [Key],
    /// How they are written in the help.
    pub label: &'static str,
    /// What they ask for.
    pub action: Action,
    /// What that does.
    pub help: &'static str,
    /// Where they count.
    pub context: Context,
    /// The heading they stand under.
    pub group: Group,
}

/// A key with or without Ctrl. Shift is part of the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The key.
    pub code: KeyCode,
    /// True where Ctrl has to be held.
    pub ctrl: bool,
}

const fn key(code: KeyCode) -> Key {
    Key { code, ctrl: false }
}

const fn chr(c: char) -> Key {
    key(KeyCode::Char(c))
}

const fn ctrl(c: char) -> Key {
    Key {
        code: KeyCode::Char(c),
        ctrl: true,
    }
}

const fn bind(
    group: Group,
    context: Context,
    keys: &'static [Key],
    label: &'static str,
    action: Action,
    help: &'static str,
) -> Binding {
    Binding {
        keys,
        label,
        action,
        help,
        context,
        group,
    }
}

use Context::{Always, Overlay, Panels};
use Group::{Move, Program, Show, Time};

/// The table.
#[rustfmt::skip]
pub const KEYS: &[Binding] = &[
    bind(Move, Always, &[key(KeyCode::Up), chr('k')], "↑ k", Action::Up, "one up: a turn, a call or a policy"),
    bind(Move, Always, &[key(KeyCode::Down), chr('j')], "↓ j", Action::Down, "one down"),
    bind(Move, Always, &[key(KeyCode::PageUp), ctrl('b')], "PgUp", Action::PageUp, "a page up"),
    bind(Move, Always, &[key(KeyCode::PageDown), ctrl('f'), chr(' ')], "PgDn", Action::PageDown, "a page down"),
    bind(Move, Always, &[key(KeyCode::Home), chr('g')], "Home g", Action::First, "to the first"),
    bind(Move, Always, &[key(KeyCode::End), chr('G')], "End G", Action::Last, "to the last"),
    bind(Move, Panels, &[key(KeyCode::Tab)], "Tab", Action::NextPanel, "to the next panel"),
    bind(Move, Panels, &[key(KeyCode::BackTab)], "Shift-Tab", Action::PreviousPanel, "to the panel before"),
    bind(Move, Panels, &[chr('n')], "n", Action::NextSeveral, "to the next reply with several calls"),
    bind(Move, Panels, &[chr('N')], "N", Action::PreviousSeveral, "to the one before"),
    bind(Move, Panels, &[chr('t')], "t", Action::NextThread, "to the next thread"),
    bind(Show, Panels, &[key(KeyCode::Enter)], "Enter", Action::Open, "the call in full: arguments, answer, cause"),
    bind(Show, Panels, &[chr('w')], "w", Action::WhatIf, "the what-if, or hide it"),
    bind(Show, Panels, &[chr('p')], "p", Action::NextPolicy, "the next policy's schedule, as predicted"),
    bind(Show, Panels, &[chr('P')], "P", Action::PreviousPolicy, "the policy before"),
    bind(Show, Panels, &[chr('?'), key(KeyCode::F(1))], "?", Action::Help, "these keys"),
    bind(Show, Overlay, &[key(KeyCode::Enter), chr('?'), chr('q')], "Enter q", Action::Close, "close what is open"),
    bind(Show, Always, &[key(KeyCode::Esc)], "Esc", Action::Close, "close this; back to the recording"),
    bind(Time, Panels, &[chr('+'), chr('=')], "+", Action::ZoomIn, "closer, about the selected call"),
    bind(Time, Panels, &[chr('-')], "-", Action::ZoomOut, "further away"),
    bind(Time, Panels, &[key(KeyCode::Left), chr('h')], "← h", Action::PanLeft, "to earlier times"),
    bind(Time, Panels, &[key(KeyCode::Right), chr('l')], "→ l", Action::PanRight, "to later times"),
    bind(Time, Panels, &[chr('0')], "0", Action::Fit, "the whole turn"),
    bind(Program, Panels, &[chr('q')], "q", Action::Quit, "quit"),
    bind(Program, Always, &[ctrl('c')], "Ctrl-C", Action::Quit, "quit from anywhere"),
    bind(Program, Always, &[ctrl('z')], "Ctrl-Z", Action::Suspend, "back to the shell; `fg` returns"),
    bind(Program, Always, &[ctrl('l')], "Ctrl-L", Action::Redraw, "draw everything anew"),
];

/// What a key asks for; `None` where it means nothing here.
#[must_use]
pub fn action(event: KeyEvent, overlay: bool) -> Option<Action> {
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
    let here = |context| match context {
        Always => true,
        Panels => !overlay,
        Overlay => overlay,
    };
    KEYS.iter()
        .find(|binding| here(binding.context) && binding.keys.contains(&pressed))
        .map(|binding| binding.action)
}

/// An event of the terminal as a message. Pasted text is no command, and the mouse is off.
#[must_use]
pub fn msg(event: &Event, overlay: bool) -> Option<Msg> {
    match event {
        Event::Key(key) => action(*key, overlay).map(Msg::Do),
        Event::Resize(columns, rows) => Some(Msg::Resize(*columns, *rows)),
        Event::FocusGained | Event::FocusLost | Event::Mouse(_) | Event::Paste(_) => None,
    }
}

/// The table as Markdown, for the README.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::from("| key | does |\n|---|---|\n");
    for group in Group::ALL {
        for binding in KEYS.iter().filter(|binding| binding.group == group) {
            let keys: Vec<_> = binding.label.split(' ').map(|k| format!("`{k}`")).collect();
            // Writing to a string does not fail.
            let _ = writeln!(out, "| {} | {} |", keys.join(" "), binding.help);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, modifiers: KeyModifiers, kind: KeyEventKind) -> KeyEvent {
        KeyEvent::new_with_kind(code, modifiers, kind)
    }

    #[test]
    fn a_key_counts_when_pressed_and_while_held_but_not_when_let_go() {
        let j = |kind| action(press(KeyCode::Char('j'), KeyModifiers::NONE, kind), false);
        assert_eq!(j(KeyEventKind::Press), Some(Action::Down));
        assert_eq!(j(KeyEventKind::Repeat), Some(Action::Down));
        assert_eq!(j(KeyEventKind::Release), None);
    }

    #[test]
    fn q_closes_an_overlay_and_quits_from_the_panels() {
        let q = press(KeyCode::Char('q'), KeyModifiers::NONE, KeyEventKind::Press);
        assert_eq!(action(q, true), Some(Action::Close));
        assert_eq!(action(q, false), Some(Action::Quit));
        let c = press(
            KeyCode::Char('c'),
            KeyModifiers::CONTROL,
            KeyEventKind::Press,
        );
        assert_eq!(action(c, true), Some(Action::Quit));
    }

    #[test]
    fn no_key_means_two_things_in_one_place() {
        for overlay in [false, true] {
            let mut seen: Vec<Key> = Vec::new();
            let hidden = if overlay { Panels } else { Overlay };
            for binding in KEYS.iter().filter(|b| b.context != hidden) {
                for key in binding.keys {
                    assert!(!seen.contains(key), "{key:?}");
                    seen.push(*key);
                }
            }
        }
    }

    #[test]
    fn shifted_letters_are_found_with_and_without_the_shift_flag() {
        for modifiers in [KeyModifiers::NONE, KeyModifiers::SHIFT] {
            let g = press(KeyCode::Char('G'), modifiers, KeyEventKind::Press);
            assert_eq!(action(g, false), Some(Action::Last));
        }
    }

    #[test]
    fn pasted_text_is_no_command() {
        assert_eq!(msg(&Event::Paste("qqq".into()), false), None);
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
        assert_eq!(markdown().lines().count(), KEYS.len() + 2);
    }
}

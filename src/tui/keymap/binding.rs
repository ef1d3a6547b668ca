//! One line of the table of keys.

use crossterm::event::KeyCode;

use super::action::Action;

/// Where a key counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// Everywhere.
    Always,
    /// While no overlay is open.
    Panels,
    /// In an overlay.
    Overlay,
    /// While a line of text is being typed.
    Text,
}

/// A heading of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Moving the selection.
    Move,
    /// Finding places and going there.
    Find,
    /// What is shown.
    Show,
    /// The time axis.
    Time,
    /// Playing, racing, replaying.
    Play,
    /// The program itself.
    Program,
}

impl Group {
    /// Every group, in the order of the help.
    pub const ALL: [Self; 6] = [
        Self::Move,
        Self::Find,
        Self::Show,
        Self::Time,
        Self::Play,
        Self::Program,
    ];

    /// The heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Find => "Find",
            Self::Show => "Show",
            Self::Time => "Time axis",
            Self::Play => "Play",
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

impl Key {
    /// True for a key that puts a character into a line of text.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self.code, KeyCode::Char(_)) && !self.ctrl
    }
}

//! What things look like. Meaning is in glyphs and words; a style only helps.

use ratatui::style::Style;

use super::theme::{Palette, bundled};
use crate::chart::{Glyphs, Role};

/// What a piece of the screen is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Ordinary text.
    Text,
    /// Text of less weight: axes, hints, what is the same everywhere.
    Dim,
    /// Lines around panels.
    Border,
    /// A panel's title.
    Title,
    /// The title of the panel that has the keys.
    Focus,
    /// The selected row.
    Selected,
    /// A heading, a figure that matters.
    Strong,
    /// A running body.
    Run,
    /// Waiting.
    Wait,
    /// A failure.
    Failed,
    /// What was given up and still ran.
    Late,
    /// What has no known end.
    Open,
    /// The chain of causes of the selected call.
    Path,
    /// A hazard.
    Hazard,
    /// A saving.
    Good,
    /// A figure that was computed, not observed.
    Predicted,
}

impl Ink {
    /// Every ink.
    pub const ALL: [Self; 16] = [
        Self::Text,
        Self::Dim,
        Self::Border,
        Self::Title,
        Self::Focus,
        Self::Selected,
        Self::Strong,
        Self::Run,
        Self::Wait,
        Self::Failed,
        Self::Late,
        Self::Open,
        Self::Path,
        Self::Hazard,
        Self::Good,
        Self::Predicted,
    ];

    /// What a theme calls it.
    #[must_use]
    pub fn name(self) -> String {
        format!("{self:?}").to_ascii_lowercase()
    }
}

/// Styles and characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skin {
    /// The styles.
    pub palette: Palette,
    /// The characters of bars and borders.
    pub glyphs: Glyphs,
}

impl Skin {
    /// Colours of the terminal's own palette; text and ground stay what they are.
    #[must_use]
    pub fn colour() -> Self {
        Self::of("dark")
    }

    /// No colours: bold, dim, italic and reversed only.
    #[must_use]
    pub fn mono() -> Self {
        Self::of("mono")
    }

    fn of(theme: &str) -> Self {
        Self {
            palette: bundled(theme).map_or_else(Palette::default, |theme| theme.palette),
            glyphs: Glyphs::Blocks,
        }
    }

    /// The same with ASCII characters only.
    #[must_use]
    pub const fn ascii(self) -> Self {
        Self {
            glyphs: Glyphs::Ascii,
            ..self
        }
    }

    /// True for ASCII only.
    #[must_use]
    pub const fn is_ascii(self) -> bool {
        matches!(self.glyphs, Glyphs::Ascii)
    }

    /// The style of a piece.
    #[must_use]
    pub fn style(self, ink: Ink) -> Style {
        self.palette.style(ink)
    }

    /// The ink of a bar.
    #[must_use]
    pub const fn bar(role: Role) -> Ink {
        match role {
            Role::Empty => Ink::Text,
            Role::Wait => Ink::Wait,
            Role::Run | Role::Bound => Ink::Run,
            Role::Failed => Ink::Failed,
            Role::Late => Ink::Late,
            Role::Open | Role::Unknown => Ink::Open,
        }
    }

    /// A sign, or what stands for it in ASCII.
    #[must_use]
    pub const fn sign(self, sign: Sign) -> &'static str {
        match (sign, self.glyphs) {
            (Sign::Here, Glyphs::Blocks) => "▶",
            (Sign::Here, Glyphs::Ascii) => ">",
            (Sign::Bad, Glyphs::Blocks) => "✗",
            (Sign::Bad, Glyphs::Ascii) => "x",
            (Sign::Minus, Glyphs::Blocks) => "−",
            (Sign::Minus, Glyphs::Ascii) => "-",
            (Sign::Dot, Glyphs::Blocks) => "·",
            (Sign::Dot, Glyphs::Ascii) => "-",
            (Sign::Arrow, Glyphs::Blocks) => "→",
            (Sign::Arrow, Glyphs::Ascii) => "->",
            (Sign::Back, Glyphs::Blocks) => "←",
            (Sign::Back, Glyphs::Ascii) => "<-",
            (Sign::Chain, Glyphs::Blocks) => "•",
            (Sign::Chain, Glyphs::Ascii) => "*",
            (Sign::Several, Glyphs::Blocks) => "≡",
            (Sign::Several, Glyphs::Ascii) => "%",
            (Sign::Mark, Glyphs::Blocks) => "◆",
            (Sign::Mark, Glyphs::Ascii) => "#",
            (Sign::Match, Glyphs::Blocks) => "»",
            (Sign::Match, Glyphs::Ascii) => "/",
            (Sign::AtMost, Glyphs::Blocks) => "≤ ",
            (Sign::AtMost, Glyphs::Ascii) => "<=",
            (Sign::Now, Glyphs::Blocks) => "▼",
            (Sign::Now, Glyphs::Ascii) => "v",
            (Sign::Play, Glyphs::Blocks) => "▶",
            (Sign::Play, Glyphs::Ascii) => ">",
            (Sign::Pause, Glyphs::Blocks) => "❚❚",
            (Sign::Pause, Glyphs::Ascii) => "||",
        }
    }
}

/// A sign that needs a stand-in in ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The selected row.
    Here,
    /// A failure, a hazard.
    Bad,
    /// The sign of a negative number.
    Minus,
    /// Between two facts.
    Dot,
    /// From one call to another.
    Arrow,
    /// From a call back to what it waited for.
    Back,
    /// A call that held the selected one back.
    Chain,
    /// Several calls in one cell.
    Several,
    /// What the user marked.
    Mark,
    /// What matches the search.
    Match,
    /// Before an upper bound.
    AtMost,
    /// Over the time of a clock.
    Now,
    /// A clock that goes, a body that runs.
    Play,
    /// A clock that stands.
    Pause,
}

//! One call in full.

use std::collections::BTreeSet;

use crate::tui::msg::Body;
use crate::tui::skin::Ink;

/// One call in full, as lines for the width of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// The call's place in its turn.
    pub(in crate::tui) call: usize,
    /// Its arguments; `None` until they are loaded.
    pub(in crate::tui) args: Option<Result<Body, String>>,
    /// Its answer; `None` until it is loaded.
    pub(in crate::tui) answer: Option<Result<Body, String>>,
    /// How the bodies are shown; `None` for what fits them best.
    pub(in crate::tui) form: Option<Form>,
    /// The forms that there are, in the order of the key that goes through them.
    pub(in crate::tui) forms: Vec<Form>,
    /// What is folded.
    pub(in crate::tui) folded: BTreeSet<Fold>,
    /// What folding everything folds.
    pub(in crate::tui) folds: Vec<Fold>,
    /// The text, wrapped once.
    pub(in crate::tui) lines: Vec<Line>,
    /// The line with the cursor.
    pub(in crate::tui) at: usize,
    /// First visible line.
    pub(in crate::tui) top: usize,
}

/// How bodies are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Form {
    /// What an edit takes away and puts there.
    Diff,
    /// JSON with line breaks.
    Pretty,
    /// As it stands in the file.
    Raw,
}

impl Form {
    /// What it is called.
    pub(in crate::tui) const fn name(self) -> &'static str {
        match self {
            Self::Diff => "diff",
            Self::Pretty => "pretty",
            Self::Raw => "raw",
        }
    }
}

/// A part of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tui) enum Section {
    /// What there is to say beside the bodies.
    #[default]
    Head,
    /// The arguments.
    Args,
    /// The answer.
    Answer,
}

/// Something that can be folded: a body, or a block that starts in one of its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tui) struct Fold {
    pub(in crate::tui) section: Section,
    /// The line of the body before wrapping; `None` for all of it.
    pub(in crate::tui) line: Option<usize>,
}

/// A line on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::tui) struct Line {
    pub(in crate::tui) ink: Ink,
    pub(in crate::tui) text: String,
    pub(in crate::tui) section: Section,
    /// What folds here: what starts in this line, else what is around it.
    pub(in crate::tui) fold: Option<Fold>,
}

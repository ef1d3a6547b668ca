//! The overlays of the what-if: assumptions being edited, and two schedules compared.

use tui_input::Input;

use crate::tui::compare::Line;
use crate::tui::report::Drawn;

/// Assumptions being edited: the slots, the failure mode, then the tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assuming {
    /// The tools of the run, those of the selected turn first, then the most called.
    pub(in crate::tui) tools: Vec<Tool>,
    /// The selected row.
    pub(in crate::tui) at: usize,
    /// The first visible tool.
    pub(in crate::tui) top: usize,
    /// The path that is being typed.
    pub(in crate::tui) line: Option<SaveLine>,
    /// What came of the last thing that was asked for.
    pub(in crate::tui) said: Option<String>,
}

impl Assuming {
    /// Rows before the first tool.
    pub(in crate::tui) const SWITCHES: usize = 2;

    /// How many rows can be selected.
    pub(in crate::tui) const fn rows(&self) -> usize {
        Self::SWITCHES + self.tools.len()
    }

    /// The path that is being typed.
    #[must_use]
    pub const fn line(&self) -> Option<&SaveLine> {
        self.line.as_ref()
    }
}

/// A tool of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::tui) struct Tool {
    /// Its name, as in the file.
    pub(in crate::tui) name: String,
    /// Its calls in the whole run.
    pub(in crate::tui) calls: usize,
    /// What the file says that it touches, in words.
    pub(in crate::tui) by_file: String,
}

/// A path that is being typed.
#[derive(Clone, Debug, Default)]
pub struct SaveLine {
    pub(in crate::tui) input: Input,
    /// True once the user has been told that there is a file of this name.
    pub(in crate::tui) replace: bool,
}

impl SaveLine {
    /// What was typed so far.
    #[must_use]
    pub fn text(&self) -> &str {
        self.input.value()
    }
}

impl PartialEq for SaveLine {
    fn eq(&self, other: &Self) -> bool {
        let place = |line: &Self| (line.input.cursor(), line.replace);
        self.text() == other.text() && place(self) == place(other)
    }
}

impl Eq for SaveLine {}

/// Two schedules of the selected turn, call by call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compare {
    /// The marked schedule, and the one that is held against it.
    pub(in crate::tui) sides: [Drawn; 2],
    /// What there is to say, and where the bars stand.
    pub(in crate::tui) lines: Vec<Line>,
    /// First visible line.
    pub(in crate::tui) top: usize,
}

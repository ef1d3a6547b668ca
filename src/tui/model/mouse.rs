//! What the mouse is doing.

use super::viewer::Model;

/// What the mouse is doing. Off, the terminal has it: text can be selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tui) struct Mouse {
    /// True where the viewer gets it.
    pub(in crate::tui) on: bool,
    /// The part of the time axis that is being dragged over.
    pub(in crate::tui) drag: Option<Drag>,
}

/// A part of the time axis, in cells of the bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) struct Drag {
    /// Where the button went down.
    pub(in crate::tui) from: u16,
    /// Where the pointer is.
    pub(in crate::tui) to: u16,
}

impl Drag {
    /// First and last cell; `None` for a press that went nowhere.
    pub(in crate::tui) fn cells(self) -> Option<(u16, u16)> {
        let (from, to) = (self.from.min(self.to), self.from.max(self.to));
        (to > from).then_some((from, to))
    }
}

impl Model {
    /// With the mouse from the start.
    #[must_use]
    pub const fn with_mouse(mut self, on: bool) -> Self {
        self.mouse.on = on;
        self
    }
}

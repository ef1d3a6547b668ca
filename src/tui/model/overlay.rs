//! What lies over the panels.

use super::assuming::{Assuming, Compare};
use super::race::Race;
use crate::tui::msg::Body;
use crate::tui::skin::Ink;

/// What lies over the panels; at most one thing at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// The keys.
    Help {
        /// First visible line.
        top: usize,
    },
    /// The sessions on this machine.
    Sessions,
    /// One call in full.
    Detail(Box<Detail>),
    /// Two schedules of the selected turn on one clock.
    Race(Race),
    /// What is assumed instead of what the file says.
    Assumptions(Box<Assuming>),
    /// Two schedules, call by call.
    Compare(Box<Compare>),
}

/// One call in full, as lines for the width of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// The call's place in its turn.
    pub(in crate::tui) call: usize,
    /// Its arguments; `None` until they are loaded.
    pub(in crate::tui) args: Option<Result<Body, String>>,
    /// Its answer; `None` until it is loaded.
    pub(in crate::tui) answer: Option<Result<Body, String>>,
    /// The text, wrapped once.
    pub(in crate::tui) lines: Vec<(Ink, String)>,
    /// First visible line.
    pub(in crate::tui) top: usize,
}

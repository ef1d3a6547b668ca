//! What the scheduler has to know of a call.

use crate::model::{KeyId, Outcome};
use crate::time::Nanos;

/// What the scheduler has to know of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallSpec<'a> {
    /// Keys it reads.
    pub reads: &'a [KeyId],
    /// Keys it writes. A key in both counts as written.
    pub writes: &'a [KeyId],
    /// True where nothing is known of what it touches.
    pub opaque: bool,
    /// True for the tool that ends the turn when it answers `ok`.
    pub is_final: bool,
    /// Earlier calls that it names as predecessors. Other indices are ignored.
    pub depends_on: &'a [u32],
    /// The tool's own limit, counted from the start.
    pub timeout: Option<Nanos>,
    /// True where somebody has to grant it before it starts.
    pub approval: bool,
    /// The outcome with which it settles at its turn, in no time and without a slot or a start:
    /// an unknown tool, unusable arguments; in a what-if also what never ran.
    pub refused: Option<Outcome>,
}

impl CallSpec<'_> {
    /// True where it writes, or may.
    #[must_use]
    pub const fn may_write(&self) -> bool {
        self.opaque || !self.writes.is_empty()
    }

    /// True where it may share a stage with its neighbours.
    #[must_use]
    pub const fn is_read_only(&self) -> bool {
        !self.may_write() && !self.is_final
    }
}

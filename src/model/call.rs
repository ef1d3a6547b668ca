//! A call as the model asked for it.

use crate::time::Nanos;

/// A thread's number in its run; 0 is `main`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId(pub u32);

/// A call's identity: thread, turn (from 1) and index (from 0). The provider's id is a label
/// only: it may be empty or repeated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallKey {
    /// The line of turns it belongs to.
    pub thread: ThreadId,
    /// Its turn, numbered from 1 in the thread.
    pub turn: u32,
    /// Its place in the turn, from 0.
    pub index: u32,
}

/// A scripted answer to an approval question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approval {
    /// How long after being asked.
    pub after: Nanos,
    /// Yes or no.
    pub grant: bool,
}

/// One tool call of a reply, as the model asked for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallRequest {
    /// The provider's id; a label, may be empty or repeated.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// The arguments: one JSON value as text, kept byte for byte.
    pub args: String,
    /// Indices of earlier calls of the turn that this one names as its predecessors.
    pub depends_on: Vec<u32>,
}

impl CallRequest {
    /// A call of `tool` with the given JSON arguments and no hints.
    #[must_use]
    pub fn new(tool: impl Into<String>, args: impl Into<String>) -> Self {
        Self {
            tool: tool.into(),
            args: args.into(),
            ..Self::default()
        }
    }
}

//! Spans as they are kept until all of a file are known.

use std::collections::HashMap;

use super::raw::Piece;
use crate::import::value::{Stamp, small};
use crate::model::{Outcome, Timing};
use crate::time::Nanos;
use crate::trace::{Call, Sym};

/// What a span is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::import) enum Kind {
    /// A reply of a model.
    Model,
    /// A tool's run.
    Tool,
    /// An agent: its replies and calls belong together.
    Agent,
    /// Something whose replies are none of the agent's, such as a scorer.
    Apart,
    /// A sub-agent's frame, of which it is not known which call started it.
    Unlinked,
    /// A frame around others, or something else altogether.
    #[default]
    Other,
}

/// Which span of which trace; [`Ids`] has the texts.
pub(in crate::import) type Key = (u32, u32);

/// A call that a reply asked for.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) id: Sym,
    /// Its row but for place and times.
    pub(super) call: Call,
    pub(super) args: Piece,
}

/// A span.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) key: Key,
    /// The parent's key, and whether the file names one at all.
    pub(super) parent: Option<Key>,
    pub(super) kind: Kind,
    pub(super) start: Stamp,
    pub(super) end: Stamp,
    /// How it is known that it lasted from start to end.
    pub(super) timing: Timing,
    pub(super) own: Option<Nanos>,
    pub(super) outcome: Outcome,
    pub(super) error: String,
    /// Its name; of a tool the tool's, of a model the model's, of an agent the agent's.
    pub(super) name: Sym,
    /// True where it is called by its span's name for want of a better one.
    pub(super) nameless: bool,
    /// The id of the call that it runs.
    pub(super) call_id: Sym,
    /// Of a tool: the call's row but for place and times.
    pub(super) call: Call,
    pub(super) args: Piece,
    pub(super) answer: Piece,
    pub(super) answer_bytes: u64,
    /// Of a model: the calls that it asked for.
    pub(super) wanted: Vec<Wanted>,
    pub(super) line_offset: u64,
    /// What identifies it wherever it is written again; 0 where nothing does.
    pub(super) origin: u64,
}

/// Texts of ids by number; 0 is no id.
#[derive(Debug)]
pub(in crate::import) struct Ids {
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
}

impl Ids {
    pub(in crate::import) fn new() -> Self {
        let none: Box<str> = "".into();
        Self {
            texts: vec![none.clone()],
            numbers: HashMap::from([(none, 0)]),
        }
    }

    /// The number of an id.
    pub(in crate::import) fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = small(self.texts.len());
        let text: Box<str> = text.into();
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    pub(super) fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("", |text| text)
    }
}

//! What a query consists of.

use std::str::FromStr;

use super::error::QueryError;
use super::parse::parse;
use crate::model::Outcome;
use crate::time::Nanos;

/// What a person asks for. All terms must fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub(super) terms: Vec<Term>,
}

impl Query {
    /// True where the answer depends on which calls are in a hazard.
    #[must_use]
    pub fn asks_for_hazards(&self) -> bool {
        self.terms.iter().any(|term| term.what == What::Hazard)
    }
}

impl FromStr for Query {
    type Err = QueryError;
    fn from_str(text: &str) -> Result<Self, QueryError> {
        parse(text)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// True for `-term`.
    pub(super) not: bool,
    pub(super) what: What,
}

/// Texts are in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// In any text of the call, bodies included.
    Word(String),
    Tool(String),
    Key(String),
    Error(String),
    Id(String),
    Thread(String),
    Args(String),
    Answer(String),
    /// Any failure.
    Failed,
    Outcome(Outcome),
    /// How long its body ran.
    Ran(Limit),
    /// How long it waited.
    Waited(Limit),
    Hazard,
    Several,
    /// The turn's number, both ends included.
    Turn(u32, u32),
}

/// A comparison with a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) less: bool,
    pub(super) or_equal: bool,
    pub(super) than: Nanos,
}

impl Limit {
    /// An unknown time fits no limit.
    pub(super) fn fits(self, time: Option<Nanos>) -> bool {
        time.is_some_and(|time| match (self.less, self.or_equal) {
            (true, false) => time < self.than,
            (true, true) => time <= self.than,
            (false, false) => time > self.than,
            (false, true) => time >= self.than,
        })
    }
}

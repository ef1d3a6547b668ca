//! What a simulation found.

use crate::model::{Cause, Outcome};
use crate::schedule::Interval;
use crate::time::Nanos;

/// One call of a simulated turn. Times count from the turn's begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedCall {
    /// When its body started; `None` where it never did.
    pub start: Option<Nanos>,
    /// When it ended or was answered; `None` where that never happens.
    pub end: Option<Nanos>,
    /// The slot it held.
    pub slot: Option<u32>,
    /// Why it started then.
    pub cause: Option<Cause>,
    /// How it ended; `Unfinished` where it never does.
    pub outcome: Outcome,
    /// When a body that was given up landed after all.
    pub late: Option<Nanos>,
    /// When its approval was asked for and answered.
    pub approval: Option<(Nanos, Nanos)>,
}

impl SimulatedCall {
    pub(super) const NEW: Self = Self {
        start: None,
        end: None,
        slot: None,
        cause: None,
        outcome: Outcome::Unfinished,
        late: None,
        approval: None,
    };

    /// When its body ran.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        let start = self.start?;
        // A body that never ends holds its keys for ever.
        Some(Interval {
            start,
            end: self.end.unwrap_or(Nanos::MAX),
        })
    }
}

/// A turn in virtual time. Always a prediction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The calls in issue order.
    pub calls: Vec<SimulatedCall>,
    /// First issue to last end; `None` where a call never ends.
    pub makespan: Option<Nanos>,
    /// The first call that failed fatally.
    pub fatal: Option<u32>,
    /// The calls in the order in which they started.
    pub order: Vec<u32>,
}

impl Timeline {
    /// When each call's body ran.
    #[must_use]
    pub fn intervals(&self) -> Vec<Option<Interval>> {
        self.calls.iter().map(SimulatedCall::interval).collect()
    }
}

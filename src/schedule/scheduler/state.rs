//! What is known of each call and of each node of the plan.

use crate::model::Outcome;
use crate::schedule::CallSpec;
use crate::time::Nanos;

/// Where a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Not started: it waits for predecessors, an approval or a slot.
    Waiting,
    /// Its body runs.
    Running {
        slot: u32,
    },
    /// Told to stop, not yet acknowledged. Slot and keys are free.
    Stopping {
        end: Nanos,
        sliced: bool,
    },
    Settled,
}

/// One call.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallState {
    pub(super) phase: Phase,
    /// Its body was dropped or given up and has not been seen to end.
    pub(super) lost: bool,
    pub(super) may_write: bool,
    pub(super) is_final: bool,
    pub(super) timeout: Option<Nanos>,
    pub(super) refused: Option<Outcome>,
    pub(super) approval: bool,
    /// When its approval was given; the begin for a call that needs none.
    pub(super) granted: Option<Nanos>,
    /// When the last of its predecessors let it go and its approval was there.
    pub(super) ready_at: Nanos,
    /// For a call that settles without having started: when it settled.
    pub(super) settled_at: Nanos,
}

impl CallState {
    pub(super) fn new(spec: &CallSpec<'_>) -> Self {
        Self {
            phase: Phase::Waiting,
            lost: false,
            may_write: spec.may_write(),
            is_final: spec.is_final,
            timeout: spec.timeout,
            refused: spec.refused,
            approval: spec.approval,
            granted: None,
            ready_at: Nanos::ZERO,
            settled_at: Nanos::ZERO,
        }
    }

    pub(super) fn unstarted(&self) -> bool {
        self.phase == Phase::Waiting
    }
}

/// One node of the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeState {
    /// Predecessors that have not let go.
    pub(super) open: u32,
    /// The last end among the predecessors that did, and the lowest call with that end.
    pub(super) last: Option<(Nanos, u32)>,
    /// A failed call comes before it, and its dependents are stopped.
    pub(super) doomed: bool,
}

impl NodeState {
    pub(super) fn let_go(&mut self, end: Nanos, by: u32) {
        self.open -= 1;
        self.last = Some(match self.last {
            Some((at, call)) if at > end || (at == end && call < by) => (at, call),
            _ => (end, by),
        });
    }
}

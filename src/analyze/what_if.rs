//! The same turn under every policy, in virtual time. Nothing runs; every figure is predicted.

use super::case::TurnCase;
use super::recorded::Recorded;
use super::savings::{Figure, Savings};
use crate::model::{KeyTable, Timing};
use crate::schedule::{CallSpec, Hazards, OnFailure, Options, Policy, Slots, hazards};
use crate::simulate::{Body, Timeline, simulate};
use crate::time::Nanos;

/// Stands in for a duration that nobody knows, so that order and hazards can still be shown. No
/// figure is ever built on it.
const UNKNOWN: Nanos = Nanos(1 << 50);

/// The switches of a what-if.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhatIfOptions {
    /// The limit on how many calls run at once.
    pub slots: Slots,
    /// What a failure does to the others.
    pub on_failure: OnFailure,
    /// The deadline of a turn.
    pub deadline: Option<Nanos>,
    /// Which policies, in the order of the tables.
    pub policies: Vec<Policy>,
}

impl Default for WhatIfOptions {
    fn default() -> Self {
        Self {
            slots: Slots::default(),
            on_failure: OnFailure::default(),
            deadline: None,
            policies: Policy::SHOWN.to_vec(),
        }
    }
}

impl WhatIfOptions {
    fn options(&self, slots: Slots) -> Options {
        Options {
            slots,
            on_failure: self.on_failure,
            deadline: self.deadline,
            ..Options::default()
        }
    }
}

/// A turn under one policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyResult {
    /// The policy.
    pub policy: Policy,
    /// Always [`Figure::Predicted`].
    pub figure: Figure,
    /// The weakest timing that the figures rest on.
    pub timing: Timing,
    /// First issue to last end; `None` where a call's duration is unknown.
    pub makespan: Option<Nanos>,
    /// Against the sequential order; `None` where either makespan is.
    pub savings: Option<Savings>,
    /// The races it would let through.
    pub hazards: Hazards,
    /// When each call would start and end, from the turn's begin.
    pub timeline: Timeline,
}

impl PolicyResult {
    /// The start and end of a call, where they rest on known durations only.
    #[must_use]
    pub fn times(&self, call: usize) -> (Option<Nanos>, Option<Nanos>) {
        let row = &self.timeline.calls[call];
        let known = |at: Option<Nanos>| at.filter(|&at| at < UNKNOWN);
        (known(row.start), known(row.end))
    }
}

/// The most that any safe policy could save: `graph` with unlimited slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Its makespan.
    pub makespan: Nanos,
    /// Against the sequential order.
    pub savings: Savings,
}

/// One turn under every policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnWhatIf {
    /// The thread's name, as in the file.
    pub thread: String,
    /// The turn's number in its thread, from 1.
    pub turn: u32,
    /// Names of the calls' tools, as in the file.
    pub tools: Vec<String>,
    /// The model's latency; `None` where unknown.
    pub model: Option<Nanos>,
    /// Calls without a duration to build on.
    pub unknown_calls: usize,
    /// Calls whose duration is only bounded from above.
    pub bound_calls: usize,
    /// What really happened, where the turn was recorded.
    pub recorded: Option<Recorded>,
    /// Makespan of the sequential order, whether or not it is among the policies asked for.
    pub sequential: Option<Nanos>,
    /// The races that starting everything at once would let through.
    pub races: Hazards,
    /// The policies asked for, in that order.
    pub policies: Vec<PolicyResult>,
    /// The most that any safe policy could save; `None` where a duration is unknown.
    pub bound: Option<Bound>,
}

impl TurnWhatIf {
    /// The result of one policy, if it was asked for.
    #[must_use]
    pub fn policy(&self, policy: Policy) -> Option<&PolicyResult> {
        self.policies.iter().find(|p| p.policy == policy)
    }
}

/// A turn under every policy that `options` names.
#[must_use]
pub fn what_if_turn(case: &TurnCase, keys: &KeyTable, options: &WhatIfOptions) -> TurnWhatIf {
    let question = Question::new(case, keys, options);
    let sequential = question.ask(Policy::Sequential, options.slots, None);
    let base = sequential.makespan;
    if case.calls.len() < 2 {
        return alone(case, &sequential, options);
    }
    let races = question
        .ask(Policy::AllAtOnce, Slots::Unlimited, base)
        .hazards;
    let policies = options
        .policies
        .iter()
        .map(|&policy| question.ask(policy, options.slots, base));
    let policies: Vec<_> = policies.collect();
    let graph = question.ask(Policy::Graph, Slots::Unlimited, base);
    TurnWhatIf {
        thread: case.thread.clone(),
        turn: case.number,
        tools: case.calls.iter().map(|c| c.tool.clone()).collect(),
        model: case.model,
        unknown_calls: case.unknown_calls(),
        bound_calls: case.bound_calls(),
        recorded: case.recorded.clone(),
        sequential: base,
        races,
        policies,
        bound: graph
            .makespan
            .zip(graph.savings)
            .map(|(makespan, savings)| Bound { makespan, savings }),
    }
}

/// A turn under one policy, without what it saves: for looking at many turns.
#[must_use]
pub fn predict(
    case: &TurnCase,
    keys: &KeyTable,
    options: &WhatIfOptions,
    policy: Policy,
) -> PolicyResult {
    Question::new(case, keys, options).ask(policy, options.slots, None)
}

/// One call, or none: it runs the same way under every policy.
fn alone(case: &TurnCase, only: &PolicyResult, options: &WhatIfOptions) -> TurnWhatIf {
    let under = |policy: &Policy| PolicyResult {
        policy: *policy,
        ..only.clone()
    };
    TurnWhatIf {
        thread: case.thread.clone(),
        turn: case.number,
        tools: case.calls.iter().map(|c| c.tool.clone()).collect(),
        model: case.model,
        unknown_calls: case.unknown_calls(),
        bound_calls: case.bound_calls(),
        recorded: case.recorded.clone(),
        sequential: only.makespan,
        races: Hazards::default(),
        policies: options.policies.iter().map(under).collect(),
        bound: only
            .makespan
            .zip(only.savings)
            .map(|(makespan, savings)| Bound { makespan, savings }),
    }
}

struct Question<'a> {
    specs: Vec<CallSpec<'a>>,
    bodies: Vec<Body>,
    keys: &'a KeyTable,
    known: bool,
    timing: Timing,
    model: Option<Nanos>,
    options: &'a WhatIfOptions,
}

impl<'a> Question<'a> {
    fn new(case: &'a TurnCase, keys: &'a KeyTable, options: &'a WhatIfOptions) -> Self {
        let bodies = case.calls.iter();
        Self {
            specs: case.specs(),
            bodies: bodies
                .map(|c| c.body.unwrap_or(Body::ok(UNKNOWN)))
                .collect(),
            keys,
            known: case.unknown_calls() == 0,
            timing: case.timing(),
            model: case.model,
            options,
        }
    }

    fn ask(&self, policy: Policy, slots: Slots, base: Option<Nanos>) -> PolicyResult {
        let options = self.options.options(slots);
        let timeline = simulate(policy, &self.specs, &self.bodies, self.keys, options);
        let makespan = timeline.makespan.filter(|_| self.known);
        let base = if policy == Policy::Sequential {
            makespan
        } else {
            base
        };
        PolicyResult {
            policy,
            figure: Figure::Predicted,
            timing: self.timing,
            makespan,
            savings: base
                .zip(makespan)
                .map(|(b, m)| Savings::new(b, m, self.model, self.timing)),
            hazards: hazards(&self.specs, &timeline.intervals(), self.keys),
            timeline,
        }
    }
}

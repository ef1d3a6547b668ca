//! A thread's turns added up, policy by policy.

use std::collections::BTreeMap;

use super::case::TurnCase;
use super::savings::{Figure, Savings};
use super::verdict::Race;
use super::what_if::{TurnWhatIf, WhatIfOptions, what_if_turn};
use crate::model::{ThreadId, Timing};
use crate::schedule::Policy;
use crate::time::Nanos;
use crate::trace::Run;

/// One policy over all turns of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyTotal {
    /// The policy.
    pub policy: Policy,
    /// Always [`Figure::Predicted`].
    pub figure: Figure,
    /// The sum over the turns that can be estimated; `None` where there is no such turn.
    pub makespan: Option<Nanos>,
    /// Against the sequential order, over the same turns.
    pub savings: Option<Savings>,
    /// Pairs of calls that would race.
    pub hazards: u64,
}

/// How long the calls of one tool took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolTime {
    /// The sum of its run times that are known.
    pub work: Nanos,
    /// True where none of its calls can share a stage with another.
    pub barrier: bool,
}

/// A thread's turns added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Replies, those without calls included.
    pub replies: usize,
    /// Replies with at least one call.
    pub with_calls: usize,
    /// Replies with more than one.
    pub with_several: usize,
    /// Calls in all.
    pub calls: usize,
    /// Turns whose makespan cannot be estimated: they are left out of the sums.
    pub unknown_turns: usize,
    /// Calls without a duration to build on.
    pub unknown_calls: usize,
    /// Calls whose duration is only bounded from above.
    pub bound_calls: usize,
    /// Calls that were recorded while overlapping others: no solo durations.
    pub overlapped_calls: usize,
    /// The model's time; `None` where one reply's is unknown.
    pub model: Option<Nanos>,
    /// The model's time before the turns that can be estimated: what shares are shares of.
    pub estimated_model: Option<Nanos>,
    /// The weakest timing that the sums rest on; `unknown` where there is none.
    pub timing: Timing,
    /// The policies, in the order asked for.
    pub policies: Vec<PolicyTotal>,
    /// The sequential order over the turns that can be estimated.
    pub sequential: Option<Nanos>,
    /// What was recorded of the turns that can be estimated; `None` where one of them has no
    /// recorded makespan.
    pub recorded: Option<Nanos>,
    /// The weakest timing of those recordings; `unknown` where there is none.
    pub recorded_timing: Timing,
    /// True where the recording of every turn with several calls can show races.
    pub shows_races: bool,
    /// The most that any safe policy could save.
    pub bound: Option<Savings>,
    /// How many pairs starting everything at once would race, and the most telling of them.
    pub races: u64,
    /// That race, in words' parts.
    pub race: Option<Race>,
    /// How many pairs raced in the recording, and the most telling of them.
    pub recorded_races: u64,
    /// That race, in words' parts.
    pub recorded_race: Option<Race>,
    /// Time by tool, by name as in the file.
    pub tools: BTreeMap<String, ToolTime>,
}

impl Totals {
    /// Nothing added yet.
    #[must_use]
    pub fn new(options: &WhatIfOptions) -> Self {
        let zero = |&policy| PolicyTotal {
            policy,
            figure: Figure::Predicted,
            makespan: None,
            savings: None,
            hazards: 0,
        };
        Self {
            replies: 0,
            with_calls: 0,
            with_several: 0,
            calls: 0,
            unknown_turns: 0,
            unknown_calls: 0,
            bound_calls: 0,
            overlapped_calls: 0,
            model: Some(Nanos::ZERO),
            estimated_model: Some(Nanos::ZERO),
            timing: Timing::Measured,
            policies: options.policies.iter().map(zero).collect(),
            sequential: None,
            recorded: Some(Nanos::ZERO),
            recorded_timing: Timing::Measured,
            shows_races: true,
            bound: None,
            races: 0,
            race: None,
            recorded_races: 0,
            recorded_race: None,
            tools: BTreeMap::new(),
        }
    }

    /// Adds one turn.
    pub fn add(&mut self, case: &TurnCase, result: &TurnWhatIf, keys: &crate::model::KeyTable) {
        let calls = case.calls.len();
        self.replies += 1;
        self.with_calls += usize::from(calls > 0);
        self.with_several += usize::from(calls > 1);
        self.calls += calls;
        self.unknown_calls += result.unknown_calls;
        self.bound_calls += result.bound_calls;
        self.overlapped_calls += case.recorded.as_ref().map_or(0, |r| r.overlapped);
        self.model = self.model.zip(case.model).map(|(a, b)| a + b);
        self.races += result.races.count;
        self.race = Race::or(
            self.race.take(),
            Race::first(&result.races, &case.calls, keys),
        );
        if let Some(seen) = &case.recorded {
            self.recorded_races += seen.hazards.count;
            let race = Race::first(&seen.hazards, &case.calls, keys);
            self.recorded_race = Race::or(self.recorded_race.take(), race);
            self.shows_races &= seen.shows_races(calls);
        }
        self.add_tools(case);
        match result.sequential {
            None => self.unknown_turns += 1,
            Some(base) => {
                self.estimated_model = self.estimated_model.zip(case.model).map(|(a, b)| a + b);
                self.sequential = Some(self.sequential.unwrap_or_default() + base);
                self.timing = self.timing.max(case.timing());
                let saved = result.bound.map_or(0, |b| b.savings.saved);
                self.bound = Some(self.extend(self.bound, saved));
                self.add_recorded(case);
            }
        }
        for (total, policy) in self.policies.iter_mut().zip(&result.policies) {
            total.hazards += policy.hazards.count;
            if let Some(makespan) = policy.makespan {
                total.makespan = Some(total.makespan.unwrap_or_default() + makespan);
            }
        }
    }

    /// Fills in savings once all turns are added.
    #[must_use]
    pub fn finish(mut self) -> Self {
        if self.sequential.is_none() {
            self.timing = Timing::Unknown;
            self.recorded = None;
        }
        if self.recorded.is_none() {
            self.recorded_timing = Timing::Unknown;
        }
        let (base, model, timing) = (self.sequential, self.estimated_model, self.timing);
        for total in &mut self.policies {
            total.savings = base
                .zip(total.makespan)
                .map(|(b, m)| Savings::new(b, m, model, timing));
        }
        self.bound = self.bound.zip(base).map(|(bound, base)| Savings {
            whole: model.map(|m| m + base),
            timing,
            ..bound
        });
        self
    }

    /// Only turns that can be estimated: the same ones on both sides of a comparison.
    fn add_recorded(&mut self, case: &TurnCase) {
        if case.calls.is_empty() {
            return;
        }
        let seen = case.recorded.as_ref();
        let makespan = seen.and_then(|seen| seen.makespan);
        self.recorded = self.recorded.zip(makespan).map(|(a, b)| a + b);
        if let Some(seen) = seen {
            self.recorded_timing = self.recorded_timing.max(seen.timing);
        }
    }

    fn extend(&self, bound: Option<Savings>, saved: i64) -> Savings {
        let before = bound.map_or(0, |b| b.saved);
        Savings {
            saved: before.saturating_add(saved),
            whole: None,
            timing: self.timing,
        }
    }

    fn add_tools(&mut self, case: &TurnCase) {
        for call in &case.calls {
            let takes = call
                .body
                .filter(|_| call.refused.is_none())
                .and_then(|b| b.takes);
            let tool = self.tools.entry(call.tool.clone());
            let tool = tool.or_insert(ToolTime {
                work: Nanos::ZERO,
                barrier: true,
            });
            tool.work += takes.unwrap_or_default();
            tool.barrier &= !call.spec().is_read_only();
        }
    }

    /// The best of the safe policies asked for that saves anything at all, sequential aside.
    #[must_use]
    pub fn best(&self) -> Option<&PolicyTotal> {
        let safe = self
            .policies
            .iter()
            .filter(|p| p.policy.is_safe() && p.policy != Policy::Sequential);
        safe.filter(|p| p.savings.is_some_and(|s| s.saved > 0))
            .min_by_key(|p| p.makespan)
    }
}

/// The totals of one thread of a run. Threads are never added up: a sub-agent's time lies inside
/// the call that started it.
#[must_use]
pub fn totals(run: &Run, thread: ThreadId, options: &WhatIfOptions) -> Totals {
    let mut totals = Totals::new(options);
    let turns = run
        .threads
        .get(thread.0 as usize)
        .map_or(&[][..], |t| t.turns.as_slice());
    for &turn in turns {
        let case = TurnCase::of(run, &run.turns[turn as usize]);
        totals.add(&case, &what_if_turn(&case, &run.keys, options), &run.keys);
    }
    totals.finish()
}

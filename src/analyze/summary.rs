//! Counts and times of one thread, named as in a timing summary.

use std::collections::BTreeMap;

use super::case::TurnCase;
use super::recorded::recorded;
use super::totals::{Totals, totals};
use super::what_if::WhatIfOptions;
use crate::model::{Outcome, ThreadId, Timing};
use crate::time::Nanos;
use crate::trace::{Call, Run};

/// One tool's calls in a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolSummary {
    /// How many calls.
    pub calls: usize,
    /// How many of them have a known run time.
    pub timed: usize,
    /// The sum of those.
    pub work: Nanos,
    /// The longest of those.
    pub longest: Option<Nanos>,
    /// The weakest timing among them.
    pub timing: Timing,
    /// True where none of its calls writes, may write or ends the turn.
    pub read_only: bool,
}

impl ToolSummary {
    const NONE: Self = Self {
        calls: 0,
        timed: 0,
        work: Nanos::ZERO,
        longest: None,
        timing: Timing::Measured,
        read_only: true,
    };

    /// The timing of the calls that have one; `unknown` where none has.
    #[must_use]
    pub const fn shown_timing(&self) -> Timing {
        if self.timed == 0 {
            Timing::Unknown
        } else {
            self.timing
        }
    }

    /// How long its calls took together, as it may be printed.
    #[must_use]
    pub fn together(&self) -> String {
        match (self.timed, self.calls - self.timed) {
            (0, _) => "unknown".to_owned(),
            (_, 0) => self.timing.show(self.work),
            (_, missing) => format!("{} + {missing} unknown", self.timing.show(self.work)),
        }
    }
}

/// Counts and times of one thread. Counts are never added up over threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadSummary {
    /// `main`, or the sub-agent's id, as in the file.
    pub thread: String,
    /// Replies, those without calls included.
    pub replies: usize,
    /// Replies with at least one call.
    pub with_calls: usize,
    /// Replies with more than one.
    pub with_several: usize,
    /// The most calls of one reply.
    pub max_calls: usize,
    /// Calls in all.
    pub calls: usize,
    /// Calls with the stamps of both issue and result, or with the tool's own figure.
    pub timed_calls: usize,
    /// Calls that were answered with an error: failures, denials and cancelled siblings.
    pub failed_calls: usize,
    /// The model's time before the replies, where known.
    pub model: Nanos,
    /// Replies whose model time is not known: they are not in `model`.
    pub model_unknown: usize,
    /// The weakest timing of the model's time.
    pub model_timing: Timing,
    /// The sum over the turns of first issue to last end, where that is known.
    pub tool_wall: Option<Nanos>,
    /// Turns with calls whose makespan is not known: they are not in `tool_wall`.
    pub wall_unknown: usize,
    /// The weakest timing of the turns in `tool_wall`.
    pub wall_timing: Timing,
    /// The recorded pairs that raced; `None` where a turn's times cannot show it.
    pub recorded_hazards: Option<u64>,
    /// The most calls that ran at once.
    pub peak: usize,
    /// By tool, by name as in the file.
    pub tools: BTreeMap<String, ToolSummary>,
    /// What other policies would have cost.
    pub totals: Totals,
}

impl ThreadSummary {
    /// All calls of tools that only read, together.
    #[must_use]
    pub fn reads(&self) -> ToolSummary {
        self.sum(true)
    }

    /// All other calls, together.
    #[must_use]
    pub fn others(&self) -> ToolSummary {
        self.sum(false)
    }

    fn sum(&self, read_only: bool) -> ToolSummary {
        let mut sum = ToolSummary {
            read_only,
            ..ToolSummary::NONE
        };
        for tool in self.tools.values().filter(|t| t.read_only == read_only) {
            sum.calls += tool.calls;
            sum.timed += tool.timed;
            sum.work += tool.work;
            sum.longest = sum.longest.max(tool.longest);
            sum.timing = sum.timing.max(tool.timing);
        }
        sum
    }

    /// What was never seen has no timing.
    fn finish(mut self) -> Self {
        if self.model_unknown == self.replies {
            self.model_timing = Timing::Unknown;
        }
        if self.tool_wall.is_none() {
            self.wall_timing = Timing::Unknown;
        }
        self
    }
}

/// True where the call was answered with an error, denials and cancelled siblings included.
#[must_use]
pub(crate) fn is_error_answer(call: &Call) -> bool {
    call.outcome.is_failure() || (call.outcome == Outcome::Cancelled && call.end.is_some())
}

/// Counts and times of every thread of a run, `main` first.
#[must_use]
pub fn summarise(run: &Run, options: &WhatIfOptions) -> Vec<ThreadSummary> {
    (0..)
        .take(run.threads.len())
        .map(|t| summarise_thread(run, ThreadId(t), options))
        .collect()
}

fn summarise_thread(run: &Run, thread: ThreadId, options: &WhatIfOptions) -> ThreadSummary {
    let record = &run.threads[thread.0 as usize];
    let mut summary = ThreadSummary {
        thread: record.name.clone(),
        replies: record.turns.len(),
        with_calls: 0,
        with_several: 0,
        max_calls: 0,
        calls: 0,
        timed_calls: 0,
        failed_calls: 0,
        model: Nanos::ZERO,
        model_unknown: 0,
        model_timing: Timing::Measured,
        tool_wall: None,
        wall_unknown: 0,
        wall_timing: Timing::Measured,
        recorded_hazards: Some(0),
        peak: 0,
        tools: BTreeMap::new(),
        totals: totals(run, thread, options),
    };
    for &turn in &record.turns {
        summary.add_turn(run, &run.turns[turn as usize]);
    }
    summary.finish()
}

impl ThreadSummary {
    fn add_turn(&mut self, run: &Run, turn: &crate::trace::Turn) {
        let calls = run.calls_of(turn);
        self.with_calls += usize::from(!calls.is_empty());
        self.with_several += usize::from(calls.len() > 1);
        self.max_calls = self.max_calls.max(calls.len());
        self.calls += calls.len();
        self.timed_calls += calls
            .iter()
            .filter(|c| (c.issued.is_some() && c.end.is_some()) || c.own.is_some())
            .count();
        self.failed_calls += calls.iter().filter(|c| is_error_answer(c)).count();
        match turn.model {
            Some(span) => {
                self.model += span.len();
                self.model_timing = self.model_timing.max(turn.model_timing);
            }
            None => self.model_unknown += 1,
        }
        if calls.is_empty() {
            return;
        }
        let seen = recorded(run, turn);
        match seen.makespan {
            Some(makespan) => {
                self.tool_wall = Some(self.tool_wall.unwrap_or_default() + makespan);
                self.wall_timing = self.wall_timing.max(seen.timing);
            }
            None => self.wall_unknown += 1,
        }
        let shown = seen.shows_races(calls.len()).then_some(seen.hazards.count);
        self.recorded_hazards = self.recorded_hazards.zip(shown).map(|(a, b)| a + b);
        self.peak = self.peak.max(seen.peak);
        let case = TurnCase::of(run, turn);
        for (call, question) in calls.iter().zip(&case.calls) {
            let tool = self
                .tools
                .entry(run.tool(call).to_owned())
                .or_insert(ToolSummary::NONE);
            tool.calls += 1;
            tool.read_only &= question.spec().is_read_only();
            // A call that never ran took no time: known, not unknown.
            let takes = if question.refused.is_some() {
                Some(Nanos::ZERO)
            } else {
                call.run_time()
            };
            if let Some(takes) = takes {
                tool.timed += 1;
                tool.work += takes;
                tool.longest = tool.longest.max(Some(takes));
                if question.refused.is_none() {
                    tool.timing = tool.timing.max(call.timing);
                }
            }
        }
    }
}

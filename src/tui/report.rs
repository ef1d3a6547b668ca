//! The selected turn as it is drawn: the recording and every policy's prediction, side by side.

use std::collections::BTreeSet;

use crate::analyze::{
    Figure, PolicyResult, Recorded, Savings, TurnCase, TurnWhatIf, WhatIfOptions, what_if_turn,
};
use crate::model::{Cause, KeyTable, Outcome, Timing};
use crate::schedule::{Hazards, Interval, Policy, hazards};
use crate::text;
use crate::time::Nanos;
use crate::trace::{Call, Run};

/// Which schedule of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drawn {
    /// What happened.
    #[default]
    Recorded,
    /// What would happen, in virtual time.
    Predicted(Policy),
    /// What a replay with stand-ins has measured: no recording, and no prediction.
    Measured(Policy),
}

/// One call of a schedule. Times count from the turn's first issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// When it was issued.
    pub issued: Nanos,
    /// When its body started.
    pub start: Option<Nanos>,
    /// When it ended or was answered.
    pub end: Option<Nanos>,
    /// When a body that was given up landed after all.
    pub late: Option<Nanos>,
    /// How long its body ran; read `timing` before showing it.
    pub takes: Option<Nanos>,
    /// Where that comes from.
    pub timing: Timing,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it started when it did.
    pub cause: Option<Cause>,
    /// The slot it held.
    pub slot: Option<u32>,
}

impl Row {
    /// How long it was held back; `None` where it never started.
    #[must_use]
    pub fn waited(&self) -> Option<Nanos> {
        self.start.map(|start| start.since(self.issued))
    }

    /// The last time that is known of it.
    fn last(&self) -> Nanos {
        let known = [self.start, self.end, self.late];
        known.into_iter().flatten().fold(self.issued, Nanos::max)
    }

    /// True where its body started and nothing says when it ended.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.start.is_some() && self.outcome == Outcome::Unfinished
    }
}

/// One way the turn went or would go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Which one it is.
    pub drawn: Drawn,
    /// Observed or computed.
    pub figure: Figure,
    /// The weakest timing it rests on.
    pub timing: Timing,
    /// First issue to last end; `None` where that is not known.
    pub makespan: Option<Nanos>,
    /// Against the sequential order. A difference is predicted where one side is.
    pub savings: Option<Savings>,
    /// The races it lets through.
    pub hazards: Hazards,
    /// The calls in issue order.
    pub rows: Vec<Row>,
    /// The last time that is known of any call, and room for calls without an end.
    pub extent: Nanos,
}

/// A turn as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnReport {
    /// The turn, as an index of the run's turns.
    pub turn: usize,
    /// The model's latency before it.
    pub model: Option<Nanos>,
    /// Where that comes from.
    pub model_timing: Timing,
    /// The sum of the run times that are known.
    pub work: Nanos,
    /// Calls without a duration to build on.
    pub unknown_calls: usize,
    /// Calls that were recorded while overlapping others: no solo durations.
    pub overlapped: usize,
    /// The policy it was recorded under, as in the file; empty where unknown.
    pub policy: String,
    /// The recording first, then the policies in the order of the tables.
    pub schedules: Vec<Schedule>,
    /// Cells that the longest tool name takes.
    pub tool_cells: usize,
    /// Cells that the longest cause of any schedule takes: another schedule moves no column.
    pub cause_cells: usize,
}

impl TurnReport {
    /// Asks the analysis about a turn of the run; `None` where there is no such turn.
    #[must_use]
    pub fn of(run: &Run, turn: usize, options: &WhatIfOptions) -> Option<Self> {
        let record = run.turns.get(turn)?;
        let case = TurnCase::of(run, record);
        let result = what_if_turn(&case, &run.keys, options);
        let seen = result.recorded.as_ref()?;
        let calls = run.calls_of(record);
        let recorded = recorded_schedule(calls, seen);
        let predicted = result.policies.iter().map(|p| predicted(p, &case, &result));
        let schedules: Vec<_> = std::iter::once(recorded).chain(predicted).collect();
        Some(Self {
            turn,
            model: record.model.map(|span| span.len()),
            model_timing: record.model_timing,
            work: seen.work,
            unknown_calls: result.unknown_calls,
            overlapped: seen.overlapped,
            policy: seen.policy.clone().unwrap_or_default(),
            cause_cells: widest_cause(run, &schedules),
            schedules,
            tool_cells: widest(calls.iter().map(|call| run.tool(call))).max(9),
        })
    }

    /// The schedule that is drawn; the recording where the policy was not asked for.
    #[must_use]
    pub fn schedule(&self, drawn: Drawn) -> Option<&Schedule> {
        let found = self.schedules.iter().find(|s| s.drawn == drawn);
        found.or_else(|| self.schedules.first())
    }

    /// The schedule of that kind, and no other in its place.
    #[must_use]
    pub fn find(&self, drawn: Drawn) -> Option<&Schedule> {
        self.schedules.iter().find(|s| s.drawn == drawn)
    }

    /// How much time the axis shows for a schedule: at least as much as the recording took, so
    /// that a prediction is seen against it.
    #[must_use]
    pub fn axis(&self, drawn: Drawn) -> Nanos {
        let shown = self.schedule(drawn).map_or(Nanos::ZERO, |s| s.extent);
        let recorded = self
            .schedule(Drawn::Recorded)
            .map_or(Nanos::ZERO, |s| s.extent);
        shown.max(recorded)
    }
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(text::width).max().unwrap_or(0)
}

fn widest_cause(run: &Run, schedules: &[Schedule]) -> usize {
    let rows = schedules.iter().flat_map(|schedule| &schedule.rows);
    let causes = rows
        .filter(|row| row.start.is_some())
        .filter_map(|row| row.cause);
    // Most calls share their cause with others: each one is measured once.
    let causes: BTreeSet<Cause> = causes.collect();
    let cells = causes
        .into_iter()
        .map(|cause| text::width(&cause.text(&run.keys)));
    cells.max().unwrap_or(0)
}

fn schedule_of(rows: Vec<Row>, like: Schedule) -> Schedule {
    let last = rows.iter().map(Row::last).max().unwrap_or(Nanos::ZERO);
    // An open bar has to have a length to be seen.
    let room = if rows.iter().any(Row::is_open) {
        Nanos((last.0 / 8).max(1_000_000))
    } else {
        Nanos::ZERO
    };
    Schedule {
        extent: last + room,
        rows,
        ..like
    }
}

fn recorded_schedule(calls: &[Call], seen: &Recorded) -> Schedule {
    let starts = calls.iter().filter_map(|call| call.start);
    let origin = seen.issued.or_else(|| starts.min()).unwrap_or(Nanos::ZERO);
    let rows = calls
        .iter()
        .map(|call| recorded_row(call, origin))
        .collect();
    let like = Schedule {
        drawn: Drawn::Recorded,
        figure: Figure::Measured,
        timing: seen.timing,
        makespan: seen.makespan,
        savings: None,
        hazards: seen.hazards.clone(),
        rows: Vec::new(),
        extent: Nanos::ZERO,
    };
    schedule_of(rows, like)
}

fn recorded_row(call: &Call, origin: Nanos) -> Row {
    let from_origin = |at: Option<Nanos>| at.map(|at| at.since(origin));
    let issued = call.issued.or(call.start).unwrap_or(origin);
    // Of a bounded interval only the issue and the result are known; the body is in between.
    let bounded = call.timing == Timing::Bound && call.end.is_some();
    Row {
        issued: issued.since(origin),
        start: from_origin(call.start.or(call.issued.filter(|_| bounded))),
        end: from_origin(call.end),
        late: from_origin(call.late),
        takes: call.run_time(),
        timing: if call.run_time().is_some() {
            call.timing
        } else {
            Timing::Unknown
        },
        outcome: call.outcome,
        cause: call.cause,
        slot: call.slot,
    }
}

fn predicted(result: &PolicyResult, case: &TurnCase, whole: &TurnWhatIf) -> Schedule {
    let rows = (0..case.calls.len())
        .map(|at| predicted_row(result, case, at))
        .collect();
    let like = Schedule {
        drawn: Drawn::Predicted(result.policy),
        figure: result.figure,
        timing: if whole.unknown_calls > 0 {
            Timing::Unknown
        } else {
            result.timing
        },
        makespan: result.makespan,
        savings: result.savings,
        hazards: result.hazards.clone(),
        rows: Vec::new(),
        extent: Nanos::ZERO,
    };
    schedule_of(rows, like)
}

/// What a replay has measured so far.
pub(super) fn measured(
    policy: Policy,
    case: &TurnCase,
    rows: Vec<Row>,
    keys: &KeyTable,
) -> Schedule {
    let interval = |row: &Row| {
        let (start, end) = row.start.zip(row.end)?;
        Some(Interval { start, end })
    };
    let intervals: Vec<_> = rows.iter().map(interval).collect();
    let is_over = rows.iter().all(|row| row.end.is_some());
    let last = rows.iter().filter_map(|row| row.end).max();
    let like = Schedule {
        drawn: Drawn::Measured(policy),
        figure: Figure::Measured,
        timing: stood_in_for(case.timing()),
        makespan: last.filter(|_| is_over),
        savings: None,
        hazards: hazards(&case.specs(), &intervals, keys),
        rows: Vec::new(),
        extent: Nanos::ZERO,
    };
    schedule_of(rows, like)
}

/// What a replay's figure is worth: it is measured, but where a stand-in took an upper bound for
/// the time of a body, the real one may take less, and the figure is a bound too.
pub(in crate::tui) const fn stood_in_for(recorded: Timing) -> Timing {
    match recorded {
        Timing::Bound => Timing::Bound,
        _ => Timing::Measured,
    }
}

fn predicted_row(result: &PolicyResult, case: &TurnCase, at: usize) -> Row {
    let simulated = &result.timeline.calls[at];
    let (start, end) = result.times(at);
    let takes = start.zip(end).map(|(start, end)| end.since(start));
    Row {
        issued: Nanos::ZERO,
        start,
        end,
        late: simulated.late,
        takes,
        timing: if takes.is_some() {
            case.calls[at].timing
        } else {
            Timing::Unknown
        },
        // Of a body without a known end the simulation knows no outcome either.
        outcome: simulated.outcome,
        cause: simulated.cause,
        slot: simulated.slot,
    }
}

//! What a recording says of a turn.

use super::critical::PathCall;
use crate::model::{Outcome, Timing};
use crate::schedule::{CallSpec, Hazards, Interval, hazards};
use crate::time::{Nanos, Span, union_len};
use crate::trace::{Run, Turn};

/// What a recording says of a turn. Times count from the run's start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The policy it ran under; `None` where the file does not say.
    pub policy: Option<String>,
    /// First issue to last end; `None` where an end is missing, or says nothing of its call.
    pub makespan: Option<Nanos>,
    /// The weakest timing of the calls whose body ran; an unknown one makes it unknown.
    pub timing: Timing,
    /// When its first call was issued.
    pub issued: Option<Nanos>,
    /// When its last call ended, of those that did.
    pub end: Option<Nanos>,
    /// The sum of the run times that are known.
    pub work: Nanos,
    /// The wall time in which at least one of its calls ran.
    pub busy: Nanos,
    /// How many calls overlapped another of the turn: no solo durations.
    pub overlapped: usize,
    /// The most calls that ran at once.
    pub peak: usize,
    /// The hazards that the recorded order let through.
    pub hazards: Hazards,
}

/// What the recording says of `turn`.
#[must_use]
pub fn recorded(run: &Run, turn: &Turn) -> Recorded {
    let calls = run.calls_of(turn);
    let intervals: Vec<Option<Interval>> = calls.iter().map(interval).collect();
    let mut spans: Vec<Span> = intervals
        .iter()
        .flatten()
        .map(|i| Span::new(i.start, i.end))
        .collect();
    let issued = calls.iter().filter_map(|c| c.issued).min();
    let end = calls.iter().filter_map(|c| c.end).max();
    let complete = calls
        .iter()
        .all(|c| c.end.is_some() && c.outcome != Outcome::Unfinished);
    let ran = calls.iter().filter(|c| !c.never_ran());
    let timing = ran.map(|c| c.timing).max().unwrap_or(Timing::Measured);
    Recorded {
        policy: Some(run.meta.policy.clone()).filter(|p| !p.is_empty()),
        makespan: issued
            .zip(end)
            .filter(|(i, e)| complete && e >= i && timing != Timing::Unknown)
            .map(|(i, e)| e.since(i)),
        timing,
        issued,
        end,
        work: calls.iter().filter_map(crate::trace::Call::run_time).sum(),
        overlapped: overlapped(&spans),
        peak: peak(&spans),
        busy: union_len(&mut spans),
        hazards: recorded_hazards(run, turn, &intervals),
    }
}

fn interval(call: &crate::trace::Call) -> Option<Interval> {
    let (start, end) = call.start.zip(call.end)?;
    let ran = call.timing != Timing::Unknown
        && end >= start
        && !matches!(call.outcome, Outcome::BadArgs | Outcome::Denied);
    ran.then_some(Interval { start, end })
}

/// Hazards of the recording. An interval that is only bounded cannot show that two bodies really
/// overlapped, so calls timed that way make none.
fn recorded_hazards(run: &Run, turn: &Turn, intervals: &[Option<Interval>]) -> Hazards {
    let calls = run.calls_of(turn);
    if calls
        .iter()
        .any(|c| !c.never_ran() && c.timing >= Timing::Bound)
    {
        return Hazards::default();
    }
    let specs: Vec<CallSpec<'_>> = calls
        .iter()
        .map(|call| CallSpec {
            reads: run.keys_in(call.reads),
            writes: run.keys_in(call.writes),
            opaque: call.opaque,
            is_final: call.is_final,
            ..CallSpec::default()
        })
        .collect();
    hazards(&specs, intervals, &run.keys)
}

/// Starts and ends in order of time; an end comes before a start of the same instant.
fn edges(spans: &[Span]) -> Vec<(Nanos, i32)> {
    let mut edges: Vec<_> = spans
        .iter()
        .filter(|s| !s.is_empty())
        .flat_map(|s| [(s.start, 1), (s.end, -1)])
        .collect();
    edges.sort_unstable();
    edges
}

fn peak(spans: &[Span]) -> usize {
    let mut running = 0i32;
    let peak = edges(spans).into_iter().map(|(_, step)| {
        running += step;
        running
    });
    usize::try_from(peak.max().unwrap_or(0)).unwrap_or(0)
}

fn overlapped(spans: &[Span]) -> usize {
    let mut order: Vec<&Span> = spans.iter().filter(|s| !s.is_empty()).collect();
    order.sort_unstable();
    let mut hit = vec![false; order.len()];
    let mut longest: Option<usize> = None;
    for i in 0..order.len() {
        if let Some(before) = longest.filter(|&b| order[b].end > order[i].start) {
            hit[before] = true;
            hit[i] = true;
        }
        if longest.is_none_or(|b| order[i].end > order[b].end) {
            longest = Some(i);
        }
    }
    hit.into_iter().filter(|&h| h).count()
}

impl Recorded {
    /// True where the recording can show races at all: where a span is only bounded, overlap says
    /// nothing about the bodies, and no hazard found is no hazard ruled out.
    #[must_use]
    pub fn shows_races(&self, calls: usize) -> bool {
        calls < 2 || self.timing < Timing::Bound
    }

    /// The calls of a recorded turn for its critical path.
    #[must_use]
    pub fn path_calls(run: &Run, turn: &Turn) -> Vec<PathCall> {
        let calls = run.calls_of(turn).iter();
        calls
            .map(|c| PathCall {
                start: c.start,
                end: c.end,
                cause: c.cause,
            })
            .collect()
    }
}

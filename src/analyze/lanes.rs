//! A turn's calls as stretches of time, for anything that draws them.

use crate::model::{Outcome, Timing};
use crate::time::{Nanos, Span};
use crate::trace::{Call, Run, Turn};

use super::what_if::PolicyResult;

/// What a call does in a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Issued and held back.
    Wait,
    /// Its body runs.
    Run,
    /// Its body ran and did not answer `ok`.
    Failed,
    /// It was given up and still ran.
    Late,
    /// It started, and the record ends before it does.
    Open,
    /// It ended somewhere in here; for how long it ran is only bounded.
    Bound,
}

/// A stretch of one call's lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// From when to when, on the clock of the run or, of a prediction, of the turn.
    pub span: Span,
    /// What it does then.
    pub state: State,
}

/// The lanes of a turn, one a call, and the time that they lie in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    /// First issue to last end, late landings included; empty where nothing is timed.
    pub extent: Span,
    /// Stretches by call, in order of time.
    pub calls: Vec<Vec<Segment>>,
}

/// The lanes of a recorded turn.
#[must_use]
pub fn recorded_lanes(run: &Run, turn: &Turn) -> Lanes {
    let calls = run.calls_of(turn);
    let edges = calls
        .iter()
        .flat_map(|c| [c.issued, c.start, c.end, c.late]);
    let edges: Vec<Nanos> = edges.flatten().collect();
    let Some((first, last)) = edges.iter().min().zip(edges.iter().max()) else {
        return Lanes {
            extent: Span::default(),
            calls: vec![Vec::new(); calls.len()],
        };
    };
    let extent = Span::new(*first, *last);
    Lanes {
        extent,
        calls: calls.iter().map(|call| segments(call, extent)).collect(),
    }
}

fn segments(call: &Call, extent: Span) -> Vec<Segment> {
    let mut lane = Vec::new();
    let mut add = |from: Nanos, to: Nanos, state| {
        if to >= from {
            lane.push(Segment {
                span: Span::new(from, to),
                state,
            });
        }
    };
    let issued = call.issued.unwrap_or(extent.start);
    let Some(start) = call.start else {
        if let Some(end) = call.end {
            add(issued, end, State::Wait);
        }
        return lane;
    };
    if start > issued {
        add(issued, start, State::Wait);
    }
    match (call.end, call.timing) {
        (None, _) => add(start, extent.end, State::Open),
        (Some(_), Timing::Unknown) => {}
        // The tool's own figure says how long it ran; the rest of the interval is waiting.
        (Some(end), _) if call.own.is_some_and(|own| end.since(start) > own) => {
            let ran = end.since(call.own.unwrap_or_default());
            add(start, ran, State::Wait);
            add(ran, end, state(call));
        }
        (Some(end), Timing::Bound) => add(start, end, bounded(call)),
        (Some(end), _) => add(start, end, state(call)),
    }
    if let Some((end, late)) = call.end.zip(call.late) {
        add(end, late, State::Late);
    }
    lane
}

fn state(call: &Call) -> State {
    if call.outcome == Outcome::Ok {
        State::Run
    } else {
        State::Failed
    }
}

fn bounded(call: &Call) -> State {
    if call.outcome == Outcome::Ok {
        State::Bound
    } else {
        State::Failed
    }
}

/// The lanes of a prediction, from the turn's begin. Calls whose times rest on an unknown
/// duration have none.
#[must_use]
pub fn predicted_lanes(result: &PolicyResult) -> Lanes {
    let mut lanes = Lanes::default();
    let issued = Nanos::ZERO;
    for (call, row) in result.timeline.calls.iter().enumerate() {
        let (start, end) = result.times(call);
        let mut lane = Vec::new();
        if let Some(start) = start.filter(|&s| s > issued) {
            lane.push(Segment {
                span: Span::new(issued, start),
                state: State::Wait,
            });
        }
        if let Some((start, end)) = start.zip(end) {
            let state = if row.outcome == Outcome::Ok {
                State::Run
            } else {
                State::Failed
            };
            lane.push(Segment {
                span: Span::new(start, end),
                state,
            });
        }
        lanes.extent = lane
            .iter()
            .fold(lanes.extent, |extent, segment| extent.hull(segment.span));
        lanes.calls.push(lane);
    }
    lanes
}

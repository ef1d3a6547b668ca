//! A call of a schedule as bars.

use crate::chart::{Bar, Role};
use crate::model::{Outcome, Timing};
use crate::time::{Nanos, Span};
use crate::tui::model::Moment;
use crate::tui::report::Row;

/// The pieces of a lane: held back, running, and what is not known.
pub(in crate::tui) fn bars(row: &Row, extent: Nanos) -> Vec<Bar> {
    let bar = |from, to, role| Bar {
        span: Span::new(from, to),
        role,
    };
    let mut bars = Vec::new();
    let held = row.start.or(row.end).unwrap_or(row.issued);
    if held > row.issued {
        bars.push(bar(row.issued, held, Role::Wait));
    }
    let Some(start) = row.start else {
        return bars;
    };
    match row.end {
        _ if row.is_open() => bars.push(bar(start, extent, Role::Open)),
        Some(end) if row.timing != Timing::Unknown => {
            let role = match (row.timing, row.outcome.is_failure()) {
                (_, true) => Role::Failed,
                (Timing::Bound, false) => Role::Bound,
                _ => Role::Run,
            };
            // A tool's own figure says how long it ran; the rest of the interval is waiting.
            let ran = row.takes.map_or(start, |takes| end.since(takes).max(start));
            if ran > start {
                bars.push(bar(start, ran, Role::Wait));
            }
            bars.push(bar(ran, end, role));
        }
        _ => bars.push(bar(start, start, Role::Unknown)),
    }
    if let (Some(end), Some(late)) = (row.end, row.late) {
        bars.push(bar(end, late.max(end), Role::Late));
    }
    bars
}

/// The pieces of a lane as far as they have happened.
pub(in crate::tui) fn bars_at(row: &Row, extent: Nanos, moment: Moment) -> Vec<Bar> {
    match moment {
        Moment::All => bars(row, extent),
        Moment::Played(at) => {
            let bars = bars(row, extent).into_iter();
            bars.filter_map(|bar| until(bar, at)).collect()
        }
        Moment::Live { at, knows_starts } => live(row, at, knows_starts),
    }
}

/// What of a bar has happened. That a body fails is not known before it ends.
pub(in crate::tui) fn until(bar: Bar, at: Nanos) -> Option<Bar> {
    let Span { start, end } = bar.span;
    if start > at || start == at && end > at {
        return None;
    }
    let role = match bar.role {
        Role::Failed if end > at => Role::Run,
        role => role,
    };
    Some(Bar {
        span: Span::new(start, end.min(at)),
        role,
    })
}

/// As [`bars`], with what is not over growing up to now.
fn live(row: &Row, now: Nanos, knows_starts: bool) -> Vec<Bar> {
    let now = now.max(row.issued);
    if row.start.is_some() || row.end.is_some() || row.outcome != Outcome::Unfinished {
        return bars(row, now);
    }
    // Where a file says nothing of starts the body runs somewhere in here, perhaps.
    let role = if knows_starts {
        Role::Wait
    } else {
        Role::Bound
    };
    vec![Bar {
        span: Span::new(row.issued, now),
        role,
    }]
}

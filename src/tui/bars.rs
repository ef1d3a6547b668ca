//! A call of a schedule as bars.

use crate::chart::{Bar, Role};
use crate::model::Timing;
use crate::time::{Nanos, Span};
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

//! What one call covers of its thread's time, before overlaps are resolved.

use super::parts::Part;
use crate::model::{Outcome, Timing};
use crate::time::{Nanos, Span};
use crate::trace::Call;

/// A stretch of time that something was going on in; others may overlap it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Covered {
    pub(super) span: Span,
    pub(super) part: Part,
    pub(super) timing: Timing,
}

/// Adds what a call covers; `false` where its body ran for nobody knows how long.
pub(super) fn intervals(call: &Call, wall: Span, covered: &mut Vec<Covered>) -> bool {
    let asked = approval(call, wall);
    let held = held_timing(call);
    if let Some(span) = asked {
        covered.push(Covered {
            span,
            part: Part::Approval,
            timing: held,
        });
    }
    let body = body(call);
    let held_until = match body {
        Some(body) => Some(body.start),
        None => call.start.or(call.end.filter(|_| call.never_ran())),
    };
    if let Some((issued, until)) = call.issued.zip(held_until) {
        add(covered, issued, until, Part::Waiting, held);
    }
    let Some(body) = body else {
        return call.never_ran();
    };
    // Its body runs at no time between question and answer.
    match asked.filter(|_| call.timing == Timing::Bound) {
        Some(asked) => {
            add(
                covered,
                body.start,
                body.end.min(asked.start),
                Part::Tool,
                call.timing,
            );
            add(
                covered,
                body.start.max(asked.end),
                body.end,
                Part::Tool,
                call.timing,
            );
        }
        None => add(covered, body.start, body.end, Part::Tool, call.timing),
    }
    true
}

fn add(covered: &mut Vec<Covered>, start: Nanos, end: Nanos, part: Part, timing: Timing) {
    if end > start {
        covered.push(Covered {
            span: Span { start, end },
            part,
            timing,
        });
    }
}

/// Issue, start, question and answer are stamps, whatever is known of the body.
const fn held_timing(call: &Call) -> Timing {
    match call.timing {
        Timing::Bound | Timing::Unknown => Timing::Events,
        timing => timing,
    }
}

/// From question to answer; a question that nobody answered stays open to the end of its call,
/// or of the record.
fn approval(call: &Call, wall: Span) -> Option<Span> {
    let asked = call.asked?;
    let until = call.granted.or(call.end).unwrap_or(wall.end);
    (until > asked).then_some(Span {
        start: asked,
        end: until,
    })
}

/// When its body ran, or may have run; `None` where that is not known or it never did.
fn body(call: &Call) -> Option<Span> {
    if call.never_ran() || call.outcome == Outcome::Unfinished {
        return None;
    }
    // Of a bounded interval only the issue and the result are known.
    let bounded = call.issued.filter(|_| call.timing == Timing::Bound);
    let from = call.start.or(bounded);
    let takes = call.run_time().or_else(|| {
        let (from, end) = from.zip(call.end)?;
        (call.timing == Timing::Bound && end >= from).then(|| end.since(from))
    })?;
    let end = call.end?;
    // A tool's own figure says how long it ran, up to its end; it did not begin before its start.
    let start = end
        .since(takes)
        .max(from.or(call.issued).unwrap_or_default());
    (end >= start).then_some(Span { start, end })
}

//! Why a call started when it did: the chain of causes back to the root, and in words.

use super::report::{Row, Schedule};
use super::words::{name, plain};
use crate::analyze::Figure;
use crate::model::{Cause, Timing};
use crate::text::clean;
use crate::time::Nanos;
use crate::trace::{Call, Run};

/// A chain of more calls than this fills more than a line.
const LINE: usize = 12;

/// The calls that held this one back, itself first, back to one that waited for nothing; at most
/// `limit`, and no more than the turn has calls: a damaged file may go in a circle.
pub(super) fn chain(rows: &[Row], call: usize, limit: usize) -> Vec<usize> {
    let mut chain = vec![call];
    let mut at = call;
    while let Some(before) = rows.get(at).and_then(|row| row.cause?.after()) {
        at = before as usize;
        if at >= rows.len() || chain.len() >= rows.len().min(limit) {
            break;
        }
        chain.push(at);
    }
    chain
}

/// Why a call started when it did, as the predicate of a sentence about it: `started at 412 ms:
/// waited 410 ms behind call 2 (code_patch), a barrier`.
pub(super) fn sentence(run: &Run, calls: &[Call], schedule: &Schedule, call: usize) -> String {
    let Some(row) = schedule.rows.get(call) else {
        return String::new();
    };
    let Some((start, waited)) = row.start.zip(row.waited()) else {
        return format!("never started: {}", plain(row.outcome));
    };
    let predicted = schedule.figure == Figure::Predicted;
    if row.timing == Timing::Bound && !predicted {
        return format!(
            "was issued at {}; the file does not say when its body started",
            time(row.issued)
        );
    }
    let start = match predicted {
        true => format!("would start at {}", time(start)),
        false => format!("started at {}", time(start)),
    };
    match (row.cause, waited) {
        (None, Nanos::ZERO) => format!("{start}, when it was issued"),
        (None, waited) => {
            format!("{start}: {waited} after it was issued, the file does not say why")
        }
        (Some(Cause::Issued), _) => format!("{start}: waited for nothing"),
        (Some(cause), waited) => {
            format!("{start}: waited {waited} {}", behind(run, calls, cause))
        }
    }
}

fn behind(run: &Run, calls: &[Call], cause: Cause) -> String {
    let call = |after: u32| {
        let tool = super::words::tool(run, calls, after as usize);
        format!("call {after} ({tool})")
    };
    match cause {
        Cause::Issued => "for nothing".to_owned(),
        Cause::Approval => "for its approval".to_owned(),
        Cause::Slot { after } => format!("for the slot of {}", call(after)),
        Cause::Barrier { after } => format!("behind {}, a barrier", call(after)),
        Cause::After { after } => format!("behind {}, which goes first", call(after)),
        Cause::Key { key, after } => {
            format!("behind {} for {}", call(after), clean(run.keys.text(key)))
        }
    }
}

/// A time on the turn's axis; the beginning has no unit.
fn time(at: Nanos) -> String {
    if at == Nanos::ZERO {
        "0".to_owned()
    } else {
        at.to_string()
    }
}

/// The chain of blockers in one line: the sentence of the call, then what it waited for, and so
/// on to the one that waited for nothing.
pub(super) fn line(run: &Run, calls: &[Call], schedule: &Schedule, call: usize) -> String {
    let mut line = format!(
        "{} {}",
        name(run, calls, call),
        sentence(run, calls, schedule, call)
    );
    for &at in chain(&schedule.rows, call, LINE).iter().skip(1) {
        let Some(row) = schedule.rows.get(at) else {
            continue;
        };
        let what = match (row.cause, row.waited()) {
            (_, None) => format!("never started: {}", plain(row.outcome)),
            (Some(Cause::Issued) | None, _) => "waited for nothing".to_owned(),
            (Some(cause), Some(waited)) => {
                format!("waited {waited} {}", behind(run, calls, cause))
            }
        };
        line.push_str(&format!("; {} {what}", name(run, calls, at)));
    }
    line
}

//! One turn's calls as lines of text.

use super::lanes_text::lane_rows;
use super::table::{Align, Table};
use crate::analyze::recorded_lanes;
use crate::model::{KeyTable, Timing};
use crate::schedule::Hazard;
use crate::text::{clean, cut_start};
use crate::trace::{Call, Run, Turn};

/// The first race of several in words: `lost update 1 → 2 on invoice:8123, and 2 more`.
#[must_use]
pub fn hazard_line(first: &Hazard, count: u64, keys: &KeyTable) -> String {
    let on = first.key.map_or_else(String::new, |key| {
        format!(" on {}", cut_start(&clean(keys.text(key)), 60))
    });
    let more = if count > 1 {
        format!(", and {} more", count - 1)
    } else {
        String::new()
    };
    format!(
        "{} {} → {}{on}{more}",
        first.kind.words(),
        first.first,
        first.second
    )
}

/// Cells of the bar column.
const BARS: u16 = 32;

/// A recorded turn: call, tool, bar, wait, run time, outcome, cause, keys. `░` waits, `█` runs.
#[must_use]
pub fn turn_table(run: &Run, turn: &Turn) -> String {
    use Align::{Left, Right};
    let mut table = Table::new(&[Right, Left, Left, Right, Right, Left, Left, Left]);
    table.row([
        "call", "tool", "waited", "ran", "outcome", "cause", "touches",
    ]);
    let calls = run.calls_of(turn);
    let lanes = lane_rows(&recorded_lanes(run, turn), BARS);
    for (call, lane) in calls.iter().zip(lanes) {
        let waited = match (call.timing, call.issued.zip(call.start)) {
            (Timing::Measured | Timing::Events, Some((issued, start))) => {
                start.since(issued).human()
            }
            _ => "unknown".to_owned(),
        };
        let ran = match call.run_time() {
            _ if call.never_ran() => "never".to_owned(),
            Some(time) => call.timing.show(time),
            None => "unknown".to_owned(),
        };
        table.row([
            call.index.to_string(),
            clean(run.tool(call)).into_owned(),
            lane,
            if call.start.is_some() {
                waited
            } else {
                String::new()
            },
            ran,
            call.outcome.word().replace('_', " "),
            why(run, call),
            touches(run, call),
        ]);
    }
    table.text("  ")
}

/// Why it started then, and what may still have been running on its keys.
fn why(run: &Run, call: &Call) -> String {
    let cause = call
        .cause
        .map_or_else(String::new, |c| clean(&c.text(&run.keys)).into_owned());
    let own = run.indices_in(call.beside).iter().map(ToString::to_string);
    let carried = run.indices_in(call.carried).chunks_exact(2);
    let carried = carried.map(|pair| format!("{} of turn {}", pair[1], pair[0]));
    let others: Vec<_> = own.chain(carried).collect();
    if others.is_empty() {
        cause
    } else {
        format!("{cause} ({} may still run)", others.join(", "))
    }
}

fn touches(run: &Run, call: &Call) -> String {
    if call.opaque {
        return format!("opaque ({})", call.source.word());
    }
    let list = |word: &str, range| {
        let keys = run
            .keys_in(range)
            .iter()
            .map(|&key| clean(run.keys.text(key)).into_owned());
        let keys: Vec<_> = keys.collect();
        (!keys.is_empty()).then(|| format!("{word} {}", keys.join(" ")))
    };
    let parts: Vec<_> = [list("writes", call.writes), list("reads", call.reads)]
        .into_iter()
        .flatten()
        .collect();
    let last = if call.is_final { " (final)" } else { "" };
    if parts.is_empty() {
        format!("no key{last}")
    } else {
        format!("{}{last}", parts.join(", "))
    }
}

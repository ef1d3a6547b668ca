//! Calls, causes and figures in words. Names and keys go through the sanitiser here or where
//! they are drawn.

use std::borrow::Cow;

use super::assumed;
use super::lanes::Lane;
use super::model::Model;
use super::report::{Row, Schedule, TurnReport};
use super::skin::{Sign, Skin};
use crate::analyze::Savings;
use crate::model::{Cause, Outcome, Source, Timing};
use crate::schedule::{Hazard, HazardKind, Hazards};
use crate::text::{clean, cut_start, width};
use crate::time::Nanos;
use crate::trace::{Call, Run};

/// A duration that may not be known, with its mark.
pub(super) fn duration(takes: Option<Nanos>, timing: Timing) -> String {
    takes.map_or_else(|| "unknown".to_owned(), |takes| timing.show(takes))
}

/// What the duration column says of a call: a time, or why there is none.
pub(super) fn takes(row: &Row) -> String {
    match (row.takes, row.outcome) {
        (_, Outcome::Unfinished) if row.start.is_some() => "no end".to_owned(),
        (_, outcome) if row.start.is_none() && outcome != Outcome::Ok => plain(outcome),
        (takes, _) => duration(takes, row.timing),
    }
}

/// How far a measured makespan is from what was predicted for it.
pub(super) fn off(model: &Model, schedule: &Schedule) -> Option<String> {
    off_short(model, schedule).map(|off| format!("{off} off prediction"))
}

/// As [`off`], the figure alone.
pub(super) fn off_short(model: &Model, schedule: &Schedule) -> Option<String> {
    let measured = schedule.makespan?;
    let predicted = model.was_predicted(schedule.drawn)?;
    if predicted == Nanos::ZERO {
        return Some(format!("+{measured}"));
    }
    let difference = measured.as_secs_f64() / predicted.as_secs_f64() - 1.0;
    // A thousandth of a percent is noise, and -0.0 is no number for a person.
    let percent = difference * 100.0;
    let percent = if percent.abs() < 0.05 { 0.0 } else { percent };
    Some(format!("{percent:+.1}%"))
}

/// An outcome as it is read: `not run`, `timed out`.
pub(super) fn plain(outcome: Outcome) -> String {
    outcome.word().replace('_', " ")
}

/// A call by index and tool, safe to show.
pub(super) fn name(run: &Run, calls: &[Call], call: usize) -> String {
    format!("{call} {}", tool(run, calls, call))
}

/// A call's tool, safe to show.
pub(super) fn tool<'a>(run: &'a Run, calls: &[Call], call: usize) -> Cow<'a, str> {
    match calls.get(call).map_or("", |call| run.tool(call)) {
        "" => Cow::Borrowed("(no name)"),
        name => clean(name),
    }
}

/// Why a call started when it did, in a column of `cells` cells: the key gives way first.
pub(super) fn cause(run: &Run, cause: Cause, cells: usize) -> String {
    let text = cause.text(&run.keys);
    let Cause::Key { key, after } = cause else {
        return text;
    };
    if width(&text) <= cells {
        return text;
    }
    let without = format!("key after {after}");
    // A piece of a key says nothing unless it is a few characters long.
    match cells.checked_sub(without.len() + 1) {
        Some(room @ 5..) => format!("key {} after {after}", cut_start(run.keys.text(key), room)),
        _ => without,
    }
}

/// A size in bytes, in the unit that a person reads it in.
pub(super) fn size(bytes: u64) -> String {
    let units = [(1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB")];
    let unit = units.into_iter().find(|(unit, _)| bytes >= *unit);
    let Some((unit, name)) = unit else {
        return format!("{bytes} B");
    };
    let tenths = u128::from(bytes) * 10 / u128::from(unit);
    match tenths {
        ..100 => format!("{}.{} {name}", tenths / 10, tenths % 10),
        _ => format!("{} {name}", tenths / 10),
    }
}

/// A number with its noun, `1 call`, `2 calls`.
pub(super) fn count(n: usize, one: &str, several: &str) -> String {
    if n == 1 {
        format!("1 {one}")
    } else {
        format!("{n} {several}")
    }
}

/// As many facts as there is room for, a dot between them. Of the ranked ones those with the
/// highest numbers go first; rank 0 stays.
pub(super) fn fitting(mut facts: Vec<(u8, String)>, skin: Skin, room: usize) -> String {
    facts.retain(|(_, fact)| !fact.is_empty());
    let dot = format!(" {} ", skin.sign(Sign::Dot));
    loop {
        let texts: Vec<&str> = facts.iter().map(|(_, fact)| fact.as_str()).collect();
        let line = texts.join(&dot);
        let least = facts.iter().map(|(rank, _)| *rank).max().unwrap_or(0);
        if least == 0 || width(&line) <= room {
            return line;
        }
        facts.retain(|(rank, _)| *rank != least);
    }
}

/// The queue of a lane in at most `cells` cells: how many calls, and who waited longest.
pub(super) fn queue(lane: &Lane, cells: usize) -> String {
    let calls = count(lane.calls.len(), "call", "calls");
    let Some((waited, call)) = lane.longest_wait else {
        return calls;
    };
    let forms = [
        format!("{calls}, {call} waited {waited}"),
        format!("{call} waited {waited}"),
    ];
    let fits = forms.into_iter().find(|form| width(form) <= cells);
    fits.unwrap_or(calls)
}

/// The calls of a lane in the order in which they ran, as far as a line goes.
pub(super) fn order(
    run: &Run,
    calls: &[Call],
    lane: &Lane,
    schedule: &Schedule,
    skin: Skin,
) -> String {
    /// More calls than this fill more than a line.
    const LINE: usize = 16;
    let steps = lane.calls.iter().zip(&lane.writes).take(LINE);
    let steps = steps.map(|(&call, &writes)| {
        let at = call as usize;
        let waited = schedule.rows.get(at).and_then(Row::waited);
        let waited = waited.filter(|waited| *waited > Nanos::ZERO);
        let waited = waited.map_or_else(String::new, |waited| format!(" (waited {waited})"));
        let verb = if writes { " writes" } else { "" };
        format!("{}{verb}{waited}", name(run, calls, at))
    });
    let arrow = format!(" {} ", skin.sign(Sign::Arrow));
    steps.collect::<Vec<_>>().join(&arrow)
}

/// What a call touches, one line each, and where that comes from.
pub(super) fn effects(run: &Run, call: &Call) -> Vec<String> {
    let source = source(call.source);
    if call.opaque {
        return vec![format!(
            "nothing is known, so it keeps its place before and after every other call ({source})"
        )];
    }
    let list = |keys| {
        let keys = run.keys_in(keys).iter();
        keys.map(|&key| clean(run.keys.text(key)).into_owned())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut lines = Vec::new();
    for (verb, keys) in [("reads", call.reads), ("writes", call.writes)] {
        if keys.len > 0 {
            lines.push(format!("{verb} {}", list(keys)));
        }
    }
    if lines.is_empty() {
        lines.push("reads, without a key".to_owned());
    }
    if call.is_final {
        lines.push("ends the turn".to_owned());
    }
    if let Some(last) = lines.last_mut() {
        last.push_str(&format!(" ({source})"));
    }
    lines
}

/// Where effects come from, in words.
const fn source(source: Source) -> &'static str {
    match source {
        Source::Declared => "declared",
        Source::Hint => "hint of a trusted server",
        Source::Harness => "turnlane's catalog for this harness",
        Source::Assumption => "assumed, not declared",
        Source::Undeclared => "nothing is declared",
        Source::Unknown => "not in the catalog",
    }
}

/// The worst race: a lost update before a stale read, an unknown order last.
fn worst(hazards: &Hazards) -> Option<&Hazard> {
    let rank = |h: &&Hazard| {
        (
            h.kind == HazardKind::UnknownOrder,
            h.kind,
            h.first,
            h.second,
        )
    };
    hazards.list.iter().min_by_key(rank)
}

/// A hazard in words: `lost update 3 → 4 on file:src/a.rs`.
pub(super) fn hazard(run: &Run, hazard: &Hazard, skin: Skin) -> String {
    let key = hazard.key.map_or_else(String::new, |key| {
        format!(" on {}", clean(run.keys.text(key)))
    });
    let (
        arrow,
        Hazard {
            kind,
            first,
            second,
            ..
        },
    ) = (skin.sign(Sign::Arrow), hazard);
    format!("{kind} {first} {arrow} {second}{key}")
}

/// The worst race of a schedule and how many more there are; `None` for none.
pub(super) fn races(run: &Run, hazards: &Hazards, skin: Skin) -> Option<String> {
    let first = worst(hazards)?;
    let more = more(hazards);
    let arrow = skin.sign(Sign::Arrow);
    let key = first.key.map_or_else(String::new, |key| {
        format!(" on {}", clean(run.keys.text(key)))
    });
    Some(format!(
        "{} {}: {} {arrow} {}{key}{more}",
        skin.sign(Sign::Bad),
        first.kind,
        first.first,
        first.second,
    ))
}

/// As [`races`], without the calls and the key.
pub(super) fn races_short(hazards: &Hazards, skin: Skin) -> Option<String> {
    let first = worst(hazards)?;
    Some(format!(
        "{} {}{}",
        skin.sign(Sign::Bad),
        first.kind,
        more(hazards)
    ))
}

fn more(hazards: &Hazards) -> String {
    match hazards.count {
        0 | 1 => String::new(),
        n => format!(" (+{})", n - 1),
    }
}

/// The races of one call with others; `None` for none.
pub(super) fn races_of(run: &Run, hazards: &Hazards, call: usize, skin: Skin) -> Option<String> {
    let is_it = |h: &&Hazard| h.first as usize == call || h.second as usize == call;
    let list: Vec<Hazard> = hazards.list.iter().filter(is_it).copied().collect();
    let count = list.len() as u64;
    races(run, &Hazards { count, list }, skin)
}

/// A saving as an amount of time with its sign: less time is negative.
pub(super) fn saved(savings: Savings, skin: Skin) -> String {
    let sign = match savings.saved {
        0 => return "0 ms".to_owned(),
        1.. => skin.sign(Sign::Minus),
        _ => "+",
    };
    let mark = if savings.timing == Timing::Bound {
        skin.sign(Sign::AtMost)
    } else {
        ""
    };
    format!("{mark}{sign}{}", savings.amount())
}

/// A saving as a share of the turn.
pub(super) fn share(savings: Savings) -> String {
    let Some(share) = savings.share() else {
        return String::new();
    };
    let percent = (share * 100.0).abs();
    match percent {
        0.0 => "0%".to_owned(),
        ..0.05 => "<0.1%".to_owned(),
        ..9.95 => format!("{percent:.1}%"),
        _ => format!("{percent:.0}%"),
    }
}

/// What the figures on the screen rest on instead of what the file says; `None` for nothing.
pub(super) fn assumed(model: &Model) -> Option<String> {
    let assumptions = &model.what_if.assumptions;
    assumptions.is_changed().then(|| {
        let changes = assumed::summary(&assumptions.applied, &assumptions.given);
        format!("assumptions changed: {changes}")
    })
}

/// What the durations under a prediction are, for the title of the what-if.
pub(super) fn basis(report: &TurnReport, schedule: &Schedule) -> String {
    if report.unknown_calls > 0 {
        let calls = count(report.unknown_calls, "call has", "calls have");
        return format!("order only: {calls} no known duration");
    }
    basis_of(schedule.timing, report.overlapped)
}

/// What a prediction rests on.
pub(super) fn basis_of(timing: Timing, overlapped: usize) -> String {
    let basis = match timing {
        Timing::Measured => "predicted from measured durations",
        Timing::Events => "predicted from the harness's begin and end events",
        Timing::Given => "predicted from given durations",
        Timing::Bound => "predicted from upper bounds",
        Timing::Unknown => "order only",
    };
    match overlapped {
        0 => basis.to_owned(),
        n => format!("{basis}; {} overlapped", count(n, "call", "calls")),
    }
}

//! Two schedules of one turn, call by call, in words: which calls moved, which waits have another
//! reason, which races come and go.

use super::model::Model;
use super::report::{Drawn, Row, Schedule, TurnReport};
use super::skin::{Ink, Sign};
use super::standing::shows_races;
use super::words;
use crate::analyze::Figure;
use crate::model::{Cause, Timing};
use crate::schedule::{Hazard, Hazards};
use crate::text;
use crate::time::Nanos;

/// A line of the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Words.
    Text(Ink, String),
    /// The bar of a call in one of the two schedules.
    Bar {
        /// The call's place in its turn.
        call: usize,
        /// Which of the two.
        side: usize,
    },
}

const INDENT: &str = "  ";

/// A schedule's name: the recording or the policy.
pub(super) fn name(drawn: Drawn) -> String {
    match drawn {
        Drawn::Recorded => "recorded".to_owned(),
        Drawn::Predicted(policy) => policy.name().to_owned(),
        Drawn::Measured(policy) => format!("measured: {policy}"),
    }
}

/// As [`name`], for a narrow column.
pub(super) fn short_name(drawn: Drawn) -> String {
    match drawn {
        Drawn::Measured(_) => "replayed".to_owned(),
        drawn => name(drawn),
    }
}

/// The two schedules, where the turn has both.
pub(super) fn sides(report: &TurnReport, drawn: [Drawn; 2]) -> Option<[&Schedule; 2]> {
    let find = |drawn| report.schedules.iter().find(|s| s.drawn == drawn);
    Some([find(drawn[0])?, find(drawn[1])?])
}

/// The comparison in lines of at most `cells` cells, safe to show.
pub(super) fn write(model: &Model, drawn: [Drawn; 2], cells: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let sides = model
        .report
        .as_ref()
        .and_then(|report| sides(report, drawn));
    let Some([before, after]) = sides else {
        return lines;
    };
    let least = least([before, after]);
    let pairs = || before.rows.iter().zip(&after.rows);
    let moved =
        pairs().filter(|(a, b)| moves(a.start, b.start, least) || moves(a.end, b.end, least));
    let summary = summary([before, after], moved.count());
    paragraph(&mut lines, Ink::Strong, "", &summary, cells);
    let limits = limits([before, after], least);
    paragraph(&mut lines, Ink::Dim, "", &limits, cells);
    races(&mut lines, model, [before, after], cells);
    for (call, (a, b)) in pairs().enumerate() {
        lines.push(Line::Text(Ink::Text, String::new()));
        lines.extend([0, 1].map(|side| Line::Bar { call, side }));
        let changed = change(model, drawn, [a, b], least);
        let ink = match &changed {
            Some(_) => Ink::Text,
            None => Ink::Dim,
        };
        let words = changed.unwrap_or_else(|| "the same".to_owned());
        paragraph(&mut lines, ink, INDENT, &words, cells);
    }
    lines
}

/// A shift up to this is none: a runner takes microseconds that virtual time does not.
fn least(sides: [&Schedule; 2]) -> Nanos {
    let extents = sides.map(|side| side.extent.0).into_iter();
    Nanos(extents.max().unwrap_or(0) / 1_000)
}

fn moves(a: Option<Nanos>, b: Option<Nanos>, least: Nanos) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => apart(a, b, "", "").0 > least,
        (a, b) => a.is_some() != b.is_some(),
    }
}

fn paragraph(lines: &mut Vec<Line>, ink: Ink, indent: &str, words: &str, cells: usize) {
    if words.is_empty() {
        return;
    }
    let rows = text::wrap_words(words, cells.saturating_sub(indent.len()).max(1));
    let rows = rows.into_iter();
    lines.extend(rows.map(|row| Line::Text(ink, format!("{indent}{row}"))));
}

/// What the two are worth to each other, the whole turn first.
fn summary([before, after]: [&Schedule; 2], moved: usize) -> String {
    let names = [before, after].map(|side| name(side.drawn));
    let figure = match (before.figure, after.figure) {
        (Figure::Measured, Figure::Measured) => "measured",
        _ => "predicted",
    };
    let [a, b] = [before, after].map(|side| side.makespan.map(|m| side.timing.show(m)));
    let [first, second] = &names;
    let bounded = [before, after]
        .iter()
        .any(|side| side.timing >= Timing::Bound);
    let whole = match (before.makespan.zip(after.makespan), a.zip(b)) {
        (Some((x, y)), Some((a, _))) if x == y => format!("{second} takes as long as {first}: {a}"),
        // The difference of two upper bounds bounds nothing.
        (Some(_), Some((a, b))) if bounded => format!("{second} takes {b}, {first} {a}"),
        (Some((x, y)), Some((a, b))) => {
            let (by, how) = apart(x, y, "shorter", "longer");
            format!("{second} is {by} {how} than {first}: {b} instead of {a}")
        }
        _ => format!("How much shorter or longer {second} is than {first} is unknown"),
    };
    let calls = words::count(before.rows.len(), "call", "calls");
    let moved = match moved {
        0 => format!("None of {calls} moves."),
        n => format!("{n} of {calls} {}.", if n == 1 { "moves" } else { "move" }),
    };
    format!("{whole} ({figure}). {moved}")
}

/// How far apart two times are, and in which direction the second lies.
fn apart(a: Nanos, b: Nanos, less: &'static str, more: &'static str) -> (Nanos, &'static str) {
    if b < a {
        (a.since(b), less)
    } else {
        (b.since(a), more)
    }
}

/// What the shifts below do not say by themselves.
fn limits(sides: [&Schedule; 2], least: Nanos) -> String {
    let words = match sides.map(|side| side.timing).into_iter().max() {
        Some(Timing::Bound) => {
            "Durations are upper bounds, so shifts are rough and waits may be inside them. "
        }
        Some(Timing::Unknown) => {
            "Some durations are unknown: of the calls after them only the order is known. "
        }
        _ => "",
    };
    let small = match least {
        Nanos::ZERO => String::new(),
        least => format!("Shifts up to {least} are left out."),
    };
    format!("{words}{small}")
}

/// The races that only one of the two lets through.
fn races(lines: &mut Vec<Line>, model: &Model, sides: [&Schedule; 2], cells: usize) {
    let [before, after] = sides;
    let names = sides.map(|side| name(side.drawn));
    if sides.iter().any(|side| !shows_races(side)) {
        let words = "Whether the recording let a race through is unknown: its spans are upper \
                     bounds, and what overlaps in them may have waited.";
        paragraph(lines, Ink::Dim, "", words, cells);
        for (side, name) in sides.iter().zip(&names).filter(|(s, _)| shows_races(s)) {
            let title = format!("Races of {name}");
            list(
                lines,
                model,
                &title,
                &side.hazards,
                &Hazards::default(),
                cells,
            );
        }
        return;
    }
    let title = format!("Only under {}", names[1]);
    list(lines, model, &title, &after.hazards, &before.hazards, cells);
    let title = format!("Gone under {}", names[1]);
    list(lines, model, &title, &before.hazards, &after.hazards, cells);
    let both = before.hazards.count.min(after.hazards.count);
    if before.hazards == after.hazards && both > 0 {
        paragraph(lines, Ink::Hazard, "", "The same races in both.", cells);
    } else if both == 0 && before.hazards.count == after.hazards.count {
        paragraph(lines, Ink::Text, "", "No races in either.", cells);
    }
}

/// More races than this are counted.
const MOST: usize = 20;

fn list(
    lines: &mut Vec<Line>,
    model: &Model,
    title: &str,
    these: &Hazards,
    without: &Hazards,
    cells: usize,
) {
    let pair = |h: &Hazard| (h.first, h.second);
    // Where the other list is cut, of the pairs behind its end nothing can be said.
    let end = (without.count > without.list.len() as u64)
        .then(|| without.list.iter().map(|h| h.second).max())
        .flatten();
    let other = |h: &&Hazard| {
        let known = end.is_none_or(|end| h.second < end);
        known && without.list.binary_search_by_key(&pair(h), pair).is_err()
    };
    let new: Vec<&Hazard> = these.list.iter().filter(other).collect();
    let cut = these.count > these.list.len() as u64;
    if new.is_empty() {
        return;
    }
    let races = words::count(new.len(), "race", "races");
    let of = match cut {
        true => format!(" among the first {} of {}", these.list.len(), these.count),
        false => String::new(),
    };
    paragraph(
        lines,
        Ink::Hazard,
        "",
        &format!("{title}: {races}{of}"),
        cells,
    );
    let (run, calls) = (&model.run, model.calls());
    let (bad, arrow) = (model.skin.sign(Sign::Bad), model.skin.sign(Sign::Arrow));
    for hazard in new.iter().take(MOST) {
        let [first, second] =
            [hazard.first, hazard.second].map(|c| words::name(run, calls, c as usize));
        let key = hazard.key.map_or_else(String::new, |key| {
            format!(" on {}", text::clean(run.keys.text(key)))
        });
        let words = format!("{bad} {}: {first} {arrow} {second}{key}", hazard.kind);
        paragraph(lines, Ink::Hazard, INDENT, &words, cells);
    }
    if let Some(more @ 1..) = new.len().checked_sub(MOST) {
        paragraph(
            lines,
            Ink::Hazard,
            INDENT,
            &format!("and {more} more"),
            cells,
        );
    }
}

/// How a call's second row differs from its first; `None` where it does not.
fn change(model: &Model, drawn: [Drawn; 2], [a, b]: [&Row; 2], least: Nanos) -> Option<String> {
    let mut parts = Vec::new();
    parts.extend(shift("starts", a.start, b.start, least));
    parts.extend(shift("ends", a.end, b.end, least));
    parts.extend(wait(model, drawn, [a, b], least));
    if a.outcome != b.outcome {
        let [a, b] = [a.outcome, b.outcome].map(words::plain);
        parts.push(format!("is answered {b} instead of {a}"));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn shift(verb: &str, a: Option<Nanos>, b: Option<Nanos>, least: Nanos) -> Option<String> {
    if !moves(a, b, least) {
        return None;
    }
    match (a, b) {
        (None, None) => None,
        (Some(a), Some(b)) => {
            let (by, how) = apart(a, b, "earlier", "later");
            Some(format!("{verb} {by} {how}"))
        }
        (Some(a), None) => Some(format!("{verb} at a time that is not known instead of {a}")),
        (None, Some(b)) => Some(format!("{verb} at {b}; before, that is not known")),
    }
}

/// How its wait differs, and why.
fn wait(model: &Model, drawn: [Drawn; 2], [a, b]: [&Row; 2], least: Nanos) -> Option<String> {
    let (before, after) = (a.waited()?, b.waited()?);
    let says = |row: &Row| {
        let cause = row.cause.filter(|cause| *cause != Cause::Issued);
        cause.map_or_else(
            || "no recorded reason".to_owned(),
            |cause| reason(model, cause),
        )
    };
    let (why_before, why_after) = (says(a), says(b));
    let name = name(drawn[0]);
    match (before > least, after > least) {
        (false, false) => None,
        (true, false) => Some(format!("does not wait ({name}: {before} for {why_before})")),
        (false, true) => Some(format!(
            "waits {after} for {why_after} ({name}: not at all)"
        )),
        (true, true) => match (
            moves(Some(before), Some(after), least),
            why_before == why_after,
        ) {
            (false, true) => None,
            (false, false) => Some(format!(
                "waits as long for {why_after}, not for {why_before}"
            )),
            (true, true) => Some(format!("waits {after} instead of {before} for {why_after}")),
            (true, false) => Some(format!(
                "waits {after} for {why_after} ({name}: {before} for {why_before})"
            )),
        },
    }
}

/// What a call waited for, as an object of `for`.
fn reason(model: &Model, cause: Cause) -> String {
    let name = |call: u32| words::name(&model.run, model.calls(), call as usize);
    match cause {
        Cause::Issued => "being issued".to_owned(),
        Cause::Approval => "its approval".to_owned(),
        Cause::Slot { after } => format!("the slot of {}", name(after)),
        Cause::Barrier { after } => format!("{}, a barrier", name(after)),
        Cause::After { after } => name(after),
        Cause::Key { key, after } => {
            format!(
                "{} ({})",
                name(after),
                text::clean(model.run.keys.text(key))
            )
        }
    }
}

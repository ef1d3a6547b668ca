//! The text of one call in full: what it was asked, what it answered, what it touches and why
//! it waited.

use super::model::{Detail, Model};
use super::msg::Body;
use super::pretty::pretty;
use super::report::{Row, Schedule};
use super::skin::{Ink, Sign};
use super::{why, words};
use crate::analyze::Figure;
use crate::text;
use crate::time::Nanos;
use crate::trace::Call;

/// A chain of blockers longer than this is not read any more.
const CHAIN: usize = 50;

const INDENT: &str = "  ";

type Lines = Vec<(Ink, String)>;

/// The text in lines of at most `cells` cells, safe to show.
pub(super) fn write(model: &Model, detail: &Detail, cells: usize) -> Lines {
    let mut lines = Lines::new();
    let (Some(call), Some(schedule)) = (model.calls().get(detail.call), model.schedule()) else {
        return lines;
    };
    let Some(row) = schedule.rows.get(detail.call) else {
        return lines;
    };
    let summary = summary(model, schedule, row);
    let summary = text::wrap_words(&summary, cells).into_iter();
    lines.extend(summary.map(|line| (Ink::Text, line)));
    let of = match schedule.figure {
        Figure::Measured => "as recorded",
        Figure::Predicted => "as predicted",
    };
    heading(&mut lines, &format!("Why it started when it did, {of}"));
    why(&mut lines, model, schedule, detail.call, cells);
    heading(&mut lines, "What it touches");
    for line in words::effects(&model.run, call) {
        paragraph(&mut lines, Ink::Text, &line, cells);
    }
    beside(&mut lines, model, call, cells);
    error(&mut lines, model, call, cells);
    let bytes = call.args.len;
    body(&mut lines, "Arguments", detail.args.as_ref(), bytes, cells);
    let bytes = call.answer_bytes.max(call.answer.len);
    body(&mut lines, "Answer", detail.answer.as_ref(), bytes, cells);
    lines
}

/// What the tool said when it failed, as it said it.
fn error(lines: &mut Lines, model: &Model, call: &Call, cells: usize) {
    let error = model.run.names.get(call.error);
    if !error.is_empty() {
        heading(lines, "Error");
        let cells = cells.saturating_sub(INDENT.len()).max(1);
        let rows = text::wrap(error, cells).into_iter();
        lines.extend(rows.map(|row| (Ink::Failed, format!("{INDENT}{row}"))));
    }
}

fn summary(model: &Model, schedule: &Schedule, row: &Row) -> String {
    let dot = format!(" {} ", model.skin.sign(Sign::Dot));
    let mut facts = vec![words::plain(row.outcome)];
    if row.start.is_some() {
        let ran = words::duration(row.takes, row.timing);
        facts.push(match (schedule.figure, row.takes) {
            (_, None) => "for how long it ran is not known".to_owned(),
            (Figure::Measured, _) => format!("ran {ran} ({})", row.timing),
            (Figure::Predicted, _) => format!("would run {ran} ({})", row.timing),
        });
    }
    facts.extend(row.waited().map(|waited| match waited {
        Nanos::ZERO => "did not wait".to_owned(),
        waited => format!("waited {waited}"),
    }));
    facts.extend(row.slot.map(|slot| format!("slot {slot}")));
    let landed = |late| format!("landed late, {late} into the turn");
    facts.extend(row.late.map(landed));
    facts.join(&dot)
}

fn why(lines: &mut Lines, model: &Model, schedule: &Schedule, call: usize, cells: usize) {
    let calls = model.calls();
    let chain = why::chain(&schedule.rows, call, CHAIN);
    for &at in &chain {
        let name = words::name(&model.run, calls, at);
        let why = why::sentence(&model.run, calls, schedule, at);
        paragraph(lines, Ink::Text, &format!("{name} {why}"), cells);
    }
    if chain.len() >= CHAIN {
        lines.push((Ink::Dim, format!("{INDENT}and so on")));
    }
}

/// Earlier calls on its keys that may still have been running: the reader of an answer has to
/// know.
fn beside(lines: &mut Lines, model: &Model, call: &Call, cells: usize) {
    for &other in model.run.indices_in(call.beside) {
        let name = words::name(&model.run, model.calls(), other as usize);
        let line = format!("started while {name} may still have been running on its keys");
        paragraph(lines, Ink::Hazard, &line, cells);
    }
    for pair in model.run.indices_in(call.carried).chunks_exact(2) {
        let line = format!(
            "started while call {} of turn {} may still have been running on its keys",
            pair[1], pair[0]
        );
        paragraph(lines, Ink::Hazard, &line, cells);
    }
}

fn body(
    lines: &mut Lines,
    title: &str,
    body: Option<&Result<Body, String>>,
    bytes: u64,
    cells: usize,
) {
    let size = match body {
        Some(Ok(body)) if (body.text.len() as u64) < body.bytes => {
            format!("{bytes} bytes, the first {} shown", body.text.len())
        }
        _ if bytes == 0 => "none in the file".to_owned(),
        _ => format!("{bytes} bytes"),
    };
    heading(lines, &format!("{title}, {size}"));
    match body {
        None => lines.push((Ink::Dim, format!("{INDENT}reading it"))),
        Some(Err(error)) => paragraph(lines, Ink::Failed, error, cells),
        Some(Ok(body)) => {
            let cells = cells.saturating_sub(INDENT.len()).max(1);
            let rows = text::wrap(&pretty(&body.text), cells).into_iter();
            lines.extend(rows.map(|row| (Ink::Text, format!("{INDENT}{row}"))));
        }
    }
}

fn heading(lines: &mut Lines, title: &str) {
    lines.push((Ink::Text, String::new()));
    lines.push((Ink::Strong, title.to_owned()));
}

fn paragraph(lines: &mut Lines, ink: Ink, words: &str, cells: usize) {
    let cells = cells.saturating_sub(INDENT.len()).max(1);
    let rows = text::wrap_words(words, cells).into_iter();
    lines.extend(rows.map(|row| (ink, format!("{INDENT}{row}"))));
}

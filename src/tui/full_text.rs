//! The text of one call in full: what it was asked, what it answered, what it touches and why
//! it waited.

use super::full_body::{self, Part};
use super::model::{Detail, Fold, Form, Line, Model, Section};
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

/// The text of a call for one width.
#[derive(Debug, Default)]
pub(super) struct Composed {
    pub(super) lines: Vec<Line>,
    /// The forms that the bodies have.
    pub(super) forms: Vec<Form>,
    /// What folding everything folds.
    pub(super) folds: Vec<Fold>,
}

/// The text in lines of at most `cells` cells, safe to show.
pub(super) fn write(model: &Model, detail: &Detail, cells: usize) -> Composed {
    let mut composed = Composed::default();
    let (Some(call), Some(schedule)) = (model.calls().get(detail.call), model.schedule()) else {
        return composed;
    };
    let Some(row) = schedule.rows.get(detail.call) else {
        return composed;
    };
    let head = head(model, schedule, row, call, detail.call, cells);
    composed
        .lines
        .extend(head.into_iter().map(|(ink, text)| Line {
            ink,
            text,
            section: Section::Head,
            fold: None,
        }));
    let blank = model.run.blank;
    let answer_bytes = call.answer_bytes.max(call.answer.len);
    for (section, title, body, bytes) in [
        (Section::Args, "Arguments", &detail.args, call.args.len),
        (Section::Answer, "Answer", &detail.answer, answer_bytes),
    ] {
        let part = Part {
            section,
            title,
            body: body.as_ref(),
            bytes,
            blank,
        };
        full_body::write(&mut composed, detail, &part, cells);
    }
    composed
}

/// What there is to say of a call beside its bodies.
fn head(
    model: &Model,
    schedule: &Schedule,
    row: &Row,
    call: &Call,
    at: usize,
    cells: usize,
) -> Lines {
    let mut lines = Lines::new();
    let summary = summary(model, schedule, row);
    let summary = text::wrap_words(&summary, cells).into_iter();
    lines.extend(summary.map(|line| (Ink::Text, line)));
    let of = match schedule.figure {
        Figure::Measured => "as recorded",
        Figure::Predicted => "as predicted",
    };
    heading(&mut lines, &format!("Why it started when it did, {of}"));
    why(&mut lines, model, schedule, at, cells);
    heading(&mut lines, "What it touches");
    for line in words::effects(&model.run, call) {
        paragraph(&mut lines, Ink::Text, &line, cells);
    }
    beside(&mut lines, model, call, cells);
    error(&mut lines, model, call, cells);
    lines
}

/// The chain of causes in sentences, one a line, as [`write`] shows it.
pub(super) fn why_text(model: &Model, call: usize) -> String {
    let Some(schedule) = model.schedule() else {
        return String::new();
    };
    sentences(model, schedule, call).join("\n")
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
    let sentences = sentences(model, schedule, call);
    for sentence in &sentences {
        paragraph(lines, Ink::Text, sentence, cells);
    }
    if sentences.len() >= CHAIN {
        lines.push((Ink::Dim, format!("{INDENT}and so on")));
    }
}

fn sentences(model: &Model, schedule: &Schedule, call: usize) -> Vec<String> {
    let calls = model.calls();
    let sentence = |&at: &usize| {
        let name = words::name(&model.run, calls, at);
        let why = why::sentence(&model.run, calls, schedule, at);
        format!("{name} {why}")
    };
    let chain = why::chain(&schedule.rows, call, CHAIN);
    chain.iter().map(sentence).collect()
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

fn heading(lines: &mut Lines, title: &str) {
    lines.push((Ink::Text, String::new()));
    lines.push((Ink::Strong, title.to_owned()));
}

fn paragraph(lines: &mut Lines, ink: Ink, words: &str, cells: usize) {
    let cells = cells.saturating_sub(INDENT.len()).max(1);
    let rows = text::wrap_words(words, cells).into_iter();
    lines.extend(rows.map(|row| (ink, format!("{INDENT}{row}"))));
}

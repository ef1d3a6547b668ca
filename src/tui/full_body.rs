//! Arguments and answers in full: pretty with folds, raw, or as a diff.

use std::borrow::Cow;

use super::edits;
use super::full_text::Composed;
use super::model::{Detail, Fold, Form, Line, Section};
use super::msg::Body;
use super::pretty::{blocks, pretty};
use super::skin::Ink;
use crate::text;
use crate::trace::Run;

/// Cells in front of a line of a body: air, or the sign of a fold.
const INDENT: &str = "  ";
const FOLDED: &str = "+ ";
const OPEN: &str = "- ";

/// One of a call's bodies.
pub(super) struct Part<'a> {
    pub(super) section: Section,
    pub(super) title: &'static str,
    pub(super) body: Option<&'a Result<Body, String>>,
    /// Length of the whole.
    pub(super) bytes: u64,
    /// True where it must not be shown.
    pub(super) blank: bool,
}

/// Writes a body with its heading.
pub(super) fn write(composed: &mut Composed, detail: &Detail, part: &Part<'_>, cells: usize) {
    let all = Fold {
        section: part.section,
        line: None,
    };
    let has_text = part.bytes > 0 && !part.blank;
    let folded = has_text && detail.folded.contains(&all);
    let line = |ink, text: String, fold| Line {
        ink,
        text,
        section: part.section,
        fold,
    };
    let fold = has_text.then_some(all);
    composed.lines.push(line(Ink::Text, String::new(), fold));
    let more = if folded { ", folded" } else { "" };
    let heading = format!("{}, {}{more}", part.title, size(part));
    composed.lines.push(line(Ink::Strong, heading, fold));
    if folded {
        return;
    }
    let room = cells.saturating_sub(INDENT.len()).max(1);
    let indented = |ink, row: &str| line(ink, format!("{INDENT}{row}"), fold);
    match part.body {
        _ if part.blank && part.bytes > 0 => {
            composed.lines.push(indented(Ink::Dim, Run::BLANK));
        }
        None => composed.lines.push(indented(Ink::Dim, "reading it")),
        Some(Err(error)) => {
            let rows = text::wrap_words(error, room);
            composed
                .lines
                .extend(rows.iter().map(|row| indented(Ink::Failed, row)));
        }
        Some(Ok(body)) => text_of(composed, detail, part.section, body, room),
    }
}

fn size(part: &Part<'_>) -> String {
    // Once it is read the size is that of the text; until then of what stands in the file.
    let bytes = match part.body {
        Some(Ok(body)) => body.bytes,
        _ => part.bytes,
    };
    match part.body {
        _ if bytes == 0 => "none in the file".to_owned(),
        Some(Ok(body)) if !part.blank && (body.text.len() as u64) < body.bytes => {
            format!(
                "{bytes} bytes, the first {} shown; O opens all of it",
                body.text.len()
            )
        }
        _ => format!("{bytes} bytes"),
    }
}

/// A body in the form that is asked for, where it has it.
fn text_of(composed: &mut Composed, detail: &Detail, section: Section, body: &Body, room: usize) {
    let change = (section == Section::Args)
        .then(|| edits::diff(&body.text))
        .flatten();
    let laid_out = pretty(&body.text);
    let is_json = laid_out != body.text;
    for (form, has) in [
        (Form::Diff, change.is_some()),
        (Form::Pretty, is_json),
        (Form::Raw, is_json || change.is_some()),
    ] {
        if has && !composed.forms.contains(&form) {
            composed.forms.push(form);
        }
    }
    match (detail.form.unwrap_or(Form::Diff), change) {
        (Form::Diff, Some(change)) => {
            for (ink, row) in change {
                // A line of a diff that is long goes on in the next row.
                let rows = text::wrap(&row, room);
                let rows = if rows.is_empty() {
                    vec![String::new()]
                } else {
                    rows
                };
                composed.lines.extend(rows.iter().map(|row| Line {
                    ink,
                    text: format!("{INDENT}{row}"),
                    section,
                    fold: Some(Fold {
                        section,
                        line: None,
                    }),
                }));
            }
        }
        (Form::Raw, _) => folding(composed, detail, section, &body.text, &[], room),
        _ => {
            let ends = if is_json {
                blocks(&laid_out)
            } else {
                Vec::new()
            };
            folding(composed, detail, section, &laid_out, &ends, room);
        }
    }
}

/// Lines of a text of which `ends` says where blocks end; folded ones are one line.
fn folding(
    composed: &mut Composed,
    detail: &Detail,
    section: Section,
    text: &str,
    ends: &[Option<usize>],
    room: usize,
) {
    let fold_at = |line| Fold { section, line };
    // The blocks around a line, the innermost last, each with its end.
    let mut around: Vec<(usize, usize)> = Vec::new();
    let mut hidden_to = 0;
    // No block ends in a text without any: then it is wrapped as one piece.
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        while around.last().is_some_and(|(_, end)| *end < at) {
            around.pop();
        }
        let end = ends.get(at).copied().flatten();
        if end.is_some() && around.len() == 1 {
            composed.folds.push(fold_at(Some(at)));
        }
        if let Some(end) = end {
            around.push((at, end));
        }
        if at < hidden_to {
            continue;
        }
        let folded = end.filter(|_| detail.folded.contains(&fold_at(Some(at))));
        let (sign, shown) = match (end, folded) {
            (_, Some(end)) => {
                hidden_to = end + 1;
                let close = lines.get(end).map_or("", |close| close.trim_start());
                let inside = end.saturating_sub(at + 1);
                let of = if inside == 1 { "line" } else { "lines" };
                (
                    FOLDED,
                    Cow::Owned(format!("{line} … {inside} {of} {close}")),
                )
            }
            (Some(_), None) => (OPEN, Cow::Borrowed(*line)),
            (None, None) => (INDENT, Cow::Borrowed(*line)),
        };
        let fold = fold_at(around.last().map(|(start, _)| *start));
        let rows = text::wrap(&shown, room);
        let rows = if rows.is_empty() {
            vec![String::new()]
        } else {
            rows
        };
        for (row, text) in rows.iter().enumerate() {
            let sign = if row == 0 { sign } else { INDENT };
            composed.lines.push(Line {
                ink: Ink::Text,
                text: format!("{sign}{text}"),
                section,
                fold: Some(fold),
            });
        }
    }
}

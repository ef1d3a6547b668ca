//! One call in full: opening it, taking its bodies in, scrolling, folding.

use super::dispatch::moved;
use crate::trace::BodyRef;
use crate::tui::full_text;
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::{Detail, Model, Overlay, Section};
use crate::tui::msg::{Body, Cmd};

/// Opens the selected call and asks for its bodies.
pub(super) fn open(model: &mut Model) -> Option<Cmd> {
    model.calls().get(model.call)?;
    model.overlay = Some(Overlay::Detail(Box::new(Detail {
        call: model.call,
        ..Detail::default()
    })));
    load(model)
}

/// Asks for the bodies of the open call, where they may be shown.
pub(super) fn load(model: &mut Model) -> Option<Cmd> {
    let first = model.turn_at(model.turn)?.calls.start as usize;
    let Some(Overlay::Detail(detail)) = &model.overlay else {
        return None;
    };
    let at = detail.call;
    let call = model.calls().get(at)?;
    let (args, answer) = (call.args, call.answer);
    let nothing = |at: BodyRef| (at.len == 0).then(|| Ok(Body::default()));
    if let Some(Overlay::Detail(detail)) = &mut model.overlay {
        (detail.args, detail.answer) = (nothing(args), nothing(answer));
    }
    compose(model);
    let wanted = !model.run.blank && (args.len > 0 || answer.len > 0);
    wanted.then_some(Cmd::Load {
        call: first + at,
        args,
        answer,
    })
}

/// Takes the bodies in, if the call is still open and they may be shown.
pub(super) fn loaded(
    model: &mut Model,
    call: usize,
    args: Result<Body, String>,
    answer: Result<Body, String>,
) {
    let first = model
        .turn_at(model.turn)
        .map(|turn| turn.calls.start as usize);
    let blank = model.run.blank;
    let Some(Overlay::Detail(detail)) = &mut model.overlay else {
        return;
    };
    if !blank && first.map(|first| first + detail.call) == Some(call) {
        detail.args = Some(args);
        detail.answer = Some(answer);
        compose(model);
    }
}

/// Moves the cursor, folds, and changes the form.
pub(super) fn act(model: &mut Model, action: Action) -> Option<Cmd> {
    let rows = text_area(model).1;
    let Some(Overlay::Detail(detail)) = &mut model.overlay else {
        return None;
    };
    if let Some(to) = moved(detail.at, detail.lines.len(), rows, action) {
        detail.at = to;
        follow(detail, rows);
        return None;
    }
    match action {
        Action::Open => fold(model),
        Action::FoldAll => fold_all(model),
        Action::NextForm => next_form(model),
        Action::Page => return page(model),
        _ => {}
    }
    None
}

/// Scrolls so far that the cursor can be seen.
fn follow(detail: &mut Detail, rows: usize) {
    let rows = rows.max(1);
    let last = detail.lines.len().saturating_sub(1);
    detail.at = detail.at.min(last);
    let lowest = (detail.at + 1).saturating_sub(rows);
    let end = detail.lines.len().saturating_sub(rows).max(lowest);
    detail.top = detail.top.clamp(lowest, detail.at).min(end);
}

/// Folds or unfolds what the cursor is in; the cursor goes to where it starts.
fn fold(model: &mut Model) {
    let Some(Overlay::Detail(detail)) = &mut model.overlay else {
        return;
    };
    let Some(fold) = detail.lines.get(detail.at).and_then(|line| line.fold) else {
        model.notice = Some("Nothing folds here: go to the arguments or the answer.".to_owned());
        return;
    };
    if !detail.folded.remove(&fold) {
        detail.folded.insert(fold);
    }
    // A body folds into its heading, which comes after a row of air.
    let heading = usize::from(fold.line.is_none());
    compose(model);
    if let Some(Overlay::Detail(detail)) = &mut model.overlay {
        let start = detail.lines.iter().position(|line| line.fold == Some(fold));
        detail.at = start.map_or(detail.at, |start| start + heading);
    }
    compose(model);
}

/// Folds every block of the second level, or unfolds all there is.
fn fold_all(model: &mut Model) {
    if let Some(Overlay::Detail(detail)) = &mut model.overlay {
        if detail.folded.is_empty() {
            detail.folded = detail.folds.iter().copied().collect();
        } else {
            detail.folded.clear();
        }
    }
    compose(model);
}

fn next_form(model: &mut Model) {
    let Some(Overlay::Detail(detail)) = &mut model.overlay else {
        return;
    };
    let forms = &detail.forms;
    if forms.len() < 2 {
        model.notice = Some("These bodies are plain text: there is no other form.".to_owned());
        return;
    }
    let now = detail.form.unwrap_or(forms[0]);
    let at = forms.iter().position(|form| *form == now).unwrap_or(0);
    detail.form = Some(forms[(at + 1) % forms.len()]);
    detail.folded.clear();
    compose(model);
}

/// Gives the body that the cursor is in to the pager; from outside of both the answer.
fn page(model: &mut Model) -> Option<Cmd> {
    let Some(Overlay::Detail(detail)) = &model.overlay else {
        return None;
    };
    if model.run.blank {
        model.notice = Some("Payloads are blanked; X shows them again.".to_owned());
        return None;
    }
    let call = model.calls().get(detail.call)?;
    let section = detail.lines.get(detail.at).map(|line| line.section);
    let body = match section {
        Some(Section::Args) => call.args,
        _ if call.answer.len > 0 => call.answer,
        _ => call.args,
    };
    if body.len == 0 {
        model.notice = Some("The file holds no body of this call.".to_owned());
        return None;
    }
    Some(Cmd::Page { body })
}

fn text_area(model: &Model) -> (usize, usize) {
    let area = model
        .panels()
        .map(|panels| layout::overlay_text(layout::overlay(&panels)));
    area.map_or((0, 0), |area| (area.width.into(), area.height.into()))
}

/// Writes the text of an open call for the width of the screen. Wrapping a long answer takes
/// time, so it happens here and not while drawing.
pub(super) fn compose(model: &mut Model) {
    let Some(Overlay::Detail(detail)) = &model.overlay else {
        return;
    };
    let (cells, rows) = text_area(model);
    let composed = full_text::write(model, detail, cells);
    if let Some(Overlay::Detail(detail)) = &mut model.overlay {
        detail.lines = composed.lines;
        detail.forms = composed.forms;
        detail.folds = composed.folds;
        follow(detail, rows);
    }
}

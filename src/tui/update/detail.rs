//! One call in full: opening it, taking its bodies in, scrolling.

use super::dispatch::scrolled;
use crate::trace::BodyRef;
use crate::tui::full_text;
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::{Detail, Model, Overlay};
use crate::tui::msg::{Body, Cmd};

/// Opens the selected call and asks for its bodies.
pub(super) fn open(model: &mut Model) -> Option<Cmd> {
    let call = model.calls().get(model.call)?;
    let (args, answer) = (call.args, call.answer);
    let global = model.turn_at(model.turn)?.calls.start as usize + model.call;
    let nothing = |at: BodyRef| (at.len == 0).then(|| Ok(Body::default()));
    model.overlay = Some(Overlay::Detail(Box::new(Detail {
        call: model.call,
        args: nothing(args),
        answer: nothing(answer),
        ..Detail::default()
    })));
    compose(model);
    (args.len > 0 || answer.len > 0).then_some(Cmd::Load {
        call: global,
        args,
        answer,
    })
}

/// Takes the bodies in, if the call is still open.
pub(super) fn loaded(
    model: &mut Model,
    call: usize,
    args: Result<Body, String>,
    answer: Result<Body, String>,
) {
    let first = model
        .turn_at(model.turn)
        .map(|turn| turn.calls.start as usize);
    let Some(Overlay::Detail(detail)) = &mut model.overlay else {
        return;
    };
    if first.map(|first| first + detail.call) == Some(call) {
        detail.args = Some(args);
        detail.answer = Some(answer);
        compose(model);
    }
}

/// Scrolls.
pub(super) fn act(model: &mut Model, action: Action) {
    let rows = text_area(model).1;
    if let Some(Overlay::Detail(detail)) = &mut model.overlay
        && let Some(to) = scrolled(detail.top, detail.lines.len(), rows, action)
    {
        detail.top = to;
    }
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
    let lines = full_text::write(model, detail, cells);
    if let Some(Overlay::Detail(detail)) = &mut model.overlay {
        detail.top = detail.top.min(lines.len().saturating_sub(rows));
        detail.lines = lines;
    }
}

//! Two schedules of the turn, call by call: marking them, opening, scrolling.

use super::dispatch::scrolled;
use crate::tui::compare;
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::{Compare, Model, Overlay};

/// Marks the schedule that is drawn, or compares it with the marked one.
pub(super) fn mark_or_open(model: &mut Model) {
    let calls = model.calls().len();
    if calls == 0 {
        model.notice = Some("This turn has no calls to compare.".to_owned());
        return;
    }
    let here = model.drawn;
    let name = compare::name(here);
    match model.what_if.mark.take() {
        Some(mark) if mark == here => {
            model.notice = Some(format!("{name} is not marked any more."));
        }
        Some(mark) => {
            model.overlay = Some(Overlay::Compare(Box::new(Compare {
                sides: [mark, here],
                lines: Vec::new(),
                top: 0,
            })));
            compose(model);
        }
        None => {
            model.what_if.mark = Some(here);
            model.notice = Some(format!(
                "{name} is marked: go to another schedule (p, or in the what-if) and press c \
                 again to compare the two."
            ));
        }
    }
}

/// Scrolls.
pub(super) fn act(model: &mut Model, action: Action) {
    let rows = text_area(model).1;
    if let Some(Overlay::Compare(open)) = &mut model.overlay
        && let Some(to) = scrolled(open.top, open.lines.len(), rows, action)
    {
        open.top = to;
    }
}

fn text_area(model: &Model) -> (usize, usize) {
    let area = model
        .panels()
        .map(|panels| layout::compare_parts(layout::overlay(&panels)).1);
    area.map_or((0, 0), |area| (area.width.into(), area.height.into()))
}

/// Writes what there is to say for the width of the screen.
pub(super) fn compose(model: &mut Model) {
    let Some(Overlay::Compare(open)) = &model.overlay else {
        return;
    };
    let (cells, rows) = text_area(model);
    let lines = compare::write(model, open.sides, cells);
    if let Some(Overlay::Compare(open)) = &mut model.overlay {
        open.top = open.top.min(lines.len().saturating_sub(rows));
        open.lines = lines;
    }
}

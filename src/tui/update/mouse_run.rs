//! The mouse on the whole run.

use super::run;
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::{Model, Panel};
use crate::tui::spot::row_at;

/// Selects the thread under the pointer, and its turn at that time.
pub(super) fn press(model: &mut Model, at: (u16, u16)) {
    let Some(panel) = model.panels().and_then(|panels| panels.timeline) else {
        return;
    };
    let Some(row) = row_at(layout::run_parts(panel).rows, at) else {
        return;
    };
    model.focus = Panel::Timeline;
    let listed = &model.run_view.listed;
    let Some(&thread) = listed.get(model.run_view.first_row + row) else {
        return;
    };
    run::select_thread(model, thread as usize);
    let time = cell(model, at.0).and_then(|cell| {
        let whole = model.run_view.whole()?;
        let view = model.run_axis(&whole.folds, model.run_cells()?);
        let time = view.time_at(cell);
        Some((time, model.thread_row()?.place_at(time)))
    });
    let Some((time, place)) = time else { return };
    let place = place.min(model.turns().len().saturating_sub(1));
    if place != model.turn {
        model.turn = place;
        model.turn_changed();
    }
    model.run_view.at = Some(time);
}

/// Goes through the threads; on the axis, or where `zooms`, it zooms about the pointer.
pub(super) fn wheel(model: &mut Model, at: (u16, u16), zooms: bool, step: Action) {
    let Some(panel) = model.panels().and_then(|panels| panels.timeline) else {
        return;
    };
    let parts = layout::run_parts(panel);
    let on_axis = [parts.axis, parts.mark];
    let on_axis = on_axis.iter().any(|area| row_at(*area, at).is_some());
    match (row_at(parts.rows, at), cell(model, at.0)) {
        (_, Some(cell)) if on_axis || zooms => zoom(model, cell, step),
        (Some(_), _) => run::act(model, step),
        _ => {}
    }
}

fn zoom(model: &mut Model, cell: u16, step: Action) {
    let Some(whole) = model.run_view.whole() else {
        return;
    };
    let view = model.run_axis(&whole.folds, model.run_cells().unwrap_or(80));
    let about = view.view.time_at(cell);
    let zoom = match step {
        Action::Up => view.view.zoom_in(about),
        _ => view.view.zoom_out(about),
    };
    model.run_view.zoom = (zoom.level() > 0).then_some(zoom);
}

/// The cell of the axis in a column of the screen.
fn cell(model: &Model, column: u16) -> Option<u16> {
    let panel = model.panels()?.timeline?;
    let bar = model.run_columns(layout::run_parts(panel).rows).bar;
    let cell = column.checked_sub(bar.0)?;
    (cell < bar.1).then_some(cell)
}

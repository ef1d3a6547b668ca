//! The calls of the selected turn, and the part of time that is on the screen.

use super::dispatch::moved;
use crate::chart::Viewport;
use crate::time::Nanos;
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::Model;

pub(super) fn act(model: &mut Model, action: Action) {
    let panel = model.panels().and_then(|panels| panels.timeline);
    let page = panel.map_or(1, |panel| layout::timeline_parts(panel).calls.height.into());
    if let Some(call) = moved(model.call, model.calls().len(), page, action) {
        model.call = call;
    }
}

/// Zooms and pans. The zoom is about the start of the selected call.
pub(super) fn look(model: &mut Model, action: Action) {
    let view = model.viewport(model.bar_cells().unwrap_or(80));
    let about = about(model, &view);
    let step = i32::from(view.cells() / 4).max(1);
    let view = match action {
        Action::ZoomIn => view.zoom_in(about),
        Action::ZoomOut => view.zoom_out(about),
        Action::PanLeft => view.pan(-step),
        Action::PanRight => view.pan(step),
        _ => Viewport::fit(view.extent(), view.cells()),
    };
    model.zoom = (view.level() > 0).then_some(view);
}

fn about(model: &Model, view: &Viewport) -> Nanos {
    let rows = model.schedule().map(|schedule| &schedule.rows);
    let row = rows.and_then(|rows| rows.get(model.call));
    let window = view.window();
    let at = row.map_or(window.start, |row| row.start.unwrap_or(row.issued));
    // Of a call off the screen nothing would be seen: then the middle stays where it is.
    if at < window.start || at > window.end {
        return Nanos(window.start.0 + window.len().0 / 2);
    }
    at
}

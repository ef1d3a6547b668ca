//! The calls of the selected turn, and the part of time that is on the screen.

use super::dispatch::moved;
use crate::chart::Viewport;
use crate::time::{Nanos, Span};
use crate::tui::keymap::Action;
use crate::tui::lanes::LaneBy;
use crate::tui::layout;
use crate::tui::model::Model;

pub(super) fn act(model: &mut Model, action: Action) {
    let panel = model.panels().and_then(|panels| panels.timeline);
    let page = panel.map_or(1, |panel| layout::timeline_parts(panel).calls.height.into());
    let (place, lanes) = model.lane_place();
    if let Some(to) = moved(place, lanes, page, action) {
        model.select_lane(to);
    }
}

/// Zooms and pans. The zoom is about the cursor, else about the start of the selected call.
pub(super) fn look(model: &mut Model, action: Action) {
    let view = model.viewport(model.bar_cells().unwrap_or(80));
    let about = about(model, &view);
    let step = i32::from(view.cells() / 4).max(1);
    let view = match action {
        Action::ZoomIn => view.zoom_in(about),
        Action::ZoomOut => view.zoom_out(about),
        Action::PanLeft => view.pan(-step),
        Action::PanRight => view.pan(step),
        Action::FitSelection => closest(model, view),
        _ => Viewport::fit(view.extent(), view.cells()),
    };
    model.zoom = (view.level() > 0).then_some(view);
}

/// As close as the selected call, with what it waited, fills the screen.
fn closest(model: &Model, view: Viewport) -> Viewport {
    let rows = model.schedule().map(|schedule| &schedule.rows);
    let Some(row) = rows.and_then(|rows| rows.get(model.call)) else {
        return view;
    };
    let end = row.end.or(row.start).unwrap_or(row.issued);
    view.closest_to(Span::new(row.issued, end.max(row.issued)))
}

/// Moves the time cursor by cells; where there is none, puts it on the selected call.
pub(super) fn point(model: &mut Model, cells: i32) {
    let view = model.viewport(model.bar_cells().unwrap_or(80));
    let at = match model.timeline.cursor {
        None => about(model, &view),
        Some(at) => {
            let cell = view.cell(at).map_or(0, i32::from);
            let to = cell + cells;
            let inside = (0..i32::from(view.cells())).contains(&to);
            match u16::try_from(to) {
                Ok(to) if inside => view.time_at(to),
                // At the edge of the window it is the window that moves.
                _ => {
                    let moved = view.pan(cells);
                    model.zoom = (moved.level() > 0).then_some(moved);
                    let window = moved.window();
                    if cells < 0 { window.start } else { window.end }
                }
            }
        }
    };
    model.timeline.cursor = Some(at);
    if model.timeline.by != LaneBy::Call {
        model.select_lane(model.timeline.lane);
    }
}

/// Goes on to the next kind of lanes; the selected call stays.
pub(super) fn next_lanes(model: &mut Model) {
    model.timeline.by = model.timeline.by.next();
    model.find_lane();
}

fn about(model: &Model, view: &Viewport) -> Nanos {
    if let Some(at) = model.timeline.cursor {
        return at;
    }
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

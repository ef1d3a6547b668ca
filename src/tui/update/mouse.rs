//! The mouse: what lies under the pointer is what the keys would go to.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::{dispatch, mouse_run, run, sessions, timeline, turns, what_if};
use crate::time::Span;
use crate::tui::keymap::Action;
use crate::tui::lanes::LaneBy;
use crate::tui::layout;
use crate::tui::model::{Drag, Model, Overlay, Panel};
use crate::tui::msg::Cmd;
use crate::tui::session_layout::session_parts;
use crate::tui::spot::{Spot, row_at, spot};

/// Takes the mouse, or gives it back to the terminal.
pub(super) fn toggle(model: &mut Model) -> Cmd {
    model.mouse.on = !model.mouse.on;
    model.mouse.drag = None;
    let words = if model.mouse.on {
        "The mouse selects, scrolls and zooms. m gives it back; most terminals select text with Shift held."
    } else {
        "The mouse is the terminal's again: text can be selected."
    };
    model.notice = Some(words.to_owned());
    Cmd::Mouse(model.mouse.on)
}

pub(super) fn act(model: &mut Model, event: MouseEvent) -> Vec<Cmd> {
    model.touched = true;
    let at = (event.column, event.row);
    let wheel = match event.kind {
        MouseEventKind::ScrollUp => Some(Action::Up),
        MouseEventKind::ScrollDown => Some(Action::Down),
        _ => None,
    };
    match (&model.overlay, wheel) {
        (Some(_), Some(step)) => return dispatch::act(model, step),
        (Some(Overlay::Sessions), None) => return on_sessions(model, event.kind, at),
        (Some(_), None) => {}
        (None, Some(step)) => turn_wheel(model, event.modifiers, at, step),
        (None, None) => on_panels(model, event.kind, at),
    }
    model.keep_in_view();
    Vec::new()
}

/// A press selects; a press on what is selected opens it.
fn on_sessions(model: &mut Model, kind: MouseEventKind, at: (u16, u16)) -> Vec<Cmd> {
    let row = model.panels().and_then(|panels| {
        let rows = session_parts(layout::overlay(&panels)).rows;
        row_at(rows, at)
    });
    let (MouseEventKind::Down(MouseButton::Left), Some(row)) = (kind, row) else {
        return Vec::new();
    };
    let place = model.sessions.first + row;
    if place == model.sessions.at {
        return sessions::open_selected(model);
    }
    if place < model.sessions.len() {
        model.sessions.at = place;
    }
    Vec::new()
}

fn on_panels(model: &mut Model, kind: MouseEventKind, at: (u16, u16)) {
    match kind {
        MouseEventKind::Down(MouseButton::Left) => press(model, at),
        MouseEventKind::Drag(MouseButton::Left) => drag(model, at.0),
        MouseEventKind::Up(MouseButton::Left) => release(model),
        MouseEventKind::ScrollLeft => pan(model, Action::PanLeft),
        MouseEventKind::ScrollRight => pan(model, Action::PanRight),
        _ => {}
    }
}

fn pan(model: &mut Model, action: Action) {
    if model.run_view.shown {
        run::look(model, action);
    } else {
        timeline::look(model, action);
    }
}

/// What lies under the pointer; nothing of a turn while the whole run is in its place.
fn spot_at(model: &Model, at: (u16, u16)) -> Option<Spot> {
    let mut panels = model.panels()?;
    if model.run_view.shown {
        panels.timeline = None;
    }
    let parts = panels.timeline.map(layout::timeline_parts);
    let columns = parts.map_or_else(layout::Columns::default, |parts| model.columns(parts.calls));
    spot(&panels, &columns, at)
}

fn press(model: &mut Model, at: (u16, u16)) {
    model.mouse.drag = None;
    match spot_at(model, at) {
        Some(Spot::Turn(row)) => {
            model.focus = Panel::Turns;
            let turn = model.first_turn + row;
            if turn < model.turns().len() {
                turns::select(model, turn);
            }
        }
        Some(Spot::Lane { row, cell }) => {
            model.focus = Panel::Timeline;
            select(model, row, cell);
            model.mouse.drag = cell.map(|cell| Drag {
                from: cell,
                to: cell,
            });
        }
        Some(Spot::Axis(cell)) => {
            model.focus = Panel::Timeline;
            model.mouse.drag = Some(Drag {
                from: cell,
                to: cell,
            });
        }
        Some(Spot::Schedule(row)) => {
            model.focus = Panel::WhatIf;
            what_if::choose_row(model, row);
        }
        None if model.run_view.shown => mouse_run::press(model, at),
        None => {}
    }
}

/// Selects a lane, and of several calls in it the one that ran where the pointer is.
fn select(model: &mut Model, row: usize, cell: Option<u16>) {
    let first = match model.timeline.by {
        LaneBy::Call => model.first_call,
        _ => model.timeline.first_lane,
    };
    let place = first + row;
    if place >= model.lane_place().1 {
        return;
    }
    model.select_lane(place);
    let at = cell.zip(model.bar_cells());
    let at = at.map(|(cell, cells)| model.viewport(cells).time_at(cell));
    let lane = model.timeline.lanes.get(place);
    if let Some(call) = at.and_then(|at| lane?.body_at(at)) {
        model.call = call as usize;
    }
}

fn drag(model: &mut Model, column: u16) {
    let Some(bar) = model.bar_column() else {
        return;
    };
    if let Some(drag) = &mut model.mouse.drag {
        drag.to = column.saturating_sub(bar.0).min(bar.1.saturating_sub(1));
    }
}

/// Zooms to what was dragged over.
fn release(model: &mut Model) {
    let drag = model.mouse.drag.take().and_then(Drag::cells);
    let (Some((from, to)), Some(cells)) = (drag, model.bar_cells()) else {
        return;
    };
    let before = model.viewport(cells);
    let view = before;
    let wanted = Span::new(view.time_at(from), view.time_at(to.saturating_add(1)));
    let view = view.closest_to(wanted);
    if view == before {
        model.notice = Some("That part of the axis is as close as it fits already.".to_owned());
    }
    model.zoom = (view.level() > 0).then_some(view);
}

/// The wheel moves through what is under it; on the axis, or with Ctrl, it zooms there.
fn turn_wheel(model: &mut Model, held: KeyModifiers, at: (u16, u16), step: Action) {
    let zooms = held.contains(KeyModifiers::CONTROL);
    match spot_at(model, at) {
        Some(Spot::Axis(cell)) => zoom(model, cell, step),
        Some(Spot::Lane {
            cell: Some(cell), ..
        }) if zooms => zoom(model, cell, step),
        Some(Spot::Lane { .. }) => timeline::act(model, step),
        Some(Spot::Turn(_)) => turns::act(model, step),
        Some(Spot::Schedule(_)) => what_if::act(model, step),
        None if model.run_view.shown => mouse_run::wheel(model, at, zooms, step),
        None => {}
    }
}

fn zoom(model: &mut Model, cell: u16, step: Action) {
    let view = model.viewport(model.bar_cells().unwrap_or(80));
    let about = view.time_at(cell);
    let view = match step {
        Action::Up => view.zoom_in(about),
        _ => view.zoom_out(about),
    };
    model.zoom = (view.level() > 0).then_some(view);
}

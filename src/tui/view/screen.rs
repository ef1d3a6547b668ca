//! The whole screen.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::paint::Painter;
use super::{
    assumptions, compare, copy, detail, header, help, minimap, places, race, run, search, sessions,
    timeline, turns, what_if,
};
use crate::tui::layout::{self, SMALLEST};
use crate::tui::model::{Drag, Model, Overlay};
use crate::tui::skin::Ink;

/// Draws the state for the size of the frame. Changes nothing.
pub fn view(model: &Model, frame: &mut Frame<'_>) {
    let area = frame.area();
    let mut painter = Painter::new(frame.buffer_mut(), model.skin);
    painter.clear(area);
    let size = (area.width, area.height);
    let Some(panels) = model.panels_at(size) else {
        let text = format!(
            "too small: {}x{}, needs {}x{}",
            size.0, size.1, SMALLEST.0, SMALLEST.1
        );
        painter.put(area, 0, 0, &text, Ink::Text);
        return;
    };
    header::draw(&mut painter, model, panels.header);
    if let Some(area) = panels.turns {
        turns::draw(&mut painter, model, area);
    }
    if let Some(area) = panels.timeline {
        if model.run_view.shown {
            run::draw(&mut painter, model, area);
        } else {
            timeline::draw(&mut painter, model, area);
            minimap::draw(&mut painter, model, layout::timeline_parts(area).minimap);
            dragged(&mut painter, model, area);
        }
    }
    if let Some(area) = panels.what_if {
        what_if::draw(&mut painter, model, area);
    }
    match &model.overlay {
        Some(Overlay::Help { top }) => {
            help::draw(&mut painter, &model.keymap, layout::overlay(&panels), *top);
        }
        Some(Overlay::Sessions) => sessions::draw(&mut painter, model, layout::overlay(&panels)),
        Some(Overlay::Detail(open)) => {
            detail::draw(&mut painter, model, open, layout::overlay(&panels));
        }
        Some(Overlay::Race(open)) => {
            race::draw(&mut painter, model, open, layout::overlay(&panels));
        }
        Some(Overlay::Assumptions(open)) => {
            assumptions::draw(&mut painter, model, open, &panels);
        }
        Some(Overlay::Compare(open)) => {
            compare::draw(&mut painter, model, open, layout::overlay(&panels));
        }
        Some(Overlay::Search) => search::draw(&mut painter, model, layout::overlay(&panels)),
        Some(Overlay::Places(list)) => {
            places::draw(&mut painter, model, *list, layout::overlay(&panels));
        }
        Some(Overlay::Copy(menu)) => {
            copy::draw(&mut painter, model, menu, layout::overlay(&panels));
        }
        None => {}
    }
}

/// Marks the part of the time axis that is being dragged over.
fn dragged(painter: &mut Painter<'_>, model: &Model, timeline: Rect) {
    let cells = model.mouse.drag.and_then(Drag::cells);
    if let (Some((from, to)), Some(bar)) = (cells, model.bar_column()) {
        let axis = layout::timeline_parts(timeline).axis;
        let bars = Rect {
            x: bar.0,
            width: bar.1,
            ..axis
        };
        painter.reverse(bars, from, 0, to.saturating_sub(from) + 1);
    }
}

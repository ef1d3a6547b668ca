//! The selected call in words: why it started when it did, what it touches, whom it races; of a
//! lane of several calls their order.

use ratatui::layout::Rect;

use crate::text;
use crate::tui::model::Model;
use crate::tui::report::Schedule;
use crate::tui::skin::Ink;
use crate::tui::view::paint::Painter;
use crate::tui::{why, words};

/// Cells before the text.
const LABEL: u16 = 10;

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, area: Rect, schedule: &Schedule) {
    let Some(call) = model.calls().get(model.call) else {
        return;
    };
    let why = why::line(&model.run, model.calls(), schedule, model.call);
    let touches = words::effects(&model.run, call).join("; ");
    let races = words::races_of(&model.run, &schedule.hazards, model.call, painter.skin);
    let second = match model.timeline.lanes.get(model.timeline.lane) {
        Some(lane) => {
            let order = words::order(&model.run, model.calls(), lane, schedule, painter.skin);
            ("order", order)
        }
        None => ("touches", touches),
    };
    let room = usize::from(area.width.saturating_sub(LABEL + 1));
    let spare = usize::from(area.height.saturating_sub(4));
    let why = sentences(&why, room, spare + 1);
    let mut lines = vec![("why", why.first().cloned().unwrap_or_default(), Ink::Text)];
    lines.extend(why.into_iter().skip(1).map(|line| ("", line, Ink::Text)));
    lines.push((second.0, second.1, Ink::Text));
    lines.extend(races.map(|races| ("races", races, Ink::Hazard)));
    let air = u16::from(area.height > 3);
    for (y, (label, text, ink)) in (air..area.height).zip(lines) {
        painter.put(area, 1, y, label, Ink::Dim);
        painter.put(area, LABEL, y, &text, ink);
    }
}

/// At most so many lines of a text; the last one is cut where there is more.
fn sentences(text: &str, cells: usize, most: usize) -> Vec<String> {
    let mut lines = text::wrap_words(text, cells.max(1));
    if lines.len() > most {
        let rest = lines.split_off(most.saturating_sub(1)).join(" ");
        lines.push(rest);
    }
    lines
}

//! The list of turns: number, calls, the model's time, the time of the tools.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use crate::text::{fit, fit_right};
use crate::time::Span;
use crate::tui::layout;
use crate::tui::model::{Model, Panel};
use crate::tui::skin::{Ink, Sign};
use crate::tui::words;

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, panel: Rect) {
    let rows = layout::turn_rows(panel);
    let place = match model.turns().len() {
        len if len > rows => format!("{} of {len}", model.turn + 1),
        _ => String::new(),
    };
    painter.panel(
        panel,
        &Title {
            left: "Turns",
            right: &place,
            right_ink: Ink::Dim,
            focused: model.focus == Panel::Turns,
        },
    );
    let area = layout::inner(panel);
    let shape = Shape {
        digits: model
            .turns()
            .len()
            .checked_ilog10()
            .map_or(3, |n| n as usize + 1)
            .max(3),
        wide: area.width >= 30,
    };
    let heading = shape.line(" ", "#", "calls", "model", "tools");
    painter.put(area, 0, 0, &heading, Ink::Dim);
    let last = (model.first_turn + rows).min(model.turns().len());
    for (y, place) in (1..).zip(model.first_turn..last) {
        row(painter, model, area, y, place, &shape);
    }
}

fn row(painter: &mut Painter<'_>, model: &Model, area: Rect, y: u16, place: usize, shape: &Shape) {
    let Some(turn) = model.turn_at(place) else {
        return;
    };
    let here = place == model.turn;
    let marker = if here {
        painter.skin.sign(Sign::Here)
    } else {
        " "
    };
    let nothing = painter.skin.sign(Sign::Dot).to_owned();
    let seen = model.seen.get(&model.turns()[place]);
    let (calls, tools) = match (turn.calls.len, seen) {
        (0, _) => (nothing.clone(), nothing),
        (n, Some(seen)) => (n.to_string(), words::duration(seen.makespan, seen.timing)),
        (n, None) => (n.to_string(), String::new()),
    };
    let time = words::duration(turn.model.map(Span::len), turn.model_timing);
    let line = shape.line(marker, &turn.number.to_string(), &calls, &time, &tools);
    let ink = match turn.calls.len {
        _ if here => Ink::Selected,
        0 => Ink::Dim,
        _ => Ink::Text,
    };
    let x = painter.put(area, 0, y, &line, ink);
    let search = model.find.search.as_ref();
    if search.is_some_and(|search| search.is_in(model.thread, place)) {
        let gap = u16::try_from(shape.digits + 1).unwrap_or(u16::MAX);
        painter.put(area, gap, y, painter.skin.sign(Sign::Match), Ink::Strong);
    }
    if model.find.is_marked(model.thread, place) {
        painter.put(area, x, y, painter.skin.sign(Sign::Mark), Ink::Strong);
    }
    if seen.is_some_and(|seen| seen.races) {
        painter.put(area, x + 1, y, painter.skin.sign(Sign::Bad), Ink::Hazard);
    }
}

/// The widths of the columns.
struct Shape {
    digits: usize,
    wide: bool,
}

impl Shape {
    fn line(&self, marker: &str, number: &str, calls: &str, model: &str, tools: &str) -> String {
        let number = fit_right(number, self.digits);
        let mut line = format!("{}{number} {}", fit(marker, 1), fit_right(calls, 5));
        for time in [Some(model).filter(|_| self.wide), Some(tools)]
            .into_iter()
            .flatten()
        {
            line.push(' ');
            line.push_str(&fit_right(time, 9));
        }
        line
    }
}

//! The list of turns: number, calls, the model's time, the time of the tools.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use crate::analyze::recorded;
use crate::text::{fit, fit_right};
use crate::tui::layout;
use crate::tui::model::{Model, Panel};
use crate::tui::skin::{Ink, Sign};
use crate::tui::words;

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, panel: Rect) {
    painter.panel(
        panel,
        &Title {
            left: "Turns",
            right: "",
            right_ink: Ink::Dim,
            focused: model.focus == Panel::Turns,
        },
    );
    let area = layout::inner(panel);
    let wide = area.width >= 30;
    painter.put(
        area,
        0,
        0,
        &columns(wide, "  ", "#", "calls", "model", "tools"),
        Ink::Dim,
    );
    let rows = layout::turn_rows(panel);
    let last = (model.first_turn + rows).min(model.turns().len());
    for (y, place) in (1..).zip(model.first_turn..last) {
        row(painter, model, area, y, place, wide);
    }
    if model.turns().len() > rows && rows > 0 {
        let note = format!("{} of {}", model.turn + 1, model.turns().len());
        painter.footnote(panel, &note, Ink::Dim);
    }
}

fn row(painter: &mut Painter<'_>, model: &Model, area: Rect, y: u16, place: usize, wide: bool) {
    let Some(turn) = model.turn_at(place) else {
        return;
    };
    let here = place == model.turn;
    let marker = if here {
        painter.skin.sign(Sign::Here)
    } else {
        " "
    };
    let nothing = painter.skin.sign(Sign::Dot);
    let model_time = turn.model.map(|span| span.len());
    let (calls, tools) = match turn.calls.len {
        0 => (nothing.to_owned(), nothing.to_owned()),
        n => {
            let seen = recorded(&model.run, turn);
            (n.to_string(), words::duration(seen.makespan, seen.timing))
        }
    };
    let model_time = words::duration(model_time, turn.model_timing);
    let number = turn.number.to_string();
    let line = columns(wide, marker, &number, &calls, &model_time, &tools);
    let ink = match turn.calls.len {
        _ if here => Ink::Selected,
        0 => Ink::Dim,
        _ => Ink::Text,
    };
    painter.put(area, 0, y, &line, ink);
}

fn columns(
    wide: bool,
    marker: &str,
    number: &str,
    calls: &str,
    model: &str,
    tools: &str,
) -> String {
    let mut line = format!(
        "{}{} {}",
        fit(marker, 1),
        fit_right(number, 5),
        fit_right(calls, 5)
    );
    for time in [Some(model).filter(|_| wide), Some(tools)]
        .into_iter()
        .flatten()
    {
        line.push(' ');
        line.push_str(&fit_right(time, 9));
    }
    line
}

//! One call in full, over the panels.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use crate::tui::layout;
use crate::tui::model::{Detail, Model};
use crate::tui::skin::{Ink, Sign};
use crate::tui::words;

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, detail: &Detail, panel: Rect) {
    painter.clear(panel);
    let dot = painter.skin.sign(Sign::Dot);
    let name = words::name(&model.run, model.calls(), detail.call);
    let left = format!(
        "Turn {} {dot} call {name}",
        model.turn_number().unwrap_or(0)
    );
    painter.panel(
        panel,
        &Title {
            left: &left,
            right: &keys(detail, dot, panel.width),
            right_ink: Ink::Dim,
            focused: true,
        },
    );
    let area = layout::overlay_text(panel);
    let visible = detail.lines.iter().enumerate().skip(detail.top);
    for (y, (at, line)) in (0..area.height).zip(visible) {
        if at == detail.at {
            // In the cell of air between border and text.
            let air = Rect {
                x: area.x.saturating_sub(1),
                width: 1,
                ..area
            };
            let here = painter.skin.sign(Sign::Here);
            painter.put(air, 0, y, here, Ink::Selected);
        }
        painter.put(area, 0, y, &line.text, line.ink);
    }
    let rows = usize::from(area.height);
    if detail.lines.len() > rows {
        let last = (detail.top + rows).min(detail.lines.len());
        let note = format!(
            "{} to {last} of {} lines",
            detail.top + 1,
            detail.lines.len()
        );
        painter.footnote(panel, &note, Ink::Dim);
    }
}

/// What the keys do here, as far as there is room to say it.
fn keys(detail: &Detail, dot: &str, width: u16) -> String {
    let mut keys = Vec::new();
    if width >= 60
        && let [first, _, ..] = detail.forms.as_slice()
    {
        let shown = detail.form.unwrap_or(*first);
        let at = detail.forms.iter().position(|form| *form == shown);
        let next = (at.unwrap_or(0) + 1) % detail.forms.len();
        keys.push(format!("{}, D {}", shown.name(), detail.forms[next].name()));
    }
    if width >= 100 {
        keys.push("Enter folds".to_owned());
        keys.push("O pager".to_owned());
        keys.push("y copies".to_owned());
    }
    keys.push("Esc closes".to_owned());
    keys.join(&format!(" {dot} "))
}

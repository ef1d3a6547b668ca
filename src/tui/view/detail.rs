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
            right: "Esc closes",
            right_ink: Ink::Dim,
            focused: true,
        },
    );
    let area = layout::overlay_text(panel);
    let visible = detail.lines.iter().skip(detail.top);
    for (y, (ink, line)) in (0..area.height).zip(visible) {
        painter.put(area, 0, y, line, *ink);
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

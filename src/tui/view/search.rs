//! The search line, over the lower edge of the panels.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use crate::text;
use crate::tui::layout;
use crate::tui::model::Model;
use crate::tui::skin::{Ink, Sign};

/// What can be typed.
const HINT: &str = "Words look everywhere, also in arguments and answers. Or tool: key: outcome: \
    error: id: args: answer: thread: turn:12..20 failed several hazard >2s <10ms wait>1s; -word \
    is not. Up and Down: earlier lines.";

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, body: Rect) {
    let line = &model.find.line;
    let width = usize::from(body.width.saturating_sub(4));
    let (said, ink) = match &line.error {
        Some(error) => (error.to_string(), Ink::Failed),
        None => (HINT.to_owned(), Ink::Dim),
    };
    let said = text::wrap_words(&said, width);
    let room = body.height.saturating_sub(3).min(4);
    let height = 3 + room.min(u16::try_from(said.len()).unwrap_or(u16::MAX));
    let panel = Rect {
        y: body.bottom().saturating_sub(height),
        height: height.min(body.height),
        ..body
    };
    painter.clear(panel);
    let dot = painter.skin.sign(Sign::Dot);
    painter.panel(
        panel,
        &Title {
            left: "Search",
            right: &format!("Enter searches {dot} Esc closes"),
            right_ink: Ink::Dim,
            focused: true,
        },
    );
    let area = layout::overlay_text(panel);
    typed(painter, model, area);
    for (y, row) in (1..area.height).zip(&said) {
        painter.put(area, 0, y, row, ink);
    }
}

/// The line with its cursor, and so much before it as there is room for. Where an error is
/// known, what it is about has another ink.
fn typed(painter: &mut Painter<'_>, model: &Model, area: Rect) {
    let line = &model.find.line;
    let characters: Vec<char> = line.input.value().chars().collect();
    let cursor = line.input.cursor().min(characters.len());
    let (before, after) = characters.split_at(cursor);
    let before: String = before.iter().collect();
    let room = usize::from(area.width).saturating_sub(4).max(1);
    let before = text::cut_start(&before, room);
    let mut x = painter.put(area, 0, 0, "/ ", Ink::Strong);
    let ink = if line.error.is_some() {
        Ink::Failed
    } else {
        Ink::Text
    };
    x += painter.put(area, x, 0, &before, ink);
    let under = after.first().map_or(" ".to_owned(), char::to_string);
    x += painter.cursor(area, x, 0, &under);
    let rest: String = after.iter().skip(1).collect();
    painter.put(area, x, 0, &rest, ink);
}

//! All of the run in one row: where its calls are, and what of it is on the screen.

use ratatui::layout::Rect;

use super::paint::Painter;
use super::run_cells;
use crate::chart::{FoldedView, height};
use crate::text;
use crate::time::Span;
use crate::tui::model::Model;
use crate::tui::skin::Ink;

/// Draws the row. What is on the screen (a window of the run, or the selected turn) is between
/// brackets.
pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, area: Rect) {
    let Some(whole) = model.run_view.whole() else {
        return;
    };
    if area.height == 0 {
        return;
    }
    let name = painter.put(area, 1, 0, "run", Ink::Dim) + 2;
    let extent = whole.folds.extent();
    if extent.is_empty() {
        painter.put(area, name, 0, "no times in this file", Ink::Dim);
        return;
    }
    let length = extent.len().human();
    painter.put_right(area, 0, &length, Ink::Dim);
    let right = u16::try_from(text::width(&length)).unwrap_or(0) + 1;
    // A cell on either side is for the brackets.
    let strip = (
        area.x + name + 1,
        area.width.saturating_sub(name + right + 2),
    );
    let view = FoldedView::fit(&whole.folds, strip.1);
    let counts: Vec<usize> = (0..strip.1)
        .map(|at| whole.calls.count(view.cell(at)))
        .collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    let shown = shown(model, &view);
    let cells = (0u16..).zip(&counts).map(|(at, &count)| {
        let here = shown.is_some_and(|(from, to)| (from..to).contains(&at));
        let ink = if here { Ink::Selected } else { Ink::Dim };
        let glyph = match count {
            0 if view.is_folded(at) => run_cells::fold(model.skin),
            0 => run_cells::nothing(model.skin),
            count => height(count, most, model.skin.glyphs),
        };
        (glyph, ink, false)
    });
    painter.cells(area, strip, 0, cells);
    if let Some((from, to)) = shown {
        let at = |cell: u16| (strip.0 + cell, 1);
        painter.column(area, (at(from).0 - 1, 1), 0, "[", Ink::Selected);
        painter.column(area, at(to), 0, "]", Ink::Selected);
    }
}

/// The cells of what is on the screen, at least one; `None` where that has no times.
fn shown(model: &Model, view: &FoldedView<'_>) -> Option<(u16, u16)> {
    let span = if model.run_view.shown {
        let zoom = model.run_view.zoom?.window();
        Span::new(view.folds.real(zoom.start), view.folds.real(zoom.end))
    } else {
        model.turn_span()?
    };
    let last = view.view.cells().checked_sub(1)?;
    let from = view.cell_of(span.start).unwrap_or(last);
    let to = u16::try_from(view.eighth(span.end).div_ceil(8)).unwrap_or(last + 1);
    Some((from, to.clamp(from + 1, last + 1)))
}

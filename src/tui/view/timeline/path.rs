//! The chain of causes of the selected call, drawn from the end of each blocker to the start of
//! the call that waited for it.

use ratatui::layout::Rect;

use crate::chart::Viewport;
use crate::tui::layout::Columns;
use crate::tui::model::Model;
use crate::tui::report::Schedule;
use crate::tui::skin::Ink;
use crate::tui::view::clock;
use crate::tui::view::paint::{Corner, Painter};

pub(super) fn draw(
    painter: &mut Painter<'_>,
    model: &Model,
    area: Rect,
    columns: Columns,
    (view, schedule, chain): (&Viewport, &Schedule, &[usize]),
) {
    for pair in chain.windows(2) {
        let (after, before) = (pair[0], pair[1]);
        let start = schedule.rows.get(after).and_then(|row| row.start);
        let start = start.filter(|start| !clock::is_after(model.moment(), *start));
        let Some(cell) = start.and_then(|start| view.cell(start)) else {
            continue;
        };
        let x = columns.bar.0 + cell;
        // Rows above the panel are negative, and those below it are cut.
        let row = |call: usize| call.cast_signed() - model.first_call.cast_signed();
        let (from, to) = (row(before), row(after));
        let (high, low) = (from.min(to) + 1, from.max(to));
        let shown = |y: isize| u16::try_from(y.max(0)).unwrap_or(u16::MAX).min(area.height);
        painter.rule(area, x, shown(high)..shown(low), Ink::Path);
        if let Ok(y) = u16::try_from(from) {
            let corner = if to > from { Corner::Down } else { Corner::Up };
            painter.corner(area, x, y, corner, Ink::Path);
        }
    }
}

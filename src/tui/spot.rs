//! What lies under a cell of the screen.

use ratatui::layout::Rect;

use super::layout::{Columns, Panels, inner, rows, timeline_parts};

/// What lies under a cell of the screen. Rows count from the first visible one, cells from the
/// first one of the bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// A row of the list of turns.
    Turn(usize),
    /// A lane of the timeline, and the cell of its bar.
    Lane {
        /// The row.
        row: usize,
        /// The cell, for one of the bar.
        cell: Option<u16>,
    },
    /// The time axis.
    Axis(u16),
    /// A row of the what-if.
    Schedule(usize),
}

/// What lies under a cell of the screen; `columns` are those of the timeline.
#[must_use]
pub(super) fn spot(panels: &Panels, columns: &Columns, at: (u16, u16)) -> Option<Spot> {
    let below_heading = |panel: Rect| row_at(rows(inner(panel), 1, u16::MAX), at);
    if let Some(row) = panels.turns.and_then(below_heading) {
        return Some(Spot::Turn(row));
    }
    if let Some(row) = panels.what_if.and_then(below_heading) {
        return Some(Spot::Schedule(row));
    }
    let parts = timeline_parts(panels.timeline?);
    let cell = at.0.checked_sub(columns.bar.0);
    let cell = cell.filter(|cell| *cell < columns.bar.1);
    match (row_at(parts.axis, at), row_at(parts.calls, at), cell) {
        (Some(_), _, Some(cell)) => Some(Spot::Axis(cell)),
        (_, Some(row), cell) => Some(Spot::Lane { row, cell }),
        _ => None,
    }
}

/// The row of `area` in which a cell of the screen lies.
#[must_use]
pub(super) fn row_at(area: Rect, at: (u16, u16)) -> Option<usize> {
    let inside = area.contains(at.into());
    inside.then(|| usize::from(at.1.saturating_sub(area.y)))
}

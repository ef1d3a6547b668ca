//! Inside the timeline.

use ratatui::layout::Rect;

use super::panels::{inner, rows};

/// The parts of the timeline, inside its borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineParts {
    /// The whole run in one row; empty where there is little room.
    pub minimap: Rect,
    /// The time axis, one row.
    pub axis: Rect,
    /// One row a call.
    pub calls: Rect,
    /// What there is to say of the selected call, after a row of air where there is room for
    /// one; empty where there is no room at all.
    pub note: Rect,
}

/// The parts of a timeline panel.
#[must_use]
pub fn timeline_parts(panel: Rect) -> TimelineParts {
    let area = inner(panel);
    let note = match area.height {
        _ if area.width < 40 => 0,
        ..9 => 0,
        9..13 => 3,
        13..18 => 4,
        _ => 5,
    };
    let minimap = minimap_rows(panel);
    let calls = area.height.saturating_sub(1 + minimap + note);
    TimelineParts {
        minimap: rows(area, 0, minimap),
        axis: rows(area, minimap, 1),
        calls: rows(area, minimap + 1, calls),
        note: rows(area, minimap + 1 + calls, note),
    }
}

/// The whole run needs a row of its own only where enough of them are left for the rest.
pub(super) const fn minimap_rows(panel: Rect) -> u16 {
    if panel.height >= 14 && panel.width >= 60 {
        1
    } else {
        0
    }
}

/// The columns of the timeline: first cell and width, the same in every row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Marker and index of the call.
    pub index: (u16, u16),
    /// Name of the tool.
    pub tool: (u16, u16),
    /// The bar.
    pub bar: (u16, u16),
    /// Sign of a failure, then the duration.
    pub takes: (u16, u16),
    /// The cause.
    pub cause: (u16, u16),
}

/// The columns for an area of the timeline. `calls` is how many there are, the others how many
/// cells their longest texts take.
#[must_use]
pub fn timeline_columns(area: Rect, calls: usize, tool: usize, cause: usize) -> Columns {
    let cells = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
    let width = area.width;
    let digits = cells(calls.saturating_sub(1).max(1).ilog10() as usize + 1);
    let index = 1 + digits;
    let tool = cells(tool).min((width / 5).clamp(10, 24)).max(4);
    let takes = if width >= 34 { 11 } else { 0 };
    let cause = match width {
        ..48 => 0,
        48..70 => cells(cause).min(12),
        70..100 => cells(cause).min(14),
        _ => cells(cause).min(26),
    };
    let gap = |n: u16| if n > 0 { n + 1 } else { 0 };
    // Two cells of air before the cause, one after it.
    let used = index + 1 + tool + 1 + gap(takes) + if cause > 0 { cause + 3 } else { 0 };
    let bar = width.saturating_sub(used);
    let mut at = area.x;
    let mut next = |cells: u16, air: u16| {
        let here = (at, cells.min(area.right().saturating_sub(at)));
        at = at
            .saturating_add(cells.saturating_add(air))
            .min(area.right());
        here
    };
    Columns {
        index: next(index, 1),
        tool: next(tool, 1),
        bar: next(bar, u16::from(takes > 0)),
        takes: next(takes, 2),
        cause: next(cause, 0),
    }
}

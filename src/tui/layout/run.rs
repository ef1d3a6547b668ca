//! Inside the view of a whole run.

use ratatui::layout::Rect;

use super::panels::{inner, rows};
use super::timeline::minimap_rows;

/// The parts of the view of a whole run, inside its borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunParts {
    /// All of the run in one row, with what is on the screen of it; empty where there is little
    /// room.
    pub minimap: Rect,
    /// The time axis, one row.
    pub axis: Rect,
    /// Where the selected turn is; empty where the axis has to do for it.
    pub mark: Rect,
    /// One row a thread.
    pub rows: Rect,
    /// Totals, and what there is to say of the selection.
    pub note: Rect,
}

/// The parts of a timeline panel that shows the whole run.
#[must_use]
pub fn run_parts(panel: Rect) -> RunParts {
    let area = inner(panel);
    let minimap = minimap_rows(panel);
    let mark = u16::from(area.height >= 8);
    let note = match area.height {
        ..4 => 0,
        4..8 => 1,
        8..11 => 2,
        11..14 => 3,
        14..20 => 4,
        _ => 6,
    };
    let above = minimap + 1 + mark;
    let lines = area.height.saturating_sub(above + note);
    RunParts {
        minimap: rows(area, 0, minimap),
        axis: rows(area, minimap, 1),
        mark: rows(area, minimap + 1, mark),
        rows: rows(area, above, lines),
        note: rows(area, above + lines, note),
    }
}

/// The columns of the view of a whole run: first cell and width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunColumns {
    /// Marker, fold and name of the thread.
    pub name: (u16, u16),
    /// Its time.
    pub bar: (u16, u16),
    /// Its wall time.
    pub wall: (u16, u16),
    /// Its calls.
    pub calls: (u16, u16),
}

/// The columns for an area. `name` is how many cells the longest name takes, with marker, indentation
/// and what is folded into it.
#[must_use]
pub fn run_columns(area: Rect, name: usize) -> RunColumns {
    let width = area.width;
    let most = (width / 4).clamp(8, 30);
    let name = u16::try_from(name).unwrap_or(u16::MAX);
    let name = name.min(most).min(width);
    let wall = if width >= 48 { 13 } else { 0 };
    let calls = if width >= 64 { 10 } else { 0 };
    let bar = width.saturating_sub(name + 1 + wall + calls + 1);
    let bar_at = area.x.saturating_add(name + 1).min(area.right());
    let wall_at = bar_at.saturating_add(bar).min(area.right());
    let calls_at = wall_at.saturating_add(wall).min(area.right());
    RunColumns {
        name: (area.x, name),
        bar: (bar_at, bar),
        wall: (wall_at, wall.min(area.right() - wall_at)),
        calls: (calls_at, calls.min(area.right() - calls_at)),
    }
}

//! What lies over the panels.

use ratatui::layout::Rect;

use super::panels::{Panels, inner, rows};

/// Where an overlay lies: over everything but the header.
#[must_use]
pub const fn overlay(panels: &Panels) -> Rect {
    panels.body
}

/// The parts of the assumptions, inside their borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssumptionParts {
    /// Everything, with the borders. Where there is room the what-if stays in sight below it.
    pub panel: Rect,
    /// The slots and the failure mode, a row each.
    pub switches: Rect,
    /// The heading of the tools, one row.
    pub heading: Rect,
    /// One row a tool.
    pub tools: Rect,
    /// What can be done, or what came of it, one row.
    pub status: Rect,
}

/// The parts of the assumptions.
#[must_use]
pub fn assumption_parts(panels: &Panels) -> AssumptionParts {
    /// Rows that the assumptions need to be of use.
    const FEW: u16 = 9;
    let body = panels.body;
    let above = panels
        .what_if
        .map_or(0, |what_if| what_if.y.saturating_sub(body.y));
    let panel = Rect {
        height: if above >= FEW { above } else { body.height },
        ..body
    };
    let area = overlay_text(panel);
    let heading = u16::from(area.height >= 5);
    let top = 2 + heading;
    let tools = area.height.saturating_sub(top + 1);
    AssumptionParts {
        panel,
        switches: rows(area, 0, 2),
        heading: rows(area, 2, heading),
        tools: rows(area, top, tools),
        status: rows(area, top + tools, 1),
    }
}

/// The parts of a comparison, inside its borders: the time axis, and the lines.
#[must_use]
pub const fn compare_parts(panel: Rect) -> (Rect, Rect) {
    let area = overlay_text(panel);
    (
        rows(area, 0, 1),
        rows(area, 1, area.height.saturating_sub(1)),
    )
}

/// The text area of an overlay: a cell of air on both sides.
#[must_use]
pub const fn overlay_text(panel: Rect) -> Rect {
    let area = inner(panel);
    Rect {
        x: area.x.saturating_add(1),
        width: area.width.saturating_sub(2),
        ..area
    }
}

/// The parts of a race: two schedules below each other, on one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaceParts {
    /// The time axis, one row.
    pub axis: Rect,
    /// What each schedule is and how far it is, one row each.
    pub headings: [Rect; 2],
    /// The calls of each, one row a call.
    pub calls: [Rect; 2],
    /// How many calls of each can be seen.
    pub lanes: u16,
    /// Who is ahead, one row.
    pub result: Rect,
}

/// The parts of a race over a panel, of turns with so many calls.
#[must_use]
pub fn race_parts(panel: Rect, calls: usize) -> RaceParts {
    let area = overlay_text(panel);
    let calls = u16::try_from(calls).unwrap_or(u16::MAX);
    let lanes = (area.height.saturating_sub(4) / 2).min(calls);
    // Air before the second and before the result, where there is room for it.
    let spare = area.height.saturating_sub(4 + 2 * lanes);
    let (air, above) = (u16::from(spare > 0), u16::from(spare > 1));
    let second = 1 + 1 + lanes + air;
    RaceParts {
        axis: rows(area, 0, 1),
        headings: [rows(area, 1, 1), rows(area, second, 1)],
        calls: [rows(area, 2, lanes), rows(area, second + 1, lanes)],
        lanes,
        result: rows(area, second + 1 + lanes + above, 1),
    }
}

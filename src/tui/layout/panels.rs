//! The panels of the screen.

use ratatui::layout::Rect;

use crate::tui::model::Panel;

/// Below this many columns and rows there is one line that says so.
pub const SMALLEST: (u16, u16) = (34, 8);
/// From here on several panels fit beside each other.
const SIDE_BY_SIDE: (u16, u16) = (72, 16);

/// The parts of the screen. Panels include their borders and share them with their neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panels {
    /// File, counts, policy, and below them the verdict.
    pub header: Rect,
    /// Everything under the header.
    pub body: Rect,
    /// The list of turns.
    pub turns: Option<Rect>,
    /// The selected turn.
    pub timeline: Option<Rect>,
    /// The policies.
    pub what_if: Option<Rect>,
}

/// The panels for a screen of `size`; `None` where it is too small for any. `schedules` is how
/// many rows the what-if has, `verdict` how many lines the verdict takes at this width.
#[must_use]
pub fn panels(
    size: (u16, u16),
    focus: Panel,
    what_if: bool,
    schedules: usize,
    verdict: usize,
) -> Option<Panels> {
    let (columns, rows) = size;
    if columns < SMALLEST.0 || rows < SMALLEST.1 {
        return None;
    }
    let most = match rows {
        ..12 => 0,
        12..20 => 1,
        20..30 => 2,
        _ => 4,
    };
    let header_rows = 1 + most.min(u16::try_from(verdict).unwrap_or(u16::MAX));
    let header = Rect::new(0, 0, columns, header_rows);
    let body = Rect::new(0, header_rows, columns, rows.saturating_sub(header_rows));
    let none = Panels {
        header,
        body,
        turns: None,
        timeline: None,
        what_if: None,
    };
    if columns < SIDE_BY_SIDE.0 || rows < SIDE_BY_SIDE.1 {
        return Some(match focus {
            Panel::Turns => Panels {
                turns: Some(body),
                ..none
            },
            Panel::Timeline => Panels {
                timeline: Some(body),
                ..none
            },
            Panel::WhatIf => Panels {
                what_if: Some(body),
                ..none
            },
        });
    }
    // Heading, a row for each schedule, two borders of which the upper one is shared.
    let wanted = u16::try_from(schedules)
        .unwrap_or(u16::MAX)
        .saturating_add(3);
    let low = if what_if {
        wanted.min(body.height / 2)
    } else {
        0
    };
    let high = body.height.saturating_sub(low.saturating_sub(1));
    let left = if columns >= 100 { 34 } else { 24 };
    let turns = Rect::new(0, body.y, left, high);
    let right = left.saturating_sub(1);
    Some(Panels {
        turns: Some(turns),
        timeline: Some(Rect::new(
            right,
            body.y,
            columns.saturating_sub(right),
            high,
        )),
        what_if: what_if.then(|| Rect::new(0, (body.y + high).saturating_sub(1), columns, low)),
        ..none
    })
}

/// True where only one panel is on the screen at a time.
#[must_use]
pub const fn one_at_a_time(size: (u16, u16)) -> bool {
    size.0 < SIDE_BY_SIDE.0 || size.1 < SIDE_BY_SIDE.1
}

/// What is inside a panel's borders.
#[must_use]
pub const fn inner(panel: Rect) -> Rect {
    Rect {
        x: panel.x.saturating_add(1),
        y: panel.y.saturating_add(1),
        width: panel.width.saturating_sub(2),
        height: panel.height.saturating_sub(2),
    }
}

/// The part of `area` from row `top` on, `height` rows high at most.
pub(in crate::tui) const fn rows(area: Rect, top: u16, height: u16) -> Rect {
    let left = area.height.saturating_sub(top);
    Rect {
        y: area
            .y
            .saturating_add(if top < area.height { top } else { area.height }),
        height: if height < left { height } else { left },
        ..area
    }
}

/// How many turns the list shows.
#[must_use]
pub fn turn_rows(panel: Rect) -> usize {
    inner(panel).height.saturating_sub(1).into()
}

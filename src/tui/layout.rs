//! Where everything lies: pure functions of the size and of what is shown. Drawing, scrolling
//! and hit-testing use the same ones.

use ratatui::layout::Rect;

use super::keymap::{Entry, Group, Keymap};
use super::model::Panel;

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
pub(super) const fn rows(area: Rect, top: u16, height: u16) -> Rect {
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
const fn minimap_rows(panel: Rect) -> u16 {
    if panel.height >= 14 && panel.width >= 60 {
        1
    } else {
        0
    }
}

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

/// True where the help has two columns.
#[must_use]
pub const fn help_is_wide(width: u16) -> bool {
    width >= 100
}

/// How many rows the help takes at a width.
#[must_use]
pub fn help_rows(keys: &Keymap, width: u16) -> usize {
    let (left, right) = help_columns(keys, width);
    left.len().max(right.len())
}

/// A line of the help: a heading, a key with what it does, or air.
#[derive(Clone, Copy, Debug)]
pub enum HelpLine<'a> {
    /// The name of a group.
    Heading(Group),
    /// A key.
    Key(&'a Entry),
    /// Nothing.
    Air,
}

/// The lines of the help in one column or two.
#[must_use]
pub fn help_columns(keys: &Keymap, width: u16) -> (Vec<HelpLine<'_>>, Vec<HelpLine<'_>>) {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for group in Group::ALL {
        let second = help_is_wide(width) && !matches!(group, Group::Move | Group::Find);
        let column = if second { &mut right } else { &mut left };
        if !column.is_empty() {
            column.push(HelpLine::Air);
        }
        column.push(HelpLine::Heading(group));
        let entries = keys
            .entries()
            .iter()
            .filter(|entry| entry.binding.group == group);
        column.extend(entries.map(HelpLine::Key));
    }
    (left, right)
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

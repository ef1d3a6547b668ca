//! Two schedules of one turn, call by call on one axis.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use crate::analyze::Figure;
use crate::chart::{Viewport, raster, ticks};
use crate::time::{Nanos, Span};
use crate::tui::bars::bars;
use crate::tui::compare::{Line, name, short_name, sides};
use crate::tui::layout;
use crate::tui::model::{Compare, Model};
use crate::tui::report::Schedule;
use crate::tui::skin::{Ink, Sign};
use crate::tui::words;

/// The columns: first cell and width.
struct Columns {
    call: (u16, u16),
    schedule: (u16, u16),
    bar: (u16, u16),
    takes: (u16, u16),
    cause: (u16, u16),
}

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, open: &Compare, panel: Rect) {
    painter.clear(panel);
    let dot = painter.skin.sign(Sign::Dot);
    let [before, after] = open.sides.map(name);
    let turn = model.turn_number().unwrap_or(0);
    let left = format!("Turn {turn} {dot} {after} against {before}");
    painter.panel(
        panel,
        &Title {
            left: &left,
            right: "Esc closes",
            right_ink: Ink::Dim,
            focused: true,
        },
    );
    let (axis, area) = layout::compare_parts(panel);
    let report = model.report.as_ref();
    let Some(pair) = report.and_then(|report| sides(report, open.sides)) else {
        painter.put(area, 0, 0, "This turn has no such schedules.", Ink::Dim);
        return;
    };
    let tool = report.map_or(0, |report| report.tool_cells);
    let columns = columns(area, tool);
    let longest = pair.map(|side| side.extent).into_iter().max();
    let whole = Span::new(Nanos::ZERO, longest.unwrap_or_default());
    let view = Viewport::fit(whole, columns.bar.1);
    let bars = Rect {
        x: columns.bar.0,
        width: columns.bar.1,
        ..axis
    };
    for tick in ticks(&view, Nanos::ZERO) {
        painter.put(bars, tick.cell, 0, &tick.label, Ink::Dim);
    }
    let lanes = Lanes {
        area,
        columns,
        view,
    };
    for (y, line) in (0..area.height).zip(open.lines.iter().skip(open.top)) {
        match line {
            Line::Text(ink, text) => {
                painter.put(area, 0, y, text, *ink);
            }
            Line::Bar { call, side } => {
                let Some(schedule) = pair.get(*side) else {
                    continue;
                };
                if *side == 0 {
                    let name = words::name(&model.run, model.calls(), *call);
                    painter.column(area, lanes.columns.call, y, &name, Ink::Selected);
                }
                lane(painter, model, &lanes, y, schedule, *call);
            }
        }
    }
    let rows = usize::from(area.height);
    if open.lines.len() > rows {
        let last = (open.top + rows).min(open.lines.len());
        let note = format!("{} to {last} of {} lines", open.top + 1, open.lines.len());
        painter.footnote(panel, &note, Ink::Dim);
    }
}

fn columns(area: Rect, tool: usize) -> Columns {
    let width = area.width;
    let tool = u16::try_from(tool).unwrap_or(u16::MAX);
    let call = tool.saturating_add(5).min((width / 4).clamp(8, 24));
    let schedule = if width >= 60 { 11 } else { 8 };
    let takes = if width >= 50 { 10 } else { 0 };
    let cause = match width {
        ..90 => 0,
        90..130 => 16,
        _ => 28,
    };
    let gap = |cells: u16| if cells > 0 { cells + 1 } else { 0 };
    // Two cells of air before the cause.
    let used = gap(call) + gap(schedule) + gap(takes) + gap(cause) + u16::from(cause > 0);
    let bar = width.saturating_sub(used);
    let mut at = area.x;
    let mut next = |cells: u16| {
        let here = (at, cells.min(area.right().saturating_sub(at)));
        at = at.saturating_add(gap(cells)).min(area.right());
        here
    };
    Columns {
        call: next(call),
        schedule: next(schedule),
        bar: next(bar.saturating_sub(1)),
        takes: next(takes),
        cause: {
            let (x, cells) = next(cause);
            (x.saturating_add(u16::from(cause > 0)), cells)
        },
    }
}

/// Where lanes lie.
struct Lanes {
    area: Rect,
    columns: Columns,
    view: Viewport,
}

fn lane(
    painter: &mut Painter<'_>,
    model: &Model,
    lanes: &Lanes,
    y: u16,
    schedule: &Schedule,
    call: usize,
) {
    let Lanes {
        area,
        columns,
        view,
    } = lanes;
    let area = *area;
    let Some(row) = schedule.rows.get(call) else {
        return;
    };
    let (name_ink, run) = match schedule.figure {
        Figure::Measured => (Ink::Dim, Ink::Run),
        Figure::Predicted => (Ink::Predicted, Ink::Predicted),
    };
    painter.column(
        area,
        columns.schedule,
        y,
        &short_name(schedule.drawn),
        name_ink,
    );
    let cells = raster(view, &bars(row, schedule.extent), painter.skin.glyphs);
    painter.lane(area, columns.bar, y, &cells, run);
    painter.column_right(area, columns.takes, y, &words::takes(row), Ink::Text);
    if let (Some(_), Some(cause)) = (row.start, row.cause) {
        let cause = words::cause(&model.run, cause, columns.cause.1.into());
        painter.column(area, columns.cause, y, &cause, Ink::Dim);
    }
}

//! One lane a call.

use ratatui::layout::Rect;

use crate::analyze::{Figure, Place};
use crate::chart::{Viewport, raster};
use crate::model::Outcome;
use crate::text::fit_right;
use crate::tui::bars::bars_at;
use crate::tui::layout::Columns;
use crate::tui::model::Model;
use crate::tui::report::{Row, Schedule};
use crate::tui::skin::{Ink, Sign};
use crate::tui::view::clock;
use crate::tui::view::paint::Painter;
use crate::tui::words;

/// Draws the visible calls. `chain` are those that held the selected one back, itself first.
pub(super) fn draw(
    painter: &mut Painter<'_>,
    model: &Model,
    area: Rect,
    columns: Columns,
    (view, schedule, chain): (&Viewport, &Schedule, &[usize]),
) {
    let rows = schedule.rows.iter().enumerate().skip(model.first_call);
    for (y, (call, row)) in (0..area.height).zip(rows) {
        let in_chain = chain.len() > 1 && chain.contains(&call);
        let what = Lane {
            view,
            schedule,
            call,
            row,
            in_chain,
        };
        lane(painter, model, area, columns, y, what);
    }
}

/// What one lane shows.
struct Lane<'a> {
    view: &'a Viewport,
    schedule: &'a Schedule,
    call: usize,
    row: &'a Row,
    /// True where it is one of the calls that held the selected one back.
    in_chain: bool,
}

fn lane(
    painter: &mut Painter<'_>,
    model: &Model,
    area: Rect,
    columns: Columns,
    y: u16,
    lane: Lane<'_>,
) {
    let here = lane.call == model.call;
    let (ink, marker) = match (here, lane.in_chain) {
        (true, _) => (Ink::Selected, painter.skin.sign(Sign::Here)),
        (false, true) => (Ink::Strong, painter.skin.sign(Sign::Chain)),
        (false, false) => (Ink::Text, " "),
    };
    let digits = usize::from(columns.index.1.saturating_sub(1));
    let index = format!("{marker}{}", fit_right(&lane.call.to_string(), digits));
    painter.column(area, columns.index, y, &index, ink);
    let tool = words::tool(&model.run, model.calls(), lane.call);
    painter.column(area, columns.tool, y, &tool, ink);
    signs(painter, model, area, columns, y, lane.call);
    let moment = model.moment();
    let bars = bars_at(lane.row, lane.schedule.extent, moment);
    let cells = raster(lane.view, &bars, painter.skin.glyphs);
    let run = match lane.schedule.figure {
        Figure::Measured => Ink::Run,
        Figure::Predicted => Ink::Predicted,
    };
    painter.lane(area, columns.bar, y, &cells, run);
    if !clock::takes(painter, area, columns.takes, y, lane.row, moment) {
        takes(painter, area, columns.takes, y, lane.row, ink);
    }
    let cause = match (lane.row.start, lane.row.cause) {
        (Some(start), Some(cause)) if !clock::is_after(moment, start) => {
            words::cause(&model.run, cause, columns.cause.1.into())
        }
        _ => String::new(),
    };
    painter.column(
        area,
        columns.cause,
        y,
        &cause,
        if here { ink } else { Ink::Dim },
    );
}

/// Whether the call matches the search, in front of the tool, and whether it is marked, behind.
fn signs(
    painter: &mut Painter<'_>,
    model: &Model,
    area: Rect,
    columns: Columns,
    y: u16,
    call: usize,
) {
    let place = Place {
        call: u32::try_from(call).unwrap_or(u32::MAX),
        ..model.place()
    };
    let search = model.find.search.as_ref();
    let matches = search.is_some_and(|search| search.rank(place).is_some());
    for (shown, sign, (x, cells)) in [
        (matches, Sign::Match, columns.index),
        (model.find.marks.contains(&place), Sign::Mark, columns.tool),
    ] {
        if shown {
            let gap = (x.saturating_add(cells), 1);
            painter.column(area, gap, y, painter.skin.sign(sign), Ink::Strong);
        }
    }
}

fn takes(painter: &mut Painter<'_>, area: Rect, column: (u16, u16), y: u16, row: &Row, ink: Ink) {
    let failed = row.outcome.is_failure();
    let ink = match row.outcome {
        _ if failed => Ink::Failed,
        Outcome::Ok => ink,
        _ => Ink::Dim,
    };
    if failed {
        painter.column(
            area,
            (column.0, column.1.min(1)),
            y,
            painter.skin.sign(Sign::Bad),
            ink,
        );
    }
    let rest = (column.0.saturating_add(1), column.1.saturating_sub(1));
    painter.column_right(area, rest, y, &words::takes(row), ink);
}

//! One lane a key or a slot.

use ratatui::layout::Rect;

use crate::analyze::Figure;
use crate::chart::{Viewport, raster};
use crate::text;
use crate::tui::bars::until;
use crate::tui::lanes::Lane;
use crate::tui::layout::Columns;
use crate::tui::model::{Model, Moment};
use crate::tui::report::Schedule;
use crate::tui::skin::{Ink, Sign};
use crate::tui::view::clock;
use crate::tui::view::paint::Painter;
use crate::tui::words;

pub(super) fn draw(
    painter: &mut Painter<'_>,
    model: &Model,
    area: Rect,
    columns: Columns,
    (view, schedule): (&Viewport, &Schedule),
) {
    let lanes = model.timeline.lanes.iter().enumerate();
    let lanes = lanes.skip(model.timeline.first_lane);
    for (y, (at, lane)) in (0..area.height).zip(lanes) {
        let here = at == model.timeline.lane;
        let ink = if here { Ink::Selected } else { Ink::Text };
        if here {
            painter.column(area, columns.index, y, painter.skin.sign(Sign::Here), ink);
        }
        painter.column(
            area,
            columns.tool,
            y,
            &text::cut_start(&lane.label, columns.tool.1.into()),
            ink,
        );
        bars(painter, model, area, columns, y, (view, schedule, lane));
        let held = lane
            .held
            .map_or_else(|| "unknown".to_owned(), |held| schedule.timing.show(held));
        let is_played = matches!(model.moment(), Moment::Played(_));
        let held = if lane.bodies.is_empty() || is_played {
            String::new()
        } else {
            held
        };
        painter.column_right(area, columns.takes, y, &held, ink);
        let ink = if here { ink } else { Ink::Dim };
        painter.column(
            area,
            columns.cause,
            y,
            &words::queue(lane, columns.cause.1.into()),
            ink,
        );
    }
}

fn bars(
    painter: &mut Painter<'_>,
    model: &Model,
    area: Rect,
    columns: Columns,
    y: u16,
    (view, schedule, lane): (&Viewport, &Schedule, &Lane),
) {
    let mut bars = lane.waits.visible(view);
    bars.extend(lane.runs.visible(view));
    let moment = model.moment();
    if let Moment::Played(at) = moment {
        bars = bars.into_iter().filter_map(|bar| until(bar, at)).collect();
    }
    let run = match schedule.figure {
        Figure::Measured => Ink::Run,
        Figure::Predicted => Ink::Predicted,
    };
    let cells = raster(view, &bars, painter.skin.glyphs);
    painter.lane(area, columns.bar, y, &cells, run);
    for crowded in lane.runs.crowded(view) {
        if clock::is_after(moment, view.time_at(crowded.cell)) {
            break;
        }
        let x = columns.bar.0 + crowded.cell;
        painter.mark(area, x, y, painter.skin.sign(Sign::Several), run);
    }
    labels(painter, area, columns, y, (view, lane, run, moment));
}

/// The index of a call at the start of its bar, where the bar has room for it.
fn labels(
    painter: &mut Painter<'_>,
    area: Rect,
    columns: Columns,
    y: u16,
    (view, lane, run, moment): (&Viewport, &Lane, Ink, Moment),
) {
    let window = view.window();
    let mut at = lane
        .bodies
        .partition_point(|(span, _)| span.start < window.start);
    while let Some((span, call)) = lane.bodies.get(at).filter(|b| b.0.start < window.end) {
        let (Some(from), label) = (view.cell(span.start), call.to_string()) else {
            at += 1;
            continue;
        };
        let to = view.cell(span.end).unwrap_or(view.cells());
        let room = usize::from(to.saturating_sub(from));
        // Of a bar that grows nobody knows yet whether it will have room.
        if clock::is_after(moment, span.end) {
            break;
        }
        let wide = u16::try_from(label.len()).unwrap_or(u16::MAX);
        let mut next = from + 1;
        // The first cell may be the end of the bar before.
        if room > label.len() + 1 {
            painter.on_bar(area, columns.bar.0 + from + 1, y, &label, run);
            next = from + 1 + wide;
        }
        let next = view.time_at(next);
        at = lane
            .bodies
            .partition_point(|(span, _)| span.start < next)
            .max(at + 1);
    }
}

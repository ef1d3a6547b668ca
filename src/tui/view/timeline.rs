//! The calls of the selected turn over time, one lane each.

use ratatui::layout::Rect;

use super::bars::bars;
use super::paint::{Painter, Title};
use crate::analyze::Figure;
use crate::chart::{Viewport, raster, ticks};
use crate::model::{Outcome, Timing};
use crate::text::{self, clean, fit_right};
use crate::time::Nanos;
use crate::tui::layout::{self, Columns};
use crate::tui::model::{Model, Panel};
use crate::tui::report::{Drawn, Row, Schedule, TurnReport};
use crate::tui::skin::{Ink, Sign};
use crate::tui::words;

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, panel: Rect) {
    let focused = model.focus == Panel::Timeline;
    let (Some(report), Some(schedule)) = (&model.report, model.schedule()) else {
        let left = "No turns";
        painter.panel(
            panel,
            &Title {
                left,
                right: "",
                right_ink: Ink::Dim,
                focused,
            },
        );
        return;
    };
    let (right, right_ink) = label(report, schedule);
    let room = usize::from(panel.width).saturating_sub(text::width(&right) + 6);
    let left = title(model, report, schedule, room);
    painter.panel(
        panel,
        &Title {
            left: &left,
            right: &right,
            right_ink,
            focused,
        },
    );
    let parts = layout::timeline_parts(panel);
    if model.calls().is_empty() {
        painter.put(parts.calls, 1, 0, "This reply asks for no calls.", Ink::Dim);
        return;
    }
    let columns = model.columns(parts.calls);
    let view = model.viewport(columns.bar.1);
    axis(painter, parts.axis, columns, &view);
    let rows = schedule.rows.iter().enumerate().skip(model.first_call);
    for (y, (call, row)) in (0..parts.calls.height).zip(rows) {
        lane(
            painter,
            model,
            parts.calls,
            columns,
            y,
            Lane {
                view: &view,
                schedule,
                call,
                row,
            },
        );
    }
    if schedule.rows.len() > parts.calls.height.into() {
        let place = format!("{} of {}", model.call + 1, schedule.rows.len());
        let names = Rect {
            width: columns.bar.0.saturating_sub(parts.axis.x + 1),
            ..parts.axis
        };
        painter.put(names, 1, 0, &place, Ink::Dim);
    }
    note(painter, model, parts.note, schedule);
}

/// What is drawn, and whether it happened.
fn label(report: &TurnReport, schedule: &Schedule) -> (String, Ink) {
    match schedule.drawn {
        Drawn::Recorded if report.policy.is_empty() => ("recorded".to_owned(), Ink::Dim),
        Drawn::Recorded => (format!("recorded: {}", clean(&report.policy)), Ink::Dim),
        Drawn::Predicted(policy) => (format!("predicted: {policy}"), Ink::Predicted),
    }
}

fn title(model: &Model, report: &TurnReport, schedule: &Schedule, room: usize) -> String {
    let calls = schedule.rows.len();
    let time = words::duration(report.model, report.model_timing);
    let mut facts = vec![
        (0, format!("Turn {}", model.turn_number().unwrap_or(0))),
        (1, words::count(calls, "call", "calls")),
        (3, format!("model {time}")),
    ];
    if calls > 0 {
        let makespan = words::duration(schedule.makespan, schedule.timing);
        facts.push((2, format!("makespan {makespan}")));
    }
    if calls > 1 && schedule.drawn == Drawn::Recorded {
        let work = words::duration(Some(report.work), schedule.timing);
        let unknown = match report.unknown_calls {
            _ if schedule.timing == Timing::Unknown => String::new(),
            0 => String::new(),
            n => format!(" + {n} unknown"),
        };
        facts.push((4, format!("work {work}{unknown}")));
    }
    words::fitting(facts, model.skin, room)
}

fn axis(painter: &mut Painter<'_>, area: Rect, columns: Columns, view: &Viewport) {
    let bars = Rect {
        x: columns.bar.0,
        width: columns.bar.1,
        ..area
    };
    for tick in ticks(view, Nanos::ZERO) {
        painter.put(bars, tick.cell, 0, &tick.label, Ink::Dim);
    }
}

/// What one lane shows.
struct Lane<'a> {
    view: &'a Viewport,
    schedule: &'a Schedule,
    call: usize,
    row: &'a Row,
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
    let ink = if here { Ink::Selected } else { Ink::Text };
    let marker = if here {
        painter.skin.sign(Sign::Here)
    } else {
        " "
    };
    let digits = usize::from(columns.index.1.saturating_sub(1));
    let index = format!("{marker}{}", fit_right(&lane.call.to_string(), digits));
    painter.column(area, columns.index, y, &index, ink);
    let tool = words::tool(&model.run, model.calls(), lane.call);
    painter.column(area, columns.tool, y, &tool, ink);
    let bars = bars(lane.row, lane.schedule.extent);
    let cells = raster(lane.view, &bars, painter.skin.glyphs);
    let run = match lane.schedule.figure {
        Figure::Measured => Ink::Run,
        Figure::Predicted => Ink::Predicted,
    };
    painter.lane(area, columns.bar, y, &cells, run);
    takes(painter, area, columns.takes, y, lane.row, ink);
    let cause = match (lane.row.start, lane.row.cause) {
        (Some(_), Some(cause)) => words::cause(&model.run, cause, columns.cause.1.into()),
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

/// The selected call in words: why it started when it did, what it touches, whom it races.
fn note(painter: &mut Painter<'_>, model: &Model, area: Rect, schedule: &Schedule) {
    let Some(call) = model.calls().get(model.call) else {
        return;
    };
    let why = words::chain_line(
        &model.run,
        model.calls(),
        &schedule.rows,
        model.call,
        painter.skin,
    );
    let touches = words::effects(&model.run, call).join("; ");
    let races = words::races_of(&model.run, &schedule.hazards, model.call, painter.skin);
    let (third, third_ink) = match races {
        Some(races) => (("races", races), Ink::Hazard),
        None => (("", String::new()), Ink::Text),
    };
    let air = area.height.saturating_sub(3);
    let lines = [
        (("why", why), Ink::Text),
        (("touches", touches), Ink::Text),
        (third, third_ink),
    ];
    for (y, ((label, text), ink)) in (air..area.height).zip(lines) {
        painter.put(area, 1, y, label, Ink::Dim);
        painter.put(area, 10, y, &text, ink);
    }
}

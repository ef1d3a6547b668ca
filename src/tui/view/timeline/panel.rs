//! The frame of the timeline: title, axis, cursor, and what is inside.

use ratatui::layout::Rect;

use super::{calls, groups, note, path};
use crate::chart::{Viewport, ticks};
use crate::model::Timing;
use crate::text::{self, clean};
use crate::time::Nanos;
use crate::tui::lanes::LaneBy;
use crate::tui::layout::{self, Columns, TimelineParts};
use crate::tui::model::{Model, Panel};
use crate::tui::report::{Drawn, Schedule, TurnReport};
use crate::tui::skin::Ink;
use crate::tui::view::clock;
use crate::tui::view::paint::{Painter, Title};
use crate::tui::{why, words};

/// A chain of blockers longer than this is not drawn to its root.
const CHAIN: usize = 1_000;

pub(in crate::tui::view) fn draw(painter: &mut Painter<'_>, model: &Model, panel: Rect) {
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
    let (label, right_ink) = label(report, schedule);
    let right = clock::title(model, schedule, label, usize::from(panel.width));
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
    axis(painter, model, parts.axis, columns, &view);
    match model.timeline.by {
        LaneBy::Call => {
            let chain = why::chain(&schedule.rows, model.call, CHAIN);
            let what = (&view, schedule, chain.as_slice());
            calls::draw(painter, model, parts.calls, columns, what);
            path::draw(painter, model, parts.calls, columns, what);
        }
        _ => groups::draw(painter, model, parts.calls, columns, (&view, schedule)),
    }
    clock::line(painter, model, &parts, columns.bar, &view);
    cursor(painter, model, &parts, columns, &view);
    let (place, lanes) = model.lane_place();
    if lanes > parts.calls.height.into() {
        let place = format!("{} of {lanes}", place + 1);
        let names = Rect {
            width: columns.bar.0.saturating_sub(parts.axis.x + 1),
            ..parts.axis
        };
        painter.put(names, 1, 0, &place, Ink::Dim);
    }
    if !clock::note(painter, model, parts.note, schedule) {
        note::draw(painter, model, parts.note, schedule);
    }
}

/// What is drawn, and whether it happened.
pub(in crate::tui::view) fn label(report: &TurnReport, schedule: &Schedule) -> (String, Ink) {
    match schedule.drawn {
        Drawn::Recorded if report.policy.is_empty() => ("recorded".to_owned(), Ink::Dim),
        Drawn::Recorded => (format!("recorded: {}", clean(&report.policy)), Ink::Dim),
        Drawn::Predicted(policy) => (format!("predicted: {policy}"), Ink::Predicted),
        Drawn::Measured(policy) => (format!("measured: {policy}"), Ink::Run),
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
        facts.push((2, clock::makespan(model, schedule)));
    }
    facts.extend(words::off(model, schedule).map(|off| (3, off)));
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

fn axis(painter: &mut Painter<'_>, model: &Model, area: Rect, columns: Columns, view: &Viewport) {
    let bars = Rect {
        x: columns.bar.0,
        width: columns.bar.1,
        ..area
    };
    for tick in ticks(view, Nanos::ZERO) {
        if clock::covers(model, view, tick.cell, &tick.label) {
            continue;
        }
        painter.put(bars, tick.cell, 0, &tick.label, Ink::Dim);
    }
}

/// The time cursor: a line through the lanes, and its time on the axis.
fn cursor(
    painter: &mut Painter<'_>,
    model: &Model,
    parts: &TimelineParts,
    columns: Columns,
    view: &Viewport,
) {
    let Some((at, cell)) = model
        .timeline
        .cursor
        .and_then(|at| Some((at, view.cell(at)?)))
    else {
        return;
    };
    let x = columns.bar.0 + cell;
    painter.rule(parts.calls, x, 0..parts.calls.height, Ink::Focus);
    let label = format!(" {at} ");
    let wide = u16::try_from(text::width(&label)).unwrap_or(u16::MAX);
    let bars = Rect {
        x: columns.bar.0,
        width: columns.bar.1,
        ..parts.axis
    };
    let left = cell.saturating_sub(1).min(bars.width.saturating_sub(wide));
    painter.put(bars, left, 0, &label, Ink::Focus);
}

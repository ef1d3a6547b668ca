//! Two schedules of a turn below each other, on one axis and one clock; or a replay beside its
//! prediction, as it happens.

use std::borrow::Cow;

use ratatui::layout::Rect;

use super::clock;
use super::paint::{Painter, Title};
use super::timeline::label;

use crate::analyze::Figure;
use crate::chart::{Viewport, raster, ticks};
use crate::model::Timing;
use crate::text::{self, fit_right};
use crate::time::{Nanos, Span};
use crate::tui::bars::bars_at;
use crate::tui::layout::{self, Columns, RaceParts};
use crate::tui::model::{Ahead, Model, Moment, Race, Replaying, Tally, ahead};
use crate::tui::report::{Drawn, Row, Schedule};
use crate::tui::skin::{Ink, Sign};
use crate::tui::words;

/// What is drawn of one side.
struct Side<'a> {
    schedule: &'a Schedule,
    moment: Moment,
    /// The time by now.
    now: Nanos,
}

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, race: &Race, panel: Rect) {
    painter.clear(panel);
    let Some((first, second)) = sides(model, race) else {
        let title = Title {
            left: "Race",
            right: "Esc closes",
            right_ink: Ink::Dim,
            focused: true,
        };
        painter.panel(panel, &title);
        return;
    };
    let running = model.replays.running.as_ref();
    frame(painter, model, race, panel, (&first, &second));
    let parts = layout::race_parts(panel, model.calls().len());
    let tool = model.report.as_ref().map_or(0, |report| report.tool_cells);
    let columns = layout::timeline_columns(parts.axis, model.calls().len(), tool, 0);
    let extent = first.extent.max(second.extent).max(model_axis(running));
    let view = Viewport::fit(Span::new(Nanos::ZERO, extent), columns.bar.1);
    for tick in ticks(&view, Nanos::ZERO) {
        painter.column(
            parts.axis,
            (
                columns.bar.0 + tick.cell,
                columns.bar.1.saturating_sub(tick.cell),
            ),
            0,
            &tick.label,
            Ink::Dim,
        );
    }
    let sides = both(race, &first, &second, running);
    for (at, side) in sides.iter().enumerate() {
        heading(painter, model, parts.headings[at], side);
        lanes(painter, model, race, parts.calls[at], columns, &view, side);
    }
    result(painter, model, &parts, &sides, running);
}

/// Both schedules; while a replay runs the second is what it has measured so far.
fn sides<'a>(model: &'a Model, race: &Race) -> Option<(Cow<'a, Schedule>, Cow<'a, Schedule>)> {
    if let Some(measured) = model.replaying() {
        let report = model.report.as_ref()?;
        return Some((
            Cow::Borrowed(report.find(race.first)?),
            Cow::Owned(measured),
        ));
    }
    let (first, second) = model.runners(race)?;
    Some((Cow::Borrowed(first), Cow::Borrowed(second)))
}

fn both<'a>(
    race: &Race,
    first: &'a Schedule,
    second: &'a Schedule,
    running: Option<&Replaying>,
) -> [Side<'a>; 2] {
    let side = |schedule, moment, now| Side {
        schedule,
        moment,
        now,
    };
    let at = race.clock.at;
    match running {
        // The prediction is there as a whole: the measured bars grow towards it.
        Some(running) => {
            let live = Moment::Live {
                at: running.elapsed,
                knows_starts: true,
            };
            [
                side(first, Moment::All, running.elapsed),
                side(second, live, running.elapsed),
            ]
        }
        None => [
            side(first, Moment::Played(at), at),
            side(second, Moment::Played(at), at),
        ],
    }
}

/// Room on the axis for a replay that takes longer than it should.
fn model_axis(running: Option<&Replaying>) -> Nanos {
    running.map_or(Nanos::ZERO, |running| {
        running.predicted.unwrap_or_default().max(running.elapsed)
    })
}

fn frame(
    painter: &mut Painter<'_>,
    model: &Model,
    race: &Race,
    panel: Rect,
    sides: (&Schedule, &Schedule),
) {
    let number = model.turn_number().unwrap_or(0);
    let end = Race::end(sides.0, sides.1);
    let skin = painter.skin;
    let (left, right) = match &model.replays.running {
        Some(running) => {
            let tally = Tally::at(&running.rows, running.elapsed);
            let progress = format!(
                "measuring {}: {} of {} calls, {}",
                running.policy,
                tally.over(),
                running.rows.len(),
                running.elapsed,
            );
            (format!("Replay of turn {number}"), progress)
        }
        None => (
            format!("Race of turn {number}"),
            clock::face(race.clock, model.player.speed, end, true, skin),
        ),
    };
    let title = Title {
        left: &left,
        right: &right,
        right_ink: Ink::Strong,
        focused: true,
    };
    painter.panel(panel, &title);
    let keys = match model.replays.running {
        Some(_) => "Esc cancels",
        None => "p other policy, Space plays, Esc closes",
    };
    painter.footnote(panel, keys, Ink::Dim);
}

fn heading(painter: &mut Painter<'_>, model: &Model, area: Rect, side: &Side<'_>) {
    let Some(report) = &model.report else { return };
    let (label, ink) = label(report, side.schedule);
    let x = painter.put(area, 0, 0, &label, ink) + 2;
    let tally = Tally::at(&side.schedule.rows, side.now);
    let is_over = tally.over() == side.schedule.rows.len();
    let state = match (side.moment, side.schedule.makespan) {
        (Moment::Played(_), Some(makespan)) if is_over => {
            format!("all answers at {}", side.schedule.timing.show(makespan))
        }
        (Moment::All, makespan) => {
            format!(
                "all answers at {}",
                words::duration(makespan, side.schedule.timing)
            )
        }
        _ => clock::tally(&tally, painter.skin),
    };
    painter.put(area, x, 0, &state, Ink::Text);
}

fn lanes(
    painter: &mut Painter<'_>,
    model: &Model,
    race: &Race,
    area: Rect,
    columns: Columns,
    view: &Viewport,
    side: &Side<'_>,
) {
    let ink = match side.schedule.figure {
        Figure::Measured => Ink::Run,
        Figure::Predicted => Ink::Predicted,
    };
    // The time by now, also beside a schedule that is drawn as a whole.
    let now = view.cell(side.now).map(|cell| columns.bar.0 + cell);
    let rows = side.schedule.rows.iter().enumerate().skip(race.top);
    for (y, (call, row)) in (0..area.height).zip(rows) {
        let digits = usize::from(columns.index.1.saturating_sub(1));
        let index = format!(" {}", fit_right(&call.to_string(), digits));
        painter.column(area, columns.index, y, &index, Ink::Dim);
        let tool = words::tool(&model.run, model.calls(), call);
        painter.column(area, columns.tool, y, &tool, Ink::Text);
        let bars = bars_at(row, side.schedule.extent, side.moment);
        let cells = raster(view, &bars, painter.skin.glyphs);
        painter.lane(area, columns.bar, y, &cells, ink);
        if let Some(x) = now {
            painter.rule(area, x, y..y + 1, Ink::Strong);
        }
        if !clock::takes(painter, area, columns.takes, y, row, side.moment) {
            takes(painter, area, columns, y, row);
        }
    }
}

fn takes(painter: &mut Painter<'_>, area: Rect, columns: Columns, y: u16, row: &Row) {
    let ink = if row.outcome.is_failure() {
        painter.column(
            area,
            (columns.takes.0, columns.takes.1.min(1)),
            y,
            painter.skin.sign(Sign::Bad),
            Ink::Failed,
        );
        Ink::Failed
    } else {
        Ink::Text
    };
    let (x, cells) = columns.takes;
    let rest = (x.saturating_add(1), cells.saturating_sub(1));
    painter.column_right(area, rest, y, &words::takes(row), ink);
}

/// Who is ahead. While both are on their way nobody is.
fn result(
    painter: &mut Painter<'_>,
    model: &Model,
    parts: &RaceParts,
    sides: &[Side<'_>; 2],
    running: Option<&Replaying>,
) {
    let [first, second] = sides;
    if running.is_some() {
        let text = "Stand-ins take the recorded times; the runner is the real one.";
        painter.put(parts.result, 0, 0, text, Ink::Dim);
        return;
    }
    let name = |side: &Side<'_>| {
        let report = model.report.as_ref();
        report.map_or_else(String::new, |report| label(report, side.schedule).0)
    };
    let ended = |side: &Side<'_>| side.schedule.makespan.is_some_and(|end| end <= side.now);
    let kind = kind(first.schedule, second.schedule);
    let timing = first.schedule.timing.max(second.schedule.timing);
    let shown = |by: Nanos| timing.show(by);
    let room = usize::from(parts.result.width);
    let (text, ink) = match ahead(first.schedule, second.schedule) {
        None => ("Nobody wins: a makespan is unknown.".to_owned(), Ink::Dim),
        Some(_) if !ended(first) && !ended(second) => {
            ("Both are on their way.".to_owned(), Ink::Dim)
        }
        // Of two upper bounds the larger may be the earlier.
        Some(_) if is_bounded(first.schedule, second.schedule) => (
            "Upper bounds only: which is done first is not known.".to_owned(),
            Ink::Dim,
        ),
        Some(Ahead::Neither) => ("Both are done at the same time.".to_owned(), Ink::Text),
        Some(Ahead::First(by)) => (
            lead(&name(first), &name(second), &shown(by), &kind, room),
            Ink::Good,
        ),
        Some(Ahead::Second(by)) => (
            lead(&name(second), &name(first), &shown(by), &kind, room),
            Ink::Good,
        ),
    };
    let is_check = matches!(
        (first.schedule.drawn, second.schedule.drawn),
        (Drawn::Predicted(a), Drawn::Measured(b)) if a == b
    );
    let (text, ink) = match words::off(model, second.schedule) {
        Some(off) if is_check && ended(first) && ended(second) => {
            (format!("Measured: {off}."), Ink::Text)
        }
        _ => (text, ink),
    };
    painter.put(parts.result, 0, 0, &text, ink);
}

fn lead(winner: &str, loser: &str, by: &str, kind: &str, room: usize) -> String {
    let sentence = format!("{winner} is done {by} before {loser} ({kind}).");
    if text::width(&sentence) <= room {
        return sentence;
    }
    let policy = winner.split(": ").last().unwrap_or(winner);
    format!("{policy} by {by} ({kind})")
}

/// True where a makespan is only bounded, so that nothing follows from which is larger. Two
/// predictions rest on the same durations: there the order holds for those.
fn is_bounded(first: &Schedule, second: &Schedule) -> bool {
    let predicted = |schedule: &Schedule| schedule.figure == Figure::Predicted;
    first.timing.max(second.timing) == Timing::Bound && !(predicted(first) && predicted(second))
}

/// What a difference of two makespans is: predicted where one of them is.
fn kind(first: &Schedule, second: &Schedule) -> String {
    let kind = match (first.figure, second.figure) {
        (Figure::Measured, Figure::Measured) => "measured",
        _ => "predicted",
    };
    match first.timing.max(second.timing) {
        Timing::Bound => format!("{kind} from upper bounds"),
        Timing::Given => format!("{kind} from given durations"),
        _ => kind.to_owned(),
    }
}

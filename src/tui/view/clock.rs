//! A clock on the timeline: where it is, and what the calls do at its time.

use ratatui::layout::Rect;

use super::paint::Painter;
use crate::chart::Viewport;
use crate::model::{Outcome, Timing};
use crate::text;
use crate::time::Nanos;
use crate::tui::layout::TimelineParts;
use crate::tui::model::{Clock, Doing, Model, Moment, Speed, Tally, doing};
use crate::tui::report::{Row, Schedule};
use crate::tui::skin::{Ink, Sign, Skin};
use crate::tui::words;

/// How a clock goes and where it is: `▶ x10  412 ms of 1.24 s`.
pub(super) fn face(clock: Clock, speed: Speed, end: Nanos, whole: bool, skin: Skin) -> String {
    let sign = skin.sign(if clock.runs { Sign::Play } else { Sign::Pause });
    let of = if whole {
        format!(" of {end}")
    } else {
        String::new()
    };
    // Of one width, or everything beside it would jump.
    let at = text::fit_right(&clock.at.human(), 7);
    format!("{sign} {} {at}{of}", speed.words())
}

/// The right title of the timeline: what is drawn, and the clock while it is played. What there
/// is no room for goes, the clock last.
pub(super) fn title(model: &Model, schedule: &Schedule, label: String, room: usize) -> String {
    let Some(clock) = model.player.clock else {
        return label;
    };
    let Some(end) = model.play_end() else {
        return label;
    };
    let ends = !schedule.rows.iter().any(Row::is_open);
    let face = face(clock, model.player.speed, end, ends, model.skin);
    let both = format!("{label}  {face}");
    let kind = label.split(':').next().unwrap_or_default();
    let short = format!("{kind} {} {}", model.skin.sign(Sign::Play), clock.at);
    // Borders, and what the left title takes at least.
    let fits = |text: &String| text::width(text) + 16 <= room;
    let texts = [both, format!("{kind}  {face}"), short];
    texts
        .iter()
        .find(|text| fits(text))
        .unwrap_or(&texts[2])
        .clone()
}

/// How long the schedule takes, or has been taking.
pub(super) fn makespan(model: &Model, schedule: &Schedule) -> String {
    if let Moment::Live { at, .. } = model.moment() {
        return format!("going on for {at}");
    }
    let makespan = words::duration(schedule.makespan, schedule.timing);
    format!("makespan {makespan}")
}

/// Draws the time of a schedule that is played: a mark on the axis, a line through the lanes.
pub(super) fn line(
    painter: &mut Painter<'_>,
    model: &Model,
    parts: &TimelineParts,
    bar: (u16, u16),
    view: &Viewport,
) {
    let Moment::Played(at) = model.moment() else {
        return;
    };
    if let Some(cell) = view.cell(at) {
        let x = bar.0 + cell;
        let sign = painter.skin.sign(Sign::Now);
        painter.mark(parts.axis, x, 0, sign, Ink::Strong);
        painter.rule(parts.calls, x, 0..parts.calls.height, Ink::Strong);
    }
}

/// True where the mark of the clock would lie on a text of the axis.
pub(super) fn covers(model: &Model, view: &Viewport, cell: u16, text: &str) -> bool {
    let Moment::Played(at) = model.moment() else {
        return false;
    };
    let wide = u16::try_from(text::width(text)).unwrap_or(u16::MAX);
    let mark = view.cell(at);
    mark.is_some_and(|mark| mark > cell && mark < cell.saturating_add(wide))
}

/// True for what has not happened yet.
pub(super) fn is_after(moment: Moment, time: Nanos) -> bool {
    matches!(moment, Moment::Played(at) if time > at)
}

/// What a call does at the clock's time, in the column of its duration; false where it is over
/// and its duration can be shown.
pub(super) fn takes(
    painter: &mut Painter<'_>,
    area: Rect,
    column: (u16, u16),
    y: u16,
    row: &Row,
    moment: Moment,
) -> bool {
    let (at, exact) = match moment {
        Moment::All => return false,
        Moment::Played(at) => (at, true),
        Moment::Live { at, knows_starts } => (at, knows_starts),
    };
    let is_open = row.outcome == Outcome::Unfinished && row.end.is_none();
    let (sign, text, ink) = match doing(row, at) {
        Doing::Nothing => ("", String::new(), Ink::Dim),
        Doing::Waiting if !exact && is_open => {
            let waited = at.since(row.issued);
            (
                painter.skin.sign(Sign::Play),
                format!("≤ {waited}"),
                Ink::Open,
            )
        }
        Doing::Waiting => ("", "waiting".to_owned(), Ink::Dim),
        Doing::Running(time) => {
            let is_loose = row.timing == Timing::Bound || is_open && !exact;
            let most = if is_loose { "≤ " } else { "" };
            let ink = if is_open { Ink::Open } else { Ink::Run };
            (painter.skin.sign(Sign::Play), format!("{most}{time}"), ink)
        }
        Doing::Unknown => ("", "unknown".to_owned(), Ink::Open),
        Doing::Done | Doing::Failed | Doing::Stopped => return false,
    };
    painter.column(area, (column.0, column.1.min(1)), y, sign, ink);
    let rest = (column.0.saturating_add(1), column.1.saturating_sub(1));
    painter.column_right(area, rest, y, &text, ink);
    true
}

/// How many calls do what at the clock's time; false where there is no clock.
pub(super) fn note(
    painter: &mut Painter<'_>,
    model: &Model,
    area: Rect,
    schedule: &Schedule,
) -> bool {
    let Moment::Played(at) = model.moment() else {
        return false;
    };
    let air = area.height.saturating_sub(3);
    let selected = schedule.rows.get(model.call).filter(|_| air < area.height);
    let Some(row) = selected else { return false };
    let counts = tally(&Tally::at(&schedule.rows, at), painter.skin);
    let name = words::name(&model.run, model.calls(), model.call);
    let state = match doing(row, at) {
        Doing::Nothing => "is not issued yet".to_owned(),
        Doing::Waiting => format!("waits since {}", at.since(row.issued)),
        Doing::Running(time) => format!("runs since {time}"),
        Doing::Unknown => "may be running: the file has no times for it".to_owned(),
        Doing::Done => "is done".to_owned(),
        Doing::Failed | Doing::Stopped => format!("is over: {}", words::plain(row.outcome)),
    };
    painter.put(area, 1, air, "now", Ink::Dim);
    painter.put(area, 10, air, &counts, Ink::Text);
    painter.put(area, 10, air + 1, &format!("{name} {state}"), Ink::Text);
    painter.put(area, 1, air + 2, "keys", Ink::Dim);
    let keys = "Space pauses, , . step, 1 2 3 4 speed, Esc leaves";
    painter.put(area, 10, air + 2, keys, Ink::Dim);
    true
}

/// Counts in words, those of nothing left out.
pub(super) fn tally(tally: &Tally, skin: Skin) -> String {
    let parts = [
        (tally.running, "running"),
        (tally.waiting, "waiting"),
        (tally.done, "done"),
        (tally.failed, "failed"),
        (tally.stopped, "stopped"),
    ];
    let parts = parts.into_iter().filter(|(n, _)| *n > 0);
    let parts: Vec<_> = parts.map(|(n, what)| format!("{n} {what}")).collect();
    parts.join(&format!(" {} ", skin.sign(Sign::Dot)))
}

//! The sessions on this machine, over the panels.

use ratatui::layout::Rect;

use super::paint::{Painter, Title};
use crate::analyze::SessionFacts;
use crate::text;
use crate::trace::Run;
use crate::tui::model::{Model, Reading, SessionRow};
use crate::tui::session_layout::{SessionColumns, session_columns, session_parts};
use crate::tui::skin::{Ink, Sign};
use crate::tui::words;

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, panel: Rect) {
    painter.clear(panel);
    let left = format!("Sessions {} {}", painter.skin.sign(Sign::Dot), count(model));
    let right = if model.is_empty() {
        "Enter opens, Esc shows the demo"
    } else {
        "Enter opens, Esc closes"
    };
    painter.panel(
        panel,
        &Title {
            left: &left,
            right,
            right_ink: Ink::Dim,
            focused: true,
        },
    );
    let parts = session_parts(panel);
    filter(painter, model, parts.filter);
    if model.sessions.len() == 0 {
        nothing(painter, model, parts.rows);
        return;
    }
    let columns = session_columns(parts.rows);
    heading(painter, parts.heading, &columns);
    let places = model.sessions.first..model.sessions.len();
    for (y, place) in (0..parts.rows.height).zip(places) {
        if let Some(found) = model.sessions.row(place) {
            let here = place == model.sessions.at;
            let opening = model.sessions.opening.as_ref() == Some(&found.session.path);
            let ink = if here { Ink::Selected } else { Ink::Text };
            row(painter, parts.rows, &columns, y, found, ink);
            let marker = painter.skin.sign(Sign::Here);
            painter.put(parts.rows, 0, y, if here { marker } else { " " }, ink);
            if opening {
                let rest = rest(parts.rows, &columns);
                blank(painter, rest, y);
                painter.put(rest, 0, y, "opening", Ink::Strong);
            }
        }
    }
    note(painter, model, parts.note);
}

fn count(model: &Model) -> String {
    let sessions = &model.sessions;
    let (len, found) = (sessions.len(), sessions.found());
    let count = if len == found {
        found.to_string()
    } else {
        format!("{len} of {found}")
    };
    if sessions.searching {
        format!("{count}, looking for more")
    } else {
        count
    }
}

/// The line that is typed, with its cursor; a hint where it is empty.
fn filter(painter: &mut Painter<'_>, model: &Model, area: Rect) {
    let typed = &model.sessions.filter;
    let x = painter.put(area, 0, 0, "filter ", Ink::Dim);
    if typed.value().is_empty() {
        painter.put(
            area,
            x + 2,
            0,
            "type a project, a harness, a model or a part of a name",
            Ink::Dim,
        );
    }
    let room = usize::from(area.width.saturating_sub(x + 1));
    let skip = typed.visual_scroll(room);
    let shown: String = typed.value().chars().skip(skip).collect();
    painter.put(area, x, 0, &shown, Ink::Text);
    let before: String = typed
        .value()
        .chars()
        .take(typed.cursor())
        .skip(skip)
        .collect();
    let cursor = u16::try_from(text::width(&before)).unwrap_or(u16::MAX);
    painter.reverse(area, x.saturating_add(cursor), 0, 1);
}

fn nothing(painter: &mut Painter<'_>, model: &Model, area: Rect) {
    let sessions = &model.sessions;
    let words = match sessions.found() {
        0 if sessions.searching => "Looking for sessions.",
        0 => {
            "No sessions in this folder, in ./traces, or where Claude Code and Codex keep theirs. \
              `turnlane record` makes a trace, `turnlane demo` opens one."
        }
        _ => "No session fits the filter; Esc takes it away.",
    };
    let lines = text::wrap_words(words, area.width.into());
    for (y, line) in (0..area.height).zip(lines) {
        painter.put(area, 0, y, &line, Ink::Dim);
    }
}

fn heading(painter: &mut Painter<'_>, area: Rect, columns: &SessionColumns) {
    painter.column(area, columns.age, 0, "written", Ink::Dim);
    painter.column(area, columns.project, 0, "project", Ink::Dim);
    painter.column(area, columns.harness, 0, "harness", Ink::Dim);
    painter.column_right(area, columns.turns, 0, "turns", Ink::Dim);
    painter.column_right(area, columns.calls, 0, "calls", Ink::Dim);
    painter.column_right(area, columns.widest, 0, "widest", Ink::Dim);
    painter.column_right(area, columns.lasted, 0, "lasted", Ink::Dim);
    painter.column(area, columns.verdict, 0, "verdict", Ink::Dim);
}

fn row(
    painter: &mut Painter<'_>,
    area: Rect,
    columns: &SessionColumns,
    y: u16,
    row: &SessionRow,
    ink: Ink,
) {
    painter.column(area, columns.age, y, &row.session.age, ink);
    let project = text::cut_start(row.project(), columns.project.1.into());
    painter.column(area, columns.project, y, &project, ink);
    painter.column(area, columns.harness, y, row.harness(), ink);
    let rest = rest(area, columns);
    match &row.reading {
        None if row.asked => {
            painter.put(rest, 0, y, "reading", Ink::Dim);
        }
        None => {}
        Some(Reading::Long) => {
            let words = format!("{}, not read for this list", words::size(row.session.bytes));
            painter.put(rest, 0, y, &words, Ink::Dim);
        }
        Some(Reading::Unreadable(why)) => {
            let x = painter.put(rest, 0, y, painter.skin.sign(Sign::Bad), Ink::Failed);
            painter.put(rest, x + 1, y, why, Ink::Dim);
        }
        Some(Reading::Facts(facts)) => known(painter, area, columns, y, facts, ink),
    }
}

fn known(
    painter: &mut Painter<'_>,
    area: Rect,
    columns: &SessionColumns,
    y: u16,
    facts: &SessionFacts,
    ink: Ink,
) {
    let number = |n: usize| n.to_string();
    painter.column_right(area, columns.turns, y, &number(facts.turns), ink);
    painter.column_right(area, columns.calls, y, &number(facts.calls), ink);
    painter.column_right(area, columns.widest, y, &number(facts.widest), ink);
    let lasted = facts
        .lasted
        .map_or_else(|| "unknown".to_owned(), |t| t.human());
    painter.column_right(area, columns.lasted, y, &lasted, ink);
    painter.column(area, columns.verdict, y, &facts.brief, ink);
}

/// Everything from the counts to the right edge.
fn rest(area: Rect, columns: &SessionColumns) -> Rect {
    let x = columns.counts();
    Rect {
        x,
        width: area.right().saturating_sub(x),
        ..area
    }
}

fn blank(painter: &mut Painter<'_>, area: Rect, y: u16) {
    let row = Rect {
        y: area.y.saturating_add(y),
        height: 1,
        ..area
    };
    painter.clear(row);
}

/// The selected session: where it is, and what there is to say of it in full.
fn note(painter: &mut Painter<'_>, model: &Model, area: Rect) {
    let Some(row) = model.sessions.selected() else {
        return;
    };
    let size = words::size(row.session.bytes);
    let room = usize::from(area.width).saturating_sub(text::width(&size) + 2);
    let path = row.session.path.to_string_lossy();
    let x = painter.put(area, 0, 0, &text::cut_start(&path, room), Ink::Dim);
    painter.put(area, x + 2, 0, &size, Ink::Dim);
    let words = match (&model.notice, &row.reading) {
        (Some(notice), _) => notice.clone(),
        (None, Some(Reading::Unreadable(why))) => why.clone(),
        // Its sentences name keys.
        (None, Some(Reading::Facts(_))) if model.run.blank => Run::BLANK.to_owned(),
        (None, Some(Reading::Facts(facts))) if facts.model.is_empty() => facts.verdict.clone(),
        (None, Some(Reading::Facts(facts))) => format!("{}: {}", facts.model, facts.verdict),
        (None, _) => String::new(),
    };
    let lines = text::wrap_words(&words, area.width.into());
    for (y, line) in (1..area.height).zip(lines) {
        painter.put(area, 0, y, &line, Ink::Text);
    }
}

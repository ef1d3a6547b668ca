//! What the view of the whole run says in words: the legend with its totals, and the selection.

use ratatui::layout::Rect;

use super::paint::Painter;
use super::run_cells::{look, nothing};
use crate::analyze::{Part, PartTotal, Parts};
use crate::chart::several;
use crate::model::Timing;
use crate::text::{clean, width};
use crate::tui::model::{Model, Shown, ThreadRow};
use crate::tui::report::Drawn;
use crate::tui::skin::{Ink, Sign, Skin};
use crate::tui::words;

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, area: Rect) {
    let Some(row) = model.thread_row() else {
        return;
    };
    // A line of air above where there is room for it.
    let air = u16::from(area.height >= 4);
    let used = air + legend(painter, area, air, &row.parts);
    let lines = [turn(model, row), agents(model, row), scale(painter.skin)];
    let lines = lines.into_iter().flatten();
    for (y, line) in (used..area.height).zip(lines) {
        painter.put(area, 1, y, &line, Ink::Dim);
    }
}

/// A part of the legend: its sign, its words, in short too.
struct Entry {
    sign: (char, Ink),
    long: String,
    short: String,
}

/// Draws the legend, over several lines where one is too short, and says over how many.
fn legend(painter: &mut Painter<'_>, area: Rect, top: u16, parts: &Parts) -> u16 {
    let skin = painter.skin;
    let wall = match parts.wall {
        Some(wall) => format!("wall {}", wall.len()),
        None => "wall unknown".to_owned(),
    };
    let entries = entries(parts, skin);
    let cells = |text: &str| u16::try_from(width(text)).unwrap_or(u16::MAX);
    let all = entries.iter().map(|entry| width(&entry.long) + 4);
    let long = all.sum::<usize>() + width(&wall) < usize::from(area.width);
    let (mut x, mut y) = (1, top);
    let mut place = |wide: u16| {
        if x > 1 && x + wide > area.width {
            (x, y) = (1, y + 1);
        }
        let here = (x, y);
        x += wide + 2;
        here
    };
    for entry in &entries {
        let text = if long { &entry.long } else { &entry.short };
        let (sign, ink) = entry.sign;
        let (x, y) = place(cells(text).saturating_add(2));
        painter.put(area, x, y, &sign.to_string(), ink);
        painter.put(area, x + 2, y, text, Ink::Text);
    }
    let (x, y) = place(cells(&wall));
    painter.put(area, x, y, &wall, Ink::Text);
    y + 1 - top
}

/// The parts that there is something to say of.
fn entries(parts: &Parts, skin: Skin) -> Vec<Entry> {
    let percents = parts.percents();
    let largest = percents.and_then(|percents| percents.into_iter().max());
    let shares = parts.totals.iter().enumerate();
    let something = |total: &PartTotal| total.time.is_none_or(|time| time.0 > 0);
    let tiny = parts.totals.iter().zip(percents.unwrap_or_default());
    let tiny = tiny
        .filter(|(total, percent)| *percent == 0 && total.time.is_some_and(|time| time.0 > 0))
        .count();
    let always = |part| matches!(part, Part::Model | Part::Tool);
    let said = shares.filter(|(_, total)| always(total.part) || something(total));
    said.filter(|(_, total)| always(total.part) || parts.wall.is_some())
        .map(|(at, total)| {
            let percent = percents.map(|percents| percents[at]);
            // What is less than a percent is a time, and it has to come from somewhere.
            let share = match (percent, total.time) {
                (_, None) | (None, _) => "unknown".to_owned(),
                (Some(0), Some(time)) if time.0 > 0 => time.human(),
                (Some(100), _) if tiny > 0 && largest == Some(100) => ">99%".to_owned(),
                (Some(percent), _) => format!("{percent}%"),
            };
            entry(total, &share, skin)
        })
        .collect()
}

fn entry(total: &PartTotal, share: &str, skin: Skin) -> Entry {
    let bound = total.timing == Timing::Bound;
    let shown = match total.part {
        Part::Model => Some(Shown::Model),
        Part::Tool if bound => Some(Shown::Bound),
        Part::Tool => Some(Shown::Tool),
        Part::Waiting => Some(Shown::Waiting),
        Part::Approval => Some(Shown::Approval),
        Part::Unattributed => None,
    };
    let sign = shown.map_or((nothing(skin), Ink::Dim), |shown| look(shown, skin));
    let at_most = if bound { skin.sign(Sign::AtMost) } else { "" };
    let missing = match (total.missing, total.time) {
        (0, _) | (_, None) => String::new(),
        (n, Some(_)) => format!(" + {n} unknown"),
    };
    let word = total.part.word();
    let short = format!("{word} {at_most}{share}{missing}");
    let long = match total.time {
        Some(time) if time.0 > 0 && share.ends_with('%') => {
            format!("{word} {at_most}{share} {time}{missing}")
        }
        _ => short.clone(),
    };
    Entry { sign, long, short }
}

/// The selected turn.
fn turn(model: &Model, row: &ThreadRow) -> Option<String> {
    let report = model.report.as_ref()?;
    let number = model.turn_number()?;
    let calls = model.calls().len();
    let extent = model.run_view.whole()?.folds.extent();
    let begin = row.begin(model.turn).map_or_else(
        || "at an unknown time".to_owned(),
        |at| format!("at {}", at.since(extent.start)),
    );
    let mut line = format!(
        "turn {number} {begin}: model {}, {}",
        words::duration(report.model, report.model_timing),
        words::count(calls, "call", "calls"),
    );
    if let Some(schedule) = report.schedule(Drawn::Recorded).filter(|_| calls > 0) {
        let takes = words::duration(schedule.makespan, schedule.timing);
        line.push_str(&format!(" in {takes}"));
    }
    Some(line)
}

/// Who started the thread, or what is folded into it.
fn agents(model: &Model, row: &ThreadRow) -> Option<String> {
    let thread = model.run.threads.get(model.thread)?;
    if let Some(parent) = thread.parent {
        let above = clean(model.run.thread_name(parent.thread));
        let (turn, call) = (parent.turn, parent.call);
        return Some(format!(
            "started by call {call} of turn {turn} of {above}; its time lies inside that call"
        ));
    }
    let (agents, calls) = row.below;
    (agents > 0).then(|| {
        let agents = words::count(agents, "sub-agent", "sub-agents");
        let calls = words::count(calls, "call", "calls");
        format!("{agents} with {calls}: their time lies inside the calls that started them")
    })
}

/// What the marks of crowded cells stand for.
fn scale(skin: Skin) -> Option<String> {
    if skin.is_ascii() {
        return Some("2 to 9, +: so many calls begin in one cell; ~ a folded gap".to_owned());
    }
    let marks = [2, 4, 10].map(|n| several(n, skin.glyphs).unwrap_or(' '));
    let [two, four, ten] = marks;
    Some(format!(
        "{two} {four} {ten} 2, 4, 10 or more calls begin in one cell; ⋯ a folded gap"
    ))
}

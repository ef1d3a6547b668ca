//! Which file, how much of it, under which policy; and the verdict.

use ratatui::layout::Rect;

use super::paint::Painter;
use crate::analyze::Rarity;
use crate::text;
use crate::trace::Run;
use crate::tui::keymap::Action;
use crate::tui::model::Model;
use crate::tui::skin::Ink;
use crate::tui::words;

pub(super) fn draw(painter: &mut Painter<'_>, model: &Model, area: Rect) {
    let line = Rect { height: 1, ..area };
    if model.is_empty() {
        let x = painter.put(line, 1, 0, "turnlane", Ink::Strong) + 3;
        painter.put(line, x, 0, "choose a session to open", Ink::Text);
        return;
    }
    let right = right(model, area.width);
    let room = area.width.saturating_sub(cells(&right) + 3);
    let left = Rect {
        width: room,
        ..line
    };
    let mut x = 1;
    if area.width >= 120 {
        x += painter.put(left, x, 0, "turnlane", Ink::Strong) + 2;
    }
    let file_cells = usize::from(area.width / 3).max(12);
    x += painter.put(
        left,
        x,
        0,
        &text::cut_start(&model.file, file_cells),
        Ink::Strong,
    ) + 2;
    let mut facts = facts(model, room.saturating_sub(x));
    // Where there is no room for the verdict, which says more.
    if area.height == 1 && model.what_if.assumptions.is_changed() {
        facts = "assumptions changed".to_owned();
    }
    painter.put(left, x, 0, &facts, Ink::Text);
    let line = Rect {
        width: area.width.saturating_sub(1),
        ..line
    };
    painter.put_right(line, 0, &right, Ink::Dim);
    verdict(painter, model, area);
}

fn cells(text: &str) -> u16 {
    u16::try_from(text::width(text)).unwrap_or(u16::MAX)
}

fn right(model: &Model, width: u16) -> String {
    let policy = &model.run.meta.policy;
    let mut parts = Vec::new();
    if model.run.blank {
        parts.push(if width < 60 {
            Run::BLANK.to_owned()
        } else {
            "payloads blanked".to_owned()
        });
    }
    let search = search(model, width);
    let following = model.following();
    // The title of the timeline says it too.
    if width >= 100 && !policy.is_empty() && search.is_none() && following.is_none() {
        parts.push(format!("{} (recorded)", text::cut(policy, 20)));
    }
    parts.extend(search);
    parts.extend(following.map(|word| word.to_string()));
    parts.push(format!("{} help", model.keymap.label(Action::Help)));
    parts.join("   ")
}

/// What is searched for, and which of the matches is selected.
fn search(model: &Model, width: u16) -> Option<String> {
    let search = model.find.search.as_ref()?;
    let n = search.hits.len();
    let place = match search.rank(model.place()) {
        Some(rank) if width < 60 => format!("{}/{n}", rank + 1),
        Some(rank) => format!("{} of {n}", rank + 1),
        None if width < 60 => n.to_string(),
        None => words::count(n, "match", "matches"),
    };
    let (looked, of) = search.looked;
    let so_far = match (search.done, of) {
        (true, _) | (_, 0) => String::new(),
        _ => format!(" {}%", looked.min(of) * 100 / of),
    };
    let room = usize::from(width / 5);
    Some(format!(
        "/{} {place}{so_far}",
        text::cut(&search.text, room)
    ))
}

/// As many facts as there is room for; those that matter least go first.
fn facts(model: &Model, room: u16) -> String {
    let seen = model
        .facts
        .rarity
        .get(model.thread)
        .copied()
        .unwrap_or_default();
    let mut facts = vec![(3, text::cut(&model.run.meta.model, 24).into_owned())];
    if model.run.threads.len() > 1 {
        let name = model
            .run
            .threads
            .get(model.thread)
            .map_or("", |t| t.name.as_str());
        let of = model.run.threads.len();
        facts.push((
            2,
            format!(
                "thread {} of {of}: {}",
                model.thread + 1,
                text::cut(name, 16)
            ),
        ));
    }
    facts.push((1, words::count(seen.replies, "turn", "turns")));
    facts.push((4, words::count(seen.calls, "call", "calls")));
    facts.push((0, several(seen, room)));
    facts.push((0, dropped(model)));
    words::fitting(facts, model.skin, room.into())
}

fn several(seen: Rarity, room: u16) -> String {
    if room < 24 {
        return format!("{} with several", seen.with_several);
    }
    words::count(seen.with_several, "reply", "replies") + " with several"
}

/// What the reader left out: nothing is lost silently.
fn dropped(model: &Model) -> String {
    let skipped = &model.run.skipped;
    let unknown: u64 = skipped.unknown_types.values().sum();
    let mut parts = Vec::new();
    for (n, what) in [
        (skipped.bad_lines, "unreadable"),
        (unknown, "of unknown kind"),
        (skipped.orphans, "without a call"),
    ] {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    if skipped.cut_stream {
        parts.push("file cut short".to_owned());
    }
    if parts.is_empty() {
        return String::new();
    }
    format!("left out: {}", parts.join(", "))
}

fn verdict(painter: &mut Painter<'_>, model: &Model, area: Rect) {
    let ink = if model.notice.is_some() {
        Ink::Strong
    } else {
        Ink::Text
    };
    let room = usize::from(area.height.saturating_sub(1));
    let inside = Rect {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(1),
    };
    let lines = model.verdict_lines(area.width);
    for (y, line) in (0..).zip(lines.iter().take(room)) {
        // The last line that there is room for is cut, to say that there is more.
        let rest = lines.get(usize::from(y) + 1..).unwrap_or_default();
        let last = usize::from(y) + 1 == room && !rest.is_empty();
        let line = if last {
            format!("{line} {}", rest.join(" "))
        } else {
            line.clone()
        };
        painter.put(inside, 0, y, &line, ink);
    }
}

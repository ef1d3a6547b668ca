//! One thread of the whole run as cells. A cell costs a few searches, whatever lies under it.

use crate::chart::{Cell, FoldedView, Glyphs, Role, several};
use crate::time::{Nanos, Span};
use crate::tui::model::{Shown, ThreadRow};
use crate::tui::skin::{Ink, Skin};

/// What a part of the time looks like: its character and its ink.
pub(super) const fn look(shown: Shown, skin: Skin) -> (char, Ink) {
    let ascii = skin.is_ascii();
    match shown {
        Shown::Model => (if ascii { ':' } else { '▒' }, Ink::Dim),
        Shown::Tool => (if ascii { '#' } else { '█' }, Ink::Run),
        Shown::Bound => (if ascii { '=' } else { '▓' }, Ink::Run),
        Shown::Waiting => (if ascii { '.' } else { '░' }, Ink::Wait),
        Shown::Approval => (if ascii { '@' } else { '◆' }, Ink::Open),
    }
}

/// What time looks like that nothing in the file explains.
pub(super) const fn nothing(skin: Skin) -> char {
    if skin.is_ascii() { '_' } else { '·' }
}

/// What a folded gap looks like.
pub(super) const fn fold(skin: Skin) -> char {
    if skin.is_ascii() { '~' } else { '⋯' }
}

/// The cells of a thread.
pub(super) fn cells<'a>(
    row: &'a ThreadRow,
    view: &'a FoldedView<'_>,
    skin: Skin,
) -> impl Iterator<Item = (char, Ink, bool)> + 'a {
    (0..view.view.cells()).map(move |at| cell(row, view, at, skin))
}

fn cell(row: &ThreadRow, view: &FoldedView<'_>, at: u16, skin: Skin) -> (char, Ink, bool) {
    const EMPTY: (char, Ink, bool) = (' ', Ink::Text, false);
    let span = view.cell(at);
    let Some(wall) = row.parts.wall else {
        return EMPTY;
    };
    // A thread of no length at all still has its one instant.
    let outside = span.start > wall.end || span.end <= wall.start;
    if outside || span.is_empty() {
        return EMPTY;
    }
    if view.is_folded(at) {
        return (fold(skin), Ink::Dim, false);
    }
    let inside = Span::new(span.start.max(wall.start), span.end.min(wall.end));
    let times = Shown::ALL.map(|shown| row.cover(shown).within(span));
    let calls = row.starts.count(span);
    let most = longest(&times, inside.len());
    if let Some(mark) = several(calls, skin.glyphs) {
        let ink = match most {
            Some(shown) => look(shown, skin).1,
            None => Ink::Text,
        };
        return (mark, ink, false);
    }
    let tool = times[Shown::Tool as usize] + times[Shown::Bound as usize];
    let eighths = eighths(tool, span.len());
    let is_tool = matches!(most, Some(Shown::Tool | Shown::Bound));
    if is_tool || calls > 0 || eighths > 0 {
        let bound = times[Shown::Bound as usize] > times[Shown::Tool as usize];
        let covers = |at| row.cover(Shown::Tool).covers(at) || row.cover(Shown::Bound).covers(at);
        let last = Nanos(span.end.0.saturating_sub(1));
        let at_right = eighths < 8 && covers(last) && !covers(span.start);
        return body(eighths.max(1), at_right, bound, skin);
    }
    match most {
        Some(shown) => {
            let (glyph, ink) = look(shown, skin);
            (glyph, ink, false)
        }
        None => (nothing(skin), Ink::Dim, false),
    }
}

/// What most of a cell was spent on; `None` where that is nothing that the file explains.
fn longest(times: &[Nanos; Shown::ALL.len()], whole: Nanos) -> Option<Shown> {
    let explained: Nanos = times.iter().copied().sum();
    let best = Shown::ALL.into_iter().zip(times);
    // Of equals the first: they are in the order in which they decide.
    let (shown, time) = best.rev().max_by_key(|(_, time)| **time)?;
    (time.0 > 0 && *time >= whole.since(explained)).then_some(shown)
}

fn eighths(part: Nanos, whole: Nanos) -> u32 {
    let (part, whole) = (u128::from(part.0), u128::from(whole.0.max(1)));
    u32::try_from((part * 8 + whole / 2) / whole)
        .unwrap_or(8)
        .min(8)
}

fn body(eighths: u32, at_right: bool, bound: bool, skin: Skin) -> (char, Ink, bool) {
    if skin.glyphs == Glyphs::Ascii {
        let full = if bound { '=' } else { '#' };
        return (if eighths < 4 { '|' } else { full }, Ink::Run, false);
    }
    let role = if bound { Role::Bound } else { Role::Run };
    let cell = Cell::block(role, eighths, at_right);
    (cell.glyph, Ink::Run, cell.reversed)
}

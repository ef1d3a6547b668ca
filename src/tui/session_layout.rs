//! Where the parts and columns of the list of sessions lie.

use ratatui::layout::Rect;

use super::layout::{overlay_text, rows};

/// The parts of the list of sessions, inside its borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SessionParts {
    /// The line that is typed.
    pub(super) filter: Rect,
    /// The names of the columns.
    pub(super) heading: Rect,
    /// One row a session.
    pub(super) rows: Rect,
    /// What there is to say of the selected one, where there is room for it.
    pub(super) note: Rect,
}

/// The parts of the list of sessions.
#[must_use]
pub(super) fn session_parts(panel: Rect) -> SessionParts {
    let area = overlay_text(panel);
    let note = match area.height {
        ..10 => 0,
        10..16 => 2,
        _ => 4,
    };
    let list = area.height.saturating_sub(2 + note);
    // A row of air before the note.
    let air = u16::from(note > 2);
    SessionParts {
        filter: rows(area, 0, 1),
        heading: rows(area, 1, 1),
        rows: rows(area, 2, list.saturating_sub(air)),
        note: rows(area, 2 + list, note),
    }
}

/// The columns of the list of sessions: first cell and width, 0 where there is no room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SessionColumns {
    /// When it was written last, after the marker.
    pub(super) age: (u16, u16),
    /// What it belongs to.
    pub(super) project: (u16, u16),
    /// Which program wrote it.
    pub(super) harness: (u16, u16),
    /// How many turns.
    pub(super) turns: (u16, u16),
    /// How many calls.
    pub(super) calls: (u16, u16),
    /// The most calls of one turn.
    pub(super) widest: (u16, u16),
    /// From its first time to its last.
    pub(super) lasted: (u16, u16),
    /// The answer in a few words.
    pub(super) verdict: (u16, u16),
}

impl SessionColumns {
    /// The first cell of what is known only once a session was read.
    #[must_use]
    pub(super) const fn counts(&self) -> u16 {
        self.turns.0
    }
}

/// The columns of the list of sessions.
#[must_use]
pub(super) fn session_columns(area: Rect) -> SessionColumns {
    let width = area.width;
    let from = |least: u16, cells: u16| if width >= least { cells } else { 0 };
    let gap = |n: u16| if n > 0 { n + 1 } else { 0 };
    let (harness, widest, lasted) = (from(72, 11), from(72, 6), from(90, 11));
    let counts = from(48, 5);
    let fixed = 11 + gap(harness) + 2 * gap(counts) + gap(widest) + gap(lasted);
    let left = width.saturating_sub(1 + fixed);
    let project = (left * 2 / 5).clamp(8, 30).min(left);
    // Two cells of air before the verdict.
    let verdict = left.saturating_sub(project + 2);
    let mut at = area.x.saturating_add(1).min(area.right());
    let mut next = |cells: u16, air: u16| {
        let here = (at, cells.min(area.right().saturating_sub(at)));
        let air = if cells > 0 { air } else { 0 };
        at = at
            .saturating_add(cells.saturating_add(air))
            .min(area.right());
        here
    };
    SessionColumns {
        age: next(10, 1),
        project: next(project, 1),
        harness: next(harness, 1),
        turns: next(counts, 1),
        calls: next(counts, 1),
        widest: next(widest, 1),
        lasted: next(lasted, 2),
        verdict: next(verdict, 0),
    }
}

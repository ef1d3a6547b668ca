//! Bars as cells of a terminal, exact to an eighth of a cell.

use super::viewport::{EIGHTHS, Viewport};
use crate::time::Span;

/// What a cell of a lane stands for. A skin gives it a style; its glyph alone tells it too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Nothing here.
    #[default]
    Empty,
    /// Issued and held back.
    Wait,
    /// The body runs.
    Run,
    /// The body ran somewhere in here: an upper bound, not a run time.
    Bound,
    /// The body ran and failed.
    Failed,
    /// The body was given up and still ran.
    Late,
    /// Started, and the record ends before it does.
    Open,
    /// It ran here at some time; for how long is not known.
    Unknown,
}

/// A stretch of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// From when to when, in the same time as the viewport.
    pub span: Span,
    /// What it stands for.
    pub role: Role,
}

/// One drawn cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The character, one cell wide.
    pub glyph: char,
    /// What it stands for.
    pub role: Role,
    /// Drawn with foreground and background swapped: the glyph is the part *not* covered.
    pub reversed: bool,
}

/// The characters that bars are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Glyphs {
    /// Unicode blocks, eighths of a cell.
    #[default]
    Blocks,
    /// ASCII only, whole cells: for terminals and captures that cannot show blocks.
    Ascii,
}

/// Both edges of a bar in eighths of a cell from the left edge of the window; `to > from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edges {
    /// First eighth covered.
    pub from: u32,
    /// First eighth after it.
    pub to: u32,
}

impl Edges {
    /// Eighths covered.
    #[must_use]
    pub const fn width(self) -> u32 {
        self.to.saturating_sub(self.from)
    }

    /// Eighths of one cell covered, as a range inside it.
    fn in_cell(self, cell: u32) -> (u32, u32) {
        let left = cell * EIGHTHS;
        (
            self.from.clamp(left, left + EIGHTHS) - left,
            self.to.clamp(left, left + EIGHTHS) - left,
        )
    }
}

/// The edges of a span, each from its own absolute time; `None` outside the window.
///
/// A span too short to be seen gets one eighth, after the mapping. A longer span has at least
/// one eighth too, so this makes none look longer than a longer one.
#[must_use]
pub fn edges(view: &Viewport, span: Span) -> Option<Edges> {
    let window = view.window();
    if view.cells() == 0 || span.end < window.start || span.start > window.end {
        return None;
    }
    // What only touches an edge from outside is not in the window, unless it has no length.
    if !span.is_empty() && (span.end == window.start || span.start == window.end) {
        return None;
    }
    let from = view.eighth(span.start).min(view.width() - 1);
    let to = view.eighth(span.end).max(from + 1);
    Some(Edges { from, to })
}

/// Draws the bars of one lane into a row of `view.cells()` cells.
///
/// Where two bars meet in a cell it goes to the one that covers more of it, to the later one of
/// equals; whatever is no running body yields to one.
#[must_use]
pub fn raster(view: &Viewport, bars: &[Bar], glyphs: Glyphs) -> Vec<Cell> {
    let empty = Cell {
        glyph: ' ',
        ..Cell::default()
    };
    let mut row = vec![(empty, 0); usize::from(view.cells())];
    for bar in bars {
        let Some(exact) = edges(view, bar.span) else {
            continue;
        };
        let (edges, stroke) = match glyphs {
            Glyphs::Blocks => (exact, false),
            Glyphs::Ascii => whole_cells(exact),
        };
        let cells = edges.from / EIGHTHS..edges.to.div_ceil(EIGHTHS);
        for cell in cells.clone() {
            let (from, to) = edges.in_cell(cell);
            let place = Place {
                from,
                to,
                first: cell == cells.start && bar.span.start >= view.window().start,
                last: cell + 1 == cells.end,
                stroke,
            };
            let weight = weight(bar.role, to - from);
            if let Some(slot) = row.get_mut(cell as usize)
                && weight >= slot.1
                && let Some(drawn) = draw(bar.role, place, glyphs)
            {
                *slot = (drawn, weight);
            }
        }
    }
    row.into_iter().map(|(cell, _)| cell).collect()
}

/// Which bar a cell goes to: the heavier. An eighth of a body that runs, or may run, weighs more
/// than a whole cell of waiting.
const fn weight(role: Role, eighths: u32) -> u32 {
    match role {
        Role::Empty | Role::Wait | Role::Late => eighths,
        _ => eighths * (EIGHTHS + 1),
    }
}

/// Edges rounded to whole cells, at least one; true where the bar is under half a cell long.
fn whole_cells(exact: Edges) -> (Edges, bool) {
    let round = |eighth: u32| (eighth + EIGHTHS / 2) / EIGHTHS * EIGHTHS;
    let (from, to) = (round(exact.from), round(exact.to));
    if from < to && exact.width() >= EIGHTHS / 2 {
        return (Edges { from, to }, false);
    }
    let from = exact.from / EIGHTHS * EIGHTHS;
    let to = from + EIGHTHS;
    (Edges { from, to }, true)
}

/// A cell of a bar: the eighths of it that are covered, and what is special about it.
#[derive(Clone, Copy)]
struct Place {
    from: u32,
    to: u32,
    first: bool,
    last: bool,
    stroke: bool,
}

fn draw(role: Role, place: Place, glyphs: Glyphs) -> Option<Cell> {
    let glyph = match (role, glyphs) {
        (Role::Run | Role::Bound | Role::Failed, Glyphs::Blocks) => {
            return Some(block(role, place));
        }
        (Role::Run | Role::Bound | Role::Failed, Glyphs::Ascii) if place.stroke => '|',
        (Role::Bound, Glyphs::Ascii) => '=',
        (Role::Run | Role::Failed, Glyphs::Ascii) => '#',
        (Role::Wait, Glyphs::Blocks) => '░',
        (Role::Wait, Glyphs::Ascii) => '.',
        (Role::Late, Glyphs::Blocks) => '▒',
        (Role::Late, Glyphs::Ascii) => '~',
        (Role::Open, Glyphs::Blocks) if place.last => '▶',
        (Role::Open, Glyphs::Blocks) if place.first => '├',
        (Role::Open, Glyphs::Blocks) => '╌',
        (Role::Open, Glyphs::Ascii) if place.last => '>',
        (Role::Open, Glyphs::Ascii) if place.first => '|',
        (Role::Open, Glyphs::Ascii) => '-',
        (Role::Unknown, _) if place.first => '?',
        (Role::Unknown | Role::Empty, _) => return None,
    };
    Some(Cell {
        glyph,
        role,
        reversed: false,
    })
}

/// Blocks grow from the left. A bar that starts inside a cell is the rest of the cell reversed;
/// one that starts and ends inside the same cell keeps its width and moves to the nearer edge.
fn block(role: Role, place: Place) -> Cell {
    let width = place.to.saturating_sub(place.from);
    Cell::block(role, width, place.from > EIGHTHS - place.to)
}

impl Cell {
    /// A cell of which `eighths` are covered by a bar, from the left or up to the right edge.
    #[must_use]
    pub fn block(role: Role, eighths: u32, at_right: bool) -> Self {
        const LEFT: [char; 9] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];
        let width = eighths.min(EIGHTHS);
        let shown = if at_right { EIGHTHS - width } else { width };
        let glyph = match (role, LEFT[shown as usize]) {
            (Role::Bound, '█') => '▓',
            (_, glyph) => glyph,
        };
        Self {
            glyph,
            role,
            reversed: at_right,
        }
    }
}

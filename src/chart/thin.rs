//! Many bars of one lane, of which few cells can show.

use super::raster::{Bar, Role, edges};
use super::viewport::Viewport;
use crate::time::{Nanos, Span};

/// The bars of a lane that never overlap, in order of time, so that the visible ones are found
/// without looking at the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Track {
    bars: Vec<Bar>,
}

/// What one cell of a track hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowded {
    /// The cell.
    pub cell: u16,
    /// How many bars start in it; two or more.
    pub bars: usize,
}

impl Track {
    /// A track of bars in any order. Where they overlap they become one, with the role that
    /// tells the most: of running bodies none becomes a wait.
    #[must_use]
    pub fn new(mut bars: Vec<Bar>) -> Self {
        bars.sort_by_key(|bar| (bar.span.start, bar.span.end));
        let mut kept: Vec<Bar> = Vec::with_capacity(bars.len());
        for bar in bars {
            match kept.last_mut() {
                Some(last) if bar.span.start < last.span.end || bar.span.end <= last.span.end => {
                    last.span.end = last.span.end.max(bar.span.end);
                    last.role = telling(last.role, bar.role);
                }
                _ => kept.push(bar),
            }
        }
        Self { bars: kept }
    }

    /// The bars to draw: every one that can be told from its neighbours at this zoom. At most
    /// two an eighth of a cell, however many the track has.
    #[must_use]
    pub fn visible(&self, view: &Viewport) -> Vec<Bar> {
        let mut shown: Vec<Bar> = Vec::new();
        // A bar without length at the very edge is seen too.
        let mut at = self
            .bars
            .partition_point(|bar| bar.span.end < view.window().start);
        while let Some(bar) = self
            .bars
            .get(at)
            .filter(|b| b.span.start <= view.window().end)
        {
            let Some(place) = edges(view, bar.span) else {
                at += 1;
                continue;
            };
            shown.push(*bar);
            // Whatever ends in the same eighth covers nothing more.
            let next = view.time_at_eighth(place.to);
            let after = self.bars.partition_point(|bar| bar.span.end < next);
            at = after.max(at + 1);
        }
        shown
    }

    /// The cells in which several bars start, so that it can be said.
    #[must_use]
    pub fn crowded(&self, view: &Viewport) -> Vec<Crowded> {
        let cells = (0..view.cells()).filter_map(|cell| {
            let (from, to) = (view.time_at(cell), view.time_at(cell + 1));
            let first = self.bars.partition_point(|bar| bar.span.start < from);
            let last = self.bars.partition_point(|bar| bar.span.start < to);
            let bars = last.saturating_sub(first);
            (bars > 1).then_some(Crowded { cell, bars })
        });
        cells.collect()
    }

    /// The bar that covers a time.
    #[must_use]
    pub fn at(&self, time: Nanos) -> Option<Bar> {
        let bar = self.bars.get(self.first_after(time))?;
        (bar.span.start <= time).then_some(*bar)
    }

    /// From the first to the last time of any bar.
    #[must_use]
    pub fn extent(&self) -> Option<Span> {
        let (first, last) = (self.bars.first()?, self.bars.last()?);
        Some(first.span.hull(last.span))
    }

    /// Index of the first bar that ends after `time`.
    fn first_after(&self, time: Nanos) -> usize {
        self.bars.partition_point(|bar| bar.span.end <= time)
    }
}

/// Of two roles the one that a reader must not miss.
fn telling(a: Role, b: Role) -> Role {
    const ORDER: [Role; 8] = [
        Role::Failed,
        Role::Open,
        Role::Late,
        Role::Bound,
        Role::Run,
        Role::Unknown,
        Role::Wait,
        Role::Empty,
    ];
    let rank = |role| ORDER.iter().position(|r| *r == role);
    if rank(a) <= rank(b) { a } else { b }
}

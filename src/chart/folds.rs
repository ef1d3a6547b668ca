//! A time axis on which long gaps take little room: a run that slept for a night is mostly
//! nothing, and nothing must not take the place of what happened.

use super::viewport::{EIGHTHS, Viewport};
use crate::time::{Nanos, Span};

/// A gap shorter than this is never folded: a reader can wait for it.
const SHORTEST: Nanos = Nanos(10_000_000_000);
/// A gap is folded from this many typical stretches on.
const STRETCHES: u64 = 20;
/// A fold takes at most this part of the busy time.
const SHARE: u64 = 8;

/// The gaps of an axis that are drawn shorter than they were.
///
/// A gap is folded where it is longer than 10 s, than 20 typical stretches, and than twice what
/// the fold itself takes. Every fold takes the same: an eighth of the busy time, and all of them
/// together no more than all of it. Outside of folds the axis is linear.
///
/// *Drawn time* is what a [`Viewport`] over this axis works in: nanoseconds from its left end,
/// one for each nanosecond outside of folds. A later instant never has an earlier drawn time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folds {
    extent: Span,
    /// Apart and in order.
    gaps: Vec<Span>,
    /// Where each gap begins in drawn time.
    drawn: Vec<Nanos>,
    /// What each fold takes in drawn time.
    each: Nanos,
}

/// A gap that is drawn short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// When nothing happened.
    pub gap: Span,
    /// Where it lies in drawn time.
    pub drawn: Span,
}

impl Folds {
    /// An axis without folds.
    #[must_use]
    pub fn none(extent: Span) -> Self {
        Self {
            extent,
            ..Self::default()
        }
    }

    /// The axis over `extent`, on which something goes on in `busy` (apart and in order) that is
    /// `typical` long most of the time.
    #[must_use]
    pub fn new(extent: Span, busy: &[Span], typical: Nanos) -> Self {
        let least = SHORTEST.max(Nanos(typical.0.saturating_mul(STRETCHES)));
        let mut gaps = gaps(extent, busy);
        gaps.retain(|gap| gap.len() > least);
        let busy: Nanos = busy.iter().map(|span| span.len()).sum();
        // Fewer folds may each be longer, which may leave fewer of them worth it.
        let each = loop {
            let folds = gaps.len();
            let each = Nanos(busy.0 / SHARE.max(folds as u64));
            gaps.retain(|gap| gap.len().0 / 2 > each.0);
            if gaps.len() == folds {
                break each;
            }
        };
        let each = each.max(Nanos(1));
        let mut shorter = Nanos::ZERO;
        let drawn = gaps.iter().map(|gap| {
            let at = gap.start.since(extent.start).since(shorter);
            shorter += gap.len().since(each);
            at
        });
        Self {
            drawn: drawn.collect(),
            extent,
            gaps,
            each,
        }
    }

    /// The time that the axis shows.
    #[must_use]
    pub const fn extent(&self) -> Span {
        self.extent
    }

    /// How many gaps are folded.
    #[must_use]
    pub fn len(&self) -> usize {
        self.gaps.len()
    }

    /// True where nothing is folded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.gaps.is_empty()
    }

    /// The fold of that number, in order of time.
    #[must_use]
    pub fn fold(&self, at: usize) -> Option<Fold> {
        let (gap, start) = (self.gaps.get(at)?, *self.drawn.get(at)?);
        Some(Fold {
            gap: *gap,
            drawn: Span::new(start, start + self.each),
        })
    }

    /// The whole axis in drawn time.
    #[must_use]
    pub fn whole(&self) -> Span {
        Span::new(Nanos::ZERO, self.drawn(self.extent.end))
    }

    /// The drawn time of an instant; instants outside the axis lie on its ends.
    #[must_use]
    pub fn drawn(&self, at: Nanos) -> Nanos {
        let at = at.clamp(self.extent.start, self.extent.end);
        let before = self.gaps.partition_point(|gap| gap.end <= at);
        if let Some(fold) = self.fold(before).filter(|fold| fold.gap.start < at) {
            let inside = u128::from(at.since(fold.gap.start).0) * u128::from(self.each.0);
            return fold.drawn.start + small(inside / u128::from(fold.gap.len().0.max(1)));
        }
        match before.checked_sub(1).and_then(|last| self.fold(last)) {
            Some(last) => last.drawn.end + at.since(last.gap.end),
            None => at.since(self.extent.start),
        }
    }

    /// The first instant with that drawn time or a later one.
    #[must_use]
    pub fn real(&self, drawn: Nanos) -> Nanos {
        let before = self
            .drawn
            .partition_point(|start| *start + self.each <= drawn);
        if let Some(fold) = self.fold(before).filter(|fold| fold.drawn.start < drawn) {
            let inside = u128::from(drawn.since(fold.drawn.start).0);
            let inside = inside * u128::from(fold.gap.len().0);
            return fold.gap.start + small(inside.div_ceil(u128::from(self.each.0.max(1))));
        }
        let at = match before.checked_sub(1).and_then(|last| self.fold(last)) {
            Some(last) => last.gap.end + drawn.since(last.drawn.end),
            None => self.extent.start + drawn,
        };
        at.min(self.extent.end)
    }
}

fn small(n: u128) -> Nanos {
    Nanos(u64::try_from(n).unwrap_or(u64::MAX))
}

/// What is left of `extent` between the busy spans.
fn gaps(extent: Span, busy: &[Span]) -> Vec<Span> {
    let mut gaps = Vec::new();
    let mut at = extent.start;
    for span in busy {
        if span.start > at {
            gaps.push(Span::new(at, span.start.min(extent.end)));
        }
        at = at.max(span.end);
    }
    if extent.end > at {
        gaps.push(Span::new(at, extent.end));
    }
    gaps
}

/// A window of a folded axis: instants on one side, cells on the other.
#[derive(Clone, Copy, Debug)]
pub struct FoldedView<'a> {
    /// The axis.
    pub folds: &'a Folds,
    /// The window, in drawn time.
    pub view: Viewport,
}

/// A fold as it lies in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoldMark {
    /// First cell.
    pub from: u16,
    /// First cell after it.
    pub to: u16,
    /// How long nothing happened.
    pub gap: Nanos,
}

impl<'a> FoldedView<'a> {
    /// The whole axis over `cells` cells.
    #[must_use]
    pub fn fit(folds: &'a Folds, cells: u16) -> Self {
        let view = Viewport::fit(folds.whole(), cells);
        Self { folds, view }
    }

    /// Where an instant lies, in eighths of a cell from the left edge; those outside the window
    /// lie on its edges.
    #[must_use]
    pub fn eighth(&self, at: Nanos) -> u32 {
        self.view.eighth(self.folds.drawn(at))
    }

    /// The cell of an instant; `None` outside the window.
    #[must_use]
    pub fn cell_of(&self, at: Nanos) -> Option<u16> {
        let window = self.view.window();
        let drawn = self.folds.drawn(at);
        let inside = drawn >= window.start && drawn < window.end && self.view.cells() > 0;
        let cell = self.view.eighth(drawn) / EIGHTHS;
        u16::try_from(cell).ok().filter(|_| inside)
    }

    /// The first instant in a cell, the end of the window beyond the last one.
    #[must_use]
    pub fn time_at(&self, cell: u16) -> Nanos {
        self.folds.real(self.view.time_at(cell))
    }

    /// The time that a cell stands for, without its end.
    #[must_use]
    pub fn cell(&self, cell: u16) -> Span {
        Span::new(self.time_at(cell), self.time_at(cell.saturating_add(1)))
    }

    /// The time in the window.
    #[must_use]
    pub fn window(&self) -> Span {
        let window = self.view.window();
        Span::new(self.folds.real(window.start), self.folds.real(window.end))
    }

    /// True where a cell stands for nothing but a folded gap.
    #[must_use]
    pub fn is_folded(&self, cell: u16) -> bool {
        let span = self.cell(cell);
        let at = self.folds.gaps.partition_point(|gap| gap.end <= span.start);
        let gap = self.folds.gaps.get(at);
        gap.is_some_and(|gap| gap.start <= span.start && span.end <= gap.end)
    }

    /// The folds in the window that cover a cell or more, as the cells they cover.
    #[must_use]
    pub fn marks(&self) -> Vec<FoldMark> {
        let window = self.view.window();
        let eighths = u128::from(self.folds.each.0) * u128::from(self.view.width());
        // All folds are equally long: where one is no cell wide none is, and there may be many.
        if eighths < u128::from(window.len().0) * u128::from(EIGHTHS) {
            return Vec::new();
        }
        let starts = &self.folds.drawn;
        let first = starts.partition_point(|start| *start + self.folds.each <= window.start);
        let folds = (first..).map_while(|at| self.folds.fold(at));
        let marks = folds
            .take_while(|fold| fold.drawn.start < window.end)
            .map(|fold| {
                let cell = |eighth: u32| u16::try_from(eighth).unwrap_or(u16::MAX);
                FoldMark {
                    from: cell(self.view.eighth(fold.drawn.start).div_ceil(EIGHTHS)),
                    to: cell(self.view.eighth(fold.drawn.end) / EIGHTHS),
                    gap: fold.gap.len(),
                }
            });
        marks.filter(|mark| mark.from < mark.to).collect()
    }

    /// The stretches of real time in the window between its folds; none where there are more of
    /// them than cells.
    pub(super) fn pieces(&self) -> Vec<Span> {
        let window = self.window();
        let gaps = &self.folds.gaps;
        let first = gaps.partition_point(|gap| gap.end <= window.start);
        let after = gaps.partition_point(|gap| gap.start < window.end);
        if after.saturating_sub(first) > usize::from(self.view.cells()) {
            return Vec::new();
        }
        let mut pieces = Vec::new();
        let mut at = window.start;
        for gap in &gaps[first..after.max(first)] {
            if gap.start > at {
                pieces.push(Span::new(at, gap.start));
            }
            at = gap.end;
        }
        if window.end > at {
            pieces.push(Span::new(at, window.end));
        }
        pieces
    }
}

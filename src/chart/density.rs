//! How much lies under a cell, without looking at all of it: one search an edge, whatever the
//! number of calls.

use super::raster::Glyphs;
use crate::time::{Nanos, Span};

/// Instants in order of time, to be counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moments(Vec<Nanos>);

impl Moments {
    /// Takes instants in any order.
    #[must_use]
    pub fn new(mut at: Vec<Nanos>) -> Self {
        at.sort_unstable();
        Self(at)
    }

    /// How many lie in a span, its end left out.
    #[must_use]
    pub fn count(&self, span: Span) -> usize {
        self.before(span.end)
            .saturating_sub(self.before(span.start))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True where there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn before(&self, at: Nanos) -> usize {
        self.0.partition_point(|moment| {
            effort::look();
            *moment < at
        })
    }
}

/// Spans apart from each other and in order of time, to be measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    spans: Vec<Span>,
    /// What the spans before each one add up to.
    before: Vec<Nanos>,
}

impl Coverage {
    /// Takes spans that are in order of time and do not overlap.
    #[must_use]
    pub fn new(spans: Vec<Span>) -> Self {
        let mut sum = Nanos::ZERO;
        let before = spans.iter().map(|span| {
            let before = sum;
            sum += span.len();
            before
        });
        Self {
            before: before.collect(),
            spans,
        }
    }

    /// How much of a span is covered.
    #[must_use]
    pub fn within(&self, span: Span) -> Nanos {
        self.until(span.end).since(self.until(span.start))
    }

    /// True where an instant is covered; the end of a span is not.
    #[must_use]
    pub fn covers(&self, at: Nanos) -> bool {
        let span = self.spans.get(self.first_after(at));
        span.is_some_and(|span| span.start <= at)
    }

    fn until(&self, at: Nanos) -> Nanos {
        let place = self.first_after(at);
        match (self.spans.get(place), self.before.get(place)) {
            (Some(span), Some(before)) => *before + at.since(span.start),
            _ => match (self.spans.last(), self.before.last()) {
                (Some(span), Some(before)) => *before + span.len(),
                _ => Nanos::ZERO,
            },
        }
    }

    /// The first span that ends after an instant.
    fn first_after(&self, at: Nanos) -> usize {
        self.spans.partition_point(|span| {
            effort::look();
            span.end <= at
        })
    }
}

/// The height of a cell that holds `count` of the at most `most` that any cell holds; in ASCII
/// the number itself, `+` for ten and more. A cell that holds anything shows something.
#[must_use]
pub fn height(count: usize, most: usize, glyphs: Glyphs) -> char {
    const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    match glyphs {
        _ if count == 0 => ' ',
        Glyphs::Ascii => digit(count),
        Glyphs::Blocks => {
            let step = count.saturating_mul(HEIGHTS.len()).div_ceil(most.max(1));
            HEIGHTS[step.clamp(1, HEIGHTS.len()) - 1]
        }
    }
}

/// The mark of a cell that several things share, on a scale that is the same everywhere: 2, 3, 4,
/// 5 and 6, 7 to 9, 10 and more; in ASCII the number itself. `None` for fewer than two.
#[must_use]
pub fn several(count: usize, glyphs: Glyphs) -> Option<char> {
    Some(match (count, glyphs) {
        (..2, _) => return None,
        (_, Glyphs::Ascii) => digit(count),
        (2, _) => '▂',
        (3, _) => '▃',
        (4, _) => '▄',
        (5..7, _) => '▅',
        (7..10, _) => '▆',
        _ => '▇',
    })
}

fn digit(count: usize) -> char {
    let digit = u32::try_from(count)
        .ok()
        .and_then(|n| char::from_digit(n, 10));
    digit.unwrap_or('+')
}

/// Counts what searches look at, so that a test can hold the work of a frame.
#[cfg(not(test))]
mod effort {
    pub(super) const fn look() {}
}

#[cfg(test)]
pub(crate) mod effort {
    use std::cell::Cell;

    thread_local! {
        static LOOKS: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn look() {
        LOOKS.with(|looks| looks.set(looks.get() + 1));
    }

    /// How many elements were looked at since the last time it was asked.
    #[cfg(feature = "tui")]
    pub(crate) fn take() -> usize {
        LOOKS.with(Cell::take)
    }
}

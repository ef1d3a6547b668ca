//! Which part of time is on the screen.

use crate::time::{Nanos, Span};

/// Eighths in a cell: the finest step that block glyphs can draw.
pub(super) const EIGHTHS: u32 = 8;

/// A window of time over a number of cells.
///
/// The length of the window is the whole extent halved `level` times, never the result of the
/// last zoom, so zooming in and out again cannot drift. Times map to eighths of a cell with one
/// rounding, downwards; a later time never maps to an earlier eighth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    extent: Span,
    level: u8,
    start: Nanos,
    cells: u16,
}

impl Viewport {
    /// The whole of `extent` over `cells` cells. An empty extent counts as one nanosecond long.
    #[must_use]
    pub fn fit(extent: Span, cells: u16) -> Self {
        let mut extent = extent;
        if extent.is_empty() {
            extent.end = Nanos(extent.end.0.saturating_add(1));
            extent.start = Nanos(extent.end.0 - 1);
        }
        Self {
            extent,
            level: 0,
            start: extent.start,
            cells,
        }
    }

    /// The same window over another number of cells.
    #[must_use]
    pub const fn with_cells(self, cells: u16) -> Self {
        Self { cells, ..self }
    }

    /// Everything there is to see.
    #[must_use]
    pub const fn extent(&self) -> Span {
        self.extent
    }

    /// How many cells the window is drawn over.
    #[must_use]
    pub const fn cells(&self) -> u16 {
        self.cells
    }

    /// How often the window was halved; 0 shows the whole extent.
    #[must_use]
    pub const fn level(&self) -> u8 {
        self.level
    }

    /// The time on the screen.
    #[must_use]
    pub fn window(&self) -> Span {
        Span::new(self.start, Nanos(self.start.0.saturating_add(self.len())))
    }

    /// Length of the window in nanoseconds; at least 1.
    fn len(&self) -> u64 {
        (self.extent.len().0 >> self.level.min(63)).max(1)
    }

    /// Eighths of a cell in the whole window.
    #[must_use]
    pub fn width(&self) -> u32 {
        u32::from(self.cells) * EIGHTHS
    }

    /// Where `at` lies, in eighths of a cell from the left edge; times outside the window lie on
    /// its edges.
    #[must_use]
    pub fn eighth(&self, at: Nanos) -> u32 {
        let offset = u128::from(at.since(self.start).0.min(self.len()));
        let eighth = offset * u128::from(self.width()) / u128::from(self.len());
        u32::try_from(eighth).unwrap_or(self.width())
    }

    /// The cell in which `at` lies; `None` outside the window.
    #[must_use]
    pub fn cell(&self, at: Nanos) -> Option<u16> {
        let window = self.window();
        if self.cells == 0 || at < window.start || at > window.end {
            return None;
        }
        let cell = (self.eighth(at) / EIGHTHS).min(u32::from(self.cells) - 1);
        u16::try_from(cell).ok()
    }

    /// The time at the left edge of a cell, the end of the window beyond the last one.
    #[must_use]
    pub fn time_at(&self, cell: u16) -> Nanos {
        if cell >= self.cells {
            return self.window().end;
        }
        let offset = u128::from(self.len()) * u128::from(cell);
        // Rounded up: the first instant that `eighth` puts into this cell.
        let offset = offset.div_ceil(u128::from(self.cells));
        Nanos(
            self.start
                .0
                .saturating_add(u64::try_from(offset).unwrap_or(u64::MAX)),
        )
    }

    /// Half as much time, with `about` staying where it is on the screen. Stops where an eighth
    /// of a cell would be less than a nanosecond.
    #[must_use]
    pub fn zoom_in(self, about: Nanos) -> Self {
        let closer = Self {
            level: self.level + 1,
            ..self
        };
        if closer.len() < u64::from(self.width()).max(1) || self.level >= 62 {
            return self;
        }
        let about = about.clamp(self.start, self.window().end);
        let before = about.since(self.start).0 / 2;
        closer.starting_at(about.0.saturating_sub(before))
    }

    /// Twice as much time, with `about` staying where it is as far as the extent allows.
    #[must_use]
    pub fn zoom_out(self, about: Nanos) -> Self {
        let Some(level) = self.level.checked_sub(1) else {
            return self;
        };
        let about = about.clamp(self.start, self.window().end);
        let before = about.since(self.start).0.saturating_mul(2);
        Self { level, ..self }.starting_at(about.0.saturating_sub(before))
    }

    /// The first instant that lies in this eighth of a cell, counted from the window's left edge.
    pub(super) fn time_at_eighth(&self, eighth: u32) -> Nanos {
        let offset = u128::from(self.len()) * u128::from(eighth.min(self.width()));
        let offset = offset.div_ceil(u128::from(self.width().max(1)));
        let offset = u64::try_from(offset).unwrap_or(u64::MAX);
        Nanos(self.start.0.saturating_add(offset))
    }

    /// As close as the whole of `span` stays on the screen, with some air, in the middle.
    #[must_use]
    pub fn closest_to(self, span: Span) -> Self {
        let needed = u128::from(span.len().0) * 9 / 8;
        let fits = |level: u8| {
            let view = Self { level, ..self };
            let eighths = u64::from(self.width()).max(1);
            u128::from(view.len()) >= needed && (level == 0 || view.len() >= eighths)
        };
        let level = (0..=62).rev().find(|level| fits(*level)).unwrap_or(0);
        let view = Self { level, ..self };
        let middle = span.start.0 + span.len().0 / 2;
        view.starting_at(middle.saturating_sub(view.len() / 2))
    }

    /// Moves the window by cells, to later times where positive; it stays inside the extent.
    #[must_use]
    pub fn pan(self, cells: i32) -> Self {
        let step = u128::from(self.len()) * u128::from(cells.unsigned_abs());
        let step = step / u128::from(self.cells.max(1));
        let step = u64::try_from(step).unwrap_or(u64::MAX);
        self.starting_at(if cells < 0 {
            self.start.0.saturating_sub(step)
        } else {
            self.start.0.saturating_add(step)
        })
    }

    /// Moves the window so far that `at` is in it, and no further.
    #[must_use]
    pub fn reveal(self, at: Nanos) -> Self {
        let window = self.window();
        if at < window.start {
            self.starting_at(at.0)
        } else if at > window.end {
            self.starting_at(at.0.saturating_sub(self.len()))
        } else {
            self
        }
    }

    fn starting_at(self, start: u64) -> Self {
        let last = self.extent.end.0.saturating_sub(self.len());
        Self {
            start: Nanos(start.min(last).max(self.extent.start.0)),
            ..self
        }
    }
}

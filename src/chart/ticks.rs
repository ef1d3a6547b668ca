//! The time axis: round steps and labels that never touch.

use super::folds::FoldedView;
use super::viewport::{EIGHTHS, Viewport};
use crate::time::{Nanos, Span};

const MICRO: u64 = 1_000;
const MILLI: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A mark on the time axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    /// The cell whose left edge is nearest before the mark.
    pub cell: u16,
    /// Its time, on the same clock as the viewport.
    pub at: Nanos,
    /// Its time counted from the axis' origin, `200 ms`, at the precision of the step.
    pub label: String,
}

/// The marks in the window: multiples of the smallest round step after `origin` that leaves
/// every label its place and two cells of air. Labels start in the tick's cell and end inside
/// the window.
#[must_use]
pub fn ticks(view: &Viewport, origin: Nanos) -> Vec<Tick> {
    let window = view.window();
    let cells = u64::from(view.cells());
    if cells == 0 {
        return Vec::new();
    }
    for step in steps() {
        // A step that needs more marks than cells cannot fit: do not build them.
        if window.len().0 / step > cells {
            continue;
        }
        let ticks = at_step(view, origin, step);
        if apart(&ticks) {
            return ticks;
        }
    }
    Vec::new()
}

/// The marks of a folded axis: one step for all of the window. A mark whose label would reach into
/// the fold after it is left out.
#[must_use]
pub fn folded_ticks(view: &FoldedView<'_>, origin: Nanos) -> Vec<Tick> {
    let cells = u64::from(view.view.cells());
    let pieces = view.pieces();
    for step in steps() {
        let marks: u64 = pieces.iter().map(|piece| piece.len().0 / step).sum();
        // A label has three characters at least and two cells of air; one a piece may be left
        // out. Labels that cannot fit are not even written.
        if marks.saturating_sub(pieces.len() as u64).saturating_mul(5) > cells + 5 {
            continue;
        }
        let ticks: Vec<Tick> = pieces
            .iter()
            .flat_map(|piece| in_piece(view, *piece, origin, step))
            .collect();
        if apart(&ticks) {
            return ticks;
        }
    }
    Vec::new()
}

fn in_piece(view: &FoldedView<'_>, piece: Span, origin: Nanos, step: u64) -> Vec<Tick> {
    let end = view.eighth(piece.end).div_ceil(EIGHTHS);
    let first = piece.start.since(origin).0.div_ceil(step);
    let marks = (first..).map_while(|n| {
        let after = n.checked_mul(step)?;
        let at = Nanos(origin.0.checked_add(after)?);
        (at < piece.end).then(|| Tick {
            cell: u16::try_from(view.eighth(at) / EIGHTHS).unwrap_or(u16::MAX),
            at,
            label: label(after, step),
        })
    });
    marks
        .filter(|tick| u32::from(tick.cell) + cells_of(&tick.label) <= end)
        .collect()
}

fn cells_of(label: &str) -> u32 {
    u32::try_from(label.chars().count()).unwrap_or(u32::MAX)
}

/// True where two cells of air are between any two labels.
fn apart(ticks: &[Tick]) -> bool {
    ticks.windows(2).all(|pair| {
        let end = u32::from(pair[0].cell) + cells_of(&pair[0].label) + 2;
        end <= u32::from(pair[1].cell)
    })
}

fn at_step(view: &Viewport, origin: Nanos, step: u64) -> Vec<Tick> {
    let window = view.window();
    let first = window.start.since(origin).0.div_ceil(step);
    let marks = (first..).map_while(|n| {
        let after = n.checked_mul(step)?;
        let at = Nanos(origin.0.checked_add(after)?);
        (at < window.end).then(|| Tick {
            cell: u16::try_from(view.eighth(at) / EIGHTHS).unwrap_or(u16::MAX),
            at,
            label: label(after, step),
        })
    });
    marks
        .filter(|tick| usize::from(tick.cell) + tick.label.chars().count() <= view.cells().into())
        .collect()
}

/// Round steps from a nanosecond up: 1, 2, 5 in every decade of seconds and days, and what a
/// clock has in between.
fn steps() -> impl Iterator<Item = u64> {
    let decades = |from: u64, to: u64| {
        std::iter::successors(Some(from), |n| n.checked_mul(10))
            .take_while(move |n| *n < to)
            .flat_map(|n| [1, 2, 5].map(|k| n.saturating_mul(k)))
    };
    let clock = [10, 15, 30]
        .map(|n| n * SECOND)
        .into_iter()
        .chain([1, 2, 5, 10, 15, 30].map(|n| n * MINUTE))
        .chain([1, 2, 3, 6, 12].map(|n| n * HOUR));
    decades(1, 10 * SECOND)
        .chain(clock)
        .chain(decades(DAY, u64::MAX))
}

/// A time at the precision of the step between marks: `0`, `200 ms`, `1.2 s`, `2 min 30 s`.
fn label(after: u64, step: u64) -> String {
    if after == 0 {
        return "0".to_owned();
    }
    if after >= MINUTE && step >= SECOND {
        return clock_label(after, step);
    }
    let (unit, name) = match after {
        SECOND.. => (SECOND, "s"),
        MILLI.. => (MILLI, "ms"),
        MICRO.. => (MICRO, "µs"),
        _ => (1, "ns"),
    };
    // As many decimals as tell two neighbouring marks apart.
    let (mut decimals, mut grain) = (0, unit);
    while grain > 1 && !step.is_multiple_of(grain) {
        grain /= 10;
        decimals += 1;
    }
    let (whole, part) = (after / unit, after % unit / grain);
    if decimals == 0 {
        format!("{whole} {name}")
    } else {
        format!("{whole}.{part:0decimals$} {name}")
    }
}

/// Units from the largest that counts down to the one that the step needs: `3 d 06 h`, `2 h`,
/// `2 min 30 s`.
fn clock_label(after: u64, step: u64) -> String {
    const UNITS: [(u64, u64, &str); 4] = [
        (DAY, u64::MAX, "d"),
        (HOUR, 24, "h"),
        (MINUTE, 60, "min"),
        (SECOND, 60, "s"),
    ];
    let mut text = String::new();
    for (unit, round, name) in UNITS {
        let count = after / unit % round;
        if text.is_empty() && count > 0 {
            text = format!("{count} {name}");
        } else if !text.is_empty() {
            text = format!("{text} {count:02} {name}");
        }
        if step.is_multiple_of(unit) {
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Span;

    fn labels(from: u64, to: u64, cells: u16) -> Vec<String> {
        let view = Viewport::fit(Span::new(Nanos(from), Nanos(to)), cells);
        let ticks = ticks(&view, Nanos(from)).into_iter();
        ticks.map(|tick| tick.label).collect()
    }

    #[test]
    fn an_axis_has_round_marks_at_every_scale() {
        assert_eq!(
            labels(0, 1_240 * MILLI, 62),
            ["0", "200 ms", "400 ms", "600 ms", "800 ms", "1.0 s"]
        );
        assert_eq!(labels(0, 30, 40), ["0", "10 ns", "20 ns"]);
        assert_eq!(
            labels(0, 110 * SECOND, 72),
            ["0", "30 s", "1 min 00 s", "1 min 30 s"]
        );
        assert_eq!(
            labels(0, 2_600, 50),
            ["0", "500 ns", "1.0 µs", "1.5 µs", "2.0 µs"]
        );
        assert_eq!(labels(0, 5 * HOUR, 40), ["0", "1 h", "2 h", "3 h", "4 h"]);
        assert_eq!(labels(0, 9 * DAY, 40), ["0", "2 d", "4 d", "6 d", "8 d"]);
        assert_eq!(labels(0, 0, 0), Vec::<String>::new());
    }

    #[test]
    fn neighbouring_marks_far_from_the_origin_have_different_labels() {
        let origin = Nanos::ZERO;
        let extent = Span::new(Nanos(100 * SECOND), Nanos(100 * SECOND + 40 * MICRO));
        let ticks = ticks(&Viewport::fit(extent, 60), origin);
        assert!(ticks.len() > 1, "{ticks:?}");
        for pair in ticks.windows(2) {
            assert_ne!(pair[0].label, pair[1].label);
        }
    }
}

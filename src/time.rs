//! Nanoseconds, spans of them, and how durations are printed.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// A point in time or a duration in whole nanoseconds, counted from the start of the run.
///
/// Arithmetic saturates: a hostile file with times near the end of the range must not panic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(pub u64);

impl Nanos {
    /// Time zero: the start of the run, or a duration of nothing.
    pub const ZERO: Self = Self(0);
    /// The largest value that can be held; about 584 years.
    pub const MAX: Self = Self(u64::MAX);

    /// A number of milliseconds as nanoseconds.
    #[must_use]
    pub const fn from_millis(ms: u64) -> Self {
        Self(ms.saturating_mul(1_000_000))
    }

    /// Fractional milliseconds as nanoseconds, rounded; negative and not-a-number give zero.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "float to integer casts saturate"
    )]
    pub fn from_millis_f64(ms: f64) -> Self {
        Self((ms * 1e6).round() as u64)
    }

    /// The value in seconds, for shares and reports. Exact below 2^53 ns (104 days).
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "display only")]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// `self - other`, or zero where `other` is later.
    #[must_use]
    pub const fn since(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The duration as a person reads it: three significant digits and a unit, `4.12 ms`.
    #[must_use]
    pub fn human(self) -> String {
        human(self.0)
    }
}

impl Add for Nanos {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Nanos {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Nanos {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.since(other)
    }
}

impl fmt::Display for Nanos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.human())
    }
}

impl std::iter::Sum for Nanos {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

impl From<std::time::Duration> for Nanos {
    fn from(d: std::time::Duration) -> Self {
        Self(u64::try_from(d.as_nanos()).unwrap_or(u64::MAX))
    }
}

impl From<Nanos> for std::time::Duration {
    fn from(n: Nanos) -> Self {
        Self::from_nanos(n.0)
    }
}

/// A stretch of time; `end` is never before `start`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First instant.
    pub start: Nanos,
    /// First instant after it.
    pub end: Nanos,
}

impl Span {
    /// A span between two instants, given in either order.
    #[must_use]
    pub fn new(a: Nanos, b: Nanos) -> Self {
        Self {
            start: a.min(b),
            end: a.max(b),
        }
    }

    /// Its length.
    #[must_use]
    pub const fn len(self) -> Nanos {
        self.end.since(self.start)
    }

    /// True where start and end are the same instant.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// The total length covered by `spans`, counting overlaps once: a wall time, never a sum of work.
#[must_use]
pub fn union_len(spans: &mut [Span]) -> Nanos {
    spans.sort_unstable();
    let mut total = Nanos::ZERO;
    let mut covered = Nanos::ZERO;
    for span in spans {
        let from = span.start.max(covered);
        total += span.end.since(from);
        covered = covered.max(span.end);
    }
    total
}

fn human(ns: u64) -> String {
    const UNITS: [(u64, &str); 4] = [
        (1_000_000_000, "s"),
        (1_000_000, "ms"),
        (1_000, "µs"),
        (1, "ns"),
    ];
    if ns == 0 {
        return "0 ms".to_owned();
    }
    if ns >= 600_000_000_000 {
        return long(ns / 1_000_000_000);
    }
    for (i, (unit, name)) in UNITS.iter().enumerate() {
        if ns < *unit {
            continue;
        }
        let text = three_digits(ns, *unit);
        // Rounding 999.96 ms up gives "1000 ms"; the next unit says it better.
        if text == "1000" && i > 0 {
            return format!("1.00 {}", UNITS[i - 1].1);
        }
        return format!("{text} {name}");
    }
    format!("{ns} ns")
}

fn three_digits(ns: u64, unit: u64) -> String {
    let whole = ns / unit;
    let decimals: u32 = if unit == 1 || whole >= 100 {
        0
    } else if whole >= 10 {
        1
    } else {
        2
    };
    let scale = 10u128.pow(decimals);
    let scaled = (u128::from(ns) * scale + u128::from(unit) / 2) / u128::from(unit);
    if decimals == 0 {
        return scaled.to_string();
    }
    let (int, frac) = (scaled / scale, scaled % scale);
    // 9.999 rounds to 10.00 and 99.96 to 100.0: drop the digit that rounding made too many.
    match (decimals, int) {
        (2, 10) => format!("{int}.{:01}", frac / 10),
        (1, 100) => int.to_string(),
        _ => format!("{int}.{frac:0width$}", width = decimals as usize),
    }
}

fn long(seconds: u64) -> String {
    let (d, h, m, s) = (
        seconds / 86_400,
        seconds / 3_600 % 24,
        seconds / 60 % 60,
        seconds % 60,
    );
    if d > 0 {
        format!("{d} d {h:02} h")
    } else if h > 0 {
        format!("{h} h {m:02} min")
    } else {
        format!("{m} min {s:02} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_printed_with_three_significant_digits() {
        for (ns, text) in [
            (0, "0 ms"),
            (7, "7 ns"),
            (1_500, "1.50 µs"),
            (4_123_000, "4.12 ms"),
            (26_000_000, "26.0 ms"),
            (412_000_000, "412 ms"),
            (999_960_000, "1.00 s"),
            (9_999_000_000, "10.0 s"),
            (99_960_000_000, "100 s"),
            (128_000_000_000, "128 s"),
            (605_000_000_000, "10 min 05 s"),
            (45_646_000_000_000, "12 h 40 min"),
            (u64::MAX, "213503 d 23 h"),
        ] {
            assert_eq!(Nanos(ns).human(), text, "{ns} ns");
        }
    }

    #[test]
    fn overlapping_spans_count_once() {
        let ms = |a, b| Span::new(Nanos::from_millis(a), Nanos::from_millis(b));
        assert_eq!(
            union_len(&mut [ms(0, 10), ms(0, 10), ms(0, 10)]),
            Nanos::from_millis(10)
        );
        assert_eq!(
            union_len(&mut [ms(5, 9), ms(0, 2), ms(1, 3)]),
            Nanos::from_millis(7)
        );
    }
}

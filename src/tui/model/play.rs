//! A clock over a schedule: where it is, how fast it goes, and what every call does at its time.

use std::collections::BTreeSet;

use crate::model::{Outcome, Timing};
use crate::time::Nanos;
use crate::tui::report::{Row, Schedule};

/// How fast the time of a schedule goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speed {
    /// As fast as it was.
    Real,
    /// Ten times as fast.
    Ten,
    /// A hundred times as fast.
    Hundred,
    /// Slower or faster, so that the whole takes ten seconds.
    #[default]
    Fit,
}

impl Speed {
    /// What [`Speed::Fit`] makes of any schedule.
    const WHOLE: Nanos = Nanos::from_millis(10_000);

    /// What the screen calls it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Real => "x1",
            Self::Ten => "x10",
            Self::Hundred => "x100",
            Self::Fit => "in 10 s",
        }
    }

    /// How much of a schedule of length `whole` goes by in `passed`.
    #[must_use]
    pub fn of(self, passed: Nanos, whole: Nanos) -> Nanos {
        let times = |n: u64| Nanos(passed.0.saturating_mul(n));
        match self {
            Self::Real => passed,
            Self::Ten => times(10),
            Self::Hundred => times(100),
            Self::Fit => {
                let part = u128::from(passed.0) * u128::from(whole.0) / u128::from(Self::WHOLE.0);
                // A schedule of nanoseconds has to move too.
                Nanos(u64::try_from(part).unwrap_or(u64::MAX).max(1))
            }
        }
    }
}

/// A clock that goes or stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Where it is, counted from the turn's first issue.
    pub at: Nanos,
    /// True while it goes.
    pub runs: bool,
}

impl Clock {
    /// One that goes from the beginning.
    #[must_use]
    pub const fn started() -> Self {
        Self {
            at: Nanos::ZERO,
            runs: true,
        }
    }

    /// Lets it stand or go; at the end it goes from the beginning.
    pub fn toggle(&mut self, end: Nanos) {
        if !self.runs && self.at >= end {
            self.at = Nanos::ZERO;
        }
        self.runs = !self.runs;
    }

    /// Takes the time in that went by; stops at the end.
    pub fn pass(&mut self, passed: Nanos, speed: Speed, end: Nanos) {
        if self.runs {
            self.at = (self.at + speed.of(passed, end)).min(end);
            self.runs = self.at < end;
        }
    }

    /// Goes to the next of `times`, or to the one before, and stands.
    pub fn step(&mut self, times: &BTreeSet<Nanos>, forward: bool) {
        let to = if forward {
            times.iter().find(|time| **time > self.at)
        } else {
            times.iter().rev().find(|time| **time < self.at)
        };
        self.at = to.copied().unwrap_or(self.at);
        self.runs = false;
    }

    /// Moves by a part of `whole`, and goes on if it went.
    pub fn scrub(&mut self, whole: Nanos, forward: bool) {
        let part = Nanos((whole.0 / 40).max(1));
        self.at = if forward {
            (self.at + part).min(whole)
        } else {
            self.at.since(part)
        };
    }
}

/// Playing the drawn schedule of the selected turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// How fast.
    pub speed: Speed,
    /// `None` while nothing is played: then the whole turn is drawn.
    pub clock: Option<Clock>,
}

/// What a call does at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// It has not been issued yet.
    Nothing,
    /// It is held back, or asks for approval.
    Waiting,
    /// Its body runs; for so long by now.
    Running(Nanos),
    /// Its body may be running: the file has no times for it.
    Unknown,
    /// It has its answer.
    Done,
    /// It has failed.
    Failed,
    /// It was stopped, or never started.
    Stopped,
}

/// What a call does at `at`, counted from the turn's first issue. At its start it runs, at its
/// end it is over.
#[must_use]
pub fn doing(row: &Row, at: Nanos) -> Doing {
    if at < row.issued {
        return Doing::Nothing;
    }
    let over = row.end.is_some_and(|end| end <= at) && row.outcome != Outcome::Unfinished;
    if over {
        return match row.outcome {
            Outcome::Ok => Doing::Done,
            outcome if outcome.is_failure() => Doing::Failed,
            _ => Doing::Stopped,
        };
    }
    match began(row) {
        Some(start) if start <= at && row.timing == Timing::Unknown && !row.is_open() => {
            Doing::Unknown
        }
        Some(start) if start <= at => Doing::Running(at.since(start)),
        _ => Doing::Waiting,
    }
}

/// When the body began to run. A tool's own figure says how long it ran; what is left of the
/// interval was waiting.
fn began(row: &Row) -> Option<Nanos> {
    let start = row.start?;
    let own = row.end.zip(row.takes).filter(|_| !row.is_open());
    Some(own.map_or(start, |(end, takes)| end.since(takes).max(start)))
}

/// The times at which something of a schedule starts or ends, its beginning included.
#[must_use]
pub fn moments(schedule: &Schedule) -> BTreeSet<Nanos> {
    times(schedule).chain([Nanos::ZERO]).collect()
}

fn times(schedule: &Schedule) -> impl Iterator<Item = Nanos> {
    let of_row = |row: &Row| [Some(row.issued), began(row), row.end, row.late];
    schedule.rows.iter().flat_map(of_row).flatten()
}

/// The last time that anything is known of: where a played schedule ends.
#[must_use]
pub fn last_moment(schedule: &Schedule) -> Nanos {
    if schedule.rows.iter().any(Row::is_open) {
        return schedule.extent;
    }
    // Asked for with every frame that is played: nothing is collected.
    times(schedule).max().unwrap_or_default()
}

/// How many calls of a schedule do what at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Held back.
    pub waiting: usize,
    /// Running, or perhaps running.
    pub running: usize,
    /// Answered.
    pub done: usize,
    /// Failed.
    pub failed: usize,
    /// Stopped, or never started.
    pub stopped: usize,
}

impl Tally {
    /// Counts at one time.
    #[must_use]
    pub fn at(rows: &[Row], at: Nanos) -> Self {
        let mut tally = Self::default();
        for row in rows {
            match doing(row, at) {
                Doing::Nothing => {}
                Doing::Waiting => tally.waiting += 1,
                Doing::Running(_) | Doing::Unknown => tally.running += 1,
                Doing::Done => tally.done += 1,
                Doing::Failed => tally.failed += 1,
                Doing::Stopped => tally.stopped += 1,
            }
        }
        tally
    }

    /// How many are over, however they ended.
    #[must_use]
    pub const fn over(&self) -> usize {
        self.done + self.failed + self.stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Nanos {
        Nanos::from_millis(n)
    }

    fn row(issued: u64, start: Option<u64>, end: Option<u64>, outcome: Outcome) -> Row {
        Row {
            issued: ms(issued),
            start: start.map(ms),
            end: end.map(ms),
            late: None,
            takes: start.zip(end).map(|(start, end)| ms(end - start)),
            timing: Timing::Measured,
            outcome,
            cause: None,
            slot: None,
        }
    }

    #[test]
    fn a_call_waits_then_runs_then_is_done() {
        let row = row(10, Some(100), Some(300), Outcome::Ok);
        for (at, expected) in [
            (0, Doing::Nothing),
            (10, Doing::Waiting),
            (99, Doing::Waiting),
            (100, Doing::Running(Nanos::ZERO)),
            (299, Doing::Running(ms(199))),
            (300, Doing::Done),
            (9_000, Doing::Done),
        ] {
            assert_eq!(doing(&row, ms(at)), expected, "at {at}");
        }
    }

    #[test]
    fn a_failure_is_none_before_it_happens() {
        let row = row(0, Some(0), Some(300), Outcome::TimedOut);
        assert_eq!(doing(&row, ms(299)), Doing::Running(ms(299)));
        assert_eq!(doing(&row, ms(300)), Doing::Failed);
    }

    #[test]
    fn a_call_that_never_started_waits_until_it_is_answered() {
        let refused = row(0, None, Some(50), Outcome::Denied);
        assert_eq!(doing(&refused, ms(49)), Doing::Waiting);
        assert_eq!(doing(&refused, ms(50)), Doing::Failed);
        let skipped = row(0, None, Some(50), Outcome::NotRun);
        assert_eq!(doing(&skipped, ms(50)), Doing::Stopped);
    }

    #[test]
    fn a_call_without_an_end_runs_on() {
        let mut open = row(0, Some(20), None, Outcome::Unfinished);
        open.timing = Timing::Unknown;
        assert_eq!(doing(&open, ms(19)), Doing::Waiting);
        assert_eq!(doing(&open, ms(5_000)), Doing::Running(ms(4_980)));
    }

    #[test]
    fn a_call_without_times_is_never_said_to_run() {
        let mut vague = row(0, Some(20), Some(80), Outcome::Ok);
        (vague.timing, vague.takes) = (Timing::Unknown, None);
        assert_eq!(doing(&vague, ms(50)), Doing::Unknown);
        assert_eq!(doing(&vague, ms(80)), Doing::Done);
    }

    #[test]
    fn what_a_tool_says_of_itself_makes_the_rest_of_the_interval_waiting() {
        let mut own = row(0, Some(0), Some(100), Outcome::Ok);
        own.takes = Some(ms(30));
        assert_eq!(doing(&own, ms(69)), Doing::Waiting);
        assert_eq!(doing(&own, ms(70)), Doing::Running(Nanos::ZERO));
    }

    #[test]
    fn the_clock_stops_at_the_end_and_goes_from_the_beginning_when_asked_again() {
        let mut clock = Clock::started();
        clock.pass(ms(30), Speed::Ten, ms(1_000));
        assert_eq!((clock.at, clock.runs), (ms(300), true));
        clock.pass(ms(500), Speed::Ten, ms(1_000));
        assert_eq!((clock.at, clock.runs), (ms(1_000), false));
        clock.pass(ms(500), Speed::Ten, ms(1_000));
        assert_eq!(clock.at, ms(1_000));
        clock.toggle(ms(1_000));
        assert_eq!(clock, Clock::started());
    }

    #[test]
    fn fitting_takes_ten_seconds_whatever_the_length() {
        for whole in [Nanos(900), ms(40), ms(3_600_000), Nanos(u64::MAX / 2)] {
            let second = Speed::Fit.of(ms(1_000), whole);
            assert_eq!(second.0, (whole.0 / 10).max(1), "{whole}");
        }
        assert_eq!(Speed::Fit.of(Nanos(1), Nanos(1)), Nanos(1));
    }

    #[test]
    fn steps_go_from_moment_to_moment_and_stop_at_the_ends() {
        let times: BTreeSet<Nanos> = [0, 5, 417].map(ms).into();
        let mut clock = Clock::started();
        let mut seen = Vec::new();
        for forward in [true, true, true, false, false, false] {
            clock.step(&times, forward);
            seen.push(clock.at);
        }
        assert_eq!(seen, [5, 417, 417, 5, 0, 0].map(ms));
        assert!(!clock.runs);
    }
}

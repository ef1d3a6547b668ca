//! Two schedules of the selected turn on one clock.

use super::play::{Clock, last_moment};
use super::viewer::Model;
use crate::schedule::Policy;
use crate::time::Nanos;
use crate::tui::report::{Drawn, Schedule, TurnReport};

/// Two schedules of the selected turn on one clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// The one above.
    pub first: Drawn,
    /// The one below.
    pub second: Drawn,
    /// Where both are.
    pub clock: Clock,
    /// First visible call of both.
    pub top: usize,
}

/// Who is done earlier, and by how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// The first.
    First(Nanos),
    /// The second.
    Second(Nanos),
    /// Both at the same instant.
    Neither,
}

/// Who has all answers earlier; `None` where one of the makespans is not known.
#[must_use]
pub fn ahead(first: &Schedule, second: &Schedule) -> Option<Ahead> {
    let (first, second) = (first.makespan?, second.makespan?);
    Some(match first.cmp(&second) {
        std::cmp::Ordering::Less => Ahead::First(second.since(first)),
        std::cmp::Ordering::Equal => Ahead::Neither,
        std::cmp::Ordering::Greater => Ahead::Second(first.since(second)),
    })
}

/// What a schedule is raced against when nobody has said so: a recording against the best safe
/// policy, anything else, and what ran under that policy, against the sequential order.
#[must_use]
pub fn rival(report: &TurnReport, drawn: Drawn) -> Option<Drawn> {
    let sequential = Drawn::Predicted(Policy::Sequential);
    if drawn != Drawn::Recorded && drawn != sequential {
        return report.find(sequential).map(|schedule| schedule.drawn);
    }
    let safe = report.schedules.iter().filter(|schedule| {
        let is_safe = matches!(schedule.drawn, Drawn::Predicted(policy) if policy.is_safe());
        is_safe && schedule.drawn != drawn
    });
    let best = safe.min_by_key(|schedule| schedule.makespan.unwrap_or(Nanos::MAX))?;
    let ran_so = matches!(best.drawn, Drawn::Predicted(policy) if policy.name() == report.policy);
    if ran_so && drawn == Drawn::Recorded {
        return report
            .find(sequential)
            .or(Some(best))
            .map(|schedule| schedule.drawn);
    }
    Some(best.drawn)
}

impl Race {
    /// The one that goes on for longer, to its last moment.
    pub(in crate::tui) fn end(first: &Schedule, second: &Schedule) -> Nanos {
        last_moment(first).max(last_moment(second))
    }
}

impl Model {
    /// Both schedules of a race, where they still exist.
    pub(in crate::tui) fn runners(&self, race: &Race) -> Option<(&Schedule, &Schedule)> {
        let report = self.report.as_ref()?;
        Some((report.find(race.first)?, report.find(race.second)?))
    }
}

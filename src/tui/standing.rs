//! How the schedules stand against each other, for the selected turn or for all turns of its
//! thread: what the what-if shows as rows.

use super::model::Model;
use super::report::{Drawn, Schedule, TurnReport};
use super::skin::{Sign, Skin};
use super::words;
use crate::analyze::{Figure, Savings, Totals};
use crate::model::Timing;
use crate::schedule::Policy;
use crate::time::Nanos;

/// One schedule in figures.
pub(super) struct Standing {
    pub(super) drawn: Drawn,
    pub(super) figure: Figure,
    pub(super) timing: Timing,
    pub(super) makespan: Option<Nanos>,
    /// Against the sequential order; `None` for that itself, for a recording, and where unknown.
    pub(super) savings: Option<Savings>,
    /// True where there should be a saving and a duration is missing.
    pub(super) unknown: bool,
    /// Its races: in full, in short, and as a number.
    pub(super) races: [String; 3],
    /// True where there are any.
    pub(super) has_races: bool,
}

/// The schedules of the selected turn.
pub(super) fn of_turn(model: &Model, report: &TurnReport, skin: Skin) -> Vec<Standing> {
    let schedules = report.schedules.iter();
    let standing = |schedule: &Schedule| {
        let shows_races = shows_races(schedule);
        Standing {
            drawn: schedule.drawn,
            figure: schedule.figure,
            timing: schedule.timing,
            makespan: schedule.makespan,
            savings: against_sequential(schedule.drawn, schedule.savings),
            unknown: schedule.drawn != Drawn::Recorded && report.unknown_calls > 0,
            races: if shows_races {
                races(model, schedule, skin)
            } else {
                unknown()
            },
            has_races: shows_races && schedule.hazards.count > 0,
        }
    };
    schedules.map(standing).collect()
}

/// True where overlap in the schedule says something about the bodies: recorded intervals may be
/// too loose to tell a race from a wait.
pub(super) fn shows_races(schedule: &Schedule) -> bool {
    schedule.drawn != Drawn::Recorded || schedule.timing < Timing::Bound || schedule.rows.len() <= 1
}

/// Everything is held against the sequential order.
fn against_sequential(drawn: Drawn, savings: Option<Savings>) -> Option<Savings> {
    savings.filter(|_| drawn != Drawn::Predicted(Policy::Sequential))
}

fn races(model: &Model, schedule: &Schedule, skin: Skin) -> [String; 3] {
    let hazards = &schedule.hazards;
    [
        with(
            words::off(model, schedule),
            words::races(&model.run, hazards, skin),
        ),
        with(
            words::off(model, schedule),
            words::races_short(hazards, skin),
        ),
        with(
            words::off_short(model, schedule),
            Some(number(hazards.count, skin)),
        ),
    ]
}

/// How far a prediction was off, and the races.
fn with(off: Option<String>, races: Option<String>) -> String {
    let parts = [off, races].into_iter().flatten();
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

fn unknown() -> [String; 3] {
    ["unknown"; 3].map(str::to_owned)
}

fn number(races: u64, skin: Skin) -> String {
    match races {
        0 => String::new(),
        n => format!("{} {n}", skin.sign(Sign::Bad)),
    }
}

/// All turns of the thread on the screen; `None` while nobody has added them up.
pub(super) fn of_all_turns(model: &Model, skin: Skin) -> Option<Vec<Standing>> {
    let totals = model.facts.totals.get(model.thread)?;
    let counted = |n: u64| {
        let words = words::count(usize::try_from(n).unwrap_or(usize::MAX), "pair", "pairs");
        let words = match n {
            0 => String::new(),
            _ => format!("{} {words}", skin.sign(Sign::Bad)),
        };
        [words.clone(), words, number(n, skin)]
    };
    let recorded = Standing {
        drawn: Drawn::Recorded,
        figure: Figure::Measured,
        timing: totals.recorded_timing,
        makespan: totals.recorded,
        savings: None,
        unknown: false,
        races: if totals.shows_races {
            counted(totals.recorded_races)
        } else {
            unknown()
        },
        has_races: totals.shows_races && totals.recorded_races > 0,
    };
    let policies = totals.policies.iter().map(|total| {
        let drawn = Drawn::Predicted(total.policy);
        Standing {
            drawn,
            figure: total.figure,
            timing: totals.timing,
            makespan: total.makespan,
            savings: against_sequential(drawn, total.savings),
            unknown: total.makespan.is_none(),
            races: counted(total.hazards),
            has_races: total.hazards > 0,
        }
    });
    Some(std::iter::once(recorded).chain(policies).collect())
}

/// What the figures of all turns rest on.
pub(super) fn basis_of_all(totals: &Totals) -> String {
    let basis = words::basis_of(totals.timing, totals.overlapped_calls);
    match totals.unknown_turns {
        0 => basis,
        n if n == totals.replies => "no turn has a known duration for every call".to_owned(),
        n => format!("{basis}; {} left out", words::count(n, "turn", "turns")),
    }
}

//! What is worth going to in a run: hazards, failures, wide turns, long waits.

use std::cmp::Reverse;

use super::case::TurnCase;
use super::place::{Place, turns_in_order};
use super::recorded::recorded;
use super::what_if::{WhatIfOptions, predict};
use crate::schedule::{Hazard, HazardKind, Hazards, Policy};
use crate::time::Nanos;
use crate::trace::{Run, Turn};

/// A hazard with where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HazardAt {
    /// The later of the two calls.
    pub place: Place,
    /// The two calls and what can go wrong.
    pub hazard: Hazard,
}

/// What is worth going to in a run, for one way in which it went or would go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The policy that hazards and waits are predicted for; `None` for what was recorded.
    pub policy: Option<Policy>,
    /// The hazards in the order of the run; at most [`Survey::LISTED`].
    pub hazards: Vec<HazardAt>,
    /// How many hazards there are, listed or not.
    pub hazard_count: u64,
    /// The listed hazards from the worst on, as indices of `hazards`.
    pub worst: Vec<u32>,
    /// Calls that failed, in the order of the run.
    pub failures: Vec<Place>,
    /// Turns with several calls, the widest first.
    pub widest: Vec<Place>,
    /// Calls that are known to have waited and how long, the longest first.
    pub waits: Vec<(Place, Nanos)>,
}

impl Survey {
    /// Beyond this many, hazards are counted and not listed.
    pub const LISTED: usize = 20_000;

    /// Looks at every turn of a run. `options` are the switches of a prediction; its list of
    /// policies does not matter.
    #[must_use]
    pub fn of(run: &Run, policy: Option<Policy>, options: &WhatIfOptions) -> Self {
        let mut survey = Self {
            policy,
            ..Self::default()
        };
        let mut widths = Vec::new();
        for (place, turn) in turns_in_order(run) {
            if turn.calls.len > 1 {
                widths.push((Reverse(turn.calls.len), place));
            }
            survey.look_at(run, place, turn, options);
        }
        widths.sort_unstable();
        survey.widest = widths.into_iter().map(|(_, place)| place).collect();
        survey
            .waits
            .sort_unstable_by_key(|&(place, wait)| (Reverse(wait), place));
        survey.worst = (0..).take(survey.hazards.len()).collect();
        survey.worst.sort_by_key(|&at| {
            let HazardAt { place, hazard } = survey.hazards[at as usize];
            let unknown = hazard.kind == HazardKind::UnknownOrder;
            (unknown, hazard.kind, place, hazard.first)
        });
        survey
    }

    fn look_at(&mut self, run: &Run, first: Place, turn: &Turn, options: &WhatIfOptions) {
        let calls = run.calls_of(turn);
        let place = |call| Place { call, ..first };
        let failed = (0..).zip(calls).filter(|(_, c)| c.outcome.is_failure());
        self.failures.extend(failed.map(|(call, _)| place(call)));
        let (hazards, waits) = match self.policy {
            Some(policy) if calls.len() > 1 => predicted(run, turn, options, policy),
            // One call alone waits for nothing in a prediction.
            Some(_) => return,
            None => seen(run, turn),
        };
        let waited = waits.into_iter().filter(|(_, wait)| *wait > Nanos::ZERO);
        self.waits
            .extend(waited.map(|(call, wait)| (place(call), wait)));
        self.hazard_count += hazards.count;
        let room = Self::LISTED.saturating_sub(self.hazards.len());
        let mut list = hazards.list;
        list.sort_unstable_by_key(|h| (h.second, h.first));
        self.hazards
            .extend(list.into_iter().take(room).map(|hazard| HazardAt {
                place: place(hazard.second),
                hazard,
            }));
    }
}

type Waits = Vec<(u32, Nanos)>;

fn seen(run: &Run, turn: &Turn) -> (Hazards, Waits) {
    let calls = (0..).zip(run.calls_of(turn));
    let waits = calls
        .filter_map(|(at, call)| Some((at, call.start?.since(call.issued?))))
        .collect();
    let hazards = if turn.calls.len > 1 {
        recorded(run, turn).hazards
    } else {
        Hazards::default()
    };
    (hazards, waits)
}

fn predicted(run: &Run, turn: &Turn, options: &WhatIfOptions, policy: Policy) -> (Hazards, Waits) {
    let case = TurnCase::of(run, turn);
    let result = predict(&case, &run.keys, options, policy);
    let starts = (0..case.calls.len()).map(|at| result.times(at).0);
    let waits = (0..).zip(starts);
    let waits = waits.filter_map(|(call, start)| Some((call, start?)));
    (result.hazards.clone(), waits.collect())
}

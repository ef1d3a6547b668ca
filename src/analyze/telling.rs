//! Which turn to show first, and how rare turns like it are.

use super::case::TurnCase;
use super::what_if::{WhatIfOptions, what_if_turn};
use crate::schedule::Policy;
use crate::trace::Run;

/// How rare it is that a reply asks for several calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rarity {
    /// Replies in all.
    pub replies: usize,
    /// Replies with at least one call.
    pub with_calls: usize,
    /// Replies with several.
    pub with_several: usize,
    /// Calls in all.
    pub calls: usize,
}

/// Counts over one thread of a run.
#[must_use]
pub fn rarity(run: &Run, thread: usize) -> Rarity {
    let turns = run
        .threads
        .get(thread)
        .map_or(&[][..], |t| t.turns.as_slice());
    let mut rarity = Rarity::default();
    for &turn in turns {
        let calls = run.turns[turn as usize].calls.len as usize;
        rarity.replies += 1;
        rarity.with_calls += usize::from(calls > 0);
        rarity.with_several += usize::from(calls > 1);
        rarity.calls += calls;
    }
    rarity
}

/// The turn to open on, as an index of [`Run::turns`]: one with a hazard first (recorded, else
/// under all-at-once), else the widest, else the longest. `None` for a run without turns.
#[must_use]
pub fn most_telling(run: &Run) -> Option<usize> {
    let options = WhatIfOptions {
        policies: vec![Policy::AllAtOnce],
        ..WhatIfOptions::default()
    };
    let ranked = run.turns.iter().enumerate().map(|(at, turn)| {
        let case = TurnCase::of(run, turn);
        let (recorded, predicted) = if case.calls.len() > 1 {
            let result = what_if_turn(&case, &run.keys, &options);
            (
                case.recorded.as_ref().is_some_and(|r| r.hazards.count > 0),
                result.races.count > 0,
            )
        } else {
            (false, false)
        };
        let length = case.recorded.as_ref().and_then(|r| r.makespan);
        (
            recorded,
            predicted,
            case.calls.len(),
            length,
            std::cmp::Reverse(at),
        )
    });
    ranked.max().map(|(.., std::cmp::Reverse(at))| at)
}

//! What is known of the whole run before anything is drawn.

use crate::analyze::{Rarity, Totals, WhatIfOptions, most_telling, rarity, totals, verdict};
use crate::model::ThreadId;
use crate::trace::Run;

/// What is known of the whole run before anything is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// How rare several calls are, by thread.
    pub rarity: Vec<Rarity>,
    /// All turns added up, by thread; none before the run was judged.
    pub totals: Vec<Totals>,
    /// The answer in plain sentences, by thread; safe to show.
    pub verdict: Vec<String>,
    /// The turn to open on, as an index of the run's turns.
    pub opens_on: Option<usize>,
    /// True where the run was blanked: no sentence holds a payload.
    pub blank: bool,
}

impl Facts {
    /// What can be said at once of a run of any length: no verdict, and the widest turn.
    #[must_use]
    pub fn at_first_sight(run: &Run) -> Self {
        let widest = run.turns.iter().enumerate();
        let widest = widest.max_by_key(|(at, turn)| (turn.calls.len, std::cmp::Reverse(*at)));
        Self {
            rarity: (0..run.threads.len()).map(|t| rarity(run, t)).collect(),
            totals: Vec::new(),
            verdict: Vec::new(),
            opens_on: widest.map(|(at, _)| at),
            blank: run.blank,
        }
    }

    /// Judges a run.
    #[must_use]
    pub fn of(run: &Run, options: &WhatIfOptions) -> Self {
        let threads = 0..u32::try_from(run.threads.len()).unwrap_or(u32::MAX);
        let totals: Vec<_> = threads
            .map(|thread| totals(run, ThreadId(thread), options))
            .collect();
        Self {
            rarity: (0..run.threads.len()).map(|t| rarity(run, t)).collect(),
            verdict: totals.iter().map(verdict).collect(),
            totals,
            opens_on: most_telling(run),
            blank: run.blank,
        }
    }
}

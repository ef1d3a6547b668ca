//! What a list of sessions says of each, in a line.

use super::savings::percent_of;
use super::telling::rarity;
use super::totals::{Totals, totals};
use super::verdict::{WORTH_IT, verdict};
use super::what_if::WhatIfOptions;
use crate::model::{ThreadId, Timing};
use crate::time::Nanos;
use crate::trace::Run;

/// What a list of sessions says of one. Counts are those of its main thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFacts {
    /// The format it is in, as in [`crate::trace::Meta::source`].
    pub source: String,
    /// The folder that the agent worked in, as in the file; empty where it does not say.
    pub folder: String,
    /// The model, as in the file.
    pub model: String,
    /// What it was for, as in the file.
    pub task: String,
    /// Replies.
    pub turns: usize,
    /// Calls.
    pub calls: usize,
    /// The most calls of one reply.
    pub widest: usize,
    /// From the first known time to the last, pauses of people included; `None` without times.
    pub lasted: Option<Nanos>,
    /// The answer in a few words; safe to show.
    pub brief: String,
    /// The answer in sentences; safe to show.
    pub verdict: String,
}

impl SessionFacts {
    /// Judges a run.
    #[must_use]
    pub fn of(run: &Run, options: &WhatIfOptions) -> Self {
        let counts = rarity(run, 0);
        let totals = totals(run, ThreadId(0), options);
        let main = run.threads.first().map_or(&[][..], |main| &main.turns);
        let turns = main.iter().map(|turn| &run.turns[*turn as usize]);
        Self {
            source: run.meta.source.clone(),
            folder: run.meta.folder.clone(),
            model: run.meta.model.clone(),
            task: run.meta.task.clone(),
            turns: counts.replies,
            calls: counts.calls,
            widest: turns.map(|turn| turn.calls.len as usize).max().unwrap_or(0),
            lasted: lasted(run),
            brief: brief(&totals),
            verdict: verdict(&totals),
        }
    }
}

fn lasted(run: &Run) -> Option<Nanos> {
    let turns = run.turns.iter().flat_map(|turn| {
        let model = turn.model.map(|model| [model.start, model.end]);
        let known = [turn.at, turn.end];
        known
            .into_iter()
            .flatten()
            .chain(model.into_iter().flatten())
    });
    let calls = run.calls.iter();
    let calls = calls.flat_map(|call| [call.issued, call.start, call.end].into_iter().flatten());
    let times = turns.chain(calls).chain(run.ended);
    let (first, last) = times.fold((None, None), |(first, last): (Option<Nanos>, _), at| {
        let first = first.map_or(at, |first| first.min(at));
        (Some(first), last.max(Some(at)))
    });
    // One time says when, and not for how long.
    Some(last?.since(first?)).filter(|lasted| *lasted > Nanos::ZERO)
}

/// The answer in a few words, the most important first: `staged saves 8.00 s (61%), 3 races if
/// all at once`.
#[must_use]
pub fn brief(totals: &Totals) -> String {
    let mut parts = vec![saving(totals)];
    match (totals.recorded_races, totals.races) {
        (0, 0) => {}
        (0, n) => parts.push(format!("{} if all at once", races(n))),
        (n, _) => parts.insert(0, format!("{} recorded", races(n))),
    }
    parts.join(", ")
}

fn races(n: u64) -> String {
    format!("{n} {}", if n == 1 { "race" } else { "races" })
}

fn saving(totals: &Totals) -> String {
    if totals.calls == 0 {
        return "no calls".to_owned();
    }
    if totals.with_several == 0 {
        return "one call a reply".to_owned();
    }
    if totals.sequential.is_none() {
        return "saving unknown".to_owned();
    }
    let best = totals
        .best()
        .and_then(|best| Some((best.policy, best.savings?)));
    let Some((policy, savings)) = best else {
        return "nothing to gain".to_owned();
    };
    let mark = if savings.timing == Timing::Bound {
        "≤ "
    } else {
        ""
    };
    let amount = savings.amount();
    match savings.share() {
        Some(share) if share < WORTH_IT => format!("nothing to gain ({})", percent_of(share)),
        Some(share) => format!("{policy} saves {mark}{amount} ({})", percent_of(share)),
        None => format!("{policy} saves {mark}{amount} of tool time"),
    }
}

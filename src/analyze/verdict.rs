//! The answer in one or two plain sentences.

use super::case::CaseCall;
use super::savings::{Savings, percent_of};
use super::totals::Totals;
use crate::model::{KeyTable, Timing};
use crate::schedule::{Hazard, HazardKind, Hazards, Policy};
use crate::text::{clean, cut_start};
use crate::time::Nanos;

/// Below this share of the whole turn, overlap gains nothing that anybody would notice.
pub(super) const WORTH_IT: f64 = 0.02;

/// A race in words' parts, as in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// What can go wrong.
    pub kind: HazardKind,
    /// The tools of the two calls.
    pub tools: [String; 2],
    /// The key they share.
    pub key: Option<String>,
    /// Which of the two is opaque.
    opaque: [bool; 2],
    /// How little it tells: the least is told first.
    rank: (bool, bool, HazardKind),
}

impl Race {
    /// The most telling race of a turn: a lost update before a stale read, an unknown order last,
    /// and of those one with a call that is known to write first.
    #[must_use]
    pub fn first(hazards: &Hazards, calls: &[CaseCall], keys: &KeyTable) -> Option<Self> {
        let rank = |h: &Hazard| {
            let writes = [h.first, h.second]
                .iter()
                .any(|&c| !calls[c as usize].writes.is_empty());
            (h.kind == HazardKind::UnknownOrder, !writes, h.kind)
        };
        let worst = hazards
            .list
            .iter()
            .min_by_key(|h| (rank(h), h.first, h.second))?;
        let pair = [worst.first, worst.second].map(|call| &calls[call as usize]);
        Some(Self {
            kind: worst.kind,
            tools: pair.map(|call| call.tool.clone()),
            key: worst.key.map(|key| keys.text(key).to_owned()),
            opaque: pair.map(|call| call.opaque),
            rank: rank(worst),
        })
    }

    /// The more telling of two; of equals the first.
    #[must_use]
    pub fn or(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        [first, second]
            .into_iter()
            .flatten()
            .min_by_key(|race| race.rank)
    }

    /// `update_invoice and charge_card both write invoice:8123`, safe to show.
    #[must_use]
    pub fn sentence(&self) -> String {
        let [first, second] = self.tools.each_ref().map(|tool| clean(tool));
        let key = self.key.as_deref().map(short_key).unwrap_or_default();
        match self.kind {
            HazardKind::LostUpdate if first == second => {
                format!("two calls of {first} write {key}")
            }
            HazardKind::LostUpdate => format!("{first} and {second} both write {key}"),
            HazardKind::StaleRead => format!("{second} reads {key} before {first} has written it"),
            HazardKind::EarlyWrite => format!("{second} writes {key} before {first} has read it"),
            HazardKind::UnknownOrder if self.opaque == [false, true] => {
                format!("{second}, which could touch anything, overlaps {first}")
            }
            HazardKind::UnknownOrder => {
                format!("{first}, which could touch anything, overlaps {second}")
            }
        }
    }
}

/// A key that fits into a sentence: of a long one the end, which tells files apart.
fn short_key(key: &str) -> String {
    cut_start(&clean(key), 60).into_owned()
}

/// `All-at-once would race: ...`, or `None` where nothing would.
#[must_use]
pub fn race_sentence(race: Option<&Race>, count: u64) -> Option<String> {
    race.map(|race| {
        format!(
            "All-at-once would race: {}{}.",
            race.sentence(),
            more(count)
        )
    })
}

fn more(count: u64) -> String {
    match count {
        0 | 1 => String::new(),
        2 => " (and 1 more pair)".to_owned(),
        n => format!(" (and {} more pairs)", n - 1),
    }
}

/// The answer in plain sentences, the most important first. Safe to show.
#[must_use]
pub fn verdict(totals: &Totals) -> String {
    let mut sentences = Vec::new();
    if let Some(race) = &totals.recorded_race {
        let more = more(totals.recorded_races);
        sentences.push(format!(
            "The recorded run raced: {}{more}.",
            race.sentence()
        ));
    }
    sentences.push(saving_sentence(totals));
    sentences.extend(race_sentence(totals.race.as_ref(), totals.races));
    sentences.extend(bound_sentence(totals));
    sentences.extend(left_out_sentence(totals));
    sentences.join(" ")
}

fn saving_sentence(totals: &Totals) -> String {
    if totals.calls == 0 {
        return "No tool calls: nothing to schedule.".to_owned();
    }
    if totals.with_several == 0 {
        return "No reply asks for several calls: nothing can overlap.".to_owned();
    }
    let Some(base) = totals.sequential else {
        return "What overlap saves is unknown: no turn has a duration for every call.".to_owned();
    };
    let Some(best) = totals.best() else {
        return format!(
            "Overlap saves nothing{}: the calls must run one after another.",
            of(totals.estimated_model, base)
        );
    };
    let Some(savings) = best.savings else {
        return String::new();
    };
    let amount = shown(savings);
    match savings.share() {
        Some(share) if share < WORTH_IT => {
            let barriers = barrier_sentence(totals).map_or_else(String::new, |s| format!(" {s}"));
            format!(
                "Overlap saves {amount}{} ({}): nothing to gain.{barriers}",
                of(totals.estimated_model, base),
                percent_of(share)
            )
        }
        Some(share) => {
            let policy = capitalised(best.policy);
            format!(
                "{policy} saves {amount}{} ({}).",
                of(totals.estimated_model, base),
                percent_of(share)
            )
        }
        None => format!(
            "{} saves {amount} of {} of tool time; what share of the turn that is, is unknown: the model's time is not in the file.",
            capitalised(best.policy),
            totals.timing.show(base),
        ),
    }
}

fn of(model: Option<Nanos>, base: Nanos) -> String {
    model.map_or_else(String::new, |model| format!(" of {}", model + base))
}

fn shown(savings: Savings) -> String {
    match savings.timing {
        Timing::Bound => format!("at most {}", savings.amount()),
        _ => savings.amount().human(),
    }
}

fn capitalised(policy: Policy) -> String {
    let name = policy.name();
    let (head, rest) = name.split_at(1);
    format!("{}{rest}", head.to_ascii_uppercase())
}

/// Why there is nothing to gain: most of the time goes to tools that cannot overlap.
fn barrier_sentence(totals: &Totals) -> Option<String> {
    let all: Nanos = totals.tools.values().map(|t| t.work).sum();
    let mut barriers: Vec<(&str, Nanos)> = totals
        .tools
        .iter()
        .filter(|(_, t)| t.barrier)
        .map(|(name, t)| (name.as_str(), t.work))
        .collect();
    barriers.sort_by_key(|&(name, work)| (std::cmp::Reverse(work), name));
    let top: Vec<_> = barriers
        .into_iter()
        .take(2)
        .filter(|(_, work)| work.0 * 20 > all.0)
        .collect();
    let work: Nanos = top.iter().map(|(_, work)| *work).sum();
    if all == Nanos::ZERO || work.as_secs_f64() / all.as_secs_f64() < 0.5 {
        return None;
    }
    let share = percent_of(work.as_secs_f64() / all.as_secs_f64());
    let names: Vec<_> = top.iter().map(|(name, _)| clean(name)).collect();
    Some(match names.as_slice() {
        [one] => format!("{share} of tool time is {one}, a barrier under staged."),
        _ => format!(
            "{share} of tool time is {}, both barriers under staged.",
            names.join(" and ")
        ),
    })
}

fn bound_sentence(totals: &Totals) -> Option<String> {
    let (bound, calls) = (totals.bound_calls, totals.calls);
    (bound > 0 && totals.with_several > 0)
        .then(|| format!("Upper bound only: {bound} of {calls} calls have no end of their own."))
}

fn left_out_sentence(totals: &Totals) -> Option<String> {
    let (turns, calls) = (totals.unknown_turns, totals.unknown_calls);
    let turn_word = if turns == 1 { "turn is" } else { "turns are" };
    (turns > 0 && totals.sequential.is_some()).then(|| {
        format!("{turns} {turn_word} left out: {calls} calls in them have no known duration.")
    })
}

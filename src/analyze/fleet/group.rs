//! One row of the report.

use std::collections::BTreeMap;

use super::facts::{PartFacts, ReplyFacts, SavedFacts};
use crate::model::Timing;
use crate::schedule::{HazardKind, Policy};
use crate::time::Nanos;

/// Whose replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agent {
    /// Those of main threads.
    Main,
    /// Those of sub-agents, whose time lies inside a call of another thread: never added to it.
    Sub,
}

impl Agent {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Sub => "sub-agent",
        }
    }
}

/// What a row is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupKey {
    /// The harness.
    pub harness: String,
    /// The model; empty where unknown. A thread counts under the model of most of its replies.
    pub model: String,
    /// The task; empty where the files do not say.
    pub task: String,
    /// Whose replies.
    pub agent: Agent,
}

/// Racing pairs by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hazard4 {
    /// One of the two is opaque.
    pub unknown_order: u64,
    /// Both write.
    pub lost_update: u64,
    /// The second reads what the first writes.
    pub stale_read: u64,
    /// The second writes what the first reads.
    pub early_write: u64,
    /// Pairs beyond the first thousand of a reply: counted, their kind was not looked at.
    pub unlisted: u64,
}

impl Hazard4 {
    /// All of them.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.unknown_order + self.lost_update + self.stale_read + self.early_write + self.unlisted
    }

    pub(super) const fn add(&mut self, kind: HazardKind, pairs: u64) {
        match kind {
            HazardKind::UnknownOrder => self.unknown_order += pairs,
            HazardKind::LostUpdate => self.lost_update += pairs,
            HazardKind::StaleRead => self.stale_read += pairs,
            HazardKind::EarlyWrite => self.early_write += pairs,
        }
    }

    const fn extend(&mut self, other: &Self) {
        self.unknown_order += other.unknown_order;
        self.lost_update += other.lost_update;
        self.stale_read += other.stale_read;
        self.early_write += other.early_write;
        self.unlisted += other.unlisted;
    }
}

/// One tool's calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolSum {
    /// How many.
    pub calls: u64,
    /// How many of them have a known run time.
    pub timed: u64,
    /// The sum of those.
    pub work: Nanos,
}

/// One part of the wall time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartSum {
    /// The sum over the replies of which it is known; `None` where it is of none.
    pub time: Option<Nanos>,
    /// The weakest timing in it.
    pub timing: Timing,
    /// Replies of which it is not known.
    pub unknown: u64,
}

/// What one policy would save, predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicySum {
    /// The policy; `None` for the most that any safe policy could save.
    pub policy: Option<Policy>,
    /// Nanoseconds against one call after another, over the replies that can be estimated.
    pub saved: i64,
}

/// Replies with one reading call each, one after the other, that could have been one reply with
/// several calls, if the model had known. An upper bound: what it read may have told it what to
/// read next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SingleReads {
    /// Stretches of two or more such replies.
    pub stretches: u64,
    /// Replies that would not have been needed, at most.
    pub replies: u64,
    /// The model's time before those, where known.
    pub model: Nanos,
    /// Of those replies, how many have no known model time.
    pub model_unknown: u64,
}

/// One row of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Files with at least one reply of this row.
    pub files: u64,
    /// Replies, call-less ones included.
    pub replies: u64,
    /// Replies with at least one call.
    pub with_calls: u64,
    /// Replies with several.
    pub with_several: u64,
    /// Calls.
    pub calls: u64,
    /// Calls that failed.
    pub failed: u64,
    /// How many replies have how many calls; call-less ones are not in it.
    pub sizes: BTreeMap<usize, u64>,
    /// By tool.
    pub tools: BTreeMap<String, ToolSum>,
    /// Wall time by part, in the order of [`crate::analyze::Part::ALL`].
    pub parts: [PartSum; 5],
    /// The sum of makespans one call after another, over the replies that can be estimated;
    /// `None` where there is none.
    pub sequential: Option<Nanos>,
    /// The model's time before those replies; `None` where one of theirs is unknown.
    pub estimated_model: Option<Nanos>,
    /// Replies with calls that cannot be estimated.
    pub not_estimated: u64,
    /// The weakest timing that the savings rest on.
    pub timing: Timing,
    /// What safe policies would save, the bound last.
    pub policies: Vec<PolicySum>,
    /// Pairs that would race if everything started at once.
    pub hazards: Hazard4,
    /// Pairs that raced as recorded.
    pub recorded: Hazard4,
    /// Replies with several calls whose times cannot show whether they raced.
    pub recorded_unknown: u64,
    /// Calls cancelled because a sibling failed.
    pub cancelled: u64,
    /// Of those, how many were asked for again.
    pub reissued: u64,
    /// Replies that could have been one.
    pub single_reads: SingleReads,
}

impl Default for Group {
    fn default() -> Self {
        let part = PartSum {
            time: None,
            timing: Timing::Measured,
            unknown: 0,
        };
        Self {
            files: 0,
            replies: 0,
            with_calls: 0,
            with_several: 0,
            calls: 0,
            failed: 0,
            sizes: BTreeMap::new(),
            tools: BTreeMap::new(),
            parts: [part; 5],
            sequential: None,
            estimated_model: Some(Nanos::ZERO),
            not_estimated: 0,
            timing: Timing::Measured,
            policies: Vec::new(),
            hazards: Hazard4::default(),
            recorded: Hazard4::default(),
            recorded_unknown: 0,
            cancelled: 0,
            reissued: 0,
            single_reads: SingleReads::default(),
        }
    }
}

impl Group {
    pub(super) fn add(&mut self, reply: &ReplyFacts, tools: &[String]) {
        let calls = reply.calls.len();
        self.replies += 1;
        self.with_calls += u64::from(calls > 0);
        self.with_several += u64::from(calls > 1);
        self.calls += calls as u64;
        self.failed += u64::from(reply.failed);
        self.cancelled += u64::from(reply.cancelled);
        self.reissued += u64::from(reply.reissued);
        if calls > 0 {
            *self.sizes.entry(calls).or_insert(0) += 1;
        }
        for (tool, takes, _) in &reply.calls {
            let name = tools.get(*tool as usize).cloned().unwrap_or_default();
            let tool = self.tools.entry(name).or_default();
            tool.calls += 1;
            if let Some(takes) = takes {
                tool.timed += 1;
                tool.work += *takes;
            }
        }
        for (sum, part) in self.parts.iter_mut().zip(&reply.parts) {
            sum.add(*part);
        }
        if calls > 0 {
            self.add_saved(reply.saved.as_ref(), reply.model);
        }
        self.hazards.extend(&reply.hazards);
        match &reply.recorded {
            Some(seen) => self.recorded.extend(seen),
            None => self.recorded_unknown += u64::from(calls > 1),
        }
    }

    fn add_saved(&mut self, saved: Option<&SavedFacts>, model: Option<Nanos>) {
        let Some(saved) = saved else {
            self.not_estimated += 1;
            return;
        };
        self.sequential = Some(self.sequential.unwrap_or_default() + saved.sequential);
        self.estimated_model = self.estimated_model.zip(model).map(|(a, b)| a + b);
        self.timing = self.timing.max(saved.timing);
        let of_policies = saved.policies.iter().map(|(p, saved)| (Some(*p), *saved));
        let all = of_policies.chain(std::iter::once((None, saved.bound)));
        for (at, (policy, saved)) in all.enumerate() {
            match self.policies.get_mut(at) {
                Some(sum) => sum.saved = sum.saved.saturating_add(saved),
                None => self.policies.push(PolicySum { policy, saved }),
            }
        }
    }

    /// The number of calls that so many of a hundred replies with calls do not exceed: the
    /// smallest size whose replies, with all smaller ones, are at least that share.
    #[must_use]
    pub fn percentile(&self, percent: u64) -> Option<usize> {
        let needed = (self.with_calls * percent).div_ceil(100).max(1);
        let mut seen = 0;
        self.sizes.iter().find_map(|(size, replies)| {
            seen += replies;
            (seen >= needed).then_some(*size)
        })
    }

    /// The most calls of one reply.
    #[must_use]
    pub fn max_calls(&self) -> usize {
        self.sizes.keys().next_back().copied().unwrap_or(0)
    }

    /// The share of the estimated turns that a policy would save: of model time and makespan one
    /// after another. `None` where a part of that is unknown.
    #[must_use]
    pub fn share(&self, saved: i64) -> Option<f64> {
        let whole = self.estimated_model? + self.sequential?;
        #[allow(clippy::cast_precision_loss, reason = "a share for a report")]
        (whole > Nanos::ZERO).then(|| saved as f64 / whole.0 as f64)
    }

    /// The wall time of all parts together; `None` where none is known, and for files of a
    /// single moment.
    #[must_use]
    pub fn wall(&self) -> Option<Nanos> {
        let known = self.parts.iter().filter_map(|part| part.time);
        known
            .reduce(|a, b| a + b)
            .filter(|wall| *wall > Nanos::ZERO)
    }
}

impl PartSum {
    fn add(&mut self, part: PartFacts) {
        self.unknown += u64::from(part.unknown);
        if part.unknown && part.time == Nanos::ZERO {
            return;
        }
        self.time = Some(self.time.unwrap_or_default() + part.time);
        // Nothing of it says nothing about how well it is known.
        if part.time > Nanos::ZERO {
            self.timing = self.timing.max(part.timing);
        }
    }
}

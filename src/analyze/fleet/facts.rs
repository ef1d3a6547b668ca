//! What the report keeps of a file.

use std::collections::HashMap;

use super::group::Hazard4;
use crate::analyze::parts::{Part, PartTotal, parts};
use crate::analyze::{TurnCase, TurnWhatIf, WhatIfOptions, what_if_turn};
use crate::model::{Outcome, ThreadId, Timing};
use crate::schedule::{HazardKind, Hazards, Policy};
use crate::time::{Nanos, Span};
use crate::trace::{Call, Run, Turn};

/// So many racing pairs of a file are kept by name; all are counted.
const PAIRS: usize = 200;

/// What the report keeps of a file.
#[derive(Clone, Debug, Default)]
pub struct FileFacts {
    /// The file, as it was named.
    pub file: String,
    /// The harness: `claude-code`, `codex`, `turnlane`, ...
    pub harness: String,
    /// What the run was for; empty where the file does not say.
    pub task: String,
    /// Its threads, `main` first.
    pub threads: Vec<ThreadFacts>,
    /// Names of tools, that [`ReplyFacts::calls`] points into.
    pub tools: Vec<String>,
}

/// What the report keeps of a thread.
#[derive(Clone, Debug, Default)]
pub struct ThreadFacts {
    /// `main`, or the sub-agent's id.
    pub thread: String,
    /// The model that gave most of its replies; empty where unknown.
    pub model: String,
    /// Its replies in order.
    pub replies: Vec<ReplyFacts>,
    /// Calls of two or more in a reply that touch the same thing, the first of the thread.
    pub pairs: Vec<PairFacts>,
}

/// What the report keeps of a reply.
#[derive(Clone, Debug)]
pub struct ReplyFacts {
    /// Its number in the thread, from 1.
    pub number: u32,
    /// What identifies it wherever it is written again; 0 for nothing.
    pub origin: u64,
    /// Its calls: index of the tool, and how long it ran where that is known.
    pub calls: Vec<(u32, Option<Nanos>, Timing)>,
    /// True where it holds one call, which only reads.
    pub single_read: bool,
    /// The model's time.
    pub model: Option<Nanos>,
    /// The wall time from the reply before to the end of this one, by part.
    pub parts: [PartFacts; 5],
    /// What safe policies would save; `None` where a duration is unknown.
    pub saved: Option<SavedFacts>,
    /// Pairs that would race if everything started at once.
    pub hazards: Hazard4,
    /// Pairs that raced as recorded; `None` where the times cannot show it.
    pub recorded: Option<Hazard4>,
    /// Calls that failed.
    pub failed: u32,
    /// Calls that were cancelled because another of the reply failed.
    pub cancelled: u32,
    /// Of those, how many were asked for again later.
    pub reissued: u32,
}

/// One part of the wall time of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartFacts {
    /// As much of it as is known.
    pub time: Nanos,
    /// The weakest timing in it.
    pub timing: Timing,
    /// True where there may be more of it than is known.
    pub unknown: bool,
}

/// What safe policies would save of a reply, predicted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedFacts {
    /// Makespan one call after another.
    pub sequential: Nanos,
    /// The weakest timing under the figures.
    pub timing: Timing,
    /// Nanoseconds against `sequential`, by policy.
    pub policies: Vec<(Policy, i64)>,
    /// The most that any safe policy could save.
    pub bound: i64,
}

/// Two calls of one reply that touch the same thing, at least one of them writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairFacts {
    /// The reply's number in its thread.
    pub turn: u32,
    /// What would go wrong if both started at once.
    pub kind: HazardKind,
    /// The indices of the calls.
    pub calls: [u32; 2],
    /// Their tools, as in the file.
    pub tools: [String; 2],
    /// The key they share, as in the file.
    pub key: Option<String>,
}

/// Reduces a run to what the report keeps. `reissued` says of a call, by its index in the run,
/// whether it was cancelled and asked for again later.
#[must_use]
pub fn file_facts(
    file: &str,
    run: &Run,
    options: &WhatIfOptions,
    reissued: &dyn Fn(usize) -> bool,
) -> FileFacts {
    let mut tools = Tools::default();
    let threads = (0..).take(run.threads.len()).map(ThreadId);
    let threads = threads.map(|thread| thread_facts(run, thread, options, reissued, &mut tools));
    FileFacts {
        file: file.to_owned(),
        harness: run.meta.source.clone(),
        task: run.meta.task.clone(),
        threads: threads.collect(),
        tools: tools.names,
    }
}

/// Names of tools by number.
#[derive(Default)]
struct Tools {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Tools {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

fn thread_facts(
    run: &Run,
    thread: ThreadId,
    options: &WhatIfOptions,
    reissued: &dyn Fn(usize) -> bool,
    tools: &mut Tools,
) -> ThreadFacts {
    let turns = run.thread(thread).map_or(&[][..], |t| t.turns.as_slice());
    let turns: Vec<&Turn> = turns.iter().map(|at| &run.turns[*at as usize]).collect();
    let mut facts = ThreadFacts {
        thread: run.thread_name(thread).to_owned(),
        model: main_model(run, &turns),
        ..ThreadFacts::default()
    };
    for turn in &turns {
        let case = TurnCase::of(run, turn);
        let result = what_if_turn(&case, &run.keys, options);
        facts.add_pairs(&case, &result, run);
        facts
            .replies
            .push(reply_facts(run, turn, &case, &result, reissued, tools));
    }
    attribute(run, thread, &turns, &mut facts.replies);
    facts
}

/// The model with most replies; of equals the one that came first.
fn main_model(run: &Run, turns: &[&Turn]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for turn in turns {
        let name = run.names.get(turn.model_name);
        match counts.iter_mut().find(|(seen, _)| *seen == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let named = counts.iter().filter(|(name, _)| !name.is_empty());
    let most = named.rev().max_by_key(|(_, count)| *count);
    most.map_or(run.meta.model.as_str(), |(name, _)| name)
        .to_owned()
}

fn reply_facts(
    run: &Run,
    turn: &Turn,
    case: &TurnCase,
    result: &TurnWhatIf,
    reissued: &dyn Fn(usize) -> bool,
    tools: &mut Tools,
) -> ReplyFacts {
    let calls = run.calls_of(turn);
    let seen = case.recorded.as_ref();
    let shown = seen.filter(|seen| seen.shows_races(calls.len()));
    let cancelled = |call: &&Call| call.outcome == Outcome::Cancelled;
    let first = turn.calls.start as usize;
    let again = (0..calls.len()).filter(|at| reissued(first + at)).count();
    let failed = calls.iter().filter(|call| call.outcome.is_failure());
    ReplyFacts {
        number: turn.number,
        origin: turn.origin,
        calls: calls
            .iter()
            .map(|call| {
                // A call that never ran took no time: that is known.
                let never = call.never_ran().then_some(Nanos::ZERO);
                (
                    tools.number(run.tool(call)),
                    never.or(call.run_time()),
                    call.timing,
                )
            })
            .collect(),
        single_read: case.calls.len() == 1 && case.calls[0].spec().is_read_only(),
        model: turn.model.map(Span::len),
        parts: [PartFacts {
            time: Nanos::ZERO,
            timing: Timing::Measured,
            unknown: false,
        }; 5],
        saved: saved(case, result),
        hazards: Hazard4::of(&result.races),
        recorded: shown.map(|seen| Hazard4::of(&seen.hazards)),
        failed: u32::try_from(failed.count()).unwrap_or(u32::MAX),
        cancelled: u32::try_from(calls.iter().filter(cancelled).count()).unwrap_or(u32::MAX),
        reissued: u32::try_from(again).unwrap_or(u32::MAX),
    }
}

fn saved(case: &TurnCase, result: &TurnWhatIf) -> Option<SavedFacts> {
    let policies = result.policies.iter().filter(|p| p.policy.is_safe());
    let policies = policies.map(|p| Some((p.policy, p.savings?.saved)));
    Some(SavedFacts {
        sequential: result.sequential?,
        timing: case.timing(),
        policies: policies.collect::<Option<_>>()?,
        bound: result.bound?.savings.saved,
    })
}

impl ThreadFacts {
    fn add_pairs(&mut self, case: &TurnCase, result: &TurnWhatIf, run: &Run) {
        let room = PAIRS.saturating_sub(self.pairs.len());
        let known = result.races.list.iter().filter(|h| h.key.is_some());
        self.pairs.extend(known.take(room).map(|hazard| PairFacts {
            turn: case.number,
            kind: hazard.kind,
            calls: [hazard.first, hazard.second],
            tools: [hazard.first, hazard.second].map(|call| case.calls[call as usize].tool.clone()),
            key: hazard.key.map(|key| run.keys.text(key).to_owned()),
        }));
    }
}

/// Gives every stretch of the wall to the reply in whose time it lies: from the end of the one
/// before to its own.
fn attribute(run: &Run, thread: ThreadId, turns: &[&Turn], replies: &mut [ReplyFacts]) {
    let split = parts(run, thread);
    let ends: Vec<Nanos> = turns.iter().map(|turn| last_time(run, turn)).collect();
    let mut at = 0;
    for stretch in &split.stretches {
        while at + 1 < replies.len() && ends[at] <= stretch.span.start {
            at += 1;
        }
        let mut rest = stretch.span;
        // A stretch of one part may go on into the next reply.
        let mut reply = at;
        while !rest.is_empty() && reply < replies.len() {
            let last = reply + 1 == replies.len();
            let end = if last {
                rest.end
            } else {
                rest.end.min(ends[reply].max(rest.start))
            };
            let piece = Span::new(rest.start, end);
            if !piece.is_empty() {
                let sum = &mut replies[reply].parts[stretch.part as usize];
                sum.time += piece.len();
                sum.timing = sum.timing.max(stretch.timing);
            }
            rest = Span::new(end, rest.end);
            reply += 1;
        }
    }
    unknown_parts(split.wall.is_some(), &split.totals, replies);
}

/// Says of which parts a reply may have more than the wall shows.
fn unknown_parts(wall: bool, totals: &[PartTotal; 5], replies: &mut [ReplyFacts]) {
    for reply in replies {
        let timed = reply.calls.iter().all(|(_, takes, _)| takes.is_some());
        for part in Part::ALL {
            let own = match part {
                Part::Model => reply.model.is_some(),
                Part::Tool => timed,
                _ => true,
            };
            let known = totals[part as usize].time.is_some() || reply.calls.is_empty();
            let known = wall && known;
            reply.parts[part as usize].unknown = !own || !known;
        }
    }
}

/// The last time that is known of a reply and its calls.
fn last_time(run: &Run, turn: &Turn) -> Nanos {
    let calls = run.calls_of(turn).iter();
    let of_calls = calls.flat_map(|call| [call.issued, call.start, call.end]);
    let of_turn = [turn.at, turn.end, turn.model.map(|model| model.end)];
    of_calls.chain(of_turn).flatten().max().unwrap_or_default()
}

impl Hazard4 {
    /// Counts by kind. Of a list that was cut the rest counts as the kind it has most of; the sum
    /// is always right.
    fn of(hazards: &Hazards) -> Self {
        let mut counts = Self::default();
        for hazard in &hazards.list {
            counts.add(hazard.kind, 1);
        }
        let listed = hazards.list.len() as u64;
        counts.unlisted = hazards.count.saturating_sub(listed);
        counts
    }
}

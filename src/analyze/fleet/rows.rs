//! One row a call, for databases. The columns are those of `assets/sql/README.md`; the queries
//! beside it make the report from them.

use super::facts::{FileFacts, PartFacts, ReplyFacts, ThreadFacts};
use super::group::{Agent, Hazard4};
use crate::model::{ThreadId, Timing};
use crate::schedule::Policy;
use crate::time::Nanos;
use crate::trace::{Call, Run};

/// One call, or a reply without calls. What belongs to the reply stands in each of its rows.
#[derive(Clone, Debug)]
pub struct CallRow {
    /// The reply.
    pub reply: ReplyRow,
    /// The call; `None` for a reply without calls.
    pub call: Option<CallFacts>,
}

/// What is known of the reply that a row belongs to.
#[derive(Clone, Debug)]
pub struct ReplyRow {
    /// The thread's name.
    pub thread: String,
    /// Whose thread it is.
    pub agent: Agent,
    /// The model that gave most of the thread's replies.
    pub model: String,
    /// The reply's number in its thread, from 1.
    pub turn: u32,
    /// True where an earlier file has the same reply.
    pub copy: bool,
    /// How many calls it holds.
    pub calls: usize,
    /// True where its one call only reads.
    pub single_read: bool,
    /// The model's time.
    pub model_time: Option<Nanos>,
    /// The wall time up to its end by part.
    pub parts: [PartFacts; 5],
    /// Makespan one call after another.
    pub sequential: Option<Nanos>,
    /// What staged, keyed, graph and the best safe policy would save.
    pub saved: [Option<i64>; 4],
    /// The weakest timing under those.
    pub saved_timing: Timing,
    /// Pairs that would race.
    pub hazards: Hazard4,
    /// Pairs that raced; `None` where the times cannot show it.
    pub recorded: Option<Hazard4>,
}

/// What is known of a call.
#[derive(Clone, Debug)]
pub struct CallFacts {
    /// Its place in the reply, from 0.
    pub index: u32,
    /// The tool.
    pub tool: String,
    /// How it ended.
    pub outcome: &'static str,
    /// True where its failure counts as one.
    pub failed: bool,
    /// True where it was cancelled and asked for again.
    pub asked_again: bool,
    /// When it was issued, started and ended, from the run's start.
    pub issued: Option<Nanos>,
    /// When its body started.
    pub start: Option<Nanos>,
    /// When it ended.
    pub end: Option<Nanos>,
    /// How long its body ran.
    pub run_time: Option<Nanos>,
    /// Where that comes from.
    pub timing: &'static str,
    /// True where nothing is known of what it touches.
    pub opaque: bool,
    /// Keys read, as in the file.
    pub reads: Vec<String>,
    /// Keys written, as in the file.
    pub writes: Vec<String>,
    /// Where the effects come from.
    pub source: &'static str,
    /// Bytes of its answer.
    pub answer_bytes: u64,
}

/// The rows of a file, in the order of its threads, replies and calls.
#[must_use]
pub fn call_rows(run: &Run, facts: &FileFacts, again: &dyn Fn(usize) -> bool) -> Vec<CallRow> {
    let mut rows = Vec::new();
    let threads = (0..).map(ThreadId).zip(&facts.threads);
    for (thread, of_thread) in threads {
        let turns = run.thread(thread).map_or(&[][..], |t| t.turns.as_slice());
        for (turn, reply) in turns.iter().zip(&of_thread.replies) {
            let turn = &run.turns[*turn as usize];
            let row = reply_row(thread, of_thread, reply);
            let first = turn.calls.start as usize;
            let calls = run.calls_of(turn);
            if calls.is_empty() {
                rows.push(CallRow {
                    reply: row,
                    call: None,
                });
                continue;
            }
            rows.extend(calls.iter().enumerate().map(|(at, call)| CallRow {
                reply: row.clone(),
                call: Some(call_facts(run, call, again(first + at))),
            }));
        }
    }
    rows
}

fn reply_row(thread: ThreadId, of_thread: &ThreadFacts, reply: &ReplyFacts) -> ReplyRow {
    let saved = reply.saved.as_ref();
    let of = |policy| {
        let mut policies = saved?.policies.iter();
        policies
            .find(|(p, _)| *p == policy)
            .map(|(_, saved)| *saved)
    };
    ReplyRow {
        thread: of_thread.thread.clone(),
        agent: if thread.0 == 0 {
            Agent::Main
        } else {
            Agent::Sub
        },
        model: of_thread.model.clone(),
        turn: reply.number,
        copy: false,
        calls: reply.calls.len(),
        single_read: reply.single_read,
        model_time: reply.model,
        parts: reply.parts,
        sequential: saved.map(|saved| saved.sequential),
        saved: [
            of(Policy::Staged),
            of(Policy::Keyed),
            of(Policy::Graph),
            saved.map(|saved| saved.bound),
        ],
        saved_timing: saved.map_or(Timing::Unknown, |saved| saved.timing),
        hazards: reply.hazards,
        recorded: reply.recorded,
    }
}

fn call_facts(run: &Run, call: &Call, asked_again: bool) -> CallFacts {
    let keys = |range| {
        let keys = run.keys_in(range).iter();
        keys.map(|key| run.keys.text(*key).to_owned()).collect()
    };
    let never = call.never_ran().then_some(Nanos::ZERO);
    CallFacts {
        index: call.index,
        tool: run.tool(call).to_owned(),
        outcome: call.outcome.word(),
        failed: call.outcome.is_failure(),
        asked_again,
        issued: call.issued,
        start: call.start,
        end: call.end,
        run_time: never.or(call.run_time()),
        timing: call.timing.word(),
        opaque: call.opaque,
        reads: keys(call.reads),
        writes: keys(call.writes),
        source: call.source.word(),
        answer_bytes: call.answer_bytes,
    }
}

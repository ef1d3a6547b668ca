//! Results: which call a result answers, how it ended and what the tool itself says of it.

use serde_json::value::RawValue;

use super::line::{Block, Envelope};
use super::outcome::of_error;
use super::session::Session;
use super::threads::Root;
use crate::import::place::At;
use crate::import::value::{LONGEST_ERROR, Stamp, fields_of, head, is_true, size, word};
use crate::model::Outcome;
use crate::time::Nanos;
use crate::trace::{BodyRef, Sym, cut, json};

/// A figure beyond ten years says nothing about a call.
const LONGEST_MS: f64 = 10.0 * 366.0 * 86_400_000.0;

/// What a result says.
#[derive(Debug)]
pub(super) struct Answer {
    end: Stamp,
    outcome: Outcome,
    error: Sym,
    body: BodyRef,
    bytes: u64,
    own: Option<Nanos>,
    /// The sub-agent that the call started.
    agent: Option<String>,
    /// The task that goes on after the result.
    task: Option<String>,
}

/// What a tool says of its own result.
#[derive(Debug, Default)]
struct Own {
    time: Option<Nanos>,
    agent: Option<String>,
    task: Option<String>,
    interrupted: bool,
}

impl Session<'_> {
    pub(super) fn user(&mut self, root: Root, at: At<'_>, line: &Envelope<'_>) {
        let thread = self.threads.of(root, line);
        self.threads.rows[thread as usize].asked = line.at;
        let [content] = fields_of(line.message, ["content"]);
        self.notice(content, line.at);
        let blocks = Block::all(content);
        let results = || blocks.iter().filter(|block| block.kind() == "tool_result");
        // What the tool says stands beside the message: of several results it fits none.
        let single = results().count() == 1;
        for block in results() {
            let own = match line.result.filter(|_| single) {
                Some(result) => self.own(result),
                None => Own::default(),
            };
            let id = self.name(&word(block.fields[4]));
            let answer = self.answer(at, line, block, own);
            self.settle(thread, id, answer);
        }
    }

    /// Gives a result to its call.
    fn settle(&mut self, thread: u32, id: Sym, answer: Answer) {
        if let Some(call) = self.pairs.answer(thread, id) {
            self.fill(call, answer);
        } else if self.pairs.knows(thread, id) {
            self.run.skipped.copies += 1;
        } else {
            self.early.push((thread, id, answer));
        }
    }

    /// Lines are not strictly in order: results that came before their call get it now.
    pub(super) fn settle_early(&mut self) {
        for (thread, id, answer) in std::mem::take(&mut self.early) {
            match self.pairs.answer(thread, id) {
                Some(call) => self.fill(call, answer),
                // A sub-agent's file may begin with the history of the one that started it.
                None if self.by_id.contains_key(&id) => self.run.skipped.copies += 1,
                None => self.run.skipped.orphans += 1,
            }
        }
    }

    fn fill(&mut self, call: u32, answer: Answer) {
        let draft = &mut self.calls[call as usize];
        draft.end = answer.end;
        draft.call.outcome = answer.outcome;
        draft.call.error = answer.error;
        draft.call.answer = answer.body;
        draft.call.answer_bytes = answer.bytes;
        draft.call.own = answer.own;
        if let Some(agent) = answer.agent {
            self.links.by_result.entry(agent).or_insert(call);
        }
        if let Some(task) = answer.task {
            self.links.tasks.entry(task).or_insert(call);
        }
    }

    fn answer(&mut self, at: At<'_>, line: &Envelope<'_>, block: &Block<'_>, own: Own) -> Answer {
        let content = block.fields[5];
        let is_error = is_true(block.fields[6]);
        let text = content.filter(|_| is_error).map(head);
        let outcome = match text.as_deref() {
            Some(text) => of_error(text),
            None if is_error => Outcome::Failed,
            None if own.interrupted => Outcome::Cancelled,
            None => Outcome::Ok,
        };
        let error = text.map(|text| self.name(&cut(&text, LONGEST_ERROR)));
        let bytes = content.map(size);
        Answer {
            end: line.at,
            outcome,
            error: error.unwrap_or_default(),
            body: content.map(|raw| at.body(raw.get())).unwrap_or_default(),
            bytes: bytes.unwrap_or(0),
            own: own.time,
            agent: own.agent,
            task: own.task,
        }
    }

    fn own(&mut self, result: &RawValue) -> Own {
        let [
            millis,
            total,
            seconds,
            agent,
            task,
            status,
            is_async,
            stopped,
        ] = fields_of(
            Some(result),
            [
                "durationMs",
                "totalDurationMs",
                "durationSeconds",
                "agentId",
                "backgroundTaskId",
                "status",
                "isAsync",
                "interrupted",
            ],
        );
        let millis = total.or(millis).and_then(json::number);
        let seconds = seconds.and_then(json::number).map(|seconds| seconds * 1e3);
        let named = |value| Some(word(value).into_owned()).filter(|id| !id.is_empty());
        let agent = named(agent);
        let launched = is_true(is_async) || word(status) == "async_launched";
        Own {
            time: millis.or(seconds).and_then(|millis| self.figure(millis)),
            task: named(task).or_else(|| agent.clone().filter(|_| launched)),
            agent,
            interrupted: is_true(stopped),
        }
    }

    fn figure(&mut self, millis: f64) -> Option<Nanos> {
        if millis < 0.0 {
            self.run.skipped.negative += 1;
            return None;
        }
        if millis > LONGEST_MS {
            self.run.skipped.unknown_field("duration");
            return None;
        }
        Some(Nanos::from_millis_f64(millis))
    }
}

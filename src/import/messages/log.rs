//! A log of requests to a model: each holds the messages so far, the answer, and perhaps when it
//! came and how long it took.

use serde_json::value::RawValue;

use super::conversation::{add, assistant, results_of};
use crate::import::chat::answer;
use crate::import::draft::{Answer, Draft};
use crate::import::place::At;
use crate::import::value::{
    Stamp, fields_of, hash, is_true, items_of, local_stamp, seconds, unix_seconds, word,
};
use crate::model::Outcome;
use crate::trace::json;

/// A log while it is being read.
#[derive(Debug, Default)]
pub(super) struct Log {
    entries: usize,
}

impl Log {
    /// A request with its answer. The messages of the request are those of other entries, or of
    /// other files: only the results in them are new.
    pub(super) fn entry(&mut self, draft: &mut Draft, at: At<'_>, entry: &RawValue) {
        let names = ["messages", "response", "timestamp", "latency_sec"];
        let [messages, response, time, latency] = fields_of(Some(entry), names);
        let complete = time.and_then(|time| match word(Some(time)) {
            text if text.is_empty() => unix_seconds(time),
            text => local_stamp(&text),
        });
        if time.is_some() && complete.is_none() {
            draft.skipped().unknown_field("timestamp");
        }
        let latency = latency.and_then(json::number).and_then(seconds);
        let latency = latency.and_then(|took| i64::try_from(took.0).ok());
        let asked = complete.zip(latency);
        let asked = asked.map(|(complete, took)| complete.saturating_sub(took));
        self.history(draft, at, &items_of(messages), asked);
        if let Some(response) = response {
            self.answer(draft, at, response, (asked, complete));
        }
    }

    /// Results come with the next request: they were there when it was made.
    fn history(&mut self, draft: &mut Draft, at: At<'_>, messages: &[&RawValue], asked: Stamp) {
        for message in messages {
            let names = [
                "role",
                "content",
                "tool_call_id",
                "is_error",
                "type",
                "call_id",
                "output",
            ];
            let [role, content, id, is_error, kind, call_id, output] =
                fields_of(Some(message), names);
            let mut found: Vec<(String, Answer)> = Vec::new();
            match (&*word(role), &*word(kind)) {
                ("assistant", _) | ("", "function_call") => draft.skipped().copies += 1,
                ("tool", _) => {
                    let outcome = if is_true(is_error) {
                        Outcome::Failed
                    } else {
                        Outcome::Ok
                    };
                    found.push((word(id).into_owned(), answer(at, content, outcome)));
                }
                ("", "function_call_output") => {
                    let answer = answer(at, output, Outcome::Ok);
                    found.push((word(call_id).into_owned(), answer));
                }
                _ => {
                    let results = results_of(at, content);
                    found.extend(results.map(|(id, answer)| (id.into_owned(), answer)));
                }
            }
            for (id, answer) in found {
                let call = draft.waiting(draft.main(), &id);
                match call.filter(|_| self.entries > 0) {
                    Some(_) => {
                        let end = asked;
                        let answer = Answer { end, ..answer };
                        draft.settle(draft.main(), &id, answer);
                    }
                    None => draft.skipped().copies += 1,
                }
            }
        }
    }

    /// The answer of an API: a Chat Completion, a message, or the items of a Response.
    pub(super) fn answer(
        &mut self,
        draft: &mut Draft,
        at: At<'_>,
        response: &RawValue,
        times: (Stamp, Stamp),
    ) {
        self.entries += 1;
        let names = ["model", "choices", "output", "id"];
        let [model, choices, output, id] = fields_of(Some(response), names);
        let reply = draft.reply(draft.main(), &word(model), times);
        if let Some(id) = id {
            draft.reply_mut(reply).origin = hash(&word(Some(id))).max(1);
        }
        if let Some(choices) = choices {
            let first = items_of(Some(choices)).into_iter().next();
            let [message] = fields_of(first, ["message"]);
            if let Some(message) = message {
                assistant(draft, at, message, reply);
            }
        } else if output.is_some() {
            for item in items_of(output) {
                let [kind] = fields_of(Some(item), ["type"]);
                if matches!(&*word(kind), "function_call" | "custom_tool_call") {
                    add(draft, at, item, reply);
                }
            }
        } else {
            assistant(draft, at, response, reply);
        }
        // A reply's calls are issued with it.
        draft.issue_all(reply, times.1);
    }
}

//! A conversation: messages of the Chat Completions or the Messages API, items of Responses.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::import::chat::{ChatCall, answer};
use crate::import::draft::{Draft, ReplyNo};
use crate::import::place::At;
use crate::import::value::{fields_of, is_true, items_of, word};
use crate::model::Outcome;

/// A conversation while it is being read.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    /// The reply that further items of the model belong to: in Responses each is its own.
    open: Option<ReplyNo>,
}

impl Conversation {
    /// Reads all messages or items.
    pub(super) fn all(&mut self, draft: &mut Draft, at: At<'_>, messages: &[&RawValue]) {
        for message in messages {
            self.message(draft, at, message);
        }
    }

    /// Reads one message or item.
    pub(super) fn message(&mut self, draft: &mut Draft, at: At<'_>, message: &RawValue) {
        let [role, kind] = fields_of(Some(message), ["role", "type"]);
        let kind = word(kind);
        match &*word(role) {
            "assistant" => {
                // An item of a Responses reply may be one of several.
                let item = kind == "message";
                let reply = self.open.filter(|_| item);
                let reply = reply.unwrap_or_else(|| draft.reply(draft.main(), "", (None, None)));
                self.open = Some(reply).filter(|_| item);
                assistant(draft, at, message, reply);
            }
            "tool" | "function" => {
                self.open = None;
                tool(draft, at, message);
            }
            "user" | "system" | "developer" => {
                self.open = None;
                results(draft, at, message);
            }
            "" => self.item(draft, at, (message, &kind)),
            role => draft.skipped().unknown_type(&format!("message {role}")),
        }
    }

    /// An item of Responses that is no message.
    fn item(&mut self, draft: &mut Draft, at: At<'_>, (item, kind): (&RawValue, &str)) {
        match kind {
            "function_call" | "custom_tool_call" | "mcp_call" => {
                let reply = self
                    .open
                    .unwrap_or_else(|| draft.reply(draft.main(), "", (None, None)));
                self.open = Some(reply);
                add(draft, at, item, reply);
            }
            "reasoning" => {
                let reply = self
                    .open
                    .unwrap_or_else(|| draft.reply(draft.main(), "", (None, None)));
                self.open = Some(reply);
            }
            "function_call_output" | "custom_tool_call_output" => {
                self.open = None;
                let [id, output] = fields_of(Some(item), ["call_id", "output"]);
                let answer = answer(at, output, Outcome::Ok);
                draft.settle(draft.main(), &word(id), answer);
            }
            kind => draft.skipped().unknown_type(&format!("item {kind}")),
        }
    }
}

/// Adds the calls of an assistant's message to its reply, in whichever of three ways they stand.
pub(super) fn assistant(draft: &mut Draft, at: At<'_>, message: &RawValue, reply: ReplyNo) {
    let names = ["tool_calls", "function_call", "content"];
    let [calls, legacy, content] = fields_of(Some(message), names);
    for call in ChatCall::all(draft, calls) {
        call.add(draft, reply, at, None);
    }
    if let Some(call) = legacy.and_then(ChatCall::read) {
        call.add(draft, reply, at, None);
    }
    for block in items_of(content) {
        let [kind] = fields_of(Some(block), ["type"]);
        if word(kind) == "tool_use" {
            add(draft, at, block, reply);
        }
    }
}

/// Adds one call to a reply.
pub(super) fn add(draft: &mut Draft, at: At<'_>, raw: &RawValue, reply: ReplyNo) {
    match ChatCall::read(raw) {
        Some(call) => drop(call.add(draft, reply, at, None)),
        None => draft.skipped().unknown_type("call without a tool"),
    }
}

/// A tool's message. A legacy one has the tool's name in the place of an id.
fn tool(draft: &mut Draft, at: At<'_>, message: &RawValue) {
    let [id, content, is_error] = fields_of(Some(message), ["tool_call_id", "content", "is_error"]);
    let outcome = if is_true(is_error) {
        Outcome::Failed
    } else {
        Outcome::Ok
    };
    draft.settle(draft.main(), &word(id), answer(at, content, outcome));
}

/// The results in a person's message.
pub(super) fn results(draft: &mut Draft, at: At<'_>, message: &RawValue) {
    let [content] = fields_of(Some(message), ["content"]);
    for (id, answer) in results_of(at, content) {
        draft.settle(draft.main(), &id, answer);
    }
}

/// The results in the content of a message, with the ids of their calls.
pub(super) fn results_of<'a>(
    at: At<'a>,
    content: Option<&'a RawValue>,
) -> impl Iterator<Item = (Cow<'a, str>, crate::import::draft::Answer)> {
    let blocks = items_of(content).into_iter();
    blocks.filter_map(move |block| {
        let names = ["type", "tool_use_id", "content", "is_error"];
        let [kind, id, content, is_error] = fields_of(Some(block), names);
        let outcome = if is_true(is_error) {
            Outcome::Failed
        } else {
            Outcome::Ok
        };
        (word(kind) == "tool_result").then(|| (word(id), answer(at, content, outcome)))
    })
}

//! Calls and answers as chat APIs write them, in all their spellings.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::draft::{Answer, CallNo, Draft, NewCall, ReplyNo};
use super::place::At;
use super::value::{Stamp, fields_of, items_of, size, word};
use crate::model::Outcome;
use crate::trace::{BodyRef, json};

/// A call of a reply.
#[derive(Clone, Debug)]
pub(super) struct ChatCall<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) tool: Cow<'a, str>,
    /// The arguments: an object, or one written as a string.
    pub(super) args: Option<&'a RawValue>,
    /// The whole call as it stands.
    pub(super) raw: &'a RawValue,
}

impl<'a> ChatCall<'a> {
    /// A call: its own fields, or those of the `function` in it. `None` for what is no object or
    /// names no tool.
    pub(super) fn read(raw: &'a RawValue) -> Option<Self> {
        let [
            id,
            call_id,
            tool_call_id,
            name,
            function_name,
            arguments,
            input,
            function,
        ] = fields_of(
            Some(raw),
            [
                "id",
                "call_id",
                "tool_call_id",
                "name",
                "function_name",
                "arguments",
                "input",
                "function",
            ],
        );
        let [inner_name, inner_arguments] = fields_of(function, ["name", "arguments"]);
        let tool = word(name.or(function_name).or(inner_name));
        (!tool.is_empty()).then(|| Self {
            // In Responses `id` is the item's and `call_id` the call's.
            id: word(call_id.or(tool_call_id).or(id)),
            tool,
            args: arguments.or(input).or(inner_arguments),
            raw,
        })
    }

    /// The `tool_calls` of a message; what is none of them is counted.
    pub(super) fn all(draft: &mut Draft, calls: Option<&'a RawValue>) -> Vec<Self> {
        let items = items_of(calls).into_iter();
        let mut found = Vec::new();
        for item in items {
            match Self::read(item) {
                Some(call) => found.push(call),
                None => draft.skipped().unknown_type("call without a tool"),
            }
        }
        found
    }

    /// Adds it to a reply.
    pub(super) fn add(
        &self,
        draft: &mut Draft,
        reply: ReplyNo,
        at: At<'_>,
        issued: Stamp,
    ) -> CallNo {
        self.add_as(draft, reply, at, issued, "")
    }

    /// As [`ChatCall::add`], declared in the catalog under another name.
    pub(super) fn add_as(
        &self,
        draft: &mut Draft,
        reply: ReplyNo,
        at: At<'_>,
        issued: Stamp,
        declared_as: &str,
    ) -> CallNo {
        let view = self.args.map(arguments);
        let views: Vec<&str> = view.as_deref().into_iter().collect();
        draft.call(
            reply,
            &NewCall {
                id: &self.id,
                tool: &self.tool,
                declared_as,
                args: self
                    .args
                    .map(|args| at.body(args.get()))
                    .unwrap_or_default(),
                views: &views,
                issued,
                line_offset: at.offset_of(self.raw.get()),
                ..NewCall::default()
            },
        )
    }
}

/// Arguments as one JSON text: out of the string that holds them, and out of the one in it.
pub(super) fn arguments(raw: &RawValue) -> Cow<'_, str> {
    let Some(once) = json::string(raw.get()) else {
        return raw.get().into();
    };
    if once.trim().is_empty() {
        return "{}".into();
    }
    let twice = json::string(&once).filter(|_| json::is_value(&once));
    match twice {
        Some(inside) => inside.into_owned().into(),
        None => once,
    }
}

/// The answer with this content.
pub(super) fn answer(at: At<'_>, content: Option<&RawValue>, outcome: Outcome) -> Answer {
    let error = content.filter(|_| outcome != Outcome::Ok);
    let error = error.map(super::value::head).unwrap_or_default();
    Answer {
        outcome,
        error: error.into_owned(),
        body: content.map_or(BodyRef::default(), |raw| at.body(raw.get())),
        bytes: content.map_or(0, size),
        ..Answer::default()
    }
}

//! Events of OpenHands: lines, a list, or one event a file, in the form of its SDK and in the one
//! before it. Times have no zone. Nothing says when the model was asked.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::chat::answer;
use super::document::Document;
use super::draft::{Answer, Draft, NewCall, ReplyNo};
use super::place::At;
use super::value::{Stamp, fields_of, hash, head, is_true, items_of, local_stamp, word};
use crate::model::{Catalog, Outcome};
use crate::trace::Run;
use crate::trace::input::Input;

/// Events of the SDK that hold no reply, call or answer.
const QUIET: [&str; 7] = [
    "ConversationStateUpdateEvent",
    "SystemPromptEvent",
    "PauseEvent",
    "Condensation",
    "CondensationRequest",
    "CondensationSummaryEvent",
    "TokenEvent",
];

/// Reads the events of a conversation.
pub(super) fn read(path: &Path, input: Input, user: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("openhands", user);
    draft.harness("openhands");
    draft.zoneless();
    let document = Document::read(&mut draft, path, input)?;
    let mut replies = HashMap::new();
    for value in document.values() {
        let list = items_of(Some(value));
        let one = if list.is_empty() { Some(value) } else { None };
        for event in list.into_iter().chain(one) {
            Event::read(document.at(), event).take(&mut draft, &mut replies);
        }
    }
    Ok(draft.finish())
}

/// The reply of a response id.
type Replies = HashMap<String, ReplyNo>;

#[derive(Debug)]
struct Event<'a> {
    place: At<'a>,
    raw: &'a RawValue,
    kind: std::borrow::Cow<'a, str>,
    at: Stamp,
    odd_time: bool,
}

impl<'a> Event<'a> {
    fn read(place: At<'a>, raw: &'a RawValue) -> Self {
        let [kind, time] = fields_of(Some(raw), ["kind", "timestamp"]);
        let at = local_stamp(&word(time));
        Self {
            place,
            raw,
            kind: word(kind),
            at,
            odd_time: time.is_some() && at.is_none(),
        }
    }

    fn fields<const N: usize>(&self, names: [&str; N]) -> [Option<&'a RawValue>; N] {
        fields_of(Some(self.raw), names)
    }

    fn take(&self, draft: &mut Draft, replies: &mut Replies) {
        if self.odd_time {
            draft.skipped().unknown_field("timestamp");
        }
        draft.seen(self.at);
        match &*self.kind {
            "ActionEvent" => self.action(draft, replies),
            "ObservationEvent" => self.observation(draft),
            "AgentErrorEvent" => self.refusal(draft, "error", Outcome::Failed),
            "UserRejectObservation" => self.refusal(draft, "rejection_reason", Outcome::Denied),
            "MessageEvent" => {
                let [source, response] = self.fields(["source", "llm_response_id"]);
                if word(source) == "agent" {
                    self.reply(draft, replies, &word(response));
                }
            }
            "" => self.older(draft, replies),
            kind if QUIET.contains(&kind) => {}
            kind => draft.skipped().unknown_type(kind),
        }
    }

    /// The reply with that response id; without one each event is a reply of its own.
    fn reply(&self, draft: &mut Draft, replies: &mut Replies, response: &str) -> ReplyNo {
        let known = replies.get(response).filter(|_| !response.is_empty());
        let reply = known.copied().unwrap_or_else(|| {
            let reply = draft.reply(draft.main(), "", (None, self.at));
            if !response.is_empty() {
                draft.reply_mut(reply).origin = hash(&response).max(1);
            }
            replies.insert(response.to_owned(), reply);
            reply
        });
        let row = draft.reply_mut(reply);
        row.complete = row.complete.max(self.at);
        reply
    }

    fn action(&self, draft: &mut Draft, replies: &mut Replies) {
        let names = [
            "llm_response_id",
            "tool_name",
            "tool_call_id",
            "tool_call",
            "action",
        ];
        let [response, tool, id, call, action] = self.fields(names);
        let [arguments] = fields_of(call, ["arguments"]);
        let reply = self.reply(draft, replies, &word(response));
        self.call(draft, reply, (&word(id), &word(tool)), arguments, action);
    }

    fn call(
        &self,
        draft: &mut Draft,
        reply: ReplyNo,
        (id, tool): (&str, &str),
        arguments: Option<&RawValue>,
        action: Option<&RawValue>,
    ) {
        let args = arguments.or(action);
        let view = arguments.map(super::chat::arguments);
        let view = view.as_deref().or(action.map(RawValue::get));
        let views: Vec<&str> = view.into_iter().collect();
        let raw = view.and_then(|view| serde_json::from_str::<&RawValue>(view).ok());
        let [command] = fields_of(raw, ["command"]);
        let looks = word(command) == "view";
        draft.call(
            reply,
            &NewCall {
                id,
                tool,
                declared_as: match tool {
                    "file_editor" | "str_replace_editor" if looks => "file_editor:view",
                    "str_replace_editor" => "file_editor",
                    _ => "",
                },
                args: args
                    .map(|args| self.place.body(args.get()))
                    .unwrap_or_default(),
                views: &views,
                issued: self.at,
                line_offset: self.place.offset_of(self.raw.get()),
                ..NewCall::default()
            },
        );
    }

    /// The tool's own answer. That it marks an error is kept as a remark: the harness has events
    /// of its own for calls that failed.
    fn observation(&self, draft: &mut Draft) {
        let [id, observation] = self.fields(["tool_call_id", "observation"]);
        let [is_error, content] = fields_of(observation, ["is_error", "content"]);
        let error = content.filter(|_| is_true(is_error)).map(head);
        let answer = Answer {
            end: self.at,
            error: error.unwrap_or_default().into_owned(),
            ..answer(self.place, observation, Outcome::Ok)
        };
        draft.settle(draft.main(), &word(id), answer);
    }

    fn refusal(&self, draft: &mut Draft, field: &str, outcome: Outcome) {
        let [id, text] = self.fields(["tool_call_id", field]);
        let answer = Answer {
            end: self.at,
            ..answer(self.place, text, outcome)
        };
        draft.settle(draft.main(), &word(id), answer);
    }

    /// The form before the SDK: `action` and `observation` are words, and the model's response
    /// stands beside each.
    fn older(&self, draft: &mut Draft, replies: &mut Replies) {
        let names = [
            "action",
            "observation",
            "args",
            "content",
            "tool_call_metadata",
        ];
        let [action, observation, args, content, metadata] = self.fields(names);
        let [id, tool, response] = fields_of(
            metadata,
            ["tool_call_id", "function_name", "model_response"],
        );
        let [response_id, model] = fields_of(response, ["id", "model"]);
        let tool = match word(tool) {
            name if name.is_empty() => word(action),
            name => name,
        };
        if metadata.is_none() {
            if action.is_none() && observation.is_none() {
                draft.skipped().unknown_type("event of no kind");
            }
        } else if observation.is_some() {
            let outcome = match &*word(observation) {
                "error" => Outcome::Failed,
                "user_rejected" => Outcome::Denied,
                _ => Outcome::Ok,
            };
            let answer = Answer {
                end: self.at,
                ..answer(self.place, content, outcome)
            };
            draft.settle(draft.main(), &word(id), answer);
        } else {
            let reply = self.reply(draft, replies, &word(response_id));
            if !word(model).is_empty() {
                let name = draft.name(&word(model));
                draft.reply_mut(reply).model = name;
            }
            self.call(draft, reply, (&word(id), &tool), None, args);
        }
    }
}

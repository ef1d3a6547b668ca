//! Chats of the Gemini CLI: one document, or a line of head and a line for each message.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::document::Document;
use super::draft::{Answer, Draft, NewCall};
use super::place::At;
use super::value::{Stamp, fields_of, head, items_of, size, stamp, word};
use crate::model::{Catalog, Outcome};
use crate::trace::Run;
use crate::trace::input::Input;

/// Reads a chat.
pub(super) fn read(path: &Path, input: Input, user: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("gemini-cli", user);
    draft.harness("gemini-cli");
    let document = Document::read(&mut draft, path, input)?;
    let mut messages: Vec<&RawValue> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for value in document.values() {
        let names = ["sessionId", "startTime", "messages", "type", "id"];
        let [session, start, list, kind, id] = fields_of(Some(value), names);
        if session.is_some() && kind.is_none() {
            draft.meta().id = word(session).into_owned();
            draft.seen(stamp(&word(start)));
        }
        messages.extend(items_of(list));
        if kind.is_none() {
            continue;
        }
        // A message that has grown is written again under its id: the last one counts.
        let id = word(id).into_owned();
        match places.get(&id).filter(|_| !id.is_empty()) {
            Some(place) => {
                messages[*place] = value;
                draft.skipped().merged += 1;
            }
            None => {
                places.insert(id, messages.len());
                messages.push(value);
            }
        }
    }
    let mut asked = None;
    for message in messages {
        asked = take(&mut draft, document.at(), message, asked);
    }
    Ok(draft.finish())
}

/// When the model can be asked next: after what a person said, or the last answer of a tool. After
/// a reply without calls nobody has asked yet.
fn take(draft: &mut Draft, at: At<'_>, message: &RawValue, asked: Stamp) -> Stamp {
    let names = ["type", "timestamp", "model", "toolCalls"];
    let [kind, time, model, calls] = fields_of(Some(message), names);
    let now = stamp(&word(time));
    if time.is_some() && now.is_none() {
        draft.skipped().unknown_field("timestamp");
    }
    match &*word(kind) {
        "user" => return now.or(asked),
        "gemini" => {}
        // Notes of the program itself: they ask nobody.
        "info" | "warning" | "error" => return asked,
        kind => {
            draft.skipped().unknown_type(&format!("message {kind}"));
            return asked;
        }
    }
    let calls: Vec<GeminiCall<'_>> = items_of(calls).into_iter().map(GeminiCall::read).collect();
    // A message of nothing but calls has the time of their end; an id has that of its issue.
    let first = calls.iter().filter_map(|call| call.issued).min();
    let complete = first.into_iter().chain(now).min();
    let reply = draft.reply(draft.main(), &word(model), (asked, complete));
    let mut last = None;
    for call in calls {
        last = last.max(call.add(draft, reply, at, now));
    }
    last
}

/// A call with what its record says of its end.
#[derive(Debug)]
struct GeminiCall<'a> {
    raw: &'a RawValue,
    id: std::borrow::Cow<'a, str>,
    issued: Stamp,
}

impl<'a> GeminiCall<'a> {
    fn read(raw: &'a RawValue) -> Self {
        let [id] = fields_of(Some(raw), ["id"]);
        let id = word(id);
        // 13 digits are milliseconds since 1970, until the year 2286.
        let digits = id.split('-').find(|part| {
            let digits = part.bytes().all(|b| b.is_ascii_digit());
            part.len() == 13 && digits
        });
        let millis = digits.and_then(|digits| digits.parse::<i64>().ok());
        Self {
            raw,
            issued: millis.and_then(|millis| millis.checked_mul(1_000_000)),
            id,
        }
    }

    /// Adds it; when it ended.
    fn add(
        &self,
        draft: &mut Draft,
        reply: super::draft::ReplyNo,
        at: At<'_>,
        complete: Stamp,
    ) -> Stamp {
        let names = [
            "name",
            "args",
            "status",
            "timestamp",
            "result",
            "resultDisplay",
        ];
        let [name, args, status, time, result, display] = fields_of(Some(self.raw), names);
        let view = args.map(RawValue::get);
        let views: Vec<&str> = view.into_iter().collect();
        let new = NewCall {
            id: &self.id,
            tool: &word(name),
            args: args.map(|args| at.body(args.get())).unwrap_or_default(),
            views: &views,
            issued: self.issued.or(complete),
            line_offset: at.offset_of(self.raw.get()),
            ..NewCall::default()
        };
        let call = draft.call(reply, &new);
        let outcome = match &*word(status) {
            "success" => Outcome::Ok,
            "error" => Outcome::Failed,
            "cancelled" => Outcome::Cancelled,
            status => {
                draft.skipped().unknown_type(&format!("call {status}"));
                return None;
            }
        };
        let end = stamp(&word(time));
        let failed = result.or(display).filter(|_| outcome != Outcome::Ok);
        let answer = Answer {
            end,
            outcome,
            error: failed.map(error_text).unwrap_or_default(),
            body: result.map(|raw| at.body(raw.get())).unwrap_or_default(),
            bytes: result.map_or(0, size),
            ..Answer::default()
        };
        draft.answer(call, answer);
        // Without an issue of its own the span would be that of nothing.
        if self.issued.is_none() {
            draft.call_mut(call).timing = crate::model::Timing::Unknown;
        }
        end
    }
}

fn error_text(result: &RawValue) -> String {
    let first = items_of(Some(result)).into_iter().next();
    let [response] = fields_of(first, ["functionResponse"]);
    let [response] = fields_of(response, ["response"]);
    let [error, output] = fields_of(response, ["error", "output"]);
    let text = error.or(output).map(head).unwrap_or_default();
    if text.is_empty() {
        return head(result).into_owned();
    }
    text.into_owned()
}

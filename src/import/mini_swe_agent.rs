//! Trajectories of mini-swe-agent. Older ones are plain messages with a command in a code block;
//! newer ones name the commands and the times beside the messages. All answers of a reply carry
//! the time at which the last of its commands had ended.

use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::chat::answer;
use super::document::Document;
use super::draft::{Answer, CallNo, Draft, NewCall};
use super::place::At;
use super::value::{Stamp, fields_of, head, items_of, unix_seconds, word};
use crate::model::{Catalog, Outcome};
use crate::trace::input::Input;
use crate::trace::{BodyRef, Run, json};

/// The only tool there is.
const TOOL: &str = "bash";
/// What opens the code block of a command.
const FENCES: [&str; 2] = ["```mswea_bash_command", "```bash"];

/// Reads a trajectory.
pub(super) fn read(path: &Path, input: Input, user: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("mini-swe-agent", user);
    let document = Document::read(&mut draft, path, input)?;
    for value in document.values() {
        let [messages, info] = fields_of(Some(value), ["messages", "info"]);
        let [config] = fields_of(info, ["config"]);
        let [model] = fields_of(config, ["model"]);
        let [model] = fields_of(model, ["model_name"]);
        let messages = items_of(messages.or(Some(value)));
        read_messages(&mut draft, document.at(), &messages, &word(model));
    }
    Ok(draft.finish())
}

/// True where messages are those of this harness: the first says how a command is written.
pub(super) fn is_its(messages: &[&RawValue]) -> bool {
    let Some([content]) = messages
        .first()
        .map(|first| fields_of(Some(first), ["content"]))
    else {
        return false;
    };
    let text = content.map(head).unwrap_or_default();
    text.contains("mswea_bash_command") || text.contains("exactly ONE bash code block")
}

/// Reads the messages of a trajectory.
pub(super) fn read_messages(draft: &mut Draft, at: At<'_>, messages: &[&RawValue], model: &str) {
    draft.harness("swe-agent");
    let mut state = State::default();
    for message in messages {
        let [role, extra, id, content] =
            fields_of(Some(message), ["role", "extra", "tool_call_id", "content"]);
        let [time, code] = fields_of(extra, ["timestamp", "returncode"]);
        let now = time.and_then(unix_seconds);
        match &*word(role) {
            "assistant" => state.reply(draft, at, message, (model, now)),
            "tool" | "user" if !state.waiting.is_empty() => {
                state.answer(draft, at, (&word(id), content), (code, now));
            }
            "user" | "system" | "tool" | "exit" => {}
            role => draft.skipped().unknown_type(&format!("message {role}")),
        }
        if now.is_some() && word(role) != "assistant" {
            state.asked = now;
        }
    }
}

#[derive(Debug, Default)]
struct State {
    asked: Stamp,
    /// Calls of the last reply without an answer, with their ids.
    waiting: std::collections::VecDeque<(String, CallNo)>,
}

impl State {
    fn reply(
        &mut self,
        draft: &mut Draft,
        at: At<'_>,
        message: &RawValue,
        (model, now): (&str, Stamp),
    ) {
        let [content, extra] = fields_of(Some(message), ["content", "extra"]);
        let [actions] = fields_of(extra, ["actions"]);
        let reply = draft.reply(draft.main(), model, (self.asked.take(), now));
        self.waiting.clear();
        let mut call = |id: &str, args: BodyRef| {
            let new = NewCall {
                id,
                tool: TOOL,
                args,
                issued: now,
                line_offset: at.offset_of(message.get()),
                ..NewCall::default()
            };
            self.waiting
                .push_back((id.to_owned(), draft.call(reply, &new)));
        };
        if let Some(actions) = actions {
            for action in items_of(Some(actions)) {
                let [command, id] = fields_of(Some(action), ["command", "tool_call_id"]);
                let command = command.unwrap_or(action);
                call(&word(id), at.body(command.get()));
            }
        } else if let Some(content) = content
            && has_command(content)
        {
            call("", at.body(content.get()));
        }
    }

    /// A tool's message names its call; a user's is that of the oldest.
    fn answer(
        &mut self,
        draft: &mut Draft,
        at: At<'_>,
        (id, content): (&str, Option<&RawValue>),
        (code, now): (Option<&RawValue>, Stamp),
    ) {
        let by_id = self.waiting.iter().position(|(known, _)| known == id);
        let Some((_, call)) = self.waiting.remove(by_id.unwrap_or(0)) else {
            return;
        };
        let text = content.map(head).unwrap_or_default();
        let code = match code.map(RawValue::get) {
            Some(code) => code,
            None => between(&text, "<returncode>", "</returncode>").unwrap_or("0"),
        };
        let outcome = if code == "0" {
            Outcome::Ok
        } else {
            Outcome::Failed
        };
        let answer = Answer {
            end: now,
            ..answer(at, content, outcome)
        };
        draft.answer(call, answer);
    }
}

fn has_command(content: &RawValue) -> bool {
    let text = json::string(content.get()).unwrap_or_default();
    FENCES.iter().any(|fence| text.contains(fence))
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    let (inside, _) = rest.split_once(after)?;
    Some(inside.trim())
}

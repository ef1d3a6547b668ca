//! Replies and their calls. Only the newest files say where a reply ends; in the others it is a
//! run of what the model writes, up to what somebody else does.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::output::{Said, read_output};
use super::patch;
use super::read::prompt;
use super::session::{Line, Record, Session};
use crate::import::draft::{Answer, CallNo, Draft, NewCall, ReplyNo};
use crate::import::value::{fields_of, hash, head, size, word};
use crate::model::{Outcome, Timing};
use crate::time::Nanos;
use crate::trace::{BodyRef, json};

/// Lines of a call and its answer that are closer than this were written together, in files that
/// are not known to write the call first.
const TOGETHER_NS: i64 = 50_000_000;
/// Older files round the tool's own figure to tenths of a second.
const ROUNDING_NS: i64 = 50_000_000;
/// A script that calls tools itself.
const SCRIPT: &str = "exec";

/// The fields of a call item.
const NAMES: [&str; 8] = [
    "call_id",
    "id",
    "name",
    "arguments",
    "input",
    "action",
    "status",
    "namespace",
];

impl Line {
    pub(super) fn item(&mut self, draft: &mut Draft, session: &mut Session, record: &Record<'_>) {
        let [kind, role] = record.fields(["type", "role"]);
        match &*word(kind) {
            "message" if word(role) == "assistant" => {
                self.model_item(draft, record);
            }
            "message" => {
                if draft.meta().task.is_empty()
                    && word(role) == "user"
                    && self.thread == draft.main()
                {
                    let task = prompt(record).unwrap_or_default();
                    draft.meta().task = crate::trace::cut(&task, 500).into_owned();
                }
                self.ask(record.at);
            }
            "reasoning" => {
                self.model_item(draft, record);
            }
            "function_call" | "custom_tool_call" | "local_shell_call" | "tool_search_call" => {
                self.call(draft, session, record);
            }
            // The provider runs it inside the reply: there is no answer and no time.
            "web_search_call" | "image_generation_call" => {
                let call = self.call(draft, session, record);
                let [status] = record.fields(["status"]);
                if word(status) == "completed" {
                    draft.call_mut(call).outcome = Outcome::Ok;
                }
            }
            "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
                self.output(draft, session, record);
            }
            "ghost_snapshot" | "compaction" | "compaction_trigger" => {}
            kind => {
                let name = format!("response_item {kind}");
                draft.skipped().unknown_type(&name);
            }
        }
    }

    /// The reply that an item of the model belongs to; the item completes it as far as it is.
    fn model_item(&mut self, draft: &mut Draft, record: &Record<'_>) -> ReplyNo {
        let open = self.open.unwrap_or_else(|| {
            let times = (self.asked, record.at);
            let reply = draft.reply(self.thread, &self.model, times);
            // A fork begins with a copy of its parent's lines, byte for byte.
            draft.reply_mut(reply).origin = hash(&record.place.text).max(1);
            reply
        });
        self.open = Some(open);
        let reply = draft.reply_mut(open);
        reply.complete = reply.complete.max(record.at);
        open
    }

    fn call(&mut self, draft: &mut Draft, session: &mut Session, record: &Record<'_>) -> CallNo {
        let [
            call_id,
            item_id,
            name,
            arguments,
            input,
            action,
            _,
            namespace,
        ] = record.fields(NAMES);
        let [kind] = record.fields(["type"]);
        let reply = self.model_item(draft, record);
        let id = word(call_id.or(item_id));
        let tool = match &*word(kind) {
            "local_shell_call" => "local_shell".into(),
            "web_search_call" => "web_search".into(),
            "image_generation_call" => "image_generation".into(),
            "tool_search_call" => "tool_search".into(),
            _ => word(name),
        };
        let raw = arguments.or(input).or(action);
        let views = Views::of(&tool, raw);
        let texts: Vec<&str> = views.texts.iter().map(String::as_str).collect();
        let [workdir, working_directory, session_id, cell] = views.fields();
        let folder = word(workdir.or(working_directory));
        let poll = label(&tool, session_id, cell);
        let new = NewCall {
            id: &id,
            tool: &tool,
            declared_as: views.declared_as,
            args: raw
                .map(|raw| record.place.body(raw.get()))
                .unwrap_or_default(),
            views: &texts,
            folder: if folder.is_empty() {
                &self.folder
            } else {
                &folder
            },
            issued: record.at,
            line_offset: record.place.offset,
        };
        let call = draft.call(reply, &new);
        if let Some(poll) = poll {
            self.polls.insert(id.clone().into_owned(), poll);
        }
        if tool == SCRIPT && word(kind) == "custom_tool_call" {
            self.scripts.push((call, None));
        }
        if tool.ends_with("spawn_agent") || word(namespace) == "collaboration" {
            session.spawns.insert(id.into_owned(), call);
        }
        call
    }

    fn output(&mut self, draft: &mut Draft, session: &mut Session, record: &Record<'_>) {
        let [call_id, output, status, tools] =
            record.fields(["call_id", "output", "status", "tools"]);
        let id = word(call_id);
        let body = output.or(tools);
        let said = read_output(body, &word(status));
        let waiting = draft.waiting(self.thread, &id);
        let together = !self.streams
            && waiting.is_some_and(|call| {
                let issued = draft.call_mut(call).issued;
                let span = issued
                    .zip(record.at)
                    .map(|(from, to)| to.saturating_sub(from));
                span.is_some_and(|span| (0..TOGETHER_NS).contains(&span))
            });
        let answer = Answer {
            end: record.at,
            outcome: said.outcome,
            error: said.error.clone(),
            body: body.map_or(BodyRef::default(), |raw| record.place.body(raw.get())),
            bytes: body.map_or(0, size),
            own: said.time,
            timing: Timing::Bound,
        };
        let call = draft.settle(self.thread, &id, answer);
        if let Some(call) = call {
            self.scripts.retain(|(script, _)| *script != call);
            if together {
                written_together(draft, call);
            }
            if let Some(agent) = said.agent.as_deref()
                && session.spawns.contains_key(&*id)
            {
                session.started.entry(agent.to_owned()).or_insert(call);
            }
            self.chain(draft, call, &id, &said, record);
        }
        if self.marked {
            self.asked = self.asked.max(record.at);
        } else {
            self.ask(record.at);
        }
    }

    /// A command that outlives its call is polled by later ones, until one says that it ended.
    fn chain(
        &mut self,
        draft: &mut Draft,
        call: CallNo,
        id: &str,
        said: &Said,
        record: &Record<'_>,
    ) {
        let polled = self.polls.remove(id);
        match (&said.goes_on, polled) {
            (Some(process), _) => {
                self.running.entry(process.clone()).or_insert(call);
            }
            (None, Some(process)) if said.has_header => {
                if let Some(launcher) = self.running.remove(&process) {
                    draft.call_mut(launcher).detached = record.at;
                }
            }
            _ => {}
        }
    }
}

/// The call was written after it had run, together with its answer: the lines' times say when
/// both ended, and only the tool's own figure says when the call began. Without one the model's
/// time and the call's are not told apart.
fn written_together(draft: &mut Draft, call: CallNo) {
    let reply = draft.reply_of(call);
    let alone = draft.calls_in(reply) == 1;
    let asked = draft.reply_mut(reply).asked;
    let row = draft.call_mut(call);
    if alone && row.own == Some(Nanos::ZERO) {
        // The figure is rounded to tenths of a second: none at all is less than half of one.
        row.own = None;
        row.issued = row.end.map(|end| end.saturating_sub(ROUNDING_NS));
        return;
    }
    let began = row.end.zip(row.own).map(|(end, own)| {
        let own = i64::try_from(own.0).unwrap_or(i64::MAX);
        end.saturating_sub(own)
    });
    match began.filter(|began| alone && asked.is_none_or(|asked| asked <= *began)) {
        Some(began) => {
            row.issued = Some(began);
            draft.reply_mut(reply).complete = Some(began);
        }
        None => {
            row.timing = Timing::Unknown;
            draft.reply_mut(reply).timing = Timing::Bound;
        }
    }
}

/// The process that a call polls.
fn label(tool: &str, session: Option<&RawValue>, cell: Option<&RawValue>) -> Option<String> {
    let value = match tool {
        "write_stdin" => session,
        "wait" => cell,
        _ => None,
    };
    value.map(|value| value.get().trim_matches('"').to_owned())
}

/// The arguments of a call as JSON objects.
#[derive(Debug)]
struct Views {
    texts: Vec<String>,
    declared_as: &'static str,
}

impl Views {
    fn of(tool: &str, raw: Option<&RawValue>) -> Self {
        let plain = |texts| Self {
            texts,
            declared_as: "",
        };
        let Some(raw) = raw else {
            return plain(Vec::new());
        };
        // Arguments are JSON inside a string, a script or a patch is plain text.
        let text: Cow<'_, str> = json::string(raw.get()).unwrap_or_else(|| raw.get().into());
        let patch = |text: &str| {
            let texts = patch::files(text).into_iter();
            let mut texts: Vec<_> = texts.map(|path| patch::view(&path)).collect();
            if texts.is_empty() {
                texts.push("{}".to_owned());
            }
            Self {
                texts,
                declared_as: "apply_patch",
            }
        };
        match tool {
            "apply_patch" => {
                let [input] = json::fields(&text, ["input"]).unwrap_or_default();
                let inside = word(input).into_owned();
                return patch(if inside.is_empty() { &text } else { &inside });
            }
            "shell" | "local_shell" => {
                let [command] = json::fields(&text, ["command"]).unwrap_or_default();
                let parts = crate::import::value::items_of(command);
                if let [first, body] = parts[..]
                    && word(Some(first)) == "apply_patch"
                {
                    return patch(&word(Some(body)));
                }
            }
            "write_stdin" => {
                let [chars] = json::fields(&text, ["chars"]).unwrap_or_default();
                if word(chars).is_empty() && json::is_value(&text) {
                    return Self {
                        texts: vec![text.into_owned()],
                        declared_as: "write_stdin:poll",
                    };
                }
            }
            _ => {}
        }
        plain(vec![text.into_owned()])
    }

    fn fields(&self) -> [Option<&RawValue>; 4] {
        let names = ["workdir", "working_directory", "session_id", "cell_id"];
        let first = self.texts.first();
        let fields = first.map(|text| json::fields(text, names));
        fields.and_then(Result::ok).unwrap_or_default()
    }
}

/// The beginning of an answer's text.
pub(super) fn beginning(body: Option<&RawValue>) -> Cow<'_, str> {
    let text = body.map(head).unwrap_or_default();
    if !text.is_empty() {
        return text;
    }
    let [content] = fields_of(body, ["content"]);
    content.map(head).unwrap_or_default()
}

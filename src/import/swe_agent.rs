//! Trajectories of SWE-agent: one action a step, how long it took, and no clock.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::chat::{ChatCall, answer, arguments};
use super::document::Document;
use super::draft::{Answer, Draft, NewCall};
use super::place::At;
use super::value::{fields_of, items_of, seconds, word};
use crate::model::{Catalog, Outcome};
use crate::trace::input::Input;
use crate::trace::{Run, json};

/// Commands that are tools of the harness itself; any other action goes to the shell.
const OWN: [&str; 16] = [
    "open",
    "goto",
    "scroll_up",
    "scroll_down",
    "create",
    "edit",
    "insert",
    "append",
    "search_dir",
    "search_file",
    "find_file",
    "str_replace_editor",
    "view_image",
    "submit",
    "exit_cost",
    "filemap",
];

/// Reads a trajectory.
pub(super) fn read(path: &Path, input: Input, user: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("swe-agent", user);
    draft.harness("swe-agent");
    let document = Document::read(&mut draft, path, input)?;
    for value in document.values() {
        let [steps, history] = fields_of(Some(value), ["trajectory", "history"]);
        let mut asked = Asked::of(&mut draft, history);
        for step in items_of(steps) {
            take(&mut draft, document.at(), step, &mut asked);
        }
    }
    Ok(draft.finish())
}

/// The calls as the model wrote them, which only the history has: action text and call.
#[derive(Debug)]
struct Asked<'a>(std::collections::VecDeque<(Cow<'a, str>, Option<ChatCall<'a>>)>);

impl<'a> Asked<'a> {
    fn of(draft: &mut Draft, history: Option<&'a RawValue>) -> Self {
        let mut found = std::collections::VecDeque::new();
        for message in items_of(history) {
            let names = ["role", "action", "tool_calls", "is_demo"];
            let [role, action, calls, demo] = fields_of(Some(message), names);
            if word(role) == "assistant" && !super::value::is_true(demo) {
                let call = ChatCall::all(draft, calls).into_iter().next();
                found.push_back((word(action), call));
            }
        }
        Self(found)
    }

    /// The call behind an action. Histories are shortened, so an action that is not next is
    /// looked for further on.
    fn next(&mut self, action: &str) -> Option<ChatCall<'a>> {
        const FURTHER: usize = 8;
        let ahead = self.0.iter().take(FURTHER);
        let place = ahead
            .map(|(text, _)| text)
            .position(|text| text == action)?;
        self.0.drain(..place);
        self.0.pop_front()?.1
    }
}

fn take<'a>(draft: &mut Draft, at: At<'a>, step: &'a RawValue, asked: &mut Asked<'a>) {
    let names = ["action", "observation", "execution_time", "state"];
    let [action, observation, took, state] = fields_of(Some(step), names);
    let reply = draft.reply(draft.main(), "", (None, None));
    let text = word(action);
    let Some(action) = action.filter(|_| !text.trim().is_empty()) else {
        return;
    };
    // The folder stands in the state after the step, as an object or as a string of one.
    let state = state.map(arguments).unwrap_or_default();
    let [folder] = json::fields(&state, ["working_dir"]).unwrap_or_default();
    let folder = word(folder);
    let call = asked.next(&text);
    let first = text.split_whitespace().next().unwrap_or_default();
    let own = OWN.contains(&first);
    let (id, tool, args) = match &call {
        Some(call) => (&*call.id, &*call.tool, call.args.unwrap_or(action)),
        None => ("", if own { first } else { "bash" }, action),
    };
    let view = call.as_ref().and_then(|call| call.args).map(arguments);
    let [command] = view
        .as_deref()
        .and_then(|view| json::fields(view, ["command"]).ok())
        .unwrap_or_default();
    let looks = tool == "str_replace_editor" && word(command) == "view";
    let views: Vec<&str> = view.as_deref().into_iter().collect();
    let new = NewCall {
        id,
        tool,
        declared_as: if looks { "str_replace_editor:view" } else { "" },
        args: at.body(args.get()),
        views: &views,
        folder: &folder,
        line_offset: at.offset_of(step.get()),
        ..NewCall::default()
    };
    let call = draft.call(reply, &new);
    if observation.is_some() {
        let took = took.and_then(json::number);
        let own = took.and_then(seconds);
        if took.is_some() && own.is_none() {
            draft.skipped().unknown_field("execution_time");
        }
        let answer = Answer {
            own,
            ..answer(at, observation, Outcome::Ok)
        };
        draft.answer(call, answer);
    }
}

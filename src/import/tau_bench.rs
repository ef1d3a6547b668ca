//! Results of tau-bench: a list of episodes, each with the messages of its chat. No times at all.

use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::chat::{ChatCall, answer};
use super::document::Document;
use super::draft::Draft;
use super::place::At;
use super::value::{fields_of, head, items_of, word};
use crate::model::{Catalog, Outcome};
use crate::trace::Run;
use crate::trace::input::Input;

/// Reads all episodes, one after the other, into one thread.
pub(super) fn read(path: &Path, input: Input, user: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("tau-bench", user);
    // Which shop it is the file does not say; no tool of one means anything else in the other.
    draft.harness("tau-retail");
    draft.harness("tau-airline");
    let document = Document::read(&mut draft, path, input)?;
    for list in document.values() {
        for episode in items_of(Some(list)) {
            let [messages] = fields_of(Some(episode), ["traj"]);
            for message in items_of(messages) {
                take(&mut draft, document.at(), message);
            }
        }
    }
    Ok(draft.finish())
}

fn take(draft: &mut Draft, at: At<'_>, message: &RawValue) {
    let names = ["role", "tool_calls", "tool_call_id", "content"];
    let [role, calls, id, content] = fields_of(Some(message), names);
    match &*word(role) {
        "assistant" => {
            let reply = draft.reply(draft.main(), "", (None, None));
            for call in ChatCall::all(draft, calls) {
                call.add(draft, reply, at, None);
            }
        }
        "tool" => {
            let failed = content.is_some_and(|content| head(content).starts_with("Error"));
            let outcome = if failed { Outcome::Failed } else { Outcome::Ok };
            let answer = answer(at, content, outcome);
            draft.settle(draft.main(), &word(id), answer);
        }
        "system" | "user" => {}
        role => draft.skipped().unknown_type(&format!("message {role}")),
    }
}

//! Which shape a value has.

use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::conversation::Conversation;
use super::log::Log;
use crate::import::document::Document;
use crate::import::draft::Draft;
use crate::import::mini_swe_agent;
use crate::import::place::At;
use crate::import::value::{fields_of, items_of};
use crate::model::Catalog;
use crate::trace::Run;
use crate::trace::input::Input;

/// Reads messages, answers of an API or a log.
pub(in crate::import) fn read(path: &Path, input: Input, user: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("messages", user);
    let document = Document::read(&mut draft, path, input)?;
    let mut log = Log::default();
    let mut conversation = Conversation::default();
    for value in document.values() {
        one(
            &mut draft,
            document.at(),
            value,
            (&mut log, &mut conversation),
        );
    }
    Ok(draft.finish())
}

fn one(
    draft: &mut Draft,
    at: At<'_>,
    value: &RawValue,
    (log, conversation): (&mut Log, &mut Conversation),
) {
    let names = ["messages", "response", "choices", "output", "role", "type"];
    let [messages, response, choices, output, role, kind] = fields_of(Some(value), names);
    let list = items_of(Some(value));
    if value.get().starts_with('[') {
        if mini_swe_agent::is_its(&list) {
            "mini-swe-agent".clone_into(&mut draft.meta().source);
            mini_swe_agent::read_messages(draft, at, &list, "");
        } else if list.iter().any(|entry| is_log_entry(entry)) {
            for entry in list {
                one(draft, at, entry, (log, conversation));
            }
        } else {
            Conversation::default().all(draft, at, &list);
        }
    } else if messages.is_some() && response.is_some() {
        log.entry(draft, at, value);
    } else if let Some(messages) = messages {
        Conversation::default().all(draft, at, &items_of(Some(messages)));
    } else if choices.is_some() || (output.is_some() && role.is_none()) {
        log.answer(draft, at, value, (None, None));
    } else if role.is_some() || kind.is_some() {
        conversation.message(draft, at, value);
    } else {
        draft.skipped().unknown_type("object without messages");
    }
}

fn is_log_entry(entry: &RawValue) -> bool {
    let [messages, response] = fields_of(Some(entry), ["messages", "response"]);
    messages.is_some() && response.is_some()
}

//! Expected answers of the Berkeley function calling benchmark: which calls a reply should hold.
//! Nothing has run: there are no results and no times.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::document::Document;
use super::draft::{Draft, NewCall, ReplyNo};
use super::place::At;
use super::value::{fields_of, items_of};
use crate::model::Catalog;
use crate::trace::input::Input;
use crate::trace::{Run, json};

/// Reads all rows, one after the other, into one thread: a reply for each expected one.
pub(super) fn read(path: &Path, input: Input, user: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("bfcl", user);
    let document = Document::read(&mut draft, path, input)?;
    let at = document.at();
    for row in document.values() {
        let [truth] = fields_of(Some(row), ["ground_truth"]);
        let Some(truth) = truth else {
            draft.skipped().unknown_type("row without ground_truth");
            continue;
        };
        let items = items_of(Some(truth));
        // Rows of several turns hold a list for each; all others the calls of one.
        if items.iter().any(|item| item.get().starts_with('[')) {
            for turn in items {
                let reply = draft.reply(draft.main(), "", (None, None));
                for call in items_of(Some(turn)) {
                    add(&mut draft, at, reply, call);
                }
            }
        } else {
            let reply = draft.reply(draft.main(), "", (None, None));
            for call in items {
                add(&mut draft, at, reply, call);
            }
        }
    }
    Ok(draft.finish())
}

/// `{"name": {…}}`, or `name(…)` in a string.
fn add(draft: &mut Draft, at: At<'_>, reply: ReplyNo, raw: &RawValue) {
    let (tool, args): (Cow<'_, str>, Option<&RawValue>) = match json::string(raw.get()) {
        Some(text) => {
            let name = text.split('(').next().unwrap_or_default().trim();
            (name.to_owned().into(), Some(raw))
        }
        None => match json::first_field(raw.get()) {
            Some((name, value)) => (name.into(), Some(value)),
            None => {
                draft.skipped().unknown_type("call without a tool");
                return;
            }
        },
    };
    let view = args.map(RawValue::get);
    let views: Vec<&str> = view.into_iter().collect();
    let new = NewCall {
        tool: &tool,
        args: args.map(|args| at.body(args.get())).unwrap_or_default(),
        views: &views,
        line_offset: at.offset_of(raw.get()),
        ..NewCall::default()
    };
    draft.call(reply, &new);
}

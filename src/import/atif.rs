//! Trajectories in ATIF, which several harnesses are converted to. No call has a time of its own.

use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::chat::{ChatCall, answer};
use super::document::Document;
use super::draft::{CallNo, Draft};
use super::place::At;
use super::value::{Stamp, fields_of, items_of, local_stamp, stamp, word};
use crate::model::{Catalog, Outcome, Timing};
use crate::trace::Run;
use crate::trace::input::Input;

/// Reads a trajectory.
pub(super) fn read(path: &Path, input: Input, user: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("atif", user);
    let document = Document::read(&mut draft, path, input)?;
    for value in document.values() {
        let names = ["session_id", "agent", "steps", "continued_trajectory_ref"];
        let [session, agent, steps, continued] = fields_of(Some(value), names);
        let [name, model] = fields_of(agent, ["name", "model_name"]);
        draft.harness(harness(&word(name)));
        draft.meta().id = word(session).into_owned();
        if continued.is_some() {
            draft.skipped().unknown_field("continued_trajectory_ref");
        }
        let mut last = None;
        for step in items_of(steps) {
            last = take(&mut draft, document.at(), step, &word(model), last);
        }
    }
    Ok(draft.finish())
}

/// The harness whose tools an agent of that name has.
fn harness(agent: &str) -> &str {
    match agent {
        "mini-swe-agent" => "swe-agent",
        name => name,
    }
}

/// When the model can be asked: the time of a person's step. That of an agent's step is followed
/// by its calls, which have none.
fn take(draft: &mut Draft, at: At<'_>, step: &RawValue, model: &str, asked: Stamp) -> Stamp {
    let [source, time, own_model, calls, observation] = fields_of(
        Some(step),
        [
            "source",
            "timestamp",
            "model_name",
            "tool_calls",
            "observation",
        ],
    );
    let text = word(time);
    let now = local_stamp(&text);
    if now.is_some() && stamp(&text).is_none() {
        draft.zoneless();
    }
    if time.is_some() && now.is_none() {
        draft.skipped().unknown_field("timestamp");
    }
    match &*word(source) {
        "user" | "system" => return now,
        "agent" => {}
        source => {
            draft.skipped().unknown_type(&format!("step of {source}"));
            return None;
        }
    }
    let own_model = word(own_model);
    let model = if own_model.is_empty() {
        model
    } else {
        &own_model
    };
    let reply = draft.reply(draft.main(), model, (asked, now));
    // What the time of a step is, its beginning or its end, the format leaves open.
    draft.reply_mut(reply).timing = Timing::Bound;
    let mut waiting: Vec<(String, CallNo)> = Vec::new();
    for call in ChatCall::all(draft, calls) {
        let number = call.add(draft, reply, at, now);
        waiting.push((call.id.into_owned(), number));
    }
    let [results] = fields_of(observation, ["results"]);
    for result in items_of(results) {
        settle(draft, at, result, &mut waiting);
    }
    None
}

/// A result names its call; of one that names none it is that of the only call.
fn settle(draft: &mut Draft, at: At<'_>, result: &RawValue, waiting: &mut Vec<(String, CallNo)>) {
    let names = ["source_call_id", "content", "subagent_trajectory_ref"];
    let [id, content, agent] = fields_of(Some(result), names);
    let agents = agent.map_or(0, |raw| items_of(Some(raw)).len().max(1));
    draft.skipped().unlinked += agents as u64;
    let place = match id {
        Some(id) => waiting
            .iter()
            .position(|(known, _)| *known == word(Some(id))),
        None => (waiting.len() == 1).then_some(0),
    };
    match place {
        Some(place) => {
            let (_, call) = waiting.remove(place);
            draft.answer(call, answer(at, content, Outcome::Ok));
        }
        // What the harness says after a reply without calls is no result.
        None if id.is_none() => {}
        None => draft.skipped().orphans += 1,
    }
}

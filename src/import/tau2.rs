//! Results of tau2-bench: simulations, each with the messages between an agent, a simulated user
//! and tools. Times have no zone. Tools run in memory, one after the other: the times of their
//! answers are upper bounds.

use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::chat::{ChatCall, answer};
use super::document::Document;
use super::draft::{Answer, Draft, Parent, ThreadNo};
use super::place::At;
use super::value::{Stamp, fields_of, is_true, items_of, local_stamp, seconds, word};
use crate::model::{Catalog, Outcome};
use crate::trace::input::Input;
use crate::trace::{Run, json};

/// The thread of the tools that the simulated user has.
const USER: &str = "user";

/// Reads all simulations, one after the other, into one thread.
pub(super) fn read(path: &Path, input: Input, user: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("tau2-bench", user);
    draft.zoneless();
    let document = Document::read(&mut draft, path, input)?;
    for results in document.values() {
        let [info, many, one] = fields_of(Some(results), ["info", "simulations", "simulation_run"]);
        let [environment, agent] = fields_of(info, ["environment_info", "agent_info"]);
        let [domain] = fields_of(environment, ["domain_name"]);
        let [model] = fields_of(agent, ["llm"]);
        let domain = word(domain);
        for shop in ["retail", "airline", "telecom"] {
            if domain.is_empty() || domain == shop {
                draft.harness(&format!("tau-{shop}"));
            }
        }
        let model = word(model);
        for simulation in items_of(many).into_iter().chain(one) {
            let [messages] = fields_of(Some(simulation), ["messages"]);
            if messages.is_none() {
                draft.skipped().unknown_type("simulation without messages");
            }
            let mut last = None;
            for message in items_of(messages) {
                last = take(&mut draft, document.at(), message, &model, last);
            }
        }
    }
    Ok(draft.finish())
}

/// The time of the message, or of the last one that has one.
fn take(draft: &mut Draft, at: At<'_>, message: &RawValue, model: &str, last: Stamp) -> Stamp {
    let [role, time, calls, took, requestor] = fields_of(
        Some(message),
        [
            "role",
            "timestamp",
            "tool_calls",
            "generation_time_seconds",
            "requestor",
        ],
    );
    let now = time.and_then(|time| local_stamp(&word(Some(time))));
    if time.is_some() && now.is_none() {
        draft.skipped().unknown_field("timestamp");
    }
    match &*word(role) {
        "assistant" => {
            let took = took.and_then(json::number).and_then(seconds);
            let took = took.and_then(|took| i64::try_from(took.0).ok());
            let asked = now.zip(took).map(|(now, took)| now.saturating_sub(took));
            let reply = draft.reply(draft.main(), model, (asked.or(last), now));
            for call in ChatCall::all(draft, calls) {
                call.add(draft, reply, at, now);
            }
        }
        "user" => {
            let calls = ChatCall::all(draft, calls);
            if !calls.is_empty() {
                let thread = draft.thread_named(USER, Parent::Nobody);
                let reply = draft.reply(thread, "", (last, now));
                for call in calls {
                    call.add(draft, reply, at, now);
                }
            }
        }
        "tool" => {
            let thread = match &*word(requestor) {
                "user" => draft.thread_named(USER, Parent::Nobody),
                _ => draft.main(),
            };
            settle(draft, at, message, thread, now);
        }
        "system" => {}
        role => draft.skipped().unknown_type(&format!("message {role}")),
    }
    now.or(last)
}

fn settle(draft: &mut Draft, at: At<'_>, message: &RawValue, thread: ThreadNo, now: Stamp) {
    let [id, error, content] = fields_of(Some(message), ["id", "error", "content"]);
    let outcome = if is_true(error) {
        Outcome::Failed
    } else {
        Outcome::Ok
    };
    let answer = Answer {
        end: now,
        ..answer(at, content, outcome)
    };
    draft.settle(thread, &word(id), answer);
}

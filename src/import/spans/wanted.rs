//! The calls that a reply asked for, from whatever part of its span says so.

use std::borrow::Cow;
use std::collections::HashSet;

use super::facts::{Facts, FlatCall};
use super::names::Slot;
use super::output::{Asked, calls_in};
use super::raw::{Piece, Raw};
use super::span::Wanted;
use crate::import::draft::{Draft, NewCall};
use crate::import::value::{fields_of, items_of, word};
use crate::trace::{Call, json};

/// A call's row but for its place, its times and where its arguments lie.
pub(super) fn row(draft: &mut Draft, tool: &str, args: Option<&Raw<'_>>, line_offset: u64) -> Call {
    let text = args.map_or(Cow::Borrowed("{}"), Raw::plain);
    let views = [&*text];
    draft.touching(&NewCall {
        tool,
        views: &views,
        line_offset,
        ..NewCall::default()
    })
}

struct Taker<'t> {
    draft: &'t mut Draft,
    /// Tools that only give an answer its shape.
    shapes: HashSet<String>,
    line_offset: u64,
    any: bool,
    found: Vec<Wanted>,
}

impl Taker<'_> {
    fn take(&mut self, asked: Asked<'_>) {
        self.any = true;
        // What the model fills in to give its answer a shape runs nothing.
        if self.shapes.contains(&*asked.tool) {
            let note = "structured answers that are no calls";
            self.draft.skipped().note(note);
            return;
        }
        let call = row(
            self.draft,
            &asked.tool,
            asked.args.as_ref(),
            self.line_offset,
        );
        self.found.push(Wanted {
            id: self.draft.name(&asked.id),
            call,
            args: asked.args.map_or(Piece::None, |args| args.piece()),
        });
    }
}

/// The calls that a model asked for. Conventions repeat each other: the first that has any counts.
pub(super) fn wanted(draft: &mut Draft, facts: &Facts<'_>) -> Vec<Wanted> {
    let mut taker = Taker {
        draft,
        shapes: structured_outputs(facts),
        line_offset: facts.line_offset,
        any: false,
        found: Vec::new(),
    };
    if let Some(output) = facts.get(Slot::Output) {
        calls_in(output, &mut |asked| taker.take(asked));
    }
    if !taker.any {
        for output in &facts.outputs {
            calls_in(output, &mut |asked| taker.take(asked));
        }
    }
    if !taker.any {
        let calls = facts.said.flat.values().filter_map(unflatten);
        calls.for_each(|asked| taker.take(asked));
    }
    if !taker.any {
        for text in &facts.said.contents {
            // A message's text that is nothing but a list of calls.
            let message = format!("{{\"content\":{}}}", text.text());
            calls_in(&Raw::owned(message), &mut |asked| taker.take(asked));
        }
    }
    if !taker.any {
        events_in(facts, &mut taker);
    }
    if !taker.any
        && let Some(output) = facts.get(Slot::Answer)
    {
        calls_in(output, &mut |asked| taker.take(asked));
    }
    taker.found
}

fn unflatten<'f>(call: &'f FlatCall<'_>) -> Option<Asked<'f>> {
    let text = |part: &'f Option<Raw<'_>>| part.as_ref().map(Raw::word).unwrap_or_default();
    let tool = text(&call.name);
    (!tool.is_empty()).then(|| Asked {
        id: text(&call.id),
        tool,
        args: call.args.as_ref().map(|args| args.part(args.text())),
    })
}

/// Calls in a list of events such as `{"event.name":"gen_ai.choice","message":{...}}`.
fn events_in(facts: &Facts<'_>, taker: &mut Taker<'_>) {
    let Some(events) = facts.get(Slot::Events) else {
        return;
    };
    let text = events.plain();
    for event in json::items(&text).unwrap_or_default() {
        let [name, message] = fields_of(Some(event), ["event.name", "message"]);
        if word(name) == "gen_ai.choice"
            && let Some(message) = message
        {
            let message = Raw::of(None, message.get());
            calls_in(&message, &mut |asked| taker.take(asked));
        }
    }
}

/// Names of tools that only give the model's answer its shape.
fn structured_outputs(facts: &Facts<'_>) -> HashSet<String> {
    let Some(choice) = facts.get(Slot::Choice) else {
        return HashSet::new();
    };
    let text = choice.plain();
    let outputs = json::fields(&text, ["output_tools"]);
    let outputs = outputs.ok().and_then(|[outputs]| outputs);
    let names = items_of(outputs).into_iter().map(|tool| {
        let [name] = fields_of(Some(tool), ["name"]);
        word(name).into_owned()
    });
    names.collect()
}

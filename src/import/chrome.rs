//! Slices of a Chrome trace (also opened by Perfetto) that say that they are a model's or a tool's.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::draft::Draft;
use super::place::At;
use super::spans::{Extras, Facts, Into, Kind, Raw, Spans, is_wanted};
use super::stamps::number_of;
use super::value::{Stamp, fields_of, items_of, word};
use super::values::read_values;
use crate::model::{Catalog, Timing};
use crate::trace::input::Input;
use crate::trace::{Run, json};

/// Reads slices.
///
/// # Errors
/// Where the file cannot be read, or none of its slices is a model's or a tool's.
pub(super) fn read(path: &Path, input: Input, catalog: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("chrome-trace", catalog);
    // The clock of such a trace starts anywhere.
    draft.zoneless();
    let mut spans = Spans::new();
    let mut extras = Extras::new();
    read_values(&mut draft, path, input, |draft, at| {
        events(draft, &mut spans, at)
    })?;
    if spans.has_no_calls() {
        let problem = "none of its slices has the category \"tool\" or \"model\", or gen_ai attributes \
             among its args";
        return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
    }
    let mut into = Into {
        draft: &mut draft,
        extras: &mut extras,
        path,
    };
    spans.finish(&mut into, None);
    extras.finish(&mut draft);
    Ok(draft.finish())
}

/// What an event says.
#[derive(Clone, Copy, Debug)]
struct Event<'a> {
    raw: &'a RawValue,
    name: Option<&'a RawValue>,
    categories: Option<&'a RawValue>,
    args: Option<&'a RawValue>,
    at: Stamp,
    process: &'a str,
}

/// What a begin waits for: process, thread and, of asynchronous slices, category and id.
type Track<'a> = (&'a str, &'a str, &'a str, &'a str);

fn events(draft: &mut Draft, spans: &mut Spans, at: At<'_>) -> serde_json::Result<()> {
    let list = if at.text.trim_start().starts_with('[') {
        json::items(at.text)?
    } else {
        let [list] = json::fields(at.text, ["traceEvents"])?;
        items_of(list)
    };
    let mut open: HashMap<Track<'_>, Vec<Event<'_>>> = HashMap::new();
    for raw in list {
        let (phase, event, dur, track) = Event::read(raw);
        match &*phase {
            "X" => {
                let lasted = dur.and_then(|dur| number_of(dur, 6));
                let both = event.at.zip(lasted);
                let end = both.and_then(|(at, lasted)| at.checked_add(lasted));
                add(draft, spans, at, (event, None), end, Timing::Measured);
            }
            "B" | "b" => open.entry(track).or_default().push(event),
            "E" | "e" => match open.get_mut(&track).and_then(Vec::pop) {
                Some(begin) => {
                    let both = (begin, event.args);
                    add(draft, spans, at, both, event.at, Timing::Events);
                }
                None => draft.skipped().orphans += 1,
            },
            // Counters, names, flows: no slices.
            _ => {}
        }
    }
    let mut rest: Vec<_> = open.into_values().flatten().collect();
    rest.sort_by_key(|event| at.offset_of(event.raw.get()));
    for begin in rest {
        add(draft, spans, at, (begin, None), None, Timing::Events);
    }
    Ok(())
}

impl<'a> Event<'a> {
    /// An event with its phase, its duration and its track.
    fn read(raw: &'a RawValue) -> (Cow<'a, str>, Self, Option<&'a RawValue>, Track<'a>) {
        const NAMES: [&str; 10] = [
            "ph", "name", "cat", "ts", "dur", "pid", "tid", "id", "id2", "args",
        ];
        let [
            phase,
            name,
            categories,
            ts,
            dur,
            process,
            thread,
            id,
            id2,
            args,
        ] = fields_of(Some(raw), NAMES);
        let text = |value: Option<&'a RawValue>| value.map_or("", RawValue::get);
        let event = Self {
            raw,
            name,
            categories,
            args,
            at: ts.and_then(|ts| number_of(ts, 6)),
            process: text(process),
        };
        let phase = word(phase);
        // Slices of a thread nest; those of capital letters are such.
        let track = if phase.starts_with(char::is_uppercase) {
            (text(process), text(thread), "", "")
        } else {
            (text(process), "", text(categories), text(id.or(id2)))
        };
        (phase, event, dur, track)
    }
}

/// Adds a slice: its begin, what its end adds to the args, and when that was.
fn add<'a>(
    draft: &mut Draft,
    spans: &mut Spans,
    at: At<'a>,
    (event, more): (Event<'a>, Option<&'a RawValue>),
    end: Stamp,
    timing: Timing,
) {
    let categories = word(event.categories).to_ascii_lowercase();
    let mut facts = Facts {
        name: word(event.name),
        start: event.at,
        end,
        timing,
        line_offset: at.offset_of(event.raw.get()),
        kind: kind(&categories),
        ..Facts::default()
    };
    if event.at.is_none() {
        draft.skipped().unknown_field("time of a span");
    }
    for args in [event.args, more].into_iter().flatten() {
        set(&mut facts, at, args);
    }
    // Only what is known to be one is kept: such a trace may hold millions of other slices.
    if matches!(facts.kind(), Kind::Other | Kind::Apart) {
        draft
            .skipped()
            .note("slices that are neither a model's nor a tool's");
        return;
    }
    let key = spans.key(event.process, "");
    spans.add(draft, (key, None), &facts);
}

fn kind(categories: &str) -> Option<Kind> {
    let mut each = categories.split(',').map(str::trim);
    each.find_map(|category| match category {
        "tool" | "tools" | "tool_call" | "call" => Some(Kind::Tool),
        "model" | "llm" | "chat" | "generation" | "reply" => Some(Kind::Model),
        "agent" => Some(Kind::Agent),
        _ => None,
    })
}

fn set<'a>(facts: &mut Facts<'a>, at: At<'a>, args: &'a RawValue) {
    const NAMES: [&str; 12] = [
        "id",
        "tool_call_id",
        "args",
        "arguments",
        "input",
        "result",
        "answer",
        "output",
        "error",
        "outcome",
        "tool",
        "model",
    ];
    let [
        id,
        call_id,
        args_alone,
        arguments,
        input,
        result,
        answer,
        output,
        error,
        outcome,
        tool,
        model,
    ] = fields_of(Some(args), NAMES);
    let raw = |value: Option<_>| Raw::value(Some(at), value);
    if facts.kind == Some(Kind::Tool) {
        let parts = [
            tool,
            call_id.or(id),
            args_alone.or(arguments).or(input),
            answer.or(result).or(output),
        ];
        facts.tool(parts.map(raw));
        facts.outcome = facts.outcome.or_else(|| word(outcome).parse().ok());
    } else {
        facts.in_and_out(None, raw(output));
    }
    facts.model(raw(model));
    if error.is_some_and(|error| error.get() != "false") {
        facts.failed = true;
        facts.error = match word(error) {
            Cow::Borrowed("") => Cow::Borrowed("error"),
            text => text,
        };
    }
    let _ = json::each_field(args.get(), |name, value| {
        if let Some(value) = value.filter(|_| name.contains('.') && is_wanted(name)) {
            facts.set(name, Raw::of(Some(at), value.get()));
        }
    });
}

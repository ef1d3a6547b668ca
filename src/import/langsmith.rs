//! LangSmith runs: a list, one a line, or one with its child runs inside.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::draft::Draft;
use super::place::At;
use super::spans::{Extras, Facts, Into, Raw, Spans};
use super::stamps::{decimal, number_of, unit_name, wall_unit};
use super::value::{Stamp, fields_of, items_of, local_stamp, word};
use super::values::{each_in, read_values};
use crate::model::Catalog;
use crate::trace::Run;
use crate::trace::input::Input;

/// Reads runs.
///
/// # Errors
/// Where the file cannot be read.
pub(super) fn read(path: &Path, input: Input, catalog: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("langsmith", catalog);
    let mut spans = Spans::new();
    let mut extras = Extras::new();
    read_values(&mut draft, path, input, |draft, at| {
        for text in each_in(at)? {
            let whole: &RawValue = serde_json::from_str(text)?;
            runs(draft, &mut spans, at, whole);
        }
        Ok(())
    })?;
    let mut into = Into {
        draft: &mut draft,
        extras: &mut extras,
        path,
    };
    spans.finish(&mut into, None);
    extras.finish(&mut draft);
    Ok(draft.finish())
}

/// A run with those inside it. The text of a run holds its children's, so the deeper one lies the
/// more often it is passed over: very deep ones are counted and left out.
fn runs(draft: &mut Draft, spans: &mut Spans, at: At<'_>, whole: &RawValue) {
    const DEEPEST: usize = 200;
    let mut waiting: Vec<(&RawValue, Cow<'_, str>, usize)> = vec![(whole, Cow::default(), 0)];
    while let Some((run, parent, depth)) = waiting.pop() {
        let (id, children) = add(draft, spans, at, (run, &parent));
        if depth == DEEPEST && !children.is_empty() {
            draft.skipped().note("runs that lie too deep");
            continue;
        }
        let children = children.into_iter();
        waiting.extend(children.map(|child| (child, id.clone(), depth + 1)));
    }
}

/// Adds one run; its id, and the runs inside it.
fn add<'a>(
    draft: &mut Draft,
    spans: &mut Spans,
    at: At<'a>,
    (run, around): (&'a RawValue, &str),
) -> (Cow<'a, str>, Vec<&'a RawValue>) {
    const NAMES: [&str; 13] = [
        "id",
        "trace_id",
        "parent_run_id",
        "run_type",
        "name",
        "start_time",
        "end_time",
        "inputs",
        "outputs",
        "error",
        "extra",
        "child_runs",
        "status",
    ];
    let [
        id,
        trace,
        parent,
        kind,
        name,
        start,
        end,
        inputs,
        outputs,
        error,
        extra,
        children,
        status,
    ] = fields_of(Some(run), NAMES);
    let raw = |value: Option<_>| Raw::value(Some(at), value);
    let mut facts = Facts {
        name: word(name),
        start: time(draft, start),
        end: time(draft, end),
        failed: error.is_some() || word(status) == "error",
        error: word(error),
        line_offset: at.offset_of(run.get()),
        ..Facts::default()
    };
    facts.observed_as(raw(kind));
    facts.model(raw(model(extra)));
    if word(kind) == "tool" {
        let parts = [name, call_id(outputs), arguments(inputs), answer(outputs)];
        facts.tool(parts.map(raw));
    } else {
        facts.in_and_out(raw(inputs), raw(outputs));
    }
    let (id, trace, parent) = (word(id), word(trace), word(parent));
    let parent = if parent.is_empty() { around } else { &parent };
    let key = spans.key(&trace, &id);
    let parent = (!parent.is_empty()).then(|| spans.key(&trace, parent));
    spans.add(draft, (key, parent), &facts);
    (id, items_of(children))
}

fn model(extra: Option<&RawValue>) -> Option<&RawValue> {
    let [metadata, parameters] = fields_of(extra, ["metadata", "invocation_params"]);
    let [name] = fields_of(metadata, ["ls_model_name"]);
    let [model, model_name] = fields_of(parameters, ["model", "model_name"]);
    name.or(model).or(model_name)
}

/// A tool's message is what the tool gave back, under `output` or alone.
fn message(outputs: Option<&RawValue>) -> [Option<&RawValue>; 2] {
    const NAMES: [&str; 2] = ["tool_call_id", "content"];
    let [output] = fields_of(outputs, ["output"]);
    let [inner] = fields_of(output, ["kwargs"]);
    let [outer] = fields_of(outputs, ["kwargs"]);
    let places = [inner, output, outer, outputs];
    let found = places.into_iter().map(|place| fields_of(place, NAMES));
    let mut found = found.filter(|[id, _]| id.is_some());
    found.next().unwrap_or_default()
}

fn call_id(outputs: Option<&RawValue>) -> Option<&RawValue> {
    message(outputs)[0]
}

fn answer(outputs: Option<&RawValue>) -> Option<&RawValue> {
    let [output] = fields_of(outputs, ["output"]);
    message(outputs)[1].or(output).or(outputs)
}

/// Arguments stand alone, or as a text under `input`.
fn arguments(inputs: Option<&RawValue>) -> Option<&RawValue> {
    let [input] = fields_of(inputs, ["input"]);
    let input = input.filter(|input| {
        let text = word(Some(input));
        text.trim_start().starts_with('{') || input.get().starts_with('{')
    });
    input.or(inputs)
}

/// A time as text, or as a number whose unit its size says.
fn time(draft: &mut Draft, value: Option<&RawValue>) -> Stamp {
    let value = value?;
    let text = word(Some(value));
    let stamp = local_stamp(&text).or_else(|| {
        let number = number_of(value, 9)?;
        let digits = wall_unit(number)?;
        let note = format!("times read as {}", unit_name(digits));
        draft.skipped().note(&note);
        decimal(value.get().trim_matches('"'), digits)
    });
    if stamp.is_none() {
        draft.skipped().unknown_field("time of a span");
    }
    stamp
}

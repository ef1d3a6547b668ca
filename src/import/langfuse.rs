//! The export of a Langfuse trace: observations, most of them spans of OpenTelemetry.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::draft::Draft;
use super::place::At;
use super::spans::{Extras, Facts, Into, Raw, Spans, is_wanted};
use super::value::{Stamp, fields_of, items_of, local_stamp, word};
use super::values::{each_in, read_values};
use crate::model::Catalog;
use crate::trace::input::Input;
use crate::trace::{Run, json};

/// Reads an export.
///
/// # Errors
/// Where the file cannot be read.
pub(super) fn read(path: &Path, input: Input, catalog: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("langfuse", catalog);
    let mut spans = Spans::new();
    let mut extras = Extras::new();
    read_values(&mut draft, path, input, |draft, at| {
        each_in(at)?
            .into_iter()
            .try_for_each(|text| export(draft, &mut spans, at, text))
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

/// One trace. Its observations stand beside it, inside it, or both.
fn export(draft: &mut Draft, spans: &mut Spans, at: At<'_>, text: &str) -> serde_json::Result<()> {
    let [trace, observations, id, name] =
        json::fields(text, ["trace", "observations", "id", "name"])?;
    let [inner_id, inner_name, inner] = fields_of(trace, ["id", "name", "observations"]);
    let meta = draft.meta();
    if meta.id.is_empty() {
        meta.id = word(inner_id.or(id)).into_owned();
        meta.task = word(inner_name.or(name)).into_owned();
    }
    for observation in items_of(observations.or(inner)) {
        add(draft, spans, at, observation);
    }
    Ok(())
}

fn add(draft: &mut Draft, spans: &mut Spans, at: At<'_>, observation: &RawValue) {
    const NAMES: [&str; 14] = [
        "id",
        "traceId",
        "parentObservationId",
        "type",
        "name",
        "startTime",
        "endTime",
        "level",
        "statusMessage",
        "input",
        "output",
        "model",
        "metadata",
        "toolCalls",
    ];
    let [
        id,
        trace,
        parent,
        kind,
        name,
        start,
        end,
        level,
        status,
        input,
        output,
        model,
        metadata,
        calls,
    ] = fields_of(Some(observation), NAMES);
    let raw = |value: Option<_>| Raw::value(Some(at), value);
    // In some exports the metadata is a text of JSON.
    let unpacked = word(metadata);
    let (attributes, attributes_at) = match &*unpacked {
        "" => (metadata.map_or("", RawValue::get), Some(at)),
        text => (text, None),
    };
    let mut facts = Facts {
        name: word(name),
        start: time(draft, start),
        end: time(draft, end),
        failed: word(level) == "ERROR",
        error: word(status),
        line_offset: at.offset_of(observation.get()),
        ..Facts::default()
    };
    facts.observed_as(raw(kind));
    facts.in_and_out(raw(input), raw(output));
    facts.model(raw(model));
    facts.outputs.extend(raw(calls));
    set_attributes(&mut facts, attributes, attributes_at);
    let trace = word(trace);
    let key = spans.key(&trace, &word(id));
    let parent = word(parent);
    let parent = (!parent.is_empty()).then(|| spans.key(&trace, &parent));
    spans.add(draft, (key, parent), &facts);
}

/// The attributes of the span that the observation was made from.
fn set_attributes<'a>(facts: &mut Facts<'a>, metadata: &'a str, at: Option<At<'a>>) {
    let Ok([Some(attributes)]) = json::fields(metadata, ["attributes"]) else {
        return;
    };
    // Names before a broken value count.
    let _ = json::each_field(attributes.get(), |name, value| {
        if let Some(value) = value.filter(|_| is_wanted(name)) {
            facts.set(name, Raw::of(at, value.get()));
        }
    });
}

/// A time; one that cannot be read is counted.
pub(super) fn time(draft: &mut Draft, value: Option<&RawValue>) -> Stamp {
    let text: Cow<'_, str> = word(value);
    let stamp = local_stamp(&text);
    if value.is_some() && stamp.is_none() {
        draft.skipped().unknown_field("time of a span");
    }
    stamp
}

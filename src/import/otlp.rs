//! Spans in OTLP/JSON: one object, a list of them, or one a line.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use serde_json::value::RawValue;

use super::draft::Draft;
use super::place::At;
use super::spans::{Extras, Facts, Into, Raw, Spans, is_wanted};
use super::stamps::{decimal, number_of, unit_name, wall_unit};
use super::value::{Stamp, fields_of, items_of, word};
use super::values::{each_in, read_values};
use crate::model::{Catalog, Timing};
use crate::trace::input::Input;
use crate::trace::{Run, json};

/// Values nest less deep than this; what lies deeper is left out of arguments.
const DEEPEST: u8 = 60;

/// Reads spans.
///
/// # Errors
/// Where the file cannot be read.
pub(super) fn read(path: &Path, input: Input, catalog: &Catalog) -> io::Result<Run> {
    let mut draft = Draft::new("otlp", catalog);
    let mut spans = Spans::new();
    let mut extras = Extras::new();
    read_values(&mut draft, path, input, |draft, at| {
        let mut reader = Reader {
            draft,
            spans: &mut spans,
        };
        each_in(at)?
            .into_iter()
            .try_for_each(|text| reader.message(at, text))
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

struct Reader<'r> {
    draft: &'r mut Draft,
    spans: &'r mut Spans,
}

impl Reader<'_> {
    /// An export request, or one resource's spans alone.
    fn message(&mut self, at: At<'_>, text: &str) -> serde_json::Result<()> {
        let names = ["resourceSpans", "resource_spans", "scopeSpans"];
        let [camel, snake, alone] = json::fields(text, names)?;
        if let Some(resources) = camel.or(snake) {
            for resource in items_of(Some(resources)) {
                self.resource(at, resource);
            }
            return Ok(());
        }
        if alone.is_some() {
            let whole: &RawValue = serde_json::from_str(text)?;
            self.resource(at, whole);
            return Ok(());
        }
        let (names, _) = json::outline(text);
        let name = names.first().map_or("(nothing)", |(name, _)| name);
        self.draft.skipped().unknown_type(name);
        Ok(())
    }

    fn resource(&mut self, at: At<'_>, resource: &RawValue) {
        let names = [
            "scopeSpans",
            "scope_spans",
            "instrumentationLibrarySpans",
            "instrumentation_library_spans",
        ];
        let scopes = fields_of(Some(resource), names);
        for scope in items_of(scopes.into_iter().flatten().next()) {
            let [spans] = fields_of(Some(scope), ["spans"]);
            for span in items_of(spans) {
                self.span(at, span);
            }
        }
    }

    fn span(&mut self, at: At<'_>, span: &RawValue) {
        const NAMES: [&str; 14] = [
            "traceId",
            "trace_id",
            "spanId",
            "span_id",
            "parentSpanId",
            "parent_span_id",
            "name",
            "startTimeUnixNano",
            "start_time_unix_nano",
            "endTimeUnixNano",
            "end_time_unix_nano",
            "attributes",
            "events",
            "status",
        ];
        let [
            trace,
            trace_snake,
            id,
            id_snake,
            parent,
            parent_snake,
            name,
            start,
            start_snake,
            end,
            end_snake,
            attributes,
            events,
            status,
        ] = fields_of(Some(span), NAMES);
        let mut facts = Facts {
            name: word(name),
            line_offset: at.offset_of(span.get()),
            ..Facts::default()
        };
        self.times(&mut facts, start.or(start_snake), end.or(end_snake));
        set_status(&mut facts, status);
        for attribute in items_of(attributes) {
            set_attribute(&mut facts, at, attribute);
        }
        for event in items_of(events) {
            take_event(&mut facts, at, event);
        }
        let trace = id_of(trace.or(trace_snake));
        let key = self.spans.key(&trace, &id_of(id.or(id_snake)));
        let parent = id_of(parent.or(parent_snake));
        let parent = (!parent.is_empty()).then(|| self.spans.key(&trace, &parent));
        let meta = self.draft.meta();
        if meta.id.is_empty() {
            meta.id = facts.conversation().into_owned();
        }
        self.spans.add(self.draft, (key, parent), &facts);
    }

    /// The format says nanoseconds. Where a number is a wall time in another unit only, it is read
    /// as that, and the run says so.
    fn times(&mut self, facts: &mut Facts<'_>, start: Option<&RawValue>, end: Option<&RawValue>) {
        let (start, start_unit) = self.time(start);
        let (end, end_unit) = self.time(end);
        // Zero is how the format writes that there is none; a clock that starts there is possible.
        facts.end = end.filter(|end| *end != 0);
        facts.start = start.filter(|start| *start != 0 || end_unit.is_none());
        if start_unit.zip(end_unit).is_some_and(|(a, b)| a != b) {
            let note = "spans that start and end in different units";
            self.draft.skipped().note(note);
            facts.timing = Timing::Unknown;
        }
    }

    fn time(&mut self, value: Option<&RawValue>) -> (Stamp, Option<u8>) {
        let Some(value) = value else {
            return (None, None);
        };
        let Some(nanos) = number_of(value, 9) else {
            self.draft.skipped().unknown_field("time of a span");
            return (None, None);
        };
        let unit = wall_unit(nanos);
        match unit {
            Some(digits) if digits != 9 => {
                let note = format!("times read as {}", unit_name(digits));
                self.draft.skipped().note(&note);
                (decimal(&nanos.to_string(), digits), unit)
            }
            _ => (Some(nanos), unit),
        }
    }
}

fn set_status<'a>(facts: &mut Facts<'a>, status: Option<&'a RawValue>) {
    let [code, message] = fields_of(status, ["code", "message"]);
    let code = code.map_or("", RawValue::get).trim_matches('"');
    facts.failed = matches!(code, "2" | "STATUS_CODE_ERROR");
    facts.fine = matches!(code, "1" | "STATUS_CODE_OK");
    facts.error = word(message);
}

fn set_attribute<'a>(facts: &mut Facts<'a>, at: At<'a>, attribute: &'a RawValue) {
    let [name, value] = fields_of(Some(attribute), ["key", "value"]);
    let name = word(name);
    if is_wanted(&name)
        && let Some(value) = value.and_then(|value| any_value(at, value))
    {
        facts.set(&name, value);
    }
}

/// An event: an exception, or a message of its own.
fn take_event<'a>(facts: &mut Facts<'a>, at: At<'a>, event: &'a RawValue) {
    let [name, attributes] = fields_of(Some(event), ["name", "attributes"]);
    let name = word(name);
    let is_exception = name == "exception";
    facts.exception |= is_exception;
    for attribute in items_of(attributes) {
        let [key, value] = fields_of(Some(attribute), ["key", "value"]);
        let value = || value.and_then(|value| any_value(at, value));
        match &*word(key) {
            "exception.type" | "exception.message" if is_exception && facts.error.is_empty() => {
                let text = value().map(|value| value.word().into_owned());
                facts.error = Cow::Owned(text.unwrap_or_default());
            }
            "gen_ai.output.messages" => facts.outputs.extend(value()),
            "message" | "tool_calls" | "gen_ai.completion" | "gen_ai.event.content"
                if name == "gen_ai.choice" || name == "gen_ai.content.completion" =>
            {
                facts.outputs.extend(value());
            }
            _ => {}
        }
    }
}

/// An id as small hexadecimal digits: some write capital ones, others the bytes in base64. All
/// zeros is none.
fn id_of(value: Option<&RawValue>) -> String {
    let text = word(value);
    let text = text.trim();
    let hex = match text.len() {
        12 | 24 => base64(text),
        _ => None,
    };
    let hex = hex.unwrap_or_else(|| text.to_ascii_lowercase());
    if hex.bytes().all(|digit| digit == b'0') {
        return String::new();
    }
    hex
}

/// The bytes of 8 or 16 in base64, as hexadecimal digits.
fn base64(text: &str) -> Option<String> {
    let mut out = String::new();
    let body = text.strip_suffix("==").or_else(|| text.strip_suffix('='))?;
    let (mut bits, mut n) = (0_u32, 0);
    for c in body.bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        n += 6;
        if n >= 8 {
            n -= 8;
            out.push_str(&format!("{:02x}", bits >> n & 0xff));
        }
    }
    matches!(out.len(), 16 | 32).then_some(out)
}

const VALUES: [&str; 12] = [
    "stringValue",
    "string_value",
    "intValue",
    "int_value",
    "doubleValue",
    "double_value",
    "boolValue",
    "bool_value",
    "arrayValue",
    "array_value",
    "kvlistValue",
    "kvlist_value",
];

/// An attribute's value as JSON: a string stays where it is, lists are put together.
fn any_value<'a>(at: At<'a>, value: &'a RawValue) -> Option<Raw<'a>> {
    let found = fields_of(Some(value), VALUES);
    let place = found.iter().position(Option::is_some)?;
    let inside = found[place]?;
    if place < 8 {
        return Some(Raw::of(Some(at), inside.get()));
    }
    let mut out = String::new();
    write_value(value, &mut out, 0);
    Some(Raw::owned(out))
}

fn write_value(value: &RawValue, out: &mut String, depth: u8) {
    let found = fields_of(Some(value), VALUES);
    let place = found.iter().position(Option::is_some);
    let Some((place, inside)) = place.zip(place.and_then(|place| found[place])) else {
        out.push_str("null");
        return;
    };
    if depth > DEEPEST {
        out.push_str("null");
        return;
    }
    let text = inside.get();
    match place {
        // Whole numbers are written as strings.
        2 | 3 => out.push_str(match text.trim_matches('"') {
            number if json::is_value(number) => number,
            _ => text,
        }),
        0..8 => out.push_str(text),
        8 | 9 => write_list(inside, out, depth),
        _ => write_object(inside, out, depth),
    }
}

fn write_list(list: &RawValue, out: &mut String, depth: u8) {
    let [values] = fields_of(Some(list), ["values"]);
    out.push('[');
    for (i, item) in items_of(values).into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_value(item, out, depth + 1);
    }
    out.push(']');
}

fn write_object(object: &RawValue, out: &mut String, depth: u8) {
    let [values] = fields_of(Some(object), ["values"]);
    out.push('{');
    let mut first = true;
    for item in items_of(values) {
        let [key, value] = fields_of(Some(item), ["key", "value"]);
        let (Some(key), Some(value)) = (key.filter(|key| key.get().starts_with('"')), value) else {
            continue;
        };
        if !std::mem::take(&mut first) {
            out.push(',');
        }
        out.push_str(key.get());
        out.push(':');
        write_value(value, out, depth + 1);
    }
    out.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_same_in_base64_and_in_hexadecimal_digits() {
        for (text, hex) in [
            ("\"NpgJEN3BVa0=\"", "36980910ddc155ad"),
            (
                "\"Z/xicU0rs76rmyv+sSsHPA==\"",
                "67fc62714d2bb3beab9b2bfeb12b073c",
            ),
            ("\"36980910DDC155AD\"", "36980910ddc155ad"),
            ("\"0000000000000000\"", ""),
            ("\"AAAAAAAAAAA=\"", ""),
            ("7", ""),
        ] {
            let raw = RawValue::from_string(text.to_owned()).ok();
            assert_eq!(id_of(raw.as_deref()), hex, "{text}");
        }
    }
}

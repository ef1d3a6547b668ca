//! The fields of an event that are looked at.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::import::draft::Draft;
use crate::import::value::{Stamp, fields_of, is_true, local_stamp, seconds, word};
use crate::time::Nanos;
use crate::trace::json;

/// An event of a sample.
#[derive(Clone, Debug)]
pub(super) struct Event<'a> {
    pub(super) raw: &'a RawValue,
    /// `model`, `tool`, `span_begin`, ...
    pub(super) what: Cow<'a, str>,
    pub(super) at: Stamp,
    pub(super) completed: Stamp,
    pub(super) working: Option<Nanos>,
    pub(super) pending: bool,
    /// The span that it lies in.
    pub(super) span: Cow<'a, str>,
    /// Of a tool's event the call's id, of a span's beginning the span's.
    pub(super) id: Cow<'a, str>,
    pub(super) error: Option<&'a RawValue>,
    pub(super) failed: bool,
    /// Events inside it, in older logs.
    pub(super) events: Option<&'a RawValue>,
    more: [Option<&'a RawValue>; 10],
}

/// What only some kinds of events have.
const MORE: [&str; 10] = [
    "parent_id",
    "type",
    "name",
    "function",
    "arguments",
    "result",
    "output",
    "model",
    "agent_span_id",
    "uuid",
];

impl<'a> Event<'a> {
    pub(super) fn read(draft: &mut Draft, raw: &'a RawValue) -> Self {
        const NAMES: [&str; 10] = [
            "event",
            "timestamp",
            "completed",
            "working_time",
            "pending",
            "span_id",
            "id",
            "error",
            "failed",
            "events",
        ];
        let [
            what,
            at,
            completed,
            working,
            pending,
            span,
            id,
            error,
            failed,
            events,
        ] = fields_of(Some(raw), NAMES);
        Self {
            raw,
            what: word(what),
            at: time(draft, at),
            completed: time(draft, completed),
            working: working.and_then(json::number).and_then(seconds),
            pending: is_true(pending),
            span: word(span),
            id: word(id),
            error,
            failed: is_true(failed),
            events,
            more: fields_of(Some(raw), MORE),
        }
    }

    /// A field that only some kinds of events have.
    pub(super) fn value(&self, name: &str) -> Option<&'a RawValue> {
        let place = MORE.iter().position(|known| *known == name)?;
        self.more[place]
    }

    /// The text of such a field.
    pub(super) fn word(&self, name: &str) -> Cow<'a, str> {
        word(self.value(name))
    }
}

fn time(draft: &mut Draft, value: Option<&RawValue>) -> Stamp {
    let stamp = local_stamp(&word(value));
    if value.is_some() && stamp.is_none() {
        draft.skipped().unknown_field("time of an event");
    }
    stamp
}

//! The lines of a trace, one type a kind. The same types read and write, so that the two cannot
//! drift apart. Times are nanoseconds from the run's start; `thread` is left out for `main`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::words::{self, Json, Slots, Text};
use crate::model::{Outcome, Source, Timing};
use crate::time::Nanos;

/// The thread that lines leave out.
pub const MAIN: &str = "main";

/// `run`: the first line.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub struct Run<'a> {
    /// Always `turnlane`.
    #[serde(deserialize_with = "words::lossy")]
    pub format: Cow<'a, str>,
    /// The version of the format: 1.
    pub version: u64,
    /// The run's id.
    #[serde(deserialize_with = "words::lossy")]
    pub id: Cow<'a, str>,
    /// Wall time of time zero, RFC 3339.
    #[serde(deserialize_with = "words::lossy")]
    pub at: Cow<'a, str>,
    /// The policy it runs under.
    #[serde(
        deserialize_with = "words::lossy",
        skip_serializing_if = "words::empty"
    )]
    pub policy: Cow<'a, str>,
    /// The limit: a number or `unlimited`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slots: Option<Slots>,
    /// What happens at a failure.
    #[serde(
        deserialize_with = "words::lossy",
        skip_serializing_if = "words::empty"
    )]
    pub on_failure: Cow<'a, str>,
    /// The deadline of a turn, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline_ms: Option<serde_json::Number>,
    /// The model.
    #[serde(
        deserialize_with = "words::lossy",
        skip_serializing_if = "words::empty"
    )]
    pub model: Cow<'a, str>,
    /// What the run is for.
    #[serde(
        deserialize_with = "words::lossy",
        skip_serializing_if = "words::empty"
    )]
    pub task: Cow<'a, str>,
    /// The format it was made from; `turnlane` for a recording.
    #[serde(
        deserialize_with = "words::lossy",
        skip_serializing_if = "words::empty"
    )]
    pub source: Cow<'a, str>,
    /// The folder that relative paths are resolved against.
    #[serde(
        deserialize_with = "words::lossy",
        skip_serializing_if = "words::empty"
    )]
    pub folder: Cow<'a, str>,
}

/// `catalog`: the tools in force.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub struct Catalog<'a> {
    /// The catalog: an array of tools, or an object that holds one.
    #[serde(borrow)]
    pub tools: Option<&'a RawValue>,
}

/// `turn`: a reply was received.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub struct Turn<'a> {
    /// Its line of turns.
    #[serde(
        deserialize_with = "words::thread",
        skip_serializing_if = "words::main"
    )]
    pub thread: Cow<'a, str>,
    /// For a sub-agent's first turn: the call that started it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<Parent<'a>>,
    /// Its number, from 1 in its thread.
    pub turn: u32,
    /// When the reply was complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ns: Option<u64>,
    /// How many calls it has.
    pub calls: u32,
    /// The model's time before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// The model that replied, where it is known for the turn.
    #[serde(
        deserialize_with = "words::lossy",
        skip_serializing_if = "words::empty"
    )]
    pub model_name: Cow<'a, str>,
}

/// The call that a thread was started by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub struct Parent<'a> {
    /// Its thread.
    #[serde(deserialize_with = "words::thread")]
    pub thread: Cow<'a, str>,
    /// Its turn, from 1.
    pub turn: u32,
    /// Its place in the turn, from 0.
    pub call: u32,
}

/// The model's time before a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// When it was asked.
    pub start_ns: u64,
    /// When its reply was complete.
    pub end_ns: u64,
    /// Where that comes from.
    #[serde(with = "words::timing")]
    pub timing: Timing,
}

/// `call`: one a call, in issue order, before any start of the turn.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub struct Call<'a> {
    /// Its line of turns.
    #[serde(
        deserialize_with = "words::thread",
        skip_serializing_if = "words::main"
    )]
    pub thread: Cow<'a, str>,
    /// Its turn, from 1.
    pub turn: u32,
    /// Its place in the turn, from 0.
    pub call: u32,
    /// The provider's id: a label.
    #[serde(deserialize_with = "words::lossy")]
    pub id: Cow<'a, str>,
    /// The tool's name.
    #[serde(deserialize_with = "words::lossy")]
    pub tool: Cow<'a, str>,
    /// The arguments.
    #[serde(skip_serializing_if = "Json::is_missing")]
    pub args: Json<'a>,
    /// When the model had issued it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issued_ns: Option<u64>,
    /// Keys read. Missing, with `writes` and `opaque` missing too, means that nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads: Option<Vec<Text<'a>>>,
    /// Keys written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writes: Option<Vec<Text<'a>>>,
    /// True where nothing is known of what it touches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opaque: Option<bool>,
    /// True for the tool that ends the turn.
    #[serde(rename = "final", skip_serializing_if = "words::no")]
    pub is_final: bool,
    /// Where the effects come from.
    #[serde(with = "words::source", skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// True where a person is asked before it starts.
    #[serde(skip_serializing_if = "words::no")]
    pub approval: bool,
    /// Its stage, where the policy has stages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<u32>,
    /// Earlier calls of the turn that it names as its predecessors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<u32>,
}

/// `start`: with the kernel before the body runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub struct Start<'a> {
    /// Its line of turns.
    #[serde(
        deserialize_with = "words::thread",
        skip_serializing_if = "words::main"
    )]
    pub thread: Cow<'a, str>,
    /// Its turn, from 1.
    pub turn: u32,
    /// Its place in the turn, from 0.
    pub call: u32,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ns: Option<u64>,
    /// The slot it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<u32>,
    /// Why now: the text form of [`crate::model::Cause`].
    #[serde(
        deserialize_with = "words::lossy",
        skip_serializing_if = "words::empty"
    )]
    pub cause: Cow<'a, str>,
    /// Earlier calls that may still be running on its keys.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<u32>,
    /// Turn and call of bodies that outlived an earlier turn and may still be running on its keys.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub carried: Vec<[u32; 2]>,
}

/// `ask` and `granted`: approval was asked for, or answered.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub struct Ask<'a> {
    /// Its line of turns.
    #[serde(
        deserialize_with = "words::thread",
        skip_serializing_if = "words::main"
    )]
    pub thread: Cow<'a, str>,
    /// Its turn, from 1.
    pub turn: u32,
    /// Its place in the turn, from 0.
    pub call: u32,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ns: Option<u64>,
    /// The answer; on `granted` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grant: Option<bool>,
}

/// `end`: a call ended, or will never start. `late`: a timed-out call ended after all.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct End<'a> {
    /// Its line of turns.
    #[serde(default = "words::main_name")]
    #[serde(
        deserialize_with = "words::thread",
        skip_serializing_if = "words::main"
    )]
    pub thread: Cow<'a, str>,
    /// Its turn, from 1.
    pub turn: u32,
    /// Its place in the turn, from 0.
    pub call: u32,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ns: Option<u64>,
    /// How it ended.
    #[serde(with = "words::outcome")]
    pub outcome: Outcome,
    /// The error text.
    #[serde(default)]
    #[serde(
        deserialize_with = "words::lossy",
        skip_serializing_if = "words::empty"
    )]
    pub error: Cow<'a, str>,
    /// Where the run time comes from; missing means measured.
    #[serde(default, with = "words::maybe_timing")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
    /// The tool's own figure for how long it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_ns: Option<u64>,
    /// When the work ended that the call only launched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detached_ns: Option<u64>,
    /// What went back to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer<'a>>,
}

impl<'a> End<'a> {
    /// The end of a call of `main`, at `at`; everything else is empty.
    #[must_use]
    pub fn new(turn: u32, call: u32, at: Nanos, outcome: Outcome) -> Self {
        Self {
            thread: words::main_name(),
            turn,
            call,
            at_ns: Some(at.0),
            outcome,
            error: Cow::Borrowed(""),
            timing: None,
            own_ns: None,
            detached_ns: None,
            answer: None,
        }
    }
}

/// An answer: its text, or the side file that has it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub struct Answer<'a> {
    /// Length of the text in bytes.
    pub bytes: u64,
    /// SHA-256 of the text, in lower-case hex.
    #[serde(
        deserialize_with = "words::lossy",
        skip_serializing_if = "words::empty"
    )]
    pub sha256: Cow<'a, str>,
    /// The text as a JSON string.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a RawValue>,
    /// The name of a file beside the trace that holds the text.
    #[serde(
        deserialize_with = "words::lossy",
        skip_serializing_if = "words::empty"
    )]
    pub side: Cow<'a, str>,
}

/// `turn_end`: the results of a turn went back.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub struct TurnEnd<'a> {
    /// Its line of turns.
    #[serde(
        deserialize_with = "words::thread",
        skip_serializing_if = "words::main"
    )]
    pub thread: Cow<'a, str>,
    /// Its number, from 1.
    pub turn: u32,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ns: Option<u64>,
    /// For keys with several calls: the tools in the order in which they ran.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub key_order: BTreeMap<Text<'a>, Vec<Text<'a>>>,
}

/// `resume`: the writer had died, and another goes on. A call without an end may start again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub struct Resume<'a> {
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ns: Option<u64>,
    /// The wall time of it, RFC 3339.
    #[serde(
        deserialize_with = "words::lossy",
        skip_serializing_if = "words::empty"
    )]
    pub at: Cow<'a, str>,
}

/// `run_end`: the run is complete.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RunEnd {
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ns: Option<u64>,
}

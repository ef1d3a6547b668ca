//! The rows of calls as a table with named columns: one definition for every format.

use crate::analyze::{CallFacts, CallRow, Part, ReplyRow};
use crate::time::Nanos;

/// One value of the table.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Not known, or does not apply.
    Null,
    /// A text as in the file; [`crate::text`] comes before it is shown.
    Text(String),
    /// A number.
    Int(i64),
    /// Yes or no.
    Bool(bool),
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`Value::Text`].
    Text,
    /// [`Value::Int`].
    Int,
    /// [`Value::Bool`].
    Bool,
}

/// A column: its name, what it holds, what that means.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// What it holds; every column may hold null.
    pub kind: Kind,
    /// What it means.
    pub doc: &'static str,
    value: fn(&File<'_>, &CallRow) -> Value,
}

/// What all rows of a file have in common.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// The file, as it was named.
    pub file: &'a str,
    /// The harness.
    pub harness: &'a str,
    /// The task; empty where the file does not say.
    pub task: &'a str,
}

impl Column {
    /// The column's value in a row.
    #[must_use]
    pub fn value(&self, file: &File<'_>, row: &CallRow) -> Value {
        (self.value)(file, row)
    }
}

fn text(text: &str) -> Value {
    if text.is_empty() {
        Value::Null
    } else {
        Value::Text(text.to_owned())
    }
}

fn count(n: u64) -> Value {
    Value::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

fn nanos(ns: Option<Nanos>) -> Value {
    ns.map_or(Value::Null, |ns| count(ns.0))
}

fn of_call(row: &CallRow, value: impl Fn(&CallFacts) -> Value) -> Value {
    row.call.as_ref().map_or(Value::Null, value)
}

fn part(reply: &ReplyRow, part: Part) -> Value {
    let facts = reply.parts[part as usize];
    // What is not known and of which nothing is in the file is no zero.
    if facts.unknown && facts.time == Nanos::ZERO {
        return Value::Null;
    }
    count(facts.time.0)
}

fn unknown(reply: &ReplyRow, part: Part) -> Value {
    Value::Bool(reply.parts[part as usize].unknown)
}

fn saved(reply: &ReplyRow, at: usize) -> Value {
    reply.saved[at].map_or(Value::Null, Value::Int)
}

fn recorded(reply: &ReplyRow) -> Value {
    reply
        .recorded
        .map_or(Value::Null, |seen| count(seen.total()))
}

const fn column(
    name: &'static str,
    kind: Kind,
    value: fn(&File<'_>, &CallRow) -> Value,
    doc: &'static str,
) -> Column {
    Column {
        name,
        kind,
        doc,
        value,
    }
}

use Kind::{Bool, Int, Text};

/// The columns, in their order.
#[rustfmt::skip]
pub const COLUMNS: &[Column] = &[
    column("file", Text, |f, _| text(f.file), "the file, as it was named"),
    column("harness", Text, |f, _| text(f.harness), "who wrote it"),
    column("task", Text, |f, _| text(f.task), "what the run was for"),
    column("thread", Text, |_, r| text(&r.reply.thread), "main, or the sub-agent's id"),
    column("agent", Text, |_, r| text(r.reply.agent.word()), "main or sub-agent; a sub-agent's time lies inside a call of its parent"),
    column("model", Text, |_, r| text(&r.reply.model), "the model that gave most of the thread's replies"),
    column("turn", Int, |_, r| count(r.reply.turn.into()), "the reply's number in its thread, from 1"),
    column("copy", Bool, |_, r| Value::Bool(r.reply.copy), "true where an earlier file has the same reply: leave it out of sums"),
    column("turn_calls", Int, |_, r| count(r.reply.calls as u64), "how many calls the reply holds"),
    column("call", Int, |_, r| of_call(r, |c| count(c.index.into())), "the call's place in the reply, from 0; null for a reply without calls"),
    column("tool", Text, |_, r| of_call(r, |c| text(&c.tool)), "its tool"),
    column("outcome", Text, |_, r| of_call(r, |c| text(c.outcome)), "how it ended"),
    column("failed", Bool, |_, r| of_call(r, |c| Value::Bool(c.failed)), "true for every failure"),
    column("asked_again", Bool, |_, r| of_call(r, |c| Value::Bool(c.asked_again)), "true where it was cancelled with its siblings and asked for again"),
    column("issued_ns", Int, |_, r| of_call(r, |c| nanos(c.issued)), "when it was issued, in ns from the run's start"),
    column("start_ns", Int, |_, r| of_call(r, |c| nanos(c.start)), "when its body started; of a bound interval when it may have started"),
    column("end_ns", Int, |_, r| of_call(r, |c| nanos(c.end)), "when it ended"),
    column("run_ns", Int, |_, r| of_call(r, |c| nanos(c.run_time)), "how long its body ran; read timing first"),
    column("timing", Text, |_, r| of_call(r, |c| text(c.timing)), "measured, events, given, bound (an upper bound) or unknown"),
    column("opaque", Bool, |_, r| of_call(r, |c| Value::Bool(c.opaque)), "true where nothing is known of what it touches"),
    column("reads", Text, |_, r| of_call(r, |c| text(&c.reads.join(" "))), "keys read, a space between them"),
    column("writes", Text, |_, r| of_call(r, |c| text(&c.writes.join(" "))), "keys written"),
    column("effects_from", Text, |_, r| of_call(r, |c| text(c.source)), "where its effects come from"),
    column("answer_bytes", Int, |_, r| of_call(r, |c| count(c.answer_bytes)), "size of its answer"),
    column("single_read", Bool, |_, r| Value::Bool(r.reply.single_read), "true where the reply holds one call, which only reads"),
    column("model_ns", Int, |_, r| nanos(r.reply.model_time), "the model's time before the reply"),
    column("part_model_ns", Int, |_, r| part(&r.reply, Part::Model), "wall time up to the reply's end: the model wrote"),
    column("part_tools_ns", Int, |_, r| part(&r.reply, Part::Tool), "a body ran, or may have run"),
    column("part_waiting_ns", Int, |_, r| part(&r.reply, Part::Waiting), "calls were held back and nothing ran"),
    column("part_you_ns", Int, |_, r| part(&r.reply, Part::Approval), "a person was asked and nothing ran"),
    column("part_unattributed_ns", Int, |_, r| part(&r.reply, Part::Unattributed), "nothing in the file says what happened"),
    column("model_unknown", Bool, |_, r| unknown(&r.reply, Part::Model), "true where there may be more model time than is known"),
    column("tools_unknown", Bool, |_, r| unknown(&r.reply, Part::Tool), "true where there may be more tool time than is known"),
    column("sequential_ns", Int, |_, r| nanos(r.reply.sequential), "predicted makespan of the reply's calls one after another"),
    column("saved_staged_ns", Int, |_, r| saved(&r.reply, 0), "predicted against sequential"),
    column("saved_keyed_ns", Int, |_, r| saved(&r.reply, 1), "predicted against sequential"),
    column("saved_graph_ns", Int, |_, r| saved(&r.reply, 2), "predicted against sequential"),
    column("saved_most_ns", Int, |_, r| saved(&r.reply, 3), "the most that any safe policy could save, predicted"),
    column("saved_timing", Text, |_, r| text(r.reply.saved_timing.word()), "the weakest timing under those five"),
    column("lost_updates", Int, |_, r| count(r.reply.hazards.lost_update), "pairs that would race if all started at once: both write"),
    column("stale_reads", Int, |_, r| count(r.reply.hazards.stale_read), "the second reads what the first writes"),
    column("early_writes", Int, |_, r| count(r.reply.hazards.early_write), "the second writes what the first reads"),
    column("unknown_orders", Int, |_, r| count(r.reply.hazards.unknown_order), "one of the two is opaque"),
    column("recorded_hazards", Int, |_, r| recorded(&r.reply), "pairs that raced; null where the times cannot show it"),
];

/// The columns as Markdown, for the page beside the queries.
#[must_use]
pub fn columns_markdown() -> String {
    let mut out = String::from("| column | type | means |\n|---|---|---|\n");
    for column in COLUMNS {
        let kind = match column.kind {
            Text => "text",
            Int => "integer",
            Bool => "boolean",
        };
        out.push_str(&format!("| {} | {kind} | {} |\n", column.name, column.doc));
    }
    out
}

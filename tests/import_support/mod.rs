//! Small sessions of Claude Code, written line by line, and what a test asks of the run.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

pub(crate) mod codex;
pub(crate) mod fixtures;
pub(crate) mod mutations;
pub(crate) mod spans;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use turnlane::import::{ImportError, Opened, open_any};
use turnlane::model::{Catalog, Outcome};
use turnlane::trace::{Bodies, Call, Run, Thread};

/// Millisecond `ms` of the test's day.
pub(crate) fn at(ms: i64) -> String {
    let start = chrono::DateTime::parse_from_rfc3339("2026-01-02T00:00:00Z").unwrap();
    let at = start + chrono::TimeDelta::milliseconds(ms);
    at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}

/// An assistant line of message `id` with these blocks.
pub(crate) fn reply(ms: i64, id: &str, blocks: Value) -> Value {
    let message = json!({"id": id, "model": "some-model", "role": "assistant", "content": blocks});
    json!({"type": "assistant", "timestamp": at(ms), "message": message})
}

pub(crate) fn call(id: &str, tool: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": tool, "input": input})
}

pub(crate) fn read(id: &str, path: &str) -> Value {
    call(id, "Read", json!({"file_path": path}))
}

pub(crate) fn prompt(ms: i64, text: &str) -> Value {
    json!({"type": "user", "timestamp": at(ms), "message": {"role": "user", "content": text}})
}

pub(crate) fn result(ms: i64, id: &str, text: &str) -> Value {
    answer(
        ms,
        json!({"type": "tool_result", "tool_use_id": id, "content": text}),
    )
}

pub(crate) fn error(ms: i64, id: &str, text: &str) -> Value {
    answer(
        ms,
        json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": true}),
    )
}

pub(crate) fn answer(ms: i64, block: Value) -> Value {
    json!({"type": "user", "timestamp": at(ms), "message": {"role": "user", "content": [block]}})
}

/// The line with more fields.
pub(crate) fn with(mut line: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else {
        panic!("fields are an object")
    };
    line.as_object_mut().unwrap().extend(fields);
    line
}

pub(crate) fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A folder of session files that goes when the test ends.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

pub(crate) fn try_open(path: &Path) -> Result<Opened, ImportError> {
    open_any(path, &Catalog::default())
}

pub(crate) fn open(path: &Path) -> Run {
    match try_open(path).unwrap() {
        Opened::Run(run) => *run,
        Opened::Scenario(_) => panic!("not a scenario"),
    }
}

/// A session of these bytes, with the folder that keeps its bodies.
pub(crate) fn run_of(bytes: impl AsRef<[u8]>) -> (Run, Folder) {
    let folder = Folder::new();
    let path = folder.write("session.jsonl", bytes);
    (open(&path), folder)
}

pub(crate) fn run(lines: &[Value]) -> Run {
    run_of(text(lines)).0
}

pub(crate) fn thread<'a>(run: &'a Run, name: &str) -> &'a Thread {
    let found = run.threads.iter().find(|thread| thread.name == name);
    found.unwrap_or_else(|| panic!("no thread {name} in {:?}", run.threads))
}

/// How many calls each reply of the main thread has.
pub(crate) fn shape(run: &Run) -> Vec<usize> {
    let turns = run.threads[0].turns.iter();
    turns
        .map(|turn| run.calls_of(&run.turns[*turn as usize]).len())
        .collect()
}

/// Call `index` of turn `number` (from 1) of the main thread.
pub(crate) fn call_at(run: &Run, number: usize, index: usize) -> &Call {
    let turn = run.threads[0].turns[number - 1];
    &run.calls_of(&run.turns[turn as usize])[index]
}

/// The outcomes of a turn of the main thread.
pub(crate) fn outcomes(run: &Run, number: usize) -> Vec<Outcome> {
    let turn = run.threads[0].turns[number - 1];
    let calls = run.calls_of(&run.turns[turn as usize]).iter();
    calls.map(|call| call.outcome).collect()
}

pub(crate) fn answer_text(run: &Run, call: &Call) -> String {
    Bodies::text(run, call.answer).unwrap()
}

pub(crate) fn args_text(run: &Run, call: &Call) -> String {
    Bodies::text(run, call.args).unwrap()
}

/// Keys that a call reads and writes, as text.
pub(crate) fn keys(run: &Run, call: &Call) -> (Vec<String>, Vec<String>) {
    let texts = |range| {
        let ids = run.keys_in(range).iter();
        ids.map(|id| run.keys.text(*id).to_owned()).collect()
    };
    (texts(call.reads), texts(call.writes))
}

/// Whole milliseconds of a time.
pub(crate) fn ms(at: Option<turnlane::time::Nanos>) -> Option<u64> {
    at.map(|at| at.0 / 1_000_000)
}

/// The model's time before each reply of the main thread, in milliseconds.
pub(crate) fn model_ms(run: &Run) -> Vec<Option<u64>> {
    let turns = run.threads[0].turns.iter();
    let turns = turns.map(|turn| run.turns[*turn as usize].model);
    turns.map(|model| ms(model.map(|m| m.len()))).collect()
}

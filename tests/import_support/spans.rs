//! Spans of OpenTelemetry and what platforms make of them, written one by one.

#![allow(dead_code, clippy::unwrap_used)]

use std::io::{Cursor, Write as _};

use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::at;

/// Nanoseconds of millisecond `ms` of the test's day.
pub(crate) fn ns(ms: i64) -> String {
    (1_767_312_000_000_000_000 + ms * 1_000_000).to_string()
}

pub(crate) fn id(n: u64) -> String {
    format!("{n:016x}")
}

pub(crate) const TRACE: &str = "67fc62714d2bb3beab9b2febdb12b73c";

/// An attribute with a text.
pub(crate) fn attr(key: &str, text: &str) -> Value {
    json!({"key": key, "value": {"stringValue": text}})
}

/// A span: number, its parent's (0 for none), name, start and end, attributes.
pub(crate) fn span(
    number: u64,
    parent: u64,
    name: &str,
    (start, end): (i64, i64),
    attributes: Vec<Value>,
) -> Value {
    json!({"traceId": TRACE, "spanId": id(number), "parentSpanId": id(parent), "name": name,
        "kind": 1, "startTimeUnixNano": ns(start), "endTimeUnixNano": ns(end),
        "attributes": attributes, "status": {}})
}

/// A call in a model's output.
pub(crate) fn part(id: &str, tool: &str, args: &Value) -> Value {
    json!({"type": "tool_call", "id": id, "name": tool, "arguments": args})
}

/// A reply that asks for these calls.
pub(crate) fn chat(number: u64, parent: u64, times: (i64, i64), parts: &[Value]) -> Value {
    let output = json!([{"role": "assistant", "parts": parts}]).to_string();
    let attributes = vec![
        attr("gen_ai.operation.name", "chat"),
        attr("gen_ai.request.model", "some-model"),
        attr("gen_ai.output.messages", &output),
    ];
    span(number, parent, "chat some-model", times, attributes)
}

/// A reply whose output was not captured.
pub(crate) fn silent_chat(number: u64, parent: u64, times: (i64, i64)) -> Value {
    let attributes = vec![attr("gen_ai.operation.name", "chat")];
    span(number, parent, "chat", times, attributes)
}

/// A tool's run for the call of that id.
pub(crate) fn tool(number: u64, parent: u64, times: (i64, i64), tool: &str, id: &str) -> Value {
    let mut attributes = vec![
        attr("gen_ai.operation.name", "execute_tool"),
        attr("gen_ai.tool.name", tool),
        attr("gen_ai.tool.call.arguments", "{\"order_id\":\"o1\"}"),
        attr("gen_ai.tool.call.result", "ok"),
    ];
    if !id.is_empty() {
        attributes.push(attr("gen_ai.tool.call.id", id));
    }
    span(
        number,
        parent,
        &format!("execute_tool {tool}"),
        times,
        attributes,
    )
}

pub(crate) fn agent(number: u64, parent: u64, name: &str, times: (i64, i64)) -> Value {
    let attributes = vec![
        attr("gen_ai.operation.name", "invoke_agent"),
        attr("gen_ai.agent.name", name),
    ];
    span(
        number,
        parent,
        &format!("invoke_agent {name}"),
        times,
        attributes,
    )
}

pub(crate) fn otlp(spans: &[Value]) -> Value {
    json!({"resourceSpans": [{"resource": {"attributes": [attr("service.name", "x")]},
        "scopeSpans": [{"scope": {"name": "y"}, "spans": spans}]}]})
}

/// The span without a field.
pub(crate) fn without(mut span: Value, field: &str) -> Value {
    span.as_object_mut().unwrap().remove(field);
    span
}

/// Spans with a bit of everything that they can hold.
pub(crate) fn everything() -> Vec<Value> {
    let part = |id: &str, tool: &str| part(id, tool, &json!({"order_id": "o1"}));
    let mut failed = tool(5, 1, (1_010, 1_700), "charge_card", "c2");
    failed["status"] = json!({"code": 2, "message": "declined"});
    failed["events"] = json!([{"name": "exception", "attributes": [
        attr("exception.message", "no \u{1f600}")]}]);
    let parts = [
        part("c1", "get_order"),
        part("c2", "charge_card"),
        part("c3", "lost"),
    ];
    let fields = json!({"kvlistValue": {"values": [
        {"key": "order_id", "value": {"stringValue": "o2"}},
        {"key": "n", "value": {"intValue": "7"}},
        {"key": "list", "value": {"arrayValue": {"values": [{"boolValue": true}]}}}]}});
    let mut packed = tool(8, 10, (3_300, 3_400), "get_order", "c5");
    packed["attributes"][2]["value"] = fields;
    let flat = vec![
        attr("openinference.span.kind", "LLM"),
        attr("llm.model_name", "other-model"),
        attr(
            "llm.output_messages.0.message.tool_calls.0.tool_call.id",
            "c6",
        ),
        attr(
            "llm.output_messages.0.message.tool_calls.0.tool_call.function.name",
            "search",
        ),
        attr(
            "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments",
            "{\"q\":",
        ),
    ];
    vec![
        agent(1, 0, "desk", (0, 9_000)),
        chat(2, 1, (10, 1_000), &parts),
        tool(3, 1, (1_001, 1_400), "get_order", "c1"),
        tool(4, 3, (1_100, 1_800), "notify", ""),
        failed,
        chat(6, 1, (2_000, 3_000), &[part("c4", "ask_helper")]),
        tool(7, 1, (3_001, 5_000), "ask_helper", "c4"),
        agent(10, 7, "helper", (3_010, 4_990)),
        silent_chat(11, 10, (3_020, 3_200)),
        packed,
        span(12, 10, "llm", (3_500, 3_900), flat),
        without(tool(13, 10, (3_910, 0), "search", "c6"), "endTimeUnixNano"),
        silent_chat(14, 1, (6_000, 7_000)),
    ]
}

/// An observation of a Langfuse export.
pub(crate) fn observation(
    id: &str,
    parent: &str,
    kind: &str,
    (start, end): (i64, i64),
    more: Value,
) -> Value {
    let base = json!({"id": id, "traceId": "t", "parentObservationId": parent, "type": kind,
        "name": id, "startTime": at(start), "endTime": at(end), "level": "DEFAULT"});
    super::with(base, more)
}

pub(crate) fn langfuse() -> Value {
    let calls = json!([{"role": "assistant", "content": null, "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "get", "arguments": "{\"a\":1}"}},
        {"id": "c2", "type": "function", "function": {"name": "put", "arguments": "{\"a\":2}"}}]}]);
    let named = |tool: &str, id: &str| {
        let attributes = json!({"gen_ai.tool.name": tool, "gen_ai.tool.call.id": id});
        json!({"attributes": attributes})
    };
    let observations = json!([
        observation("root", "", "SPAN", (0, 9_000), json!({})),
        observation(
            "llm",
            "root",
            "GENERATION",
            (0, 1_000),
            json!({"model": "m", "output": calls})
        ),
        observation("node", "root", "SPAN", (1_001, 2_000), json!({})),
        observation(
            "t2",
            "node",
            "SPAN",
            (1_010, 1_900),
            json!({"input": {"a": 2},
            "output": "no", "level": "ERROR", "statusMessage": "bad",
            "metadata": named("put", "c2").to_string()})
        ),
        observation(
            "t1",
            "node",
            "TOOL",
            (1_010, 1_500),
            json!({"input": {"a": 1},
            "output": "yes", "metadata": named("get", "c1")})
        ),
        observation(
            "end",
            "root",
            "GENERATION",
            (2_100, 3_000),
            json!({"output": "done"})
        ),
    ]);
    json!({"trace": {"id": "t", "name": "desk"}, "observations": observations})
}

pub(crate) fn langsmith() -> Value {
    let run = |id: &str, parent: Value, kind: &str, (start, end): (i64, i64), more: Value| {
        let base = json!({"id": id, "trace_id": "r", "parent_run_id": parent, "run_type": kind,
            "name": id, "start_time": at(start), "end_time": at(end), "error": null});
        super::with(base, more)
    };
    let message = json!({"kwargs": {"content": "", "tool_calls": [
        {"name": "get", "args": {"a": 1}, "id": "c1", "type": "tool_call"},
        {"name": "put", "args": {"a": 2}, "id": "c2", "type": "tool_call"}]}});
    let answer = |id: &str| json!({"output": {"content": "yes", "tool_call_id": id}});
    json!([
        run("r", Value::Null, "chain", (0, 5_000), json!({})),
        run(
            "put",
            json!("r"),
            "tool",
            (1_010, 1_900),
            json!({"inputs": {"input": "{\"a\": 2}"},
            "outputs": answer("c2"), "error": "boom"})
        ),
        run(
            "llm",
            json!("r"),
            "llm",
            (0, 1_000),
            json!({
            "extra": {"metadata": {"ls_model_name": "m"}},
            "outputs": {"generations": [[{"text": "", "message": message}]]}})
        ),
        run(
            "get",
            json!("r"),
            "tool",
            (1_010, 1_500),
            json!({"inputs": {"a": 1},
            "outputs": answer("c1")})
        ),
    ])
}

pub(crate) fn chrome() -> Value {
    let args = |id: &str| json!({"id": id, "args": {"a": 1}, "result": "yes"});
    json!({"displayTimeUnit": "ms", "traceEvents": [
        {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "x"}},
        {"ph": "X", "name": "some-model", "cat": "model", "pid": 1, "tid": 0, "ts": 10, "dur": 1_000.5},
        {"ph": "X", "name": "get", "cat": "tool", "pid": 1, "tid": 1, "ts": 1_020, "dur": 400,
            "args": args("c1")},
        {"ph": "B", "name": "put", "cat": "tool", "pid": 1, "tid": 2, "ts": 1_021, "args": args("c2")},
        {"ph": "b", "name": "far", "cat": "tool", "id": 7, "pid": 1, "ts": 1_030},
        {"ph": "E", "pid": 1, "tid": 2, "ts": 1_701.25, "args": {"error": "boom"}},
        {"ph": "e", "cat": "tool", "id": 7, "pid": 1, "ts": 1_990},
        {"ph": "B", "name": "open", "cat": "tool", "pid": 1, "tid": 3, "ts": 2_000},
        {"ph": "X", "name": "paint", "cat": "browser", "pid": 1, "tid": 4, "ts": 0, "dur": 9_000},
    ]})
}

/// An event of an Inspect sample.
pub(crate) fn event(what: &str, ms: i64, more: Value) -> Value {
    super::with(
        json!({"event": what, "timestamp": at(ms), "span_id": "s"}),
        more,
    )
}

pub(crate) fn model_event((start, end): (i64, i64), calls: Value) -> Value {
    let message = json!({"role": "assistant", "content": "", "tool_calls": calls});
    let output = json!({"model": "m", "choices": [{"message": message}], "time": 0.25});
    event(
        "model",
        start,
        json!({"completed": at(end), "model": "m", "input": [], "output": output}),
    )
}

pub(crate) fn tool_event(id: &str, tool: &str, (start, end): (i64, i64), more: Value) -> Value {
    let base = json!({"completed": at(end), "id": id, "function": tool, "type": "function",
        "arguments": {"order_id": "o1"}, "result": "yes", "events": []});
    event("tool", start, super::with(base, more))
}

pub(crate) fn wanted(id: &str, tool: &str) -> Value {
    json!({"id": id, "function": tool, "arguments": {"order_id": "o1"}, "type": "function"})
}

/// A sample in which a tool starts a sub-agent, one fails and one is refused.
pub(crate) fn sample() -> Value {
    let begin = |id: &str, parent: &str, kind: &str, name: &str, ms: i64| {
        json!({"event": "span_begin", "id": id, "span_id": id, "parent_id": parent, "type": kind,
            "name": name, "timestamp": at(ms)})
    };
    let inner = |mut event: Value| {
        event["span_id"] = json!("a");
        event
    };
    let calls = json!([
        wanted("c1", "get"),
        wanted("c2", "put"),
        wanted("c3", "ask")
    ]);
    json!({"id": "s1", "epoch": 1, "input": "x", "messages": [],
    "attachments": {"abc": "a long text"},
    "events": [
        event("sample_init", 0, json!({"sample": {}})),
        begin("s", "", "solver", "generate", 1),
        model_event((10, 1_000), calls),
        tool_event("c1", "get", (1_010, 1_500), json!({"working_time": 0.25,
            "result": "attachment://abc"})),
        tool_event("c2", "put", (1_510, 1_600), json!({
            "error": {"type": "approval", "message": "no"}})),
        begin("t", "s", "tool", "ask", 1_620),
        tool_event("c3", "ask", (1_610, 4_000), json!({"working_time": 2.0})),
        begin("a", "t", "agent", "helper", 1_630),
        inner(model_event((1_640, 2_000), json!([wanted("d1", "get")]))),
        inner(tool_event("d1", "get", (2_010, 2_300), json!({
            "error": {"type": "timeout", "message": "slow"}}))),
        inner(model_event((2_400, 3_000), json!([]))),
        event("span_end", 3_990, json!({"id": "a"})),
        event("brand_new", 4_000, json!({})),
        model_event((4_100, 5_000), json!([wanted("c4", "get")])),
        tool_event("c4", "get", (5_010, 0), json!({"completed": null, "result": null,
            "pending": true})),
    ]})
}

pub(crate) fn inspect(samples: &[Value]) -> Value {
    json!({"version": 2, "status": "success",
        "eval": {"run_id": "r", "task": "desk", "model": "p/m"}, "samples": samples})
}

/// A zip archive of a log with a member for each sample.
pub(crate) fn archive(samples: &[Value], method: CompressionMethod) -> Vec<u8> {
    let log = inspect(&[]).to_string();
    let mut members = vec![("header.json".to_owned(), log)];
    for sample in samples {
        let id = sample["id"].as_str().unwrap_or("x");
        let name = format!("samples/{id}_epoch_{}.json", sample["epoch"]);
        members.push((name, sample.to_string()));
    }
    let each = members.iter();
    let members: Vec<_> = each.map(|(n, text)| (&**n, text.as_bytes())).collect();
    archive_of(&members, method)
}

/// A zip archive of these members.
pub(crate) fn archive_of(members: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(method);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

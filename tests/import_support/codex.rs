//! Rollouts of the Codex CLI, written line by line.

#![allow(dead_code)]

use serde_json::{Value, json};

use super::{at, text};

pub(crate) fn line(ms: i64, kind: &str, payload: Value) -> Value {
    json!({"timestamp": at(ms), "type": kind, "payload": payload})
}

pub(crate) fn item(ms: i64, payload: Value) -> Value {
    line(ms, "response_item", payload)
}

pub(crate) fn event(ms: i64, payload: Value) -> Value {
    line(ms, "event_msg", payload)
}

pub(crate) fn meta(id: &str, version: &str) -> Value {
    let payload = json!({"id": id, "cwd": "/p", "cli_version": version, "source": "cli"});
    line(0, "session_meta", payload)
}

pub(crate) fn ask(ms: i64, words: &str) -> Value {
    let content = json!([{"type": "input_text", "text": words}]);
    item(
        ms,
        json!({"type": "message", "role": "user", "content": content}),
    )
}

pub(crate) fn context(ms: i64) -> Value {
    line(ms, "turn_context", json!({"cwd": "/p", "model": "gpt-x"}))
}

pub(crate) fn say(ms: i64, words: &str) -> Value {
    let content = json!([{"type": "output_text", "text": words}]);
    item(
        ms,
        json!({"type": "message", "role": "assistant", "content": content}),
    )
}

pub(crate) fn call(ms: i64, id: &str, tool: &str, args: Value) -> Value {
    let args = args.to_string();
    item(
        ms,
        json!({"type": "function_call", "name": tool, "arguments": args, "call_id": id}),
    )
}

pub(crate) fn custom(ms: i64, id: &str, tool: &str, input: &str) -> Value {
    item(
        ms,
        json!({"type": "custom_tool_call", "name": tool, "input": input, "call_id": id}),
    )
}

pub(crate) fn output(ms: i64, id: &str, words: &str) -> Value {
    item(
        ms,
        json!({"type": "function_call_output", "call_id": id, "output": words}),
    )
}

pub(crate) fn script_output(ms: i64, id: &str, words: &str) -> Value {
    let output = json!([{"type": "input_text", "text": words}]);
    item(
        ms,
        json!({"type": "custom_tool_call_output", "call_id": id, "output": output}),
    )
}

/// A rollout with a bit of everything.
pub(crate) fn everything() -> String {
    let took = json!({"secs": 0, "nanos": 250_000_000});
    text(&[
        meta("s1", "0.145.0"),
        context(10),
        ask(20, "go"),
        item(500, json!({"type": "reasoning", "encrypted_content": "x"})),
        call(900, "c1", "exec_command", json!({"cmd": "ls"})),
        call(1_000, "c2", "view_image", json!({"path": "a.png"})),
        output(
            1_400,
            "c1",
            "Chunk ID: 1\nWall time: 0.2 seconds\nProcess running with session ID 7\nOutput:\nx",
        ),
        output(1_401, "c2", "ok"),
        event(
            1_402,
            json!({"type": "token_count", "info": {"cost": "\u{1f600}"}}),
        ),
        call(
            2_000,
            "c3",
            "write_stdin",
            json!({"session_id": 7, "chars": ""}),
        ),
        output(
            7_000,
            "c3",
            "Wall time: 5 seconds\nProcess exited with code 0\nOutput:\n",
        ),
        custom(
            8_000,
            "c4",
            "apply_patch",
            "*** Begin Patch\n*** Update File: a.rs\n*** End Patch",
        ),
        script_output(
            8_100,
            "c4",
            "Exit code: 0\nWall time: 0.1 seconds\nOutput:\n",
        ),
        custom(9_000, "c5", "exec", "await tools.mcp__db__get({id: 1})"),
        event(
            9_300,
            json!({"type": "mcp_tool_call_end", "call_id": "exec-1", "duration": took,
                "invocation": {"server": "db", "tool": "get", "arguments": {"id": 1}},
                "result": {"Ok": {"content": []}}}),
        ),
        script_output(
            9_400,
            "c5",
            "Script completed\nWall time 0.3 seconds\nOutput:\n",
        ),
        call(9_500, "c6", "spawn_agent", json!({"message": "look"})),
        event(
            9_510,
            json!({"type": "sub_agent_activity", "event_id": "c6", "agent_thread_id": "s2",
                "kind": "started"}),
        ),
        output(9_520, "c6", "{\"agent_id\":\"s2\"}"),
        item(
            9_600,
            json!({"type": "web_search_call", "status": "completed"}),
        ),
        say(9_700, "done"),
    ])
}

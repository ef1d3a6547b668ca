//! One small file of each foreign format, with a bit of everything that it can hold.

#![allow(dead_code)]

use serde_json::{Value, json};

use super::{at, codex};

/// Millisecond `ms` of the test's day without a zone.
pub(crate) fn local(ms: i64) -> String {
    at(ms).trim_end_matches('Z').to_owned()
}

pub(crate) fn chat_call(id: &str, tool: &str, args: &Value) -> Value {
    json!({"id": id, "type": "function",
        "function": {"name": tool, "arguments": args.to_string()}})
}

fn tau_bench() -> Value {
    json!([{"task_id": 0, "reward": 1.0, "info": {}, "trial": 0, "traj": [
        {"role": "system", "content": "rules"},
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": null, "tool_calls":
            [chat_call("c1", "get_order_details", &json!({"order_id": "#W1"}))]},
        {"role": "tool", "tool_call_id": "c1", "name": "get_order_details", "content": "{}"},
        {"role": "assistant", "content": null, "tool_calls":
            [chat_call("c2", "cancel_pending_order", &json!({"order_id": "#W1"}))]},
        {"role": "tool", "tool_call_id": "c2", "content": "Error: non-pending order"},
        {"role": "assistant", "content": "sorry"},
    ]}])
}

fn tau2() -> Value {
    let call = |id: &str, tool: &str, args: Value| json!({"id": id, "name": tool, "arguments": args, "requestor": "assistant"});
    json!({"timestamp": local(0), "tasks": [],
    "info": {"environment_info": {"domain_name": "airline"}, "agent_info": {"llm": "m"}},
    "simulations": [{"messages": [
        {"role": "assistant", "content": "Hi", "tool_calls": null, "timestamp": local(0)},
        {"role": "user", "content": "cancel", "tool_calls": null, "timestamp": local(1_000)},
        {"role": "assistant", "content": null, "timestamp": local(3_000), "tool_calls": [
            call("c", "get_reservation_details", json!({"reservation_id": "R"})),
            call("c", "get_user_details", json!({"user_id": "u"})),
            call("d", "cancel_reservation", json!({"reservation_id": "R"}))]},
        {"role": "tool", "id": "c", "content": "{}", "requestor": "assistant", "error": false,
            "timestamp": local(3_001)},
        {"role": "tool", "id": "c", "content": "{}", "requestor": "assistant", "error": false,
            "timestamp": local(3_002)},
        {"role": "tool", "id": "d", "content": "Error: no", "requestor": "assistant",
            "error": true, "timestamp": local(3_003)},
        {"role": "user", "content": null, "timestamp": local(5_000), "tool_calls":
            [{"id": "u1", "name": "reboot", "arguments": {}, "requestor": "user"}]},
        {"role": "tool", "id": "u1", "content": "ok", "requestor": "user", "error": false,
            "timestamp": local(5_001)},
        {"role": "assistant", "content": "Done", "tool_calls": null,
            "generation_time_seconds": 0.25, "timestamp": local(9_000)},
    ]}]})
}

/// The id that the Gemini CLI gives a call that it issues at that time.
pub(crate) fn gemini_id(tool: &str, ms: i64) -> String {
    format!("{tool}-{}-c85bc7", 1_767_312_000_000 + ms)
}

fn gemini() -> Value {
    let call = |tool: &str, ms: i64, end: i64, status: &str, args: Value| {
        let response = json!({"output": "x", "error": if status == "error" { "boom" } else { "" }});
        json!({"id": gemini_id(tool, ms), "name": tool, "args": args, "status": status,
            "timestamp": at(end), "result": [{"functionResponse": {"response": response}}]})
    };
    json!({"sessionId": "s", "projectHash": "h", "startTime": at(0), "messages": [
        {"id": "1", "type": "user", "timestamp": at(0), "content": "go"},
        {"id": "2", "type": "gemini", "timestamp": at(4_001), "model": "g", "content": "",
            "thoughts": [{"timestamp": at(3_000)}], "toolCalls": [
                call("write_file", 4_000, 9_000, "success", json!({"file_path": "a"})),
                call("read_file", 4_000, 9_500, "error", json!({"file_path": "a"}))]},
        {"id": "3", "type": "info", "timestamp": at(9_600), "content": "note"},
        {"id": "4", "type": "gemini", "timestamp": at(12_000), "model": "g", "content": "done"},
        {"id": "5", "type": "gemini", "timestamp": at(20_000), "model": "g", "content": "",
            "toolCalls": [call("run_shell_command", 12_000, 20_000, "cancelled", json!({}))]},
    ]})
}

fn openhands() -> String {
    let action = |ms: i64, id: &str, response: &str, tool: &str, action: Value| {
        json!({"id": format!("e-{id}"), "timestamp": local(ms), "source": "agent",
            "kind": "ActionEvent", "tool_name": tool, "tool_call_id": id, "action": action,
            "tool_call": {"id": id, "name": tool, "arguments": action.to_string()},
            "llm_response_id": response})
    };
    let seen = |ms: i64, id: &str, is_error: bool| {
        let content = json!([{"type": "text", "text": "seen"}]);
        json!({"id": format!("o-{id}"), "timestamp": local(ms), "source": "environment",
            "kind": "ObservationEvent", "tool_call_id": id,
            "observation": {"content": content, "is_error": is_error}})
    };
    let lines = [
        json!({"id": "0", "timestamp": local(0), "source": "user", "kind": "MessageEvent"}),
        action(1_000, "a", "r1", "terminal", json!({"command": "ls"})),
        action(
            1_000,
            "b",
            "r1",
            "file_editor",
            json!({"command": "view", "path": "/p/a"}),
        ),
        seen(1_400, "a", true),
        seen(1_500, "b", false),
        json!({"id": "5", "timestamp": local(1_600), "source": "environment", "key": "stats",
            "kind": "ConversationStateUpdateEvent"}),
        action(
            3_000,
            "c",
            "r2",
            "file_editor",
            json!({"command": "create", "path": "/p/b"}),
        ),
        action(3_000, "d", "r2", "terminal", json!({"command": "rm"})),
        json!({"id": "8", "timestamp": local(3_100), "source": "agent", "kind": "AgentErrorEvent",
            "tool_call_id": "c", "error": "bad path"}),
        json!({"id": "9", "timestamp": local(9_000), "source": "user",
            "kind": "UserRejectObservation", "tool_call_id": "d", "rejection_reason": "no"}),
        json!({"id": "10", "timestamp": local(9_900), "source": "agent", "kind": "MessageEvent"}),
    ];
    super::text(&lines)
}

fn older_openhands() -> Value {
    let metadata = json!({"tool_call_id": "t", "function_name": "execute_bash",
        "total_calls_in_response": 1, "model_response": {"id": "m1", "model": "some-model"}});
    json!([
        {"id": 0, "timestamp": local(0), "source": "user", "action": "message", "args": {}},
        {"id": 1, "timestamp": local(900), "source": "agent", "action": "run",
            "args": {"command": "ls"}, "tool_call_metadata": metadata},
        {"id": 2, "timestamp": local(1_400), "source": "agent", "observation": "run", "cause": 1,
            "content": "x", "tool_call_metadata": metadata},
    ])
}

fn swe_agent() -> String {
    let steps = json!([
        {"action": "create a.py", "observation": "[a.py]", "execution_time": 0.25,
            "state": {"working_dir": "/repo"}},
        {"action": "python a.py", "observation": "boom",
            "state": "{\"working_dir\": \"/repo\"}"},
        {"action": "", "observation": "no command", "state": {}},
    ]);
    let history = json!([
        {"role": "system", "content": "x"},
        {"role": "assistant", "action": "create a.py",
            "tool_calls": [chat_call("c1", "create", &json!({"filename": "a.py"}))]},
        {"role": "tool", "tool_call_ids": ["c1"], "content": "[a.py]"},
        {"role": "assistant", "action": "python a.py"},
    ]);
    // The steps stand before the history in the files of the harness.
    format!(
        "{{\n\"environment\": \"main\",\n\"trajectory\": {steps:#},\n\"history\": {history:#},\n\"info\": {{}}\n}}"
    )
}

fn mini_swe_agent() -> Value {
    json!({"trajectory_format": "mini-swe-agent-1.1",
        "info": {"config": {"model": {"model_name": "m"}}}, "messages": [
        {"role": "system", "content": "You can run commands."},
        {"role": "user", "content": "fix it", "extra": {"timestamp": 1_767_312_000.0}},
        {"role": "assistant", "content": "", "extra": {"timestamp": 1_767_312_002.5, "actions": [
            {"command": "ls", "tool_call_id": "a"}, {"command": "pwd", "tool_call_id": "b"}]}},
        {"role": "tool", "tool_call_id": "b", "content": "/p",
            "extra": {"returncode": 0, "timestamp": 1_767_312_004.5}},
        {"role": "tool", "tool_call_id": "a", "content": "no",
            "extra": {"returncode": 2, "timestamp": 1_767_312_004.5}},
        {"role": "assistant", "content": "done", "extra": {"timestamp": 1_767_312_006.5}},
    ]})
}

fn older_mini_swe_agent() -> Value {
    json!([
        {"role": "system", "content": "Answer with exactly ONE bash code block."},
        {"role": "user", "content": "fix it"},
        {"role": "assistant", "content": "I look\n```bash\nls\n```"},
        {"role": "user", "content": "<returncode>1</returncode>\n<output></output>"},
        {"role": "assistant", "content": "no command"},
    ])
}

fn atif() -> Value {
    json!({"schema_version": "ATIF-v1.4", "session_id": "s",
        "agent": {"name": "gemini-cli", "version": "1", "model_name": "m"}, "steps": [
        {"step_id": 1, "source": "user", "timestamp": at(0), "message": "go"},
        {"step_id": 2, "source": "agent", "timestamp": at(3_000), "message": "", "tool_calls": [
            {"tool_call_id": "a", "function_name": "read_file", "arguments": {"file_path": "/a"}},
            {"tool_call_id": "b", "function_name": "write_file", "arguments": {"file_path": "/a"}}],
         "observation": {"results": [
            {"source_call_id": "b", "content": "written"},
            {"source_call_id": "a", "content": "text",
                "subagent_trajectory_ref": [{"session_id": "x"}]}]}},
        {"step_id": 3, "source": "agent", "message": "done"},
    ]})
}

fn chat() -> Value {
    json!([
        {"role": "system", "content": "x"},
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": null, "tool_calls": [
            chat_call("call_0", "get", &json!({"id": 1})),
            {"id": "call_1", "type": "function",
                "function": {"name": "put", "arguments": "{\"id\":\"a"}}]},
        {"role": "tool", "tool_call_id": "call_1", "content": "two"},
        {"role": "tool", "tool_call_id": "call_0", "content": "one"},
        {"role": "assistant", "tool_calls": [chat_call("call_0", "get", &json!({"id": 2}))]},
        {"role": "tool", "tool_call_id": "call_0", "content": "three"},
        {"role": "assistant", "content": "", "function_call": {"name": "old", "arguments": ""}},
        {"role": "assistant", "content": "done", "tool_calls": null},
    ])
}

fn anthropic() -> Value {
    json!({"model": "m", "messages": [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [{"type": "text", "text": "ok"},
            {"type": "tool_use", "id": "t1", "name": "get", "input": {"id": 1}},
            {"type": "tool_use", "id": "t2", "name": "put", "input": {"id": 2}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "one"},
            {"type": "tool_result", "tool_use_id": "t2", "content": "bad", "is_error": true}]},
    ]})
}

fn responses() -> Value {
    json!({"object": "response", "model": "m", "output": [
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "get", "arguments": "{}"},
        {"type": "function_call", "id": "fc_2", "call_id": "c2", "name": "get", "arguments": "{}"},
    ]})
}

/// A log of two requests, the second with the results of the first.
fn log() -> String {
    let asked = json!({"role": "user", "content": "go"});
    let said = json!({"role": "assistant",
        "tool_calls": [chat_call("c1", "get", &json!({"id": 1}))]});
    let result = json!({"role": "tool", "tool_call_id": "c1", "content": "one"});
    let answer = |message: &Value| json!({"model": "m", "choices": [{"message": message}]});
    super::text(&[
        json!({"messages": [asked], "response": answer(&said), "latency_sec": 2.0,
            "timestamp": 1_767_312_010.5}),
        json!({"messages": [asked, said, result], "latency_sec": 1.5,
            "timestamp": 1_767_312_015.5,
            "response": answer(&json!({"role": "assistant", "content": "done"}))}),
    ])
}

fn bfcl() -> String {
    super::text(&[
        json!({"id": "parallel_0", "ground_truth": [
            {"spotify.play": {"artist": ["A"], "duration": [20]}},
            {"spotify.play": {"artist": ["B"], "duration": [15]}}]}),
        json!({"id": "multi_turn_base_0", "ground_truth": [
            ["cd(folder='document')", "mkdir(dir_name='temp')"], ["ls()"]]}),
    ])
}

/// Every format with a name, as its file stands.
pub(crate) fn all() -> Vec<(&'static str, String)> {
    let pretty = |value: Value| serde_json::to_string_pretty(&value).unwrap_or_default();
    vec![
        ("codex", codex::everything()),
        ("tau-bench", pretty(tau_bench())),
        ("tau2-bench", tau2().to_string()),
        ("gemini-cli", pretty(gemini())),
        ("openhands", openhands()),
        ("openhands-older", pretty(older_openhands())),
        ("swe-agent", swe_agent()),
        ("mini-swe-agent", mini_swe_agent().to_string()),
        ("mini-swe-agent-older", pretty(older_mini_swe_agent())),
        ("atif", pretty(atif())),
        ("chat", chat().to_string()),
        ("anthropic", anthropic().to_string()),
        ("responses", responses().to_string()),
        ("log", log()),
        ("bfcl", bfcl()),
    ]
}

/// The file of that name.
pub(crate) fn one(name: &str) -> String {
    let found = all().into_iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| text).unwrap_or_default()
}

//! Messages of chat APIs: three ways to write a call, ids that are used again, arguments that are
//! none.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::fixtures::{chat_call, one};
use import_support::*;
use serde_json::json;
use turnlane::import::{Opened, open_any};
use turnlane::model::{Catalog, Outcome, Timing};
use turnlane::trace::Run;

/// A run whose tools `get` reads and `put` writes a document.
fn declared(text: &str) -> (Run, Folder) {
    let folder = Folder::new();
    let path = folder.write("x.json", text);
    let tools = r#"[{"name": "get", "x-mutates": false, "x-resource-key": ["doc", "$args.id"]},
        {"name": "put", "x-mutates": true, "x-resource-key": ["doc", "$args.id"]}]"#;
    let catalog = Catalog::parse(tools, "test").unwrap();
    match open_any(&path, &catalog).unwrap() {
        Opened::Run(run) => (*run, folder),
        Opened::Scenario(_) => panic!("a run"),
    }
}

#[test]
fn each_assistant_message_is_a_reply_and_an_id_belongs_to_its_reply() {
    let (run, _folder) = declared(&one("chat"));
    assert_eq!(shape(&run), [2, 1, 1, 0]);
    let answers: Vec<_> = run.calls.iter().map(|c| answer_text(&run, c)).collect();
    assert_eq!(answers, ["one", "two", "three", ""]);
    assert_eq!(
        run.skipped.duplicate_ids, 3,
        "two share one id, one has none"
    );
    assert_eq!(run.skipped.open_calls, 1);
    let times = |call: &turnlane::trace::Call| (call.timing, call.run_time());
    assert!(
        run.calls
            .iter()
            .all(|call| times(call) == (Timing::Unknown, None))
    );
    assert_eq!(run.meta.at, "");
}

#[test]
fn arguments_in_a_string_give_keys_and_half_an_argument_gives_none() {
    let twice = json!(json!({"id": "x"}).to_string()).to_string();
    let list = json!([{"role": "assistant", "tool_calls": [
        chat_call("a", "put", &json!({"id": "x"})),
        {"id": "b", "function": {"name": "put", "arguments": twice}},
        {"id": "c", "function": {"name": "put", "arguments": "{\"id\":\"x"}},
        {"id": "d", "function": {"name": "get", "arguments": "{\"id\":\"x"}},
        {"id": "e", "function": {"name": "put", "arguments": {"id": "x"}}},
        {"id": "f", "function": {"name": "put", "arguments": ""}},
        {"id": "g"},
    ]}]);
    let (run, _folder) = declared(&list.to_string());
    let writes = |index| keys(&run, call_at(&run, 1, index)).1;
    for index in [0, 1, 4] {
        assert_eq!(writes(index), ["doc:x"], "{index}");
    }
    for index in [2, 5] {
        assert!(call_at(&run, 1, index).opaque, "{index}");
    }
    assert_eq!(keys(&run, call_at(&run, 1, 3)).0, ["doc:**"]);
    assert_eq!(
        args_text(&run, call_at(&run, 1, 2)),
        "{\"id\":\"x",
        "as it stands"
    );
    assert_eq!(run.skipped.unknown_types["call without a tool"], 1);
}

#[test]
fn results_of_the_messages_api_come_with_the_next_message() {
    let (run, _folder) = declared(&one("anthropic"));
    assert_eq!(shape(&run), [2]);
    assert_eq!(outcomes(&run, 1), [Outcome::Ok, Outcome::Failed]);
    assert_eq!(run.names.get(call_at(&run, 1, 1).error), "bad");
    assert_eq!(keys(&run, call_at(&run, 1, 1)).1, ["doc:2"]);
}

#[test]
fn items_of_a_response_are_one_reply() {
    let (run, _folder) = declared(&one("responses"));
    assert_eq!(shape(&run), [2]);
    assert_eq!(run.names.get(call_at(&run, 1, 0).id), "c1");
    assert_eq!(run.meta.model, "m");
    let items = json!([
        {"role": "user", "content": "go"},
        {"type": "function_call", "call_id": "c1", "name": "get", "arguments": "{}"},
        {"type": "function_call", "call_id": "c2", "name": "get", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c2", "output": "two"},
        {"type": "function_call_output", "call_id": "c1", "output": "one"},
        {"type": "message", "role": "assistant", "content": "done"},
    ]);
    let (run, _folder) = declared(&items.to_string());
    assert_eq!(shape(&run), [2, 0]);
    assert_eq!(answer_text(&run, call_at(&run, 1, 0)), "one");
}

#[test]
fn a_log_has_the_models_exact_time_and_bounds_its_calls_by_the_next_request() {
    let (run, _folder) = declared(&one("log"));
    assert_eq!(shape(&run), [1, 0]);
    assert_eq!(model_ms(&run), [Some(2_000), Some(1_500)]);
    let call = call_at(&run, 1, 0);
    assert_eq!(
        (call.timing, ms(call.run_time())),
        (Timing::Bound, Some(3_500))
    );
    assert_eq!(answer_text(&run, call), "one");
    assert_eq!(
        run.skipped.copies, 1,
        "the history of a request is no reply again"
    );
    let only = one("log").lines().nth(1).unwrap().to_owned();
    let (second, _folder) = declared(&only);
    assert_eq!(shape(&second), [0]);
    assert_eq!((second.skipped.copies, second.skipped.orphans), (2, 0));
}

#[test]
fn thousands_of_calls_in_one_reply_stay_quick() {
    let n = 5_000;
    let calls: Vec<_> = (0..n)
        .map(|i| chat_call("same", "get", &json!({"id": i})))
        .collect();
    let result = json!({"role": "tool", "tool_call_id": "same", "content": "x"});
    let mut list = vec![json!({"role": "assistant", "tool_calls": calls})];
    list.extend(std::iter::repeat_n(result, n));
    let (run, _folder) = declared(&json!(list).to_string());
    assert_eq!(shape(&run), [n]);
    assert_eq!(run.skipped.open_calls, 0);
}

#[test]
fn depth_and_half_an_emoji_cost_nothing() {
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let list = format!(
        r#"[{{"role":"assistant","tool_calls":[{{"id":"a","function":{{"name":"put","arguments":{deep}}}}},{{"id":"b","function":{{"name":"get","arguments":"{{\"id\":\"x\"}}"}}}}]}},{{"role":"tool","tool_call_id":"a","content":"cut \ud83d"}}]"#
    );
    let (run, _folder) = declared(&list);
    assert_eq!(shape(&run), [2]);
    assert!(call_at(&run, 1, 0).opaque);
    assert_eq!(keys(&run, call_at(&run, 1, 1)).0, ["doc:x"]);
    assert_eq!(answer_text(&run, call_at(&run, 1, 0)), "cut \u{fffd}");
}

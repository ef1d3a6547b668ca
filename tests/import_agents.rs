//! Sub-agents: their own files, old places, lines inside the session, and how they are linked.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::*;
use serde_json::{Value, json};

fn task(id: &str) -> Value {
    call(
        id,
        "Task",
        json!({"prompt": "look", "subagent_type": "Explore"}),
    )
}

/// The lines of an agent, each marked as its.
fn agent_lines(agent: &str, lines: Vec<Value>) -> String {
    let mark = json!({"isSidechain": true, "agentId": agent, "sessionId": "S"});
    let lines: Vec<_> = lines
        .into_iter()
        .map(|line| with(line, mark.clone()))
        .collect();
    text(&lines)
}

fn one_read(agent: &str) -> String {
    let id = format!("{agent}-t");
    let lines = vec![
        prompt(100, "look"),
        reply(200, &format!("{agent}-m"), json!([read(&id, "a")])),
        result(300, &id, "A"),
    ];
    agent_lines(agent, lines)
}

fn session(blocks: Value, more: &[Value]) -> String {
    let mut lines = vec![
        with(prompt(0, "go"), json!({"sessionId": "S"})),
        reply(50, "m1", blocks),
    ];
    lines.extend_from_slice(more);
    text(&lines)
}

fn names_agent(result: Value, agent: &str) -> Value {
    with(
        result,
        json!({"toolUseResult": {"agentId": agent, "totalDurationMs": 400}}),
    )
}

#[test]
fn a_sub_agent_is_linked_by_the_result_that_names_it() {
    let folder = Folder::new();
    folder.write("S/subagents/agent-x.jsonl", one_read("x"));
    let lines = session(
        json!([read("t0", "b"), task("t1")]),
        &[names_agent(result(900, "t1", "ok"), "x")],
    );
    let run = open(&folder.write("S.jsonl", lines));
    assert_eq!(shape(&run), [2]);
    let parent = thread(&run, "x").parent.unwrap();
    assert_eq!((parent.thread.0, parent.turn, parent.call), (0, 1, 1));
    assert_eq!(run.skipped.unlinked, 0);
    let child = run
        .calls
        .iter()
        .find(|call| run.names.get(call.id) == "x-t")
        .unwrap();
    assert_eq!(
        answer_text(&run, child),
        "A",
        "its bodies lie in its own file"
    );
}

#[test]
fn a_sub_agent_is_linked_by_the_call_id_beside_its_file_and_so_is_one_inside_it() {
    let folder = Folder::new();
    folder.write("S.jsonl", session(json!([task("t1")]), &[]));
    let outer = agent_lines("x", vec![reply(200, "xm", json!([task("x1")]))]);
    folder.write("S/subagents/agent-x.jsonl", outer);
    folder.write(
        "S/subagents/agent-x.meta.json",
        r#"{"agentType":"a","toolUseId":"t1"}"#,
    );
    folder.write("S/subagents/agent-x/subagents/agent-y.jsonl", one_read("y"));
    folder.write(
        "S/subagents/agent-x/subagents/agent-y.meta.json",
        r#"{"toolUseId":"x1"}"#,
    );
    let path = folder.write("S.jsonl", session(json!([task("t1")]), &[]));
    let run = open(&path);
    let x = run
        .threads
        .iter()
        .position(|thread| thread.name == "x")
        .unwrap();
    assert_eq!(thread(&run, "x").parent.unwrap().thread.0, 0);
    assert_eq!(thread(&run, "y").parent.unwrap().thread.0 as usize, x);
    assert_eq!(run.skipped.unlinked, 0);
}

#[test]
fn a_running_sub_agent_is_linked_by_its_progress_and_the_copies_in_it_do_not_count() {
    let folder = Folder::new();
    folder.write("S/subagents/agent-x.jsonl", one_read("x"));
    let inner = reply(200, "x-m", json!([read("x-t", "a")]));
    let progress = json!({"type": "progress", "timestamp": at(200), "parentToolUseID": "t1",
        "toolUseID": "agent_msg_1",
        "data": {"type": "agent_progress", "agentId": "x", "message": inner}});
    let run = open(&folder.write("S.jsonl", session(json!([task("t1")]), &[progress])));
    assert_eq!(shape(&run), [1]);
    assert_eq!(run.calls.len(), 2);
    assert_eq!(thread(&run, "x").parent.unwrap().call, 0);
}

#[test]
fn an_agent_that_nothing_names_is_shown_and_counted_as_unlinked() {
    let folder = Folder::new();
    folder.write("S/subagents/agent-x.jsonl", one_read("x"));
    folder.write("S/subagents/agent-acompact-1.jsonl", one_read("acompact-1"));
    let run = open(&folder.write("S.jsonl", session(json!([task("t1")]), &[])));
    let names: Vec<_> = run
        .threads
        .iter()
        .map(|thread| thread.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["main", "x"],
        "the helper that shortens the history is none"
    );
    assert_eq!(thread(&run, "x").parent, None);
    assert_eq!(run.skipped.unlinked, 1);
}

#[test]
fn an_id_that_two_calls_have_links_nothing() {
    let folder = Folder::new();
    folder.write("S/subagents/agent-x.jsonl", one_read("x"));
    folder.write("S/subagents/agent-x.meta.json", r#"{"toolUseId":"t1"}"#);
    let twice = reply(80, "m2", json!([task("t1")]));
    let run = open(&folder.write("S.jsonl", session(json!([task("t1")]), &[twice])));
    assert_eq!(run.skipped.unlinked, 1);
}

#[test]
fn agents_beside_the_session_are_its_own_only_where_they_say_so() {
    let folder = Folder::new();
    folder.write("agent-x.jsonl", one_read("x"));
    folder.write(
        "agent-other.jsonl",
        one_read("other").replace("\"S\"", "\"T\""),
    );
    let run = open(&folder.write(
        "renamed.jsonl",
        session(
            json!([task("t1")]),
            &[names_agent(result(900, "t1", "ok"), "x")],
        ),
    ));
    let names: Vec<_> = run
        .threads
        .iter()
        .map(|thread| thread.name.as_str())
        .collect();
    assert_eq!(names, ["main", "x"]);
    assert_eq!(run.skipped.unlinked, 0);
}

#[test]
fn lines_of_a_sub_agent_inside_the_session_are_a_thread_of_their_own() {
    let side = |line, uuid: &str, parent: Value| {
        with(
            line,
            json!({"isSidechain": true, "uuid": uuid, "parentUuid": parent}),
        )
    };
    let run = run(&[
        side(prompt(0, "warm up"), "w1", json!(null)),
        with(prompt(0, "go"), json!({"uuid": "a"})),
        with(
            reply(50, "m1", json!([task("t1"), task("t2")])),
            json!({"uuid": "b"}),
        ),
        side(prompt(60, "look"), "c1", json!(null)),
        side(prompt(61, "look"), "d1", json!(null)),
        side(
            reply(70, "m2", json!([read("c-t", "a")])),
            "c2",
            json!("c1"),
        ),
        side(
            reply(71, "m3", json!([read("d-t", "a")])),
            "d2",
            json!("d1"),
        ),
        side(result(80, "c-t", "C"), "c3", json!("c2")),
        side(json!({"type": "progress", "data": {}}), "c4", json!("c3")),
        side(reply(90, "m4", json!([])), "c5", json!("c4")),
    ]);
    assert_eq!(shape(&run), [2]);
    let turns: Vec<_> = run
        .threads
        .iter()
        .map(|thread| thread.turns.len())
        .collect();
    assert_eq!(turns, [1, 2, 1], "one that got no reply is none");
    assert_eq!(run.skipped.unlinked, 2);
    let asked = run.turns[1].model.unwrap().start;
    assert_eq!(asked.0, 60_000_000, "asked in its own thread");
}

#[test]
fn a_sub_agents_file_opened_directly_is_its_own_main() {
    let folder = Folder::new();
    let outer = agent_lines(
        "x",
        vec![
            prompt(100, "look"),
            reply(200, "xm", json!([task("x1")])),
            names_agent(result(900, "x1", "ok"), "y"),
        ],
    );
    let path = folder.write("S/subagents/agent-x.jsonl", outer);
    folder.write("S/subagents/agent-y.jsonl", one_read("y"));
    folder.write("S/subagents/agent-z.jsonl", one_read("z"));
    let run = open(&path);
    let names: Vec<_> = run
        .threads
        .iter()
        .map(|thread| thread.name.as_str())
        .collect();
    assert_eq!(names, ["main", "y"], "a sibling is not its own");
    assert_eq!(shape(&run), [1]);
    assert_eq!(thread(&run, "y").parent.unwrap().thread.0, 0);
}

#[test]
fn a_forked_agents_file_does_not_count_the_history_it_begins_with() {
    let id = |line, uuid: &str| with(line, json!({"uuid": uuid, "requestId": "r1"}));
    let call = id(reply(50, "m1", json!([read("t0", "b"), task("t1")])), "a");
    let answer = id(result(60, "t0", "B"), "b");
    let folder = Folder::new();
    folder.write("S/subagents/agent-x.meta.json", r#"{"toolUseId":"t1"}"#);
    let path = folder.write("S.jsonl", text(&[call.clone(), answer.clone()]));
    // With the same line ids, and with new ones.
    for (first, second) in [("a", "b"), ("a2", "b2")] {
        let history = agent_lines(
            "x",
            vec![id(call.clone(), first), id(answer.clone(), second)],
        );
        folder.write("S/subagents/agent-x.jsonl", history + &one_read("x"));
        let run = open(&path);
        assert_eq!(run.calls.len(), 3, "line ids {first}, {second}");
        assert_eq!(thread(&run, "x").turns.len(), 1);
        assert_eq!(run.skipped.copies, 2);
        assert_eq!((run.skipped.orphans, run.skipped.unlinked), (0, 0));
    }
}

#[test]
fn agents_that_start_each_other_are_not_linked_in_a_circle() {
    let folder = Folder::new();
    for (agent, other) in [("x", "y"), ("y", "x")] {
        let id = format!("{agent}1");
        let lines = vec![
            reply(200, &format!("{agent}m"), json!([task(&id)])),
            names_agent(result(900, &id, "ok"), other),
        ];
        folder.write(
            &format!("S/subagents/agent-{agent}.jsonl"),
            agent_lines(agent, lines),
        );
    }
    let run = open(&folder.write("S.jsonl", session(json!([]), &[])));
    assert_eq!(run.threads.len(), 3);
    assert_eq!(run.skipped.unlinked, 1);
}

#[test]
fn threads_never_share_a_name() {
    let line = |agent: &str, id: &str| {
        with(
            reply(10, id, json!([])),
            json!({"isSidechain": true, "agentId": agent}),
        )
    };
    let long = "l".repeat(900);
    let run = run(&[
        prompt(0, "go"),
        line("main", "a"),
        line("main-2", "b"),
        line(&format!("{long}1"), "c"),
        line(&format!("{long}2"), "d"),
    ]);
    let mut names: Vec<_> = run
        .threads
        .iter()
        .map(|thread| thread.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 5);
    assert_eq!(run.threads[0].name, "main");
}

#[test]
fn a_session_id_from_the_file_leads_nowhere_else() {
    let folder = Folder::new();
    folder.write("up/subagents/agent-x.jsonl", one_read("x"));
    let lines = session(json!([task("t1")]), &[]).replace("\"S\"", "\"../up\"");
    let run = open(&folder.write("in/s.jsonl", lines));
    assert_eq!(run.threads.len(), 1);
}

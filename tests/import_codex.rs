//! Rollouts of the Codex CLI: what a reply is in each generation, and what its times mean.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::codex::*;
use import_support::{Folder, answer_text, args_text, call_at, open, outcomes, run, run_of, shape};
use import_support::{keys, ms, text, thread};
use serde_json::{Value, json};
use turnlane::model::{Outcome, Source, Timing};

const NEW: &str = "0.120.0";

#[test]
fn a_reply_is_what_the_model_writes_up_to_what_somebody_else_does() {
    let run = run(&[
        meta("s", NEW),
        context(10),
        ask(20, "go"),
        event(21, json!({"type": "user_message", "message": "go"})),
        item(900, json!({"type": "reasoning"})),
        say(1_000, "I look"),
        event(1_000, json!({"type": "agent_message", "message": "I look"})),
        call(1_500, "a", "exec_command", json!({"cmd": "ls"})),
        call(1_900, "b", "exec_command", json!({"cmd": "ls"})),
        output(2_500, "a", "one"),
        output(2_501, "b", "two"),
        context(2_510),
        say(4_000, "done"),
        ask(9_000, "more"),
        say(9_500, "sure"),
    ]);
    assert_eq!(shape(&run), [2, 0, 0]);
    let model: Vec<_> = run.turns.iter().map(|turn| turn.model.unwrap()).collect();
    let model: Vec<_> = model.iter().map(|span| span.len().0 / 1_000_000).collect();
    assert_eq!(model, [1_879, 1_490, 500]);
    assert_eq!(run.meta.model, "gpt-x");
    assert_eq!(
        (run.meta.id.as_str(), run.meta.folder.as_str()),
        ("s", "/p")
    );
    assert_eq!(run.meta.task, "go");
    assert!(run.skipped.unknown_types.is_empty());
}

#[test]
fn the_line_of_an_answer_is_an_upper_bound_and_the_tools_own_figure_is_measured() {
    let (run, _folder) = run_of(text(&[
        meta("s", NEW),
        ask(0, "go"),
        call(1_000, "a", "exec_command", json!({"cmd": "ls"})),
        call(1_100, "b", "exec_command", json!({"cmd": "ls"})),
        output(
            3_000,
            "a",
            "Wall time: 0.5 seconds\nProcess exited with code 0\nOutput:\nx",
        ),
        output(3_000, "b", "no header"),
    ]));
    let a = call_at(&run, 1, 0);
    assert_eq!((a.timing, ms(a.run_time())), (Timing::Measured, Some(500)));
    let b = call_at(&run, 1, 1);
    assert_eq!((b.timing, ms(b.run_time())), (Timing::Bound, Some(1_900)));
    assert_eq!(answer_text(&run, b), "no header");
    assert!(args_text(&run, b).contains("\"cmd\""));
}

#[test]
fn in_old_rollouts_only_the_tools_own_figure_says_how_long_a_call_took() {
    let old = |seconds: &str| {
        format!(r#"{{"output":"x","metadata":{{"exit_code":0,"duration_seconds":{seconds}}}}}"#)
    };
    let run = run(&[
        meta("s", "0.58.0"),
        ask(0, "go"),
        call(5_000, "a", "shell", json!({"command": ["ls"]})),
        output(5_000, "a", &old("2.5")),
        call(9_000, "b", "shell", json!({"command": ["ls"]})),
        output(9_001, "b", &old("0.0")),
        call(12_000, "c", "update_plan", json!({})),
        output(12_000, "c", "Plan updated"),
    ]);
    assert_eq!(shape(&run), [1, 1, 1]);
    let a = call_at(&run, 1, 0);
    assert_eq!(
        (a.timing, ms(a.run_time())),
        (Timing::Measured, Some(2_500))
    );
    // The call was written after it had run: its time is no part of the model's.
    assert_eq!(ms(run.turns[0].model.map(|m| m.len())), Some(2_500));
    let b = call_at(&run, 2, 0);
    assert_eq!((b.timing, ms(b.run_time())), (Timing::Bound, Some(50)));
    let c = call_at(&run, 3, 0);
    assert_eq!((c.timing, c.run_time()), (Timing::Unknown, None));
    assert_eq!(run.turns[2].model_timing, Timing::Bound);
}

#[test]
fn the_newest_rollouts_say_where_a_reply_ends_and_when_a_call_ran() {
    let took = json!({"secs": 0, "nanos": 100_000_000});
    let base = 1_767_312_000_000_i64;
    let command = json!({"type": "CommandExecution", "id": "a", "command": ["ls"],
        "status": "completed", "exit_code": 0, "duration": took});
    let run = run(&[
        meta("s", "0.150.0"),
        ask(0, "go"),
        say(500, "first"),
        line(510, "token_usage_record", json!({"response_id": "r0"})),
        call(1_000, "a", "exec_command", json!({"cmd": "ls"})),
        event(
            1_600,
            json!({"type": "item_completed", "item": command,
                "started_at_ms": base + 1_010, "completed_at_ms": base + 1_110}),
        ),
        output(1_700, "a", "x"),
        // The reply was still being written when its first call had answered.
        call(1_800, "b", "exec_command", json!({"cmd": "ls"})),
        line(1_900, "token_usage_record", json!({"response_id": "r1"})),
        output(2_400, "b", "y"),
        say(3_000, "done"),
    ]);
    assert_eq!(shape(&run), [0, 2, 0]);
    let a = call_at(&run, 2, 0);
    assert_eq!((ms(a.start), ms(a.end)), (Some(1_010), Some(1_110)));
    assert_eq!((a.timing, ms(a.own)), (Timing::Measured, Some(100)));
    assert_eq!(call_at(&run, 2, 1).timing, Timing::Bound);
    assert_eq!(ms(run.turns[2].model.map(|m| m.len())), Some(600));
}

#[test]
fn failed_denied_and_cancelled_calls_are_kept_apart() {
    let answers = [
        (
            "Exit code: 1\nWall time: 0 seconds\nOutput:\n",
            Outcome::Failed,
        ),
        ("exec command rejected by user", Outcome::Denied),
        ("aborted by user after 3.2s", Outcome::Cancelled),
        ("unsupported call: frobnicate", Outcome::UnknownTool),
        ("failed to parse function arguments: EOF", Outcome::BadArgs),
        ("fine", Outcome::Ok),
    ];
    let ids: Vec<String> = (0..answers.len()).map(|i| format!("c{i}")).collect();
    let calls = ids.iter().map(|id| call(100, id, "shell", json!({})));
    let mut lines: Vec<Value> = vec![meta("s", NEW), ask(0, "go")];
    lines.extend(calls);
    lines.extend(
        ids.iter()
            .zip(&answers)
            .map(|(id, (words, _))| output(900, id, words)),
    );
    let run = run(&lines);
    let expected: Vec<_> = answers.iter().map(|(_, outcome)| *outcome).collect();
    assert_eq!(outcomes(&run, 1), expected);
    assert_eq!(run.names.get(call_at(&run, 1, 1).error), answers[1].0);
    assert!(call_at(&run, 1, 1).never_ran());
}

#[test]
fn a_patch_writes_the_files_that_its_headers_name() {
    let patch =
        "*** Begin Patch\n*** Update File: src/a.rs\n*** Move to: /q/b.rs\n@@\n*** End Patch";
    let run = run(&[
        meta("s", NEW),
        custom(100, "a", "apply_patch", patch),
        call(101, "b", "apply_patch", json!({"input": patch})),
        call(
            102,
            "c",
            "shell",
            json!({"command": ["apply_patch", patch]}),
        ),
        custom(103, "d", "apply_patch", "*** Begin Patch"),
        call(104, "e", "shell", json!({"command": ["bash", "-lc", "ls"]})),
    ]);
    let files = vec!["file:/p/src/a.rs".to_owned(), "file:/q/b.rs".to_owned()];
    for index in 0..3 {
        let found = call_at(&run, 1, index);
        assert_eq!(keys(&run, found), (vec![], files.clone()), "{index}");
        assert_eq!(found.source, Source::Harness);
    }
    for index in 3..5 {
        assert!(call_at(&run, 1, index).opaque, "{index}");
    }
}

#[test]
fn half_an_argument_gives_no_key() {
    let cut = item(
        100,
        json!({"type": "function_call", "name": "view_image", "call_id": "a",
            "arguments": "{\"path\":\"a"}),
    );
    let run = run(&[meta("s", NEW), cut]);
    let found = call_at(&run, 1, 0);
    assert_eq!(
        keys(&run, found).0,
        ["file:**"],
        "a read of which file is not known"
    );
    assert!(!found.opaque);
}

#[test]
fn a_command_that_outlives_its_call_ends_when_a_poll_says_so() {
    let running = "Wall time: 10 seconds\nProcess running with session ID 4\nOutput:\n";
    let ended = "Wall time: 5 seconds\nProcess exited with code 0\nOutput:\n";
    let poll = json!({"session_id": 4, "chars": ""});
    let run = run(&[
        meta("s", NEW),
        ask(0, "go"),
        call(100, "a", "exec_command", json!({"cmd": "build"})),
        output(10_100, "a", running),
        call(11_000, "b", "write_stdin", poll.clone()),
        output(16_000, "b", running),
        call(17_000, "c", "write_stdin", poll),
        output(19_000, "c", ended),
        call(
            20_000,
            "d",
            "write_stdin",
            json!({"session_id": 4, "chars": "y\n"}),
        ),
    ]);
    let a = call_at(&run, 1, 0);
    assert_eq!(
        ms(a.run_time()),
        Some(10_000),
        "the turn waited for so long"
    );
    assert_eq!(ms(a.detached), Some(19_000));
    assert_eq!(keys(&run, call_at(&run, 2, 0)).0, ["process:4"]);
    assert!(!call_at(&run, 2, 0).opaque);
    assert!(call_at(&run, 4, 0).opaque, "typing can do anything");
}

#[test]
fn what_a_script_calls_stands_below_its_call() {
    let took = |nanos: u64| json!({"secs": 1, "nanos": nanos});
    let inner = |ms: i64, id: &str, nanos: u64| {
        event(
            ms,
            json!({"type": "mcp_tool_call_end", "call_id": id, "duration": took(nanos),
                "invocation": {"server": "db", "tool": "get", "arguments": {"id": id}},
                "result": {"Ok": {"content": [], "isError": id == "exec-2"}}}),
        )
    };
    let (run, _folder) = run_of(text(&[
        meta("s", NEW),
        ask(0, "go"),
        custom(
            1_000,
            "c",
            "exec",
            "await Promise.all([tools.mcp__db__get(…)])",
        ),
        inner(3_000, "exec-1", 0),
        inner(3_100, "exec-2", 0),
        inner(4_500, "exec-3", 0),
        script_output(
            4_600,
            "c",
            "Script completed\nWall time 3.5 seconds\nOutput:\n",
        ),
    ]));
    assert_eq!(shape(&run), [1], "the script is one call");
    let script = call_at(&run, 1, 0);
    assert_eq!((script.opaque, ms(script.own)), (true, Some(3_500)));
    let below = thread(&run, "c calls");
    assert_eq!(below.parent.unwrap().call, 0);
    let inside = run.calls_of(&run.turns[below.turns[0] as usize]);
    let tools: Vec<_> = inside.iter().map(|call| run.tool(call)).collect();
    assert_eq!(tools, ["mcp__db__get"; 3]);
    let outcomes: Vec<_> = inside.iter().map(|call| call.outcome).collect();
    assert_eq!(outcomes, [Outcome::Ok, Outcome::Failed, Outcome::Ok]);
    let starts: Vec<_> = inside.iter().map(|call| ms(call.start)).collect();
    assert_eq!(starts, [Some(2_000), Some(2_100), Some(3_500)]);
    let after: Vec<_> = inside
        .iter()
        .map(|call| run.indices_in(call.depends_on))
        .collect();
    assert_eq!(after, [&[][..], &[], &[1]]);
    assert_eq!(args_text(&run, &inside[0]), r#"{"id":"exec-1"}"#);
}

#[test]
fn record_types_that_are_new_are_counted_by_name() {
    let run = run(&[
        meta("s", NEW),
        item(1, json!({"type": "brand_new_call", "call_id": "c1"})),
        item(2, json!({"type": "brand_new_call", "call_id": "c2"})),
        event(3, json!({"type": "brand_new_event"})),
        line(4, "brand_new_line", json!({})),
        say(5, "hi"),
    ]);
    let found: Vec<_> = run.skipped.unknown_types.iter().collect();
    let found: Vec<_> = found.iter().map(|(name, n)| (name.as_str(), **n)).collect();
    let expected = [
        ("brand_new_line", 1),
        ("event_msg brand_new_event", 1),
        ("response_item brand_new_call", 2),
    ];
    assert_eq!(found, expected);
    assert_eq!(shape(&run), [0]);
}

#[test]
fn a_search_inside_the_reply_has_no_time_and_no_answer() {
    let search =
        json!({"type": "web_search_call", "status": "completed", "action": {"query": "x"}});
    let run = run(&[
        meta("s", NEW),
        ask(0, "go"),
        item(900, search),
        say(1_000, "hi"),
    ]);
    assert_eq!(shape(&run), [1]);
    let call = call_at(&run, 1, 0);
    assert_eq!((call.outcome, call.timing), (Outcome::Ok, Timing::Unknown));
    assert_eq!((call.end, run.skipped.open_calls), (None, 0));
}

#[test]
fn a_call_without_an_answer_is_open_and_one_answered_twice_is_answered_once() {
    let run = run(&[
        meta("s", NEW),
        call(1, "a", "shell", json!({})),
        call(2, "b", "shell", json!({})),
        output(300, "a", "x"),
        output(400, "a", "again"),
        output(500, "nobody", "?"),
    ]);
    assert_eq!(outcomes(&run, 1), [Outcome::Ok, Outcome::Unfinished]);
    assert_eq!((run.skipped.open_calls, run.skipped.copies), (1, 1));
    assert_eq!(run.skipped.orphans, 1);
    assert_eq!(call_at(&run, 1, 1).run_time(), None);
}

#[test]
fn an_old_rollout_is_packed_and_opens_the_same() {
    let lines = everything();
    let folder = Folder::new();
    let plain = open(&folder.write("rollout-a.jsonl", &lines));
    let packed = zstd::encode_all(lines.as_bytes(), 3).unwrap();
    let packed = open(&folder.write("anything", packed));
    assert_eq!(plain.calls, packed.calls);
    assert_eq!(answer_text(&packed, call_at(&packed, 1, 1)), "ok");
    assert_eq!(shape(&plain), [2, 1, 1, 1, 1, 1]);
}

fn agent_meta(id: &str, parent: &str) -> Value {
    let source = json!({"subagent": {"thread_spawn": {"parent_thread_id": parent, "depth": 1}}});
    let payload = json!({"id": id, "cwd": "/p", "cli_version": NEW, "source": source});
    line(0, "session_meta", payload)
}

#[test]
fn a_sub_agents_rollout_is_linked_by_the_call_that_started_it() {
    let folder = Folder::new();
    let spawn = |id: &str, agent: &str| {
        let started = json!({"type": "sub_agent_activity", "event_id": id,
            "agent_thread_id": agent, "kind": "started"});
        vec![
            call(100, id, "spawn_agent", json!({"message": "go"})),
            event(110, started),
            output(120, id, "started"),
        ]
    };
    let lines = [vec![meta("s1", NEW), ask(0, "go")], spawn("c1", "s2")].concat();
    let main = folder.write("2026/01/02/rollout-1-s1.jsonl", text(&lines));
    let child = [
        vec![agent_meta("s2", "s1"), say(130, "hi")],
        spawn("c2", "s3"),
    ]
    .concat();
    folder.write("2026/01/02/rollout-2-s2.jsonl", text(&child));
    let packed = zstd::encode_all(text(&child).as_bytes(), 1).unwrap();
    folder.write("2026/01/02/rollout-2-s2.jsonl.zst", packed);
    let grandchild = text(&[agent_meta("s3", "s2"), say(200, "deep")]);
    folder.write("2026/01/03/rollout-3-s3.jsonl", grandchild);
    let silent = text(&[agent_meta("s4", "s1"), say(300, "by id only")]);
    folder.write("2026/01/02/rollout-4-s4.jsonl", silent);
    let other = text(&[agent_meta("s9", "s8"), say(300, "not ours")]);
    folder.write("2026/01/02/rollout-9-s9.jsonl", other);

    let run = open(&main);
    let names: Vec<_> = run.threads.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["main", "s2", "s4", "s3"]);
    let parent = |name: &str| thread(&run, name).parent.map(|p| run.thread_name(p.thread));
    assert_eq!(parent("s2"), Some("main"));
    assert_eq!(parent("s3"), Some("s2"));
    assert_eq!(parent("s4"), None);
    assert_eq!(run.skipped.unlinked, 1);
}

#[test]
fn a_fork_does_not_repeat_what_its_parent_did() {
    let folder = Folder::new();
    let lines = vec![
        meta("s1", NEW),
        ask(0, "go"),
        call(50, "c0", "shell", json!({})),
        output(60, "c0", "x"),
        call(100, "c1", "spawn_agent", json!({})),
        output(120, "c1", "{\"agent_id\":\"s2\"}"),
    ];
    let main = folder.write("rollout-1.jsonl", text(&lines));
    let fork = [vec![agent_meta("s2", "s1")], lines, vec![say(500, "mine")]].concat();
    folder.write("rollout-2.jsonl", text(&fork));
    let run = open(&main);
    assert_eq!(thread(&run, "s2").turns.len(), 1);
    assert_eq!(run.calls.len(), 2);
    assert_eq!(run.skipped.copies, 6);
}

#[test]
fn a_torn_tail_waits_and_a_torn_line_costs_itself() {
    let whole = text(&[meta("s", NEW), call(1, "a", "shell", json!({}))]);
    let torn = format!(
        "{whole}{{\"timestamp\":\"x\n\n{}{{\"time",
        output(300, "a", "x").to_string() + "\n"
    );
    let (run, _folder) = run_of(torn);
    assert_eq!(outcomes(&run, 1), [Outcome::Ok]);
    assert_eq!((run.skipped.bad_lines, run.skipped.torn_tail), (1, true));
    assert_eq!(run.skipped.bad[0].0, 3);
}

#[test]
fn half_an_emoji_depth_and_numbers_that_are_none_cost_nothing() {
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let lines = format!(
        "{}\n{{\"timestamp\":\"2026-01-02T00:00:01Z\",\"type\":\"response_item\",\"payload\":{{\"type\":\"function_call\",\"name\":\"shell\",\"call_id\":\"a\",\"arguments\":{deep}}}}}\n\
         {{\"timestamp\":\"2026-01-02T00:00:02Z\",\"type\":\"response_item\",\"payload\":{{\"type\":\"function_call_output\",\"call_id\":\"a\",\"score\":NaN,\"output\":\"cut \\ud83d\"}}}}\n",
        meta("s", NEW)
    );
    let (run, _folder) = run_of(lines);
    assert_eq!(outcomes(&run, 1), [Outcome::Ok]);
    assert_eq!(answer_text(&run, call_at(&run, 1, 0)), "cut \u{fffd}");
    assert_eq!(args_text(&run, call_at(&run, 1, 0)).len(), 10_000);
    assert_eq!(run.skipped.unknown_fields["NaN or Infinity"], 1);
}

//! Finding the replies, the calls and their results in sessions as they really are: spread over
//! lines, repeated, torn, with ids that say nothing.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::*;
use serde_json::json;
use turnlane::model::{Outcome, Source};
use turnlane::trace::Run;

/// One reply with two calls over three lines.
fn spread() -> Vec<serde_json::Value> {
    vec![
        prompt(0, "go"),
        with(
            reply(1_000, "m1", json!([{"type": "text", "text": "ok"}])),
            json!({"uuid": "u1", "requestId": "r1"}),
        ),
        with(
            reply(1_400, "m1", json!([read("t1", "a")])),
            json!({"uuid": "u2", "parentUuid": "u1", "requestId": "r1"}),
        ),
        with(
            reply(1_900, "m1", json!([read("t2", "b")])),
            json!({"uuid": "u3", "parentUuid": "u2", "requestId": "r1"}),
        ),
    ]
}

fn ids(run: &Run) -> Vec<&str> {
    run.calls
        .iter()
        .map(|call| run.names.get(call.id))
        .collect()
}

#[test]
fn the_lines_of_one_message_are_one_reply() {
    let answers = vec![result(2_000, "t1", "A"), result(2_100, "t2", "B")];
    let (run, _folder) = run_of(text(&[spread(), answers].concat()));
    assert_eq!(shape(&run), [2]);
    assert_eq!(ids(&run), ["t1", "t2"]);
    assert_eq!(answer_text(&run, call_at(&run, 1, 1)), "B");
    assert_eq!(run.skipped.merged, 0, "different blocks are no repeat");
}

#[test]
fn results_between_the_lines_of_a_reply_do_not_close_it() {
    let mut lines = spread();
    lines.insert(3, result(1_450, "t1", "A"));
    lines.push(result(2_000, "t2", "B"));
    let run = run(&lines);
    assert_eq!(shape(&run), [2]);
    let model = run.turns[0].model.unwrap();
    assert_eq!(
        model.len().0,
        1_900_000_000,
        "the result is inside the reply"
    );
}

#[test]
fn a_message_id_under_two_request_ids_is_two_replies() {
    let line = |ms, request: &str, id| {
        with(
            reply(ms, "m1", json!([read(id, "a")])),
            json!({"requestId": request}),
        )
    };
    assert_eq!(
        shape(&run(&[line(0, "r1", "t1"), line(9, "r2", "t2")])),
        [1, 1]
    );
    // A line that leaves the request out belongs to the message's latest reply.
    let bare = reply(5, "m1", json!([read("t2", "b")]));
    assert_eq!(shape(&run(&[line(0, "r1", "t1"), bare.clone()])), [2]);
    assert_eq!(shape(&run(&[bare, line(9, "r1", "t1")])), [2]);
}

#[test]
fn a_copy_written_while_streaming_adds_only_what_is_new() {
    let whole = json!([{"type": "text", "text": "ok"}, read("t1", "a"), read("t2", "b")]);
    let run = run(&[
        prompt(0, "go"),
        reply(100, "m1", json!([])),
        reply(
            200,
            "m1",
            json!([{"type": "text", "text": "ok"}, read("t1", "a")]),
        ),
        reply(300, "m1", whole.clone()),
        reply(400, "m1", whole),
        result(500, "t1", "A"),
    ]);
    assert_eq!(shape(&run), [2]);
    assert_eq!(run.skipped.merged, 3);
    assert_eq!(
        call_at(&run, 1, 0).issued.unwrap().0,
        200_000_000,
        "first seen then"
    );
    assert_eq!(outcomes(&run, 1), [Outcome::Ok, Outcome::Unfinished]);
}

#[test]
fn a_block_whose_arguments_come_later_is_one_call_with_them() {
    let run = run_of(text(&[
        reply(100, "m1", json!([call("t1", "Read", json!({}))])),
        reply(200, "m1", json!([read("t1", "/p/a")])),
    ]));
    let (run, _folder) = run;
    assert_eq!(shape(&run), [1]);
    let call = call_at(&run, 1, 0);
    assert_eq!(args_text(&run, call), r#"{"file_path":"/p/a"}"#);
    assert_eq!(run.keys.text(run.keys_in(call.reads)[0]), "file:/p/a");
}

#[test]
fn a_call_that_has_its_result_takes_no_arguments_of_a_later_one() {
    let (run, _folder) = run_of(text(&[
        reply(100, "m1", json!([call("t1", "Read", json!({}))])),
        result(150, "t1", "A"),
        reply(200, "m1", json!([read("t1", "/p/a")])),
    ]));
    assert_eq!(outcomes(&run, 1), [Outcome::Ok, Outcome::Unfinished]);
    assert_eq!(args_text(&run, call_at(&run, 1, 0)), "{}");
    assert_eq!(answer_text(&run, call_at(&run, 1, 0)), "A");
}

#[test]
fn a_result_beside_the_parent_chain_finds_its_call() {
    let mut lines = spread();
    lines.push(with(
        result(2_000, "t1", "A"),
        json!({"uuid": "v1", "parentUuid": "u2"}),
    ));
    lines.push(with(
        result(2_100, "t2", "B"),
        json!({"uuid": "v2", "parentUuid": "u3"}),
    ));
    lines.push(with(
        reply(3_000, "m2", json!([{"type": "text", "text": "done"}])),
        json!({"uuid": "u4", "parentUuid": "v2"}),
    ));
    let run = run(&lines);
    assert_eq!(shape(&run), [2, 0]);
    assert_eq!(outcomes(&run, 1), [Outcome::Ok, Outcome::Ok]);
}

#[test]
fn a_call_without_a_result_is_unfinished_and_counted() {
    let run = run(&spread());
    assert_eq!(outcomes(&run, 1), [Outcome::Unfinished; 2]);
    let call = call_at(&run, 1, 0);
    assert_eq!((call.end, call.run_time()), (None, None));
    assert!(call.started());
    assert_eq!(run.skipped.open_calls, 2);
    assert_eq!(run.turns[0].end, None);
}

#[test]
fn a_repeated_id_pairs_within_the_latest_reply_that_waits_for_it() {
    let (run, _folder) = run_of(text(&[
        reply(
            0,
            "m1",
            json!([call("grep:0", "Grep", json!({"path": "a"}))]),
        ),
        result(10, "grep:0", "first"),
        reply(
            20,
            "m2",
            json!([call("grep:0", "Grep", json!({"path": "a"}))]),
        ),
        result(30, "grep:0", "second"),
        reply(40, "m3", json!([read("", "a")])),
        reply(41, "m3", json!([read("", "a")])),
        result(50, "", "third"),
        result(60, "", "fourth"),
    ]));
    assert_eq!(shape(&run), [1, 1, 2]);
    let answers: Vec<_> = run
        .calls
        .iter()
        .map(|call| answer_text(&run, call))
        .collect();
    assert_eq!(answers, ["first", "second", "third", "fourth"]);
    assert_eq!(run.skipped.duplicate_ids, 4);
}

#[test]
fn an_id_used_twice_in_one_reply_is_two_calls() {
    let (run, _folder) = run_of(text(&[
        reply(
            0,
            "m1",
            json!([read("x", "a"), read("x", "b"), read("x", "b")]),
        ),
        result(10, "x", "1"),
        result(20, "x", "2"),
    ]));
    assert_eq!(shape(&run), [3]);
    assert_eq!(
        outcomes(&run, 1),
        [Outcome::Ok, Outcome::Ok, Outcome::Unfinished]
    );
    assert_eq!(answer_text(&run, call_at(&run, 1, 0)), "1");
}

#[test]
fn a_null_id_is_an_empty_one() {
    let bare = json!({"type": "tool_use", "id": null, "name": "Read", "input": {}});
    let nobody = json!({"type": "tool_result", "tool_use_id": null, "content": "x"});
    let run = run(&[reply(0, "m1", json!([bare])), answer(5, nobody)]);
    assert_eq!(outcomes(&run, 1), [Outcome::Ok]);
}

#[test]
fn history_repeated_under_the_same_line_ids_counts_once() {
    let stamped = |line, uuid: &str| with(line, json!({"uuid": uuid, "parentUuid": "p"}));
    let history = vec![
        stamped(prompt(0, "go"), "a"),
        stamped(reply(100, "m1", json!([read("t1", "a")])), "b"),
        stamped(result(200, "t1", "A"), "c"),
    ];
    let again: Vec<_> = history
        .iter()
        .map(|line| with(line.clone(), json!({"parentUuid": null})))
        .collect();
    let run = run(&[history, again.clone(), again].concat());
    assert_eq!(shape(&run), [1]);
    assert_eq!(run.skipped.copies, 6);
    assert_eq!(run.skipped.orphans, 0);
}

#[test]
fn history_repeated_under_new_line_ids_counts_once() {
    let line = |line, uuid: &str| with(line, json!({"uuid": uuid, "requestId": "r1"}));
    let run = run(&[
        line(reply(100, "m1", json!([read("t1", "a")])), "a"),
        line(result(200, "t1", "A"), "b"),
        line(reply(100, "m1", json!([read("t1", "a")])), "c"),
        line(result(200, "t1", "A"), "d"),
    ]);
    assert_eq!(shape(&run), [1]);
    assert_eq!((run.skipped.merged, run.skipped.copies), (1, 1));
}

#[test]
fn an_unfinished_last_line_is_pending_and_counts_once_it_is_whole() {
    let folder = Folder::new();
    let whole = text(&[
        reply(0, "m1", json!([read("t1", "a")])),
        result(100, "t1", "A"),
    ]);
    let first = whole.find('\n').unwrap() + 1;
    for cut in first + 1..whole.len() - 1 {
        let path = folder.write("s.jsonl", &whole[..cut]);
        let run = open(&path);
        assert!(run.skipped.torn_tail, "cut at {cut}");
        assert_eq!((run.skipped.bad_lines, run.skipped.open_calls), (0, 1));
    }
    // The last line is whole without its line break too.
    for end in [whole.len() - 1, whole.len()] {
        let run = open(&folder.write("s.jsonl", &whole[..end]));
        assert!(!run.skipped.torn_tail);
        assert_eq!(outcomes(&run, 1), [Outcome::Ok]);
    }
}

#[test]
fn a_torn_line_costs_itself_and_a_record_glued_to_it_is_found() {
    let lines = [
        reply(0, "m1", json!([read("t1", "a")])).to_string(),
        r#"{"type":"user","mess"#.to_owned(),
        String::new(),
        r#"{"type":"assistant","message":{"cont{"type":"user","timestamp":"2026-01-02T00:00:01Z","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"A"}]}}"#.to_owned(),
        "no json at all".to_owned(),
        reply(200, "m2", json!([])).to_string(),
        String::new(),
    ];
    let (run, _folder) = run_of(lines.join("\n"));
    assert_eq!(shape(&run), [1, 0]);
    assert_eq!(answer_text(&run, call_at(&run, 1, 0)), "A");
    assert_eq!(run.skipped.bad_lines, 3);
    let offset = lines[0].len() as u64 + 1;
    let (line, byte, _) = run.skipped.bad[0];
    assert_eq!((line, byte), (2, offset));
}

#[test]
fn a_torn_line_that_ends_in_a_whole_block_is_not_mistaken_for_a_record() {
    let block = read("t1", "a").to_string();
    let torn = format!(r#"{{"type":"assistant","message":{{"content":[{block}"#);
    let (run, _folder) = run_of(format!("{}\n{torn}\n", prompt(0, "go")));
    assert!(run.calls.is_empty());
    assert_eq!(run.skipped.bad_lines, 1);
    assert!(run.skipped.unknown_types.is_empty());
}

#[test]
fn compressed_sessions_open_by_their_first_bytes() {
    let mut lines = text(&[
        reply(0, "m1", json!([read("t1", "a")])),
        result(9, "t1", "A"),
    ]);
    for i in 0..8_000 {
        lines += &prompt(i, &format!("{}", i * 7_919)).to_string();
        lines.push('\n');
    }
    let zstd = zstd::encode_all(lines.as_bytes(), 1).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, lines.as_bytes()).unwrap();
    for packed in [zstd, gzip.finish().unwrap()] {
        let (run, _folder) = run_of(&packed);
        assert_eq!(answer_text(&run, call_at(&run, 1, 0)), "A");
        assert!(!run.skipped.cut_stream);
        let (cut, _folder) = run_of(&packed[..packed.len() * 3 / 4]);
        assert!(cut.skipped.cut_stream);
        assert_eq!(answer_text(&cut, call_at(&cut, 1, 0)), "A");
    }
}

#[test]
fn unknown_types_are_counted_by_name_and_cost_nothing() {
    let odd = json!([{"type": "brand_new_block"}, read("t1", "a")]);
    let run = run(&[
        json!({"type": "brand_new", "sessionId": "s"}),
        json!({"type": "brand_new", "sessionId": "s"}),
        json!({"sessionId": "s"}),
        with(reply(0, "m1", odd), json!({"brand_new_field": {"x": 1}})),
    ]);
    let counts: Vec<_> = run
        .skipped
        .unknown_types
        .iter()
        .map(|(n, c)| (n.as_str(), *c))
        .collect();
    let want = [
        ("(no type)", 1),
        ("brand_new", 2),
        ("content block brand_new_block", 1),
    ];
    assert_eq!(counts, want);
    assert_eq!(shape(&run), [1]);
}

#[test]
fn half_an_emoji_costs_no_line() {
    let call = r#"{"type":"assistant","timestamp":"2026-01-02T00:00:00Z","x":"cut \ud83d","cwd":"/p\udc00","message":{"id":"m\ud83d","content":[{"type":"tool_use","id":"t\ud83d","name":"Re\ud83dad","input":{"file_path":"\ud83d"}}]}}"#;
    let result = r#"{"type":"user","timestamp":"2026-01-02T00:00:01Z","toolUseResult":{"stdout":"\ud83d","durationMs":7},"message":{"content":[{"type":"tool_result","tool_use_id":"t\ud83d","content":"half \ud83d","is_error":true}]}}"#;
    let (run, _folder) = run_of(format!("{call}\n{result}\n"));
    let call = call_at(&run, 1, 0);
    assert_eq!(run.tool(call), "Re\u{fffd}ad");
    assert_eq!(answer_text(&run, call), "half \u{fffd}");
    assert_eq!(run.names.get(call.error), "half \u{fffd}");
    assert_eq!(call.own.unwrap().0, 7_000_000);
    assert_eq!((run.skipped.bad_lines, run.skipped.orphans), (0, 0));
}

#[test]
fn deep_nesting_costs_no_call() {
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let line = reply(
        0,
        "m1",
        json!([read("t1", "a"), call("t2", "Read", json!("DEEP"))]),
    );
    let line = line.to_string().replace("\"DEEP\"", &deep);
    let deep_result = result(9, "t2", "DEEP")
        .to_string()
        .replace("\"DEEP\"", &deep);
    let (run, _folder) = run_of(format!("{line}\n{deep_result}\n"));
    assert_eq!(outcomes(&run, 1), [Outcome::Unfinished, Outcome::Ok]);
    assert_eq!(call_at(&run, 1, 1).args.len, 10_000);
    assert_eq!(call_at(&run, 1, 1).answer.len, 10_000);
    assert_eq!(run.skipped.bad_lines, 0);
}

#[test]
fn arguments_that_are_cut_off_give_no_key() {
    let half = call("t1", "Edit", json!(r#"{"file_path":"a"#));
    let (run, _folder) = run_of(text(&[reply(0, "m1", json!([half]))]));
    let call = call_at(&run, 1, 0);
    assert!(call.opaque);
    assert!(run.keys_in(call.writes).is_empty());
    assert_eq!(args_text(&run, call), r#"{"file_path":"a"#);
}

#[test]
fn effects_come_from_the_catalog_and_paths_from_the_folder_of_the_line() {
    let edit = call("t2", "Edit", json!({"file_path": "src/a.rs"}));
    let odd = call("t3", "mcp__x__y", json!({}));
    let line = reply(0, "m1", json!([read("t1", "a"), edit, odd]));
    let run = run(&[
        with(prompt(0, "go"), json!({"cwd": "/p"})),
        with(line, json!({"cwd": "/p/q"})),
    ]);
    assert_eq!(run.meta.folder, "/p");
    let keys = |pool| {
        run.keys_in(pool)
            .iter()
            .map(|key| run.keys.text(*key))
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(call_at(&run, 1, 0).reads), ["file:/p/q/a"]);
    assert_eq!(keys(call_at(&run, 1, 1).writes), ["file:/p/q/src/a.rs"]);
    let odd = call_at(&run, 1, 2);
    assert!(odd.opaque);
    assert_eq!(odd.source, Source::Unknown);
    assert!(run.catalog.is_some());
}

#[test]
fn a_background_call_has_its_launch_and_the_end_of_its_work() {
    let task = json!({"toolUseResult": {"stdout": "", "backgroundTaskId": "b7"}});
    let note = "<task-notification>\n<task-id>b7</task-id>\n<status>completed</status>";
    let late = "<task-notification>\n<task-id>x</task-id>\n<tool-use-id>t2</tool-use-id>";
    let bash = |id| {
        call(
            id,
            "Bash",
            json!({"command": "x", "run_in_background": true}),
        )
    };
    let run = run(&[
        reply(0, "m1", json!([bash("t1"), bash("t2")])),
        with(result(40, "t1", "running"), task),
        result(50, "t2", "running"),
        json!({"type": "queue-operation", "operation": "enqueue", "timestamp": at(300_000),
            "content": note}),
        prompt(400_000, late),
    ]);
    let (first, second) = (call_at(&run, 1, 0), call_at(&run, 1, 1));
    assert_eq!(first.end.unwrap().0, 40_000_000);
    assert_eq!(first.detached.unwrap().0, 300_000_000_000);
    assert_eq!(
        first.run_time().unwrap().0,
        40_000_000,
        "only the launch was waited for"
    );
    assert_eq!(second.detached.unwrap().0, 400_000_000_000);
}

#[test]
fn rejected_cancelled_failed_and_refused_are_kept_apart() {
    let texts = [
        ("Exit code 1\nboom", Outcome::Failed),
        (
            "<tool_use_error>Sibling tool call errored</tool_use_error>",
            Outcome::Cancelled,
        ),
        (
            "<tool_use_error>Cancelled: parallel tool call Bash(x) errored</tool_use_error>",
            Outcome::Cancelled,
        ),
        (
            "The user doesn't want to proceed with this tool use. The tool use was rejected",
            Outcome::Denied,
        ),
        ("Permission to use Bash has been denied.", Outcome::Denied),
        ("Blocked by hook: no", Outcome::Failed),
        ("PreToolUse:Bash hook blocked it", Outcome::Denied),
        (
            "<tool_use_error>File has not been read yet.</tool_use_error>",
            Outcome::BadArgs,
        ),
        (
            "<tool_use_error>Error: No such tool available: X</tool_use_error>",
            Outcome::UnknownTool,
        ),
        (
            "Exit code 143\nCommand timed out after 2m 0.0s",
            Outcome::TimedOut,
        ),
        (
            "Exit code 137\n[Request interrupted by user for tool use]",
            Outcome::Cancelled,
        ),
        (
            "it printed: The user doesn't want to proceed with this tool use",
            Outcome::Failed,
        ),
        ("", Outcome::Failed),
    ];
    let blocks: Vec<_> = (0..=texts.len())
        .map(|i| read(&format!("t{i}"), "a"))
        .collect();
    let mut lines = vec![reply(0, "m1", json!(blocks))];
    lines.extend(
        (0_i64..)
            .zip(&texts)
            .map(|(i, (text, _))| error(10 + i, &format!("t{i}"), text)),
    );
    let (run, _folder) = run_of(import_support::text(&lines));
    let mut want: Vec<_> = texts.iter().map(|(_, outcome)| *outcome).collect();
    want.push(Outcome::Unfinished);
    assert_eq!(outcomes(&run, 1), want);
    for (i, (text, _)) in texts.iter().enumerate() {
        let call = call_at(&run, 1, i);
        assert_eq!(run.names.get(call.error), *text, "the text stays as it is");
        let ran = !matches!(
            call.outcome,
            Outcome::Denied | Outcome::BadArgs | Outcome::UnknownTool
        );
        assert_eq!(call.started(), ran, "{text}");
    }
}

#[test]
fn an_error_text_in_blocks_is_read_like_a_plain_one() {
    let blocks = json!([{"type": "text", "text": "<tool_use_error>no</tool_use_error>"}]);
    let block = json!({"type": "tool_result", "tool_use_id": "t1", "content": blocks,
        "is_error": true});
    let run = run(&[reply(0, "m1", json!([read("t1", "a")])), answer(9, block)]);
    assert_eq!(outcomes(&run, 1), [Outcome::BadArgs]);
}

#[test]
fn a_call_that_was_interrupted_but_gave_no_error_was_cancelled() {
    let stopped = with(
        result(9, "t1", "partial"),
        json!({"toolUseResult": {"interrupted": true}}),
    );
    let run = run(&[reply(0, "m1", json!([read("t1", "a")])), stopped]);
    assert_eq!(outcomes(&run, 1), [Outcome::Cancelled]);
}

#[test]
fn a_reply_that_no_model_gave_is_no_turn() {
    let mut synthetic = reply(50, "m9", json!([{"type": "text", "text": "API Error"}]));
    synthetic["message"]["model"] = json!("<synthetic>");
    let api_error = with(
        reply(60, "m8", json!([])),
        json!({"isApiErrorMessage": true}),
    );
    let run = run(&[
        prompt(0, "go"),
        synthetic,
        api_error,
        reply(100, "m1", json!([])),
    ]);
    assert_eq!(shape(&run), [0]);
    assert_eq!(run.skipped.synthetic, 2);
    assert_eq!(run.meta.model, "some-model");
}

#[test]
fn thousands_of_calls_in_one_reply_pair_one_by_one() {
    let many = 5_000_usize;
    let blocks: Vec<_> = (0..many).map(|_| read("", "a")).collect();
    let mut lines = vec![reply(0, "m1", json!(blocks))];
    lines.extend((0..many).map(|i| result(10, "", &i.to_string())));
    let (run, _folder) = run_of(text(&lines));
    assert_eq!(shape(&run), [many]);
    for i in [0, 1, many / 2, many - 1] {
        assert_eq!(answer_text(&run, call_at(&run, 1, i)), i.to_string());
    }
}

#[test]
fn a_result_that_stands_before_its_call_finds_it() {
    let run = run(&[
        result(50, "t1", "A"),
        reply(40, "m1", json!([read("t1", "a")])),
        result(60, "nobody", "B"),
    ]);
    assert_eq!(outcomes(&run, 1), [Outcome::Ok]);
    assert_eq!(run.skipped.orphans, 1);
}

#[test]
fn the_run_says_where_it_comes_from() {
    let head = json!({"sessionId": "s-1", "cwd": "/p"});
    let run = run(&[with(prompt(5, "go"), head), reply(100, "m1", json!([]))]);
    assert_eq!(run.meta.source, "claude-code");
    assert_eq!(run.meta.id, "s-1");
    assert_eq!(run.meta.at, at(5));
    assert_eq!(run.meta.policy, "", "nothing says which policy it was");
    assert_eq!(run.threads[0].name, "main");
    assert_eq!(run.skipped.lines, 2);
}

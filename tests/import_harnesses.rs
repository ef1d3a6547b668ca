//! Files of other harnesses and benchmarks: what a reply is, what its times mean, what its calls
//! touch.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::fixtures::one;
use import_support::*;
use serde_json::json;
use turnlane::model::{Outcome, Source, Timing};
use turnlane::trace::{Call, Run};

fn timings(run: &Run) -> Vec<(Timing, Option<u64>)> {
    let calls = run.calls.iter();
    calls
        .map(|call| (call.timing, ms(call.run_time())))
        .collect()
}

fn all_unknown(run: &Run) -> bool {
    let calls = run.calls.iter();
    let unknown = |call: &Call| call.timing == Timing::Unknown && call.run_time().is_none();
    calls.clone().all(unknown) && run.turns.iter().all(|turn| turn.model.is_none())
}

#[test]
fn tau_bench_has_no_times_and_its_errors_begin_with_error() {
    let (run, _folder) = run_of(one("tau-bench"));
    assert_eq!(shape(&run), [1, 1, 0]);
    assert!(all_unknown(&run), "no time is unknown, not zero");
    assert_eq!(outcomes(&run, 1), [Outcome::Ok]);
    assert_eq!(outcomes(&run, 2), [Outcome::Failed]);
    assert_eq!(keys(&run, call_at(&run, 1, 0)).0, ["order:#W1"]);
    let cancel = call_at(&run, 2, 0);
    assert_eq!(keys(&run, cancel).1, ["order:#W1", "user:**"]);
    assert_eq!(cancel.source, Source::Harness);
    assert_eq!(answer_text(&run, cancel), "Error: non-pending order");
}

#[test]
fn tau2_bounds_its_calls_and_keeps_the_users_own_tools_apart() {
    let (run, _folder) = run_of(one("tau2-bench"));
    assert_eq!(shape(&run), [0, 3, 0]);
    assert_eq!(model_ms(&run), [None, Some(2_000), Some(250)]);
    let bound = |ms| (Timing::Bound, Some(ms));
    assert_eq!(timings(&run)[..3], [bound(1), bound(2), bound(3)]);
    assert_eq!(
        outcomes(&run, 2),
        [Outcome::Ok, Outcome::Ok, Outcome::Failed]
    );
    assert_eq!(run.skipped.duplicate_ids, 2);
    let user = thread(&run, "user");
    assert_eq!((user.turns.len(), user.parent), (1, None));
    assert_eq!(run.skipped.unlinked, 0);
    assert_eq!(run.meta.at, "", "its clock has no zone");
    assert_eq!(keys(&run, call_at(&run, 2, 2)).1, ["reservation:R"]);
}

#[test]
fn gemini_calls_begin_where_their_id_says_and_end_with_their_own_stamp() {
    let (run, _folder) = run_of(one("gemini-cli"));
    assert_eq!(shape(&run), [2, 0, 1]);
    // A message of nothing but calls is stamped at their end; the model was asked by nobody.
    assert_eq!(model_ms(&run), [Some(4_000), Some(2_500), None]);
    assert_eq!(
        timings(&run),
        [5_000, 5_500, 8_000].map(|ms| (Timing::Bound, Some(ms)))
    );
    assert_eq!(outcomes(&run, 1), [Outcome::Ok, Outcome::Failed]);
    assert_eq!(outcomes(&run, 3), [Outcome::Cancelled]);
    assert_eq!(run.names.get(call_at(&run, 1, 1).error), "boom");
    assert_eq!(keys(&run, call_at(&run, 1, 0)).1, ["file:a"]);
    assert!(call_at(&run, 3, 0).opaque);
    assert_eq!((run.meta.id.as_str(), run.meta.model.as_str()), ("s", "g"));
}

#[test]
fn a_gemini_chat_of_lines_is_the_same_and_a_message_that_grew_counts_once() {
    let whole: serde_json::Value = serde_json::from_str(&one("gemini-cli")).unwrap();
    let head = json!({"sessionId": "s", "projectHash": "h", "startTime": at(0)});
    let messages = whole["messages"].as_array().unwrap().clone();
    let bare = with(messages[1].clone(), json!({"toolCalls": []}));
    let lines = [
        vec![head, messages[0].clone(), bare],
        messages[1..].to_vec(),
    ]
    .concat();
    let (run, _folder) = run_of(text(&lines));
    assert_eq!(run.meta.source, "gemini-cli");
    assert_eq!(shape(&run), [2, 0, 1]);
    assert_eq!(run.skipped.merged, 1);
    assert!(answer_text(&run, call_at(&run, 1, 0)).contains("functionResponse"));
}

#[test]
fn openhands_actions_of_one_response_are_one_reply() {
    let (run, _folder) = run_of(one("openhands"));
    assert_eq!(shape(&run), [2, 2, 0]);
    assert_eq!(
        model_ms(&run),
        [None; 3],
        "nothing says when the model was asked"
    );
    assert_eq!(outcomes(&run, 1), [Outcome::Ok, Outcome::Ok]);
    assert_eq!(outcomes(&run, 2), [Outcome::Failed, Outcome::Denied]);
    let remark = run.names.get(call_at(&run, 1, 0).error);
    assert_eq!(remark, "seen", "what the tool marks as an error is shown");
    assert_eq!(timings(&run)[0], (Timing::Bound, Some(400)));
    assert_eq!(
        keys(&run, call_at(&run, 1, 1)),
        (vec!["file:/p/a/**".into()], vec![])
    );
    assert_eq!(
        keys(&run, call_at(&run, 2, 0)),
        (vec![], vec!["file:/p/b".into()])
    );
    assert!(call_at(&run, 1, 0).opaque);
    assert_eq!(run.meta.at, "");
}

#[test]
fn the_older_events_of_openhands_hold_the_models_response() {
    let (run, _folder) = run_of(one("openhands-older"));
    assert_eq!(shape(&run), [1]);
    assert_eq!(run.meta.model, "some-model");
    assert_eq!(timings(&run), [(Timing::Bound, Some(500))]);
    assert_eq!(run.tool(call_at(&run, 1, 0)), "execute_bash");
}

#[test]
fn a_swe_agent_step_has_a_duration_and_no_place_on_a_clock() {
    let (run, _folder) = run_of(one("swe-agent"));
    assert_eq!(shape(&run), [1, 1, 0]);
    assert_eq!(
        timings(&run),
        [(Timing::Measured, Some(250)), (Timing::Unknown, None)]
    );
    let create = call_at(&run, 1, 0);
    assert_eq!((create.issued, create.end), (None, None));
    assert_eq!(run.names.get(create.id), "c1");
    assert_eq!(keys(&run, create).1, ["file:/repo/a.py", "window"]);
    let shell = call_at(&run, 2, 0);
    assert_eq!((run.tool(shell), shell.opaque), ("bash", true));
    assert_eq!(args_text(&run, shell), "python a.py");
}

#[test]
fn mini_swe_agent_stamps_all_answers_when_the_last_is_there() {
    let (run, _folder) = run_of(one("mini-swe-agent"));
    assert_eq!(shape(&run), [2, 0]);
    assert_eq!(model_ms(&run), [Some(2_500), Some(2_000)]);
    assert_eq!(timings(&run), [(Timing::Bound, Some(2_000)); 2]);
    assert_eq!(outcomes(&run, 1), [Outcome::Failed, Outcome::Ok]);
    assert_eq!(answer_text(&run, call_at(&run, 1, 1)), "/p");
    let (older, _folder) = run_of(one("mini-swe-agent-older"));
    assert_eq!(shape(&older), [1, 0]);
    assert_eq!(outcomes(&older, 1), [Outcome::Failed]);
    assert!(all_unknown(&older));
}

#[test]
fn atif_calls_have_no_times_and_the_agents_name_says_whose_tools_they_are() {
    let (run, _folder) = run_of(one("atif"));
    assert_eq!(shape(&run), [2, 0]);
    assert_eq!(model_ms(&run), [Some(3_000), None]);
    assert_eq!(run.turns[0].model_timing, Timing::Bound);
    assert_eq!(timings(&run), [(Timing::Unknown, None); 2]);
    assert_eq!(answer_text(&run, call_at(&run, 1, 1)), "written");
    assert_eq!(keys(&run, call_at(&run, 1, 1)).1, ["file:/a"]);
    assert_eq!(
        run.skipped.unlinked, 1,
        "the agent's own trajectory is not here"
    );
}

#[test]
fn a_file_of_the_benchmark_says_which_calls_a_reply_holds_and_no_more() {
    let (run, _folder) = run_of(one("bfcl"));
    assert_eq!(shape(&run), [2, 2, 1]);
    assert!(all_unknown(&run));
    assert_eq!(run.skipped.open_calls, 5);
    let tools: Vec<_> = run.calls.iter().map(|call| run.tool(call)).collect();
    assert_eq!(tools, ["spotify.play", "spotify.play", "cd", "mkdir", "ls"]);
    assert!(run.calls.iter().all(|call| call.opaque));
    assert_eq!(args_text(&run, &run.calls[2]), "cd(folder='document')");
}

#[test]
fn a_document_that_ends_early_gives_what_was_whole() {
    for (name, text) in fixtures::all() {
        let (whole, _folder) = run_of(&text);
        if ["codex", "openhands", "log", "bfcl"].contains(&name) {
            continue;
        }
        let (half, _folder) = run_of(&text[..text.floor_char_boundary(text.len() - 3)]);
        assert_eq!(half.turns.len(), whole.turns.len(), "{name}");
        assert!(
            half.skipped.torn_tail || half.skipped.bad_lines > 0,
            "{name}"
        );
        assert!(
            !whole.skipped.torn_tail && whole.skipped.bad_lines == 0,
            "{name}"
        );
    }
}

#[test]
fn documents_hold_numbers_that_are_none_and_bytes_that_are_no_text() {
    let chat = one("chat").replace("\"role\":\"system\"", "\"score\":NaN,\"role\":\"system\"");
    let (run, _folder) = run_of(&chat);
    assert_eq!(run.skipped.unknown_fields["NaN or Infinity"], 1);
    assert_eq!(answer_text(&run, call_at(&run, 1, 0)), "one");
    let mut bytes = one("chat").into_bytes();
    let place = bytes.windows(3).position(|part| part == b"one").unwrap();
    bytes[place] = 0xff;
    let (run, _folder) = run_of(&bytes);
    assert_eq!(shape(&run), [2, 1, 1, 0]);
    assert_eq!(
        run.skipped.bad,
        [(1, place as u64, "these bytes are no UTF-8".to_owned())]
    );
}

#[test]
fn the_users_catalog_stands_over_that_of_the_harness() {
    use turnlane::import::{Opened, open_any};
    use turnlane::model::Catalog;
    let folder = Folder::new();
    let path = folder.write("chat.json", one("gemini-cli"));
    let text = r#"[{"name": "run_shell_command", "x-mutates": false}]"#;
    let user = Catalog::parse(text, "test").unwrap();
    let Opened::Run(run) = open_any(&path, &user).unwrap() else {
        panic!("a run")
    };
    assert!(!call_at(&run, 3, 0).opaque);
    assert_eq!(call_at(&run, 3, 0).source, Source::Declared);
    assert_eq!(call_at(&run, 1, 0).source, Source::Harness);
}

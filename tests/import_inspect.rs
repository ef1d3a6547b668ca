//! Logs of Inspect, as JSON and as zip archives.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::spans::*;
use import_support::*;
use serde_json::{Value, json};
use turnlane::import::ImportError;
use turnlane::model::{Outcome, Timing};
use turnlane::time::Nanos;
use turnlane::trace::Run;
use zip::CompressionMethod;

/// What a log says, however it is kept.
fn told(run: &Run) -> Vec<String> {
    let mut told = Vec::new();
    for thread in &run.threads {
        told.push(format!("{} {:?}", thread.name, thread.parent));
        for turn in &thread.turns {
            let turn = &run.turns[*turn as usize];
            told.push(format!("{:?} {:?}", turn.model, turn.at));
            for call in run.calls_of(turn) {
                let (args, answer) = (args_text(run, call), answer_text(run, call));
                told.push(format!(
                    "{} {args} {answer} {:?}",
                    run.tool(call),
                    call.outcome
                ));
                told.push(format!("{:?} {:?} {:?}", call.start, call.end, call.own));
            }
        }
    }
    told
}

fn one_sample(events: Value) -> (Run, Folder) {
    let sample = json!({"id": 1, "epoch": 1, "events": events});
    run_of(inspect(&[sample]).to_string())
}

fn one_call(more: Value) -> (Run, Folder) {
    one_sample(json!([
        model_event((0, 1_000), json!([wanted("c1", "get")])),
        tool_event("c1", "get", (1_010, 9_000), more),
    ]))
}

#[test]
fn a_sample_is_a_session_with_its_sub_agents() {
    let (run, _folder) = run_of(inspect(&[sample()]).to_string());
    assert_eq!(shape(&run), [3, 1]);
    assert_eq!(
        outcomes(&run, 1),
        [Outcome::Ok, Outcome::Denied, Outcome::Ok]
    );
    assert_eq!(outcomes(&run, 2), [Outcome::Unfinished]);
    let helper = thread(&run, "helper");
    let parent = helper.parent.unwrap();
    assert_eq!((parent.thread.0, parent.turn, parent.call), (0, 1, 2));
    let calls = run.calls_of(&run.turns[helper.turns[0] as usize]);
    assert_eq!(calls[0].outcome, Outcome::TimedOut);
    assert_eq!(helper.turns.len(), 2);
    assert_eq!(run.skipped.unknown_types["brand_new"], 1);
    assert_eq!(
        (&*run.meta.id, &*run.meta.task, &*run.meta.model),
        ("r", "desk", "p/m")
    );
    let model = run.turns[0].model.unwrap();
    assert_eq!(model.len(), Nanos::from_millis(990));
}

#[test]
fn the_tools_own_working_time_counts_before_the_interval() {
    let (run, _folder) = one_call(json!({"working_time": 0.25}));
    let call = call_at(&run, 1, 0);
    assert_eq!(call.timing, Timing::Measured);
    assert_eq!(call.run_time(), Some(Nanos::from_millis(250)));
    let (run, _folder) = one_call(json!({}));
    let call = call_at(&run, 1, 0);
    assert_eq!(call.timing, Timing::Events);
    assert_eq!(call.run_time(), Some(Nanos::from_millis(7_990)));
    for odd in [json!(-1), json!(1e300), json!("x"), json!(8_000)] {
        let (run, _folder) = one_call(json!({"working_time": odd}));
        let call = call_at(&run, 1, 0);
        assert_eq!((call.timing, call.own), (Timing::Events, None), "{odd}");
    }
}

#[test]
fn every_type_of_error_is_what_it_says() {
    for (kind, outcome) in [
        ("parsing", Outcome::BadArgs),
        ("timeout", Outcome::TimedOut),
        ("approval", Outcome::Denied),
        ("cancelled", Outcome::Cancelled),
        ("unicode_decode", Outcome::Failed),
        ("permission", Outcome::Failed),
        ("file_not_found", Outcome::Failed),
        ("limit", Outcome::Failed),
        ("output_limit", Outcome::Failed),
        ("unknown", Outcome::Failed),
        ("brand_new", Outcome::Failed),
    ] {
        let (run, _folder) = one_call(json!({"error": {"type": kind, "message": "why"}}));
        let call = call_at(&run, 1, 0);
        assert_eq!(call.outcome, outcome, "{kind}");
        assert_eq!(run.names.get(call.error), "why");
    }
    let (run, _folder) = one_call(json!({"failed": true}));
    assert_eq!(call_at(&run, 1, 0).outcome, Outcome::Failed);
}

#[test]
fn a_call_that_did_not_complete_is_open() {
    for more in [
        json!({"completed": null, "result": null}),
        json!({"completed": null, "pending": true, "result": ""}),
    ] {
        let (run, _folder) = one_call(more);
        let call = call_at(&run, 1, 0);
        assert_eq!(
            (call.outcome, call.end, call.timing),
            (Outcome::Unfinished, None, Timing::Unknown)
        );
    }
}

#[test]
fn an_older_log_without_completion_has_what_it_says_and_no_more() {
    let mut model = model_event((0, 0), json!([wanted("c1", "get")]));
    model.as_object_mut().unwrap().remove("completed");
    let mut tool = tool_event("c1", "get", (1_010, 0), json!({}));
    tool.as_object_mut().unwrap().remove("completed");
    let (run, _folder) = one_sample(json!([model, tool]));
    let latency = run.turns[0].model.unwrap();
    assert_eq!(latency.len(), Nanos::from_millis(250), "output.time");
    let call = call_at(&run, 1, 0);
    assert_eq!(
        (call.outcome, call.timing, call.run_time()),
        (Outcome::Ok, Timing::Unknown, None)
    );
}

#[test]
fn numbers_that_are_none_cost_nothing_but_a_note() {
    let log = inspect(&[sample()]).to_string();
    let odd = log
        .replace(
            "\"epoch\":1",
            "\"epoch\":1,\"score\":NaN,\"x\":[-Infinity,Infinity]",
        )
        .replace("\"working_time\":0.25", "\"working_time\":NaN");
    let (run, _folder) = run_of(odd);
    assert_eq!(shape(&run), [3, 1]);
    assert_eq!(run.skipped.unknown_fields["NaN or Infinity"], 4);
    assert_eq!(call_at(&run, 1, 0).timing, Timing::Events);
    let args = log.replacen("{\"order_id\":\"o1\"}", "{\"order_id\":NaN}", 99);
    let (run, _folder) = run_of(args);
    let call = call_at(&run, 1, 1);
    let shown = args_text(&run, call);
    assert!(!shown.contains("o1"), "{shown}");
}

#[test]
fn very_deep_arguments_leave_their_siblings_intact() {
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let log = inspect(&[sample()]).to_string();
    let log = log.replacen("{\"order_id\":\"o1\"}", &deep, 3);
    let (run, _folder) = run_of(log);
    assert_eq!(shape(&run), [3, 1]);
    assert_eq!(answer_text(&run, call_at(&run, 1, 0)), "a long text");
}

#[test]
fn an_archive_says_what_the_document_says() {
    let mut second = sample();
    second["id"] = json!("s2");
    let samples = [sample(), second];
    let (run, _folder) = run_of(inspect(&samples).to_string());
    let document = told(&run);
    assert_eq!(run.threads.len(), 4);
    assert_eq!(thread(&run, "s2_epoch_1").turns.len(), 2);
    assert_eq!(thread(&run, "s2_epoch_1").parent, None);
    for method in [
        CompressionMethod::Stored,
        CompressionMethod::Deflated,
        CompressionMethod::Zstd,
    ] {
        let (run, _folder) = run_of(archive(&samples, method));
        assert_eq!(told(&run), document, "{method}");
        assert_eq!(run.meta.task, "desk");
        let held: usize = run.held.values().map(|bytes| bytes.len()).sum();
        assert!(held < 2_000, "arguments and answers only: {held} bytes");
    }
}

#[test]
fn results_that_stand_elsewhere_are_found() {
    for method in [None, Some(CompressionMethod::Zstd)] {
        let samples = [sample()];
        let (run, _folder) = match method {
            None => run_of(inspect(&samples).to_string()),
            Some(method) => run_of(archive(&samples, method)),
        };
        assert_eq!(answer_text(&run, call_at(&run, 1, 0)), "a long text");
    }
}

#[test]
fn a_tool_frame_that_fits_no_call_is_an_unlinked_sub_agent() {
    let mut sample = sample();
    let events = sample["events"].as_array_mut().unwrap();
    let ask = |event: &Value| event["event"] == "tool" && event["function"] == "ask";
    events.retain(|event| !ask(event));
    let (run, _folder) = run_of(inspect(&[sample]).to_string());
    assert_eq!(thread(&run, "helper").parent, None);
    assert_eq!(run.skipped.unlinked, 1);
    assert_eq!(outcomes(&run, 1)[2], Outcome::Unfinished);
}

#[test]
fn nested_events_of_older_logs_are_a_sub_agents() {
    let inner = json!([
        {"event": "model", "timestamp": at(1_100), "completed": at(1_200), "model": "m",
            "output": {"choices": [{"message": {"tool_calls": [wanted("d", "put")]}}]}},
        {"event": "tool", "timestamp": at(1_210), "completed": at(1_300), "id": "d",
            "function": "put", "arguments": {}, "result": "x"},
    ]);
    let (run, _folder) = one_call(json!({"events": inner}));
    assert_eq!(shape(&run), [1]);
    let inner = thread(&run, "get");
    assert_eq!(inner.parent.unwrap().call, 0);
    assert_eq!(run.calls_of(&run.turns[inner.turns[0] as usize]).len(), 1);
}

#[test]
fn a_scorers_model_is_not_the_agents() {
    let mut score = model_event((2_000, 3_000), json!([]));
    score["span_id"] = json!("judge");
    let (run, _folder) = one_sample(json!([
        model_event((0, 1_000), json!([])),
        {"event": "span_begin", "id": "judge", "type": "scorer", "name": "judge",
            "timestamp": at(1_900)},
        score,
    ]));
    assert_eq!(shape(&run), [0]);
    assert_eq!(thread(&run, "judge").turns.len(), 1);
    assert_eq!(run.skipped.unlinked, 0);
}

#[test]
fn an_attempt_that_failed_is_no_reply() {
    let failed = event(
        "model",
        0,
        json!({"completed": at(500), "error": "overloaded", "output": {"choices": []}}),
    );
    let (run, _folder) = one_sample(json!([failed, model_event((600, 1_000), json!([]))]));
    assert_eq!(shape(&run), [0]);
    assert_eq!(run.skipped.notes["attempts of a model that failed"], 1);
}

#[test]
fn a_log_without_events_opens_and_says_so() {
    let sample = json!({"id": 1, "epoch": 1, "messages": [{"role": "tool"}]});
    let (run, _folder) = run_of(inspect(&[sample]).to_string());
    assert_eq!(shape(&run), Vec::<usize>::new());
    assert_eq!(run.skipped.notes["samples without events"], 1);
}

#[test]
fn an_archive_of_something_else_and_a_broken_one_are_refused() {
    let folder = Folder::new();
    let whole = archive(&[sample()], CompressionMethod::Zstd);
    let empty = archive(&[], CompressionMethod::Deflated);
    for (bytes, problem) in [
        (&whole[..whole.len() / 2], "broken or was not finished"),
        (&empty[..], "no samples"),
    ] {
        let error = try_open(&folder.write("x.eval", bytes)).unwrap_err();
        assert!(error.to_string().contains(problem), "{error}");
        assert!(matches!(error, ImportError::Unusable { .. }));
    }
}

#[test]
fn a_member_that_unpacks_to_far_more_than_it_is_costs_itself() {
    let mut bomb = sample();
    bomb["id"] = json!("bomb");
    bomb["padding"] = json!("x".repeat(80 << 20));
    let bytes = archive(&[bomb, sample()], CompressionMethod::Zstd);
    assert!(bytes.len() < 100_000, "{}", bytes.len());
    let (run, _folder) = run_of(bytes);
    assert_eq!(shape(&run), [3, 1], "the other sample is there");
    assert_eq!(run.skipped.bad_lines, 1);
    let (_, _, reason) = &run.skipped.bad[0];
    assert!(
        reason.contains("bomb") && reason.contains("left out"),
        "{reason}"
    );
}

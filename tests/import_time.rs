//! Where times come from: a tool's own figure, an upper bound, or nowhere.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::*;
use serde_json::{Value, json};
use turnlane::model::Timing;
use turnlane::time::Nanos;
use turnlane::trace::Run;

fn says(mut line: Value, own: Value) -> Value {
    line["toolUseResult"] = own;
    line
}

fn untimed(mut line: Value) -> Value {
    line.as_object_mut().unwrap().remove("timestamp");
    line
}

fn pre_hook(ms: i64, id: &str) -> Value {
    json!({"type": "progress", "timestamp": at(ms), "toolUseID": id, "parentToolUseID": id,
        "data": {"type": "hook_progress", "hookEvent": "PreToolUse"}})
}

fn one_call(result: Value) -> Run {
    run(&[
        prompt(0, "go"),
        reply(1_000, "m1", json!([read("t1", "a")])),
        result,
    ])
}

#[test]
fn from_issue_to_result_is_only_a_bound() {
    let run = one_call(result(7_660_000, "t1", "A"));
    let call = call_at(&run, 1, 0);
    assert_eq!(call.timing, Timing::Bound);
    assert_eq!(call.run_time(), Some(Nanos::from_millis(7_659_000)));
    assert_eq!(call.start, call.issued);
}

#[test]
fn the_tools_own_figure_counts_before_any_interval() {
    for (own, ms) in [
        (json!({"durationMs": 4_000}), 4_000),
        (json!({"durationSeconds": 4.25}), 4_250),
        (json!({"totalDurationMs": 65_000, "durationMs": 3}), 65_000),
    ] {
        let run = one_call(says(result(7_660_000, "t1", "A"), own));
        let call = call_at(&run, 1, 0);
        assert_eq!(call.timing, Timing::Measured);
        assert_eq!(call.run_time(), Some(Nanos::from_millis(ms)));
        assert_eq!(call.end, Some(Nanos::from_millis(7_660_000)));
    }
}

#[test]
fn a_figure_that_cannot_be_one_is_not_used() {
    for own in [
        json!({"durationMs": -5}),
        json!({"durationMs": 1e300}),
        json!({"durationMs": "4"}),
    ] {
        let run = one_call(says(result(2_000, "t1", "A"), own));
        let call = call_at(&run, 1, 0);
        assert_eq!((call.timing, call.own), (Timing::Bound, None));
    }
    let run = one_call(says(result(2_000, "t1", "A"), json!({"durationMs": -5})));
    assert_eq!(run.skipped.negative, 1);
}

#[test]
fn a_figure_beside_several_results_belongs_to_none() {
    let results = json!([
        {"type": "tool_result", "tool_use_id": "t1", "content": "A"},
        {"type": "tool_result", "tool_use_id": "t2", "content": "B"},
    ]);
    let both = json!({"type": "user", "timestamp": at(900), "toolUseResult": {"durationMs": 5},
        "message": {"content": results}});
    let run = run(&[
        reply(0, "m1", json!([read("t1", "a"), read("t2", "b")])),
        both,
    ]);
    for i in [0, 1] {
        assert_eq!(call_at(&run, 1, i).timing, Timing::Bound);
    }
}

#[test]
fn a_hook_before_the_call_is_its_later_start() {
    let issued = Nanos::from_millis(1_000);
    for (hook, start) in [(1_300, 1_300), (900, 1_000), (5_000, 1_000)] {
        let run = run(&[
            prompt(0, "go"),
            reply(1_000, "m1", json!([read("t1", "a")])),
            pre_hook(hook, "t1"),
            pre_hook(hook + 50, "t1"),
            result(2_000, "t1", "A"),
        ]);
        let call = call_at(&run, 1, 0);
        assert_eq!(call.issued, Some(issued));
        assert_eq!(
            call.start,
            Some(Nanos::from_millis(start)),
            "hook at {hook}"
        );
    }
    // Lines are not strictly in order.
    let run = run(&[
        pre_hook(1_010, "t1"),
        reply(1_000, "m1", json!([read("t1", "a")])),
        result(2_000, "t1", "A"),
    ]);
    assert_eq!(call_at(&run, 1, 0).start, Some(Nanos::from_millis(10)));
}

#[test]
fn without_timestamps_nothing_is_known_and_the_structure_still_is() {
    let run = run(&[
        untimed(prompt(0, "go")),
        untimed(reply(0, "m1", json!([read("t1", "a"), read("t2", "b")]))),
        untimed(result(0, "t1", "A")),
        says(untimed(result(0, "t2", "B")), json!({"durationMs": 9})),
    ]);
    assert_eq!(shape(&run), [2]);
    let first = call_at(&run, 1, 0);
    assert_eq!(
        (first.issued, first.end, first.run_time()),
        (None, None, None)
    );
    assert_eq!(first.timing, Timing::Unknown);
    assert_eq!(call_at(&run, 1, 1).timing, Timing::Measured);
    assert_eq!(
        (run.turns[0].model, run.turns[0].model_timing),
        (None, Timing::Unknown)
    );
    assert_eq!(run.meta.at, "");
}

#[test]
fn a_printed_session_without_times_opens() {
    let lines = [
        json!({"type": "system", "subtype": "init", "session_id": "s", "cwd": "/p"}),
        json!({"type": "assistant", "session_id": "s", "message": {"id": "m1",
            "content": [call("t1", "Task", json!({"prompt": "p"}))]}, "parent_tool_use_id": null}),
        json!({"type": "assistant", "session_id": "s", "message": {"id": "m2",
            "content": [read("t2", "a")]}, "parent_tool_use_id": "t1"}),
        json!({"type": "user", "session_id": "s", "message": {"content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "done"}]}}),
        json!({"type": "result", "session_id": "s", "duration_ms": 5}),
    ];
    let run = run(&lines);
    assert_eq!(shape(&run), [1]);
    assert_eq!(run.skipped.unlinked, 0);
    assert_eq!(run.threads[1].parent.unwrap().call, 0);
    assert!(run.calls.iter().all(|call| call.timing == Timing::Unknown));
    assert!(run.skipped.unknown_types.is_empty(), "{:?}", run.skipped);
}

#[test]
fn an_odd_timestamp_is_none_and_counted() {
    for odd in [
        json!("yesterday"),
        json!(0),
        json!("262143-01-01T00:00:00Z"),
        json!({"low": 1}),
    ] {
        let line = with(
            reply(0, "m1", json!([read("t1", "a")])),
            json!({"timestamp": odd}),
        );
        let run = run(&[line, result(5, "t1", "A")]);
        assert_eq!(call_at(&run, 1, 0).timing, Timing::Unknown);
        assert_eq!(run.skipped.unknown_fields["timestamp"], 1, "{odd}");
    }
}

#[test]
fn a_result_before_its_call_by_the_clock_is_unknown_and_counted() {
    let run = one_call(result(400, "t1", "A"));
    let call = call_at(&run, 1, 0);
    assert_eq!(call.timing, Timing::Unknown);
    assert_eq!(call.run_time(), None);
    assert_eq!(call.end, Some(Nanos::from_millis(400)), "shown as recorded");
    assert_eq!(run.skipped.negative, 1);
}

#[test]
fn the_models_time_ends_with_the_last_line_of_the_reply() {
    let run = run(&[
        prompt(0, "first"),
        prompt(1_000, "second"),
        reply(3_000, "m1", json!([read("t1", "a")])),
        result(3_500, "t1", "A"),
        reply(4_000, "m1", json!([read("t2", "b")])),
        result(5_000, "t2", "B"),
        reply(4_900, "m2", json!([])),
    ]);
    let turn = &run.turns[0];
    let model = turn.model.unwrap();
    assert_eq!(
        (model.start, model.end),
        (Nanos::from_millis(1_000), Nanos::from_millis(4_000))
    );
    assert_eq!(turn.model_timing, Timing::Events);
    assert_eq!(turn.at, Some(Nanos::from_millis(4_000)));
    assert_eq!(turn.end, Some(Nanos::from_millis(5_000)));
    // The first call was answered before the reply was complete: both bars overlap, nothing waits
    // a negative time.
    assert!(call_at(&run, 1, 0).end < turn.at);
    assert_eq!(run.turns[1].model, None, "its clock ran backwards");
    assert_eq!(run.skipped.negative, 1);
}

#[test]
fn time_zero_is_the_earliest_time_of_any_line() {
    let run = run(&[
        reply(1_000, "m1", json!([read("t1", "a")])),
        json!({"type": "system", "timestamp": at(-500)}),
        result(1_250, "t1", "A"),
    ]);
    assert_eq!(run.meta.at, at(-500));
    assert_eq!(call_at(&run, 1, 0).issued, Some(Nanos::from_millis(1_500)));
}

#[test]
fn times_keep_their_nanoseconds_and_their_offset() {
    let line = |time: &str, line| with(line, json!({"timestamp": time}));
    let run = run(&[
        line(
            "2026-01-02T00:00:00.000000001Z",
            reply(0, "m1", json!([read("t1", "a")])),
        ),
        line("2026-01-02T01:00:00.000000005+01:00", result(0, "t1", "A")),
    ]);
    assert_eq!(call_at(&run, 1, 0).run_time(), Some(Nanos(4)));
}

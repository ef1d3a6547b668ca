//! Exports of platforms that keep spans: Langfuse, LangSmith, Chrome traces.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::spans::*;
use import_support::*;
use serde_json::{Value, json};
use turnlane::model::{Outcome, Timing};
use turnlane::time::Nanos;
use turnlane::trace::Run;

fn tools(run: &Run, number: usize) -> Vec<&str> {
    let turn = run.threads[0].turns[number - 1];
    let calls = run.calls_of(&run.turns[turn as usize]).iter();
    calls.map(|call| run.tool(call)).collect()
}

fn ms(ms: u64) -> Option<Nanos> {
    Some(Nanos::from_millis(ms))
}

#[test]
fn a_langfuse_export_has_its_calls_also_where_tools_are_typed_as_spans() {
    let (run, _folder) = run_of(langfuse().to_string());
    assert_eq!(shape(&run), [2, 0]);
    assert_eq!(tools(&run, 1), ["get", "put"]);
    assert_eq!(outcomes(&run, 1), [Outcome::Ok, Outcome::Failed]);
    let put = call_at(&run, 1, 1);
    assert_eq!((put.issued, put.run_time()), (ms(1_000), ms(890)));
    assert_eq!(put.timing, Timing::Measured);
    assert_eq!(args_text(&run, put), "{\"a\":2}");
    assert_eq!(answer_text(&run, put), "no");
    assert_eq!(run.names.get(put.error), "bad");
    assert_eq!((&*run.meta.id, &*run.meta.task), ("t", "desk"));
    assert_eq!(run.turns[0].model.unwrap().len(), Nanos::from_millis(1_000));
}

#[test]
fn observations_inside_the_trace_are_the_same_ones() {
    let mut export = langfuse();
    let observations = export["observations"].clone();
    export["trace"]["observations"] = observations.clone();
    let (run, _folder) = run_of(export.to_string());
    assert_eq!(shape(&run), [2, 0]);
    let alone = json!({"id": "t", "projectId": "p", "observations": observations});
    let (run, _folder) = run_of(alone.to_string());
    assert_eq!(shape(&run), [2, 0]);
}

#[test]
fn points_that_all_end_when_they_were_written_are_joined() {
    let flush = 9_000;
    let point = |name: &str, at: i64, more: Value| observation(name, "", "SPAN", (at, flush), more);
    let kind = |kind: &str| json!({"metadata": {"attributes": {"openinference.span.kind": kind}}});
    let answer = json!({"metadata": {"attributes":
        {"openinference.span.kind": "TOOL", "output.value": "found"}}});
    let observations = json!([
        point("chat.start-1", 0, kind("LLM")),
        point("chat.success-1", 1_000, kind("LLM")),
        point("tool.search.start-2", 1_010, kind("TOOL")),
        point("tool.search.success-2", 1_500, answer),
        point("tool.search.finish-2", 1_501, kind("TOOL")),
        point("tool.look.start-3", 1_600, kind("TOOL")),
        point("tool.look.error-3", 1_700, kind("TOOL")),
        point("chat.start-4", 2_000, kind("LLM")),
    ]);
    let (run, _folder) = run_of(json!({"trace": {}, "observations": observations}).to_string());
    assert_eq!(shape(&run), [2, 0]);
    assert_eq!(tools(&run, 1), ["search", "look"]);
    assert_eq!(outcomes(&run, 1), [Outcome::Ok, Outcome::Failed]);
    let search = call_at(&run, 1, 0);
    assert_eq!(
        (search.timing, search.run_time()),
        (Timing::Events, ms(490))
    );
    assert_eq!(answer_text(&run, search), "found");
    assert_eq!(run.turns[0].model.unwrap().len(), Nanos::from_millis(1_000));
    assert_eq!(run.turns[1].model, None, "a start without an end is open");
}

#[test]
fn langsmith_runs_are_read_from_a_list_from_lines_and_from_inside_each_other() {
    let runs = langsmith();
    let each = runs.as_array().unwrap();
    let mut nested = each[0].clone();
    nested["child_runs"] = json!([each[1], each[2], each[3]]);
    for file in [runs.to_string(), text(each), nested.to_string()] {
        let (run, _folder) = run_of(file);
        assert_eq!(run.meta.source, "langsmith");
        assert_eq!(shape(&run), [2]);
        assert_eq!(tools(&run, 1), ["get", "put"]);
        assert_eq!(outcomes(&run, 1), [Outcome::Ok, Outcome::Failed]);
        let put = call_at(&run, 1, 1);
        assert_eq!((put.run_time(), put.timing), (ms(890), Timing::Measured));
        assert_eq!(args_text(&run, put), "{\"a\": 2}");
        assert_eq!(answer_text(&run, put), "yes");
        assert_eq!(run.names.get(put.error), "boom");
        assert_eq!(run.meta.model, "m");
    }
}

#[test]
fn langsmith_times_as_numbers_say_how_they_were_read() {
    let mut runs = langsmith();
    runs[2]["start_time"] = json!(1_767_312_000_000_u64);
    let (run, _folder) = run_of(runs.to_string());
    assert_eq!(run.skipped.notes["times read as milliseconds"], 1);
    assert_eq!(run.turns[0].model.unwrap().len(), Nanos::from_millis(1_000));
}

#[test]
fn a_langsmith_run_without_an_end_is_open() {
    let mut runs = langsmith();
    runs[3]["end_time"] = Value::Null;
    let (run, _folder) = run_of(runs.to_string());
    assert_eq!(outcomes(&run, 1), [Outcome::Unfinished, Outcome::Failed]);
}

#[test]
fn a_chrome_trace_has_the_slices_of_models_and_tools() {
    for file in [chrome().to_string(), chrome()["traceEvents"].to_string()] {
        let (run, _folder) = run_of(file);
        assert_eq!(shape(&run), [4]);
        assert_eq!(tools(&run, 1), ["get", "put", "far", "open"]);
        let get = call_at(&run, 1, 0);
        assert_eq!(
            (get.timing, get.run_time()),
            (Timing::Measured, Some(Nanos(400_000)))
        );
        assert_eq!(args_text(&run, get), "{\"a\":1}");
        let put = call_at(&run, 1, 1);
        assert_eq!((put.timing, put.outcome), (Timing::Events, Outcome::Failed));
        assert_eq!(put.run_time(), Some(Nanos(680_250)));
        assert_eq!(call_at(&run, 1, 3).outcome, Outcome::Unfinished);
        assert_eq!(run.turns[0].model.unwrap().len(), Nanos(1_000_500));
        assert_eq!(run.meta.at, "", "its clock is no wall clock");
        let other = "slices that are neither a model's nor a tool's";
        assert_eq!(run.skipped.notes[other], 1);
    }
}

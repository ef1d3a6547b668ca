#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::*;
use crate::import::place::At;
use crate::model::{Catalog, Outcome, Source, Timing};
use crate::time::Nanos;
use crate::trace::{BodyRef, Run, json};

const S: i64 = 1_000_000_000;

fn catalog() -> Catalog {
    let text = r#"[{"name": "get", "x-mutates": false, "x-resource-key": ["doc", "$args.id"]},
        {"name": "put", "x-mutates": true, "x-resource-key": ["doc", "$args.id"]},
        {"name": "put:view", "x-mutates": false, "x-resource-key": ["doc", "$args.id"]}]"#;
    Catalog::parse(text, "test").unwrap()
}

fn call<'a>(id: &'a str, tool: &'a str, views: &'a [&'a str], issued: i64) -> NewCall<'a> {
    NewCall {
        id,
        tool,
        views,
        issued: Some(issued),
        ..NewCall::default()
    }
}

fn keys(run: &Run, call: usize) -> (Vec<&str>, Vec<&str>) {
    let call = &run.calls[call];
    let texts = |range| {
        let ids = run.keys_in(range).iter();
        ids.map(|id| run.keys.text(*id)).collect()
    };
    (texts(call.reads), texts(call.writes))
}

#[test]
fn times_count_from_the_earliest_and_calls_lie_side_by_side_whatever_order_they_came_in() {
    let mut draft = Draft::new("test", &catalog());
    let main = draft.main();
    let first = draft.reply(main, "m", (Some(10 * S), Some(12 * S)));
    let second = draft.reply(main, "", (Some(20 * S), Some(21 * S)));
    draft.call(second, &call("b", "get", &[r#"{"id":"2"}"#], 21 * S));
    let a = draft.call(first, &call("a", "put", &[r#"{"id":"1"}"#], 12 * S));
    draft.settle(
        main,
        "b",
        Answer {
            end: Some(23 * S),
            ..Answer::default()
        },
    );
    draft.answer(
        a,
        Answer {
            end: Some(15 * S),
            timing: Timing::Events,
            ..Answer::default()
        },
    );
    let run = draft.finish();
    let shape: Vec<_> = run.turns.iter().map(|t| run.calls_of(t).len()).collect();
    assert_eq!(shape, [1, 1]);
    assert_eq!(run.turns[0].model.unwrap().len(), Nanos(2_000_000_000));
    assert_eq!(run.calls[0].issued, Some(Nanos(2_000_000_000)));
    assert_eq!(run.calls[0].run_time(), Some(Nanos(3_000_000_000)));
    assert_eq!(run.calls[0].timing, Timing::Events);
    assert_eq!(run.calls[1].timing, Timing::Bound);
    assert_eq!(run.turns[1].end, Some(Nanos(13_000_000_000)));
    assert_eq!(keys(&run, 0), (vec![], vec!["doc:1"]));
    assert_eq!(run.calls[0].source, Source::Declared);
    assert_eq!(run.meta.model, "m");
    assert_eq!(run.meta.at, "1970-01-01T00:00:10Z");
}

#[test]
fn a_time_that_runs_backwards_is_unknown_and_counted() {
    let mut draft = Draft::new("test", &catalog());
    let reply = draft.reply(draft.main(), "", (Some(9 * S), Some(8 * S)));
    let a = draft.call(reply, &call("a", "get", &[], 8 * S));
    let answer = Answer {
        end: Some(7 * S),
        ..Answer::default()
    };
    draft.answer(a, answer);
    let run = draft.finish();
    assert_eq!((run.turns[0].model, run.calls[0].run_time()), (None, None));
    assert_eq!(run.calls[0].timing, Timing::Unknown);
    assert_eq!(run.calls[0].end, Some(Nanos(0)), "shown as recorded");
    assert_eq!(run.skipped.negative, 2);
}

#[test]
fn the_tools_own_figure_is_measured_even_without_a_clock() {
    let mut draft = Draft::new("test", &catalog());
    let reply = draft.reply(draft.main(), "", (None, None));
    let a = draft.call(reply, &NewCall::default());
    let answer = Answer {
        own: Some(Nanos(5)),
        ..Answer::default()
    };
    draft.answer(a, answer);
    let open = draft.call(reply, &NewCall::default());
    draft.call_mut(open).timing = Timing::Measured;
    let run = draft.finish();
    let times = run.calls.iter().map(|call| (call.timing, call.run_time()));
    let expected = [(Timing::Measured, Some(Nanos(5))), (Timing::Unknown, None)];
    assert_eq!(times.collect::<Vec<_>>(), expected);
    assert_eq!(run.skipped.open_calls, 1);
    assert_eq!(run.turns[0].model_timing, Timing::Unknown);
}

#[test]
fn a_call_of_several_parts_touches_what_each_part_does() {
    let mut draft = Draft::new("test", &catalog());
    let reply = draft.reply(draft.main(), "", (None, None));
    let parts = [r#"{"id":"1"}"#, r#"{"id":"2"}"#, r#"{"id":"1"}"#];
    draft.call(reply, &call("a", "put", &parts, 0));
    draft.call(reply, &call("b", "put", &[r#"{"id":"1"}"#, r#"{"#], 0));
    let viewed = NewCall {
        declared_as: "put:view",
        ..call("c", "put", &parts[..1], 0)
    };
    draft.call(reply, &viewed);
    let run = draft.finish();
    assert_eq!(keys(&run, 0), (vec![], vec!["doc:1", "doc:2"]));
    assert!(run.calls[1].opaque, "half an argument names no key");
    assert_eq!(keys(&run, 2), (vec!["doc:1"], vec![]));
    assert_eq!(run.tool(&run.calls[2]), "put");
}

#[test]
fn results_find_the_latest_reply_that_waits_and_others_are_counted() {
    let mut draft = Draft::new("test", &catalog());
    let main = draft.main();
    let failed = |text: &str| Answer {
        outcome: Outcome::Failed,
        error: text.to_owned(),
        ..Answer::default()
    };
    assert!(draft.settle(main, "x", failed("early")).is_none());
    let first = draft.reply(main, "", (None, None));
    draft.call(first, &call("x", "get", &[], 0));
    let second = draft.reply(main, "", (None, None));
    draft.call(second, &call("x", "get", &[], 0));
    draft.settle(main, "x", failed("second"));
    draft.settle(main, "nobody", failed("lost"));
    let run = draft.finish();
    let errors = run.calls.iter().map(|call| run.names.get(call.error));
    assert_eq!(errors.collect::<Vec<_>>(), ["early", "second"]);
    assert_eq!((run.skipped.orphans, run.skipped.duplicate_ids), (1, 2));
}

#[test]
fn threads_are_linked_by_their_call_and_keep_names_of_their_own() {
    let mut draft = Draft::new("test", &catalog());
    let reply = draft.reply(draft.main(), "", (None, None));
    let a = draft.call(reply, &call("a", "get", &[], 0));
    let names = [
        ("main", Parent::Call(a)),
        ("sub", Parent::Unknown),
        ("sub", Parent::Nobody),
        ("empty", Parent::Unknown),
    ];
    for (name, parent) in names {
        let thread = draft.thread(name, parent);
        if name != "empty" {
            draft.reply(thread, "", (None, None));
        }
    }
    let run = draft.finish();
    let threads: Vec<_> = run.threads.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(threads, ["main", "main-2", "sub", "sub-2"]);
    let parent = run.threads[1].parent.unwrap();
    assert_eq!((parent.thread.0, parent.turn, parent.call), (0, 1, 0));
    assert_eq!(run.skipped.unlinked, 1);
}

#[test]
fn a_part_of_a_document_lies_where_it_stands_in_the_file() {
    let text = r#"{"a": {"b": [1, {"c": "x"}]}}"#;
    let at = At {
        file: 3,
        text,
        offset: 7,
    };
    let [a] = json::fields(text, ["a"]).unwrap();
    let [b] = json::fields(a.unwrap().get(), ["b"]).unwrap();
    let second = json::items(b.unwrap().get()).unwrap()[1];
    let found = at.body(second.get());
    let expected = BodyRef {
        file: 3,
        offset: 7 + 16,
        len: 10,
    };
    assert_eq!(found, expected);
}

//! Spans of OpenTelemetry: which call belongs to which reply, and what their times say.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::spans::*;
use import_support::*;
use serde_json::{Value, json};
use turnlane::import::{Opened, open_any};
use turnlane::model::{Catalog, Outcome, Timing};
use turnlane::time::Nanos;
use turnlane::trace::Run;

/// A run with the file that its bodies lie in.
struct Read(
    Run,
    #[expect(dead_code, reason = "it goes with the file")] Folder,
);

impl std::ops::Deref for Read {
    type Target = Run;
    fn deref(&self) -> &Run {
        &self.0
    }
}

fn read(spans: &[Value]) -> Read {
    read_file(otlp(spans).to_string())
}

fn read_file(bytes: impl AsRef<[u8]>) -> Read {
    let (run, folder) = run_of(bytes);
    Read(run, folder)
}

fn ms(ms: u64) -> Option<Nanos> {
    Some(Nanos::from_millis(ms))
}

/// The names of a turn's tools.
fn tools(run: &Run, number: usize) -> Vec<&str> {
    let turn = run.threads[0].turns[number - 1];
    let calls = run.calls_of(&run.turns[turn as usize]).iter();
    calls.map(|call| run.tool(call)).collect()
}

fn note(run: &Run, words: &str) -> u64 {
    let notes = run.skipped.notes.iter();
    let notes = notes.filter(|(note, _)| note.contains(words));
    notes.map(|(_, n)| n).sum()
}

fn no_args() -> Value {
    json!({})
}

/// Everything of a run that a file's order must not change.
fn told(run: &Run) -> Vec<String> {
    let mut told = Vec::new();
    for thread in &run.threads {
        told.push(format!("{} {:?}", thread.name, thread.parent));
        for turn in &thread.turns {
            let turn = &run.turns[*turn as usize];
            told.push(format!("{:?} {:?}", turn.model, turn.at));
            for call in run.calls_of(turn) {
                let (args, answer) = (args_text(run, call), answer_text(run, call));
                let (tool, id) = (run.tool(call), run.names.get(call.id));
                told.push(format!("{tool} {id} {args} {answer} {:?}", call.outcome));
                told.push(format!("{:?} {:?} {:?}", call.issued, call.start, call.end));
            }
        }
    }
    told.extend(run.skipped.notes.iter().map(|note| format!("{note:?}")));
    told
}

#[test]
fn a_reply_has_the_calls_it_asked_for_in_its_order() {
    let run = read(&[
        agent(1, 0, "desk", (0, 5_000)),
        chat(
            2,
            1,
            (0, 1_000),
            &[part("a", "get", &no_args()), part("b", "put", &no_args())],
        ),
        tool(3, 1, (1_010, 1_500), "put", "b"),
        tool(4, 1, (1_020, 1_400), "get", "a"),
        chat(5, 1, (1_600, 2_000), &[]),
    ]);
    assert_eq!(shape(&run), [2, 0]);
    assert_eq!(tools(&run, 1), ["get", "put"]);
    let call = call_at(&run, 1, 0);
    assert_eq!(
        (call.issued, call.start, call.end),
        (ms(1_000), ms(1_020), ms(1_400))
    );
    assert_eq!((call.timing, call.outcome), (Timing::Measured, Outcome::Ok));
    assert_eq!(args_text(&run, call), "{\"order_id\":\"o1\"}");
    assert_eq!(answer_text(&run, call), "ok");
    let turn = &run.turns[0];
    assert_eq!(turn.model.unwrap().len(), Nanos::from_millis(1_000));
    assert_eq!(turn.model_timing, Timing::Measured);
    assert_eq!(run.names.get(turn.model_name), "some-model");
    assert!(run.skipped.notes.is_empty(), "{:?}", run.skipped.notes);
}

#[test]
fn a_tool_chained_to_its_sibling_is_a_sibling_with_a_doubtful_link() {
    let run = read(&[
        silent_chat(1, 0, (0, 1_000)),
        tool(2, 1, (1_000, 4_000), "one", ""),
        tool(3, 2, (1_100, 5_000), "two", ""),
        // Begins after the one that it is said to be inside.
        tool(4, 3, (5_100, 5_200), "three", ""),
    ]);
    assert_eq!(tools(&run, 1), ["one", "two", "three"]);
    assert_eq!(run.threads.len(), 1);
    assert_eq!(note(&run, "doubtful links"), 2);
    // The shorter of two parallel ones lies in the other by the clock; the model asked for both.
    let run = read(&[
        chat(
            1,
            0,
            (0, 1_000),
            &[part("a", "one", &no_args()), part("b", "two", &no_args())],
        ),
        tool(2, 1, (1_000, 4_000), "one", "a"),
        tool(3, 2, (1_100, 2_000), "two", "b"),
    ]);
    assert_eq!(tools(&run, 1), ["one", "two"]);
    assert_eq!(note(&run, "doubtful links"), 1);
}

#[test]
fn an_orphan_or_a_run_in_another_trace_finds_its_reply() {
    let mut far = tool(9, 77, (1_010, 1_200), "get", "a");
    far["traceId"] = json!("00000000000000000000000000000009");
    let mut nameless = tool(8, 0, (1_020, 1_300), "put", "");
    nameless["traceId"] = json!("00000000000000000000000000000008");
    let run = read(&[
        agent(1, 0, "desk", (0, 5_000)),
        chat(2, 1, (0, 1_000), &[part("a", "get", &no_args())]),
        far,
        nameless,
    ]);
    assert_eq!(tools(&run, 1), ["get", "put"]);
    assert_eq!(note(&run, "whose parent is not in the file"), 1);
    assert_eq!(
        note(&run, "doubtful links"),
        1,
        "an id is no doubt, the clock alone is"
    );
}

#[test]
fn a_call_without_a_span_is_kept_with_unknown_times() {
    let run = read(&[
        chat(
            1,
            0,
            (0, 1_000),
            &[
                part("a", "get", &no_args()),
                part("b", "put", &json!({"x": 1})),
            ],
        ),
        tool(2, 1, (1_010, 1_400), "get", "a"),
    ]);
    assert_eq!(tools(&run, 1), ["get", "put"]);
    let lost = call_at(&run, 1, 1);
    assert_eq!(
        (lost.outcome, lost.timing, lost.end),
        (Outcome::Unfinished, Timing::Unknown, None)
    );
    assert_eq!(lost.run_time(), None);
    assert_eq!(run.names.get(lost.error), "no span");
    assert_eq!(args_text(&run, lost), "{\"x\":1}");
    assert_eq!(
        (note(&run, "calls without a span"), run.skipped.open_calls),
        (1, 1)
    );
}

#[test]
fn the_order_of_spans_in_the_file_changes_nothing() {
    let spans = everything();
    let first = told(&read(&spans));
    assert!(first.len() > 20, "{first:?}");
    let mut turned = spans.clone();
    turned.reverse();
    assert_eq!(told(&read(&turned)), first);
    for by in 1..spans.len() {
        let mut turned = spans.clone();
        turned.rotate_left(by);
        turned.swap(0, by / 2);
        assert_eq!(told(&read(&turned)), first, "turned by {by}");
    }
}

#[test]
fn every_layout_of_the_file_reads_the_same() {
    let spans = everything();
    let one = otlp(&spans);
    let first = told(&read(&spans));
    let each: Vec<Value> = spans
        .iter()
        .map(|span| otlp(std::slice::from_ref(span)))
        .collect();
    let lines = text(&each);
    let list = Value::Array(each).to_string();
    let pretty = serde_json::to_string_pretty(&one).unwrap();
    let snake = one
        .to_string()
        .replace("resourceSpans", "resource_spans")
        .replace("scopeSpans", "scope_spans")
        .replace("traceId", "trace_id")
        .replace("parentSpanId", "parent_span_id")
        .replace("spanId", "span_id")
        .replace("startTimeUnixNano", "start_time_unix_nano")
        .replace("endTimeUnixNano", "end_time_unix_nano")
        .replace("stringValue", "string_value")
        .replace("kvlistValue", "kvlist_value")
        .replace("arrayValue", "array_value")
        .replace("boolValue", "bool_value")
        .replace("intValue", "int_value");
    let upper = one.to_string().replace(TRACE, &TRACE.to_uppercase());
    let torn = lines.clone() + "{\"resourceSpans\":[{\"sco";
    for (layout, file) in [
        ("lines", lines),
        ("list", list),
        ("pretty", pretty),
        ("snake case", snake),
        ("capital digits", upper),
        ("an unfinished line", torn),
    ] {
        assert_eq!(told(&read_file(file)), first, "{layout}");
    }
}

#[test]
fn ids_in_base64_are_the_same_ids() {
    let mut chat = chat(1, 0, (0, 1_000), &[]);
    let mut run = tool(2, 1, (1_010, 1_400), "get", "");
    chat["traceId"] = json!("Z/xicU0rs76rmyv+2xK3PA==");
    chat["spanId"] = json!("AAAAAAAAAAE=");
    run["parentSpanId"] = json!("0000000000000001");
    let run = read(&[chat, run]);
    assert_eq!(tools(&run, 1), ["get"]);
    assert_eq!(note(&run, "parent is not in the file"), 0);
}

#[test]
fn nanoseconds_keep_their_last_digit_however_they_are_written() {
    let exact = 1_767_312_000_000_478_123_u64;
    let (low, high) = (exact & 0xffff_ffff, exact >> 32);
    for start in [
        json!(exact.to_string()),
        json!(exact),
        json!({"low": low, "high": high}),
        json!({"low": i64::from(u32::try_from(low).unwrap().cast_signed()), "high": high}),
    ] {
        let mut chat = silent_chat(1, 0, (0, 1_000));
        chat["startTimeUnixNano"] = start.clone();
        let run = read(&[chat]);
        let model = run.turns[0].model.unwrap();
        assert_eq!(model.len(), Nanos(1_000_000_000 - 478_123), "{start}");
        assert_eq!(run.meta.at, "2026-01-02T00:00:00.000478123Z");
    }
}

#[test]
fn times_in_another_unit_are_read_with_a_warning_and_never_as_centuries() {
    let seconds =
        json!({"startTimeUnixNano": 1_767_312_000, "endTimeUnixNano": 1_767_312_001_500_u64});
    let mixed = with(tool(2, 0, (0, 0), "get", ""), seconds);
    let run = read(&[silent_chat(1, 0, (-1_000, -100)), mixed]);
    let call = call_at(&run, 1, 0);
    assert_eq!(call.timing, Timing::Unknown, "start and end disagree");
    assert_eq!((call.start, call.end), (ms(1_000), ms(2_500)));
    assert_eq!(note(&run, "start and end in different units"), 1);
    assert_eq!(note(&run, "times read as seconds"), 1);
    assert_eq!(note(&run, "times read as milliseconds"), 1);
    let same = json!({"startTimeUnixNano": 1_767_312_000_000_u64, "endTimeUnixNano": 1_767_312_001_500_u64});
    let run = read(&[
        silent_chat(1, 0, (-1_000, -100)),
        with(tool(2, 0, (0, 0), "get", ""), same),
    ]);
    let call = call_at(&run, 1, 0);
    assert_eq!(call.run_time(), ms(1_500));
    assert_eq!(note(&run, "times read as milliseconds"), 2);
}

#[test]
fn a_span_without_an_end_is_open() {
    for end in [json!("0"), json!(0), Value::Null, json!("soon")] {
        let mut open = tool(2, 0, (1_010, 1_400), "get", "a");
        open["endTimeUnixNano"] = end.clone();
        let mut reply = silent_chat(3, 0, (2_000, 3_000));
        reply["endTimeUnixNano"] = end.clone();
        let run = read(&[
            chat(1, 0, (0, 1_000), &[part("a", "get", &no_args())]),
            open,
            reply,
        ]);
        let call = call_at(&run, 1, 0);
        assert_eq!(
            (call.outcome, call.end, call.timing),
            (Outcome::Unfinished, None, Timing::Unknown),
            "{end}"
        );
        assert_eq!(call.start, ms(1_010));
        assert_eq!(run.turns[1].model, None, "{end}");
        assert_eq!(run.skipped.open_calls, 1);
        assert_eq!(run.skipped.negative, 0);
    }
}

#[test]
fn an_end_before_the_start_is_unknown_and_counted_and_shown_as_recorded() {
    let run = read(&[
        silent_chat(1, 0, (0, 1_000)),
        tool(2, 1, (1_400, 1_100), "get", ""),
    ]);
    let call = call_at(&run, 1, 0);
    assert_eq!((call.timing, call.run_time()), (Timing::Unknown, None));
    assert_eq!((call.start, call.end), (ms(1_400), ms(1_100)));
    assert_eq!(run.skipped.negative, 1);
    let run = read(&[silent_chat(1, 0, (1_000, 0))]);
    assert_eq!(run.turns[0].model, None);
    assert_eq!(run.skipped.negative, 1);
}

#[test]
fn a_child_that_starts_before_its_parent_says_that_clocks_differ() {
    let run = read(&[agent(1, 0, "desk", (0, 100)), silent_chat(2, 1, (-40, 30))]);
    assert_eq!(note(&run, "clock skew"), 1);
    let model = run.turns[0].model.unwrap();
    assert_eq!(model.len(), Nanos::from_millis(70), "nothing is clamped");
}

#[test]
fn a_tool_that_starts_while_the_reply_is_written_was_issued_then() {
    let run = read(&[
        chat(
            1,
            0,
            (0, 5_000),
            &[part("a", "get", &no_args()), part("b", "put", &no_args())],
        ),
        tool(2, 0, (2_000, 4_000), "get", "a"),
        tool(3, 0, (4_500, 6_000), "put", "b"),
    ]);
    assert_eq!(call_at(&run, 1, 0).issued, ms(2_000));
    assert_eq!(call_at(&run, 1, 1).issued, ms(4_500));
    assert_eq!(run.turns[0].end, ms(6_000));
    // Without ids the place decides, and the reply had begun.
    let run = read(&[
        silent_chat(1, 0, (0, 5_000)),
        tool(2, 0, (2_000, 4_000), "get", ""),
        silent_chat(3, 0, (7_000, 8_000)),
    ]);
    assert_eq!(shape(&run), [1, 0]);
}

#[test]
fn without_times_the_structure_is_there_and_nothing_is_zero() {
    let bare = |span: Value| without(without(span, "startTimeUnixNano"), "endTimeUnixNano");
    let run = read(&[
        bare(chat(1, 0, (0, 0), &[part("a", "get", &no_args())])),
        bare(tool(2, 1, (0, 0), "get", "a")),
    ]);
    assert_eq!(tools(&run, 1), ["get"]);
    let call = call_at(&run, 1, 0);
    assert_eq!((call.timing, call.run_time()), (Timing::Unknown, None));
    assert_eq!(run.turns[0].model, None);
    assert_eq!(run.meta.at, "");
}

#[test]
fn an_error_is_a_failure_with_its_words() {
    let status = |status: Value, events: Value| {
        let more = json!({"status": status, "events": events});
        let run = read(&[
            silent_chat(1, 0, (0, 1_000)),
            with(tool(2, 1, (1_010, 1_400), "get", ""), more),
        ]);
        let call = call_at(&run, 1, 0);
        (call.outcome, run.names.get(call.error).to_owned())
    };
    let exception = json!([{"name": "exception", "attributes": [
        attr("exception.type", "builtins.TimeoutError"), attr("exception.message", "slow")]}]);
    let none = json!([]);
    let said = |text: &str| text.to_owned();
    assert_eq!(
        status(json!({"code": 2, "message": "no"}), none.clone()),
        (Outcome::Failed, said("no"))
    );
    assert_eq!(
        status(json!({"code": "STATUS_CODE_ERROR"}), none.clone()).0,
        Outcome::Failed
    );
    assert_eq!(status(json!({}), exception.clone()).0, Outcome::TimedOut);
    assert_eq!(
        status(json!({"code": 1}), exception),
        (Outcome::Ok, said(""))
    );
    assert_eq!(status(json!({"code": 0}), none), (Outcome::Ok, said("")));
}

#[test]
fn a_sub_agent_is_the_agent_below_a_call() {
    let run = read(&everything());
    assert_eq!(shape(&run), [4, 1, 0]);
    let helper = thread(&run, "helper");
    let parent = helper.parent.unwrap();
    assert_eq!((parent.thread.0, parent.turn, parent.call), (0, 2, 0));
    assert_eq!(helper.turns.len(), 2);
    let first = run.calls_of(&run.turns[helper.turns[0] as usize]);
    let packed = "{\"order_id\":\"o2\",\"n\":7,\"list\":[true]}";
    assert_eq!(args_text(&run, &first[0]), packed);
    assert_eq!(run.skipped.unlinked, 0);
}

#[test]
fn a_sub_agent_without_a_span_of_its_own_has_a_thread_too() {
    let run = read(&[
        silent_chat(1, 0, (0, 1_000)),
        tool(2, 1, (1_010, 5_000), "ask", ""),
        silent_chat(3, 2, (1_020, 2_000)),
        tool(4, 2, (2_010, 2_400), "get", ""),
        silent_chat(5, 2, (2_500, 3_000)),
    ]);
    assert_eq!(shape(&run), [1]);
    let inner = thread(&run, "ask");
    assert_eq!(inner.parent.unwrap().call, 0);
    let calls = inner.turns.iter();
    let calls: Vec<_> = calls
        .map(|turn| run.calls_of(&run.turns[*turn as usize]).len())
        .collect();
    assert_eq!(calls, [1, 0]);
}

#[test]
fn frames_between_reply_and_tool_change_nothing() {
    let run = read(&[
        agent(1, 0, "desk", (0, 5_000)),
        silent_chat(2, 1, (0, 1_000)),
        span(3, 1, "running 2 tools", (1_001, 1_600), vec![]),
        tool(4, 3, (1_010, 1_400), "get", ""),
        tool(5, 3, (1_010, 1_500), "put", ""),
        silent_chat(6, 1, (2_000, 3_000)),
        tool(7, 1, (3_010, 3_400), "get", ""),
    ]);
    assert_eq!(shape(&run), [2, 1]);
    assert!(run.skipped.notes.is_empty(), "{:?}", run.skipped.notes);
}

#[test]
fn one_reply_seen_by_two_instrumentations_is_one() {
    let run = read(&[
        chat(1, 0, (0, 1_000), &[part("a", "get", &no_args())]),
        silent_chat(2, 1, (100, 900)),
        tool(3, 0, (1_010, 1_400), "get", "a"),
        tool(4, 3, (1_020, 1_300), "get", "a"),
    ]);
    assert_eq!(shape(&run), [1]);
    let model = run.turns[0].model.unwrap();
    assert_eq!(model.len(), Nanos::from_millis(800), "the innermost");
    assert_eq!(call_at(&run, 1, 0).run_time(), ms(390), "the outermost");
    assert_eq!(run.skipped.merged, 2);
}

#[test]
fn a_span_that_was_written_at_its_start_and_at_its_end_is_one() {
    let open = without(tool(2, 1, (1_010, 0), "get", ""), "endTimeUnixNano");
    let whole = tool(2, 1, (1_010, 1_400), "get", "");
    for spans in [[open.clone(), whole.clone()], [whole, open]] {
        let [a, b] = spans;
        let run = read(&[silent_chat(1, 0, (0, 1_000)), a, b]);
        assert_eq!(shape(&run), [1]);
        assert_eq!(call_at(&run, 1, 0).end, ms(1_400));
        assert_eq!(run.skipped.copies, 1);
    }
}

#[test]
fn a_repeated_call_id_pairs_with_the_latest_reply_before_the_run() {
    let ask = |number, start| {
        chat(
            number,
            0,
            (start, start + 100),
            &[part("call_0", "get", &no_args())],
        )
    };
    let run = read(&[
        ask(1, 0),
        tool(2, 0, (110, 200), "get", "call_0"),
        ask(3, 300),
        tool(4, 0, (410, 500), "get", "call_0"),
        ask(5, 600),
    ]);
    assert_eq!(shape(&run), [1, 1, 1]);
    assert_eq!(call_at(&run, 1, 0).end, ms(200));
    assert_eq!(call_at(&run, 2, 0).end, ms(500));
    assert_eq!(call_at(&run, 3, 0).end, None);
}

#[test]
fn agents_that_work_one_after_another_share_a_thread_and_those_at_once_do_not() {
    let two = |start: i64| {
        read(&[
            agent(1, 0, "first", (0, 2_000)),
            silent_chat(2, 1, (0, 1_000)),
            tool(3, 1, (1_010, 1_900), "get", ""),
            agent(4, 0, "second", (start, start + 2_000)),
            silent_chat(5, 4, (start, start + 1_000)),
            tool(6, 4, (start + 1_010, start + 1_500), "put", ""),
        ])
    };
    let run = two(3_000);
    assert_eq!((run.threads.len(), shape(&run)), (1, vec![1, 1]));
    let run = two(500);
    assert_eq!(shape(&run), [1]);
    let second = thread(&run, "second");
    assert_eq!((second.turns.len(), second.parent), (1, None));
    assert_eq!(run.skipped.unlinked, 0, "nobody started it");
}

#[test]
fn tools_without_any_reply_are_grouped_by_overlap_and_that_is_said() {
    let run = read(&[
        tool(1, 0, (0, 500), "get", ""),
        tool(2, 0, (100, 300), "put", ""),
        tool(3, 0, (600, 700), "get", ""),
    ]);
    assert_eq!(shape(&run), [2, 1]);
    assert_eq!(note(&run, "put together by overlap"), 2);
    assert_eq!(run.turns[0].model, None);
    let call = call_at(&run, 1, 0);
    assert_eq!((call.issued, call.timing), (None, Timing::Measured));
}

#[test]
fn what_other_conventions_call_it_is_read_too() {
    let tool_of = |attributes: Vec<Value>| span(2, 1, "run", (1_010, 1_400), attributes);
    let flat = |key: &str| format!("gen_ai.completion.0.tool_calls.0.{key}");
    let open_llmetry = [
        span(
            1,
            0,
            "openai.chat",
            (0, 1_000),
            vec![
                attr("llm.request.type", "chat"),
                attr(&flat("id"), "a"),
                attr(&flat("name"), "get"),
                attr(&flat("arguments"), "{\"x\":1}"),
            ],
        ),
        tool_of(vec![
            attr("traceloop.span.kind", "tool"),
            attr("traceloop.entity.name", "get"),
            attr(
                "traceloop.entity.input",
                "{\"inputs\": {\"x\":1}, \"tags\": []}",
            ),
            attr("traceloop.entity.output", "yes"),
        ]),
    ];
    let key = |key: &str| format!("llm.output_messages.0.message.tool_calls.0.tool_call.{key}");
    let open_inference = [
        span(
            1,
            0,
            "ChatCompletion",
            (0, 1_000),
            vec![
                attr("openinference.span.kind", "LLM"),
                attr(&key("function.name"), "get"),
                attr(&key("function.arguments"), "{\"x\":1}"),
            ],
        ),
        tool_of(vec![
            attr("openinference.span.kind", "TOOL"),
            attr("tool.name", "get"),
            attr("input.value", "{\"x\":1}"),
            attr("output.value", "yes"),
        ]),
    ];
    let older = [
        span(
            1,
            0,
            "chat m",
            (0, 1_000),
            vec![
                attr("gen_ai.request.model", "m"),
                attr("gen_ai.operation.name", "chat"),
                attr(
                    "events",
                    &json!([{"event.name": "gen_ai.choice", "message": {"tool_calls": [
                    {"id": "a", "type": "function",
                        "function": {"name": "get", "arguments": "{\"x\":1}"}}]}}])
                    .to_string(),
                ),
            ],
        ),
        tool_of(vec![
            attr("gen_ai.tool.name", "get"),
            attr("gen_ai.tool.call.id", "a"),
            attr("tool_arguments", "{\"x\":1}"),
            attr("tool_response", "yes"),
        ]),
    ];
    for spans in [open_llmetry, open_inference, older] {
        let run = read(&spans);
        assert_eq!(tools(&run, 1), ["get"], "{spans:?}");
        let call = call_at(&run, 1, 0);
        assert_eq!(args_text(&run, call), "{\"x\":1}");
        assert_eq!(answer_text(&run, call), "yes");
        assert_eq!(note(&run, "without a span"), 0);
    }
}

#[test]
fn what_only_gives_an_answer_its_shape_is_no_call() {
    let mut reply = chat(1, 0, (0, 1_000), &[part("a", "final_result", &no_args())]);
    let choice = "{\"function_tools\":[],\"output_tools\":[{\"name\":\"final_result\"}]}";
    let attributes = reply["attributes"].as_array_mut().unwrap();
    attributes.push(attr("model_request_parameters", choice));
    let run = read(&[reply]);
    assert_eq!(shape(&run), [0]);
    assert_eq!(note(&run, "structured answers"), 1);
}

fn keyed(args: &str) -> (Run, Folder) {
    let tools = json!({"tools": [{"name": "put", "parameters": {}, "x-mutates": true,
        "x-resource-key": ["order", "$args.order_id"]}]});
    let catalog = Catalog::parse(&tools.to_string(), "test").unwrap();
    let mut run = tool(2, 1, (1_010, 1_400), "put", "a");
    run["attributes"][2] = attr("gen_ai.tool.call.arguments", args);
    let other = tool(3, 1, (1_010, 1_300), "put", "b");
    let folder = Folder::new();
    let file = otlp(&[silent_chat(1, 0, (0, 1_000)), run, other]).to_string();
    let path = folder.write("x", file);
    match open_any(&path, &catalog).unwrap() {
        Opened::Run(run) => (*run, folder),
        Opened::Scenario(_) => panic!("no scenario"),
    }
}

#[test]
fn half_arguments_give_no_key_and_are_shown_as_they_are() {
    let (run, _folder) = keyed("{\"order_id\":\"o7\"}");
    assert_eq!(keys(&run, call_at(&run, 1, 0)).1, ["order:o7"]);
    for args in ["{\"order_id\":\"o7", "\"{\\\"order_id\\\":\\\"o7\\\"}\""] {
        let (run, _folder) = keyed(args);
        let call = call_at(&run, 1, 0);
        assert!(call.opaque, "{args}");
        assert_eq!(args_text(&run, call), args);
        assert!(!call_at(&run, 1, 1).opaque, "its sibling is intact");
    }
}

#[test]
fn very_deep_arguments_cost_nothing_but_themselves() {
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let (run, _folder) = keyed(&format!("{{\"order_id\":{deep}}}"));
    assert_eq!(shape(&run), [2]);
    assert!(call_at(&run, 1, 0).opaque);
    assert!(!call_at(&run, 1, 1).opaque);
    let text = format!(
        "{{\"x\":{deep},\"resourceSpans\":[{{\"scopeSpans\":[{{\"spans\":[{}]}}]}}]}}",
        silent_chat(1, 0, (0, 1))
    );
    assert_eq!(shape(&read_file(text)), [0]);
}

#[test]
fn what_is_no_span_is_counted() {
    let lines = text(&[otlp(&everything()), json!({"resourceLogs": []})]);
    let (run, _folder) = run_of(lines + "not json\n");
    assert_eq!(run.skipped.unknown_types["resourceLogs"], 1);
    assert_eq!(run.skipped.bad_lines, 1);
}

#[test]
fn thousands_of_calls_in_one_reply_stay_quick() {
    let n = 5_000;
    let names: Vec<String> = (0..n).map(|i| format!("c{i}")).collect();
    let parts: Vec<Value> = names.iter().map(|id| part(id, "get", &no_args())).collect();
    let mut spans = vec![chat(1, 0, (0, 1_000), &parts)];
    for (number, id) in (2..).zip(names.iter().rev()) {
        spans.push(tool(number, 1, (1_010, 1_011), "get", id));
    }
    // All of one id, and chained to each other.
    let same: Vec<Value> = (0..n).map(|_| part("x", "get", &no_args())).collect();
    spans.push(chat(90_001, 0, (2_000, 3_000), &same));
    for number in 90_002..90_002 + n {
        spans.push(tool(number, number - 1, (3_010, 3_011), "get", "x"));
    }
    let run = read(&spans);
    assert_eq!(shape(&run)[0], 5_000);
    assert_eq!(run.names.get(call_at(&run, 1, 4_999).id), "c4999");
}

#[test]
fn a_reply_is_the_same_one_wherever_its_span_is_written() {
    let one = read(&everything());
    let pretty = serde_json::to_string_pretty(&otlp(&everything())).unwrap();
    let other = read_file(pretty);
    let origins = |run: &Run| run.turns.iter().map(|turn| turn.origin).collect::<Vec<_>>();
    assert_eq!(origins(&one), origins(&other));
    let distinct: std::collections::HashSet<u64> = origins(&one).into_iter().collect();
    assert_eq!((distinct.len(), distinct.contains(&0)), (5, false));
}

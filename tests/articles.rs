//! The tests that the two articles describe, named after them, through the real runner.

#![cfg(feature = "run")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::runtime::{Builder, Runtime};
use turnlane::model::{CallRequest, Catalog, KeyTable, Outcome};
use turnlane::run::{
    Answer, CallContext, CancelTurn, Event, Observer, Runner, Tool, ToolError, TurnResult,
};
use turnlane::schedule::{OnFailure, Options, Plan, Policy, Slots};
use turnlane::time::Nanos;

const CATALOG: &str = r#"{"tools": [
  {"name": "get_invoice", "x-mutates": false, "x-resource-key": ["invoice", "$args.invoice_id"]},
  {
    "name": "update_invoice",
    "description": "Update mutable fields of an existing invoice.",
    "parameters": { "invoice_id": "string", "shipping_note": "string" },
    "x-mutates": true,
    "x-resource-key": ["invoice", "$args.invoice_id"]
  },
  {"name": "charge_card", "parameters": {}, "x-mutates": true, "x-resource-key": ["invoice", "$args.invoice_id"]},
  {"name": "code_read", "parameters": {}, "x-mutates": false, "x-resource-key": ["file", "$args.path"]},
  {"name": "code_patch", "parameters": {}, "x-mutates": true, "x-resource-key": ["file", "$args.path"]},
  {"name": "run_tests", "parameters": {}},
  {"name": "final_answer", "parameters": {}, "x-final": true}
]}"#;

/// A tool made of a function that gets the call and its cancellation.
struct Made<F>(F);

impl<F> Tool for Made<F>
where
    F: Fn(CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> + Send + Sync + 'static,
{
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        (self.0)(context)
    }
}

fn made<F, R>(body: F) -> Arc<dyn Tool>
where
    F: Fn(CallContext) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Answer, ToolError>> + Send + 'static,
{
    Arc::new(Made(move |context| {
        Box::pin(body(context)) as BoxFuture<'static, _>
    }))
}

fn sleeps(ms: u64) -> Arc<dyn Tool> {
    made(move |context| async move {
        tokio::select! {
            () = context.cancel.cancelled() => Err(ToolError::Cancelled),
            () = tokio::time::sleep(Duration::from_millis(ms)) => Ok(Answer::text("done")),
        }
    })
}

fn paused() -> Runtime {
    Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
}

fn runner(policy: Policy) -> Runner {
    Runner::new(Catalog::parse(CATALOG, "articles.json").unwrap(), policy)
}

fn call(tool: &str, args: &str) -> CallRequest {
    CallRequest::new(tool, args)
}

fn outcomes(result: &TurnResult) -> Vec<Outcome> {
    result.answers.iter().map(|a| a.outcome).collect()
}

/// The starts, and the order per key.
type Orders = (Vec<u32>, BTreeMap<String, Vec<u32>>);

/// What the driver reports of order.
#[derive(Clone, Default)]
struct OrderLog(Arc<Mutex<Orders>>);

impl Observer for OrderLog {
    fn record(&mut self, event: &Event<'_>, keys: &KeyTable) -> io::Result<()> {
        let mut seen = self.0.lock().unwrap();
        match event {
            Event::Start { key, .. } => seen.0.push(key.index),
            Event::TurnEnd { key_order, .. } => {
                seen.1.extend(
                    key_order
                        .iter()
                        .map(|(k, calls)| (keys.text(*k).to_owned(), calls.clone())),
                );
            }
            _ => {}
        }
        Ok(())
    }
}

/// `TestStages`: consecutive calls to read-only tools share a stage; an unknown tool, a tool that
/// may write and the final one are a stage alone.
#[test]
fn stages() {
    let catalog = Catalog::parse(CATALOG, "articles.json").unwrap();
    let mut keys = KeyTable::new();
    let turn = [
        "code_read",
        "code_read",
        "code_patch",
        "code_read",
        "nobody_knows_it",
        "run_tests",
        "code_read",
        "code_read",
        "final_answer",
    ];
    let effects: Vec<_> = turn
        .iter()
        .map(|tool| catalog.effects(tool, r#"{"path":"a"}"#, None, &mut keys))
        .collect();
    let specs: Vec<_> = effects
        .iter()
        .map(|e| turnlane::schedule::CallSpec {
            reads: &e.reads,
            writes: &e.writes,
            opaque: e.opaque,
            is_final: e.is_final,
            ..Default::default()
        })
        .collect();
    let plan = Plan::new(Policy::Staged, &specs, &keys);
    let stages: Vec<u32> = (0..9).map(|c| plan.stage(c)).collect();
    assert_eq!(stages, [0, 0, 1, 2, 3, 4, 5, 5, 6]);
}

/// `TestBarrier`: a slow edit and a test tool that reports the version of the code it ran against.
fn version_seen_by_the_tests(policy: Policy) -> String {
    let version = Arc::new(AtomicU32::new(1));
    let (edited, tested) = (version.clone(), version);
    let mut runner = runner(policy);
    runner.add_tool(
        "code_patch",
        made(move |_| {
            let version = edited.clone();
            async move {
                tokio::time::sleep(Duration::from_millis(300)).await;
                version.store(2, Ordering::SeqCst);
                Ok(Answer::text("patched"))
            }
        }),
    );
    runner.add_tool(
        "run_tests",
        made(move |_| {
            let seen = tested.load(Ordering::SeqCst);
            async move { Ok(Answer::text(format!("ran against version {seen}"))) }
        }),
    );
    let turn = vec![
        call("code_patch", r#"{"path":"a.rs"}"#),
        call("run_tests", "{}"),
    ];
    let result = paused().block_on(runner.run_turn(turn)).unwrap();
    result.answers[1].text.clone()
}

#[test]
fn barrier_the_tests_see_the_old_code_with_every_call_at_once_and_the_edited_code_staged() {
    assert_eq!(
        version_seen_by_the_tests(Policy::AllAtOnce),
        "ran against version 1"
    );
    for policy in [
        Policy::Sequential,
        Policy::Staged,
        Policy::Keyed,
        Policy::Graph,
    ] {
        assert_eq!(
            version_seen_by_the_tests(policy),
            "ran against version 2",
            "{policy}"
        );
    }
}

/// An invoice as a store that the last writer wins: it reads a copy, dawdles, writes the copy back.
fn invoice_tool(
    store: &Arc<Mutex<BTreeMap<String, String>>>,
    field: &'static str,
    ms: u64,
) -> Arc<dyn Tool> {
    let store = store.clone();
    made(move |context| {
        let store = store.clone();
        async move {
            let mut copy = store.lock().unwrap().clone();
            tokio::time::sleep(Duration::from_millis(ms)).await;
            copy.insert(field.into(), context.request.args.clone());
            *store.lock().unwrap() = copy;
            Ok(Answer::text("ok"))
        }
    })
}

#[test]
fn parallel_turn_preserves_issue_order() {
    let turn = || {
        vec![
            call(
                "update_invoice",
                r#"{"invoice_id":"8123","shipping_note":"desk"}"#,
            ),
            call("charge_card", r#"{"invoice_id":8123,"amount":4900}"#),
        ]
    };
    let run = |policy| {
        let store = Arc::new(Mutex::new(BTreeMap::new()));
        let log = OrderLog::default();
        let mut runner = runner(policy);
        runner.add_tool("update_invoice", invoice_tool(&store, "note", 20));
        runner.add_tool("charge_card", invoice_tool(&store, "charge", 30));
        runner.set_observer(Box::new(log.clone()));
        let result = paused().block_on(runner.run_turn(turn())).unwrap();
        assert_eq!(outcomes(&result), [Outcome::Ok, Outcome::Ok]);
        let order = log.0.lock().unwrap().1.clone();
        let note_survives = store.lock().unwrap().contains_key("note");
        (order, note_survives)
    };
    // [update_invoice, charge_card] on the one key that both touch.
    let expected = BTreeMap::from([("invoice:8123".to_owned(), vec![0, 1])]);
    assert_eq!(run(Policy::Keyed), (expected.clone(), true));
    assert_eq!(run(Policy::Graph), (expected.clone(), true));
    assert_eq!(
        run(Policy::AllAtOnce),
        (expected, false),
        "the lost update erases the note"
    );
}

#[test]
fn hung_write_does_not_stall_the_turn() {
    let mut runner = runner(Policy::Keyed);
    runner.add_tool("update_invoice", sleeps(30_000));
    runner.add_tool("charge_card", sleeps(100));
    runner.set_options(Options {
        deadline: Some(Nanos::from_millis(4_000)),
        ..Options::default()
    });
    let turn = vec![
        call("update_invoice", r#"{"invoice_id":"8123"}"#),
        call("charge_card", r#"{"invoice_id":"8123"}"#),
    ];
    let result = paused().block_on(async {
        let result = runner.run_turn(turn).await.unwrap();
        // Its slice is half of the deadline: two writes on the chain.
        assert_eq!(runner.now(), Nanos::from_millis(2_100));
        result
    });
    assert_eq!(outcomes(&result), [Outcome::TimedOut, Outcome::Ok]);
    assert_eq!(result.answers[0].text, "timed out");
}

#[test]
fn a_failed_head_never_poisons_the_chain() {
    let mut runner = runner(Policy::Keyed);
    runner.add_tool(
        "update_invoice",
        made(|_| async { Err(ToolError::Failed("no such field".into())) }),
    );
    runner.add_tool("charge_card", sleeps(50));
    let turn = vec![
        call("update_invoice", r#"{"invoice_id":"8123"}"#),
        call("charge_card", r#"{"invoice_id":"8123"}"#),
    ];
    let result = paused().block_on(runner.run_turn(turn)).unwrap();
    assert_eq!(outcomes(&result), [Outcome::Failed, Outcome::Ok]);
    assert_eq!(
        result.answers[0].text, "no such field",
        "the error's own text is never replaced"
    );
}

#[test]
fn cancelled_while_waiting_for_a_slot_a_call_never_starts() {
    let log = OrderLog::default();
    let mut runner = runner(Policy::Staged);
    runner.add_tool("code_read", sleeps(1_000));
    runner.set_observer(Box::new(log.clone()));
    runner.set_options(Options {
        slots: Slots::limit(2).unwrap(),
        ..Options::default()
    });
    let cancel = CancelTurn::new();
    let turn = (0..4)
        .map(|i| call("code_read", &format!(r#"{{"path":"{i}"}}"#)))
        .collect();
    let result = paused().block_on(async {
        let stop = cancel.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(10)).await;
            stop.cancel();
        });
        runner.run_turn_after(turn, None, cancel).await.unwrap()
    });
    assert_eq!(outcomes(&result), [Outcome::Cancelled; 4]);
    assert!(result.answers.iter().all(|a| a.text == "cancelled"));
    assert_eq!(log.0.lock().unwrap().0, [0, 1], "two slots, two starts");
}

#[test]
fn a_tool_that_cannot_run_at_all_halts_the_turn_and_every_call_has_an_answer() {
    let mut runner = runner(Policy::Staged);
    let gone = || made(|_| async { Err(ToolError::Fatal("the workspace is gone".into())) });
    runner.add_tool("code_read", gone());
    runner.add_tool("code_patch", sleeps(10));
    let turn = vec![
        call("code_read", r#"{"path":"a"}"#),
        call("code_patch", r#"{"path":"a"}"#),
        call("code_read", r#"{"path":"a"}"#),
    ];
    let result = paused().block_on(runner.run_turn(turn)).unwrap();
    assert_eq!(
        outcomes(&result),
        [Outcome::Failed, Outcome::NotRun, Outcome::NotRun]
    );
    assert_eq!(result.answers[0].text, "the workspace is gone");
    assert_eq!(result.answers[2].text, "not run");
    assert_eq!(result.fatal.as_deref(), Some("the workspace is gone"));
}

#[test]
fn a_panic_is_recovered_at_the_tools_boundary_and_its_neighbours_carry_on() {
    for runtime in [
        paused(),
        Builder::new_multi_thread()
            .worker_threads(4)
            .enable_time()
            .build()
            .unwrap(),
    ] {
        let mut runner = runner(Policy::Staged);
        runner.add_tool(
            "get_invoice",
            made(|_| async { std::panic::resume_unwind(Box::new("index out of range")) }),
        );
        runner.add_tool("code_read", sleeps(5));
        let turn = vec![
            call("code_read", r#"{"path":"a"}"#),
            call("get_invoice", r#"{"invoice_id":1}"#),
            call("code_read", r#"{"path":"b"}"#),
        ];
        let result = runtime.block_on(runner.run_turn(turn)).unwrap();
        assert_eq!(
            outcomes(&result),
            [Outcome::Ok, Outcome::Panicked, Outcome::Ok]
        );
        assert_eq!(
            result.answers[1].text,
            "the tool panicked: index out of range"
        );
    }
}

#[test]
fn once_the_final_tool_accepts_an_answer_the_calls_after_it_are_answered_not_run() {
    let mut runner = runner(Policy::Staged);
    runner.add_tool("code_read", sleeps(5));
    runner.add_tool("final_answer", sleeps(1));
    let turn = vec![
        call("code_read", r#"{"path":"a"}"#),
        call("final_answer", "{}"),
        call("code_read", r#"{"path":"b"}"#),
    ];
    let result = paused().block_on(runner.run_turn(turn)).unwrap();
    assert_eq!(
        outcomes(&result),
        [Outcome::Ok, Outcome::Ok, Outcome::NotRun]
    );
}

#[test]
fn an_unknown_tool_gets_its_own_stage_and_an_answer() {
    let mut runner = runner(Policy::Staged);
    runner.add_tool("code_read", sleeps(5));
    let turn = vec![
        call("code_read", r#"{"path":"a"}"#),
        call("no_such_tool", "{}"),
        call("code_read", "not json"),
    ];
    let result = paused().block_on(runner.run_turn(turn)).unwrap();
    assert_eq!(
        outcomes(&result),
        [Outcome::Ok, Outcome::UnknownTool, Outcome::BadArgs]
    );
    assert_eq!(result.answers[1].text, "unknown tool: no_such_tool");
}

/// The loudest complaint about running calls together: one benign failure wipes its siblings. It
/// can be asked for, and it is not what happens by default.
#[test]
fn one_tools_failure_cancels_its_neighbours_only_when_asked_to() {
    let run = |on_failure| {
        let mut runner = runner(Policy::Staged);
        runner.add_tool(
            "get_invoice",
            made(|_| async { Err(ToolError::Failed("exit 1".into())) }),
        );
        runner.add_tool("code_read", sleeps(500));
        runner.set_options(Options {
            on_failure,
            ..Options::default()
        });
        let turn = vec![
            call("get_invoice", r#"{"invoice_id":1}"#),
            call("code_read", r#"{"path":"a"}"#),
        ];
        outcomes(&paused().block_on(runner.run_turn(turn)).unwrap())
    };
    assert_eq!(run(OnFailure::Independent), [Outcome::Failed, Outcome::Ok]);
    assert_eq!(
        run(OnFailure::CancelSiblings),
        [Outcome::Failed, Outcome::Cancelled]
    );
}

/// A write that ignores its timeout and lands after the turn: its answer says that nobody knows,
/// the landing is recorded, and whoever runs on its key meanwhile is told apart.
#[test]
fn a_write_that_lands_after_all_is_recorded_as_late() {
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<String>>>);
    impl Observer for Log {
        fn record(&mut self, event: &Event<'_>, _: &KeyTable) -> io::Result<()> {
            let line = match event {
                Event::Start { key, beside, .. } => {
                    let beside: Vec<_> = beside.iter().map(|b| (b.turn, b.index)).collect();
                    format!("start {}.{} beside {beside:?}", key.turn, key.index)
                }
                Event::End { key, outcome, .. } => {
                    format!("end {}.{} {outcome}", key.turn, key.index)
                }
                Event::Late {
                    key, outcome, at, ..
                } => {
                    format!("late {}.{} {outcome} at {at}", key.turn, key.index)
                }
                _ => return Ok(()),
            };
            self.0.lock().unwrap().push(line);
            Ok(())
        }
    }
    struct Remote;
    impl Tool for Remote {
        fn call(&self, _: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
            Box::pin(async {
                tokio::time::sleep(Duration::from_millis(3_000)).await;
                Ok(Answer::text("revision 5"))
            })
        }
        fn survives_abort(&self, _: &CallContext) -> bool {
            true
        }
    }
    let log = Log::default();
    let mut runner = runner(Policy::Keyed);
    runner.add_tool("update_invoice", Arc::new(Remote));
    runner.add_tool("charge_card", sleeps(100));
    runner.set_observer(Box::new(log.clone()));
    runner.set_options(Options {
        deadline: Some(Nanos::from_millis(1_000)),
        ..Options::default()
    });
    let args = r#"{"invoice_id":"8123"}"#;
    paused().block_on(async {
        runner
            .run_turn(vec![
                call("update_invoice", args),
                call("charge_card", args),
            ])
            .await
            .unwrap();
        runner
            .run_turn(vec![call("charge_card", args)])
            .await
            .unwrap();
        runner.settle(Nanos::from_millis(10_000)).await;
    });
    let seen = log.0.lock().unwrap().clone();
    assert_eq!(
        seen,
        [
            "start 1.0 beside []",
            "start 1.1 beside [(1, 0)]",
            "end 1.1 ok",
            "end 1.0 indeterminate",
            "start 2.0 beside [(1, 0)]",
            "end 2.0 ok",
            "late 1.0 ok at 3.00 s",
        ]
    );
}

/// No body runs unrecorded: where the trace cannot be written the turn stops, and still every
/// call has an answer.
#[test]
fn a_turn_that_cannot_be_recorded_stops_before_the_body_runs() {
    struct Full;
    impl Observer for Full {
        fn record(&mut self, event: &Event<'_>, _: &KeyTable) -> io::Result<()> {
            match event {
                Event::Start { key, .. } if key.index == 1 => {
                    Err(io::ErrorKind::StorageFull.into())
                }
                _ => Ok(()),
            }
        }
    }
    let ran = Arc::new(AtomicU32::new(0));
    let count = ran.clone();
    let mut runner = runner(Policy::Sequential);
    runner.add_tool(
        "code_read",
        made(move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            async { Ok(Answer::text("ok")) }
        }),
    );
    runner.set_observer(Box::new(Full));
    let turn = (0..3)
        .map(|i| call("code_read", &format!(r#"{{"path":"{i}"}}"#)))
        .collect();
    let error = paused().block_on(runner.run_turn(turn)).unwrap_err();
    assert_eq!(ran.load(Ordering::SeqCst), 1);
    assert_eq!(
        outcomes(&error.result),
        [Outcome::Ok, Outcome::Failed, Outcome::NotRun]
    );
}

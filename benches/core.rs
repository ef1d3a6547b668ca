//! `cargo bench --bench core`: what scheduling costs next to doing without it, and how close a
//! prediction comes to a real clock. Every figure stands beside one taken in the same run.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use turnlane::model::{CallRequest, Catalog, Effects, KeyId, KeyTable};
use turnlane::run::{Answer, CallContext, CancelTurn, PlannedCall, Runner, Tool, ToolError};
use turnlane::schedule::{CallSpec, Options, Plan, Policy, Scheduler};
use turnlane::simulate::{Body, Simulator, simulate};
use turnlane::time::Nanos;

const ROUNDS: usize = 7;

fn main() {
    simulator_against_a_bare_heap();
    runner_against_a_join_set();
    predictions_against_a_real_clock();
}

/// The median of several rounds of two jobs, taken by turns so that noise hits both.
fn pair(mut a: impl FnMut() -> Duration, mut b: impl FnMut() -> Duration) -> (Duration, Duration) {
    let (mut left, mut right): (Vec<_>, Vec<_>) = (0..ROUNDS).map(|_| (a(), b())).unzip();
    left.sort_unstable();
    right.sort_unstable();
    (left[ROUNDS / 2], right[ROUNDS / 2])
}

fn timed(job: impl FnOnce()) -> Duration {
    let start = Instant::now();
    job();
    start.elapsed()
}

/// One million calls over 8 slots: a heap of ends and nothing else, against turns of 40 calls
/// with keys, causes and outcomes.
fn simulator_against_a_bare_heap() {
    const CALLS: u64 = 1_000_000;
    let duration = |i: u64| 1_000 + i * 7_919 % 5_000;
    let bare = || {
        timed(|| {
            let mut ends = BinaryHeap::with_capacity(9);
            let mut now = 0;
            for i in 0..CALLS {
                if ends.len() == 8 {
                    let Reverse(end) = ends.pop().unwrap();
                    now = end;
                }
                ends.push(Reverse(now + duration(i)));
            }
            black_box(now);
        })
    };
    let mut keys = KeyTable::new();
    let pool: Vec<[KeyId; 1]> = (0..20)
        .map(|k| [keys.intern_text(&format!("k:{k}"))])
        .collect();
    let specs: Vec<CallSpec<'_>> = (0..40)
        .map(|i| match i % 4 {
            0 => CallSpec {
                writes: &pool[i / 2],
                ..CallSpec::default()
            },
            _ => CallSpec {
                reads: &pool[i / 2],
                ..CallSpec::default()
            },
        })
        .collect();
    let bodies: Vec<Body> = (0..40).map(|i| Body::ok(Nanos(duration(i)))).collect();
    for policy in [Policy::Staged, Policy::Keyed, Policy::Graph] {
        let plan = Plan::new(policy, &specs, &keys);
        let ours = || {
            let mut scheduler = Scheduler::new(plan.clone(), &specs, Options::default());
            let mut simulator = Simulator::default();
            timed(|| {
                for _ in 0..CALLS / 40 {
                    scheduler.reset();
                    black_box(simulator.run(&mut scheduler, &bodies));
                }
            })
        };
        let (limit, mine) = pair(bare, ours);
        println!(
            "simulate 1M calls, {policy:<7} {:>6.1} ns a call, {:.1}x a bare heap ({:.1} ns)",
            per(mine, CALLS, 1e9),
            mine.as_secs_f64() / limit.as_secs_f64(),
            per(limit, CALLS, 1e9),
        );
    }
    let planning = timed(|| {
        for _ in 0..25_000 {
            black_box(Plan::new(Policy::Graph, &specs, &keys));
        }
    });
    println!(
        "plan 1M calls, graph       {:>6.1} ns a call",
        per(planning, CALLS, 1e9)
    );
}

fn per(time: Duration, calls: u64, unit: f64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let calls = calls as f64;
    time.as_secs_f64() * unit / calls
}

struct Nothing;

impl Tool for Nothing {
    fn call(&self, _: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        Box::pin(async { Ok(Answer::text("ok")) })
    }
}

fn planned(reads: &[KeyId], writes: &[KeyId], tool: Arc<dyn Tool>) -> PlannedCall {
    PlannedCall {
        request: Arc::new(CallRequest::new("t", "{}")),
        effects: Effects {
            reads: reads.to_vec(),
            writes: writes.to_vec(),
            ..Effects::default()
        },
        timeout: None,
        approval: false,
        refused: None,
        tool: Some(tool),
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_time().build().unwrap()
}

/// Calls that do nothing, over 8 slots: tokio's own JoinSet and Semaphore against the runner.
fn runner_against_a_join_set() {
    let tool: Arc<dyn Tool> = Arc::new(Nothing);
    for calls in [1u64, 10, 100, 1000] {
        let repeats = (20_000 / calls).max(1);
        let bare = || {
            let runtime = runtime();
            timed(|| {
                for _ in 0..repeats {
                    runtime.block_on(join_set(calls));
                }
            })
        };
        let ours = || {
            let runtime = runtime();
            let mut runner = Runner::new(Catalog::default(), Policy::Keyed);
            timed(|| {
                for _ in 0..repeats {
                    let turn = (0..calls)
                        .map(|_| planned(&[], &[], tool.clone()))
                        .collect();
                    black_box(
                        runtime
                            .block_on(runner.run_planned(turn, None, CancelTurn::new()))
                            .unwrap(),
                    );
                }
            })
        };
        let (limit, mine) = pair(bare, ours);
        println!(
            "run {calls:>4} calls a turn, keyed {:>5.2} us a call, {:.1}x a bare JoinSet ({:.2} us)",
            per(mine, calls * repeats, 1e6),
            mine.as_secs_f64() / limit.as_secs_f64(),
            per(limit, calls * repeats, 1e6),
        );
    }
}

async fn join_set(calls: u64) {
    let slots = Arc::new(Semaphore::new(8));
    let mut tasks = JoinSet::new();
    for call in 0..calls {
        let slots = slots.clone();
        tasks.spawn(async move {
            let _slot = slots.acquire().await;
            black_box(call);
            "ok".to_owned()
        });
    }
    while tasks.join_next().await.is_some() {}
}

struct Sleeper(Duration);

impl Tool for Sleeper {
    fn call(&self, _: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        let time = self.0;
        Box::pin(async move {
            tokio::time::sleep(time).await;
            Ok(Answer::text("ok"))
        })
    }
}

/// The invoice turn: predicted in virtual time, measured on the real clock.
fn predictions_against_a_real_clock() {
    let mut keys = KeyTable::new();
    let invoice = keys.intern_text("invoice:8123");
    let mut rows: Vec<(Vec<KeyId>, Vec<KeyId>, u64)> = vec![
        (vec![invoice], vec![], 200),
        (vec![], vec![invoice], 100),
        (vec![], vec![invoice], 100),
    ];
    for doc in 0..5 {
        rows.push((vec![keys.intern_text(&format!("doc:{doc}"))], vec![], 200));
    }
    let specs: Vec<CallSpec<'_>> = rows
        .iter()
        .map(|(reads, writes, _)| CallSpec {
            reads,
            writes,
            ..CallSpec::default()
        })
        .collect();
    let bodies: Vec<Body> = rows
        .iter()
        .map(|row| Body::ok(Nanos::from_millis(row.2)))
        .collect();
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .unwrap();
    for policy in Policy::ALL {
        let predicted = simulate(policy, &specs, &bodies, &keys, Options::default())
            .makespan
            .unwrap();
        let mut measured: Vec<Duration> = (0..ROUNDS)
            .map(|_| {
                let calls = rows
                    .iter()
                    .map(|(r, w, ms)| planned(r, w, Arc::new(Sleeper(Duration::from_millis(*ms)))))
                    .collect();
                let mut runner = Runner::new(Catalog::default(), policy);
                *runner.keys_mut() = keys.clone();
                timed(|| {
                    drop(
                        runtime
                            .block_on(runner.run_planned(calls, None, CancelTurn::new()))
                            .unwrap(),
                    )
                })
            })
            .collect();
        measured.sort_unstable();
        let measured = measured[ROUNDS / 2].as_secs_f64() * 1e3;
        let predicted = predicted.as_secs_f64() * 1e3;
        println!(
            "invoice, {policy:<11} predicted {predicted:>6.0} ms, measured {measured:>7.1} ms, {:+.2}%",
            (measured - predicted) / predicted * 100.0,
        );
    }
}

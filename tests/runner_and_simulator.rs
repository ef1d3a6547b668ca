//! The runner against the simulator: one scheduler, so the same starts for the same reasons.

#![cfg(feature = "run")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use support::bridge::{self, Bridge};
use support::reference::{Policy as RefPolicy, RefCall};
use support::runner::{Recorder, Sleeper, Store, StoreCall, planned, run};
use support::turns::{random_turn, seeded};
use tokio::runtime::{Builder, Runtime};
use turnlane::model::Outcome;
use turnlane::run::{CancelTurn, Tool, TurnResult};
use turnlane::schedule::{Options, Policy, Slots};
use turnlane::time::Nanos;

fn paused() -> Runtime {
    Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
}

fn workers(n: usize) -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(n)
        .enable_time()
        .build()
        .unwrap()
}

/// Each unit of a call's duration as a whole millisecond.
fn sleeper(_: usize, call: &RefCall) -> Arc<dyn Tool> {
    let outcome = if call.fails {
        Outcome::Failed
    } else {
        Outcome::Ok
    };
    Arc::new(Sleeper {
        time: Duration::from_millis(call.duration),
        outcome,
    })
}

fn run_sleepers(
    runtime: &Runtime,
    policy: Policy,
    slots: Slots,
    calls: &[RefCall],
) -> (TurnResult, Recorder) {
    let bridge = Bridge::new(calls);
    let options = Options {
        slots,
        ..Options::default()
    };
    let calls = planned(calls, &bridge, sleeper);
    runtime.block_on(run(policy, options, &bridge, calls, CancelTurn::new()))
}

/// Runs the calls over a store; the answers tell what each call saw.
fn run_on_store(
    runtime: &Runtime,
    policy: Policy,
    calls: &[RefCall],
) -> (TurnResult, Vec<(u32, String)>, Recorder) {
    let bridge = Bridge::new(calls);
    let store = Arc::new(Mutex::new(Store::default()));
    let tool = |_: usize, call: &RefCall| -> Arc<dyn Tool> {
        Arc::new(StoreCall {
            store: store.clone(),
            call: call.clone(),
        })
    };
    let planned = planned(calls, &bridge, tool);
    let (result, recorder) = runtime.block_on(run(
        policy,
        Options::default(),
        &bridge,
        planned,
        CancelTurn::new(),
    ));
    let log = store.lock().unwrap().log.clone();
    (result, log, recorder)
}

/// Calls whose zero durations would make the order of two ends of one instant depend on the
/// runtime are given a millisecond; ties between calls stay.
fn at_least_a_millisecond(mut calls: Vec<RefCall>) -> Vec<RefCall> {
    for call in &mut calls {
        call.duration += 1;
    }
    calls
}

proptest! {
    #![proptest_config(seeded(400))]

    #[test]
    fn random_turns_start_in_the_simulators_order_for_the_simulators_reasons(
        calls in random_turn(24),
        limit in 1usize..10,
    ) {
        let calls = at_least_a_millisecond(calls);
        let limit = Some(limit).filter(|&n| n < 9);
        let runtime = paused();
        for policy in RefPolicy::ALL {
            let (_, timeline, bridge) = bridge::simulate(policy, limit, &calls);
            let (_, recorder) = run_sleepers(&runtime, bridge::policy(policy), bridge::slots(limit), &calls);
            let predicted: Vec<_> = timeline
                .order
                .iter()
                .map(|&c| (c, timeline.calls[c as usize].cause.unwrap().text(&bridge.keys)))
                .collect();
            prop_assert_eq!(recorder.starts(), predicted, "{}", policy.name());
            for (call, row) in (0u32..).zip(&timeline.calls) {
                let in_ms = |n: Option<Nanos>| n.map(|n| Nanos::from_millis(n.0));
                prop_assert_eq!(recorder.start(call), in_ms(row.start));
                prop_assert_eq!(recorder.end(call), in_ms(row.end));
            }
        }
    }
}

proptest! {
    #![proptest_config(seeded(60))]

    #[test]
    fn every_safe_policy_gives_the_sequential_answers_byte_for_byte(calls in random_turn(16)) {
        for runtime in [workers(2), workers(8)] {
            let (sequential, ..) = run_on_store(&runtime, Policy::Sequential, &calls);
            for policy in [Policy::Staged, Policy::Keyed, Policy::Graph] {
                let (result, ..) = run_on_store(&runtime, policy, &calls);
                prop_assert_eq!(&result.answers, &sequential.answers, "{}", policy);
            }
        }
    }
}

#[test]
fn all_at_once_loses_updates_that_every_safe_policy_keeps() {
    let calls: Vec<_> = (0..12).map(|_| RefCall::write("file:a", 3)).collect();
    let runtime = workers(2);
    let (sequential, ..) = run_on_store(&runtime, Policy::Sequential, &calls);
    let (racing, ..) = run_on_store(&runtime, Policy::AllAtOnce, &calls);
    assert_ne!(racing.answers, sequential.answers);
    let (keyed, log, _) = run_on_store(&runtime, Policy::Keyed, &calls);
    assert_eq!(keyed.answers, sequential.answers);
    let order: Vec<u32> = log.iter().map(|(call, _)| *call).collect();
    assert_eq!(order, (0..12).collect::<Vec<_>>());
}

/// Taking locks inside spawned tasks would reorder a write and the read behind it on a
/// multi-thread runtime; admission in issue order does not, however often it is tried.
#[test]
fn a_read_behind_a_write_never_overtakes_it_on_many_workers() {
    let calls = [
        RefCall::write("file:a", 0),
        RefCall::read("file:a", 0),
        RefCall::write("file:a", 1),
    ];
    let runtime = workers(8);
    for _ in 0..200 {
        for policy in [Policy::Staged, Policy::Keyed, Policy::Graph] {
            let (_, log, recorder) = run_on_store(&runtime, policy, &calls);
            let order: Vec<u32> = log.iter().map(|(call, _)| *call).collect();
            assert_eq!(order, [0, 1, 2], "{policy}");
            let starts: Vec<u32> = recorder
                .starts()
                .into_iter()
                .map(|(call, _)| call)
                .collect();
            assert_eq!(starts, [0, 1, 2]);
        }
    }
}

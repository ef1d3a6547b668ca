//! The scheduler against a naive reference that shares no code with it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use proptest::prelude::*;
use support::bridge::{self, Bridge};
use support::reference::{self, Policy, RefCall, RefOutcome};
use support::turns::{every_turn, random_turn, seeded};
use turnlane::analyze::{PathCall, critical_path};
use turnlane::model::{KeyTable, Outcome};
use turnlane::schedule::{Hazards, Plan, hazards};
use turnlane::simulate::Timeline;
use turnlane::time::Nanos;

const SLOTS: [Option<usize>; 3] = [Some(1), Some(2), None];

/// Everything a reader of the timeline could see, in one form.
fn described(timeline: &Timeline, found: &Hazards, keys: &KeyTable) -> String {
    let calls = timeline.calls.iter().map(|c| {
        format!(
            "{:?}..{:?} slot {:?} {} {}",
            c.start.map(|n| n.0),
            c.end.map(|n| n.0),
            c.slot,
            c.cause.map_or("-".into(), |cause| cause.text(keys)),
            if c.outcome == Outcome::UnknownTool {
                "refused"
            } else {
                c.outcome.word()
            },
        )
    });
    let hazards = found.list.iter().map(|h| {
        format!(
            "{} {:?} {} {}",
            h.kind.word(),
            h.key.map(|k| keys.text(k).to_owned()),
            h.first,
            h.second
        )
    });
    calls.chain(hazards).collect::<Vec<_>>().join("\n")
}

fn expected(run: &reference::RefRun) -> String {
    let calls = (0..run.starts.len()).map(|i| {
        let outcome = match run.outcomes[i] {
            Some(RefOutcome::Ok) => "ok",
            Some(RefOutcome::Failed) => "failed",
            Some(RefOutcome::Refused) => "refused",
            Some(RefOutcome::NotRun) => "not_run",
            None => "unfinished",
        };
        format!(
            "{:?}..{:?} slot {:?} {} {outcome}",
            run.starts[i],
            run.ends[i],
            run.slots[i],
            run.cause(i),
        )
    });
    let hazards = run
        .hazards
        .iter()
        .map(|h| format!("{} {:?} {} {}", h.kind, h.key, h.first, h.second));
    calls.chain(hazards).collect::<Vec<_>>().join("\n")
}

fn closure(plan: &Plan) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new(); plan.calls() as usize];
    for edge in plan.edges() {
        let (from, to) = (edge.from as usize, edge.to as usize);
        let before = all[from].clone();
        all[to].push(from);
        all[to].extend(before);
    }
    for before in &mut all {
        before.sort_unstable();
        before.dedup();
    }
    all
}

fn compare(policy: Policy, slots: Option<usize>, calls: &[RefCall]) {
    let (_, timeline, bridge) = bridge::simulate(policy, slots, calls);
    let found = hazards(&bridge.specs(calls), &timeline.intervals(), &bridge.keys);
    let want = reference::run(policy, slots, calls);
    assert_eq!(
        described(&timeline, &found, &bridge.keys),
        expected(&want),
        "{} with {slots:?} slots: {calls:#?}",
        policy.name(),
    );
    if want.starts.iter().any(Option::is_some) {
        assert_eq!(timeline.makespan, Some(Nanos(want.makespan)));
        critical_path_adds_up(&timeline);
    }
}

fn critical_path_adds_up(timeline: &Timeline) {
    let calls: Vec<_> = timeline
        .calls
        .iter()
        .map(|c| PathCall {
            start: c.start,
            end: c.end,
            cause: c.cause,
        })
        .collect();
    let sum: Nanos = critical_path(Nanos::ZERO, &calls)
        .iter()
        .map(|step| step.span.len())
        .sum();
    assert_eq!(Some(sum), timeline.makespan);
}

fn compare_plans(policy: Policy, calls: &[RefCall]) {
    let bridge = Bridge::new(calls);
    let plan = Plan::new(bridge::policy(policy), &bridge.specs(calls), &bridge.keys);
    assert_eq!(
        closure(&plan),
        reference::closure(policy, calls),
        "{}: {calls:#?}",
        policy.name()
    );
    let mut direct: Vec<Vec<usize>> = vec![Vec::new(); calls.len()];
    for edge in plan.edges() {
        direct[edge.to as usize].push(edge.from as usize);
    }
    assert_eq!(
        direct,
        reference::direct(policy, calls),
        "{}: {calls:#?}",
        policy.name()
    );

    let mentions: Vec<_> = calls.iter().map(RefCall::mentions).collect();
    let trees: Vec<&str> = {
        let all = mentions
            .iter()
            .flatten()
            .map(|m| m.key)
            .filter(|k| reference::is_tree(k));
        let mut all: Vec<_> = all.collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let depth = |key: &str| {
        trees
            .iter()
            .filter(|t| **t == key || reference::contains(t, key))
            .count()
    };
    let depths: usize = mentions.iter().flatten().map(|m| depth(m.key)).sum();
    let hints: usize = calls.iter().map(|c| c.depends_on.len()).sum();
    let mentions: usize = mentions.iter().map(Vec::len).sum();
    assert!(
        plan.edge_count() <= 2 * (calls.len() + mentions + depths) + hints,
        "{}: {} edges for {} calls, {mentions} mentions, depth {depths}: {calls:#?}",
        policy.name(),
        plan.edge_count(),
        calls.len(),
    );
}

#[test]
fn every_turn_of_up_to_three_calls_runs_as_the_reference_says() {
    for length in 0..=3 {
        for calls in every_turn(length, &[0, 1, 2]) {
            for policy in Policy::ALL {
                for slots in SLOTS {
                    compare(policy, slots, &calls);
                }
            }
        }
    }
}

/// All durations of four calls would take minutes: every turn is taken with three of the 81
/// combinations, other ones from turn to turn.
#[test]
fn every_turn_of_four_calls_runs_as_the_reference_says() {
    let turns: Vec<_> = every_turn(4, &[0]).collect();
    let workers = 2;
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let turns = &turns;
            scope.spawn(move || {
                for (number, turn) in turns
                    .iter()
                    .enumerate()
                    .filter(|(n, _)| n % workers == worker)
                {
                    for sample in 0..3 {
                        let mut code = (number * 7 + sample * 29) % 81;
                        let mut calls = turn.clone();
                        for call in &mut calls {
                            call.duration = (code % 3) as u64;
                            code /= 3;
                        }
                        for policy in Policy::ALL {
                            compare(policy, SLOTS[(number + sample) % 3], &calls);
                        }
                    }
                }
            });
        }
    });
}

#[test]
fn every_plan_of_up_to_four_calls_orders_as_the_reference_says() {
    for length in 0..=4 {
        for calls in every_turn(length, &[1]) {
            for policy in Policy::ALL {
                compare_plans(policy, &calls);
            }
        }
    }
}

// The reference is of the fourth power in the length of a turn, so long turns take one policy each
// and shorter ones take them all.
proptest! {
    #![proptest_config(seeded(10_000))]

    #[test]
    fn random_turns_of_up_to_forty_calls_run_as_the_reference_says(
        calls in random_turn(40),
        slots in 1usize..10,
        policy in 0usize..6,
    ) {
        compare(Policy::ALL[policy], Some(slots).filter(|&s| s < 9), &calls);
    }
}

proptest! {
    #![proptest_config(seeded(1_000))]

    #[test]
    fn random_turns_of_up_to_sixteen_calls_run_as_the_reference_says_under_every_policy(
        calls in random_turn(16),
        slots in 1usize..10,
    ) {
        for policy in Policy::ALL {
            compare(policy, Some(slots).filter(|&s| s < 9), &calls);
        }
    }
}

proptest! {
    #![proptest_config(seeded(1_500))]

    #[test]
    fn random_plans_of_up_to_forty_calls_order_as_the_reference_says(calls in random_turn(40), policy in 0usize..6) {
        compare_plans(Policy::ALL[policy], &calls);
    }
}

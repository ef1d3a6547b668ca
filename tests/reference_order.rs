//! The reference's direct predecessors against each policy in the plain words of the design: pair
//! by pair, over every short turn and many long ones. And what holds of any run.

mod support;

use std::cell::Cell;

use proptest::prelude::*;
use support::reference::{
    Policy, RefCall, RefCause, RefRun, closure, conflict, direct, is_tree, overlap, run,
};
use support::turns::{every_turn, random_turn, seeded};

const SAFE: [Policy; 4] = [
    Policy::Sequential,
    Policy::Staged,
    Policy::Keyed,
    Policy::Graph,
];

/// `i` comes before `j` by the policy's own words, without the detours over third calls.
fn in_words(policy: Policy, calls: &[RefCall], i: usize, j: usize) -> bool {
    let (earlier, later) = (&calls[i], &calls[j]);
    let barrier = |call: &RefCall| match policy {
        Policy::Keyed | Policy::KeyedLoose => {
            call.opaque || call.is_final || call.writes.iter().any(|key| is_tree(key))
        }
        _ => call.opaque || call.is_final,
    };
    let hint = later.depends_on.contains(&i);
    match policy {
        Policy::Sequential => true,
        Policy::AllAtOnce => false,
        // Two calls share a stage where they and all between them only read.
        Policy::Staged => hint || !calls[i..=j].iter().all(RefCall::is_read_only),
        Policy::Graph => hint || conflict(earlier, later) || barrier(earlier) || barrier(later),
        Policy::Keyed | Policy::KeyedLoose => {
            hint || barrier(earlier)
                || barrier(later)
                || one_queue(policy, calls, i, j, barrier)
                || (earlier.reads_a_tree() && later.is_mutating())
                || (earlier.is_mutating() && later.reads_a_tree())
        }
    }
}

/// Both stand in the queue of a key; or, unless loose, the later writes what the earlier touched.
fn one_queue(
    policy: Policy,
    calls: &[RefCall],
    i: usize,
    j: usize,
    barrier: impl Fn(&RefCall) -> bool,
) -> bool {
    let written_before = |key: &str, c: usize| {
        let mut earlier = calls[..c].iter().filter(|call| !barrier(call));
        earlier.any(|call| call.writes.iter().any(|w| w == key))
    };
    let stands = |key: &str, c: usize| calls[c].is_mutating() || written_before(key, c);
    calls[i].mentions().iter().any(|x| {
        calls[j].mentions().iter().any(|y| {
            x.key == y.key
                && !is_tree(x.key)
                && ((stands(x.key, i) && stands(x.key, j))
                    || (y.write && policy != Policy::KeyedLoose))
        })
    })
}

fn closure_in_words(policy: Policy, calls: &[RefCall]) -> Vec<Vec<usize>> {
    let mut before: Vec<Vec<usize>> = Vec::new();
    for j in 0..calls.len() {
        let reaches = |i: usize| {
            in_words(policy, calls, i, j)
                || (i + 1..j).any(|m| before[m].contains(&i) && in_words(policy, calls, m, j))
        };
        before.push((0..j).filter(|&i| reaches(i)).collect());
    }
    before
}

#[track_caller]
fn keeps_its_words(calls: &[RefCall]) {
    for policy in Policy::ALL {
        assert_eq!(
            closure(policy, calls),
            closure_in_words(policy, calls),
            "{} of {calls:#?}",
            policy.name()
        );
    }
}

#[test]
fn every_short_turn_is_ordered_as_the_policies_say() {
    for length in 0..=4 {
        for calls in every_turn(length, &[1]) {
            keeps_its_words(&calls);
        }
    }
}

/// Each start, end and slot fits the cause it names, the order and the limit.
#[track_caller]
fn fits_together(policy: Policy, slots: Option<usize>, calls: &[RefCall], run: &RefRun) {
    for (j, before) in direct(policy, calls).iter().enumerate() {
        assert!(run.outcomes[j].is_some() && run.ends[j].is_some());
        let Some(start) = run.starts[j] else {
            assert!(run.slots[j].is_none() && run.causes[j].is_none());
            continue;
        };
        assert_eq!(run.ends[j], Some(start + calls[j].duration));
        assert!(before.iter().all(|&i| run.ends[i] <= Some(start)));
        assert!(run.slots[j].is_some_and(|slot| slot < slots.unwrap_or(calls.len())));
        let waited_for = match run.causes[j].as_ref() {
            Some(RefCause::Issued) => Some(0),
            Some(
                RefCause::Slot { after }
                | RefCause::Barrier { after }
                | RefCause::Key { after, .. }
                | RefCause::After { after },
            ) => run.ends[*after],
            None => None,
        };
        assert_eq!(waited_for, Some(start), "the causes add up to the makespan");
        for i in (0..j).filter(|&i| run.slots[i] == run.slots[j]) {
            let apart = run.ends[i] <= Some(start) || run.ends[j] <= run.starts[i];
            assert!(apart, "{i} and {j} share a slot at once");
        }
    }
}

proptest! {
    #![proptest_config(seeded(400))]

    #[test]
    fn a_long_turn_is_ordered_as_the_policies_say(calls in random_turn(40)) {
        keeps_its_words(&calls);
    }

    #[test]
    fn a_safe_policy_orders_every_conflict_and_runs_into_no_hazard(
        calls in random_turn(20),
        slots in 1..=4_usize,
    ) {
        for policy in SAFE {
            let before = closure(policy, &calls);
            for j in 0..calls.len() {
                for i in 0..j {
                    prop_assert!(!conflict(&calls[i], &calls[j]) || before[j].contains(&i));
                }
            }
            prop_assert_eq!(run(policy, Some(slots), &calls).hazards, vec![]);
        }
    }

    #[test]
    fn a_run_fits_together(calls in random_turn(20), slots in 1..=5_usize) {
        for policy in Policy::ALL {
            for slots in [Some(slots), None] {
                fits_together(policy, slots, &calls, &run(policy, slots, &calls));
            }
        }
    }

    #[test]
    fn without_a_limit_a_weaker_order_never_takes_longer(calls in random_turn(30)) {
        let makespan = |policy| run(policy, None, &calls).makespan;
        prop_assert!(makespan(Policy::Graph) <= makespan(Policy::Keyed));
        prop_assert!(makespan(Policy::Graph) <= makespan(Policy::Staged));
        prop_assert!(makespan(Policy::Keyed) <= makespan(Policy::Sequential));
        prop_assert!(makespan(Policy::Staged) <= makespan(Policy::Sequential));
    }

    #[test]
    fn a_failure_that_stands_alone_moves_nothing(calls in random_turn(20), slots in 1..=4_usize) {
        let mut healthy = calls.clone();
        for call in healthy.iter_mut().filter(|call| !call.is_final) {
            call.fails = false;
        }
        for policy in Policy::ALL {
            let (with, without) = (run(policy, Some(slots), &calls), run(policy, Some(slots), &healthy));
            prop_assert_eq!(with.starts, without.starts);
            prop_assert_eq!(with.slots, without.slots);
            prop_assert_eq!(with.causes, without.causes);
        }
    }
}

#[test]
fn random_turns_hold_what_they_promise() {
    let seen: [Cell<usize>; 7] = Default::default();
    proptest!(seeded(100), |(calls in random_turn(40))| {
        for (j, call) in calls.iter().enumerate() {
            let nested = call.reads.iter().any(|a| call.reads.iter().any(|b| a != b && overlap(a, b)));
            let facts = [
                call.reads.len() + call.writes.len() > 2,
                nested,
                call.is_mutating() && !call.reads.is_empty(),
                call.writes_a_tree(),
                call.opaque || call.is_final,
                !call.depends_on.is_empty(),
                call.refused,
            ];
            for (seen, fact) in seen.iter().zip(facts) {
                seen.set(seen.get() + usize::from(fact));
            }
            prop_assert!(call.depends_on.iter().all(|&i| i < j));
            prop_assert!(call.duration <= 5);
        }
    });
    assert!(seen.iter().all(|count| count.get() > 10), "{seen:?}");
}

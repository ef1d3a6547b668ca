//! Rules of the scheduler beside the order itself: failures, approvals, deadlines, cancellation.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use turnlane::model::{Approval, Cause, KeyId, KeyTable, Outcome};
use turnlane::schedule::{
    CallSpec, Effect, Input, OnFailure, Options, Plan, Policy, Scheduler, Slots,
};
use turnlane::simulate::{Body, End, Timeline, simulate};
use turnlane::time::Nanos;

const MS: fn(u64) -> Nanos = Nanos::from_millis;

/// Writes of one key, one after another under every ordering policy.
struct Writes {
    keys: KeyTable,
    key: [KeyId; 1],
    count: usize,
}

impl Writes {
    fn new(count: usize) -> Self {
        let mut keys = KeyTable::new();
        let key = [keys.intern_text("invoice:8123")];
        Self { keys, key, count }
    }

    fn specs(&self) -> Vec<CallSpec<'_>> {
        vec![
            CallSpec {
                writes: &self.key,
                ..CallSpec::default()
            };
            self.count
        ]
    }

    fn run(&self, bodies: &[Body], options: Options) -> Timeline {
        simulate(Policy::Keyed, &self.specs(), bodies, &self.keys, options)
    }
}

fn outcomes(timeline: &Timeline) -> Vec<Outcome> {
    timeline.calls.iter().map(|c| c.outcome).collect()
}

fn fails(ms: u64) -> Body {
    Body::ends(MS(ms), Outcome::Failed)
}

fn ok(ms: u64) -> Body {
    Body::ok(MS(ms))
}

fn mode(on_failure: OnFailure) -> Options {
    Options {
        on_failure,
        ..Options::default()
    }
}

#[test]
fn a_failed_head_does_not_poison_its_queue() {
    let timeline = Writes::new(2).run(&[fails(20), ok(50)], Options::default());
    assert_eq!(outcomes(&timeline), [Outcome::Failed, Outcome::Ok]);
    assert_eq!(timeline.calls[1].start, Some(MS(20)));
}

#[test]
fn a_hung_head_holds_its_queue_for_its_slice_and_no_longer() {
    let writes = Writes::new(2);
    let mut specs = writes.specs();
    specs[0].timeout = Some(MS(100));
    let bodies = [Body::hang(), ok(50)];
    let timeline = simulate(
        Policy::Keyed,
        &specs,
        &bodies,
        &writes.keys,
        Options::default(),
    );
    assert_eq!(outcomes(&timeline), [Outcome::TimedOut, Outcome::Ok]);
    assert_eq!(
        (timeline.calls[1].start, timeline.calls[1].end),
        (Some(MS(100)), Some(MS(150)))
    );
}

#[test]
fn a_write_that_does_not_acknowledge_is_indeterminate_and_lands_late() {
    let writes = Writes::new(2);
    let mut specs = writes.specs();
    specs[0].timeout = Some(MS(100));
    let lands = Body {
        ignores_cancel: true,
        ..ok(2_000)
    };
    let timeline = simulate(
        Policy::Keyed,
        &specs,
        &[lands, ok(50)],
        &writes.keys,
        Options::default(),
    );
    assert_eq!(outcomes(&timeline), [Outcome::Indeterminate, Outcome::Ok]);
    assert_eq!(timeline.calls[0].late, Some(MS(2_000)));
    assert_eq!(
        timeline.calls[1].start,
        Some(MS(100)),
        "key and slot are free at the slice"
    );
}

#[test]
fn a_read_that_does_not_acknowledge_is_timed_out() {
    let keys = KeyTable::new();
    let specs = [CallSpec {
        timeout: Some(MS(100)),
        ..CallSpec::default()
    }];
    let bodies = [Body {
        ignores_cancel: true,
        ..ok(5_000)
    }];
    let timeline = simulate(Policy::Graph, &specs, &bodies, &keys, Options::default());
    assert_eq!(outcomes(&timeline), [Outcome::TimedOut]);
}

#[test]
fn neighbours_of_a_failure_go_on_by_default() {
    let keys = KeyTable::new();
    let specs = vec![CallSpec::default(); 3];
    let timeline = simulate(
        Policy::Staged,
        &specs,
        &[fails(10), ok(50), ok(50)],
        &keys,
        Options::default(),
    );
    assert_eq!(
        outcomes(&timeline),
        [Outcome::Failed, Outcome::Ok, Outcome::Ok]
    );
}

#[test]
fn stop_later_lets_running_calls_finish_and_starts_no_other() {
    let keys = KeyTable::new();
    let specs = vec![CallSpec::default(); 4];
    let options = Options {
        slots: Slots::limit(2).unwrap(),
        ..mode(OnFailure::StopLater)
    };
    let bodies = [fails(10), ok(50), ok(50), ok(50)];
    let timeline = simulate(Policy::Graph, &specs, &bodies, &keys, options);
    let expected = [
        Outcome::Failed,
        Outcome::Ok,
        Outcome::NotRun,
        Outcome::NotRun,
    ];
    assert_eq!(outcomes(&timeline), expected);
    assert_eq!(timeline.makespan, Some(MS(50)));
}

#[test]
fn stop_dependents_follows_every_chain_of_edges_and_spares_the_rest() {
    let mut keys = KeyTable::new();
    let (a, b, c) = (
        [keys.intern_text("k:a")],
        [keys.intern_text("k:b")],
        [keys.intern_text("k:c")],
    );
    let both = [a[0], b[0]];
    let write = |writes| CallSpec {
        writes,
        ..CallSpec::default()
    };
    let specs = [write(&a), write(&both), write(&b), write(&c)];
    let options = Options {
        slots: Slots::limit(1).unwrap(),
        ..mode(OnFailure::StopDependents)
    };
    let timeline = simulate(
        Policy::Graph,
        &specs,
        &[fails(10), ok(1), ok(1), ok(1)],
        &keys,
        options,
    );
    let expected = [
        Outcome::Failed,
        Outcome::NotRun,
        Outcome::NotRun,
        Outcome::Ok,
    ];
    assert_eq!(outcomes(&timeline), expected);
}

#[test]
fn cancel_siblings_takes_running_calls_with_it() {
    let keys = KeyTable::new();
    let specs = vec![CallSpec::default(); 5];
    let options = Options {
        slots: Slots::limit(4).unwrap(),
        ..mode(OnFailure::CancelSiblings)
    };
    let bodies = [ok(5), fails(10), ok(500), ok(500), ok(500)];
    let timeline = simulate(Policy::AllAtOnce, &specs, &bodies, &keys, options);
    let expected = [
        Outcome::Ok,
        Outcome::Failed,
        Outcome::Cancelled,
        Outcome::Cancelled,
        Outcome::Cancelled,
    ];
    assert_eq!(outcomes(&timeline), expected);
    assert_eq!(timeline.makespan, Some(MS(10)));
}

#[test]
fn a_fatal_error_stops_everything_that_has_not_started() {
    let fatal = Body {
        end: End::Fatal,
        ..ok(10)
    };
    let timeline = Writes::new(3).run(&[fatal, ok(1), ok(1)], Options::default());
    assert_eq!(
        outcomes(&timeline),
        [Outcome::Failed, Outcome::NotRun, Outcome::NotRun]
    );
    assert_eq!(timeline.fatal, Some(0));
}

#[test]
fn an_accepted_final_answer_ends_the_turn_and_a_refused_one_does_not() {
    let keys = KeyTable::new();
    let last = CallSpec {
        is_final: true,
        ..CallSpec::default()
    };
    let specs = [CallSpec::default(), last, CallSpec::default()];
    let run = |body| {
        simulate(
            Policy::Staged,
            &specs,
            &[ok(10), body, ok(10)],
            &keys,
            Options::default(),
        )
    };
    assert_eq!(
        outcomes(&run(ok(5))),
        [Outcome::Ok, Outcome::Ok, Outcome::NotRun]
    );
    assert_eq!(
        outcomes(&run(fails(5))),
        [Outcome::Ok, Outcome::Failed, Outcome::Ok]
    );
}

#[test]
fn under_all_at_once_calls_that_had_started_before_the_final_answer_finish() {
    let keys = KeyTable::new();
    let last = CallSpec {
        is_final: true,
        ..CallSpec::default()
    };
    let specs = [last, CallSpec::default(), CallSpec::default()];
    let options = Options {
        slots: Slots::limit(2).unwrap(),
        ..Options::default()
    };
    let timeline = simulate(
        Policy::AllAtOnce,
        &specs,
        &[ok(5), ok(50), ok(50)],
        &keys,
        options,
    );
    assert_eq!(
        outcomes(&timeline),
        [Outcome::Ok, Outcome::Ok, Outcome::NotRun]
    );
}

#[test]
fn a_slice_is_the_time_left_over_the_longest_chain_and_the_tools_limit_caps_it() {
    let writes = Writes::new(3);
    let hang = [Body::hang(), Body::hang(), Body::hang()];
    let options = Options {
        deadline: Some(MS(900)),
        ..Options::default()
    };
    let timeline = writes.run(&hang, options);
    // 900 over 3, then 600 over 2, then 300 over 1.
    let ends: Vec<_> = timeline.calls.iter().map(|c| c.end.unwrap()).collect();
    assert_eq!(ends, [MS(300), MS(600), MS(900)]);

    let mut specs = writes.specs();
    specs[0].timeout = Some(MS(100));
    let timeline = simulate(Policy::Keyed, &specs, &hang, &writes.keys, options);
    assert_eq!(timeline.calls[0].end, Some(MS(100)));
    assert_eq!(
        timeline.calls[1].end,
        Some(MS(500)),
        "800 left over two calls"
    );
}

#[test]
fn the_slice_counts_from_the_start_and_never_from_queueing() {
    let keys = KeyTable::new();
    let quick = CallSpec {
        timeout: Some(MS(100)),
        ..CallSpec::default()
    };
    let options = Options {
        slots: Slots::limit(1).unwrap(),
        ..Options::default()
    };
    let timeline = simulate(
        Policy::Graph,
        &[CallSpec::default(), quick],
        &[ok(500), ok(20)],
        &keys,
        options,
    );
    assert_eq!(outcomes(&timeline), [Outcome::Ok, Outcome::Ok]);
    assert_eq!(timeline.calls[1].cause, Some(Cause::Slot { after: 0 }));
}

#[test]
fn what_has_not_started_at_the_deadline_is_cancelled() {
    let keys = KeyTable::new();
    let specs = vec![CallSpec::default(); 3];
    let options = Options {
        slots: Slots::limit(1).unwrap(),
        deadline: Some(MS(100)),
        ..Options::default()
    };
    let timeline = simulate(
        Policy::Graph,
        &specs,
        &[ok(60), ok(60), ok(60)],
        &keys,
        options,
    );
    let expected = [Outcome::Ok, Outcome::TimedOut, Outcome::Cancelled];
    assert_eq!(outcomes(&timeline), expected);
    assert_eq!(timeline.makespan, Some(MS(100)));
}

#[test]
fn a_call_that_waits_for_approval_keeps_its_place_and_holds_no_slot() {
    let writes = Writes::new(2);
    let mut specs = writes.specs();
    specs[0].approval = true;
    specs.push(CallSpec::default());
    let granted = |after| Body {
        approval: Some(Approval {
            after: MS(after),
            grant: true,
        }),
        ..ok(10)
    };
    let options = Options {
        slots: Slots::limit(1).unwrap(),
        ..Options::default()
    };
    let timeline = simulate(
        Policy::Keyed,
        &specs,
        &[granted(500), ok(10), ok(10)],
        &writes.keys,
        options,
    );
    assert_eq!(timeline.calls[2].start, Some(MS(0)));
    assert_eq!(timeline.calls[0].cause, Some(Cause::Approval));
    assert_eq!(
        timeline.calls[1].start,
        Some(MS(510)),
        "the second write keeps behind the first"
    );
}

#[test]
fn a_denied_call_releases_its_successors_only_once_its_own_predecessors_are_through() {
    let writes = Writes::new(3);
    let mut specs = writes.specs();
    specs[1].approval = true;
    let denied = Body {
        approval: Some(Approval {
            after: MS(10),
            grant: false,
        }),
        ..ok(10)
    };
    let timeline = simulate(
        Policy::Keyed,
        &specs,
        &[ok(100), denied, ok(10)],
        &writes.keys,
        Options::default(),
    );
    assert_eq!(
        outcomes(&timeline),
        [Outcome::Ok, Outcome::Denied, Outcome::Ok]
    );
    assert_eq!(timeline.calls[2].start, Some(MS(100)));
    let key = writes.key[0];
    assert_eq!(timeline.calls[2].cause, Some(Cause::Key { key, after: 0 }));
}

#[test]
fn a_cancelled_turn_starts_nothing_more_and_still_answers_every_call() {
    let writes = Writes::new(2);
    let specs = writes.specs();
    let plan = Plan::new(Policy::Keyed, &specs, &writes.keys);
    let mut scheduler = Scheduler::new(plan, &specs, Options::default());
    let mut effects = Vec::new();
    scheduler.step(MS(0), &[Input::Begin], &mut effects);
    effects.clear();
    scheduler.step(MS(5), &[Input::Cancel], &mut effects);
    assert!(effects.contains(&Effect::Cancel { call: 0 }));
    assert!(effects.contains(&Effect::Settle {
        call: 1,
        outcome: Outcome::Cancelled,
        end: MS(5)
    }));
    effects.clear();
    scheduler.step(
        MS(6),
        &[Input::Finished {
            call: 0,
            outcome: Outcome::Cancelled,
        }],
        &mut effects,
    );
    let settled = Effect::Settle {
        call: 0,
        outcome: Outcome::Cancelled,
        end: MS(6),
    };
    assert_eq!(effects, [settled, Effect::WakeAt(MS(255)), Effect::Done]);
}

#[test]
fn a_body_that_answers_after_being_told_to_stop_keeps_its_own_outcome() {
    let writes = Writes::new(1);
    let specs = writes.specs();
    let plan = Plan::new(Policy::Keyed, &specs, &writes.keys);
    let mut scheduler = Scheduler::new(plan, &specs, Options::default());
    let mut effects = Vec::new();
    scheduler.step(MS(0), &[Input::Begin], &mut effects);
    scheduler.step(MS(5), &[Input::Cancel], &mut effects);
    effects.clear();
    scheduler.step(
        MS(6),
        &[Input::Finished {
            call: 0,
            outcome: Outcome::Ok,
        }],
        &mut effects,
    );
    assert!(effects.contains(&Effect::Settle {
        call: 0,
        outcome: Outcome::Ok,
        end: MS(6)
    }));
}

#[test]
fn a_scheduler_that_was_reset_runs_the_turn_again_to_the_letter() {
    let writes = Writes::new(3);
    let specs = writes.specs();
    let plan = Plan::new(Policy::Keyed, &specs, &writes.keys);
    let mut scheduler = Scheduler::new(plan, &specs, mode(OnFailure::StopDependents));
    let bodies = [ok(10), fails(10), ok(10)];
    let mut simulator = turnlane::simulate::Simulator::default();
    let first = simulator.run(&mut scheduler, &bodies);
    scheduler.reset();
    assert_eq!(simulator.run(&mut scheduler, &bodies), first);
}

#[test]
fn calls_on_the_key_of_one_that_was_given_up_are_known() {
    let writes = Writes::new(2);
    let mut specs = writes.specs();
    specs[0].timeout = Some(MS(100));
    let plan = Plan::new(Policy::Keyed, &specs, &writes.keys);
    let mut scheduler = Scheduler::new(plan, &specs, Options::default());
    let mut effects = Vec::new();
    scheduler.step(MS(0), &[Input::Begin], &mut effects);
    assert_eq!(scheduler.beside(1).count(), 0);
    scheduler.step(MS(100), &[Input::Deadline], &mut effects);
    assert_eq!(scheduler.beside(1).collect::<Vec<_>>(), [0]);
    scheduler.step(
        MS(120),
        &[Input::Finished {
            call: 0,
            outcome: Outcome::Cancelled,
        }],
        &mut effects,
    );
    assert_eq!(scheduler.beside(1).count(), 0, "it acknowledged");
}

#[test]
fn an_empty_turn_is_done_at_once() {
    let keys = KeyTable::new();
    let timeline = simulate(Policy::Staged, &[], &[], &keys, Options::default());
    assert_eq!(timeline.makespan, Some(Nanos::ZERO));
}

#[test]
fn no_slots_at_all_is_an_error_and_unlimited_is_a_word() {
    assert!("0".parse::<Slots>().is_err());
    assert_eq!("unlimited".parse::<Slots>(), Ok(Slots::Unlimited));
}

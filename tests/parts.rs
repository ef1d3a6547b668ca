//! Where the wall time of a thread went.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use turnlane::analyze::{Part, Parts, busy_spans, parts, typical_stretch};
use turnlane::model::{Outcome, ThreadId, Timing};
use turnlane::time::{Nanos, Span};
use turnlane::trace::{Call, Pooled, Run, Thread, Turn};

fn ms(ms: u64) -> Nanos {
    Nanos::from_millis(ms)
}

fn span(from: u64, to: u64) -> Span {
    Span::new(ms(from), ms(to))
}

fn run() -> Run {
    let mut run = Run::default();
    run.threads.push(Thread {
        name: "main".to_owned(),
        ..Thread::default()
    });
    run
}

/// Adds a turn to a thread; times in milliseconds from the run's start.
fn turn(run: &mut Run, thread: usize, model: Option<(u64, u64)>, calls: &[Call]) {
    let at = run.turns.len() as u32;
    let start = run.calls.len() as u32;
    run.calls.extend(calls);
    let number = run.threads[thread].turns.len() as u32 + 1;
    run.threads[thread].turns.push(at);
    run.turns.push(Turn {
        thread: ThreadId(thread as u32),
        number,
        at: model.map(|(_, to)| ms(to)),
        model: model.map(|(from, to)| span(from, to)),
        model_timing: model.map_or(Timing::Unknown, |_| Timing::Measured),
        model_name: Default::default(),
        origin: 0,
        calls: Pooled {
            start,
            len: calls.len() as u32,
        },
        end: None,
    });
}

fn call(issued: u64, start: u64, end: u64) -> Call {
    Call {
        issued: Some(ms(issued)),
        start: Some(ms(start)),
        end: Some(ms(end)),
        timing: Timing::Measured,
        outcome: Outcome::Ok,
        ..Call::default()
    }
}

/// Issue and result are all that is known.
fn bound(issued: u64, end: u64) -> Call {
    Call {
        start: None,
        timing: Timing::Bound,
        ..call(issued, issued, end)
    }
}

#[allow(clippy::type_complexity, reason = "a turn as it is read")]
fn of(turns: &[(Option<(u64, u64)>, Vec<Call>)]) -> Parts {
    let mut run = run();
    for (model, calls) in turns {
        turn(&mut run, 0, *model, calls);
    }
    parts(&run, ThreadId(0))
}

/// Milliseconds by part, in the order of `Part::ALL`; `None` for unknown.
fn totals(parts: &Parts) -> [Option<u64>; 5] {
    parts
        .totals
        .map(|total| total.time.map(|time| time.0 / 1_000_000))
}

#[test]
fn a_run_of_thinking_tools_silence_and_a_gap_nobody_explains_has_all_of_them() {
    // 20 s of thinking and 1 s of text are the model's; the tool is not billed for them.
    let split = of(&[
        (Some((0, 21_000)), vec![call(21_000, 21_000, 23_000)]),
        (Some((53_000, 54_000)), vec![]),
        (Some((54_500, 55_000)), vec![]),
    ]);
    assert_eq!(split.wall, Some(span(0, 55_000)));
    assert_eq!(
        totals(&split),
        [Some(22_500), Some(2_000), Some(0), Some(0), Some(30_500)]
    );
}

#[test]
fn bodies_that_overlap_count_once() {
    let ten = call(0, 0, 10);
    let split = of(&[(Some((0, 0)), vec![ten, ten, ten])]);
    assert_eq!(split.total(Part::Tool).time, Some(ms(10)));
    assert_eq!(split.percents(), Some([0, 100, 0, 0, 0]));
}

#[test]
fn a_call_waits_only_while_nothing_runs() {
    let split = of(&[(
        Some((0, 100)),
        vec![call(100, 100, 300), call(100, 350, 400)],
    )]);
    assert_eq!(
        totals(&split),
        [Some(100), Some(250), Some(50), Some(0), Some(0)]
    );
}

#[test]
fn the_time_between_question_and_answer_is_yours_unless_something_runs() {
    let asked = Call {
        asked: Some(ms(100)),
        granted: Some(ms(900)),
        ..call(100, 950, 1_000)
    };
    let split = of(&[(Some((0, 100)), vec![call(100, 100, 300), asked])]);
    assert_eq!(
        totals(&split),
        [Some(100), Some(250), Some(50), Some(600), Some(0)]
    );
}

#[test]
fn a_question_that_nobody_answered_is_yours_to_the_end_of_the_record() {
    let asked = Call {
        issued: Some(ms(100)),
        asked: Some(ms(100)),
        ..Call::default()
    };
    let mut run = run();
    turn(&mut run, 0, Some((0, 100)), &[asked]);
    run.ended = Some(ms(700));
    let split = parts(&run, ThreadId(0));
    assert_eq!(split.total(Part::Approval).time, Some(ms(600)));
    assert_eq!(split.total(Part::Tool).time, None);
}

#[test]
fn a_denied_call_waited_and_ran_at_no_time() {
    let denied = Call {
        start: None,
        outcome: Outcome::Denied,
        timing: Timing::Unknown,
        ..call(100, 0, 400)
    };
    let split = of(&[(Some((0, 100)), vec![denied])]);
    assert_eq!(split.total(Part::Waiting).time, Some(ms(300)));
    let tools = split.total(Part::Tool);
    assert_eq!((tools.time, tools.missing), (Some(Nanos::ZERO), 0));
}

#[test]
fn an_interval_that_only_ends_with_a_result_is_tool_time_at_most() {
    let split = of(&[(Some((0, 1_000)), vec![bound(1_000, 6_000)])]);
    let tools = split.total(Part::Tool);
    assert_eq!((tools.time, tools.timing), (Some(ms(5_000)), Timing::Bound));
    assert_eq!(split.total(Part::Model).timing, Timing::Measured);
}

#[test]
fn a_bound_takes_nothing_from_the_model_and_a_body_that_ran_does() {
    let split = of(&[(Some((0, 1_000)), vec![bound(500, 2_000)])]);
    assert_eq!(split.total(Part::Model).time, Some(ms(1_000)));
    assert_eq!(split.total(Part::Tool).time, Some(ms(1_000)));
    // A tool that starts before the reply ends: bars overlap, the union is six.
    let split = of(&[(
        Some((0, 5_000)),
        vec![call(2_000, 2_000, 4_000), call(4_500, 4_500, 6_000)],
    )]);
    assert_eq!(
        totals(&split),
        [Some(2_500), Some(3_500), Some(0), Some(0), Some(0)]
    );
}

#[test]
fn a_bound_leaves_its_own_approval_out_and_no_other_call_s() {
    let asked = Call {
        asked: Some(ms(200)),
        granted: Some(ms(800)),
        ..bound(100, 1_000)
    };
    let alone = of(&[(Some((0, 100)), vec![asked])]);
    assert_eq!(
        totals(&alone),
        [Some(100), Some(300), Some(0), Some(600), Some(0)]
    );
    // Another body may have run all the while, so no less than that is an upper bound.
    let beside = of(&[(Some((0, 100)), vec![asked, bound(100, 1_000)])]);
    assert_eq!(beside.total(Part::Tool).time, Some(ms(900)));
}

#[test]
fn the_tool_s_own_figure_leaves_the_rest_of_the_interval_as_waiting() {
    let own = Call {
        own: Some(ms(4_000)),
        ..call(0, 0, 6_660_000)
    };
    let split = of(&[(Some((0, 0)), vec![own])]);
    assert_eq!(split.total(Part::Tool).time, Some(ms(4_000)));
    assert_eq!(split.total(Part::Waiting).time, Some(ms(6_656_000)));
}

#[test]
fn what_is_not_known_is_counted_and_never_zero() {
    let unknown = Call {
        timing: Timing::Unknown,
        ..call(100, 100, 200)
    };
    let open = Call {
        outcome: Outcome::Unfinished,
        end: None,
        ..call(100, 100, 0)
    };
    let none = of(&[(Some((0, 100)), vec![unknown, open])]);
    let tools = none.total(Part::Tool);
    assert_eq!(
        (tools.time, tools.timing, tools.missing),
        (None, Timing::Unknown, 2)
    );
    let some = of(&[(Some((0, 100)), vec![unknown, call(100, 100, 150)])]);
    let tools = some.total(Part::Tool);
    assert_eq!((tools.time, tools.missing), (Some(ms(50)), 1));
    let backwards = of(&[(Some((0, 100)), vec![call(100, 300, 200)])]);
    assert_eq!(backwards.total(Part::Tool).time, None);
}

#[test]
fn a_thread_without_times_has_no_wall_and_no_shares() {
    let untimed = Call {
        outcome: Outcome::Ok,
        ..Call::default()
    };
    let split = of(&[(None, vec![untimed])]);
    assert_eq!(split.wall, None);
    assert_eq!(split.percents(), None);
    assert!(split.stretches.is_empty());
    assert_eq!(split.totals.map(|t| t.time), [None; 5]);
    assert!(split.totals.iter().all(|t| t.timing == Timing::Unknown));
    assert_eq!(of(&[]).totals.map(|t| t.time), [None; 5]);
}

#[test]
fn a_sub_agent_s_time_is_its_own() {
    let mut run = run();
    run.threads.push(Thread {
        name: "agent".to_owned(),
        ..Thread::default()
    });
    turn(&mut run, 0, Some((0, 100)), &[call(100, 100, 1_100)]);
    turn(&mut run, 1, Some((150, 900)), &[call(900, 900, 1_000)]);
    let main = parts(&run, ThreadId(0));
    assert_eq!(main.total(Part::Model).time, Some(ms(100)));
    assert_eq!(main.total(Part::Tool).time, Some(ms(1_000)));
    let agent = parts(&run, ThreadId(1));
    assert_eq!(agent.wall, Some(span(150, 1_000)));
    assert_eq!(agent.total(Part::Model).time, Some(ms(750)));
    let both = [main, agent];
    assert_eq!(busy_spans(&both, std::iter::empty()), [span(0, 1_100)]);
    assert_eq!(typical_stretch(&both), Some(ms(750)));
}

#[test]
fn an_instant_without_a_length_breaks_a_gap_in_two() {
    let split = [of(&[
        (Some((0, 100)), vec![]),
        (Some((900, 1_000)), vec![]),
    ])];
    let busy = busy_spans(&split, [ms(500), ms(50)].into_iter());
    assert_eq!(busy, [span(0, 100), span(500, 500), span(900, 1_000)]);
}

prop_compose! {
    fn any_call()(
        times in prop::array::uniform5(prop::option::weighted(0.8, 0u64..2_000)),
        own in prop::option::weighted(0.2, 0u64..500),
        timing in prop::sample::select(Timing::ALL.to_vec()),
        outcome in prop::sample::select(Outcome::ALL.to_vec()),
    ) -> Call {
        let [issued, start, end, asked, granted] = times.map(|at| at.map(ms));
        Call { issued, start, end, asked, granted, own: own.map(ms), timing, outcome, ..Call::default() }
    }
}

fn any_run() -> impl Strategy<Value = Run> {
    let model = prop::option::weighted(0.8, (0u64..2_000, 0u64..2_000));
    let turns = prop::collection::vec((model, prop::collection::vec(any_call(), 0..5)), 0..6);
    turns.prop_map(|turns| {
        let mut run = run();
        for (model, calls) in turns {
            turn(&mut run, 0, model, &calls);
        }
        run
    })
}

proptest! {
    #[test]
    fn the_parts_lie_side_by_side_and_are_the_whole_wall(run in any_run()) {
        let split = parts(&run, ThreadId(0));
        let Some(wall) = split.wall else {
            prop_assert!(split.stretches.is_empty());
            return Ok(());
        };
        let mut at = wall.start;
        for stretch in &split.stretches {
            prop_assert_eq!(stretch.span.start, at);
            prop_assert!(stretch.span.end > at);
            at = stretch.span.end;
        }
        prop_assert_eq!(at, wall.end);
        let sum: Nanos = split.totals.iter().filter_map(|total| total.time).sum();
        prop_assert!(sum <= wall.len());
        if let Some(percents) = split.percents() {
            prop_assert_eq!(percents.iter().sum::<u32>(), 100);
        }
    }

    #[test]
    fn measured_tool_time_is_the_union_of_the_bodies(run in any_run()) {
        let split = parts(&run, ThreadId(0));
        let measured = |timing| timing < Timing::Bound;
        let mut bodies: Vec<Span> = run.calls.iter()
            .filter(|c| measured(c.timing) && c.own.is_none() && !c.never_ran())
            .filter(|c| c.outcome != Outcome::Unfinished)
            .filter_map(|c| c.start.zip(c.end))
            .filter(|(start, end)| end >= start)
            .map(|(start, end)| Span::new(start, end))
            .collect();
        if run.calls.iter().any(|c| c.own.is_some()) {
            return Ok(());
        }
        let tools = split.stretches.iter()
            .filter(|s| s.part == Part::Tool && measured(s.timing))
            .map(|s| s.span.len());
        prop_assert_eq!(tools.sum::<Nanos>(), turnlane::time::union_len(&mut bodies));
    }
}

//! Which calls a query finds, what a survey lists, and bodies that are searched piece by piece.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use support::runs::{Recording, call};
use turnlane::analyze::query::{CallFacts, Fit, Part, Query};
use turnlane::analyze::{Place, Survey, WhatIfOptions, turns_in_order};
use turnlane::model::{Outcome, Timing};
use turnlane::schedule::Policy;
use turnlane::time::Nanos;
use turnlane::trace::{Bodies, BodyRef, Run};

fn run() -> Run {
    let mut recording = Recording::new("all-at-once", "m");
    let mut bad = call("Bash", 300, 900)
        .opaque()
        .ended(Outcome::TimedOut)
        .because("after", 1);
    bad.error = "Took too LONG";
    recording.turn(
        100,
        &[
            call("Read", 0, 2_000_000).reads("file:src/a.rs"),
            call("Edit", 100, 5_000).writes("file:src/a.rs"),
            bad,
            call("Read", 0, 2_000_000).timed(Timing::Unknown),
            call("Read", 0, 3_000_000).timed(Timing::Bound),
        ],
    );
    recording.thread("agent-7");
    recording.turn(100, &[call("Grep", 0, 10).reads("file:b")]);
    recording.run
}

/// Thread, turn and call of what a line finds, where both bodies hold `inside`.
fn found(line: &str, inside: &str) -> Vec<(u32, u32, u32)> {
    let run = run();
    let query: Query = line.parse().unwrap();
    let mut found = Vec::new();
    for (first, turn) in turns_in_order(&run) {
        for (at, call) in (0..).zip(run.calls_of(turn)) {
            let facts = CallFacts {
                run: &run,
                turn,
                call,
                in_hazard: at < 2 && first.thread == 0,
            };
            let fits = query.fits_inside(&facts, |_, text| inside.contains(text));
            // What names alone tell is never taken back by bodies.
            match query.fits(&facts) {
                Fit::Yes => assert!(fits, "{line}"),
                Fit::No => assert!(!fits, "{line}"),
                Fit::LookInside => {}
            }
            if fits {
                found.push((first.thread, first.turn, at));
            }
        }
    }
    found
}

fn calls(line: &str) -> Vec<u32> {
    let main = found(line, "").into_iter().filter(|at| at.0 == 0);
    main.map(|(_, _, call)| call).collect()
}

#[test]
fn a_word_is_looked_for_in_every_name_whatever_its_case() {
    for (word, expected) in [
        ("READ", &[0, 3, 4][..]),
        ("src/A", &[0, 1]),
        ("too long", &[2]),
        ("\"too long\"", &[2]),
        ("timed_out", &[2]),
        ("nothing", &[]),
    ] {
        assert_eq!(calls(word), expected, "{word}");
    }
    assert_eq!(found("agent", ""), [(1, 0, 0)]);
    assert_eq!(found("thread:main read turn:1", "").len(), 3);
}

#[test]
fn unknown_times_fit_no_limit_in_either_direction() {
    assert_eq!(calls(">1s"), [0, 4]);
    assert_eq!(calls("<1s"), [1, 2]);
    assert_eq!(calls(">=0ns"), [0, 1, 2, 4], "call 3 has no known time");
    assert_eq!(calls("-<1s"), [0, 3, 4], "not known to be shorter");
    assert_eq!(calls("wait>99us"), [1, 2]);
}

#[test]
fn filters_side_by_side_must_all_fit() {
    assert_eq!(calls("tool:read key:src"), [0]);
    assert_eq!(calls("failed"), [2]);
    assert_eq!(calls("outcome:timed-out error:long"), [2]);
    assert_eq!(calls("hazard -tool:edit"), [0]);
    assert_eq!(found("several", "").len(), 5);
    assert_eq!(found("-several", ""), [(1, 0, 0)]);
}

#[test]
fn bodies_decide_only_where_names_do_not() {
    assert_eq!(found("needle", "a needle").len(), 6);
    assert_eq!(found("needle tool:grep", "a needle"), [(1, 0, 0)]);
    assert_eq!(found("-needle", "a needle"), []);
    assert_eq!(found("-needle", "hay").len(), 6);
    assert_eq!(found("args:hay answer:hay >1s", "hay").len(), 2);
    let run = run();
    let query: Query = "needle -tool:read".parse().unwrap();
    let turn = &run.turns[0];
    let facts = |call: usize| CallFacts {
        run: &run,
        turn,
        call: &run.calls[call],
        in_hazard: false,
    };
    assert_eq!(query.fits(&facts(0)), Fit::No, "its bodies are not read");
    assert_eq!(query.fits(&facts(1)), Fit::LookInside);
    let mut asked = Vec::new();
    query.fits_inside(&facts(1), |part, _| {
        asked.push(part);
        true
    });
    assert_eq!(asked, [Part::Args], "and no more of them than it takes");
}

#[test]
fn a_survey_lists_hazards_failures_widths_and_waits() {
    let run = run();
    let options = WhatIfOptions::default();
    let survey = Survey::of(&run, None, &options);
    let at = |call| Place {
        call,
        ..Place::default()
    };
    assert_eq!(survey.failures, [at(2)]);
    assert_eq!(survey.widest, [at(0)]);
    assert_eq!(
        survey.waits,
        [(at(2), Nanos(300_000)), (at(1), Nanos(100_000))]
    );
    assert_eq!(
        survey.hazard_count, 0,
        "an interval of the turn is only bounded"
    );
    let mut recording = Recording::new("all-at-once", "m");
    let write = |a, b| call("w", a, b).writes("k:1");
    recording.turn(
        100,
        &[call("r", 0, 100).reads("k:2"), call("x", 0, 9).opaque()],
    );
    recording.turn(100, &[write(0, 100), write(50, 120)]);
    let survey = Survey::of(&recording.run, None, &options);
    assert_eq!(survey.hazard_count, 2);
    assert_eq!(survey.hazards[0].place.turn, 0);
    assert_eq!(survey.worst, [1, 0], "the lost update first");
    let safe = Survey::of(&recording.run, Some(Policy::Graph), &options);
    assert_eq!((safe.hazard_count, safe.policy), (0, Some(Policy::Graph)));
    assert_eq!(safe.waits.len(), 2, "the second of each turn");
}

#[test]
fn a_text_across_two_pieces_is_found_and_escapes_are_read() {
    let piece = 1 << 20;
    let overlap = usize::try_from(Bodies::OVERLAP).unwrap();
    for before in [0, 100, piece - overlap, piece - 3, piece, 2 * piece + 7] {
        let body = format!("\"{}the ne\\u0065dle\\nis here\"", "x".repeat(before));
        let mut run = Run::default();
        run.held
            .insert(0, std::sync::Arc::new(format!(" {body}").into_bytes()));
        let body = BodyRef {
            file: 0,
            offset: 1,
            len: body.len() as u64,
        };
        let mut found = false;
        let mut longest = 0;
        Bodies::each_piece(&run, body, |text| {
            longest = longest.max(text.len());
            found |= text.contains("the needle\nis here");
            found
        })
        .unwrap();
        assert!(found, "after {before} bytes");
        assert!(longest <= piece, "no more than a piece at a time");
    }
}

#[test]
fn a_body_that_is_gone_is_an_error_and_not_an_empty_one() {
    let body = BodyRef {
        file: 3,
        offset: 1,
        len: 10,
    };
    assert!(Bodies::each_piece(&Run::default(), body, |_| false).is_err());
}

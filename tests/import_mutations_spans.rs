//! Files of spans and logs of Inspect, broken in small ways: a run that can be relied on, or a
//! clear error; never a panic, never a hang, never more memory than the file is worth.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::mutations::{Dice, break_once, is_sound};
use import_support::spans::*;
use import_support::{Folder, text, try_open};
use serde_json::Value;
use turnlane::import::Opened;
use turnlane::trace::Run;
use zip::CompressionMethod;

/// One file of each kind.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let spans = everything();
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap().into_bytes();
    let lines: Vec<Value> = spans
        .iter()
        .map(|span| otlp(std::slice::from_ref(span)))
        .collect();
    let runs = langsmith();
    vec![
        ("otlp", pretty(&otlp(&spans))),
        ("otlp in one line", otlp(&spans).to_string().into_bytes()),
        ("otlp by line", text(&lines).into_bytes()),
        ("langfuse", pretty(&langfuse())),
        ("langsmith", pretty(&runs)),
        (
            "langsmith by line",
            text(runs.as_array().unwrap()).into_bytes(),
        ),
        ("chrome", pretty(&chrome())),
        ("inspect", pretty(&inspect(&[sample()]))),
    ]
}

fn rounds() -> u64 {
    let rounds = std::env::var("TURNLANE_FUZZ_ROUNDS").ok();
    rounds.and_then(|n| n.parse().ok()).unwrap_or(200)
}

/// The run of a file that may be broken in any way.
fn opened(folder: &Folder, bytes: &[u8]) -> Option<Run> {
    match try_open(&folder.write("file", bytes)) {
        Ok(Opened::Run(run)) => {
            is_sound(&run);
            Some(*run)
        }
        Ok(Opened::Scenario(_)) => None,
        Err(error) => {
            assert!(error.to_string().contains("file"), "{error}");
            None
        }
    }
}

#[test]
fn whole_files_are_sound_and_nothing_of_them_is_lost() {
    let folder = Folder::new();
    for (name, bytes) in files() {
        let run = opened(&folder, &bytes).unwrap_or_else(|| panic!("{name} does not open"));
        assert!(!run.calls.is_empty(), "{name}");
        let skipped = &run.skipped;
        assert_eq!(
            (skipped.bad_lines, skipped.orphans, skipped.negative),
            (0, 0, 0),
            "{name}"
        );
        assert!(skipped.unknown_fields.is_empty(), "{name}: {skipped:?}");
    }
}

#[test]
fn broken_files_open_or_say_why_not() {
    let folder = Folder::new();
    for (which, (name, whole)) in (1..).zip(files()) {
        let mut count = 0;
        for round in 0..rounds() {
            let mut dice = Dice(round * 1_000 + which);
            let mut bytes = whole.clone();
            for _ in 0..1 + dice.roll(4) {
                break_once(&mut bytes, &mut dice);
            }
            count += u64::from(opened(&folder, &bytes).is_some());
        }
        assert!(count > rounds() / 3, "{name}: {count} opened");
    }
}

#[test]
fn broken_archives_open_or_say_why_not() {
    let folder = Folder::new();
    let methods = [
        CompressionMethod::Stored,
        CompressionMethod::Deflated,
        CompressionMethod::Zstd,
    ];
    for method in methods {
        let whole = archive(&[sample()], method);
        let mut count = 0;
        for round in 0..rounds() {
            let mut dice = Dice(round);
            let mut bytes = whole.clone();
            for _ in 0..1 + dice.roll(3) {
                break_once(&mut bytes, &mut dice);
            }
            count += u64::from(opened(&folder, &bytes).is_some());
        }
        assert!(count > 0, "{method}: none of {} opened", rounds());
    }
}

#[test]
fn archives_of_broken_samples_open() {
    let folder = Folder::new();
    let whole = sample().to_string().into_bytes();
    for round in 0..rounds() / 2 {
        let mut dice = Dice(round + 77);
        let mut bytes = whole.clone();
        for _ in 0..1 + dice.roll(4) {
            break_once(&mut bytes, &mut dice);
        }
        let archive = archive_of(
            &[("samples/a_epoch_1.json", &bytes[..])],
            CompressionMethod::Zstd,
        );
        assert!(opened(&folder, &archive).is_some(), "round {round}");
    }
}

#[test]
fn a_cut_at_any_place_costs_no_more_than_what_is_behind_it() {
    let folder = Folder::new();
    for (name, bytes) in files() {
        let mut most = 0;
        for end in (bytes.len() / 3..bytes.len()).step_by(41) {
            let calls = opened(&folder, &bytes[..end]).map_or(0, |run| run.calls.len());
            most = most.max(calls);
        }
        assert!(most > 0, "{name}");
    }
}

/// Spans whose links and times are thrown together at random.
#[test]
fn links_of_every_shape_give_a_sound_run() {
    let folder = Folder::new();
    for round in 0..rounds() {
        let mut dice = Dice(round + 9_999);
        let n = 1 + dice.roll(30);
        let mut spans = Vec::new();
        for _ in 0..n {
            let mut roll = |below: usize| i64::try_from(dice.roll(below)).unwrap();
            let number = u64::try_from(1 + roll(n)).unwrap();
            let parent = u64::try_from(roll(n + 2)).unwrap();
            let start = roll(50);
            let times = (start, start + roll(40) - 5);
            let id = format!("c{}", roll(6));
            let id = if roll(3) == 0 { "" } else { &id };
            let parts = [
                part(id, "get", &serde_json::json!({})),
                part("c1", "put", &serde_json::json!({})),
            ];
            spans.push(match roll(5) {
                0 => chat(
                    number,
                    parent,
                    times,
                    &parts[..usize::try_from(roll(3)).unwrap()],
                ),
                1 => agent(number, parent, "a", times),
                2 => span(number, parent, "frame", times, vec![]),
                3 => without(tool(number, parent, times, "get", id), "endTimeUnixNano"),
                _ => tool(number, parent, times, "get", id),
            });
        }
        let run = opened(&folder, otlp(&spans).to_string().as_bytes()).expect("it is whole");
        let turned: Vec<Value> = spans.iter().rev().cloned().collect();
        let again = opened(&folder, otlp(&turned).to_string().as_bytes()).expect("it is whole");
        let distinct = spans
            .iter()
            .map(|span| span["spanId"].to_string())
            .collect::<std::collections::HashSet<_>>();
        if distinct.len() == spans.len() {
            let told = |run: &Run| {
                let turns = run.turns.iter();
                let turns = turns.map(|turn| (turn.thread, turn.model, turn.calls.len));
                turns.collect::<Vec<_>>()
            };
            assert_eq!(told(&run), told(&again), "round {round}");
        }
    }
}

#[test]
fn shapes_that_repeat_a_thing_very_often_stay_quick() {
    let folder = Folder::new();
    let n: usize = 8_000;
    let chain = |make: &dyn Fn(u64) -> Value| (1..n as u64).map(make).collect::<Vec<_>>();
    let at = |number: u64| i64::try_from(number).unwrap();
    let shapes: [(&str, (usize, usize), Vec<Value>); 6] = [
        (
            "frames inside frames",
            (0, 0),
            chain(&|i| span(i, i - 1, "frame", (at(i), 90_000), vec![])),
        ),
        (
            "replies inside replies",
            (1, 0),
            chain(&|i| silent_chat(i, i - 1, (at(i), 90_000))),
        ),
        (
            "tools inside tools",
            (1, n - 1),
            chain(&|i| tool(i, i - 1, (at(i), 90_000 + at(i)), "get", "")),
        ),
        (
            "agents inside agents",
            (0, 0),
            chain(&|i| agent(i, i - 1, "a", (at(i), 90_000))),
        ),
        (
            "sub-agents inside sub-agents",
            (n / 2, n / 2 - 1),
            chain(&|i| match i % 2 {
                0 => tool(i, i - 1, (at(i), 90_000 - at(i)), "get", ""),
                _ => silent_chat(i, i - 1, (at(i), 90_000 - at(i))),
            }),
        ),
        (
            "replies at the same time",
            (n - 1, 0),
            chain(&|i| silent_chat(i, 0, (0, 90_000 + at(i)))),
        ),
    ];
    for (name, shape, spans) in shapes {
        let file = folder.write("file", otlp(&spans).to_string());
        let Ok(Opened::Run(run)) = try_open(&file) else {
            panic!("{name} does not open")
        };
        assert_eq!((run.turns.len(), run.calls.len()), shape, "{name}");
    }
}

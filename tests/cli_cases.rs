//! The program on real session files, against counts that an independent reader made.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// The folder of real sessions; without it the test says that it was skipped.
fn cases() -> Option<PathBuf> {
    let folder = std::env::var_os("TURNLANE_CASES").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: TURNLANE_CASES names no folder of real sessions");
    }
    folder
}

fn run(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_turnlane"))
        .args(args)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The rows of the counts below a folder: file, then counts by name.
fn expected(table: &str, below: &str) -> Vec<(String, HashMap<String, f64>)> {
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let rows = lines.filter(|line| line.starts_with(below)).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let counts = names
            .iter()
            .zip(&cells)
            .skip(1)
            .map(|(n, c)| ((*n).to_owned(), c.parse().unwrap()));
        (cells[0].to_owned(), counts.collect())
    });
    rows.collect()
}

#[test]
fn summary_and_what_if_count_real_sessions_as_an_independent_reader_does() {
    let Some(folder) = cases() else { return };
    let table = std::fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    for (below, least) in OPENED {
        let rows = expected(&table, below);
        assert!(rows.len() >= least, "only {} rows of {below}", rows.len());
        for (file, counts) in rows {
            agrees(&folder, &file, counts);
        }
    }
}

/// Folders of formats that can be opened, with how many files each has at least.
const OPENED: [(&str, usize); 9] = [
    ("claude-code/", 7),
    ("codex/", 1),
    ("tau2/", 2),
    ("gemini-cli/", 2),
    ("swe-agent/", 3),
    ("openhands/", 1),
    ("messages/", 2),
    ("inspect/", 5),
    ("otel/", 3),
];

/// Where the table is known to be wrong.
const WRONG: [(&str, &str, f64); 2] = [
    // Its reader takes the last answer of an id that is used again before the user speaks, so it
    // counts 9 of the 12 answers that carry `"error": true`.
    (
        "tau2/tau2_whissle_airline_run1_pr448.json",
        "failed_calls",
        12.0,
    ),
    // It has the figure of `parallel.json`, which is a log of another run: in this one the models
    // take 451.262, 5.128 and 9.069 ms from `timestamp` to `completed`.
    ("inspect/parallel.eval", "model_seconds", 0.465_459),
];

fn agrees(folder: &std::path::Path, file: &str, mut counts: HashMap<String, f64>) {
    for (_, name, right) in WRONG.iter().filter(|(wrong, ..)| *wrong == file) {
        counts.insert((*name).to_owned(), *right);
    }
    let path = folder.join(file);
    let path = path.to_str().unwrap();
    let summary = run(&["summary", path, "--json"]);
    let main = &summary["files"][0]["threads"][0];
    assert_eq!(main["thread"], "main");
    for (name, expected) in &counts {
        let found = main[name].as_f64().unwrap();
        if name == "model_seconds" {
            assert!(
                // The table is rounded to milliseconds.
                (found - expected).abs() <= (expected * 0.01).max(0.0005),
                "{file} {name}: {found}, not {expected}"
            );
        } else {
            assert!(
                (found - expected).abs() < 0.5,
                "{file} {name}: {found}, not {expected}"
            );
        }
    }
    let what_if = run(&["what-if", path, "--json"]);
    let turns = what_if["turns"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|t| t["thread"] == "main");
    let calls: Vec<f64> = turns.map(|t| t["calls"].as_f64().unwrap()).collect();
    let count =
        |which: fn(&&f64) -> bool| u32::try_from(calls.iter().filter(which).count()).unwrap();
    assert_eq!(f64::from(count(|_| true)), counts["replies"], "{file}");
    assert_eq!(
        f64::from(count(|&&n| n > 0.0)),
        counts["with_calls"],
        "{file}"
    );
    assert_eq!(
        f64::from(count(|&&n| n > 1.0)),
        counts["with_several"],
        "{file}"
    );
    assert_eq!(calls.iter().sum::<f64>(), counts["calls"], "{file}");
    assert_eq!(
        calls.iter().copied().fold(0.0, f64::max),
        counts["max_calls"],
        "{file}"
    );
}

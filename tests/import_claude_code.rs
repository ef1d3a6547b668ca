//! Counts of real sessions, made by an independent reader. Where the folder of cases is not
//! named, there is nothing to compare with.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};

use turnlane::analyze::{ThreadSummary, WhatIfOptions, summarise};
use turnlane::import::{Opened, open_any};
use turnlane::model::Catalog;
use turnlane::trace::Run;

fn cases() -> Option<PathBuf> {
    let folder = std::env::var_os("TURNLANE_CASES").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: TURNLANE_CASES does not name the folder of cases");
    }
    folder
}

fn open(path: &Path) -> Run {
    match open_any(path, &Catalog::claude_code().unwrap()) {
        Ok(Opened::Run(run)) => *run,
        Ok(Opened::Scenario(_)) => panic!("{} opened as a scenario", path.display()),
        Err(error) => panic!("{error}"),
    }
}

fn main_thread(run: &Run) -> ThreadSummary {
    summarise(run, &WhatIfOptions::default()).swap_remove(0)
}

#[test]
fn the_main_threads_of_real_sessions_have_the_counts_of_an_independent_reader() {
    let Some(folder) = cases() else { return };
    let table = std::fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let mut lines = table.lines();
    let header: Vec<_> = lines.next().unwrap().split('\t').collect();
    let mut compared = 0;
    for line in lines.filter(|line| line.starts_with("claude-code/")) {
        let row: Vec<_> = line.split('\t').collect();
        let want = |name| {
            let column = header.iter().position(|column| *column == name).unwrap();
            row[column]
        };
        let summary = main_thread(&open(&folder.join(row[0])));
        for (name, found) in [
            ("replies", summary.replies),
            ("with_calls", summary.with_calls),
            ("with_several", summary.with_several),
            ("max_calls", summary.max_calls),
            ("calls", summary.calls),
            ("timed_calls", summary.timed_calls),
            ("failed_calls", summary.failed_calls),
        ] {
            assert_eq!(found.to_string(), want(name), "{name} of {}", row[0]);
        }
        let seconds: f64 = want("model_seconds").parse().unwrap();
        let found = summary.model.as_secs_f64();
        let off = (found - seconds).abs();
        assert!(
            off <= seconds * 0.01,
            "{found} s of {}, not {seconds}",
            row[0]
        );
        compared += 1;
    }
    assert!(compared > 0, "the table has no session of Claude Code");
}

#[test]
fn the_sub_agents_of_a_real_session_are_threads_under_the_calls_that_started_them() {
    let Some(folder) = cases() else { return };
    let session = "claude-code/fa812bfe-b295-4cca-9c2f-fdf01028cb46";
    let run = open(&folder.join(format!("{session}.jsonl")));
    assert_eq!(run.skipped.unlinked, 0);
    let subs = &run.threads[1..];
    assert_eq!(subs.len(), 2);
    for sub in subs {
        let parent = sub.parent.expect("a linked sub-agent");
        let row = run.threads[parent.thread.0 as usize].turns[parent.turn as usize - 1];
        let call = &run.calls_of(&run.turns[row as usize])[parent.call as usize];
        assert_eq!(run.tool(call), "Task");
        // Opened alone, the same file counts the same.
        let alone = open(&folder.join(format!("{session}/subagents/agent-{}.jsonl", sub.name)));
        assert_eq!(
            alone.threads[0].turns.len(),
            sub.turns.len(),
            "{}",
            sub.name
        );
        assert_eq!(alone.threads[0].name, "main");
    }
}

#[test]
fn one_line_of_every_kind_opens() {
    let Some(folder) = cases() else { return };
    let samples = folder.join("claude-code/one-line-samples");
    let mut opened = 0;
    for kind in std::fs::read_dir(samples).unwrap() {
        for file in std::fs::read_dir(kind.unwrap().path()).unwrap() {
            let run = open(&file.unwrap().path());
            assert_eq!(run.skipped.bad_lines, 0, "{:?}", run.files);
            assert!(run.skipped.unknown_types.is_empty(), "{:?}", run.skipped);
            opened += 1;
        }
    }
    assert!(opened > 0);
}

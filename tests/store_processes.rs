//! Several processes on one store, and processes that are killed in the middle of a write.

#![cfg(all(unix, feature = "sqlite"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[allow(unused_macros)]
mod store_support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value as Json, json};
use store_support::{Place, assert_unbroken, state, threads};
use turnlane::model::Outcome;
use turnlane::tools::store::{Record, Store};
use turnlane::trace::{Run, read};

/// The store's catalog with every tool taking so long.
fn catalog(ms: u64) -> Json {
    let text = include_str!("../assets/catalogs/store.json");
    let mut catalog: Json = serde_json::from_str(text).unwrap();
    for tool in catalog["tools"].as_array_mut().unwrap() {
        tool["x-run"]["latency_ms"] = ms.into();
    }
    catalog
}

fn scenario(folder: &Path, ms: u64, turns: &[Vec<Json>]) -> PathBuf {
    let turns: Vec<_> = turns.iter().map(|calls| json!({"calls": calls})).collect();
    let scenario = json!({
        "format": "turnlane-scenario", "version": 1, "catalog": catalog(ms), "turns": turns,
    });
    let path = folder.join("scenario.json");
    std::fs::write(&path, scenario.to_string()).unwrap();
    path
}

fn note(id: &str, n: usize) -> Json {
    json!({"tool": "update_invoice", "args": {"invoice_id": id, "shipping_note": format!("note {n}")}})
}

fn charge(id: &str, card: &str) -> Json {
    json!({"tool": "charge_card", "args": {"invoice_id": id, "card_id": card, "amount": 1}})
}

fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_turnlane"))
        .arg("record")
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Calls of the trace that wrote, by turn and index.
fn accepted(run: &Run) -> BTreeSet<(u32, u32)> {
    let ok = run.calls.iter().filter(|c| c.outcome == Outcome::Ok);
    ok.map(|c| (run.turns[c.turn as usize].number, c.index))
        .collect()
}

/// Calls of a run that the store accepted.
async fn stored(store: &Store, run: &str) -> BTreeSet<(u32, u32)> {
    let writes = store.writes().await.unwrap();
    let own = writes.iter().filter(|w| w.run == run);
    own.map(|w| (w.call.1, w.call.2)).collect()
}

fn demo() -> Vec<Record> {
    threads(1).block_on(async { state(&*Place::memory().open().await).await })
}

const WRITES: usize = 40;

/// So many processes, each of which writes one invoice and one card again and again. They make
/// the store themselves, all at once.
fn race(place: &Place, processes: usize) {
    let folder = tempfile::tempdir().unwrap();
    let calls: Vec<_> = (0..WRITES)
        .map(|n| {
            if n % 4 == 0 {
                charge("8125", "c17")
            } else {
                note("8125", n)
            }
        })
        .collect();
    let scenario = scenario(folder.path(), 1, &[calls]);
    let trace = |n: usize| folder.path().join(format!("trace-{n}.jsonl"));
    let children: Vec<_> = (0..processes)
        .map(|n| {
            let trace = trace(n);
            let policy = if n % 2 == 0 { "keyed" } else { "sequential" };
            let scenario = scenario.to_str().unwrap();
            start(&[
                scenario,
                "-o",
                trace.to_str().unwrap(),
                "--store",
                &place.url,
                "--policy",
                policy,
            ])
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let demo = demo();
    threads(1).block_on(async {
        let store = place.open().await;
        assert_unbroken(&store, &demo).await;
        let mut all = 0;
        for n in 0..processes {
            let run = read(trace(n)).unwrap();
            let answered = run
                .calls
                .iter()
                .all(|c| matches!(c.outcome, Outcome::Ok | Outcome::Conflict));
            assert!(answered, "every call is accepted or told of its conflict");
            assert_eq!(stored(&store, &run.meta.id).await, accepted(&run));
            all += accepted(&run).len();
        }
        assert!(
            all >= WRITES,
            "of racing writes one is always accepted, not {all}"
        );
    });
}

#[test]
fn two_processes_make_one_unbroken_chain_of_revisions() {
    race(&Place::file(), 2);
}

#[test]
fn four_processes_make_one_unbroken_chain_of_revisions() {
    race(&Place::file(), 4);
}

#[test]
fn four_processes_do_on_postgresql() {
    if let Some(place) = Place::postgres() {
        race(&place, 4);
    }
}

/// Kills what is running `after` its trace has a new start, or gives up once it has ended.
fn kill_after(child: &mut Child, trace: &Path, starts: usize, after: Duration) -> bool {
    let patience = Instant::now() + Duration::from_secs(60);
    let begun = || {
        let text = std::fs::read(trace).unwrap_or_default();
        String::from_utf8_lossy(&text)
            .matches("\"kind\":\"start\"")
            .count()
            > starts
    };
    while !begun() && child.try_wait().unwrap().is_none() {
        assert!(
            Instant::now() < patience,
            "the recording never started a call"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(after);
    if child.try_wait().unwrap().is_some() {
        return false;
    }
    kill_process(Pid::from_child(child), Signal::KILL).unwrap();
    child.wait().unwrap();
    true
}

/// Kills a recording again and again until it is complete; how often it was killed, and how many
/// writes stood at a kill whose answer no trace had.
fn kill_and_go_on(place: &Place, policy: &str, seed: &mut u64) -> (u32, usize) {
    let folder = tempfile::tempdir().unwrap();
    let turn = |n: usize| -> Vec<Json> {
        let ids = ["8123", "8124", "9001", "9002"];
        let calls = ids
            .iter()
            .flat_map(|id| [note(id, n), charge(id, "c18"), note(id, n + 100)]);
        calls.collect()
    };
    let scenario = scenario(folder.path(), 6, &[turn(0), turn(1), turn(2)]);
    let scenario = scenario.to_str().unwrap();
    let trace = folder.path().join("trace.jsonl");
    let name = trace.to_str().unwrap();
    let mut child = start(&[
        scenario, "-o", name, "--store", &place.url, "--policy", policy,
    ]);
    let (mut kills, mut starts, mut unanswered) = (0, 0, 0);
    let runtime = threads(1);
    loop {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        if !kill_after(
            &mut child,
            &trace,
            starts,
            Duration::from_micros(*seed % 90_000),
        ) {
            break;
        }
        kills += 1;
        let run = read(&trace).unwrap();
        runtime.block_on(async {
            let store = place.open().await;
            let stored = stored(&store, &run.meta.id).await;
            let said = accepted(&run);
            assert!(
                said.is_subset(&stored),
                "accepted and lost: {said:?} {stored:?}"
            );
            unanswered += stored.difference(&said).count();
        });
        let text = std::fs::read(&trace).unwrap();
        starts = String::from_utf8_lossy(&text)
            .matches("\"kind\":\"start\"")
            .count();
        child = start(&[scenario, "--resume", name, "--store", &place.url]);
    }
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let run = read(&trace).unwrap();
    assert!(
        run.skipped.bad_lines <= u64::from(kills),
        "{:?}",
        run.skipped.bad
    );
    // A kill after the last line leaves nothing to go on with.
    let kills_inside = run.resumed.len();
    assert!(kills_inside == kills as usize || kills_inside + 1 == kills as usize);
    assert_eq!(
        accepted(&run).len(),
        36,
        "every write is accepted in the end"
    );
    let demo = demo();
    runtime.block_on(async {
        let store = place.open().await;
        assert_eq!(stored(&store, &run.meta.id).await, accepted(&run));
        // Twelve charges of an invoice and a card, and twenty-four notes, each of them once.
        assert_eq!(store.writes().await.unwrap().len(), 48);
        assert_unbroken(&store, &demo).await;
    });
    (kills, unanswered)
}

#[test]
fn killed_at_any_moment_and_gone_on_nothing_is_written_twice_and_nothing_accepted_is_lost() {
    let mut seed = 0x9e37_79b9_7f4a_7c15;
    let rounds = ["keyed", "graph", "sequential"].into_iter().cycle().take(6);
    let (mut kills, mut unanswered) = (0, 0);
    for policy in rounds {
        let seen = kill_and_go_on(&Place::file(), policy, &mut seed);
        kills += seen.0;
        unanswered += seen.1;
    }
    assert!(kills >= 6, "only {kills} kills hit a recording");
    assert!(unanswered > 0, "no write was there to be made twice");
}

#[test]
fn it_is_so_on_postgresql() {
    let mut seed = 0x7f4a_7c15_9e37_79b9;
    for policy in ["keyed", "sequential"] {
        let Some(place) = Place::postgres() else {
            return;
        };
        assert!(kill_and_go_on(&place, policy, &mut seed).0 > 0);
    }
}

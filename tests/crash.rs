//! `kill -9` of a recording at any moment: what ran has a start line, and the trace opens.

#![cfg(all(unix, feature = "run"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use turnlane::model::Outcome;
use turnlane::trace::{Run, read};

const KILLS: u64 = 50;

/// Sixty calls, each of which drops a marker file as the first thing it does.
fn scenario(folder: &Path) -> String {
    let markers = folder.join("markers");
    std::fs::create_dir(&markers).unwrap();
    let script = format!(
        "name=$(sed 's/[^0-9]//g'); : > '{}'/$name; sleep 0.05",
        markers.display()
    );
    let calls: Vec<_> = (0..60)
        .map(|i| serde_json::json!({"id": format!("c{i}"), "tool": "mark", "args": {"name": i}}))
        .collect();
    let catalog = serde_json::json!({"tools": [{
        "name": "mark", "x-mutates": true, "x-resource-key": ["marker", "$args.name"],
        "x-run": {"command": ["sh", "-c", script]},
    }]});
    serde_json::json!({
        "format": "turnlane-scenario", "version": 1, "catalog": catalog,
        "turns": [{"calls": calls}],
    })
    .to_string()
}

fn started(run: &Run) -> BTreeSet<String> {
    let calls = run.calls.iter().filter(|c| c.started());
    calls.map(|c| c.index.to_string()).collect()
}

/// A recording of the scenario in `folder` that has started its first call.
fn start_recording(folder: &Path, policy: &str) -> (Child, PathBuf) {
    let file = folder.join("scenario.json");
    std::fs::write(&file, scenario(folder)).unwrap();
    let trace = folder.join("trace.jsonl");
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnlane"))
        .args(["record", "--policy", policy, "-o"])
        .args([&trace, &file])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    let begun = || {
        std::fs::read_to_string(&trace)
            .unwrap_or_default()
            .contains("\"kind\":\"start\"")
    };
    while !begun() {
        assert!(
            Instant::now() < patience,
            "the recording never started a call"
        );
        assert!(
            child.try_wait().unwrap().is_none(),
            "the recording ended by itself"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    (child, trace)
}

/// Kills a recording `after` its first start; true where a call was running at that moment.
fn kill_once(after: Duration) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, trace) = start_recording(folder.path(), "keyed");
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();

    // Bodies that had begun outlive the recorder for a moment and may still drop their marker.
    std::thread::sleep(Duration::from_millis(120));
    let run = read(&trace).unwrap();
    assert_eq!(run.skipped.bad_lines, 0, "only the last line can be cut");
    let started = started(&run);
    for marker in std::fs::read_dir(folder.path().join("markers")).unwrap() {
        let name = marker.unwrap().file_name().to_string_lossy().into_owned();
        assert!(
            started.contains(&name),
            "call {name} ran and has no start line"
        );
    }
    run.calls
        .iter()
        .any(|c| c.started() && c.outcome == Outcome::Unfinished)
}

#[test]
fn whatever_ran_before_a_kill_has_a_start_line() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut mid_call = 0;
    for _ in 0..KILLS {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        mid_call += u64::from(kill_once(Duration::from_micros(seed % 250_000)));
    }
    assert!(
        mid_call >= 40,
        "only {mid_call} of {KILLS} kills hit a running call"
    );
}

#[test]
fn a_recording_that_is_interrupted_answers_every_call_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (child, trace) = start_recording(folder.path(), "sequential");
    let interrupt = Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status()
        .unwrap();
    assert!(interrupt.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted"));
    let run = read(&trace).unwrap();
    assert_eq!(run.calls.len(), 60);
    assert!(run.calls.iter().all(|c| c.outcome != Outcome::Unfinished));
    assert!(
        run.calls
            .iter()
            .any(|c| c.outcome == Outcome::Cancelled && !c.started())
    );
}

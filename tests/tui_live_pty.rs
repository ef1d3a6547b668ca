//! Following, recording and replaying in the viewer, on a real pseudo-terminal.
#![cfg(all(unix, feature = "tui", feature = "run"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use portable_pty::CommandBuilder;
use support::terminal::Terminal;
use turnlane::model::Outcome;
use turnlane::trace::{Run, read};

fn turnlane(args: &[&str]) -> Terminal {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_turnlane"));
    command.args(args);
    Terminal::start(command)
}

fn append(file: &Path, text: &str) {
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(file)
        .unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn lines(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn run_line(id: &str) -> String {
    let at = chrono::Utc::now().to_rfc3339();
    format!(
        r#"{{"kind":"run","format":"turnlane","version":1,"id":"{id}","at":"{at}","policy":"keyed","source":"turnlane"}}"#
    )
}

/// A turn of one call that ran for 30 ms, without its last line.
fn begun(turn: u32, tool: &str) -> String {
    let at = u64::from(turn) * 100_000_000;
    lines(&[
        &format!(r#"{{"kind":"turn","turn":{turn},"at_ns":{at},"calls":1}}"#),
        &format!(
            r#"{{"kind":"call","turn":{turn},"call":0,"id":"c{turn}","tool":"{tool}","args":{{}},"issued_ns":{at},"opaque":true}}"#
        ),
        &format!(
            r#"{{"kind":"start","turn":{turn},"call":0,"at_ns":{at},"slot":0,"cause":"issued"}}"#
        ),
    ])
}

fn ended(turn: u32) -> String {
    let at = u64::from(turn) * 100_000_000 + 30_000_000;
    lines(&[&format!(
        r#"{{"kind":"end","turn":{turn},"call":0,"at_ns":{at},"outcome":"ok","timing":"measured"}}"#
    )])
}

#[test]
fn a_file_that_grows_is_followed_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("live.jsonl");
    append(&file, &lines(&[&run_line("a")]));
    append(&file, &(begun(1, "first_tool") + &ended(1)));
    let mut terminal = turnlane(&["-f", file.to_str().unwrap()]);
    terminal.wait_for("following");
    terminal.wait_for("first_tool");
    // A call that has begun is running; half a line is nothing yet.
    append(&file, &begun(2, "second_tool"));
    terminal.wait_for("Turn 2");
    terminal.wait_for("second_tool");
    terminal.wait_for("going on for");
    let end = ended(2);
    append(&file, &end[..20]);
    append(&file, &end[20..]);
    terminal.wait_for("makespan 30.0 ms");
    append(&file, &(begun(3, "third_tool") + &ended(3)));
    terminal.wait_for("third_tool");
    // Who goes elsewhere stays there.
    terminal.press("g");
    terminal.wait_for("first_tool");
    append(&file, &(begun(4, "fourth_tool") + &ended(4)));
    terminal.wait_for("4 turns");
    assert!(terminal.parser().screen().contents().contains("first_tool"));
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn a_file_that_is_replaced_or_begun_anew_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("live.jsonl");
    append(&file, "");
    let mut terminal = turnlane(&["--follow", file.to_str().unwrap()]);
    terminal.wait_for("No turns");
    append(
        &file,
        &(lines(&[&run_line("a")]) + &begun(1, "old_tool") + &ended(1)),
    );
    terminal.wait_for("old_tool");
    let other = folder.path().join("other.jsonl");
    append(
        &other,
        &(lines(&[&run_line("b")]) + &begun(1, "new_tool") + &ended(1)),
    );
    std::fs::rename(&other, &file).unwrap();
    terminal.wait_for("new_tool");
    terminal.wait_for("took the place");
    // Cut to nothing and written again, as some rotate their logs.
    std::fs::write(&file, lines(&[&run_line("c")]) + &begun(1, "newest_tool")).unwrap();
    terminal.wait_for("newest_tool");
    terminal.press("f");
    terminal.wait_for("not followed any longer");
    terminal.press("q");
    assert!(terminal.end().success());
}

#[test]
fn a_key_replays_a_turn_through_the_real_runner() {
    let mut terminal = turnlane(&["traces/invoice-sequential.jsonl"]);
    terminal.wait_for("Turn 1");
    terminal.press("pppp");
    terminal.wait_for("predicted: keyed");
    terminal.press("R");
    terminal.wait_for("measuring keyed:");
    terminal.wait_for("off prediction");
    terminal.press("\x1b");
    terminal.wait_for("measured: keyed");
    terminal.wait_for("Turns");
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

/// Writes a scenario with turns of two calls each, one of which says things where it should not.
fn scenario(folder: &Path, turns: usize, ms: u64) -> String {
    let call = |id: usize| {
        format!(
            r#"{{"id":"w{id}","tool":"wait","args":{{}},"stand_in":{{"ms":{ms}}}}},{{"id":"s{id}","tool":"shout","args":{{}}}}"#
        )
    };
    let turns: Vec<_> = (0..turns)
        .map(|turn| format!(r#"{{"model_ms":100,"calls":[{}]}}"#, call(turn)))
        .collect();
    let catalog = r#"{"tools":[{"name":"wait","parameters":{},"x-mutates":false},
        {"name":"shout","parameters":{},"x-mutates":false,
         "x-run":{"command":["sh","-c","echo PAINTED; echo PAINTED >&2"]}}]}"#;
    let text = format!(
        r#"{{"format":"turnlane-scenario","version":1,"model":"m","catalog":{catalog},"turns":[{}]}}"#,
        turns.join(",")
    );
    let file = folder.join("scenario.json");
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

fn has_answers(run: &Run) {
    assert!(!run.calls.is_empty());
    for call in &run.calls {
        assert_ne!(call.outcome, Outcome::Unfinished, "{call:?}");
    }
    assert!(run.ended.is_some());
}

#[test]
fn a_recording_is_watched_while_it_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("made.jsonl");
    let scenario = scenario(folder.path(), 2, 300);
    let path = file.to_str().unwrap();
    let mut terminal = turnlane(&["record", &scenario, "-o", path, "--view"]);
    terminal.wait_for("recording");
    terminal.wait_for("Turn 2");
    terminal.wait_for("run is over");
    let shown = terminal.parser().screen().contents();
    assert!(!shown.contains("PAINTED"), "{shown}");
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
    terminal.wait_for("recorded ");
    has_answers(&read(&file).unwrap());
}

#[test]
fn quitting_asks_and_then_cancels_the_run_politely() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("made.jsonl");
    let scenario = scenario(folder.path(), 2, 600_000);
    let path = file.to_str().unwrap();
    let mut terminal = turnlane(&["record", &scenario, "-o", path, "--view"]);
    terminal.wait_for("recording");
    terminal.wait_for("wait");
    terminal.press("q");
    terminal.wait_for("still going on");
    terminal.press("q");
    assert_eq!(terminal.end().exit_code(), 1);
    terminal.assert_restored();
    terminal.wait_for("the run was stopped");
    let run = read(&file).unwrap();
    has_answers(&run);
    assert!(
        run.calls
            .iter()
            .any(|call| call.outcome == Outcome::Cancelled)
    );
}

//! The report over many files.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

/// A session in the making: replies with their calls, a second apart.
#[derive(Default)]
struct Session {
    text: String,
    now: u32,
    lines: u32,
}

impl Session {
    fn line(&mut self, mut line: Value) {
        self.lines += 1;
        let (minutes, seconds) = (self.now / 60, self.now % 60);
        line["timestamp"] = json!(format!("2026-01-02T00:{minutes:02}:{seconds:02}.000Z"));
        line["uuid"] = json!(format!("{}-{}", self.text.len(), self.lines));
        writeln!(self.text, "{line}").unwrap();
    }

    fn user(mut self) -> Self {
        self.line(json!({"type":"user","message":{"role":"user","content":"go"}}));
        self
    }

    /// A reply `id` with calls, each answered a second later: tool, argument, error or not.
    fn reply(mut self, id: &str, calls: &[(&str, &str, Option<&str>)]) -> Self {
        self.now += 2;
        for (at, (tool, path, _)) in calls.iter().enumerate() {
            let call = json!({"type":"tool_use","id":format!("{id}-{at}"),"name":tool,"input":{"file_path":path,"command":path}});
            self.line(json!({"type":"assistant","requestId":format!("r-{id}"),"message":{"id":id,"model":"m-1","role":"assistant","content":[call]}}));
        }
        if calls.is_empty() {
            self.line(json!({"type":"assistant","requestId":format!("r-{id}"),"message":{"id":id,"model":"m-1","role":"assistant","content":[{"type":"text","text":"done"}]}}));
        }
        self.now += 1;
        for (at, (.., error)) in calls.iter().enumerate() {
            let result = json!({"type":"tool_result","tool_use_id":format!("{id}-{at}"),"content":error.unwrap_or("ok"),"is_error":error.is_some()});
            self.line(json!({"type":"user","message":{"role":"user","content":[result]}}));
        }
        self
    }
}

fn report(folder: &Path) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_turnlane"))
        .args(["summary", "--json"])
        .arg(folder)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let summary: Value = serde_json::from_str(&text).unwrap();
    summary["report"].clone()
}

fn folder(files: &[(&str, &Session)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, session) in files {
        std::fs::write(folder.path().join(name), &session.text).unwrap();
    }
    folder
}

const READ: (&str, &str, Option<&str>) = ("Read", "/w/a.rs", None);
const EDIT: (&str, &str, Option<&str>) = ("Edit", "/w/a.rs", None);
const CASCADE: Option<&str> =
    Some("<tool_use_error>Cancelled: parallel tool call Bash(x) errored</tool_use_error>");

#[test]
fn it_says_how_often_replies_hold_several_calls_and_how_many() {
    let session = Session::default().user();
    let session = session.reply("a", &[READ]).reply("b", &[READ, READ, READ]);
    let session = session.reply("c", &[EDIT]).reply("d", &[]);
    let folder = folder(&[("s.jsonl", &session)]);
    let report = report(folder.path());
    let group = &report["groups"][0];
    assert_eq!(group["harness"], "claude-code");
    assert_eq!(group["model"], "m-1");
    for (name, count) in [
        ("files", 1),
        ("replies", 4),
        ("with_calls", 3),
        ("with_several", 1),
        ("calls", 5),
    ] {
        assert_eq!(group[name], count, "{name}");
    }
    assert_eq!(
        group["calls_per_reply"],
        json!({"p50":1,"p90":3,"p99":3,"max":3})
    );
}

#[test]
fn a_reply_that_another_file_has_too_counts_once() {
    let parent = Session::default()
        .user()
        .reply("a", &[READ])
        .reply("b", &[EDIT]);
    let fork = Session::default()
        .user()
        .reply("a", &[READ])
        .reply("b", &[EDIT])
        .reply("c", &[READ]);
    let folder = folder(&[("1.jsonl", &parent), ("2.jsonl", &fork)]);
    let report = report(folder.path());
    assert_eq!(report["copies"], 2);
    assert_eq!(report["groups"][0]["replies"], 3);
    assert_eq!(report["groups"][0]["files"], 2);
}

#[test]
fn two_edits_of_one_file_in_one_reply_are_named_with_their_place() {
    let session = Session::default().user().reply("a", &[EDIT, READ, EDIT]);
    let folder = folder(&[("s.jsonl", &session)]);
    let report = report(folder.path());
    let hazards = &report["groups"][0]["hazards"];
    assert_eq!(hazards["lost_update"], 1, "{hazards}");
    assert_eq!(
        hazards["stale_read"], 1,
        "the read behind the first edit: {hazards}"
    );
    assert_eq!(
        hazards["early_write"], 1,
        "the edit behind the read: {hazards}"
    );
    let pair = &report["pairs"][0];
    assert_eq!(pair["turn"], 1);
    assert_eq!(pair["key"], "file:/w/a.rs");
    // From issue to result is no run time: nothing is known of what really overlapped.
    assert_eq!(report["groups"][0]["recorded_unknown_replies"], 1);
}

#[test]
fn a_cascade_costs_the_calls_that_are_asked_for_again() {
    let bash = |command, error| ("Bash", command, error);
    let session = Session::default().user();
    let session = session.reply(
        "a",
        &[
            bash("x", Some("exit 1")),
            bash("y", CASCADE),
            bash("z", CASCADE),
        ],
    );
    let session = session
        .reply("b", &[bash("y", None)])
        .reply("c", &[bash("q", None)]);
    let folder = folder(&[("s.jsonl", &session)]);
    let group = &report(folder.path())["groups"][0];
    assert_eq!(group["failed"], 1);
    assert_eq!(group["cancelled_siblings"], 2);
    assert_eq!(group["asked_again"], 1, "y was, z was not");
}

#[test]
fn single_reads_that_could_have_been_one_reply_are_an_upper_bound_in_model_turns() {
    let session = Session::default().user();
    let session = session
        .reply("a", &[READ])
        .reply("b", &[READ])
        .reply("c", &[READ]);
    let session = session
        .reply("d", &[EDIT])
        .reply("e", &[READ])
        .reply("f", &[]);
    let folder = folder(&[("s.jsonl", &session)]);
    let single = &report(folder.path())["groups"][0]["single_reads"];
    assert_eq!(single["stretches"], 1, "one read alone is none");
    assert_eq!(single["replies_at_most"], 2);
    assert_eq!(single["model_ns_at_most"], 4_000_000_000_u64);
}

#[test]
fn the_wall_is_split_into_parts_that_are_all_of_it() {
    let session = Session::default()
        .user()
        .reply("a", &[READ])
        .reply("b", &[READ, EDIT]);
    let folder = folder(&[("s.jsonl", &session)]);
    let group = report(folder.path())["groups"][0].clone();
    let part = |name: &str| {
        let parts = group["time"].as_array().unwrap();
        parts
            .iter()
            .find(|part| part["part"] == name)
            .unwrap()
            .clone()
    };
    assert_eq!(part("model")["ns"], 4_000_000_000_u64);
    assert_eq!(part("tools")["ns"], 2_000_000_000_u64);
    assert_eq!(part("tools")["timing"], "bound");
    assert_eq!(part("unattributed")["ns"], 0);
}

#[test]
fn a_file_without_times_has_an_unknown_split_and_unknown_savings() {
    let mut session = Session::default().user().reply("a", &[READ, EDIT]);
    session.text = session
        .text
        .lines()
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            line.as_object_mut().unwrap().remove("timestamp");
            format!("{line}\n")
        })
        .collect();
    let folder = folder(&[("s.jsonl", &session)]);
    let group = report(folder.path())["groups"][0].clone();
    for part in group["time"].as_array().unwrap() {
        assert_eq!(part["ns"], Value::Null, "{part}");
    }
    assert_eq!(group["savings"]["timing"], "unknown");
    assert_eq!(group["savings"]["replies_left_out"], 1);
}

#[test]
fn the_report_does_not_depend_on_which_file_was_read_first() {
    let sessions: Vec<(String, Session)> = (0..40)
        .map(|at| {
            let id = format!("m{}", at % 30);
            let session = Session::default().user().reply(&id, &[READ, EDIT]);
            let fill = (0..(at * 7) % 50).fold(session, |session, n| {
                session.reply(&format!("f{at}-{n}"), &[READ])
            });
            (format!("{at:02}.jsonl"), fill)
        })
        .collect();
    let files: Vec<(&str, &Session)> = sessions.iter().map(|(n, s)| (n.as_str(), s)).collect();
    let folder = folder(&files);
    let first = report(folder.path());
    assert_eq!(first["copies"], 10);
    for _ in 0..3 {
        assert_eq!(report(folder.path()), first);
    }
}

#[test]
fn the_report_over_real_sessions_fits_one_screen_and_answers_the_three_questions() {
    let Some(cases) = std::env::var_os("TURNLANE_CASES") else {
        eprintln!("skipped: TURNLANE_CASES is not set");
        return;
    };
    let output = Command::new(env!("CARGO_BIN_EXE_turnlane"))
        .arg("summary")
        .arg(Path::new(&cases).join("claude-code"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().count() <= 60, "{text}");
    for answer in ["with several calls", "any safe policy", "lost update on"] {
        assert!(text.contains(answer), "{answer}: {text}");
    }
}

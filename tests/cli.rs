//! The program as a user runs it: what it prints, and how it ends.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// One run of the program with a home of its own.
struct Test {
    command: Command,
    _home: tempfile::TempDir,
}

impl Test {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnlane"));
        command
            .current_dir(root())
            .env("HOME", home.path())
            .env_remove("CLAUDE_CONFIG_DIR")
            .env_remove("CODEX_HOME")
            .env_remove("TURNLANE_CONFIG")
            .env_remove("XDG_CONFIG_HOME");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Self {
            command,
            _home: home,
        }
    }

    fn args<S: AsRef<std::ffi::OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    fn folder(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    fn output(mut self) -> Output {
        self.command.output().unwrap()
    }

    /// Standard output of a run that has to succeed.
    #[track_caller]
    fn stdout(self) -> String {
        let output = self.output();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// Exit code and standard error of a run that has to fail.
    #[track_caller]
    fn failure(self) -> (i32, String) {
        let output = self.output();
        assert!(
            !output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    }

    #[track_caller]
    fn json(self) -> Value {
        serde_json::from_str(&self.stdout()).unwrap()
    }
}

#[track_caller]
fn assert_valid(schema: &str, value: &Value) {
    let schema: Value = serde_json::from_str(
        &std::fs::read_to_string(root().join("assets/schemas").join(schema)).unwrap(),
    )
    .unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = validator
        .iter_errors(value)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

fn policy<'v>(turn: &'v Value, name: &str) -> &'v Value {
    turn["policies"]
        .as_array()
        .unwrap()
        .iter()
        .find(|p| p["policy"] == name)
        .unwrap()
}

#[test]
fn what_if_on_the_invoice_scenario_gives_the_figures_of_the_worked_example() {
    let report = Test::new()
        .args(["what-if", "assets/scenarios/invoice.json", "--json"])
        .json();
    assert_valid("what-if.schema.json", &report);
    let turn = &report["turns"][0];
    for (name, ms) in [
        ("sequential", 1400),
        ("all-at-once", 200),
        ("staged", 600),
        ("keyed", 400),
        ("graph", 400),
    ] {
        assert_eq!(policy(turn, name)["makespan_ns"], ms * 1_000_000, "{name}");
    }
    let racing = policy(turn, "all-at-once");
    assert_eq!(racing["hazard_count"], 3);
    assert_eq!(racing["hazards"][2]["kind"], "lost_update");
    assert_eq!(racing["hazards"][2]["key"], "invoice:8123");
    assert!((racing["saved_share"].as_f64().unwrap() - 1.2 / 4.5).abs() < 1e-6);
    assert_eq!(policy(turn, "keyed")["saved_ns"], 1_000_000_000);
    assert_eq!(turn["model_ns"], 3_100_000_000_u64);
    assert_eq!(turn["recorded"], Value::Null, "nothing has run");
    assert_eq!(policy(turn, "keyed")["timing"], "given");
    assert_eq!(
        policy(turn, "keyed")["calls"][1]["cause"],
        "key invoice:8123 after 0"
    );
}

#[test]
fn the_loose_queue_is_shown_when_it_is_asked_for() {
    let args = [
        "what-if",
        "assets/scenarios/invoice.json",
        "--json",
        "--policies",
        "keyed-loose,keyed",
    ];
    let report = Test::new().args(args).json();
    let shown: Vec<_> = report["turns"][0]["policies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| &p["policy"])
        .collect();
    assert_eq!(shown, ["keyed-loose", "keyed"]);
    assert_eq!(
        policy(&report["turns"][0], "keyed-loose")["hazard_count"],
        2
    );
}

#[test]
fn a_scenario_that_runs_real_tools_has_no_figures_before_it_has_run() {
    let report = Test::new()
        .args(["what-if", "assets/scenarios/edit-then-test.json", "--json"])
        .json();
    assert_valid("what-if.schema.json", &report);
    let turn = &report["turns"][0];
    assert_eq!(turn["unknown_calls"], 2);
    for policy in turn["policies"].as_array().unwrap() {
        assert_eq!(
            (&policy["makespan_ns"], &policy["saved_ns"]),
            (&Value::Null, &Value::Null)
        );
    }
    assert_eq!(
        policy(turn, "all-at-once")["hazard_count"],
        1,
        "the order alone shows the race"
    );
    let text = Test::new()
        .args(["what-if", "assets/scenarios/edit-then-test.json"])
        .stdout();
    assert!(text.contains("unknown") && !text.contains("0 ms"), "{text}");
}

#[test]
fn the_bundled_demo_opens_where_there_is_nothing_else_and_tells_the_race_and_the_saving() {
    let nowhere = tempfile::tempdir().unwrap();
    let text = Test::new().folder(nowhere.path()).stdout();
    assert!(text.contains("Keyed saves 1.0"), "{text}");
    assert!(text.contains(
        "All-at-once would race: update_invoice and charge_card both write invoice:8123"
    ));
    assert_eq!(text, Test::new().args(["demo", "--plain"]).stdout());
}

#[test]
fn every_bundled_trace_opens() {
    let list = Test::new().args(["demo", "--list"]).stdout();
    assert!(list.lines().count() >= 8);
    for name in list
        .lines()
        .filter_map(|line| line.split_whitespace().next())
    {
        let text = Test::new().args(["demo", name, "--plain"]).stdout();
        assert!(text.contains("What if"), "{name}: {text}");
    }
}

#[cfg(feature = "run")]
#[test]
fn a_recorded_trace_reads_back_as_it_was_predicted() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("t.jsonl");
    let record = |args: &[&str]| {
        let trace = trace.to_str().unwrap();
        Test::new()
            .args(["record", "assets/scenarios/invoice.json", "-o", trace])
            .args(args)
    };
    let text = record(&["--policy", "graph"]).stdout();
    assert!(text.contains("graph (recorded)"), "{text}");
    let report = Test::new()
        .args(["what-if", trace.to_str().unwrap(), "--json"])
        .json();
    assert_valid("what-if.schema.json", &report);
    let turn = &report["turns"][0];
    assert_eq!(turn["recorded"]["policy"], "graph");
    assert_eq!(turn["recorded"]["figure"], "measured");
    assert_eq!(turn["recorded"]["hazard_count"], 0);
    assert!(turn["recorded"]["makespan_ns"].as_u64().unwrap() >= 400_000_000);

    let (code, message) = record(&[]).failure();
    assert_eq!(code, 2);
    assert!(message.contains("exists already"), "{message}");
    record(&["--policy", "staged", "--force"]).stdout();
}

#[cfg(feature = "run")]
#[test]
fn replay_shows_recorded_predicted_and_measured_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("r.jsonl");
    let args = [
        "replay",
        "traces/invoice-sequential.jsonl",
        "--policy",
        "all-at-once",
        "--speed",
        "4",
        "-o",
    ];
    let text = Test::new().args(args).args([&trace]).stdout();
    for word in [
        "recorded",
        "predicted",
        "measured",
        "at 4x speed",
        "lost update 1 → 2 on invoice:8123",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let report = Test::new()
        .args(["what-if", trace.to_str().unwrap(), "--json"])
        .json();
    assert_eq!(report["turns"][0]["recorded"]["hazard_count"], 3);
}

#[test]
fn summary_names_its_counts_and_keeps_to_its_schema() {
    let report = Test::new().args(["summary", "traces", "--json"]).json();
    assert_valid("summary.schema.json", &report);
    let files = report["files"].as_array().unwrap();
    let triage = files
        .iter()
        .find(|f| {
            f["file"]
                .as_str()
                .unwrap()
                .ends_with("triage-sequential.jsonl")
        })
        .unwrap();
    let main = &triage["threads"][0];
    assert_eq!(
        (&main["thread"], &main["calls"], &main["replies"]),
        (&"main".into(), &87.into(), &31.into())
    );
    let reads = main["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|t| t["read_only"] == true);
    assert_eq!(reads.map(|t| t["calls"].as_u64().unwrap()).sum::<u64>(), 60);
    let csv = Test::new()
        .args(["summary", "traces", "--format", "csv"])
        .stdout();
    let markdown = Test::new()
        .args(["summary", "traces", "--format", "md", "--each"])
        .stdout();
    assert_eq!(csv.lines().count(), files.len() + 1);
    assert!(markdown.starts_with("| file |"), "{markdown}");
}

#[test]
fn summary_of_the_triage_recordings_shows_reads_next_to_the_rest_and_the_model() {
    let args = [
        "summary",
        "traces/triage-sequential.jsonl",
        "traces/triage-staged.jsonl",
    ];
    let text = Test::new().args(args).stdout();
    for word in [
        "all reads",
        "run_tests",
        "code_patch",
        "given",
        "nothing to gain",
        "Measured: staged took",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn the_same_bytes_come_out_under_any_zone_locale_and_folder() {
    let file = root().join("traces/triage-sequential.jsonl");
    let run = |zone: &str, locale: &str, folder: &Path| {
        let args = ["what-if".as_ref(), file.as_os_str(), "--json".as_ref()];
        Test::new()
            .args(args)
            .env("TZ", zone)
            .env("LC_ALL", locale)
            .folder(folder)
            .stdout()
    };
    let first = run("UTC", "C", &root());
    let elsewhere = std::env::temp_dir();
    assert_eq!(first, run("Asia/Kathmandu", "de_DE.UTF-8", &elsewhere));
    assert_eq!(first, run("America/St_Johns", "tr_TR.UTF-8", &elsewhere));
}

#[test]
fn what_cannot_be_read_ends_with_two_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let junk = folder.path().join("junk.bin");
    std::fs::write(&junk, [0xff, 0xfe, 0x00, 0x1b, b'[', b'2', b'J']).unwrap();
    let bad = folder.path().join("bad.json");
    std::fs::write(&bad, r#"{"format":"turnlane-scenario","version":1,"catalog":{"tools":[]},"turns":[],"colour":1}"#)
        .unwrap();
    #[cfg(unix)]
    {
        let (code, message) = Test::new().args(["summary", "/dev/zero"]).failure();
        assert_eq!(code, 2);
        assert!(message.contains("device"), "{message}");
    }
    let names = [
        junk.to_str().unwrap(),
        bad.to_str().unwrap(),
        "no/such/file",
        "Cargo.toml",
    ];
    for name in names {
        for command in ["what-if", "summary"] {
            let (code, message) = Test::new().args([command, name]).failure();
            assert_eq!(code, 2, "{command} {name}");
            assert!(
                message.contains(Path::new(name).file_name().unwrap().to_str().unwrap()),
                "{message}"
            );
            assert!(
                !message.chars().any(|c| c.is_control() && c != '\n'),
                "{message:?}"
            );
        }
    }
    let (_, message) = Test::new()
        .args(["what-if", bad.to_str().unwrap()])
        .failure();
    assert!(
        message.contains("colour") && message.contains("line 1"),
        "{message}"
    );
}

#[test]
fn a_bad_catalog_names_file_tool_and_field() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = folder.path().join("tools.json");
    std::fs::write(&catalog, r#"[{"name":"pay","x-mutates":"yes"}]"#).unwrap();
    let args = [
        "what-if",
        "traces/invoice-keyed.jsonl",
        "--catalog",
        catalog.to_str().unwrap(),
    ];
    let (code, message) = Test::new().args(args).failure();
    assert_eq!(code, 2);
    for word in ["tools.json", "pay", "x-mutates"] {
        assert!(message.contains(word), "{word}: {message}");
    }
}

#[test]
fn no_slots_and_unknown_policies_are_refused_with_what_is_allowed() {
    let (code, message) = Test::new()
        .args(["what-if", "traces/invoice-keyed.jsonl", "--slots", "0"])
        .failure();
    assert_eq!(code, 2);
    assert!(message.contains("unlimited"), "{message}");
    let (code, message) = Test::new()
        .args([
            "what-if",
            "traces/invoice-keyed.jsonl",
            "--policies",
            "greedy",
        ])
        .failure();
    assert_eq!(code, 2);
    assert!(message.contains("keyed-loose"), "{message}");
}

/// A reader that closes the pipe early, such as `head`, is no failure and no panic.
#[test]
fn a_closed_pipe_ends_quietly() {
    let mut test = Test::new().args(["what-if", "traces/triage-sequential.jsonl", "--json"]);
    let mut child = test.command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_picture_says_what_is_predicted_and_what_is_measured() {
    let svg = Test::new()
        .args([
            "export",
            "traces/invoice-sequential.jsonl",
            "--format",
            "svg",
        ])
        .stdout();
    for word in [
        "<svg",
        "predicted",
        "measured",
        "update_invoice",
        "✗",
        "prefers-color-scheme",
    ] {
        assert!(svg.contains(word), "{word}");
    }
}

#[test]
fn a_picture_for_one_ground_brings_it_along() {
    let picture = |theme| {
        let file = "traces/invoice-keyed.jsonl";
        let args = ["export", file, "--format", "svg", "--theme", theme];
        Test::new().args(args).stdout()
    };
    let (light, dark, auto) = (picture("light"), picture("dark"), picture("auto"));
    for picture in [&light, &dark] {
        assert!(picture.contains("class=\"ground\""));
        assert!(!picture.contains("prefers-color-scheme"));
    }
    assert_ne!(light, dark);
    assert!(!auto.contains("class=\"ground\""), "the page shows through");
    assert!(
        auto.contains("class=\"path\""),
        "what held charge_card back"
    );
}

#[test]
fn completions_and_manual_name_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(
            Test::new()
                .args(["completions", shell])
                .stdout()
                .contains("what-if"),
            "{shell}"
        );
    }
    assert!(Test::new().args(["man"]).stdout().contains(".TH"));
    assert!(
        Test::new()
            .args(["man", "what-if"])
            .stdout()
            .contains("policies")
    );
}

#[test]
fn tools_says_what_each_declares_and_what_deserves_a_second_look() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = folder.path().join("tools.json");
    let text = r#"[{"name":"get_ticket"},{"name":"pay","x-mutates":true,"x-resource-key":["invoice","$args.id"],
        "x-timeout-ms":500},{"name":"answer","x-final":true}]"#;
    std::fs::write(&catalog, text).unwrap();
    let shown = Test::new()
        .args(["tools".as_ref(), catalog.as_os_str()])
        .stdout();
    let line = |tool: &str| {
        shown
            .lines()
            .find(|l| l.starts_with(tool))
            .unwrap()
            .to_owned()
    };
    assert!(
        line("get_ticket").contains("nothing declared: opaque"),
        "{shown}"
    );
    assert!(
        line("pay").contains("writes")
            && line("pay").contains("invoice")
            && line("pay").contains("500 ms")
    );
    assert!(line("answer").contains("final"));
    assert!(shown.contains("get_ticket likely only reads"), "{shown}");
    assert!(Test::new().args(["tools"]).stdout().contains("Bash"));
}

#[test]
fn a_call_that_never_ends_has_no_makespan_until_something_limits_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hang.json");
    let text = r#"{"format":"turnlane-scenario","version":1,"catalog":{"tools":[{"name":"t","x-mutates":false}]},
        "turns":[{"calls":[{"tool":"t","stand_in":{"outcome":"hang"}},{"tool":"t","stand_in":{"ms":10}}]}]}"#;
    std::fs::write(&file, text).unwrap();
    let what_if = |extra: &[&str]| {
        Test::new()
            .args(["what-if".as_ref(), file.as_os_str()])
            .args(extra)
            .stdout()
    };
    assert!(what_if(&[]).contains("never ends and nothing limits it"));
    assert!(what_if(&["--deadline", "200ms"]).contains("200 ms"));
}

/// Two reads of one reply in a session without a single time stamp.
const UNTIMED: &str = r#"{"type":"assistant","uuid":"u1","requestId":"r1","message":{"id":"m1","model":"m","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"a"}},{"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":"a"}}]}}
{"type":"user","uuid":"x1","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}
{"type":"user","uuid":"x2","message":{"content":[{"type":"tool_result","tool_use_id":"t2","content":"ok"}]}}
"#;

#[test]
fn what_a_file_has_no_times_for_is_unknown_in_every_output_and_never_zero_or_measured() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("untimed.jsonl");
    std::fs::write(&file, UNTIMED).unwrap();
    let file = file.to_str().unwrap();
    for args in [
        &[file, "--plain"][..],
        &["what-if", file],
        &["summary", file],
        &["summary", file, "--format", "md"],
    ] {
        let text = Test::new().args(args).stdout();
        assert!(text.contains("unknown"), "{args:?}: {text}");
        for lie in ["0 ms", "measured", "never", "predicted"] {
            assert!(!text.contains(lie), "{args:?} says {lie}: {text}");
        }
    }
    let recorded = &Test::new().args(["what-if", file, "--json"]).json()["turns"][0]["recorded"];
    assert_eq!(
        (&recorded["makespan_ns"], &recorded["hazard_count"]),
        (&Value::Null, &Value::Null)
    );
    let summary = Test::new().args(["summary", file, "--json"]).json();
    assert_valid("summary.schema.json", &summary);
    let main = &summary["files"][0]["threads"][0];
    assert_eq!(
        (&main["tool_wall_ns"], &main["recorded_hazards"]),
        (&Value::Null, &Value::Null)
    );
    for timing in ["model_timing", "tool_wall_timing"] {
        assert_eq!(main[timing], "unknown", "{timing}");
    }
}

#[test]
fn a_place_on_the_command_line_is_a_turn_of_a_thread_or_an_error_that_names_those_there_are() {
    let file = "traces/triage-sequential.jsonl";
    let plain = |args: &[&str]| Test::new().args([file, "--plain"]).args(args);
    let text = plain(&["--turn", "3", "--call", "1"]).stdout();
    assert!(text.contains("Turn 3"), "{text}");
    for (args, says) in [
        (
            &["--turn", "99"][..],
            "no turn 99; the main thread has turns 1 to 31",
        ),
        (
            &["--turn", "3", "--call", "2"],
            "no call 2; turn 3 has 2 calls, counted from 0",
        ),
        (
            &["--turn", "3", "--thread", "x"],
            "no thread x; there are main",
        ),
        (&["--call", "1"], "--turn"),
    ] {
        let (code, error) = plain(args).failure();
        assert_eq!(code, 2, "{args:?}");
        assert!(error.contains(says), "{args:?}: {error}");
    }
}

//! The sessions as text, standard input, and the settings, on the command line.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

const TRACE: &str = "traces/invoice-all-at-once.jsonl";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A machine of its own: nobody else's sessions, nobody else's settings.
struct Machine {
    home: tempfile::TempDir,
    work: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
            work: tempfile::tempdir().unwrap(),
        }
    }

    /// Puts a file with this age in minutes below the home folder.
    fn put(&self, path: &str, text: &[u8], minutes: u64) {
        put(&self.home.path().join(path), text, minutes);
    }

    fn turnlane(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnlane"));
        command.args(args).current_dir(self.work.path());
        command.env("HOME", self.home.path()).stdin(Stdio::null());
        for name in [
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
            "TURNLANE_CONFIG",
            "XDG_CONFIG_HOME",
            "NO_COLOR",
            "PAGER",
            "COLORFGBG",
        ] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm");
        command
    }

    fn list(&self) -> String {
        stdout(&self.turnlane(&[]).output().unwrap())
    }
}

fn put(path: &Path, text: &[u8], minutes: u64) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = fs::File::create(path).unwrap();
    file.write_all(text).unwrap();
    let written = SystemTime::now() - Duration::from_secs(60 * minutes + 5);
    file.set_modified(written).unwrap();
}

#[track_caller]
fn stdout(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn stderr(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn trace() -> Vec<u8> {
    fs::read(root().join(TRACE)).unwrap()
}

/// A session of Claude Code with one call.
fn session() -> Vec<u8> {
    let lines = [
        r#"{"type":"user","uuid":"u0","sessionId":"s","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"go"}}"#,
        r#"{"type":"assistant","uuid":"a","sessionId":"s","cwd":"/home/me/shop","requestId":"r","timestamp":"2026-11-01T10:00:02.000Z","message":{"id":"m","role":"assistant","model":"model-x","content":[{"type":"tool_use","id":"c","name":"Read","input":{"file_path":"/x"}}]}}"#,
        r#"{"type":"user","uuid":"u1","sessionId":"s","timestamp":"2026-11-01T10:00:03.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"text"}]}}"#,
    ];
    lines.join("\n").into_bytes()
}

fn zst(text: &[u8]) -> Vec<u8> {
    zstd::stream::encode_all(text, 1).unwrap()
}

/// The files of a list in its order, as far as their names go.
fn files(list: &str) -> Vec<String> {
    let rows = list.lines().skip(1).take_while(|line| !line.is_empty());
    let rows = rows.filter(|line| !line.starts_with("and "));
    rows.map(|line| line.rsplit(['/', ' ']).next().unwrap().to_owned())
        .collect()
}

#[test]
fn sessions_of_every_program_are_listed_the_newest_first_with_what_is_known_of_each() {
    let machine = Machine::new();
    machine.put(".claude/projects/-home-me-shop/one.jsonl", &session(), 50);
    put(&machine.work.path().join("mine.jsonl"), &trace(), 3);
    put(
        &machine.work.path().join("traces/old.jsonl.zst"),
        &zst(&trace()),
        90,
    );
    let list = machine.list();
    assert_eq!(files(&list), ["mine.jsonl", "one.jsonl", "old.jsonl.zst"]);
    let rows: Vec<_> = list.lines().collect();
    assert!(
        rows[1].starts_with("3 min ") && rows[1].contains("3 races recorded"),
        "{list}"
    );
    assert!(
        rows[2].contains("shop") && rows[2].contains("claude-code"),
        "{list}"
    );
    assert!(
        rows[2].contains("one call a reply") && rows[2].contains("3.00 s"),
        "{list}"
    );
    assert!(
        rows[2].ends_with("~/.claude/projects/-home-me-shop/one.jsonl"),
        "{list}"
    );
    assert!(list.contains("Open one with `turnlane FILE`"));
    // What the list says can be opened.
    let opened = machine
        .turnlane(&["traces/old.jsonl.zst"])
        .output()
        .unwrap();
    assert!(stdout(&opened).contains("update_invoice"));
}

#[test]
fn the_programs_own_variables_move_their_folders() {
    let machine = Machine::new();
    machine.put("c/projects/-p/claude.jsonl", &session(), 1);
    machine.put(
        "x/sessions/2026/11/30/rollout-1.jsonl.zst",
        &zst(b"{}\n"),
        2,
    );
    machine.put("x/archived_sessions/rollout-2.jsonl", b"{}\n", 3);
    let home = machine.home.path();
    let mut command = machine.turnlane(&[]);
    command.env("CLAUDE_CONFIG_DIR", home.join("c"));
    command.env("CODEX_HOME", home.join("x"));
    let list = stdout(&command.output().unwrap());
    let right = ["claude.jsonl", "rollout-1.jsonl.zst", "rollout-2.jsonl"];
    assert_eq!(files(&list), right, "{list}");
}

#[test]
fn a_session_that_cannot_be_read_says_why_and_the_others_are_listed() {
    let machine = Machine::new();
    machine.put(".claude/projects/-p/bad.jsonl", b"no JSON\n", 1);
    machine.put(".claude/projects/-p/good.jsonl", &session(), 2);
    let list = machine.list();
    assert_eq!(files(&list), ["bad.jsonl", "good.jsonl"]);
    assert!(list.contains("this is not JSON"), "{list}");
}

#[test]
fn each_session_is_listed_once_and_what_is_none_is_not_listed() {
    let machine = Machine::new();
    let project = ".claude/projects/-p";
    machine.put(&format!("{project}/twice.jsonl"), &session(), 1);
    machine.put(&format!("{project}/twice.jsonl.zst"), &zst(&session()), 1);
    machine.put(&format!("{project}/agent-1.jsonl"), &session(), 1);
    machine.put(&format!("{project}/twice/subagents/x.jsonl"), &session(), 1);
    machine.put(&format!("{project}/empty.jsonl"), b"", 1);
    machine.put(&format!("{project}/notes.txt"), b"text", 1);
    // In a folder of anybody's only traces count.
    put(&machine.work.path().join("data.jsonl"), b"{\"a\":1}\n", 1);
    put(&machine.work.path().join("deep/trace.jsonl"), &trace(), 1);
    assert_eq!(files(&machine.list()), ["twice.jsonl"]);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_opened() {
    let machine = Machine::new();
    machine.put(".claude/projects/-p/good.jsonl", &session(), 1);
    let folder = machine.home.path().join(".claude/projects/-p");
    std::os::unix::fs::symlink("/dev/zero", folder.join("endless.jsonl")).unwrap();
    std::os::unix::fs::symlink(&folder, folder.join("circle")).unwrap();
    let pipe = folder.join("pipe.jsonl");
    let made = Command::new("mkfifo").arg(pipe).status().unwrap();
    assert!(made.success());
    assert_eq!(files(&machine.list()), ["good.jsonl"]);
}

#[test]
fn of_very_many_sessions_the_newest_are_listed_and_the_rest_is_counted() {
    let machine = Machine::new();
    for n in 0..60 {
        machine.put(
            &format!(".claude/projects/-p{}/{n}.jsonl", n % 7),
            &session(),
            n,
        );
    }
    let list = machine.list();
    let right: Vec<_> = (0..20).map(|n| format!("{n}.jsonl")).collect();
    assert_eq!(files(&list), right);
    assert!(list.contains("and 40 older ones"), "{list}");
}

#[test]
fn a_hostile_name_or_text_is_shown_and_not_obeyed() {
    let machine = Machine::new();
    let text = String::from_utf8(session()).unwrap();
    let text = text.replace("/home/me/shop", "/home/me/\\u001b[31m\\u202eshop");
    machine.put(".claude/projects/-p/a\u{1b}[2Jb.jsonl", text.as_bytes(), 1);
    let list = machine.list();
    assert!(
        !list.contains('\u{1b}') && !list.contains('\u{202e}'),
        "{list:?}"
    );
    assert!(list.contains("␛[31m"), "{list}");
}

#[test]
fn listing_changes_nothing_on_the_disk() {
    let machine = Machine::new();
    machine.put(".claude/projects/-p/one.jsonl", &session(), 1);
    machine.list();
    let names = |folder: &Path| -> Vec<_> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect()
    };
    assert_eq!(names(machine.home.path()), [".claude"]);
    assert!(names(machine.work.path()).is_empty());
}

fn piped(args: &[&str], input: &[u8]) -> Output {
    let mut command = Machine::new().turnlane(args);
    let mut child = command
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its input closes it.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

#[test]
fn standard_input_is_read_as_a_file_of_any_format() {
    let from_file = Machine::new()
        .turnlane(&[TRACE])
        .current_dir(root())
        .output()
        .unwrap();
    let from_file = stdout(&from_file);
    let rest = from_file.strip_prefix(TRACE).unwrap();
    assert_eq!(stdout(&piped(&["-"], &trace())), format!("-{rest}"));
    assert_eq!(stdout(&piped(&["-"], &zst(&trace()))), format!("-{rest}"));
    assert!(stdout(&piped(&["-"], &session())).contains("claude-code"));
    let scenario = fs::read_to_string(root().join("assets/scenarios/invoice.json")).unwrap();
    // What it names lies beside the folder that the command runs in.
    let scenario = scenario.replace("../catalogs", "assets/catalogs");
    assert!(stdout(&piped(&["-"], scenario.as_bytes())).contains("predicted"));
}

#[test]
fn other_commands_read_standard_input_too() {
    for args in [
        &["what-if", "-"][..],
        &["summary", "-"],
        &["export", "-", "--format", "svg"],
    ] {
        assert!(!stdout(&piped(args, &trace())).is_empty(), "{args:?}");
    }
}

#[test]
fn standard_input_that_is_nothing_says_so() {
    for input in [&b""[..], b"no JSON"] {
        let error = stderr(&piped(&["-"], input), 2);
        assert!(error.starts_with("turnlane: -: "), "{error}");
    }
}

#[cfg(feature = "tui")]
mod settings {
    use super::*;

    impl Machine {
        fn settings(&self, text: &str) -> PathBuf {
            let path = self.home.path().join(".config/turnlane/config.toml");
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        }

        fn config(&self, args: &[&str]) -> String {
            let mut command = self.turnlane(&["config"]);
            stdout(&command.args(args).output().unwrap())
        }
    }

    #[test]
    fn each_value_says_where_it_comes_from() {
        let machine = Machine::new();
        let text = machine.config(&[]);
        assert!(text.contains("config.toml (not there)"), "{text}");
        assert!(
            text.contains("theme = \"auto\" # default; now dark"),
            "{text}"
        );
        machine.settings("theme = \"light\"\nslots = 4\n[keys]\nfit = [\"0\", \"f3\"]\n");
        let text = machine.config(&[]);
        assert!(text.contains("theme = \"light\" # file"), "{text}");
        assert!(text.contains("slots = 4 # file"), "{text}");
        assert!(text.contains("fit = [\"0\", \"f3\"] # file"), "{text}");
        assert!(text.contains("quit = [\"q\"] # default"), "{text}");
        let mut command = machine.turnlane(&["config"]);
        command.env("NO_COLOR", "1").env("PAGER", "most");
        let text = stdout(&command.output().unwrap());
        assert!(
            text.contains("theme = \"mono\" # environment: NO_COLOR"),
            "{text}"
        );
        assert!(
            text.contains("pager = \"most\" # environment: PAGER"),
            "{text}"
        );
        let text = machine.config(&["--theme", "colour-blind"]);
        assert!(
            text.contains("theme = \"colour-blind\" # flag: --theme"),
            "{text}"
        );
    }

    #[test]
    fn what_is_printed_is_a_settings_file_that_changes_nothing() {
        let machine = Machine::new();
        let printed = machine.config(&[]);
        machine.settings(&printed);
        let again = machine.config(&[]);
        let values = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            lines
                .map(|line| line.split(" # ").next().unwrap().to_owned())
                .collect()
        };
        assert_eq!(values(&again), values(&printed));
    }

    #[test]
    fn the_variable_names_another_file_which_then_has_to_be_there() {
        let machine = Machine::new();
        let path = machine.home.path().join("mine.toml");
        let output = |machine: &Machine, args: &[&str]| {
            let mut command = machine.turnlane(args);
            command.env("TURNLANE_CONFIG", &path).output().unwrap()
        };
        let said = stdout(&output(&machine, &["config", "--path"]));
        assert_eq!(said.trim(), path.display().to_string());
        let error = stderr(&output(&machine, &["config"]), 2);
        assert!(error.contains("TURNLANE_CONFIG names it"), "{error}");
        fs::write(&path, "mouse = true").unwrap();
        assert!(stdout(&output(&machine, &["config"])).contains("mouse = true # file"));
        let usual = machine.config(&["--path"]);
        assert!(
            usual.trim().ends_with(".config/turnlane/config.toml"),
            "{usual}"
        );
    }

    #[test]
    fn a_broken_file_is_an_error_with_its_place_and_only_a_warning_for_text() {
        let machine = Machine::new();
        let path = machine.settings("mouse = true\nthem = \"dark\"\n");
        let error = stderr(&machine.turnlane(&["config"]).output().unwrap(), 2);
        assert!(error.contains(&path.display().to_string()), "{error}");
        assert!(
            error.contains("line 2, column 1: unknown field `them`"),
            "{error}"
        );
        let mut command = machine.turnlane(&[TRACE, "--plain"]);
        let output = command.current_dir(root()).output().unwrap();
        assert!(stdout(&output).contains("update_invoice"));
        let warning = stderr(&output, 0);
        assert!(warning.contains("going on without settings"), "{warning}");
        // Reports do not even look at it.
        let mut command = machine.turnlane(&["what-if", TRACE, "--json"]);
        let output = command.current_dir(root()).output().unwrap();
        assert_eq!(stderr(&output, 0), "");
    }

    #[test]
    fn reports_are_the_same_under_any_settings() {
        let machine = Machine::new();
        let report = |machine: &Machine| {
            let mut command = machine.turnlane(&["what-if", TRACE, "--json"]);
            stdout(&command.current_dir(root()).output().unwrap())
        };
        let before = report(&machine);
        machine.settings("slots = 1\npolicies = [\"graph\"]\n");
        assert_eq!(report(&machine), before);
        let mut command = machine.turnlane(&[TRACE, "--plain"]);
        let text = stdout(&command.current_dir(root()).output().unwrap());
        assert!(
            text.contains("(1 slots)") && !text.contains("staged"),
            "{text}"
        );
    }

    #[test]
    fn a_theme_of_the_users_own_lies_beside_the_settings() {
        let machine = Machine::new();
        let path = machine.settings("theme = \"mine.toml\"\n");
        let theme = path.with_file_name("mine.toml");
        fs::write(&theme, "base = \"light\"\n[inks]\nrun = \"blue\"\n").unwrap();
        assert!(machine.config(&[]).contains("theme = \"mine.toml\" # file"));
        fs::write(&theme, "base = \"light\"\n[inks]\nrunn = \"blue\"\n").unwrap();
        let error = stderr(&machine.turnlane(&["config"]).output().unwrap(), 2);
        assert!(
            error.contains("mine.toml: line 3, column 1: no ink `runn`"),
            "{error}"
        );
        fs::remove_file(theme).unwrap();
        let error = stderr(&machine.turnlane(&["config"]).output().unwrap(), 2);
        assert!(error.contains("mine.toml: cannot be read"), "{error}");
        machine.settings("");
        let wrong = machine
            .turnlane(&["config", "--theme", "drak"])
            .output()
            .unwrap();
        assert!(stderr(&wrong, 2).contains("--theme: no theme `drak`"));
    }

    #[test]
    fn folders_that_the_settings_name_are_looked_into_too() {
        let machine = Machine::new();
        machine.put("else/where/a.jsonl", &session(), 1);
        machine.put(".config/turnlane/beside/b.jsonl", &session(), 2);
        machine.settings("[sessions]\nfolders = [\"~/else\", \"beside\"]\n");
        assert_eq!(files(&machine.list()), ["a.jsonl", "b.jsonl"]);
    }
}

//! The list of sessions, the mouse, piped input and settings on a real pseudo-terminal.
#![cfg(all(unix, feature = "tui", feature = "run"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::path::Path;

use portable_pty::CommandBuilder;
use rustix::process::{Signal, kill_process};
use support::terminal::Terminal;

const RACE: &str = "traces/invoice-all-at-once.jsonl";
const TAKEN: &str = "\x1b[?1002h";
const GIVEN_BACK: &str = "\x1b[?1002l";

/// A session of Claude Code: two reads in one reply.
fn session(project: &str) -> String {
    let reply = r#""type":"assistant","requestId":"r1","timestamp":"2026-11-01T10:00:02.000Z""#;
    let call = |id: &str, file: &str| {
        format!(
            r#"{{{reply},"uuid":"{id}","sessionId":"s","cwd":"/home/me/{project}","message":{{"id":"m1","role":"assistant","model":"model-x","content":[{{"type":"tool_use","id":"{id}","name":"Read","input":{{"file_path":"{file}"}}}}]}}}}"#
        )
    };
    let result = |id: &str, second: u32| {
        format!(
            r#"{{"type":"user","uuid":"u{id}","sessionId":"s","timestamp":"2026-11-01T10:00:0{second}.000Z","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"text"}}]}}}}"#
        )
    };
    let ask = r#"{"type":"user","uuid":"u0","sessionId":"s","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"go"}}"#;
    [
        ask.to_owned(),
        call("a", "/x"),
        call("b", "/y"),
        result("a", 3),
        result("b", 4),
    ]
    .map(|line| line + "\n")
    .concat()
}

fn home(sessions: &[&str]) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    for project in sessions {
        let folder = home
            .path()
            .join(format!(".claude/projects/-home-me-{project}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("0001.jsonl"), session(project)).unwrap();
    }
    home
}

fn turnlane(home: &Path, folder: &Path, args: &[&str]) -> CommandBuilder {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_turnlane"));
    command.args(args);
    command.cwd(folder);
    command.env("HOME", home);
    for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "NO_COLOR"] {
        command.env_remove(name);
    }
    command
}

#[test]
fn without_a_file_the_sessions_are_listed_and_one_opens_and_the_list_comes_back() {
    let home = home(&["alpha", "beta"]);
    let mut terminal = Terminal::start(turnlane(home.path(), home.path(), &[]));
    terminal.wait_for("Sessions · 2");
    terminal.wait_for("alpha");
    // The facts came in by themselves.
    terminal.wait_for("claude-code     1     2      2");
    terminal.press("alp");
    terminal.wait_for("1 of 2");
    terminal.press("\r");
    terminal.wait_for("Turn 1 · 2 calls");
    terminal.wait_for("model-x");
    terminal.press("S");
    terminal.wait_for("Sessions · 2");
    terminal.press("beta\r");
    terminal.wait_for("-beta/0001.jsonl");
    terminal.wait_for("Turn 1 · 2 calls");
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn where_there_are_no_sessions_the_demo_opens_and_says_so() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::start(turnlane(home.path(), home.path(), &[]));
    terminal.wait_for("this is the bundled demo");
    terminal.wait_for("lookup");
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn control_c_ends_the_program_from_the_list() {
    let home = home(&["alpha"]);
    let mut terminal = Terminal::start(turnlane(home.path(), home.path(), &[]));
    terminal.wait_for("Sessions · 1");
    terminal.press("q");
    terminal.wait_for("filter q");
    terminal.press("\x03");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn a_session_that_cannot_be_read_says_why_in_its_row() {
    let home = home(&[]);
    let folder = home.path().join(".claude/projects/-home-me-broken");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("0001.jsonl"), "nothing of this is JSON\n").unwrap();
    let mut terminal = Terminal::start(turnlane(home.path(), home.path(), &[]));
    terminal.wait_for("home-me-broken");
    terminal.wait_for("✗ this is not JSON");
    terminal.press("\r");
    terminal.wait_for("turnlane opens its own traces");
    terminal.press("\x03");
    assert!(terminal.end().success());
}

/// Pipes a file into the viewer: keys can only come from the terminal itself.
fn piped() -> Terminal {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = CommandBuilder::new("sh");
    command.arg("-c");
    let exe = env!("CARGO_BIN_EXE_turnlane");
    command.arg(format!("cat '{RACE}' | '{exe}' -; echo code $?"));
    command.cwd(root);
    command.env_remove("NO_COLOR");
    Terminal::start(command)
}

#[test]
fn what_is_piped_in_opens_and_the_keys_are_the_terminals() {
    let mut terminal = piped();
    terminal.wait_for("standard input");
    terminal.wait_for("lost update");
    assert!(!terminal.is_cooked());
    terminal.press("\t\r");
    terminal.wait_for("Arguments");
    // The bodies are there too, though nothing can be read a second time.
    terminal.wait_for("8123");
    terminal.press("\x1b");
    terminal.wait_until("the call to close", |t| {
        !t.parser().screen().contents().contains("Arguments")
    });
    terminal.press("q");
    terminal.wait_for("code 0");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn a_size_that_changes_is_noticed_while_input_is_piped() {
    let mut terminal = piped();
    terminal.wait_for("What-if");
    let small = portable_pty::PtySize {
        rows: 30,
        cols: 30,
        pixel_width: 0,
        pixel_height: 0,
    };
    terminal.master.resize(small).unwrap();
    terminal.wait_for("too small: 30x30");
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn standard_input_that_is_the_terminal_is_refused_with_what_to_do() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::start(turnlane(home.path(), home.path(), &["-"]));
    terminal.wait_for("pipe a file into it");
    assert_eq!(terminal.end().exit_code(), 2);
}

/// A press or a release of the left button, in the encoding that is asked for.
fn click(column: u16, row: u16) -> String {
    format!("\x1b[<0;{0};{1}M\x1b[<0;{0};{1}m", column + 1, row + 1)
}

fn find(terminal: &Terminal, text: &str) -> (u16, u16) {
    let parser = terminal.parser();
    let rows = parser.screen().rows(0, 110).collect::<Vec<_>>();
    let place = rows.iter().zip(0..).find_map(|(line, row)| {
        let at = line.find(text)?;
        Some((u16::try_from(line[..at].chars().count()).unwrap(), row))
    });
    place.unwrap_or_else(|| panic!("no {text:?}"))
}

#[test]
fn the_mouse_is_taken_when_asked_for_selects_and_is_given_back() {
    let mut terminal = Terminal::open(RACE, false);
    terminal.wait_for("Turn 1");
    assert!(!terminal.raw().contains(TAKEN));
    terminal.press("m");
    terminal.wait_until("the mouse to be taken", |t| t.raw().contains(TAKEN));
    let (column, row) = find(&terminal, "charge_card");
    terminal.press(&click(column, row));
    terminal.wait_for("▶2 charge_card");
    let (column, row) = find(&terminal, "graph ");
    terminal.press(&click(column, row));
    terminal.wait_for("predicted: graph");
    terminal.press("m");
    terminal.wait_until("the mouse to be given back", |t| {
        t.raw().contains(GIVEN_BACK)
    });
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn the_mouse_is_given_back_on_every_way_out() {
    let mut terminal = Terminal::open(RACE, false);
    terminal.wait_for("Turn 1");
    terminal.press("m");
    terminal.wait_until("the mouse to be taken", |t| t.raw().contains(TAKEN));
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
    assert!(terminal.raw().contains(GIVEN_BACK));
    let mut terminal = Terminal::open(RACE, false);
    terminal.wait_for("Turn 1");
    terminal.press("m");
    terminal.wait_until("the mouse to be taken", |t| t.raw().contains(TAKEN));
    kill_process(terminal.pid(), Signal::TERM).unwrap();
    terminal.end();
    terminal.assert_restored();
    let raw = terminal.raw();
    assert!(raw.rfind(GIVEN_BACK) > raw.rfind(TAKEN), "{raw:?}");
}

fn with_settings(text: &str) -> (tempfile::TempDir, CommandBuilder) {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("settings.toml");
    fs::write(&file, text).unwrap();
    let trace = Path::new(env!("CARGO_MANIFEST_DIR")).join(RACE);
    let mut command = turnlane(home.path(), home.path(), &[trace.to_str().unwrap()]);
    command.env("TURNLANE_CONFIG", file);
    (home, command)
}

#[test]
fn settings_choose_keys_glyphs_policies_and_the_mouse() {
    let text = "glyphs = \"ascii\"\nmouse = true\npolicies = [\"sequential\", \"graph\"]\n[keys]\nquit = [\"f10\"]\nhelp = [\"u\"]\n";
    let (_home, command) = with_settings(text);
    let mut terminal = Terminal::start(command);
    terminal.wait_for("u help");
    let screen = terminal.parser().screen().contents();
    assert!(
        !screen.contains("staged") && !screen.contains('█'),
        "{screen}"
    );
    assert!(terminal.raw().contains(TAKEN));
    terminal.press("u");
    terminal.wait_for("Esc closes");
    terminal.press("G");
    terminal.wait_for("F10");
    terminal.press("\x1b");
    terminal.wait_until("the help to close", |t| {
        !t.parser().screen().contents().contains("F10")
    });
    terminal.press("\x1b[21~");
    assert!(terminal.end().success());
    terminal.assert_restored();
    assert!(terminal.raw().contains(GIVEN_BACK));
}

#[test]
fn the_pager_of_the_settings_is_the_one_that_is_started() {
    let folder = tempfile::tempdir().unwrap();
    let pager = folder.path().join("show-it");
    fs::write(
        &pager,
        "#!/bin/sh\ncat > /dev/null\necho mine was started\nread line < /dev/tty\n",
    )
    .unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&pager, mode).unwrap();
    let (_home, mut command) = with_settings(&format!("pager = {:?}\n", pager.to_str().unwrap()));
    command.env_remove("PAGER");
    let mut terminal = Terminal::start(command);
    terminal.wait_for("Turn 1");
    terminal.press("\t\r");
    terminal.wait_for("Arguments");
    terminal.press("O");
    terminal.wait_for("mine was started");
    terminal.press("\n");
    terminal.wait_for("Arguments");
    terminal.press("\x03");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn settings_that_are_broken_stop_the_viewer_before_it_takes_the_terminal() {
    let (_home, command) = with_settings("[keys]\nquit = [\"t\"]\n");
    let mut terminal = Terminal::start(command);
    terminal.wait_for("line 2, column 9");
    terminal.wait_for("both quit and next-thread");
    assert_eq!(terminal.end().exit_code(), 2);
    assert!(!terminal.raw().contains("\x1b[?1049h"));
}

#[test]
fn a_theme_is_shown_in_the_colours_that_the_terminal_has() {
    let (_home, mut command) = with_settings("theme = \"high-contrast\"\n");
    command.env_remove("COLORTERM");
    let mut terminal = Terminal::start(command);
    terminal.wait_for("What-if");
    let parser = terminal.parser();
    let ground = parser.screen().cell(29, 109).unwrap().bgcolor();
    assert_eq!(
        ground,
        vt100::Color::Idx(16),
        "256 colours: the nearest to black"
    );
    terminal.press("q");
    assert!(terminal.end().success());
}

//! The viewer on a real pseudo-terminal: what it draws, and that it gives the terminal back.
#![cfg(all(unix, feature = "tui", feature = "run"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::PathBuf;
use std::sync::Arc;

use portable_pty::{CommandBuilder, PtySize};
use rustix::process::{Signal, kill_process};
use support::runs;
use support::terminal::{LEAVE, Terminal};
use turnlane::analyze::WhatIfOptions;
use turnlane::trace::Run;
use turnlane::tui::{Cmd, Host, Model, Replies, Skin, show};

const RACE: &str = "traces/invoice-all-at-once.jsonl";

#[test]
fn a_trace_opens_shows_its_race_and_quits() {
    let mut terminal = Terminal::open(RACE, false);
    terminal.wait_for("Turn 1");
    terminal.wait_for("lost update");
    assert!(terminal.parser().screen().alternate_screen());
    assert!(!terminal.is_cooked());
    terminal.press("?");
    terminal.wait_for("Shift-Tab");
    terminal.press("\x1b");
    terminal.wait_until("the help to close", |t| {
        !t.parser().screen().contents().contains("Shift-Tab")
    });
    terminal.press("p");
    terminal.wait_for("predicted: sequential");
    terminal.press("\r");
    terminal.wait_for("Arguments");
    terminal.wait_for("8123");
    terminal.press("q");
    terminal.wait_until("the call to close", |t| {
        !t.parser().screen().contents().contains("Arguments")
    });
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn the_mouse_stays_with_the_terminal() {
    let mut terminal = Terminal::open(RACE, false);
    terminal.wait_for("Turn 1");
    terminal.press("q");
    terminal.end();
    terminal.assert_restored();
    for mode in ["\x1b[?1000h", "\x1b[?1002h", "\x1b[?1003h"] {
        assert!(!terminal.raw().contains(mode));
    }
}

#[test]
fn signals_give_the_terminal_back_and_end_the_program_as_themselves() {
    for (signal, name) in [
        (Signal::TERM, "Terminated"),
        (Signal::HUP, "Hangup"),
        (Signal::INT, "Interrupt"),
    ] {
        let mut terminal = Terminal::open(RACE, false);
        terminal.wait_for("Turn 1");
        kill_process(terminal.pid(), signal).unwrap();
        let status = terminal.end();
        terminal.assert_restored();
        assert_eq!(status.signal(), Some(name), "{status:?}");
    }
}

#[test]
fn a_whole_visit_opens_zooms_plays_searches_and_quits() {
    let mut terminal = Terminal::open(RACE, false);
    terminal.wait_for("Turn 1");
    terminal.press("\t\r");
    terminal.wait_for("Why it started when it did");
    terminal.press("\x1b");
    terminal.wait_until("the call to close", |t| {
        !t.parser().screen().contents().contains("Why it started")
    });
    terminal.wait_for(" 100 ms ");
    terminal.press("wwww");
    terminal.wait_for(" 10 ms ");
    terminal.press("0");
    terminal.wait_for(" 100 ms ");
    terminal.press(" ");
    terminal.wait_for("of 202 ms");
    // An Esc right before another key would be Alt and that key.
    terminal.press("\x1b");
    terminal.wait_until("the play to end", |t| {
        !t.parser().screen().contents().contains("of 202 ms")
    });
    terminal.press("/");
    terminal.press("tool:charge_card\r");
    terminal.wait_for("1 of 1");
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn a_size_that_changes_is_drawn_anew() {
    let mut terminal = Terminal::open(RACE, false);
    terminal.wait_for("What-if");
    let small = PtySize {
        rows: 30,
        cols: 30,
        pixel_width: 0,
        pixel_height: 0,
    };
    terminal.master.resize(small).unwrap();
    terminal.wait_for("too small: 30x30");
    terminal.press("q");
    assert!(terminal.end().success());
}

#[test]
fn no_color_leaves_colours_out_and_keeps_what_is_reversed() {
    let mut terminal = Terminal::open(RACE, true);
    terminal.wait_for("What-if");
    // Zoomed until a bar starts inside a cell, which only a reversed glyph can show.
    terminal.press("pppp");
    terminal.wait_for("predicted: keyed");
    let parser = terminal.parser();
    let screen = parser.screen();
    let (rows, columns) = (30, 110);
    let cells = || (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let mut reversed = 0;
    for (row, column) in cells() {
        let cell = screen.cell(row, column).unwrap();
        assert_eq!(cell.fgcolor(), vt100::Color::Default, "at {row}, {column}");
        assert_eq!(cell.bgcolor(), vt100::Color::Default, "at {row}, {column}");
        reversed += usize::from(cell.inverse());
    }
    assert!(reversed > 0, "the focused title is reversed");
    assert!(screen.contents().contains("█"));
    terminal.press("q");
    assert!(terminal.end().success());
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_z_gives_the_terminal_back_until_the_program_is_continued() {
    let mut terminal = Terminal::open(RACE, false);
    terminal.wait_for("Turn 1");
    terminal.press("\x1a");
    let state = PathBuf::from(format!(
        "/proc/{}/stat",
        terminal.child.process_id().unwrap()
    ));
    let is_stopped = |_: &Terminal| {
        let stat = std::fs::read_to_string(&state).unwrap();
        stat.rsplit_once(") ")
            .is_some_and(|(_, rest)| rest.starts_with('T'))
    };
    terminal.wait_until("the program to stop", is_stopped);
    terminal.assert_restored();
    kill_process(terminal.pid(), Signal::CONT).unwrap();
    terminal.wait_until("the screen to come back", |t| {
        t.parser().screen().alternate_screen()
    });
    terminal.wait_for("Turn 1");
    assert!(!terminal.is_cooked());
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

/// A host that fails in the worst way.
struct Panics;

impl Host for Panics {
    fn handle(&mut self, _command: Cmd, _run: &Arc<Run>, _replies: &Replies) {
        panic!("the host panicked");
    }
}

/// Not a test of its own: what the next test starts on a terminal.
#[test]
#[ignore = "started by another test"]
fn viewer_that_panics() {
    let options = WhatIfOptions::default();
    let model = Model::new(Arc::new(runs::triage()), "t.jsonl", options, Skin::colour());
    let _ = show(model, &mut Panics);
}

#[test]
fn a_panic_gives_the_terminal_back_before_it_is_reported() {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "viewer_that_panics", "--nocapture"]);
    let mut terminal = Terminal::start(command);
    terminal.wait_for("Turn 12");
    terminal.press("\r");
    assert!(!terminal.end().success());
    terminal.assert_restored();
    terminal.wait_for("the host panicked");
    let raw = terminal.raw();
    let (left, said) = (
        raw.rfind(LEAVE).unwrap(),
        raw.find("the host panicked").unwrap(),
    );
    assert!(left < said, "{raw:?}");
    assert_eq!(raw.matches(LEAVE).count(), 1, "given back once");
    // No half-drawn frame over the message.
    assert!(!raw[said..].contains("\x1b["), "{raw:?}");
}

#[test]
fn assumptions_are_saved_as_a_catalog_that_commands_take() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.json");
    let mut terminal = Terminal::open(RACE, false);
    terminal.wait_for("invoice:8123");
    terminal.press("e");
    terminal.wait_for("Assumptions");
    terminal.press("jj\x1b[C");
    terminal.wait_for("ssumptions changed: get_invoice read-only");
    terminal.press("W");
    terminal.wait_for("save as catalog.json");
    // Ctrl-U empties the line.
    terminal.press("\x15");
    terminal.press(path.to_str().unwrap());
    terminal.press("\r");
    terminal.wait_for("wrote 4 tools");
    let saved = std::fs::read_to_string(&path).unwrap();
    turnlane::model::Catalog::parse(&saved, "mine.json").unwrap();
    terminal.press("W\x15");
    terminal.press(path.to_str().unwrap());
    terminal.press("\r");
    terminal.wait_for("is there already");
    terminal.press("\x1b");
    terminal.wait_for("W saves a catalog");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), saved);
    terminal.press("qq");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

/// What a terminal was asked to put on its clipboard.
#[derive(Default)]
struct Clipboard(Vec<Vec<u8>>);

impl vt100::Callbacks for Clipboard {
    fn copy_to_clipboard(&mut self, _: &mut vt100::Screen, kind: &[u8], data: &[u8]) {
        assert_eq!(kind, b"c");
        self.0.push(data.to_vec());
    }
}

fn clipboard(terminal: &Terminal) -> Vec<Vec<u8>> {
    let (rows, columns) = (30.try_into().unwrap(), 110.try_into().unwrap());
    let mut parser = vt100::Parser::new_with_callbacks(rows, columns, 0, Clipboard::default());
    parser.process(&terminal.output.lock().unwrap());
    parser.callbacks().0.clone()
}

#[test]
fn a_copy_reaches_the_clipboard_of_the_terminal() {
    let link = ["traces/triage-sequential.jsonl", "--turn", "12"];
    let mut terminal = Terminal::open_with(&link, false, None);
    terminal.wait_for("Turn 12");
    // The last row of the menu is a command line that opens the viewer here.
    terminal.press("yG\r");
    terminal.wait_for("needs a terminal that allows OSC 52");
    // "turnlane traces/triage-sequential.jsonl --turn 12 --call 0", as the sequence carries it.
    let expected =
        "dHVybmxhbmUgdHJhY2VzL3RyaWFnZS1zZXF1ZW50aWFsLmpzb25sIC0tdHVybiAxMiAtLWNhbGwgMA==";
    assert_eq!(clipboard(&terminal), [expected.as_bytes()]);
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn a_link_opens_on_its_call() {
    let link = [
        "traces/triage-sequential.jsonl",
        "--turn",
        "3",
        "--call",
        "1",
    ];
    let mut terminal = Terminal::open_with(&link, false, None);
    terminal.wait_for("▶1 run_tests");
    terminal.press("q");
    assert!(terminal.end().success());
}

#[test]
fn the_pager_gets_the_terminal_and_all_of_the_answer_and_gives_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let got = folder.path().join("got");
    let pager = folder.path().join("pager");
    // It reads the keyboard itself, in the mode that a program expects to find.
    let script = format!(
        "#!/bin/sh\ncat > {}\nprintf 'in the pager\\n'\nread line < /dev/tty\nprintf 'it read %s\\n' \"$line\"\nread line < /dev/tty\n",
        got.display()
    );
    std::fs::write(&pager, script).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&pager, mode).unwrap();
    let at = [
        "traces/triage-sequential.jsonl",
        "--turn",
        "5",
        "--call",
        "1",
    ];
    let mut terminal = Terminal::open_with(&at, false, pager.to_str());
    terminal.wait_for("▶1 run_tests");
    terminal.press("\r");
    terminal.wait_for("Arguments");
    terminal.press("O");
    terminal.wait_for("in the pager");
    assert!(!terminal.parser().screen().alternate_screen());
    assert!(terminal.is_cooked(), "the pager finds an ordinary terminal");
    // What is typed there is for the pager: q would close the call, Ctrl-C end the program.
    terminal.press("q\n");
    terminal.wait_for("it read q");
    terminal.press("\n");
    terminal.wait_for("Arguments");
    assert!(terminal.parser().screen().alternate_screen());
    assert!(!terminal.is_cooked());
    let text = std::fs::read_to_string(&got).unwrap();
    assert!(text.contains("running 10 tests"), "{text}");
    terminal.press("q");
    terminal.wait_until("the call to close", |t| {
        !t.parser().screen().contents().contains("Arguments")
    });
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn a_pager_that_is_not_there_is_said() {
    let file = ["traces/triage-sequential.jsonl"];
    let mut terminal = Terminal::open_with(&file, false, Some("no-such-pager-anywhere"));
    terminal.wait_for("Turn");
    terminal.press("\rO");
    terminal.wait_for("cannot start no-such-pager-anywhere");
    terminal.press("qq");
    assert!(terminal.end().success());
    terminal.assert_restored();
}

#[test]
fn a_search_finds_what_only_an_answer_says() {
    let mut terminal = Terminal::open("traces/triage-sequential.jsonl", false);
    terminal.wait_for("Turn");
    terminal.press("/answer:\"running 10 tests\"\r");
    terminal.wait_for("match 1 of");
    terminal.press("/-answer:running turn:5 tool:run\r");
    terminal.wait_for("no match for -answer:running");
    terminal.press("q");
    assert!(terminal.end().success());
}

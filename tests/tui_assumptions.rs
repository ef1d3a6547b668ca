//! What is assumed instead of what the file says, and what follows from it.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use import_support::Folder;
use serde_json::{Value, json};
use support::runs::{self, Recording, call};
use support::screen::{Screen, answer, frame};
use tui_input::InputRequest;
use turnlane::analyze::{WhatIfOptions, totals, verdict};
use turnlane::import::{Opened as File, open_any};
use turnlane::model::{Catalog, Cause, Outcome, Source, ThreadId};
use turnlane::schedule::Slots;
use turnlane::time::Nanos;
use turnlane::trace::Run;
use turnlane::tui::keymap::{Action, Mode};
use turnlane::tui::{
    Cmd, Drawn, Facts, FollowNews, Model, Msg, NotSaved, Opened, Overlay, ReplayNews, Skin, update,
};

const SIZE: (u16, u16) = (120, 40);

fn open(path: &Path) -> Run {
    match open_any(path, &Catalog::claude_code().unwrap()).unwrap() {
        File::Run(run) => *run,
        File::Scenario(_) => panic!("a scenario"),
    }
}

fn trace(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("traces")
        .join(name)
}

/// A viewer with the figures of the file.
fn viewer(run: Run) -> Screen {
    let options = WhatIfOptions::default();
    let mut model = Model::new(Arc::new(run), "t.jsonl", options, Skin::colour());
    update(&mut model, Msg::Resize(SIZE.0, SIZE.1));
    Screen { model }
}

/// The actions that go from the first row of the open assumptions to this tool.
fn to_tool(screen: &Screen, tool: &str) -> Vec<Action> {
    let lines = screen.lines();
    let heading = lines
        .iter()
        .position(|line| line.contains("a call of it"))
        .unwrap();
    let row = lines[heading + 1..]
        .iter()
        .position(|line| line.split_whitespace().any(|word| word == tool));
    let row = row.unwrap_or_else(|| panic!("no {tool} in {lines:#?}"));
    vec![Action::Down; 2 + row]
}

/// Opens the assumptions and steps through the choices of a tool until its row says this.
fn assume(screen: Screen, tool: &str, choice: &str) -> Screen {
    let screen = screen.press(&[Action::Assume]);
    let path = to_tool(&screen, tool);
    let mut screen = screen.press(&path);
    for _ in 0..40 {
        let row = format!("< {choice} >");
        if screen.text().contains(&row) {
            return screen;
        }
        screen = screen.press(&[Action::PanRight]);
    }
    panic!("no {choice:?} for {tool} in\n{}", screen.text());
}

/// The makespans and hazard counts that the what-if shows, all policies of the selected turn.
fn figures(model: &Model) -> Vec<(Drawn, Option<u64>, u64)> {
    let schedules = &model.report().unwrap().schedules;
    let figure = |s: &turnlane::tui::Schedule| (s.drawn, s.makespan.map(|m| m.0), s.hazards.count);
    schedules.iter().map(figure).collect()
}

/// `what-if --json` with these switches.
fn what_if(file: &Path, more: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_turnlane"))
        .arg("what-if")
        .arg("--json")
        .arg(file)
        .args(more)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Every figure of the viewer, turn by turn and in all, is that of the report.
fn assert_same_figures(screen: Screen, report: &Value) {
    let turns = report["turns"].as_array().unwrap();
    let turns: Vec<_> = turns.iter().filter(|t| t["thread"] == "main").collect();
    let mut screen = screen.press(&[Action::Close, Action::First]);
    for turn in turns {
        assert_eq!(
            screen.model.turn_number().map(u64::from),
            turn["turn"].as_u64()
        );
        let mut shown = figures(&screen.model).into_iter();
        let (_, makespan, hazards) = shown.next().unwrap();
        assert_eq!(json!(makespan), turn["recorded"]["makespan_ns"], "{turn}");
        let seen = &turn["recorded"]["hazard_count"];
        assert!(seen.is_null() || *seen == hazards, "{turn}");
        for (policy, (drawn, makespan, hazards)) in
            turn["policies"].as_array().unwrap().iter().zip(shown)
        {
            let name = policy["policy"].as_str().unwrap().parse().unwrap();
            assert_eq!(drawn, Drawn::Predicted(name));
            assert_eq!(json!(makespan), policy["makespan_ns"], "{turn}");
            assert_eq!(hazards, policy["hazard_count"], "{turn}");
        }
        screen = screen.press(&[Action::Down]);
    }
    let facts = screen.model.facts();
    assert_eq!(facts.verdict[0], report["verdict"].as_str().unwrap());
    for (total, wanted) in facts.totals[0]
        .policies
        .iter()
        .zip(report["totals"]["policies"].as_array().unwrap())
    {
        assert_eq!(total.policy.name(), wanted["policy"]);
        assert_eq!(json!(total.makespan.map(|m| m.0)), wanted["makespan_ns"]);
        assert_eq!(json!(total.savings.map(|s| s.saved)), wanted["saved_ns"]);
        assert_eq!(total.hazards, wanted["hazard_count"]);
    }
}

/// Types this path in place of the one that is offered, and says what is asked for.
fn save_as(mut screen: Screen, path: &str) -> (Screen, Cmd) {
    screen = screen.press(&[Action::Save]);
    assert_eq!(screen.model.mode(), Mode::Text);
    let clear = InputRequest::DeleteLine;
    update(&mut screen.model, Msg::Edit(clear));
    screen = screen.write(path);
    let mut commands = update(&mut screen.model, Msg::Do(Action::Accept));
    assert_eq!(commands.len(), 1, "{commands:?}");
    (screen, commands.remove(0))
}

/// Saves what is assumed, and holds every figure against the command line with that file.
fn assert_saved_catalog_gives_the_same(screen: Screen, file: &Path, switches: &[&str]) {
    let folder = Folder::new();
    let (screen, command) = save_as(screen, "mine.json");
    let Cmd::SaveCatalog {
        path,
        text,
        replace,
    } = command
    else {
        panic!("{command:?}")
    };
    assert_eq!((path.as_str(), replace), ("mine.json", false));
    let mine = folder.write("mine.json", text);
    let tools = Command::new(env!("CARGO_BIN_EXE_turnlane"))
        .arg("tools")
        .arg(&mine)
        .output()
        .unwrap();
    assert!(tools.status.success(), "{tools:?}");
    let mut switches = switches.to_vec();
    switches.extend(["--catalog", mine.to_str().unwrap()]);
    let report = what_if(file, &switches);
    assert_ne!(report["totals"], what_if(file, &[])["totals"]);
    assert_same_figures(screen.press(&[Action::Close]), &report);
}

#[test]
fn a_trace_under_another_declaration_has_the_figures_of_the_saved_catalog() {
    let file = trace("edit-then-test-staged.jsonl");
    let screen = assume(viewer(open(&file)), "run_tests", "read-only");
    assert_saved_catalog_gives_the_same(screen, &file, &[]);
}

#[test]
fn a_key_from_an_argument_is_resolved_call_by_call() {
    let file = trace("triage-staged.jsonl");
    let screen = assume(viewer(open(&file)), "code_search", "writes file:<pattern>");
    let text = screen.text();
    assert!(text.contains("file: reads file:**"), "{text}");
    let screen = assume(screen.press(&[Action::Close]), "code_patch", "opaque");
    assert_saved_catalog_gives_the_same(screen, &file, &[]);
}

#[test]
fn slots_and_the_failure_mode_are_the_switches_of_the_command_line() {
    let file = trace("fan-out-staged.jsonl");
    let fewer = [
        Action::Assume,
        Action::PanLeft,
        Action::PanLeft,
        Action::Down,
        Action::PanRight,
    ];
    let screen = viewer(open(&file)).press(&fewer);
    let screen = assume(screen.press(&[Action::Close]), "fetch", "opaque");
    let switches = ["--slots", "6", "--on-failure", "stop-later"];
    assert_saved_catalog_gives_the_same(screen, &file, &switches);
}

/// Two edits of one file and a shell, by a harness.
fn session() -> Vec<Value> {
    use import_support::{prompt, read, reply, result, with};
    let tool = import_support::call;
    let edit = |id| {
        tool(
            id,
            "Edit",
            json!({"file_path": "src/a.rs", "new_string": "x"}),
        )
    };
    let shell = |id| {
        tool(
            id,
            "Bash",
            json!({"command": "ls", "folder": {"name": "src"}}),
        )
    };
    let lines = vec![
        prompt(0, "go"),
        reply(
            1_000,
            "m1",
            json!([edit("a"), read("b", "src/a.rs"), shell("c"), shell("d")]),
        ),
        result(1_400, "a", "ok"),
        result(1_450, "b", "ok"),
        result(1_700, "c", "ok"),
        result(1_800, "d", "ok"),
        reply(3_000, "m2", json!([shell("e"), shell("f")])),
        result(3_500, "e", "ok"),
        result(4_000, "f", "ok"),
    ];
    let at = |line| with(line, json!({"cwd": "/work"}));
    lines.into_iter().map(at).collect()
}

#[test]
fn a_session_of_a_harness_has_the_figures_of_the_saved_catalog_too() {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", import_support::text(&session()));
    for choice in [
        "read-only",
        "reads name:<folder.name>",
        "writes name:<folder.name>",
    ] {
        let screen = assume(viewer(open(&file)), "Bash", choice);
        assert_saved_catalog_gives_the_same(screen, &file, &[]);
    }
}

#[test]
fn the_header_and_the_panel_say_what_is_assumed() {
    let screen = viewer(open(&trace("edit-then-test-staged.jsonl")));
    let screen = screen.press(&[Action::Assume, Action::PanLeft]);
    let screen = assume(screen.press(&[Action::Close]), "run_tests", "read-only");
    let screen = screen.press(&[Action::Close]);
    let lines = screen.lines();
    let says = "ssumptions changed: slots 7, run_tests read-only";
    assert!(lines[1].contains(says), "{lines:#?}");
    let panel = lines.iter().find(|line| line.contains("What-if")).unwrap();
    assert!(panel.contains(says), "{panel}");
    let mut small = screen;
    update(&mut small.model, Msg::Resize(60, 10));
    assert!(
        small.lines()[0].contains("assumptions changed"),
        "{}",
        small.text()
    );
}

#[test]
fn what_was_recorded_stays_but_for_its_races() {
    let screen = viewer(open(&trace("invoice-all-at-once.jsonl")));
    let before = screen.model.report().unwrap().schedules[0].clone();
    let screen = assume(screen, "charge_card", "read-only");
    let after = screen.model.report().unwrap().schedules[0].clone();
    assert_eq!(before.rows, after.rows);
    assert_eq!(
        (before.makespan, before.timing),
        (after.makespan, after.timing)
    );
    assert_eq!(before.figure, after.figure);
    assert_eq!((before.hazards.count, after.hazards.count), (3, 1));
}

#[test]
fn a_call_says_that_what_it_touches_is_assumed() {
    let screen = viewer(open(&trace("invoice-all-at-once.jsonl")));
    let screen = assume(screen, "get_invoice", "read-only").press(&[Action::Close]);
    let text = screen.text();
    assert!(text.contains("assumed, not declared"), "{text}");
    let run = screen.model.run();
    assert_eq!(run.calls[0].source, Source::Assumption);
    assert_eq!(run.calls[1].source, Source::Declared);
}

#[test]
fn backspace_goes_back_to_the_file_without_asking_anybody() {
    let screen = viewer(open(&trace("invoice-all-at-once.jsonl")));
    let (before, facts) = (figures(&screen.model), screen.model.facts().clone());
    let mut screen = assume(screen, "charge_card", "opaque");
    screen = screen.press(&[Action::First, Action::PanLeft]);
    assert_ne!(figures(&screen.model), before);
    assert_eq!(
        update(&mut screen.model, Msg::Do(Action::Reset)),
        Vec::new()
    );
    assert_eq!(figures(&screen.model), before);
    assert_eq!(*screen.model.facts(), facts);
    assert!(!screen.model.what_if().assumptions().is_changed());
    assert!(!screen.text().contains("ssumptions changed"));
}

#[test]
fn slots_go_from_one_to_sixty_four_and_then_there_is_no_limit() {
    let slots = |screen: &Screen| {
        let line = screen
            .lines()
            .into_iter()
            .find(|line| line.contains("│ ▶ slots "))
            .unwrap();
        let choice = line.split('<').nth(1).unwrap().split('>').next().unwrap();
        choice.trim().to_owned()
    };
    let screen = viewer(runs::triage()).press(&[Action::Assume]);
    let screen = screen.press(&[Action::PanLeft; 9]);
    assert_eq!(slots(&screen), "1");
    let screen = screen.press(&[Action::PanRight; 63]);
    assert_eq!(slots(&screen), "64");
    let screen = screen.press(&[Action::PanRight; 2]);
    assert_eq!(slots(&screen), "unlimited");
    assert_eq!(screen.model.facts().totals[0].policies.len(), 5);
    let screen = screen.press(&[Action::PanLeft]);
    assert_eq!(slots(&screen), "64");
}

#[test]
fn one_question_is_asked_at_a_time_and_the_last_wish_counts() {
    let mut screen = viewer(runs::invoices()).press(&[Action::Assume]);
    let model = &mut screen.model;
    let first = update(model, Msg::Do(Action::PanLeft));
    assert_eq!(first.len(), 1);
    // While the answer is under way more is wanted; the screen shows what is known.
    assert_eq!(update(model, Msg::Do(Action::PanLeft)), Vec::new());
    assert_eq!(update(model, Msg::Do(Action::PanLeft)), Vec::new());
    assert!(!model.what_if().assumptions().is_changed());
    assert!(screen.text().contains("working out what follows"));
    screen.carry_out(first);
    assert!(screen.lines()[1].contains("slots 5."), "{}", screen.text());
    assert!(!screen.model.what_if().assumptions().is_pending());
}

#[test]
fn an_answer_that_comes_after_going_back_changes_nothing() {
    let mut screen = viewer(runs::invoices()).press(&[Action::Assume]);
    let before = figures(&screen.model);
    let question = update(&mut screen.model, Msg::Do(Action::PanLeft)).remove(0);
    update(&mut screen.model, Msg::Do(Action::Reset));
    let late = answer(question, screen.model.run()).unwrap();
    assert_eq!(update(&mut screen.model, late), Vec::new());
    assert_eq!(figures(&screen.model), before);
    assert!(!screen.model.what_if().assumptions().is_changed());
}

#[test]
fn another_file_is_shown_as_it_is() {
    let mut screen = assume(
        viewer(open(&trace("invoice-all-at-once.jsonl"))),
        "lookup",
        "opaque",
    );
    screen = screen.press(&[Action::First]);
    let under_way = update(&mut screen.model, Msg::Do(Action::PanLeft)).remove(0);
    let run = Arc::new(open(&trace("lookups-staged.jsonl")));
    let facts = Facts::of(&run, &WhatIfOptions::default());
    let file = "other.jsonl".to_owned();
    let opened = Opened {
        run: Arc::clone(&run),
        file,
        facts: facts.clone(),
    };
    update(&mut screen.model, Msg::Opened(Box::new(opened)));
    let late = answer(under_way, screen.model.run()).unwrap();
    assert_eq!(update(&mut screen.model, late), Vec::new());
    assert!(Arc::ptr_eq(screen.model.run(), &run));
    assert_eq!(*screen.model.facts(), facts);
    assert!(!screen.text().contains("ssumptions changed"));
}

#[test]
fn a_run_that_grows_under_assumptions_stays_under_them() {
    let mut screen = assume(viewer(runs::invoices()), "lookup", "opaque");
    screen = screen.press(&[Action::Close]);
    let mut longer = Recording::new("all-at-once", "glm-5.3");
    longer.run = runs::invoices();
    longer.turn(
        1_000,
        &[call("lookup", 0, 10_000), call("lookup", 10_000, 20_000)],
    );
    let run = Arc::new(longer.run);
    let facts = Facts::of(&run, &WhatIfOptions::default());
    let commands = update(&mut screen.model, Msg::Grown(run, Box::new(facts)));
    assert_eq!(
        screen.model.run().turns.len(),
        2,
        "shown once what follows is known"
    );
    screen.carry_out(commands);
    assert_eq!(screen.model.run().turns.len(), 3);
    assert!(
        screen
            .model
            .run()
            .calls
            .iter()
            .filter(|c| screen.model.run().tool(c) == "lookup")
            .all(|c| c.opaque)
    );
    assert_eq!(screen.model.turn_number(), Some(2), "the selection stays");
    let screen = screen.press(&[Action::Assume, Action::Reset]);
    assert_eq!(screen.model.run().turns.len(), 3);
    assert!(screen.model.run().calls.iter().all(|c| !c.opaque));
}

#[test]
fn a_verdict_that_comes_late_is_that_of_the_file() {
    let run = Arc::new(runs::invoices());
    let options = WhatIfOptions::default();
    let first = Facts::at_first_sight(&run);
    let model = Model::with_facts(Arc::clone(&run), "t", options.clone(), Skin::mono(), first);
    let mut screen = Screen { model }.press(&[Action::Assume, Action::PanLeft]);
    let assumed = screen.model.facts().clone();
    let judged = Facts::of(&run, &options);
    update(
        &mut screen.model,
        Msg::Judged(Arc::clone(&run), Box::new(judged.clone())),
    );
    assert_eq!(*screen.model.facts(), assumed);
    update(&mut screen.model, Msg::Do(Action::Reset));
    assert_eq!(*screen.model.facts(), judged);
}

#[test]
fn arguments_that_cannot_be_read_are_counted_where_they_would_decide() {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", import_support::text(&session()));
    let screen = viewer(open(&file)).press(&[Action::Assume]);
    std::fs::remove_file(&file).unwrap();
    let path = to_tool(&screen, "Bash");
    let screen = screen
        .press(&path)
        .press(&[Action::PanRight, Action::PanRight]);
    let text = screen.text();
    assert!(text.contains("< reads command:<command> >"), "{text}");
    assert!(
        text.contains("the arguments of 4 calls cannot be read"),
        "{text}"
    );
    let screen = screen.press(&[Action::PanLeft]);
    assert!(
        !screen.text().contains("cannot be read"),
        "read-only asks no arguments"
    );
}

#[test]
fn a_file_is_replaced_only_under_the_name_that_was_confirmed() {
    let screen = viewer(runs::invoices()).press(&[Action::Assume, Action::PanLeft]);
    let (mut screen, _) = save_as(screen, "mine.json");
    let exists = |path: &str| Msg::Saved(path.to_owned(), Err(NotSaved::Exists));
    update(&mut screen.model, exists("mine.json"));
    assert!(
        screen.text().contains("Enter replaces it"),
        "{}",
        screen.text()
    );
    let replace = |screen: &mut Screen| {
        let command = update(&mut screen.model, Msg::Do(Action::Accept)).remove(0);
        matches!(command, Cmd::SaveCatalog { replace: true, .. })
    };
    assert!(replace(&mut screen));
    // Another name, which has not been confirmed.
    let mut screen = screen.write("x");
    assert!(!replace(&mut screen));
    update(&mut screen.model, exists("mine.json"));
    assert!(!replace(&mut screen), "the answer was about another name");
    update(
        &mut screen.model,
        Msg::Saved("mine.jsonx".to_owned(), Ok(())),
    );
    assert_eq!(screen.model.mode(), Mode::Overlay);
    assert!(screen.text().contains("wrote"), "{}", screen.text());
    assert!(screen.text().contains("--slots 7"), "{}", screen.text());
}

#[test]
fn escape_ends_the_line_and_only_then_the_assumptions() {
    let screen = viewer(runs::invoices()).press(&[Action::Assume, Action::Save]);
    let screen = screen.write("q").press(&[Action::Close]);
    assert_eq!(screen.model.mode(), Mode::Overlay);
    assert!(matches!(
        screen.model.overlay(),
        Some(Overlay::Assumptions(_))
    ));
    let screen = screen.press(&[Action::Close]);
    assert_eq!(screen.model.overlay(), None);
}

#[test]
fn a_pasted_path_is_one_line() {
    let mut screen = viewer(runs::invoices()).press(&[Action::Assume, Action::Save]);
    update(&mut screen.model, Msg::Edit(InputRequest::DeleteLine));
    update(
        &mut screen.model,
        Msg::Paste("a/b.json\r\n\x1b[2J".to_owned()),
    );
    let Some(Overlay::Assumptions(open)) = screen.model.overlay() else {
        panic!("closed")
    };
    assert_eq!(open.line().unwrap().text(), "a/b.json[2J");
}

#[test]
fn the_figures_of_all_turns_are_those_of_the_verdict() {
    let run = open(&trace("triage-staged.jsonl"));
    let options = WhatIfOptions {
        slots: Slots::limit(7).unwrap(),
        ..WhatIfOptions::default()
    };
    let wanted = totals(&run, ThreadId(0), &options);
    let screen = viewer(run).press(&[Action::Assume, Action::PanLeft, Action::Close]);
    let facts = screen.model.facts();
    assert_eq!(facts.totals[0], wanted);
    assert_eq!(facts.verdict[0], verdict(&wanted));
}

#[test]
fn the_assumptions_look_like_this() {
    for (columns, rows) in [(40, 10), (80, 24), (120, 40), (200, 60)] {
        let screen = viewer(open(&trace("triage-staged.jsonl")));
        let mut screen = assume(screen, "code_search", "opaque");
        update(&mut screen.model, Msg::Resize(columns, rows));
        let name = format!("assumptions_{columns}x{rows}");
        insta::assert_snapshot!(name, frame(&screen.buffer()));
    }
}

#[test]
fn the_assumptions_say_the_same_without_colours_and_blocks() {
    let run = Arc::new(open(&trace("triage-staged.jsonl")));
    let options = WhatIfOptions::default();
    let model = Model::new(run, "t.jsonl", options, Skin::mono().ascii());
    let mut screen = Screen { model };
    update(&mut screen.model, Msg::Resize(100, 30));
    let screen = assume(screen, "code_patch", "read-only").press(&[Action::Save]);
    insta::assert_snapshot!("assumptions_ascii", frame(&screen.buffer()));
}

#[test]
fn nothing_of_a_hostile_file_reaches_the_assumptions_as_a_control() {
    for size in [(40, 10), (80, 24), (120, 40)] {
        let screen = Screen::new(runs::hostile(), size);
        let mut screen = screen.press(&[Action::Assume, Action::Down, Action::Down]);
        for _ in 0..runs::hostile().calls.len() {
            screen = screen.press(&[Action::PanRight, Action::Down]);
            for cell in screen.buffer().content() {
                let symbol = cell.symbol();
                assert!(!symbol.chars().any(char::is_control), "{symbol:?}");
                assert_eq!(turnlane::text::clean(symbol), symbol);
            }
        }
        let evil = Msg::Saved("\x1b]52;c;x\x07/a".to_owned(), Ok(()));
        update(&mut screen.model, evil);
        assert!(!screen.text().contains('\x1b'));
    }
}

/// Replays the selected turn as recorded; every call takes as long as its place says.
fn replayed(mut screen: Screen) -> Screen {
    let commands = update(&mut screen.model, Msg::Do(Action::Replay));
    let Some(Cmd::Replay(request)) = commands.into_iter().next() else {
        panic!("no replay in\n{}", screen.text())
    };
    for call in 0..request.case.calls.len() {
        let (slot, cause) = (0, Cause::Issued);
        let at = Nanos::from_millis(call as u64);
        let started = ReplayNews::Started {
            call,
            at,
            slot,
            cause,
        };
        let outcome = Outcome::Ok;
        let ended = ReplayNews::Ended {
            call,
            at: at + at,
            outcome,
        };
        for news in [started, ended] {
            update(&mut screen.model, Msg::Replay(request.id, news));
        }
    }
    update(&mut screen.model, Msg::Replay(request.id, ReplayNews::Over));
    screen.press(&[Action::Close])
}

#[test]
fn what_was_replayed_under_other_assumptions_is_no_figure_of_these() {
    let measured = |screen: &Screen| {
        let schedules = &screen.model.report().unwrap().schedules;
        schedules
            .iter()
            .any(|s| matches!(s.drawn, Drawn::Measured(_)))
    };
    let screen = replayed(viewer(runs::invoices()).press(&[Action::NextPolicy]));
    assert!(measured(&screen));
    let screen = screen.press(&[Action::Assume, Action::PanLeft]);
    assert!(!measured(&screen));
    assert!(
        screen
            .text()
            .contains("Replays under other assumptions are dropped")
    );
    // And the other way round: what was measured under assumptions goes with them.
    let screen = replayed(screen.press(&[Action::Close]));
    assert!(measured(&screen));
    let screen = screen.press(&[Action::Assume, Action::Reset]);
    assert!(!measured(&screen));
}

#[test]
fn a_replay_that_runs_is_stopped_where_the_assumptions_change() {
    let mut screen = viewer(runs::invoices()).press(&[Action::NextPolicy, Action::Assume]);
    let question = update(&mut screen.model, Msg::Do(Action::PanLeft)).remove(0);
    let _ = update(&mut screen.model, Msg::Do(Action::Close));
    let replay = update(&mut screen.model, Msg::Do(Action::Replay));
    assert!(matches!(replay[..], [Cmd::Replay(_)]), "{replay:?}");
    let answer = answer(question, screen.model.run()).unwrap();
    assert_eq!(update(&mut screen.model, answer), [Cmd::StopReplay]);
    assert_eq!(screen.model.overlay(), None);
}

#[test]
fn a_file_that_is_followed_under_assumptions_stays_under_them() {
    let mut screen = assume(viewer(runs::invoices()), "lookup", "opaque");
    screen = screen.press(&[Action::Close]);
    let follow = update(&mut screen.model, Msg::Do(Action::Follow));
    let [Cmd::Follow(id)] = follow[..] else {
        panic!("{follow:?}")
    };
    let mut longer = Recording::new("all-at-once", "glm-5.3");
    longer.run = runs::invoices();
    longer.turn(1_000, &[call("lookup", 0, 10_000)]);
    let run = Arc::new(longer.run);
    let facts = Box::new(Facts::of(&run, &WhatIfOptions::default()));
    let news = FollowNews::Grown {
        run,
        facts,
        now: None,
    };
    let commands = update(&mut screen.model, Msg::Follow(id, news));
    assert!(matches!(commands[..], [Cmd::Assume(_)]), "{commands:?}");
    screen.carry_out(commands);
    let run = screen.model.run();
    assert_eq!(run.turns.len(), 3);
    let lookups = run.calls.iter().filter(|call| run.tool(call) == "lookup");
    assert!(lookups.clone().count() > 5 && lookups.clone().all(|call| call.opaque));
}

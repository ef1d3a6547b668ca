//! What a key does to the viewer, without a terminal.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::Arc;

use support::runs::{self, Recording, call};
use support::screen::{Screen, loaded};
use turnlane::analyze::WhatIfOptions;
use turnlane::schedule::Policy;
use turnlane::trace::Run;
use turnlane::tui::keymap::Action;
use turnlane::tui::{Body, Cmd, Drawn, Facts, Model, Msg, Overlay, Panel, Skin, update};

const SIZE: (u16, u16) = (120, 40);

fn triage() -> Screen {
    Screen::new(runs::triage(), SIZE)
}

#[test]
fn it_opens_on_a_turn_with_a_race_and_says_how_rare_such_turns_are() {
    let screen = triage();
    assert_eq!(screen.model.turn_number(), Some(12));
    let header = &screen.lines()[0];
    assert!(header.contains("31 turns"), "{header}");
    assert!(header.contains("4 replies with several"), "{header}");
}

#[test]
fn the_selection_moves_and_stops_at_the_ends() {
    let screen = triage().press(&[Action::Down]);
    assert_eq!(screen.model.turn_number(), Some(13));
    let screen = screen.press(&[Action::Last, Action::Down]);
    assert_eq!(screen.model.turn_number(), Some(31));
    let screen = screen.press(&[Action::First, Action::Up]);
    assert_eq!(screen.model.turn_number(), Some(1));
    let screen = screen.press(&[Action::PageDown]);
    assert!(screen.model.turn_number() > Some(10));
}

#[test]
fn the_selected_turn_is_always_on_the_screen() {
    for size in [(40, 10), (80, 24), (120, 40)] {
        let mut screen = Screen::new(runs::triage(), size).press(&[Action::First]);
        for expected in 1..=31 {
            assert_eq!(screen.model.turn_number(), Some(expected));
            let row = screen
                .lines()
                .into_iter()
                .find(|line| line.contains(&format!("▶{expected:>3}")));
            assert!(
                row.is_some(),
                "turn {expected} at {size:?}: {:#?}",
                screen.lines()
            );
            screen = screen.press(&[Action::Down]);
        }
    }
}

#[test]
fn n_goes_from_one_reply_with_several_calls_to_the_next() {
    let mut screen = triage().press(&[Action::First]);
    for expected in [7, 12, 21, 28, 28] {
        screen = screen.press(&[Action::NextSeveral]);
        assert_eq!(screen.model.turn_number(), Some(expected));
    }
    let screen = screen.press(&[Action::PreviousSeveral]);
    assert_eq!(screen.model.turn_number(), Some(21));
}

#[test]
fn tab_goes_around_the_panels_that_are_shown() {
    let screen = triage().press(&[Action::NextPanel]);
    assert_eq!(screen.model.focus(), Panel::Timeline);
    let screen = screen.press(&[Action::NextPanel]);
    assert_eq!(screen.model.focus(), Panel::WhatIf);
    let screen = screen.press(&[Action::WhatIf]);
    assert_eq!(screen.model.focus(), Panel::Timeline);
    let screen = screen.press(&[Action::NextPanel]);
    assert_eq!(screen.model.focus(), Panel::Turns);
    let screen = screen.press(&[Action::PreviousPanel]);
    assert_eq!(screen.model.focus(), Panel::Timeline);
    assert!(!screen.text().contains("What-if"));
}

#[test]
fn another_turn_starts_at_its_first_call() {
    let screen = triage().press(&[Action::NextPanel, Action::Down, Action::Down]);
    assert_eq!(screen.model.selected_call(), 2);
    let screen = screen.press(&[Action::NextSeveral]);
    assert_eq!(screen.model.selected_call(), 0);
}

#[test]
fn p_draws_every_policy_once_and_then_the_recording_again() {
    let mut screen = triage();
    for policy in Policy::SHOWN {
        screen = screen.press(&[Action::NextPolicy]);
        assert_eq!(screen.model.drawn(), Drawn::Predicted(policy));
        let text = screen.text();
        assert!(text.contains(&format!("predicted: {policy}")), "{text}");
        assert!(!text.contains("recorded: staged"), "{text}");
    }
    let screen = screen.press(&[Action::NextPolicy]);
    assert_eq!(screen.model.drawn(), Drawn::Recorded);
    assert!(screen.text().contains("recorded: staged"));
    let screen = screen.press(&[Action::PreviousPolicy, Action::Close]);
    assert_eq!(screen.model.drawn(), Drawn::Recorded);
}

#[test]
fn the_what_if_selects_the_schedule_that_is_drawn() {
    let screen = triage().press(&[Action::NextPanel, Action::NextPanel, Action::Last]);
    assert_eq!(screen.model.drawn(), Drawn::Predicted(Policy::Graph));
    let screen = screen.press(&[Action::Down, Action::First]);
    assert_eq!(screen.model.drawn(), Drawn::Recorded);
}

#[test]
fn enter_asks_for_the_bodies_of_the_selected_call() {
    let mut screen = triage().press(&[Action::NextPanel, Action::Down]);
    let commands = update(&mut screen.model, Msg::Do(Action::Open));
    let [Cmd::Load { call, args, answer }] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    assert_eq!((args.len, answer.len), (38, 120));
    assert!(screen.text().contains("reading it"));
    update(&mut screen.model, loaded(*call));
    let text = screen.text();
    assert!(text.contains("running 3 tests"), "{text}");
    assert!(text.contains("\"path\": \"src/a.rs\""), "{text}");
}

#[test]
fn bodies_of_a_call_that_is_no_longer_open_are_dropped() {
    let mut screen = triage().press(&[Action::NextPanel]);
    let commands = update(&mut screen.model, Msg::Do(Action::Open));
    let [Cmd::Load { call, .. }] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    let first = *call;
    for action in [Action::Close, Action::Down, Action::Open] {
        update(&mut screen.model, Msg::Do(action));
    }
    update(&mut screen.model, loaded(first));
    assert!(!screen.text().contains("running 3 tests"));
}

#[test]
fn a_body_that_cannot_be_read_says_why() {
    let mut screen = triage();
    let commands = update(&mut screen.model, Msg::Do(Action::Open));
    let [Cmd::Load { call, .. }] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    let gone = || Err("runs/triage.jsonl: no such file".to_owned());
    let msg = Msg::Loaded {
        call: *call,
        args: gone(),
        answer: gone(),
    };
    update(&mut screen.model, msg);
    assert!(screen.text().contains("no such file"));
}

#[test]
fn the_beginning_of_a_huge_answer_says_that_it_is_one() {
    let mut screen = triage();
    let commands = update(&mut screen.model, Msg::Do(Action::Open));
    let [Cmd::Load { call, .. }] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    let answer = Body {
        text: "A".repeat(Body::PREVIEW),
        bytes: 20_000_000,
    };
    let msg = Msg::Loaded {
        call: *call,
        args: Ok(Body::default()),
        answer: Ok(answer),
    };
    update(&mut screen.model, msg);
    let text = screen.text();
    assert!(text.contains("the first 65536 shown"), "{text}");
    let screen = screen.press(&[Action::Last]);
    assert!(screen.text().contains("AAAA"));
}

#[test]
fn the_detail_names_the_chain_of_calls_that_held_it_back() {
    let screen = triage().press(&[Action::NextPanel, Action::Last, Action::Open]);
    let text = screen.text();
    for sentence in [
        "4 code_read started at 1.24 s: waited 1.24 s behind call 3 (run_tests), a barrier",
        "3 run_tests started at 417 ms: waited 417 ms behind call 2 (code_patch), a barrier",
        "2 code_patch started at 5.00 ms: waited 5.00 ms behind call 1 (code_read), which goes first",
        "1 code_read started at 0: waited for nothing",
    ] {
        assert!(text.contains(sentence), "{sentence}\n{text}");
    }
}

#[test]
fn causes_that_go_in_a_circle_end() {
    let mut recording = Recording::new("keyed", "m");
    recording.turn(
        100,
        &[
            call("a", 5, 10).because("after", 1),
            call("b", 5, 10).because("after", 0),
        ],
    );
    let screen = Screen::new(recording.run, SIZE).press(&[Action::Open]);
    assert!(
        screen
            .text()
            .contains("0 a started at 5.00 µs: waited 5.00 µs behind call 1 (b)")
    );
}

#[test]
fn escape_closes_the_top_thing_only() {
    let screen = triage().press(&[Action::NextPolicy, Action::Help]);
    assert!(matches!(screen.model.overlay(), Some(Overlay::Help { .. })));
    let screen = screen.press(&[Action::Close]);
    assert!(screen.model.overlay().is_none());
    assert_eq!(screen.model.drawn(), Drawn::Predicted(Policy::Sequential));
    let screen = screen.press(&[Action::Close]);
    assert_eq!(screen.model.drawn(), Drawn::Recorded);
}

#[test]
fn moving_in_an_overlay_moves_nothing_below_it() {
    let screen =
        Screen::new(runs::triage(), (80, 24)).press(&[Action::Help, Action::Down, Action::Last]);
    assert_eq!(screen.model.turn_number(), Some(12));
    let text = screen.text();
    assert!(text.contains("Ctrl-L") && !text.contains(" Move"), "{text}");
}

#[test]
fn zooming_out_all_the_way_shows_the_whole_turn_again() {
    let screen = triage().press(&[Action::ZoomIn, Action::ZoomIn, Action::PanRight]);
    assert!(screen.model.is_zoomed());
    let screen = screen.press(&[Action::ZoomOut, Action::ZoomOut]);
    assert!(!screen.model.is_zoomed());
    let screen = screen.press(&[Action::ZoomIn, Action::Fit]);
    assert!(!screen.model.is_zoomed());
}

#[test]
fn threads_are_shown_one_at_a_time_with_their_own_counts() {
    let mut recording = Recording::new("staged", "m");
    recording.turn(100, &[call("a", 0, 10)]);
    recording.thread("agent-7");
    recording.turn(100, &[call("b", 0, 10), call("c", 0, 10)]);
    recording.turn(100, &[call("d", 0, 10)]);
    let screen = Screen::new(recording.run, SIZE);
    assert!(
        screen.lines()[0].contains("thread 2 of 2: agent-7"),
        "{}",
        screen.lines()[0]
    );
    let screen = screen.press(&[Action::NextThread]);
    let header = &screen.lines()[0];
    assert!(header.contains("thread 1 of 2: main"), "{header}");
    assert!(header.contains("0 replies with several"), "{header}");
}

#[test]
fn a_file_without_turns_and_a_reply_without_calls_open_too() {
    for run in [Run::default(), Recording::new("", "").run] {
        let screen = Screen::new(run, SIZE).press(&[
            Action::Down,
            Action::Open,
            Action::NextPolicy,
            Action::ZoomIn,
            Action::NextSeveral,
            Action::NextThread,
        ]);
        assert!(screen.text().contains("No turns"));
    }
    let mut recording = Recording::new("staged", "m");
    recording.turn(100, &[]);
    let screen = Screen::new(recording.run, SIZE).press(&[Action::Open]);
    assert!(screen.text().contains("asks for no calls"));
}

#[test]
fn what_a_reader_left_out_stands_in_the_header() {
    let mut run = runs::triage();
    run.skipped.bad_lines = 3;
    run.skipped.orphans = 1;
    let header = Screen::new(run, (160, 40)).lines().remove(0);
    assert!(
        header.contains("left out: 3 unreadable, 1 without a call"),
        "{header}"
    );
}

#[test]
fn a_long_run_opens_before_it_is_judged_and_keeps_what_the_user_chose() {
    let run = Arc::new(runs::triage());
    let options = WhatIfOptions::default();
    let open = || {
        let facts = Facts::at_first_sight(&run);
        let run = Arc::clone(&run);
        let mut model = Model::with_facts(run, "t.jsonl", options.clone(), Skin::colour(), facts);
        update(&mut model, Msg::Resize(120, 40));
        model
    };
    let judged = || {
        let facts = Facts {
            opens_on: Some(27),
            ..Facts::of(&run, &options)
        };
        Msg::Judged(Arc::clone(&run), Box::new(facts))
    };
    let mut waiting = Screen { model: open() };
    assert!(waiting.text().contains("Judging every turn"));
    update(&mut waiting.model, judged());
    assert_eq!(waiting.model.turn_number(), Some(28));
    assert!(waiting.text().contains("nothing to gain"));
    let mut moved = Screen { model: open() }.press(&[Action::First]);
    update(&mut moved.model, judged());
    assert_eq!(moved.model.turn_number(), Some(1));
}

#[test]
fn a_notice_stays_until_the_next_key() {
    let mut screen = triage();
    update(
        &mut screen.model,
        Msg::Notice("the file has grown".to_owned()),
    );
    assert!(screen.text().contains("the file has grown"));
    let screen = screen.press(&[Action::Down]);
    assert!(!screen.text().contains("the file has grown"));
}

#[test]
fn an_unknown_duration_is_never_shown_as_nothing() {
    let text = Screen::new(runs::states(), SIZE).text();
    let lane = text
        .lines()
        .find(|line| line.contains("4 lookup"))
        .unwrap()
        .to_owned();
    assert!(lane.contains("unknown") && lane.contains('?'), "{lane}");
    assert!(!lane.contains("0 ms"), "{lane}");
    let bound = text.lines().find(|line| line.contains("3 lookup")).unwrap();
    assert!(bound.contains("≤ 650 ms"), "{bound}");
    let open = text
        .lines()
        .find(|line| line.contains("7 watch_build"))
        .unwrap();
    assert!(open.contains("no end") && open.contains('▶'), "{open}");
}

#[test]
fn quitting_and_stopping_are_asked_for_from_everywhere() {
    let mut screen = triage().press(&[Action::Help]);
    assert_eq!(
        update(&mut screen.model, Msg::Do(Action::Quit)),
        [Cmd::Quit]
    );
    assert_eq!(
        update(&mut screen.model, Msg::Do(Action::Suspend)),
        [Cmd::Suspend]
    );
}

#[test]
fn the_readme_names_every_key_as_the_program_does() {
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let keys = turnlane::tui::keymap::markdown();
    assert!(
        readme.contains(&keys),
        "the README's table of keys is not this one:\n{keys}"
    );
}

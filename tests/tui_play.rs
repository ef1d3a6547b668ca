//! Playing a turn, racing two policies, replaying with stand-ins.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use support::runs::{self, Recording, call};
use support::screen::{Screen, frame};
use turnlane::model::{Cause, Outcome, Timing};
use turnlane::schedule::Policy;
use turnlane::time::Nanos;
use turnlane::trace::Run;
use turnlane::tui::keymap::Action;
use turnlane::tui::{
    Ahead, Cmd, Drawn, Msg, Overlay, Race, ReplayNews, ReplayRequest, Skin, ahead, update,
};

const SIZE: (u16, u16) = (120, 40);
const SIZES: [(u16, u16); 4] = [(40, 10), (80, 24), (120, 40), (200, 60)];

fn ms(n: u64) -> Nanos {
    Nanos::from_millis(n)
}

fn triage() -> Screen {
    Screen::new(runs::triage(), SIZE)
}

fn tick(screen: &mut Screen, passed: u64) {
    assert!(update(&mut screen.model, Msg::Tick(ms(passed))).is_empty());
}

fn lane(screen: &Screen, of: &str) -> String {
    let lines = screen.lines();
    let found = lines.iter().find(|line| line.contains(of));
    found
        .unwrap_or_else(|| panic!("no {of:?} in {lines:#?}"))
        .clone()
}

#[test]
fn nothing_that_has_not_happened_yet_is_drawn() {
    let mut screen = triage().press(&[Action::SpeedReal, Action::Play]);
    tick(&mut screen, 200);
    let read = lane(&screen, "1 code_read");
    assert!(read.contains("5.00 ms"), "{read}");
    let patch = lane(&screen, "2 code_patch");
    assert!(patch.contains("▶") && patch.contains("195 ms"), "{patch}");
    let tests = lane(&screen, "3 run_tests");
    assert!(tests.contains("waiting") && tests.contains('░'), "{tests}");
    assert!(
        !tests.contains('█') && !tests.contains("barrier"),
        "{tests}"
    );
    assert!(
        screen.text().contains("▶ x1  200 ms of 1.24 s"),
        "{}",
        screen.text()
    );
    assert!(screen.text().contains("1 running · 2 waiting · 2 done"));
}

#[test]
fn a_failure_is_not_shown_before_it_happens() {
    let mut screen = Screen::new(runs::states(), SIZE).press(&[Action::SpeedReal, Action::Play]);
    tick(&mut screen, 500);
    let charge = lane(&screen, "2 charge_card");
    assert!(
        charge.contains("100 ms") && !charge.contains('✗'),
        "{charge}"
    );
    tick(&mut screen, 300);
    assert!(lane(&screen, "2 charge_card").contains('✗'));
}

#[test]
fn ticks_are_wanted_while_it_plays_and_only_then() {
    let mut screen = triage();
    assert!(!screen.model.wants_ticks());
    screen = screen.press(&[Action::Play]);
    assert!(screen.model.wants_ticks());
    screen = screen.press(&[Action::Play]);
    assert!(!screen.model.wants_ticks());
    screen = screen.press(&[Action::SpeedHundred, Action::Play]);
    assert!(screen.model.wants_ticks());
    tick(&mut screen, 20);
    assert!(!screen.model.wants_ticks(), "it stops at the end");
    screen = screen.press(&[Action::Play]);
    assert!(
        screen.text().contains("0 ms of 1.24 s"),
        "{}",
        screen.text()
    );
    screen = screen.press(&[Action::Close]);
    assert!(!screen.model.wants_ticks());
    assert!(!screen.text().contains("of 1.24 s"));
}

#[test]
fn steps_and_arrows_move_the_clock_of_a_prediction_too() {
    let mut screen = triage().press(&[Action::NextPolicy, Action::StepOn]);
    assert!(
        screen.text().contains("predicted: sequential  ❚❚"),
        "{}",
        screen.text()
    );
    assert!(
        screen.text().contains("4.10 ms of 1.25 s"),
        "{}",
        screen.text()
    );
    screen = screen.press(&[Action::StepOn]);
    assert!(screen.text().contains("9.10 ms of 1.25 s"));
    screen = screen.press(&[Action::StepBack, Action::StepBack]);
    assert!(screen.text().contains("  0 ms of 1.25 s"));
    screen = screen.press(&[Action::PanRight]);
    assert!(
        screen.text().contains("31.2 ms of 1.25 s"),
        "{}",
        screen.text()
    );
    assert_eq!(screen.model.drawn(), Drawn::Predicted(Policy::Sequential));
    screen = screen.press(&[Action::Close]);
    assert_eq!(screen.model.drawn(), Drawn::Predicted(Policy::Sequential));
}

#[test]
fn playing_from_the_whole_run_shows_the_turn_and_the_run_keeps_its_arrows() {
    let screen = triage().press(&[Action::RunView, Action::Play]);
    assert!(!screen.model.shows_run());
    assert!(
        screen.text().contains("0 ms of 1.24 s"),
        "{}",
        screen.text()
    );
    // There the arrows go through the turns of the run, whatever was played.
    let keys = [
        Action::Play,
        Action::StepOn,
        Action::RunView,
        Action::PanRight,
    ];
    let screen = screen.press(&keys);
    assert!(screen.model.shows_run());
    assert_eq!(screen.model.turn_number(), Some(13));
}

#[test]
fn another_turn_is_not_played() {
    let screen = triage().press(&[Action::Play, Action::Down]);
    assert!(!screen.model.wants_ticks());
}

#[test]
fn a_turn_without_times_says_that_there_is_nothing_to_play() {
    let mut recording = Recording::new("staged", "m");
    recording.turn(100, &[]);
    for action in [Action::Play, Action::Race, Action::StepOn] {
        let screen = Screen::new(recording.run.clone(), SIZE).press(&[action]);
        assert!(screen.text().contains("Nothing to "), "{}", screen.text());
        assert!(!screen.model.wants_ticks());
    }
    let screen = Screen::new(Run::default(), SIZE).press(&[Action::Play, Action::Race]);
    assert!(!screen.model.wants_ticks());
}

fn race(screen: &Screen) -> Race {
    match screen.model.overlay() {
        Some(Overlay::Race(race)) => *race,
        other => panic!("{other:?}"),
    }
}

fn sequential_invoices() -> Run {
    let mut recording = Recording::new("sequential", "glm-5.3");
    let mut at = 0;
    let mut calls = Vec::new();
    for (tool, ms, key, writes) in [
        ("get_invoice", 200, "invoice:8123", false),
        ("update_invoice", 100, "invoice:8123", true),
        ("charge_card", 100, "invoice:8123", true),
        ("lookup", 200, "ticket:1", false),
        ("lookup", 200, "ticket:2", false),
    ] {
        let made = call(tool, at, at + ms * 1_000);
        at += ms * 1_000;
        calls.push(if writes {
            made.writes(key)
        } else {
            made.reads(key)
        });
    }
    recording.turn(3_100, &calls);
    recording.run
}

#[test]
fn a_recording_races_the_best_safe_policy_and_a_prediction_the_sequential_order() {
    let screen = Screen::new(sequential_invoices(), SIZE).press(&[Action::Race]);
    assert_eq!(race(&screen).first, Drawn::Recorded);
    assert_eq!(race(&screen).second, Drawn::Predicted(Policy::Keyed));
    let screen = screen.press(&[Action::NextPolicy]);
    assert_eq!(race(&screen).second, Drawn::Predicted(Policy::Graph));
    let screen = screen.press(&[Action::PreviousPolicy, Action::PreviousPolicy]);
    assert_eq!(race(&screen).second, Drawn::Predicted(Policy::Staged));
    let drawn = [
        Action::Close,
        Action::NextPolicy,
        Action::NextPolicy,
        Action::Race,
    ];
    let screen = screen.press(&drawn);
    assert_eq!(race(&screen).first, Drawn::Predicted(Policy::AllAtOnce));
    assert_eq!(race(&screen).second, Drawn::Predicted(Policy::Sequential));
}

#[test]
fn the_winner_is_named_once_somebody_is_done_and_as_what_it_is() {
    let mut screen =
        Screen::new(sequential_invoices(), SIZE).press(&[Action::Race, Action::SpeedReal]);
    tick(&mut screen, 300);
    let text = screen.text();
    assert!(text.contains("Both are on their way."), "{text}");
    assert!(text.contains("recorded: sequential  1 running"), "{text}");
    tick(&mut screen, 100);
    let text = screen.text();
    assert!(
        text.contains("predicted: keyed  all answers at 400 ms"),
        "{text}"
    );
    let line = "predicted: keyed is done 400 ms before recorded: sequential (predicted).";
    assert!(text.contains(line), "{text}");
    tick(&mut screen, 400);
    assert!(!screen.model.wants_ticks());
    let text = screen.text();
    assert!(
        text.contains("recorded: sequential  all answers at 800 ms"),
        "{text}"
    );
}

#[test]
fn a_race_has_no_winner_where_a_makespan_is_unknown() {
    let screen = Screen::new(runs::states(), SIZE).press(&[Action::Race]);
    assert!(screen.text().contains("Nobody wins"), "{}", screen.text());
}

#[test]
fn who_is_ahead_follows_from_the_makespans_alone() {
    let run = sequential_invoices();
    let report =
        turnlane::tui::TurnReport::of(&run, 0, &turnlane::analyze::WhatIfOptions::default());
    let report = report.unwrap();
    let of = |drawn| report.find(drawn).unwrap();
    let (recorded, keyed) = (of(Drawn::Recorded), of(Drawn::Predicted(Policy::Keyed)));
    assert_eq!(ahead(recorded, keyed), Some(Ahead::Second(ms(400))));
    assert_eq!(ahead(keyed, recorded), Some(Ahead::First(ms(400))));
    let sequential = of(Drawn::Predicted(Policy::Sequential));
    assert_eq!(ahead(recorded, sequential), Some(Ahead::Neither));
}

/// Starts a replay and gives what the outside is asked for.
fn start(screen: &mut Screen) -> ReplayRequest {
    let commands = update(&mut screen.model, Msg::Do(Action::Replay));
    match commands.as_slice() {
        [Cmd::Replay(request)] => (**request).clone(),
        other => panic!("{other:?}\n{}", screen.text()),
    }
}

fn started(call: usize, at: u64) -> ReplayNews {
    ReplayNews::Started {
        call,
        at: ms(at),
        slot: 0,
        cause: Cause::Issued,
    }
}

fn ended(call: usize, at: u64) -> ReplayNews {
    ReplayNews::Ended {
        call,
        at: ms(at),
        outcome: Outcome::Ok,
    }
}

/// The events of the invoice turn under keyed, 8 ms late.
fn keyed() -> Vec<ReplayNews> {
    let mut news: Vec<_> = [0, 3, 4].into_iter().map(|call| started(call, 0)).collect();
    news.extend([0, 3, 4].map(|call| ended(call, 200)));
    news.extend([
        started(1, 200),
        ended(1, 304),
        started(2, 304),
        ended(2, 408),
    ]);
    news
}

fn tell(screen: &mut Screen, id: u32, news: impl IntoIterator<Item = ReplayNews>) {
    for news in news {
        update(&mut screen.model, Msg::Replay(id, news));
    }
}

fn keyed_is_drawn() -> Screen {
    Screen::new(sequential_invoices(), SIZE).press(&[Action::NextPolicy; 4])
}

#[test]
fn a_replay_grows_beside_its_prediction() {
    let mut screen = keyed_is_drawn();
    let request = start(&mut screen);
    assert_eq!(
        (request.policy, request.case.calls.len()),
        (Policy::Keyed, 5)
    );
    assert!(screen.model.wants_ticks());
    tell(&mut screen, request.id, keyed().into_iter().take(7));
    tick(&mut screen, 40);
    let text = screen.text();
    assert!(
        text.contains("measuring keyed: 3 of 5 calls, 240 ms"),
        "{text}"
    );
    assert!(
        text.contains("predicted: keyed  all answers at 400 ms"),
        "{text}"
    );
    assert!(
        text.contains("measured: keyed  1 running · 1 waiting · 3 done"),
        "{text}"
    );
    assert!(!text.contains("recorded:"), "{text}");
}

#[test]
fn what_was_measured_stands_beside_what_was_predicted_and_is_called_neither_recorded() {
    let mut screen = keyed_is_drawn();
    let request = start(&mut screen);
    tell(&mut screen, request.id, keyed());
    tell(&mut screen, request.id, [ReplayNews::Over]);
    assert!(!screen.model.wants_ticks());
    assert!(
        screen.text().contains("Measured: +2.0% off prediction."),
        "{}",
        screen.text()
    );
    let screen = screen.press(&[Action::Close]);
    assert_eq!(screen.model.drawn(), Drawn::Measured(Policy::Keyed));
    let text = screen.text();
    assert!(text.contains("─ measured: keyed ┐"), "{text}");
    let lines = screen.lines();
    let row = |name: &str| lines.iter().rposition(|line| line.contains(name)).unwrap();
    let (predicted, measured) = (row("│ keyed"), row("▶measured: keyed"));
    assert_eq!(predicted + 1, measured, "{text}");
    let line = &lines[measured];
    assert!(
        line.contains("408 ms") && line.contains("+2.0% off prediction"),
        "{line}"
    );
    assert!(
        line.contains("measured ") && !line.contains("predicted "),
        "{line}"
    );
}

#[test]
fn a_second_replay_takes_the_place_of_the_first_and_another_turn_has_none() {
    let mut run = runs::triage();
    run.meta.policy = "keyed".to_owned();
    let mut screen = Screen::new(run, SIZE);
    for end in [10, 20] {
        let request = start(&mut screen);
        let all = (0..5).flat_map(|call| [started(call, 0), ended(call, end)]);
        tell(&mut screen, request.id, all.chain([ReplayNews::Over]));
        screen = screen.press(&[Action::Close]);
    }
    let text = screen.text();
    assert_eq!(text.matches("▶measured: keyed").count(), 1, "{text}");
    assert!(text.contains("makespan 20.0 ms"), "{text}");
    screen = screen.press(&[Action::Down]);
    assert_eq!(screen.model.drawn(), Drawn::Recorded);
    assert!(!screen.text().contains("measured: keyed"));
    screen = screen.press(&[Action::Up]);
    assert!(screen.text().contains(" measured: keyed"));
}

#[test]
fn escape_cancels_a_replay_and_nothing_of_it_is_kept() {
    let mut screen = keyed_is_drawn();
    let request = start(&mut screen);
    tell(&mut screen, request.id, keyed().into_iter().take(4));
    let commands = update(&mut screen.model, Msg::Do(Action::Close));
    assert_eq!(commands, [Cmd::StopReplay]);
    assert!(!screen.model.wants_ticks() && screen.model.overlay().is_none());
    assert!(screen.text().contains("was cancelled"));
    tell(&mut screen, request.id, keyed());
    tell(&mut screen, request.id, [ReplayNews::Over]);
    assert!(!screen.text().contains("measured: keyed"));
    let again = start(&mut screen);
    assert_ne!(again.id, request.id);
}

#[test]
fn a_long_replay_is_asked_about_first() {
    let mut recording = Recording::new("keyed", "m");
    recording.turn(100, &[call("build", 0, 45_000_000).opaque()]);
    let mut screen = Screen::new(recording.run, SIZE);
    assert!(update(&mut screen.model, Msg::Do(Action::Replay)).is_empty());
    assert!(
        screen.text().contains("takes 45.0 s (predicted). R again"),
        "{}",
        screen.text()
    );
    // Any other key is a no.
    screen = screen.press(&[Action::NextPanel]);
    assert!(update(&mut screen.model, Msg::Do(Action::Replay)).is_empty());
    assert_eq!(start(&mut screen).policy, Policy::Keyed);
}

#[test]
fn what_cannot_be_replayed_says_why() {
    let mut screen = Screen::new(runs::states(), SIZE);
    assert!(update(&mut screen.model, Msg::Do(Action::Replay)).is_empty());
    let text = screen.text();
    assert!(
        text.contains("Turn 1 cannot be replayed: 2 of its 8 calls"),
        "{text}"
    );
    let mut run = sequential_invoices();
    run.meta.policy.clear();
    let mut screen = Screen::new(run, SIZE);
    assert!(update(&mut screen.model, Msg::Do(Action::Replay)).is_empty());
    assert!(
        screen.text().contains("choose one with p"),
        "{}",
        screen.text()
    );
    screen = screen.press(&[Action::NextPolicy]);
    assert_eq!(start(&mut screen).policy, Policy::Sequential);
}

#[test]
fn a_replay_that_fails_says_so_and_measures_nothing() {
    let mut screen = keyed_is_drawn();
    let request = start(&mut screen);
    tell(
        &mut screen,
        request.id,
        [ReplayNews::Failed("no threads left".to_owned())],
    );
    let text = screen.text();
    assert!(
        text.contains("Nothing was measured: no threads left"),
        "{text}"
    );
    assert!(screen.model.overlay().is_none() && !screen.model.wants_ticks());
}

#[test]
fn upper_bounds_have_no_winner() {
    let mut recording = Recording::new("sequential", "m");
    let bound = |start, end| call("a", start, end).reads("k:1").timed(Timing::Bound);
    recording.turn(100, &[bound(0, 200_000), bound(200_000, 300_000)]);
    let mut screen = Screen::new(recording.run, SIZE).press(&[Action::Race, Action::SpeedHundred]);
    tick(&mut screen, 100);
    let text = screen.text();
    assert!(text.contains("which is done first is not known"), "{text}");
    assert!(text.contains("all answers at ≤ 300 ms"), "{text}");
}

fn played(size: (u16, u16), skin: Skin) -> Screen {
    let mut screen = Screen::with_skin(runs::triage(), size, skin);
    screen = screen.press(&[Action::NextPanel, Action::SpeedReal, Action::Play]);
    tick(&mut screen, 500);
    screen
}

fn raced(size: (u16, u16), skin: Skin) -> Screen {
    let mut screen = Screen::with_skin(sequential_invoices(), size, skin);
    screen = screen.press(&[Action::Race, Action::SpeedReal]);
    tick(&mut screen, 450);
    screen
}

fn replayed(size: (u16, u16), skin: Skin) -> Screen {
    let mut screen = Screen::with_skin(sequential_invoices(), size, skin);
    screen = screen.press(&[Action::NextPolicy; 4]);
    let request = start(&mut screen);
    tell(&mut screen, request.id, keyed().into_iter().take(7));
    tick(&mut screen, 40);
    screen
}

fn measured(size: (u16, u16), skin: Skin) -> Screen {
    let mut screen = replayed(size, skin);
    tell(&mut screen, 1, keyed().into_iter().skip(7));
    tell(&mut screen, 1, [ReplayNews::Over]);
    screen.press(&[Action::Close])
}

#[test]
fn every_panel_of_playing_is_drawn_at_every_size() {
    type Make = fn((u16, u16), Skin) -> Screen;
    let all: [(&str, Make); 4] = [
        ("played", played),
        ("raced", raced),
        ("replayed", replayed),
        ("measured", measured),
    ];
    for (name, make) in all {
        for size in SIZES {
            let shown = frame(&make(size, Skin::colour()).buffer());
            insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), shown);
        }
        let shown = frame(&make((100, 30), Skin::mono().ascii()).buffer());
        assert!(shown.split("---").next().unwrap().is_ascii(), "{shown}");
        insta::assert_snapshot!(format!("{name}_ascii"), shown);
    }
}

//! Every screen draws at every size, whatever was pressed before.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::Arc;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use support::agents;
use support::listing::fill;
use support::runs::{self, Recording};
use support::screen::{Screen, answer};
use tui_input::InputRequest;
use turnlane::analyze::WhatIfOptions;
use turnlane::model::{Cause, Outcome};
use turnlane::time::Nanos;
use turnlane::trace::Run;
use turnlane::tui::keymap::{Action, KEYS, Mode};
use turnlane::tui::{Cmd, Model, Msg, ReplayNews, ReplayRequest, Skin, begin, update, view};

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }
}

fn press(model: &mut Model, dice: &mut Dice) {
    let action = KEYS[dice.roll(KEYS.len())].action;
    let mut commands = update(model, Msg::Do(action));
    while let Some(command) = commands.pop() {
        let told = dice.roll(4) > 0;
        if let Cmd::Replay(request) = &command {
            replay(model, request, dice);
        }
        if let Some(msg) = answer(command, model.run()).filter(|_| told) {
            commands.extend(update(model, msg));
        }
    }
    // Whatever line is open, something is typed into it.
    for c in ["a", "tool:x", ">", "日本", "-", " \t", "\u{202e}\x1b"][dice.roll(7)].chars() {
        if model.mode() == Mode::Text {
            update(model, Msg::Edit(InputRequest::InsertChar(c)));
        }
    }
}

/// Some of the events of a replay, or all of them.
fn replay(model: &mut Model, request: &ReplayRequest, dice: &mut Dice) {
    let calls = request.case.calls.len();
    for call in 0..dice.roll(calls + 1) {
        let at = Nanos::from_millis(call as u64);
        let started = ReplayNews::Started {
            call,
            at,
            slot: 0,
            cause: Cause::Issued,
        };
        let ended = ReplayNews::Ended {
            call,
            at: at + at,
            outcome: Outcome::Ok,
        };
        for news in [started, ended] {
            update(model, Msg::Replay(request.id, news));
        }
    }
    if dice.roll(2) > 0 {
        update(model, Msg::Replay(request.id, ReplayNews::Over));
    }
}

fn draw(model: &Model, size: (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    terminal.draw(|frame| view(model, frame)).unwrap();
    let cells = terminal.backend().buffer().content().iter();
    cells.map(|cell| cell.symbol().to_owned()).collect()
}

fn sweep(run: Run, skin: Skin, seed: u64) {
    let mut screen = Screen::with_skin(run, (80, 24), skin);
    let mut dice = Dice(seed);
    for rows in 0..=30 {
        for columns in (rows % 2..=80).step_by(2) {
            for _ in 0..dice.roll(5) {
                press(&mut screen.model, &mut dice);
            }
            // The size of the frame is the truth, also before the viewer has heard of it.
            draw(&screen.model, (columns, rows));
            update(&mut screen.model, Msg::Resize(columns, rows));
            let passed = Nanos(dice.roll(400_000_000) as u64);
            update(&mut screen.model, Msg::Tick(passed));
            press(&mut screen.model, &mut dice);
            let shown = draw(&screen.model, (columns, rows));
            if columns > 0 && rows > 0 {
                assert_ne!(shown.trim(), "", "{columns}x{rows} is empty");
            }
        }
    }
}

#[test]
fn every_screen_of_a_run_draws_at_every_size() {
    sweep(runs::triage(), Skin::colour(), 1);
}

#[test]
fn the_list_of_sessions_draws_at_every_size_over_a_run_and_over_nothing() {
    for (run, file) in [(Run::default(), ""), (runs::triage(), "t.jsonl")] {
        let options = WhatIfOptions::default();
        let model = Model::new(Arc::new(run), file, options, Skin::colour());
        let mut model = model.with_sessions();
        update(&mut model, Msg::Resize(80, 24));
        begin(&mut model);
        fill(&mut model);
        for rows in 0..=30 {
            for columns in (rows % 3..=80).step_by(3) {
                // The size of the frame is the truth, also before the viewer has heard of it.
                draw(&model, (columns, rows));
                update(&mut model, Msg::Resize(columns, rows));
                let step = if rows % 2 == 0 {
                    Action::Down
                } else {
                    Action::Up
                };
                update(&mut model, Msg::Do(step));
                let shown = draw(&model, (columns, rows));
                if columns > 0 && rows > 0 {
                    assert_ne!(shown.trim(), "", "{columns}x{rows} is empty");
                }
            }
        }
    }
}

#[test]
fn every_state_of_a_call_draws_at_every_size() {
    sweep(runs::states(), Skin::mono().ascii(), 2);
}

#[test]
fn threads_with_and_without_times_draw_at_every_size() {
    sweep_run(agents::overnight(), Skin::colour(), 6);
    sweep_run(agents::untimed(), Skin::mono().ascii(), 7);
}

/// As [`sweep`], with the whole run on the screen more often than the dice would have it.
fn sweep_run(run: Run, skin: Skin, seed: u64) {
    let mut screen = Screen::with_skin(run, (80, 24), skin);
    let mut dice = Dice(seed);
    for rows in 0..=30 {
        for columns in (rows % 3..=80).step_by(3) {
            if !screen.model.shows_run() {
                update(&mut screen.model, Msg::Do(Action::RunView));
            }
            update(&mut screen.model, Msg::Resize(columns, rows));
            draw(&screen.model, (columns, rows));
            for _ in 0..dice.roll(3) {
                press(&mut screen.model, &mut dice);
            }
            draw(&screen.model, (columns, rows));
            draw(&screen.model, (80 - columns, 30 - rows));
        }
    }
}

#[test]
fn hostile_text_draws_at_every_size() {
    sweep(runs::hostile(), Skin::mono(), 3);
}

#[test]
fn a_run_with_nothing_in_it_draws_at_every_size() {
    sweep(Run::default(), Skin::colour(), 4);
    sweep(Recording::new("staged", "m").run, Skin::colour(), 5);
}

#[test]
fn a_screen_that_is_too_small_says_so_in_one_line() {
    for size in [(20, 5), (33, 20), (80, 7)] {
        let shown = draw(&Screen::new(runs::triage(), size).model, size);
        let expected = format!("too small: {}x{}", size.0, size.1);
        assert!(shown.starts_with(&expected), "{shown}");
        assert_eq!(shown.matches("too small").count(), 1);
    }
}

#[test]
fn a_huge_screen_is_no_problem_either() {
    draw(&Screen::new(runs::triage(), (500, 200)).model, (500, 200));
    draw(&Screen::new(runs::triage(), (1_000, 8)).model, (1_000, 8));
    draw(&Screen::new(runs::triage(), (34, 1_000)).model, (34, 1_000));
}

//! Following a run that goes on.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::io;
use std::sync::Arc;
use std::sync::mpsc::channel;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use support::runs::{Recording, call};
use support::screen::{Screen, frame};
use turnlane::analyze::WhatIfOptions;
use turnlane::model::Outcome;
use turnlane::time::Nanos;
use turnlane::trace::Run;
use turnlane::tui::keymap::Action;
use turnlane::tui::{
    Cmd, Exit, Facts, FollowNews, Host, Input, Model, Msg, Replies, Stage, run_loop, update,
};

const SIZE: (u16, u16) = (120, 40);

/// A run of this many turns that are over, and then one that is not.
fn going_on(turns: usize) -> Run {
    let mut recording = Recording::new("keyed", "m");
    recording.run.meta.id = "run-1".to_owned();
    recording.run.meta.source = "turnlane".to_owned();
    for _ in 0..turns {
        recording.turn(100, &[call("code_read", 0, 20_000)]);
    }
    let mut running = call("run_tests", 10_000, 0)
        .opaque()
        .ended(Outcome::Unfinished);
    running.end = None;
    let mut held = call("code_patch", 0, 0).ended(Outcome::Unfinished);
    (held.start, held.end) = (None, None);
    recording.turn(100, &[call("code_read", 0, 10_000), running, held]);
    recording.run
}

/// The same when that turn is over too, and another one has come.
fn gone_on(turns: usize) -> Run {
    let mut recording = Recording::new("keyed", "m");
    recording.run.meta.id = "run-1".to_owned();
    recording.run.meta.source = "turnlane".to_owned();
    for _ in 0..turns {
        recording.turn(100, &[call("code_read", 0, 20_000)]);
    }
    let last = [
        call("code_read", 0, 10_000),
        call("run_tests", 10_000, 400_000).opaque(),
        call("code_patch", 400_000, 420_000),
    ];
    recording.turn(100, &last);
    recording.turn(100, &[call("code_search", 0, 10_000)]);
    recording.run
}

fn grown(run: Run, turn: usize, since_issue: Option<u64>) -> FollowNews {
    let issued = run.turns[turn].at.unwrap();
    let now = since_issue.map(|ms| issued + Nanos::from_millis(ms));
    let facts = Box::new(Facts::of(&run, &WhatIfOptions::default()));
    FollowNews::Grown {
        run: Arc::new(run),
        facts,
        now,
    }
}

fn follow(mut screen: Screen) -> (Screen, u32) {
    let commands = update(&mut screen.model, Msg::Do(Action::Follow));
    let [Cmd::Follow(id)] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    let id = *id;
    (screen, id)
}

fn tell(screen: &mut Screen, id: u32, news: FollowNews) {
    update(&mut screen.model, Msg::Follow(id, news));
}

fn live(size: (u16, u16)) -> Screen {
    let (mut screen, id) = follow(Screen::new(going_on(2), size).press(&[Action::Last]));
    tell(&mut screen, id, grown(going_on(2), 2, Some(300)));
    screen
}

#[test]
fn what_is_running_grows_and_says_for_how_long() {
    let mut screen = live(SIZE);
    assert!(screen.lines()[0].contains("following"));
    assert!(screen.model.wants_ticks());
    let lane = |screen: &Screen, what: &str| {
        let lines = screen.lines();
        lines.into_iter().find(|line| line.contains(what)).unwrap()
    };
    let tests = lane(&screen, "1 run_tests");
    assert!(tests.contains("▶") && tests.contains("290 ms"), "{tests}");
    assert!(lane(&screen, "2 code_patch").contains("waiting"));
    update(&mut screen.model, Msg::Tick(Nanos::from_millis(700)));
    assert!(lane(&screen, "1 run_tests").contains("990 ms"));
    assert!(
        screen.text().contains("going on for 1.00 s"),
        "{}",
        screen.text()
    );
}

#[test]
fn of_a_file_without_starts_nobody_says_that_a_call_waits() {
    let mut run = going_on(0);
    run.meta.source = "claude-code".to_owned();
    let (mut screen, id) = follow(Screen::new(run.clone(), SIZE));
    tell(&mut screen, id, grown(run, 0, Some(300)));
    let text = screen.text();
    let lane = text
        .lines()
        .find(|line| line.contains("2 code_patch"))
        .unwrap();
    assert!(
        lane.contains("≤ 300 ms") && !lane.contains("waiting"),
        "{lane}"
    );
}

#[test]
fn a_file_that_is_not_written_any_more_has_nothing_running() {
    let (mut screen, id) = follow(Screen::new(going_on(0), SIZE));
    tell(&mut screen, id, grown(going_on(0), 0, None));
    assert!(!screen.model.wants_ticks());
    assert!(screen.text().contains("no end"), "{}", screen.text());
}

#[test]
fn who_looks_at_the_newest_turn_goes_on_to_the_next_one() {
    let (mut screen, id) = follow(Screen::new(going_on(2), SIZE).press(&[Action::Last]));
    tell(&mut screen, id, grown(gone_on(2), 2, Some(500)));
    assert_eq!(screen.model.turn_number(), Some(4));
    assert!(!screen.model.wants_ticks(), "nothing is running");
}

#[test]
fn who_looks_at_another_turn_stays_there() {
    let (mut screen, id) = follow(Screen::new(going_on(2), SIZE).press(&[Action::First]));
    tell(&mut screen, id, grown(gone_on(2), 2, Some(500)));
    assert_eq!(screen.model.turn_number(), Some(1));
    assert!(
        screen.lines()[0].contains("4 turns"),
        "{}",
        screen.lines()[0]
    );
}

#[test]
fn what_is_open_stays_open_when_the_file_grows() {
    let (screen, id) = follow(Screen::new(going_on(2), SIZE).press(&[Action::Last]));
    let mut screen = screen.press(&[Action::Open]);
    let before = screen.model.turn_number();
    tell(&mut screen, id, grown(gone_on(2), 2, Some(500)));
    assert_eq!(screen.model.turn_number(), before);
    assert!(screen.model.overlay().is_some());
}

#[test]
fn news_of_a_file_that_is_followed_no_longer_are_none() {
    let (mut screen, id) = follow(Screen::new(going_on(2), SIZE));
    let commands = update(&mut screen.model, Msg::Do(Action::Follow));
    assert_eq!(commands, [Cmd::Unfollow]);
    tell(&mut screen, id, grown(gone_on(2), 2, Some(500)));
    assert!(screen.lines()[0].contains("3 turns"));
    let (mut screen, again) = follow(screen);
    tell(&mut screen, id, grown(gone_on(2), 2, Some(500)));
    assert!(screen.lines()[0].contains("3 turns"));
    tell(&mut screen, again, grown(gone_on(2), 2, Some(500)));
    assert!(screen.lines()[0].contains("4 turns"));
}

#[test]
fn a_file_that_cannot_be_followed_says_why() {
    let (mut screen, id) = follow(Screen::new(going_on(2), SIZE));
    tell(
        &mut screen,
        id,
        FollowNews::Ended("It is a pipe.".to_owned()),
    );
    assert!(screen.text().contains("It is a pipe."));
    assert!(!screen.model.is_following());
}

#[test]
fn a_run_of_this_program_is_asked_about_before_quitting_cancels_it() {
    let mut screen = Screen::new(going_on(2), SIZE);
    screen.model.follow_from_start(true);
    assert_eq!(
        screen.model.turn_number(),
        Some(3),
        "it begins at the newest turn"
    );
    let quit = |screen: &mut Screen| update(&mut screen.model, Msg::Do(Action::Quit));
    assert!(quit(&mut screen).is_empty());
    assert!(screen.text().contains("still going on"));
    screen = screen.press(&[Action::Up]);
    assert!(quit(&mut screen).is_empty(), "another key is a no");
    assert_eq!(quit(&mut screen), [Cmd::Quit]);
    let mut over = gone_on(2);
    over.ended = Some(Nanos::from_millis(9_000));
    let mut screen = Screen::new(over, SIZE);
    screen.model.follow_from_start(true);
    assert_eq!(quit(&mut screen), [Cmd::Quit]);
}

/// Counts the frames.
#[derive(Default)]
struct Frames(usize);

impl Stage for Frames {
    fn size(&self) -> io::Result<(u16, u16)> {
        Ok((100, 30))
    }

    fn draw(&mut self, _: &Model) -> io::Result<()> {
        self.0 += 1;
        Ok(())
    }

    fn forget(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file that never grows, while somebody waits for half a second and quits.
struct Still;

impl Host for Still {
    fn handle(&mut self, command: Cmd, _: &Arc<Run>, replies: &Replies) {
        let Cmd::Follow(id) = command else { return };
        let replies = replies.clone();
        std::thread::spawn(move || {
            replies.send(Msg::Follow(id, grown(gone_on(2), 2, Some(500))));
            std::thread::sleep(std::time::Duration::from_millis(500));
            replies.send(Msg::Do(Action::Quit));
        });
    }
}

#[test]
fn while_nothing_comes_and_nothing_runs_nothing_is_drawn() {
    let (sender, inputs) = channel();
    let follow = KeyEvent::new(KeyCode::Char('f'), KeyModifiers::NONE);
    sender
        .send(Input::Terminal(Ok(Event::Key(follow))))
        .unwrap();
    let mut model = Screen::new(gone_on(2), SIZE).model;
    let mut frames = Frames::default();
    let replies = Replies::new(sender);
    let exit = run_loop(&mut frames, &mut model, &inputs, &mut Still, &replies).unwrap();
    assert_eq!(exit, Exit::Quit);
    // The first one, the key, the news: some of them may have come together.
    assert!((2..=3).contains(&frames.0), "{} frames", frames.0);
}

#[test]
fn a_run_that_goes_on_is_drawn_at_every_size() {
    for (columns, rows) in [(40, 10), (80, 24), (120, 40), (200, 60)] {
        let screen = live((columns, rows)).press(&[Action::NextPanel]);
        let shown = frame(&screen.buffer());
        insta::assert_snapshot!(format!("live_{columns}x{rows}"), shown);
    }
}

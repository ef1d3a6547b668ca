//! The loop draws when something changed, and only then.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use support::runs;
use support::screen::{Screen, loaded};
use turnlane::trace::Run;
use turnlane::tui::{Cmd, Exit, Host, Input, Model, Msg, Replies, Stage, run_loop};

/// Counts what is asked of it.
#[derive(Default)]
struct Counter {
    drawn: usize,
    forgotten: usize,
    suspended: usize,
    turn: Option<u32>,
    fails: bool,
}

impl Stage for Counter {
    fn size(&self) -> io::Result<(u16, u16)> {
        Ok((100, 30))
    }

    fn draw(&mut self, model: &Model) -> io::Result<()> {
        self.drawn += 1;
        self.turn = model.turn_number();
        if self.fails {
            Err(io::Error::other("gone"))
        } else {
            Ok(())
        }
    }

    fn forget(&mut self) -> io::Result<()> {
        self.forgotten += 1;
        Ok(())
    }

    fn suspend(&mut self) -> io::Result<()> {
        self.suspended += 1;
        Ok(())
    }
}

/// Answers loads, after which the program is over.
struct Answers(Sender<Input>);

impl Host for Answers {
    fn handle(&mut self, command: Cmd, _: &Arc<Run>, replies: &Replies) {
        if let Cmd::Load { call, .. } = command {
            replies.send(loaded(call));
            replies.send(Msg::Notice("loaded".to_owned()));
        }
        self.0.send(Input::End(15)).unwrap();
    }
}

fn key(code: KeyCode) -> Input {
    Input::Terminal(Ok(Event::Key(KeyEvent::new(code, KeyModifiers::NONE))))
}

fn chars(text: &str) -> Vec<Input> {
    text.chars().map(|c| key(KeyCode::Char(c))).collect()
}

fn run(stage: &mut Counter, inputs: Vec<Input>) -> io::Result<Exit> {
    let (sender, receiver): (Sender<Input>, Receiver<Input>) = channel();
    for input in inputs {
        sender.send(input).unwrap();
    }
    let mut model = Screen::new(runs::triage(), (80, 24)).model;
    let replies = Replies::new(sender.clone());
    let mut host = Answers(sender);
    run_loop(stage, &mut model, &receiver, &mut host, &replies)
}

#[test]
fn a_hundred_keys_at_once_are_one_frame() {
    let mut stage = Counter::default();
    let mut inputs = chars(&"k".repeat(100));
    inputs.push(Input::Terminal(Ok(Event::Resize(90, 20))));
    // The answer to Enter comes back through the same channel, after all of them.
    inputs.push(key(KeyCode::Enter));
    assert_eq!(run(&mut stage, inputs).unwrap(), Exit::Signal(15));
    assert_eq!(
        stage.turn,
        Some(12),
        "only the first frame was drawn before the end"
    );
    assert_eq!(stage.drawn, 1);
}

#[test]
fn an_event_that_means_nothing_draws_nothing() {
    let mut stage = Counter::default();
    let release = KeyEvent::new_with_kind(
        KeyCode::Char('j'),
        KeyModifiers::NONE,
        KeyEventKind::Release,
    );
    let nothing = vec![
        Input::Terminal(Ok(Event::FocusGained)),
        Input::Terminal(Ok(Event::Paste("qqq".to_owned()))),
        Input::Terminal(Ok(Event::Key(release))),
        key(KeyCode::Char('#')),
    ];
    let inputs = nothing.into_iter().chain(chars("q")).collect();
    assert_eq!(run(&mut stage, inputs).unwrap(), Exit::Quit);
    assert_eq!((stage.drawn, stage.turn), (1, Some(12)));
}

#[test]
fn stopping_draws_everything_anew_once_continued() {
    let mut stage = Counter::default();
    let ctrl = |c| {
        Input::Terminal(Ok(Event::Key(KeyEvent::new(
            KeyCode::Char(c),
            KeyModifiers::CONTROL,
        ))))
    };
    let inputs = vec![
        ctrl('z'),
        Input::Stop,
        Input::Continued,
        ctrl('l'),
        ctrl('c'),
    ];
    assert_eq!(run(&mut stage, inputs).unwrap(), Exit::Quit);
    assert_eq!((stage.suspended, stage.forgotten), (2, 2));
}

#[test]
fn an_error_of_the_terminal_ends_the_loop() {
    let mut stage = Counter::default();
    let gone = Input::Terminal(Err(io::Error::other("input is gone")));
    assert_eq!(
        run(&mut stage, vec![gone]).unwrap_err().to_string(),
        "input is gone"
    );
    let mut stage = Counter {
        fails: true,
        ..Counter::default()
    };
    assert_eq!(run(&mut stage, Vec::new()).unwrap_err().to_string(), "gone");
}

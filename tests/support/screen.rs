//! A viewer on a screen that never was.

use std::fmt::Write as _;
use std::sync::Arc;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Style};
use tui_input::InputRequest;
use turnlane::analyze::query::{CallFacts, Part, Query};
use turnlane::analyze::{Place, Survey, WhatIfOptions, turns_in_order};
use turnlane::model::Source;
use turnlane::schedule::Policy;
use turnlane::trace::{Run, arg_names, redeclare};
use turnlane::tui::keymap::Action;
use turnlane::tui::{
    Assume, Assumed, Body, Cmd, Facts, Found, Model, Msg, NotSaved, Skin, update, view,
};

const VERDICT: &str = "Overlap saves 144 ms of 128 s (0.1%): nothing to gain. 97% of tool time \
    is run_tests and code_patch, both barriers.";

/// A viewer and what it draws.
pub struct Screen {
    pub model: Model,
}

impl Screen {
    pub fn new(run: Run, size: (u16, u16)) -> Self {
        Self::with_skin(run, size, Skin::colour())
    }

    pub fn with_skin(run: Run, size: (u16, u16), skin: Skin) -> Self {
        let options = WhatIfOptions::default();
        let mut facts = Facts::of(&run, &options);
        // The sentences of a verdict are tested where they are made.
        for verdict in &mut facts.verdict {
            VERDICT.clone_into(verdict);
        }
        let (run, file) = (Arc::new(run), "runs/triage.jsonl");
        let mut model = Model::with_facts(run, file, options, skin, facts);
        update(&mut model, Msg::Resize(size.0, size.1));
        Self { model }
    }

    /// Carries out actions, and answers what they ask for with bodies made up here.
    pub fn press(mut self, actions: &[Action]) -> Self {
        for &action in actions {
            let commands = update(&mut self.model, Msg::Do(action));
            self.carry_out(commands);
        }
        self
    }

    /// Answers what the viewer asks for, and what it asks for then, until it asks no more.
    pub fn carry_out(&mut self, commands: Vec<Cmd>) {
        for command in commands {
            if let Some(msg) = answer(command, self.model.run()) {
                let more = update(&mut self.model, msg);
                self.carry_out(more);
            }
        }
    }

    /// Types into the line that is open.
    pub fn write(mut self, text: &str) -> Self {
        for c in text.chars() {
            update(&mut self.model, Msg::Edit(InputRequest::InsertChar(c)));
        }
        self
    }

    /// Sends a message, and answers what it asks for.
    pub fn send(&mut self, msg: Msg) {
        let commands = update(&mut self.model, msg);
        self.carry_out(commands);
    }

    /// Types a line and takes it.
    pub fn type_in(self, line: &str) -> Self {
        self.write(line).press(&[Action::Accept])
    }

    pub fn buffer(&self) -> Buffer {
        let (columns, rows) = self.model.size();
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal.draw(|frame| view(&self.model, frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    /// The lines of the screen.
    pub fn lines(&self) -> Vec<String> {
        let buffer = self.buffer();
        (0..buffer.area.height).map(|y| line(&buffer, y)).collect()
    }

    pub fn text(&self) -> String {
        self.lines().join("\n")
    }
}

/// What the outside says to a command, if anything; nothing is written.
pub fn answer(command: Cmd, run: &Run) -> Option<Msg> {
    match command {
        Cmd::Load { call, .. } => Some(loaded(call)),
        Cmd::Assume(question) => Some(assumed(&question)),
        Cmd::NameArgs(calls) => Some(Msg::ArgNames(arg_names(run, &calls))),
        Cmd::SaveCatalog { path, .. } => Some(Msg::Saved(path, Err(NotSaved::Exists))),
        Cmd::Survey {
            id,
            policy,
            options,
        } => {
            let survey = Box::new(Survey::of(run, policy, &options));
            Some(Msg::Surveyed { id, survey })
        }
        Cmd::Search {
            id, query, policy, ..
        } => Some(Msg::Found(Found {
            id,
            places: matches(run, &query, policy),
            looked: run.calls.len(),
            of: run.calls.len(),
            unread: 0,
            done: true,
        })),
        _ => None,
    }
}

/// What follows from assumptions.
pub fn assumed(question: &Assume) -> Msg {
    let (run, unread) = match &question.catalog {
        Some(catalog) => {
            let new = redeclare(&question.run, catalog, Some(Source::Assumption));
            (Arc::new(new.run), new.unread)
        }
        None => (Arc::clone(&question.run), 0),
    };
    let facts = Facts::of(&run, &question.options);
    let answer = Assumed { run, facts, unread };
    Msg::Assumed {
        id: question.id,
        answer: Ok(Box::new(answer)),
    }
}

/// The calls that match, all with the bodies of [`loaded`].
fn matches(run: &Run, query: &Query, policy: Option<Policy>) -> Vec<Place> {
    let survey = Survey::of(run, policy, &WhatIfOptions::default());
    let mut found = Vec::new();
    for (first, turn) in turns_in_order(run) {
        for (at, call) in (0..).zip(run.calls_of(turn)) {
            let place = Place { call: at, ..first };
            let racing = survey.hazards.iter();
            let facts = CallFacts {
                run,
                turn,
                call,
                in_hazard: racing.map(|h| h.place).any(|p| p == place),
            };
            let inside = |part, text: &str| match part {
                Part::Args => ARGS.contains(text),
                Part::Answer => ANSWER.to_lowercase().contains(text),
            };
            if query.fits_inside(&facts, inside) {
                found.push(place);
            }
        }
    }
    found
}

pub const ARGS: &str = r#"{"path":"src/a.rs","lines":[1,20]}"#;
pub const ANSWER: &str = "running 3 tests\n\ttest a ... ok\n\x1b[31mtest b ... FAILED\x1b[0m\n";

/// Bodies with JSON, tabs and an escape sequence in them.
pub fn loaded(call: usize) -> Msg {
    let body = |text: &str| Body {
        text: text.to_owned(),
        bytes: text.len() as u64,
    };
    Msg::Loaded {
        call,
        args: Ok(body(ARGS)),
        answer: Ok(body(ANSWER)),
    }
}

fn line(buffer: &Buffer, y: u16) -> String {
    let mut line = String::new();
    let mut skip = 0usize;
    for x in 0..buffer.area.width {
        let symbol = buffer[(x, y)].symbol();
        if skip == 0 {
            line.push_str(symbol);
            skip = turnlane::text::width(symbol).saturating_sub(1);
        } else {
            skip -= 1;
        }
    }
    line.trim_end().to_owned()
}

/// The symbols, then for every row the cells that have a style.
pub fn frame(buffer: &Buffer) -> String {
    let area = buffer.area;
    let mut out = String::new();
    for y in 0..area.height {
        let _ = writeln!(out, "{}", line(buffer, y));
    }
    out.push_str("---\n");
    let plain = Buffer::empty(area)[(0, 0)].style();
    for y in 0..area.height {
        let mut runs: Vec<(u16, u16, Style)> = Vec::new();
        for x in 0..area.width {
            let style = buffer[(x, y)].style();
            match runs.last_mut() {
                Some((_, end, last)) if *last == style => *end = x,
                _ => runs.push((x, x, style)),
            }
        }
        let styled: Vec<String> = runs
            .iter()
            .filter(|(.., style)| *style != plain)
            .map(|(from, to, style)| format!("{from}-{to} {}", words(*style)))
            .collect();
        if !styled.is_empty() {
            let _ = writeln!(out, "{y}: {}", styled.join(", "));
        }
    }
    out
}

fn words(style: Style) -> String {
    let colour = |c: Option<Color>| c.filter(|c| *c != Color::Reset);
    let mut words = Vec::new();
    words.extend(colour(style.fg).map(|c| format!("{c:?}")));
    words.extend(colour(style.bg).map(|c| format!("on {c:?}")));
    if !style.add_modifier.is_empty() {
        words.push(format!("{:?}", style.add_modifier));
    }
    words.join(" ")
}

//! What the viewer looks like, symbols and styles.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fmt::Write as _;
use std::sync::Arc;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::Style;
use support::runs;
use turnlane::analyze::WhatIfOptions;
use turnlane::trace::Run;
use turnlane::tui::keymap::Action;
use turnlane::tui::{Body, Cmd, Model, Msg, Skin, update, view};

const SIZES: [(u16, u16); 4] = [(40, 10), (80, 24), (120, 40), (200, 60)];

/// A viewer on a screen that never was.
struct Screen {
    model: Model,
}

impl Screen {
    fn new(run: Run, size: (u16, u16)) -> Self {
        Self::with_skin(run, size, Skin::colour())
    }

    fn with_skin(run: Run, size: (u16, u16), skin: Skin) -> Self {
        let mut model = Model::new(
            Arc::new(run),
            "runs/triage.jsonl",
            WhatIfOptions::default(),
            skin,
        );
        update(&mut model, Msg::Resize(size.0, size.1));
        Self { model }
    }

    fn press(mut self, actions: &[Action]) -> Self {
        for &action in actions {
            for command in update(&mut self.model, Msg::Do(action)) {
                if let Cmd::Load { call, .. } = command {
                    let body = |text: &str| {
                        Ok(Body {
                            text: text.to_owned(),
                            bytes: text.len() as u64,
                        })
                    };
                    let args = body(r#"{"path":"src/a.rs","lines":[1,20],"note":"\u001b[31m"}"#);
                    let answer = body(
                        "running 3 tests\n\ttest a ... ok\n\x1b[31mtest b ... FAILED\x1b[0m\n",
                    );
                    update(&mut self.model, Msg::Loaded { call, args, answer });
                }
            }
        }
        self
    }

    fn buffer(&self) -> Buffer {
        draw(&self.model)
    }
}

fn draw(model: &Model) -> Buffer {
    let size = size_of(model);
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    terminal.draw(|frame| view(model, frame)).unwrap();
    terminal.backend().buffer().clone()
}

fn size_of(model: &Model) -> (u16, u16) {
    model.size()
}

/// The symbols, then every run of cells that has a style.
fn frame(buffer: &Buffer) -> String {
    let area = buffer.area;
    let mut out = String::new();
    for y in 0..area.height {
        let mut line = String::new();
        let mut skip = 0usize;
        for x in 0..area.width {
            let symbol = buffer[(x, y)].symbol();
            if skip == 0 {
                line.push_str(symbol);
                skip = turnlane::text::width(symbol).saturating_sub(1);
            } else {
                skip -= 1;
            }
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out.push_str("---\n");
    for y in 0..area.height {
        let mut runs: Vec<(u16, u16, Style)> = Vec::new();
        for x in 0..area.width {
            let style = buffer[(x, y)].style();
            match runs.last_mut() {
                Some((_, end, last)) if *last == style => *end = x,
                _ => runs.push((x, x, style)),
            }
        }
        let plain = Buffer::empty(area)[(0, 0)].style();
        let styled: Vec<String> = runs
            .iter()
            .filter(|(.., style)| *style != plain)
            .map(|(from, to, style)| format!("{from}-{to} {}", short(*style)))
            .collect();
        if !styled.is_empty() {
            let _ = writeln!(out, "{y}: {}", styled.join(", "));
        }
    }
    out
}

fn short(style: Style) -> String {
    let colour = style.fg.filter(|c| *c != ratatui::style::Color::Reset);
    let colour = colour.map_or_else(String::new, |c| format!("{c:?} "));
    let ground = style.bg.filter(|c| *c != ratatui::style::Color::Reset);
    let ground = ground.map_or_else(String::new, |c| format!("on {c:?} "));
    let modifiers = style.add_modifier;
    let modifiers = if modifiers.is_empty() {
        String::new()
    } else {
        format!("{modifiers:?}")
    };
    format!("{colour}{ground}{modifiers}").trim_end().to_owned()
}

#[test]
#[ignore = "prints the frames for a person to look at"]
fn look() {
    let which = std::env::var("LOOK").unwrap_or_default();
    for (name, run) in [
        ("triage", runs::triage()),
        ("states", runs::states()),
        ("invoices", runs::invoices()),
        ("hostile", runs::hostile()),
    ] {
        if !which.is_empty() && !which.contains(name) {
            continue;
        }
        for size in SIZES {
            if which.contains('x') && !which.contains(&format!("{}x{}", size.0, size.1)) {
                continue;
            }
            for (label, actions) in [
                ("open", &[][..]),
                (
                    "predicted",
                    &[Action::NextPanel, Action::NextPolicy, Action::NextPolicy],
                ),
                (
                    "detail",
                    &[Action::Down, Action::NextPanel, Action::Last, Action::Open],
                ),
                ("help", &[Action::Help]),
                ("whatif", &[Action::NextPanel, Action::NextPanel]),
            ] {
                let screen = Screen::new(run.clone(), size).press(actions);
                let text = frame(&screen.buffer());
                let text = text.split("---").next().unwrap();
                println!("== {name} {label} {}x{}\n{text}", size.0, size.1);
            }
        }
    }
}

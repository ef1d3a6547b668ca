//! `cargo bench --bench viewer`: what a key costs in the viewer, update and frame, on a run of a
//! thousand calls and on one of a hundred thousand, taken by turns.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    dead_code,
    unreachable_pub
)]

#[path = "../tests/support/runs.rs"]
mod runs;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use runs::{Recording, call};
use turnlane::analyze::WhatIfOptions;
use turnlane::trace::Run;
use turnlane::tui::keymap::Action;
use turnlane::tui::{Facts, Model, Msg, Skin, update, view};

const SIZE: (u16, u16) = (160, 50);
const KEYS: u32 = 200;
const ROUNDS: usize = 7;

fn main() {
    let (small, large) = (viewer(250), viewer(25_000));
    let keys: [(&str, &[Action]); 4] = [
        ("holding Down in the turns", &[Action::Down]),
        ("zooming in and out", &[Action::ZoomIn, Action::ZoomOut]),
        ("the next policy", &[Action::NextPolicy]),
        ("the next kind of lanes", &[Action::Lanes]),
    ];
    for (what, actions) in keys {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            times[0].push(per_key(small.clone(), actions));
            times[1].push(per_key(large.clone(), actions));
        }
        let [small, large] = times.map(|mut times| {
            times.sort_unstable();
            times[ROUNDS / 2].as_secs_f64() * 1e6
        });
        println!(
            "{what:<26} 1,000 calls {small:7.1} us a key, 100,000 calls {large:7.1} us, {:.2}x",
            large / small
        );
    }
}

/// A run of so many turns with four calls each, opened on its first.
fn viewer(turns: u64) -> Model {
    let mut recording = Recording::new("keyed", "glm-5.3");
    for _ in 0..turns {
        recording.turn(
            1_000,
            &[
                call("read", 0, 2_000).reads("file:a"),
                call("read", 0, 3_000).reads("file:b"),
                call("patch", 3_000, 9_000).writes("file:a"),
                call("test", 9_000, 20_000).opaque().because("barrier", 2),
            ],
        );
    }
    let run: Arc<Run> = Arc::new(recording.run);
    let facts = Facts::at_first_sight(&run);
    let options = WhatIfOptions::default();
    let mut model = Model::with_facts(run, "bench.jsonl", options, Skin::colour(), facts);
    update(&mut model, Msg::Resize(SIZE.0, SIZE.1));
    update(&mut model, Msg::Do(Action::First));
    model
}

/// One key after another, a frame after each.
fn per_key(mut model: Model, actions: &[Action]) -> Duration {
    let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).unwrap();
    terminal.draw(|frame| view(&model, frame)).unwrap();
    let start = Instant::now();
    for action in actions.iter().cycle().take(KEYS as usize) {
        update(&mut model, Msg::Do(*action));
        terminal.draw(|frame| view(&model, frame)).unwrap();
    }
    start.elapsed() / KEYS
}

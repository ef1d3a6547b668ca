//! What drawing costs does not grow with the trace: memory taken a frame is counted, which
//! unlike time is the same on every machine.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use allocation_counter::measure;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use support::runs::{Recorded, Recording, call};
use support::screen::Screen;
use turnlane::trace::Run;
use turnlane::tui::keymap::Action;
use turnlane::tui::view;

const SIZE: (u16, u16) = (160, 50);

/// A run of so many turns with four calls each.
fn turns(turns: u64) -> Run {
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
    recording.run
}

/// One turn of so many calls on one key.
fn one_turn(calls: u64) -> Run {
    let touch = |at: u64| call("touch", at * 1_000, (at + 1) * 1_000).writes("file:a");
    let calls: Vec<Recorded> = (0..calls).map(touch).collect();
    let mut recording = Recording::new("keyed", "glm-5.3");
    recording.turn(100, &calls);
    recording.run
}

/// Bytes and pieces of memory that one frame takes, after one that warmed the terminal up.
fn frame_costs(screen: &Screen) -> (u64, u64) {
    let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).unwrap();
    terminal.draw(|frame| view(&screen.model, frame)).unwrap();
    let info = measure(|| {
        terminal.draw(|frame| view(&screen.model, frame)).unwrap();
    });
    (info.count_total, info.bytes_total)
}

/// No more pieces and bytes than a tenth above what the small one takes.
fn assert_no_dearer(what: &str, small: (u64, u64), large: (u64, u64)) {
    assert!(small.0 > 0, "{what}: nothing was counted");
    assert!(
        large.0 <= small.0 + small.0 / 10,
        "{what}: {small:?} {large:?}"
    );
    assert!(
        large.1 <= small.1 + small.1 / 10,
        "{what}: {small:?} {large:?}"
    );
}

/// Compares two runs look by look; what a look presses stays pressed for the next.
fn compare(small: Run, large: Run, looks: &[(&str, &[Action])]) {
    let mut small = Screen::new(small, SIZE);
    let mut large = Screen::new(large, SIZE);
    for (what, actions) in looks {
        small = small.press(actions);
        large = large.press(actions);
        assert_no_dearer(what, frame_costs(&small), frame_costs(&large));
    }
}

#[test]
fn a_frame_of_a_hundred_thousand_calls_costs_what_one_of_a_thousand_does() {
    compare(
        turns(250),
        turns(25_000),
        &[
            ("as it opens", &[]),
            ("the last turn", &[Action::Last]),
            ("predicted", &[Action::NextPolicy, Action::NextPolicy]),
            (
                "zoomed",
                &[Action::NextPanel, Action::ZoomIn, Action::ZoomIn],
            ),
            ("by key", &[Action::Lanes]),
            ("by slot", &[Action::Lanes]),
            ("the whole run", &[Action::RunView, Action::Fit]),
            ("a part of the run", &[Action::ZoomIn, Action::ZoomIn]),
            ("all turns", &[Action::NextPanel, Action::Open]),
            ("assumptions", &[Action::Assume]),
        ],
    );
}

#[test]
fn a_frame_of_a_reply_with_thousands_of_calls_costs_what_one_with_hundreds_does() {
    compare(
        one_turn(1_500),
        one_turn(5_000),
        &[
            ("by call", &[Action::NextPanel]),
            ("zoomed", &[Action::ZoomIn, Action::ZoomIn]),
            ("by key", &[Action::Fit, Action::Lanes]),
            ("by slot", &[Action::Lanes]),
            ("played", &[Action::Lanes, Action::StepOn]),
            ("raced", &[Action::Close, Action::Race, Action::StepOn]),
            (
                "compared",
                &[Action::Compare, Action::NextPolicy, Action::Compare],
            ),
        ],
    );
}

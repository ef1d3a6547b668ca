//! What the viewer looks like, symbols and styles.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use support::runs;
use support::screen::{Screen, frame};
use turnlane::text;
use turnlane::trace::Run;
use turnlane::tui::Skin;
use turnlane::tui::keymap::Action;

const PREDICTED: [Action; 3] = [Action::NextPanel, Action::NextPolicy, Action::NextPolicy];
const DETAIL: [Action; 4] = [Action::NextPanel, Action::Down, Action::Down, Action::Open];

fn show(run: Run, size: (u16, u16), actions: &[Action]) -> String {
    frame(&Screen::new(run, size).press(actions).buffer())
}

#[test]
fn a_run_opens_on_its_most_telling_turn_at_every_size() {
    for (columns, rows) in [(40, 10), (80, 24), (120, 40), (200, 60)] {
        let name = format!("opens_{columns}x{rows}");
        insta::assert_snapshot!(name, show(runs::triage(), (columns, rows), &[]));
    }
}

#[test]
fn a_small_screen_shows_one_panel_at_a_time() {
    let size = (40, 10);
    insta::assert_snapshot!(
        "small_timeline",
        show(runs::triage(), size, &[Action::NextPanel])
    );
    insta::assert_snapshot!(
        "small_what_if",
        show(runs::triage(), size, &[Action::WhatIf])
    );
}

#[test]
fn a_prediction_is_labelled_as_one() {
    insta::assert_snapshot!(
        "predicted_120x40",
        show(runs::triage(), (120, 40), &PREDICTED)
    );
}

#[test]
fn every_state_of_a_call_has_its_own_shape() {
    insta::assert_snapshot!("states_120x40", show(runs::states(), (120, 40), &[]));
}

#[test]
fn a_screen_without_colours_or_blocks_says_the_same() {
    for (name, skin) in [("mono", Skin::mono()), ("ascii", Skin::mono().ascii())] {
        let screen = Screen::with_skin(runs::states(), (100, 30), skin);
        insta::assert_snapshot!(format!("states_{name}"), frame(&screen.buffer()));
    }
}

#[test]
fn races_are_listed_worst_first() {
    insta::assert_snapshot!(
        "races_120x40",
        show(runs::invoices(), (120, 40), &PREDICTED)
    );
}

#[test]
fn a_call_opens_with_its_bodies_and_the_chain_that_held_it_back() {
    insta::assert_snapshot!("detail_120x40", show(runs::states(), (120, 40), &DETAIL));
    insta::assert_snapshot!("detail_80x24", show(runs::triage(), (80, 24), &DETAIL));
}

#[test]
fn the_help_lists_every_key() {
    insta::assert_snapshot!(
        "help_120x40",
        show(runs::triage(), (120, 40), &[Action::Help])
    );
    insta::assert_snapshot!(
        "help_80x24",
        show(runs::triage(), (80, 24), &[Action::Help])
    );
}

#[test]
fn a_zoomed_axis_has_finer_marks() {
    let closer = [
        Action::NextPanel,
        Action::Last,
        Action::ZoomIn,
        Action::ZoomIn,
    ];
    insta::assert_snapshot!("zoomed_120x40", show(runs::triage(), (120, 40), &closer));
}

#[test]
fn hostile_names_move_no_bar() {
    for size in [(60, 20), (80, 24), (120, 40), (200, 60)] {
        let screen = Screen::new(runs::hostile(), size).press(&[Action::NextPanel]);
        let lines = screen.lines();
        // Every lane ends with a duration in the same cell.
        let lanes = lines.iter().filter_map(|line| {
            line.split_once(" ms  key")
                .or(line.split_once(" ms  issued"))
        });
        let ends: Vec<usize> = lanes.map(|(before, _)| text::width(before)).collect();
        assert!(ends.len() >= 5, "{lines:#?}");
        assert!(
            ends.iter().all(|end| *end == ends[0]),
            "{ends:?} {lines:#?}"
        );
    }
}

#[test]
fn nothing_of_a_hostile_file_reaches_a_cell_as_a_control() {
    let every = [
        &[][..],
        &[Action::NextPanel, Action::Last, Action::Open],
        &PREDICTED,
        &[Action::Help],
    ];
    for size in [(40, 10), (80, 24), (120, 40)] {
        for actions in every {
            let buffer = Screen::new(runs::hostile(), size).press(actions).buffer();
            for cell in buffer.content() {
                let symbol = cell.symbol();
                assert!(!symbol.chars().any(char::is_control), "{symbol:?}");
                assert_eq!(text::clean(symbol), symbol);
            }
        }
    }
}

//! Every foreign format with its files broken in small ways: a run that can be relied on, or a
//! clear error; never a panic, never a hang.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::mutations::{Dice, break_once, is_sound};
use import_support::{Folder, fixtures, try_open};
use turnlane::import::Opened;

#[test]
fn broken_files_of_every_format_open_or_say_why_not() {
    let rounds = std::env::var("TURNLANE_FUZZ_ROUNDS").ok();
    let rounds: u64 = rounds.and_then(|n| n.parse().ok()).unwrap_or(250);
    let folder = Folder::new();
    for (which, (name, text)) in (1..).zip(fixtures::all()) {
        let mut opened = 0;
        for round in 0..rounds {
            let mut dice = Dice(round * 1_000 + which);
            let mut bytes = text.clone().into_bytes();
            for _ in 0..1 + dice.roll(4) {
                break_once(&mut bytes, &mut dice);
            }
            let path = folder.write("file", &bytes);
            match try_open(&path) {
                Ok(Opened::Run(run)) => {
                    is_sound(&run);
                    opened += 1;
                }
                Ok(Opened::Scenario(_)) => {}
                Err(error) => assert!(error.to_string().contains("file"), "{name} {round}"),
            }
        }
        assert!(opened > rounds / 2, "{name}: {opened} of {rounds} opened");
    }
}

#[test]
fn a_whole_file_of_every_format_is_sound_and_nothing_of_it_is_lost() {
    let folder = Folder::new();
    for (name, text) in fixtures::all() {
        let Ok(Opened::Run(run)) = try_open(&folder.write("file", &text)) else {
            panic!("{name} does not open")
        };
        is_sound(&run);
        assert!(!run.calls.is_empty(), "{name}");
        let skipped = &run.skipped;
        assert_eq!((skipped.bad_lines, skipped.orphans), (0, 0), "{name}");
        assert!(skipped.unknown_types.is_empty(), "{name}: {skipped:?}");
        assert!(skipped.unknown_fields.is_empty(), "{name}: {skipped:?}");
        assert_eq!(skipped.negative, 0, "{name}");
    }
}

#[test]
fn a_cut_at_every_byte_costs_no_more_than_what_is_behind_it() {
    let folder = Folder::new();
    for (name, text) in fixtures::all() {
        let mut calls = 0;
        for end in (text.len() / 2..text.len()).step_by(7) {
            if let Ok(Opened::Run(run)) = try_open(&folder.write("file", &text.as_bytes()[..end])) {
                is_sound(&run);
                assert!(
                    run.calls.len() >= calls,
                    "{name}: less calls in more of the file"
                );
                calls = run.calls.len();
            }
        }
        assert!(calls > 0, "{name}");
    }
}

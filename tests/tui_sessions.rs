//! The list of sessions: what it asks for, what it shows, how it filters and opens.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use support::listing::{facts, fill, found, tell};
use support::runs;
use support::screen::{Screen, frame};
use turnlane::analyze::WhatIfOptions;
use turnlane::trace::Run;
use turnlane::tui::keymap::{Action, Keymap};
use turnlane::tui::{Cmd, Facts, Listing, Model, Msg, Opened, Overlay, Skin, Wish, begin, update};

const SIZE: (u16, u16) = (120, 40);

/// A viewer that was started without a file.
fn start(size: (u16, u16)) -> Screen {
    let run = Arc::new(Run::default());
    let model = Model::new(run, "", WhatIfOptions::default(), Skin::colour());
    let mut model = model.with_sessions();
    update(&mut model, Msg::Resize(size.0, size.1));
    assert_eq!(begin(&mut model), [Cmd::Sessions(Wish::Find)]);
    Screen { model }
}

fn filled(size: (u16, u16)) -> Screen {
    let mut screen = start(size);
    fill(&mut screen.model);
    screen
}

/// A key of the terminal, through the keymap.
fn key(screen: &mut Screen, code: KeyCode) -> Vec<Cmd> {
    let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
    let msg = Keymap::default().msg(&event, screen.model.mode());
    msg.map_or_else(Vec::new, |msg| update(&mut screen.model, msg))
}

fn type_in(screen: &mut Screen, text: &str) {
    for c in text.chars() {
        key(screen, KeyCode::Char(c));
    }
}

/// The names of the rows in their order, on a screen of [`SIZE`].
fn projects(screen: &Screen) -> Vec<String> {
    let rows = screen
        .lines()
        .into_iter()
        .filter(|line| line.contains(" min "));
    rows.map(|line| line.chars().skip(14).take(24).collect::<String>())
        .map(|name| name.trim().to_owned())
        .collect()
}

fn opened(run: Run) -> Box<Opened> {
    let options = WhatIfOptions::default();
    Box::new(Opened {
        facts: Facts::of(&run, &options),
        run: Arc::new(run),
        file: "opened.jsonl".to_owned(),
    })
}

#[test]
fn the_newest_session_comes_first_however_they_were_found() {
    let mut screen = start(SIZE);
    for (path, written) in [("a", 5), ("b", 9), ("c", 7)] {
        let one = found(path, path, "turnlane", written);
        tell(&mut screen.model, Listing::Found(vec![one]));
    }
    assert_eq!(projects(&screen), ["b", "c", "a"]);
    assert!(screen.text().contains("Sessions · 3, looking for more"));
    tell(&mut screen.model, Listing::Ended);
    assert!(screen.text().contains("Sessions · 3 ─"));
}

#[test]
fn only_what_can_be_seen_and_the_page_after_it_is_read_and_only_once() {
    let mut screen = start((120, 20));
    let many = (0..5_000).map(|n| found(&format!("{n}.jsonl"), "p", "codex", 10_000 - n));
    let wanted = tell(&mut screen.model, Listing::Found(many.collect()));
    let [Cmd::Sessions(Wish::Read(paths))] = wanted.as_slice() else {
        panic!("{wanted:?}");
    };
    assert!((10..60).contains(&paths.len()), "{}", paths.len());
    assert!(paths.contains(&PathBuf::from("0.jsonl")));
    assert!(tell(&mut screen.model, Listing::Ended).is_empty());
    // What comes into view is asked for, what was asked for already is not.
    key(&mut screen, KeyCode::PageDown);
    let next = key(&mut screen, KeyCode::PageDown);
    let [Cmd::Sessions(Wish::Read(more))] = next.as_slice() else {
        panic!("{next:?}");
    };
    assert!(more.iter().all(|path| !paths.contains(path)));
    let last = key(&mut screen, KeyCode::End);
    let [Cmd::Sessions(Wish::Read(last))] = last.as_slice() else {
        panic!("{last:?}");
    };
    assert!(last.contains(&PathBuf::from("4999.jsonl")));
}

#[test]
fn small_sessions_are_read_before_long_ones() {
    let mut screen = start(SIZE);
    let mut long = found("long", "p", "codex", 9);
    long.bytes = 1 << 30;
    let rest = ["a", "b"].map(|path| found(path, "p", "codex", 5));
    let wanted = tell(
        &mut screen.model,
        Listing::Found([vec![long], rest.to_vec()].concat()),
    );
    let paths = ["a", "b", "long"].map(PathBuf::from).to_vec();
    assert_eq!(wanted, [Cmd::Sessions(Wish::Read(paths))]);
}

#[test]
fn typing_filters_by_every_word_and_escape_takes_the_filter_away_before_it_closes() {
    let mut screen = filled(SIZE);
    assert_eq!(projects(&screen).len(), 6);
    type_in(&mut screen, "CLAUDE sho");
    assert_eq!(projects(&screen), ["shop"]);
    assert!(screen.text().contains("1 of 6"));
    type_in(&mut screen, "x");
    assert!(screen.text().contains("No session fits the filter"));
    key(&mut screen, KeyCode::Backspace);
    assert_eq!(projects(&screen), ["shop"]);
    assert!(key(&mut screen, KeyCode::Esc).is_empty());
    assert_eq!(projects(&screen).len(), 6);
    assert_eq!(screen.model.overlay(), Some(&Overlay::Sessions));
    let closing = key(&mut screen, KeyCode::Esc);
    assert_eq!(closing, [Wish::Enough, Wish::Demo].map(Cmd::Sessions));
    assert_eq!(screen.model.overlay(), None);
}

#[test]
fn letters_that_are_commands_elsewhere_are_text_here() {
    let mut screen = filled(SIZE);
    type_in(&mut screen, "qmS?");
    assert_eq!(screen.model.overlay(), Some(&Overlay::Sessions));
    assert!(screen.text().contains("filter qmS?"));
}

#[test]
fn pasted_text_filters_and_its_line_breaks_are_spaces() {
    let mut screen = filled(SIZE);
    let long = "y".repeat(10_000);
    update(
        &mut screen.model,
        Msg::Paste("shop\nclaude\u{1b}".to_owned()),
    );
    assert_eq!(projects(&screen), ["shop"]);
    update(&mut screen.model, Msg::Paste(long));
    screen.text();
}

#[test]
fn a_session_opens_and_another_one_chosen_meanwhile_wins() {
    let mut screen = filled(SIZE);
    key(&mut screen, KeyCode::Down);
    let first = key(&mut screen, KeyCode::Enter);
    let [Cmd::Sessions(Wish::Open(first))] = first.as_slice() else {
        panic!("{first:?}");
    };
    assert!(screen.text().contains("opening"));
    key(&mut screen, KeyCode::Down);
    let second = key(&mut screen, KeyCode::Enter);
    let [Cmd::Sessions(Wish::Open(second))] = second.as_slice() else {
        panic!("{second:?}");
    };
    let late = Listing::Opened(first.clone(), Ok(opened(runs::states())));
    assert!(tell(&mut screen.model, late).is_empty());
    assert_eq!(screen.model.overlay(), Some(&Overlay::Sessions));
    let here = Listing::Opened(second.clone(), Ok(opened(runs::triage())));
    assert_eq!(tell(&mut screen.model, here), [Cmd::Sessions(Wish::Enough)]);
    assert_eq!(screen.model.overlay(), None);
    assert_eq!(screen.model.turn_number(), Some(12));
    assert!(screen.text().contains("opened.jsonl"));
}

#[test]
fn a_long_session_is_judged_once_it_is_open() {
    let mut screen = filled(SIZE);
    let open = key(&mut screen, KeyCode::Enter);
    let [Cmd::Sessions(Wish::Open(path))] = open.as_slice() else {
        panic!("{open:?}");
    };
    let mut unjudged = opened(runs::triage());
    unjudged.facts = Facts::at_first_sight(&unjudged.run);
    let wanted = tell(
        &mut screen.model,
        Listing::Opened(path.clone(), Ok(unjudged)),
    );
    assert!(wanted.contains(&Cmd::Judge), "{wanted:?}");
}

#[test]
fn the_verdict_of_another_run_is_not_taken_for_this_one() {
    let mut screen = Screen::new(runs::triage(), SIZE);
    let before = screen.text();
    let facts = Facts {
        verdict: vec!["Of another run.".to_owned()],
        ..Facts::default()
    };
    let other = Msg::Judged(Arc::new(runs::states()), Box::new(facts));
    update(&mut screen.model, other);
    assert_eq!(screen.text(), before);
}

#[test]
fn a_session_that_cannot_be_opened_says_why_and_the_list_stays() {
    let mut screen = filled(SIZE);
    let open = key(&mut screen, KeyCode::Enter);
    let [Cmd::Sessions(Wish::Open(path))] = open.as_slice() else {
        panic!("{open:?}");
    };
    let why = "cannot be read: gone".to_owned();
    tell(&mut screen.model, Listing::Opened(path.clone(), Err(why)));
    assert_eq!(screen.model.overlay(), Some(&Overlay::Sessions));
    assert!(screen.text().contains("cannot be read: gone"));
}

#[test]
fn closing_the_list_over_a_run_goes_back_to_it() {
    let mut screen = Screen::new(runs::triage(), SIZE).press(&[Action::Sessions]);
    fill(&mut screen.model);
    assert!(screen.text().contains("Esc closes"));
    assert_eq!(
        key(&mut screen, KeyCode::Esc),
        [Cmd::Sessions(Wish::Enough)]
    );
    assert_eq!(screen.model.turn_number(), Some(12));
}

#[test]
fn without_any_session_the_demo_is_wanted_but_not_over_a_run() {
    let mut screen = start(SIZE);
    assert!(screen.text().contains("Looking for sessions."));
    assert_eq!(
        tell(&mut screen.model, Listing::Ended),
        [Cmd::Sessions(Wish::Demo)]
    );
    let mut screen = Screen::new(runs::triage(), SIZE).press(&[Action::Sessions]);
    assert!(tell(&mut screen.model, Listing::Ended).is_empty());
    assert!(screen.text().contains("No sessions in this folder"));
}

#[test]
fn looking_again_keeps_what_is_known_of_what_has_not_changed_and_drops_what_is_gone() {
    let mut screen = start(SIZE);
    let session = |written| found("a", "a", "codex", written);
    tell(
        &mut screen.model,
        Listing::Found(vec![session(5), found("gone", "gone", "codex", 4)]),
    );
    tell(
        &mut screen.model,
        Listing::Read(PathBuf::from("a"), facts("/w/shop", 7, "fine")),
    );
    tell(&mut screen.model, Listing::Ended);
    key(&mut screen, KeyCode::Esc);
    let mut screen = screen.press(&[Action::Sessions]);
    let wanted = tell(&mut screen.model, Listing::Found(vec![session(5)]));
    tell(&mut screen.model, Listing::Ended);
    assert_eq!(projects(&screen), ["shop"]);
    assert!(wanted.iter().all(|cmd| !matches!(cmd, Cmd::Sessions(Wish::Read(paths)) if paths.contains(&PathBuf::from("a")))));
    // One that was written to since is read again.
    key(&mut screen, KeyCode::Esc);
    let mut screen = screen.press(&[Action::Sessions]);
    let wanted = tell(&mut screen.model, Listing::Found(vec![session(6)]));
    assert_eq!(
        wanted,
        [Cmd::Sessions(Wish::Read(vec![PathBuf::from("a")]))]
    );
}

#[test]
fn the_selection_stays_on_its_session_while_more_are_found() {
    let mut screen = start(SIZE);
    let some = ["a", "b", "c"].map(|path| found(path, path, "codex", 5));
    tell(&mut screen.model, Listing::Found(some.to_vec()));
    key(&mut screen, KeyCode::Down);
    tell(
        &mut screen.model,
        Listing::Found(vec![found("new", "new", "codex", 9)]),
    );
    let open = key(&mut screen, KeyCode::Enter);
    assert_eq!(open, [Cmd::Sessions(Wish::Open(PathBuf::from("b")))]);
}

#[test]
fn what_was_asked_for_and_not_read_when_the_list_closed_is_asked_for_again() {
    let mut screen = Screen::new(runs::triage(), SIZE).press(&[Action::Sessions]);
    let one = || vec![found("a", "a", "codex", 5)];
    let read = [Cmd::Sessions(Wish::Read(vec![PathBuf::from("a")]))];
    assert_eq!(tell(&mut screen.model, Listing::Found(one())), read);
    tell(&mut screen.model, Listing::Ended);
    key(&mut screen, KeyCode::Esc);
    let wanted = update(&mut screen.model, Msg::Do(Action::Sessions));
    assert!(wanted.contains(&read[0]), "{wanted:?}");
}

#[test]
fn a_long_session_is_not_read_for_its_row_and_can_be_opened() {
    let mut screen = filled(SIZE);
    assert!(screen.text().contains("1000 MB, not read for this list"));
    key(&mut screen, KeyCode::Home);
    let open = key(&mut screen, KeyCode::Enter);
    let path = PathBuf::from("traces/big.jsonl");
    assert_eq!(open, [Cmd::Sessions(Wish::Open(path))]);
}

#[test]
fn the_list_looks_the_same_at_every_size() {
    for (columns, rows) in [(40, 10), (80, 24), (120, 40), (200, 60)] {
        let mut screen = filled((columns, rows));
        key(&mut screen, KeyCode::Down);
        let name = format!("sessions_{columns}x{rows}");
        insta::assert_snapshot!(name, frame(&screen.buffer()));
    }
    let mut screen = filled((80, 24));
    type_in(&mut screen, "shop");
    insta::assert_snapshot!("sessions_filtered", frame(&screen.buffer()));
}

#[test]
fn nothing_of_a_hostile_name_reaches_a_cell_as_a_control() {
    for size in [(40, 10), (80, 24), (120, 40)] {
        let mut screen = filled(size);
        for _ in 0..6 {
            for cell in screen.buffer().content() {
                let symbol = cell.symbol();
                assert_eq!(turnlane::text::clean(symbol), symbol);
            }
            key(&mut screen, KeyCode::Down);
        }
    }
}

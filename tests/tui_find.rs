//! Searching, jumping, marks, the call in full, copying, blanking.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::Arc;

use support::runs::{self, Recording, call};
use support::screen::{Screen, frame};
use tui_input::InputRequest;
use turnlane::analyze::{Place, WhatIfOptions};
use turnlane::model::Outcome;
use turnlane::trace::Run;
use turnlane::tui::keymap::{Action, Mode};
use turnlane::tui::{
    Body, Cmd, Facts, Found, Msg, Opened, Overlay, PlacesList, PlacesTab, Skin, update,
};

const SIZE: (u16, u16) = (120, 40);
const SIZES: [(u16, u16); 4] = [(40, 10), (80, 24), (120, 40), (200, 60)];

fn triage() -> Screen {
    Screen::new(runs::triage(), SIZE)
}

fn search(screen: Screen, line: &str) -> Screen {
    screen.press(&[Action::Search]).type_in(line)
}

fn at(screen: &Screen) -> (Option<u32>, usize) {
    (screen.model.turn_number(), screen.model.selected_call())
}

/// Two threads; main has a race, a failure and a wait.
fn threads() -> Run {
    let mut recording = Recording::new("all-at-once", "m");
    recording.turn(100, &[call("Read", 0, 10).reads("file:a")]);
    recording.turn(
        100,
        &[
            call("Edit", 0, 100).writes("file:secret"),
            call("Edit", 50, 200).writes("file:secret"),
            call("Bash", 900, 950)
                .opaque()
                .ended(Outcome::Failed)
                .because("after", 1),
        ],
    );
    recording.thread("agent-7");
    recording.turn(100, &[call("Grep", 0, 2_000_000)]);
    recording.turn(100, &[call("Edit", 0, 10), call("Grep", 0, 20)]);
    recording.run
}

// The search.

#[test]
fn a_search_marks_its_matches_and_goes_to_the_first_from_here_on() {
    let screen = search(triage(), "tool:run_tests");
    assert_eq!(at(&screen), (Some(12), 3), "from turn 12 on");
    let text = screen.text();
    assert!(text.contains("match 4 of 8 for tool:run_tests"), "{text}");
    let header = &screen.lines()[0];
    assert!(header.contains("/tool:run_tests 4 of 8"), "{header}");
    assert!(text.contains("▶3»run_tests"), "{text}");
    assert!(text.contains(" 15»") && !text.contains(" 13»"), "{text}");
}

#[test]
fn n_goes_through_the_matches_around_the_ends_and_across_threads() {
    let screen = search(Screen::new(threads(), SIZE), "tool:edit");
    assert_eq!(at(&screen), (Some(2), 0));
    let screen = screen.press(&[Action::NextSeveral]);
    assert_eq!(at(&screen), (Some(2), 1));
    let screen = screen.press(&[Action::NextSeveral]);
    assert!(screen.lines()[0].contains("agent-7"), "{}", screen.text());
    assert_eq!(at(&screen), (Some(2), 0));
    let screen = screen.press(&[Action::NextSeveral]);
    assert!(screen.lines()[0].contains("1 of 3"), "around the end");
    let screen = screen.press(&[Action::PreviousSeveral]);
    assert!(screen.lines()[0].contains("3 of 3"), "and back");
}

#[test]
fn without_a_search_n_goes_to_replies_with_several_calls() {
    let screen = search(triage(), "tool:run_tests").press(&[Action::Close, Action::First]);
    assert!(!screen.text().contains('»'), "Esc ends the search");
    let screen = screen.press(&[Action::NextSeveral]);
    assert_eq!(screen.model.turn_number(), Some(7));
}

#[test]
fn words_are_looked_for_in_bodies_too() {
    let screen = search(triage(), "args:src/a.rs turn:3..4");
    assert!(screen.text().contains("of 2 for"), "{}", screen.text());
    let screen = search(screen, "answer:running tool:run_tests failed");
    assert!(screen.text().contains("no match for"));
}

#[test]
fn a_mistake_is_said_with_its_place_and_the_line_stays_open() {
    let screen = search(triage(), "tool:x >2");
    assert_eq!(screen.model.mode(), Mode::Text);
    let text = screen.text();
    assert!(text.contains("column 10: a time needs its unit"), "{text}");
    assert!(text.contains("/ tool:x >2"), "{text}");
    // Typing on takes the message away; the line can be mended.
    let screen = screen.type_in("s");
    assert_eq!(screen.model.mode(), Mode::Panels);
    assert!(screen.text().contains("no match for tool:x >2s"));
}

#[test]
fn what_was_typed_before_comes_back_with_up() {
    let screen = search(search(triage(), "one"), "two").press(&[Action::Search]);
    let mut screen = screen.press(&[Action::Up]);
    assert!(screen.text().contains("/ two"));
    screen = screen.press(&[Action::Up, Action::Up]);
    assert!(screen.text().contains("/ one"), "it stops at the oldest");
    screen = screen.press(&[Action::Down, Action::Down]);
    assert!(!screen.text().contains("/ two"), "down to the empty line");
    let screen = screen.press(&[Action::Up, Action::Close]);
    assert!(screen.lines()[0].contains("/two"), "Esc keeps the search");
}

#[test]
fn pasted_lines_are_typed_and_control_nothing() {
    let mut screen = triage().press(&[Action::Search]);
    screen.send(Msg::Paste("a\nb\x1b[2J".to_owned()));
    assert_eq!(screen.model.mode(), Mode::Text);
    assert!(screen.text().contains("/ a b [2J"), "{}", screen.text());
}

#[test]
fn matches_stream_in_and_those_of_an_earlier_search_are_dropped() {
    let mut screen = triage().press(&[Action::First, Action::Search]);
    for c in "needle".chars() {
        update(&mut screen.model, Msg::Edit(InputRequest::InsertChar(c)));
    }
    let commands = update(&mut screen.model, Msg::Do(Action::Accept));
    let [Cmd::Search { id, .. }] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    let found = |id, turns: &[u32], looked, done| {
        let place = |&turn| Place {
            turn,
            ..Place::default()
        };
        Msg::Found(Found {
            id,
            places: turns.iter().map(place).collect(),
            looked,
            of: 40,
            unread: 0,
            done,
        })
    };
    update(&mut screen.model, found(*id, &[], 10, false));
    assert!(
        screen.lines()[0].contains("0 matches 25%"),
        "{}",
        screen.lines()[0]
    );
    assert_eq!(screen.model.turn_number(), Some(1), "it waits for one");
    update(&mut screen.model, found(*id, &[7], 20, false));
    assert_eq!(screen.model.turn_number(), Some(8));
    update(&mut screen.model, found(*id, &[3, 9], 40, true));
    assert_eq!(screen.model.turn_number(), Some(8), "it jumps once");
    assert!(screen.lines()[0].contains("/needle 2 of 3"));
    update(&mut screen.model, found(*id + 9, &[1], 40, true));
    assert!(screen.lines()[0].contains("/needle 2 of 3"));
}

#[test]
fn ending_a_search_that_is_under_way_stops_it() {
    let mut screen = triage().press(&[Action::Search]);
    update(&mut screen.model, Msg::Edit(InputRequest::InsertChar('x')));
    update(&mut screen.model, Msg::Do(Action::Accept));
    let commands = update(&mut screen.model, Msg::Do(Action::Close));
    assert_eq!(commands, [Cmd::EndSearch]);
}

#[test]
fn hazards_are_searched_for_in_what_is_drawn() {
    let screen = search(Screen::new(threads(), SIZE), "hazard");
    assert!(
        screen.lines()[0].contains("/hazard 1 of 1"),
        "{}",
        screen.text()
    );
    // Sequentially nothing races, and the same search finds nothing.
    let screen = screen.press(&[Action::NextPolicy]);
    assert!(
        screen.lines()[0].contains("/hazard 0 matches"),
        "{}",
        screen.text()
    );
}

// Jumps.

#[test]
fn a_jump_to_a_hazard_says_which_it_is() {
    let screen = Screen::new(threads(), SIZE).press(&[Action::First, Action::NextHazard]);
    assert_eq!(at(&screen), (Some(2), 1));
    let text = screen.text();
    assert!(
        text.contains("hazard 1 of 1: lost update 0 → 1 on file:secret"),
        "{text}"
    );
}

#[test]
fn predicted_hazards_are_those_of_the_policy_that_is_drawn() {
    let screen = triage().press(&[Action::NextHazard]);
    assert!(screen.text().contains("No hazard in what was recorded"));
    let screen = screen.press(&[Action::NextPolicy, Action::NextHazard]);
    let text = screen.text();
    assert!(
        text.contains("No hazard is predicted under sequential"),
        "{text}"
    );
    let screen = screen.press(&[Action::NextPolicy, Action::First, Action::NextHazard]);
    let text = screen.text();
    assert!(
        text.contains("hazard 1 of 7: stale read 0 → 2") || text.contains("hazard 1 of"),
        "{text}"
    );
    assert!(text.contains("(predicted: all-at-once)"), "{text}");
    assert_eq!(screen.model.turn_number(), Some(12));
}

#[test]
fn brackets_go_on_along_the_kind_last_asked_for() {
    let screen = triage().press(&[Action::NextOfKind]);
    assert!(screen.text().contains("H, F, M or L first"));
    let screen = screen.press(&[Action::Widest]);
    assert!(screen.text().contains("widest turn 1 of 4: 5 calls"));
    let screen = screen.press(&[Action::NextOfKind]);
    assert_eq!(screen.model.turn_number(), Some(28));
    assert!(screen.text().contains("widest turn 2 of 4: 3 calls"));
    let screen = screen.press(&[Action::PreviousOfKind, Action::PreviousOfKind]);
    assert!(screen.text().contains("widest turn 4 of 4"), "around");
    let screen = screen.press(&[Action::LongestWait]);
    let text = screen.text();
    assert!(
        text.contains(
            "longest wait 1 of 3: started at 1.24 s: waited 1.24 s behind call 3 (run_tests)"
        ),
        "{text}"
    );
    assert_eq!(at(&screen), (Some(12), 4));
}

#[test]
fn a_failure_is_shown_with_its_error() {
    let screen = Screen::new(runs::states(), SIZE).press(&[Action::NextFailure]);
    assert!(
        screen.text().contains("failure 1 of 3: indeterminate"),
        "{}",
        screen.text()
    );
    let screen = screen.press(&[Action::NextFailure]);
    let text = screen.text();
    assert!(
        text.contains("failure 2 of 3: conflict: the store refused"),
        "{text}"
    );
    let screen = screen.press(&[Action::PreviousOfKind]);
    assert!(screen.text().contains("failure 1 of 3"));
}

#[test]
fn backspace_goes_back_the_way_the_jumps_came() {
    let screen = triage().press(&[Action::First, Action::Widest, Action::NextOfKind]);
    assert_eq!(screen.model.turn_number(), Some(28));
    let screen = screen.press(&[Action::Back]);
    assert_eq!(screen.model.turn_number(), Some(12));
    let screen = screen.press(&[Action::Back]);
    assert_eq!(screen.model.turn_number(), Some(1));
    let screen = screen.press(&[Action::Back]);
    assert!(screen.text().contains("Nothing to go back to"));
}

#[test]
fn a_jump_that_waits_is_not_made_once_the_user_has_moved_on() {
    let mut screen = Screen::new(threads(), SIZE);
    let commands = update(&mut screen.model, Msg::Do(Action::NextFailure));
    assert!(screen.text().contains("Looking through the run"));
    update(&mut screen.model, Msg::Do(Action::First));
    for command in commands {
        let answer = support::screen::answer(command, screen.model.run()).unwrap();
        update(&mut screen.model, answer);
    }
    assert_eq!(screen.model.turn_number(), Some(1));
    // The survey is there all the same: the next jump asks for nothing.
    let commands = update(&mut screen.model, Msg::Do(Action::NextFailure));
    assert_eq!((commands.len(), at(&screen)), (0, (Some(2), 2)));
}

#[test]
fn marks_are_seen_in_the_lane_and_in_the_list_and_lead_back() {
    let screen = triage().press(&[Action::NextPanel, Action::Down, Action::Mark]);
    let text = screen.text();
    assert!(text.contains("code_read ◆"), "{text}");
    assert!(
        text.lines().any(|l| l.contains("▶ 12") && l.contains('◆')),
        "{text}"
    );
    let screen = screen.press(&[Action::PreviousPanel, Action::First, Action::Places]);
    assert!(matches!(
        screen.model.overlay(),
        Some(Overlay::Places(PlacesList {
            tab: PlacesTab::Marks,
            ..
        }))
    ));
    let screen = screen.press(&[Action::Open]);
    assert_eq!(at(&screen), (Some(12), 1));
    let screen = screen.press(&[Action::Mark]);
    assert!(!screen.text().contains('◆'));
}

#[test]
fn the_hazards_of_the_run_are_listed_worst_first_and_lead_there() {
    let mut recording = Recording::new("all-at-once", "m");
    let racing = |a, b| [call("x", 0, 100).reads("k:1").opaque(), call("y", a, b)];
    recording.turn(100, &racing(50, 200));
    recording.turn(
        100,
        &[
            call("update", 0, 100).writes("k:2"),
            call("charge", 0, 100).writes("k:2"),
        ],
    );
    let screen = Screen::new(recording.run, SIZE).press(&[
        Action::First,
        Action::NextHazard,
        Action::Places,
    ]);
    let text = screen.text();
    assert!(text.contains("[Hazards 2]"), "{text}");
    let lost = text.find("lost update 0 → 1 on k:2").unwrap();
    let unknown = text.find("unknown order 0 → 1").unwrap();
    assert!(lost < unknown, "{text}");
    let screen = screen.press(&[Action::Open]);
    assert_eq!(at(&screen), (Some(2), 1));
    assert!(screen.text().contains("hazard 2 of 2: lost update"));
    let screen = screen.press(&[Action::PreviousOfKind]);
    assert!(screen.text().contains("hazard 1 of 2: unknown order"));
}

// Runs that change.

#[test]
fn marks_and_jumps_survive_a_run_that_grows_and_go_with_another() {
    let whole = runs::triage();
    let facts = Facts::of(&whole, &WhatIfOptions::default());
    let mut short = whole.clone();
    short.threads[0].turns.truncate(20);
    let mut screen = Screen::new(short, SIZE).press(&[Action::Mark, Action::First]);
    screen = search(screen, "tool:run_tests");
    let grown = Arc::new(whole);
    screen.send(Msg::Grown(Arc::clone(&grown), Box::new(facts.clone())));
    let text = screen.text();
    assert!(text.contains("of 8"), "searched again: {text}");
    assert!(
        text.lines().any(|l| l.contains(" 12") && l.contains('◆')),
        "{text}"
    );
    let opened = Opened {
        run: grown,
        file: "other.jsonl".to_owned(),
        facts,
    };
    screen.send(Msg::Opened(Box::new(opened)));
    let text = screen.text();
    assert!(!text.contains('◆') && !text.contains('»'), "{text}");
}

// The call in full.

fn opened(args: &str, answer: &str) -> Screen {
    let mut screen = triage();
    let commands = update(&mut screen.model, Msg::Do(Action::Open));
    let [Cmd::Load { call, .. }] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    let body = |text: &str| {
        Ok(Body {
            text: text.to_owned(),
            bytes: text.len() as u64,
        })
    };
    screen.send(Msg::Loaded {
        call: *call,
        args: body(args),
        answer: body(answer),
    });
    screen
}

const NESTED: &str = r#"{"a":{"b":[1,2],"c":3},"d":[4,5,6]}"#;
const EDIT: &str = r#"{"file_path":"src/a.rs","old_string":"let a = 1;\nlet b = 2;","new_string":"let a = 1;\nlet b = 3;"}"#;

#[test]
fn a_block_folds_under_the_cursor_and_all_of_them_at_once() {
    let screen = opened(NESTED, "").press(&[Action::FoldAll]);
    let text = screen.text();
    assert!(text.contains("+   \"a\": { … 5 lines },"), "{text}");
    assert!(text.contains("+   \"d\": [ … 3 lines ]"), "{text}");
    let screen = screen.press(&[Action::FoldAll]);
    assert!(screen.text().contains("\"c\": 3"));
    // From inside, what is around folds, and the cursor goes to where it starts.
    let down = [Action::Down; 12];
    let screen = screen.press(&down).press(&[Action::Open]);
    let text = screen.text();
    assert!(text.contains("▶+") && text.contains(" … "), "{text}");
    let screen = screen.press(&[Action::Open]);
    assert!(!screen.text().contains(" … "));
}

#[test]
fn a_whole_body_folds_into_its_heading() {
    let screen = opened("{}", "the answer").press(&[Action::Last, Action::Open]);
    let text = screen.text();
    assert!(text.contains("▶Answer, 10 bytes, folded"), "{text}");
    assert!(!text.contains("the answer"));
}

#[test]
fn an_edit_is_a_diff_by_the_names_of_its_arguments() {
    let screen = opened(EDIT, "done");
    let text = screen.text();
    for line in ["  let a = 1;", "- let b = 2;", "+ let b = 3;"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let screen = screen.press(&[Action::NextForm]);
    assert!(screen.text().contains("\"old_string\": \"let a"));
    let screen = screen.press(&[Action::NextForm]);
    assert!(screen.text().contains("{\"file_path\":\"src/a.rs\","));
    let screen = screen.press(&[Action::NextForm]);
    assert!(screen.text().contains("- let b = 2;"), "around");
}

#[test]
fn a_plain_text_has_no_other_form_and_says_so() {
    let screen = opened("ls -l", "total 0").press(&[Action::NextForm]);
    assert!(screen.text().contains("there is no other form"));
}

#[test]
fn the_body_under_the_cursor_goes_to_the_pager() {
    let mut screen = opened(EDIT, "done");
    let page = |screen: &mut Screen| update(&mut screen.model, Msg::Do(Action::Page));
    let [Cmd::Page { body }] = page(&mut screen)[..] else {
        panic!("no pager");
    };
    assert_eq!(body.len, 120, "from the head the answer");
    let mut screen = screen.press(&[Action::Down; 9]);
    assert!(screen.text().contains("▶"));
    let [Cmd::Page { body }] = page(&mut screen)[..] else {
        panic!("no pager");
    };
    assert_eq!(body.len, 38);
}

// Copying.

fn copied(screen: Screen, row: usize) -> (Screen, String) {
    let mut screen = screen
        .press(&[Action::Copy])
        .press(&vec![Action::Down; row]);
    let mut commands = update(&mut screen.model, Msg::Do(Action::Open));
    while let Some(command) = commands.pop() {
        match command {
            Cmd::Copy(text) => return (screen, text),
            command => {
                if let Some(answer) = support::screen::answer(command, screen.model.run()) {
                    commands.extend(update(&mut screen.model, answer));
                }
            }
        }
    }
    (screen, String::new())
}

#[test]
fn each_row_of_the_menu_copies_what_it_says() {
    let last = || triage().press(&[Action::NextPanel, Action::Last]);
    let (screen, text) = copied(last(), 0);
    assert_eq!(text, r#"code_read {"path":"src/a.rs","lines":[1,20]}"#);
    assert!(
        screen
            .text()
            .contains("copied 44 bytes (call); needs a terminal that allows OSC 52")
    );
    assert!(screen.model.overlay().is_none());
    let (_, text) = copied(last(), 1);
    assert_eq!(text, r#"{"path":"src/a.rs","lines":[1,20]}"#);
    let (_, text) = copied(last(), 2);
    assert_eq!(
        text,
        "running 3 tests\n\ttest a ... ok\n␛[31mtest b ... FAILED␛[0m\n"
    );
    let (_, text) = copied(last(), 3);
    assert!(text.starts_with("Overlap saves 144 ms"));
    let (_, text) = copied(last(), 4);
    assert!(text.starts_with("4 code_read started at 1.24 s: waited 1.24 s behind call 3 (run_tests), a barrier\n3 run_tests"));
    let (_, text) = copied(last(), 5);
    assert_eq!(text, "turnlane runs/triage.jsonl --turn 12 --call 4");
}

#[test]
fn a_link_into_a_thread_names_it() {
    let screen = Screen::new(threads(), SIZE).press(&[Action::NextThread]);
    let (_, text) = copied(screen, 5);
    assert_eq!(
        text,
        "turnlane runs/triage.jsonl --turn 1 --call 0 --thread agent-7"
    );
}

#[test]
fn of_a_huge_answer_the_beginning_is_copied_and_that_is_said() {
    let mut screen = triage().press(&[Action::Copy, Action::Down, Action::Down]);
    let commands = update(&mut screen.model, Msg::Do(Action::Open));
    let [Cmd::Load { call, .. }] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    let msg = Msg::Loaded {
        call: *call,
        args: Ok(Body::default()),
        answer: Ok(Body {
            text: "A".repeat(Body::PREVIEW),
            bytes: 20_000_000,
        }),
    };
    let commands = update(&mut screen.model, msg);
    assert!(matches!(&commands[..], [Cmd::Copy(text)] if text.len() == Body::PREVIEW));
    let text = screen.text();
    assert!(
        text.contains("copied 65536 bytes (answer, the beginning of 20000000"),
        "{text}"
    );
}

#[test]
fn the_menu_over_a_call_in_full_leads_back_to_it() {
    let screen = triage().press(&[Action::Open, Action::Copy, Action::Close]);
    assert!(matches!(screen.model.overlay(), Some(Overlay::Detail(_))));
    let (screen, _) = copied(screen, 1);
    assert!(matches!(screen.model.overlay(), Some(Overlay::Detail(_))));
}

// Blanking.

#[test]
fn blanking_leaves_no_payload_on_any_screen() {
    let mut run = threads();
    let error = run.names.intern("token hunter2 refused");
    run.calls[3].error = error;
    let looks: [&[Action]; 7] = [
        &[],
        &[Action::NextHazard],
        &[Action::NextFailure],
        &[Action::NextHazard, Action::Open],
        &[Action::NextFailure, Action::Open, Action::Last],
        &[Action::NextHazard, Action::Places],
        &[Action::NextPolicy, Action::NextPolicy, Action::Copy],
    ];
    for look in looks {
        let screen = Screen::new(run.clone(), SIZE).press(&[Action::Blank]);
        let text = screen.press(look).text();
        for payload in ["secret", "hunter2", "src/a.rs", "running 3"] {
            assert!(!text.contains(payload), "{payload} after {look:?}\n{text}");
        }
        assert!(text.contains("payloads blanked"), "{text}");
        assert!(
            text.contains("Edit") || text.contains("Bash"),
            "names stay\n{text}"
        );
    }
    let open = [Action::NextHazard, Action::Open, Action::Blank];
    let text = Screen::new(run.clone(), SIZE).press(&open).text();
    assert!(
        text.contains("file:•••") && !text.contains("src/a.rs"),
        "{text}"
    );
    let shown = Screen::new(run, SIZE)
        .press(&open)
        .press(&[Action::Blank])
        .text();
    assert!(
        shown.contains("file:secret") && shown.contains("src/a.rs"),
        "{shown}"
    );
}

#[test]
fn a_verdict_that_comes_late_does_not_tell_what_is_blanked() {
    let run = threads();
    let facts = Facts::of(&run, &WhatIfOptions::default());
    assert!(facts.verdict[0].contains("secret"), "{}", facts.verdict[0]);
    let mut screen = Screen::new(run, SIZE);
    let whole = Arc::clone(screen.model.run());
    let commands = update(&mut screen.model, Msg::Do(Action::Blank));
    assert!(
        matches!(commands.last(), Some(Cmd::JudgeAgain(_))),
        "{commands:?}"
    );
    update(
        &mut screen.model,
        Msg::Judged(whole, Box::new(facts.clone())),
    );
    assert!(!screen.text().contains("secret"), "{}", screen.text());
    let blank = Facts::of(&threads().blanked(), &WhatIfOptions::default());
    let shown = Arc::clone(screen.model.run());
    update(&mut screen.model, Msg::Judged(shown, Box::new(blank)));
    let screen = screen.press(&[Action::First]);
    assert!(
        screen.text().contains("both write file:•••") || screen.text().contains("write file:•••"),
        "{}",
        screen.text()
    );
    let screen = screen.press(&[Action::Blank, Action::First]);
    assert!(screen.text().contains(&facts.verdict[0][..40]));
}

#[test]
fn what_is_blanked_is_not_copied_and_not_paged() {
    let blank = || Screen::new(threads(), SIZE).press(&[Action::Blank]);
    assert_eq!(copied(blank(), 0).1, "Edit •••");
    for row in [1, 2] {
        let (screen, text) = copied(blank(), row);
        assert_eq!(text, "");
        assert!(screen.text().contains("X shows them again"));
    }
    let mut screen = blank().press(&[Action::Open]);
    assert_eq!(update(&mut screen.model, Msg::Do(Action::Page)), []);
}

#[test]
fn another_run_and_a_grown_one_stay_blanked() {
    let run = Arc::new(threads());
    let facts = Facts::of(&run, &WhatIfOptions::default());
    let mut screen = triage().press(&[Action::Blank]);
    let opened = Opened {
        run: Arc::clone(&run),
        file: "other.jsonl".to_owned(),
        facts: facts.clone(),
    };
    let commands = update(&mut screen.model, Msg::Opened(Box::new(opened)));
    assert!(matches!(commands.last(), Some(Cmd::JudgeAgain(_))));
    assert!(
        screen.text().contains("file:•••") && !screen.text().contains("secret"),
        "{}",
        screen.text()
    );
    update(&mut screen.model, Msg::Grown(run, Box::new(facts)));
    assert!(screen.text().contains("file:•••") && !screen.text().contains("secret"));
}

// What it looks like.

#[test]
fn the_panels_at_every_size() {
    for (columns, rows) in SIZES {
        let size = (columns, rows);
        let new = || Screen::new(runs::invoices(), size);
        let name = |what: &str| format!("find_{what}_{columns}x{rows}");
        let line = new().press(&[Action::Search]);
        insta::assert_snapshot!(name("line"), frame(&line.buffer()));
        let found = search(new(), "tool:lookup").press(&[Action::Mark]);
        insta::assert_snapshot!(name("matches"), frame(&found.buffer()));
        let hazards = new().press(&[Action::NextHazard, Action::Places]);
        insta::assert_snapshot!(name("hazards"), frame(&hazards.buffer()));
        let menu = new().press(&[Action::Copy, Action::Down]);
        insta::assert_snapshot!(name("copy"), frame(&menu.buffer()));
        let blank = new().press(&[Action::Blank, Action::Open]);
        insta::assert_snapshot!(name("blank"), frame(&blank.buffer()));
    }
}

#[test]
fn the_call_in_full_as_a_diff_and_folded() {
    for (columns, rows) in SIZES {
        let mut screen = opened(EDIT, NESTED);
        screen.send(Msg::Resize(columns, rows));
        let screen = screen.press(&[Action::FoldAll, Action::Last]);
        insta::assert_snapshot!(
            format!("find_detail_{columns}x{rows}"),
            frame(&screen.buffer())
        );
    }
}

#[test]
fn signs_have_their_ascii_form() {
    let skin = Skin::mono().ascii();
    let screen = Screen::with_skin(runs::invoices(), (100, 30), skin);
    let screen = search(screen, "tool:lookup").press(&[Action::Mark, Action::Blank]);
    let text = screen.text();
    assert!(text.contains("/lookup") && text.contains('*'), "{text}");
    assert!(text.is_ascii(), "{text}");
}

#[test]
fn the_verdicts_on_other_sessions_are_blanked_too() {
    let list = |before: &[Action]| {
        let mut screen = triage().press(before).press(&[Action::Sessions]);
        support::listing::fill(&mut screen.model);
        screen.press(&[Action::Down]).text()
    };
    let open = list(&[]);
    let verdict = "In full: ";
    assert!(open.contains(verdict), "{open}");
    let blank = list(&[Action::Blank]);
    assert!(!blank.contains(verdict), "{blank}");
    assert!(blank.contains("•••"), "{blank}");
}

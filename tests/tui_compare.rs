//! The what-if's two other views: all turns added up, and two schedules call by call.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use support::runs::{self, Recording, call};
use support::screen::{Screen, frame};
use turnlane::model::Timing;
use turnlane::schedule::Policy;
use turnlane::trace::Run;
use turnlane::tui::keymap::Action;
use turnlane::tui::{Cmd, Drawn, Facts, Msg, Overlay, update};

const SIZE: (u16, u16) = (120, 40);
/// The recording against all-at-once.
const COMPARE: [Action; 4] = [
    Action::Compare,
    Action::NextPolicy,
    Action::NextPolicy,
    Action::Compare,
];
const ALL_TURNS: [Action; 3] = [Action::NextPanel, Action::NextPanel, Action::Open];

fn compared(run: Run, size: (u16, u16)) -> Screen {
    Screen::new(run, size).press(&COMPARE)
}

/// What the overlay says, scrolled through and joined to one line of words.
fn words(mut screen: Screen) -> String {
    let mut all: Vec<String> = Vec::new();
    loop {
        let before = all.len();
        for line in screen.lines() {
            let line = line.trim_matches(['│', ' ']).to_owned();
            if !all.contains(&line) {
                all.push(line);
            }
        }
        if all.len() == before {
            return all.join(" ");
        }
        screen = screen.press(&[Action::PageDown]);
    }
}

fn one_turn(policy: &str, calls: &[runs::Recorded]) -> Run {
    let mut recording = Recording::new(policy, "m");
    recording.turn(1_000, calls);
    recording.run
}

#[test]
fn enter_in_the_what_if_shows_all_turns_and_then_the_turn_again() {
    let screen = Screen::new(runs::triage(), SIZE).press(&ALL_TURNS);
    assert!(screen.model.what_if().shows_all_turns());
    let text = screen.text();
    assert!(text.contains("What-if · all 31 turns"), "{text}");
    assert!(text.contains("of run"), "{text}");
    let totals = screen.model.facts().totals[0].clone();
    for total in &totals.policies {
        let row = text
            .lines()
            .find(|line| line.contains(&format!("│ {}", total.policy)))
            .unwrap();
        let makespan = totals.timing.show(total.makespan.unwrap());
        assert!(row.contains(&makespan), "{row} without {makespan}");
        if total.hazards > 0 {
            assert!(row.contains(&format!("{} pair", total.hazards)), "{row}");
        }
    }
    let recorded = text
        .lines()
        .find(|line| line.contains("▶recorded"))
        .unwrap();
    let makespan = totals.recorded.unwrap().to_string();
    assert!(recorded.contains(&makespan), "{recorded}");
    let screen = screen.press(&[Action::Open]);
    assert!(!screen.model.what_if().shows_all_turns());
    assert_eq!(
        screen.model.overlay(),
        None,
        "enter opens no call from here"
    );
}

#[test]
fn turns_that_cannot_be_estimated_are_left_out_of_the_sums_and_said() {
    let mut recording = Recording::new("staged", "m");
    let quick = || call("look", 0, 10_000).reads("a");
    recording.turn(1_000, &[quick(), quick()]);
    recording.turn(1_000, &[quick(), quick().timed(Timing::Unknown)]);
    let screen = Screen::new(recording.run, SIZE).press(&ALL_TURNS);
    let text = screen.text();
    assert!(text.contains("1 turn left out"), "{text}");
    let row = text
        .lines()
        .find(|line| line.contains("sequential"))
        .unwrap();
    assert!(row.contains("20.0 ms"), "{row}");
}

#[test]
fn a_run_whose_durations_are_all_unknown_has_no_totals_but_its_races() {
    let untimed = |tool| call(tool, 0, 0).writes("k").timed(Timing::Unknown);
    let run = one_turn("", &[untimed("a"), untimed("b")]);
    let text = Screen::new(run, SIZE).press(&ALL_TURNS).text();
    assert!(text.contains("no turn has a known duration"), "{text}");
    let row = text
        .lines()
        .find(|line| line.contains("all-at-once"))
        .unwrap();
    assert!(row.contains("unknown") && row.contains("1 pair"), "{row}");
    assert!(!row.contains("0 ms"), "{row}");
}

#[test]
fn all_turns_of_a_run_that_is_not_judged_yet_say_so() {
    let mut screen = Screen::new(runs::triage(), SIZE);
    let run = std::sync::Arc::clone(screen.model.run());
    let facts = Facts::at_first_sight(&run);
    let file = "other".to_owned();
    let opened = turnlane::tui::Opened { run, file, facts };
    update(&mut screen.model, Msg::Opened(Box::new(opened)));
    let text = screen.press(&ALL_TURNS).text();
    assert!(text.contains("Adding up every turn"), "{text}");
}

#[test]
fn c_marks_a_schedule_and_on_another_compares_the_two() {
    let screen = Screen::new(runs::triage(), SIZE).press(&[Action::NextPolicy, Action::Compare]);
    let sequential = Drawn::Predicted(Policy::Sequential);
    assert_eq!(screen.model.what_if().mark(), Some(sequential));
    assert!(screen.text().contains("sequential is marked"));
    let screen = screen.press(&[Action::NextPolicy]);
    assert!(screen.text().contains("*sequential"), "{}", screen.text());
    let screen = screen.press(&[Action::Compare]);
    assert!(matches!(screen.model.overlay(), Some(Overlay::Compare(_))));
    assert!(screen.text().contains("all-at-once against sequential"));
    assert_eq!(screen.model.what_if().mark(), None);
    let screen = screen.press(&[Action::Close]);
    assert_eq!(screen.model.overlay(), None);
    assert_eq!(screen.model.drawn(), Drawn::Predicted(Policy::AllAtOnce));
}

#[test]
fn c_twice_on_one_schedule_and_escape_take_the_mark_off() {
    let screen = Screen::new(runs::triage(), SIZE);
    let screen = screen.press(&[Action::Compare, Action::Compare]);
    assert_eq!(screen.model.what_if().mark(), None);
    assert_eq!(screen.model.overlay(), None);
    let screen = screen.press(&[Action::Compare, Action::Close]);
    assert_eq!(screen.model.what_if().mark(), None);
}

#[test]
fn a_comparison_says_which_calls_moved_by_how_much_and_why() {
    let text = words(compared(runs::triage(), (160, 60)));
    // 1.2441 s as recorded; all at once the longest call alone, 823 ms.
    assert!(
        text.contains(
            "all-at-once is 421 ms shorter than recorded: 823 ms instead of 1.24 s (predicted)."
        ),
        "{text}"
    );
    assert!(text.contains("3 of 5 calls move."), "{text}");
    assert!(
        text.contains("starts 5.00 ms earlier, ends 5.00 ms earlier, does not wait (recorded: 5.00 ms for 1 code_read)"),
        "{text}"
    );
    assert!(
        text.contains("does not wait (recorded: 1.24 s for 3 run_tests, a barrier)"),
        "{text}"
    );
    assert_eq!(
        text.matches("the same").count(),
        1,
        "said once for each, joined here: {text}"
    );
}

#[test]
fn a_comparison_lists_the_races_that_come_and_those_that_go() {
    let screen = Screen::new(runs::invoices(), (120, 60)).press(&[Action::NextPolicy]);
    let screen = screen.press(&[Action::Compare, Action::NextPolicy, Action::Compare]);
    let text = words(screen);
    assert!(text.contains("Only under all-at-once: 3 races"), "{text}");
    assert!(
        text.contains("✗ lost update: 1 update_invoice → 2 charge_card on invoice:8123"),
        "{text}"
    );
    let back = [
        Action::PreviousPolicy,
        Action::PreviousPolicy,
        Action::Compare,
        Action::NextPolicy,
        Action::Compare,
    ];
    // The recording is all-at-once itself; under the sequential order nothing races.
    let text = words(
        Screen::new(runs::invoices(), (120, 60))
            .press(&[Action::NextPolicy])
            .press(&back[1..]),
    );
    assert!(text.contains("Gone under sequential: 3 races"), "{text}");
    let same = words(compared(runs::invoices(), (120, 60)));
    assert!(same.contains("The same races in both."), "{same}");
}

#[test]
fn two_upper_bounds_have_no_difference() {
    let bounded = |tool, from, to| call(tool, from, to).timed(Timing::Bound).reads("k");
    let run = || one_turn("", &[bounded("a", 0, 100_000), bounded("b", 0, 300_000)]);
    let screen = Screen::new(run(), SIZE).press(&[Action::NextPolicy]);
    let text = words(screen.press(&[Action::Compare, Action::NextPolicy, Action::Compare]));
    assert!(
        text.contains("all-at-once takes ≤ 300 ms, sequential ≤ 400 ms (predicted)"),
        "{text}"
    );
    assert!(!text.contains("shorter"), "{text}");
    assert!(text.contains("Durations are upper bounds"), "{text}");
    let recorded = words(compared(run(), SIZE));
    let unknown = "Whether the recording let a race through is unknown";
    assert!(
        recorded.contains(unknown) && !text.contains(unknown),
        "{recorded}"
    );
}

#[test]
fn an_unknown_duration_gives_no_shift() {
    let run = one_turn(
        "",
        &[
            call("a", 0, 0).timed(Timing::Unknown).writes("k"),
            call("b", 0, 50_000).writes("k"),
        ],
    );
    let screen = Screen::new(run, SIZE).press(&[Action::NextPolicy]);
    let text = words(screen.press(&[Action::Compare, Action::NextPolicy, Action::Compare]));
    assert!(
        text.contains("How much shorter or longer all-at-once is than sequential is unknown"),
        "{text}"
    );
    assert!(text.contains("before, that is not known"), "{text}");
    assert!(!text.contains("earlier"), "{text}");
}

#[test]
fn the_microseconds_of_a_runner_are_no_move() {
    let late = |tool, start| {
        let mut call = call(tool, start, 400_000 + start);
        call.reads = vec!["k"];
        call
    };
    let run = one_turn("all-at-once", &[late("a", 9), late("b", 40)]);
    let text = words(compared(run, SIZE));
    assert!(text.contains("None of 2 calls moves."), "{text}");
    assert!(text.contains("Shifts up to 400 µs are left out."), "{text}");
}

#[test]
fn a_turn_without_calls_has_nothing_to_compare() {
    let run = one_turn("staged", &[]);
    let screen = Screen::new(run, SIZE).press(&[Action::Compare]);
    assert!(screen.text().contains("no calls to compare"));
    assert_eq!(screen.model.what_if().mark(), None);
}

#[test]
fn a_comparison_follows_a_run_that_grows_and_goes_with_another() {
    let mut screen = compared(runs::invoices(), SIZE);
    let run = std::sync::Arc::clone(screen.model.run());
    let facts = Facts::at_first_sight(&run);
    let grown = Msg::Grown(run, Box::new(facts));
    assert_eq!(update(&mut screen.model, grown), Vec::<Cmd>::new());
    assert!(screen.text().contains("all-at-once against recorded"));
}

#[test]
fn the_what_if_and_the_comparison_look_like_this() {
    for (columns, rows) in [(40, 10), (80, 24), (120, 40), (200, 60)] {
        let size = (columns, rows);
        let name = format!("compare_{columns}x{rows}");
        insta::assert_snapshot!(name, frame(&compared(runs::triage(), size).buffer()));
        let screen = Screen::new(runs::triage(), size).press(&ALL_TURNS);
        let name = format!("all_turns_{columns}x{rows}");
        insta::assert_snapshot!(name, frame(&screen.buffer()));
    }
}

#[test]
fn nothing_of_a_hostile_file_reaches_a_comparison_as_a_control() {
    for size in [(40, 10), (80, 24), (120, 40), (200, 60)] {
        let mut screen = compared(runs::hostile(), size);
        for _ in 0..12 {
            for cell in screen.buffer().content() {
                let symbol = cell.symbol();
                assert!(!symbol.chars().any(char::is_control), "{symbol:?}");
                assert_eq!(turnlane::text::clean(symbol), symbol);
            }
            screen = screen.press(&[Action::PageDown]);
        }
    }
}

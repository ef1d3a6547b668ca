//! The whole run on one screen: a row a thread.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::Arc;

use support::agents::{self, Agents, bound, ran};
use support::runs;
use support::screen::{Screen, frame};
use turnlane::analyze::WhatIfOptions;
use turnlane::text;
use turnlane::trace::Run;
use turnlane::tui::keymap::Action;
use turnlane::tui::{Facts, Msg, Opened, Panel, Skin, update};

const SIZES: [(u16, u16); 4] = [(40, 10), (80, 24), (120, 40), (200, 60)];

fn shown(run: Run, size: (u16, u16)) -> Screen {
    Screen::new(run, size).press(&[Action::RunView])
}

fn overnight() -> Screen {
    shown(agents::overnight(), (120, 40))
}

/// The line that has `what` in it, from there on.
fn line(screen: &Screen, what: &str) -> String {
    // The header names a thread too.
    let lines = screen.lines().split_off(1);
    let found = lines.iter().find_map(|line| {
        let at = line.find(what)?;
        Some(line[at..].to_owned())
    });
    found.unwrap_or_else(|| panic!("no {what:?} in {lines:#?}"))
}

/// The row of a thread, from its name on.
fn thread_row(screen: &Screen, name: &str) -> String {
    line(screen, &format!(" {name} "))
}

/// The cell that a line's `what` begins in.
fn cell(screen: &Screen, what: &str) -> usize {
    let lines = screen.lines().split_off(1);
    let line = lines.iter().find(|line| line.contains(what));
    let line = line.unwrap_or_else(|| panic!("no {what:?} in {lines:#?}"));
    text::width(&line[..line.find(what).unwrap()])
}

/// Names of the threads that are listed, as they are indented.
fn listed(screen: &Screen) -> Vec<String> {
    let names = ["main", "explore", "look-up", "review"];
    let lines = screen.lines();
    let rows = lines.iter().filter_map(|line| {
        let name = names
            .iter()
            .find(|name| line.contains(&format!(" {name} ")))?;
        let is_row = line
            .trim_end_matches('│')
            .trim_end()
            .ends_with(|c: char| c.is_ascii_digit());
        is_row.then(|| (*name).to_owned())
    });
    rows.collect()
}

#[test]
fn v_shows_the_whole_run_and_v_again_the_turn() {
    let screen = Screen::new(agents::overnight(), (120, 40));
    assert!(!screen.model.shows_run());
    let screen = screen.press(&[Action::RunView]);
    assert!(screen.model.shows_run());
    assert_eq!(screen.model.focus(), Panel::Timeline);
    assert!(
        screen.text().contains("Run · 4 threads · 15 turns"),
        "{}",
        screen.text()
    );
    let screen = screen.press(&[Action::RunView]);
    assert!(!screen.model.shows_run());
    assert!(screen.text().contains("Turn "), "{}", screen.text());
}

#[test]
fn a_screen_with_one_panel_shows_the_run_in_it() {
    let screen = shown(agents::overnight(), (40, 10));
    assert!(
        screen.text().contains("Run · 4 threads"),
        "{}",
        screen.text()
    );
    assert!(screen.text().contains("model "), "{}", screen.text());
}

#[test]
fn sub_agents_stand_indented_under_the_thread_that_started_them() {
    let screen = overnight();
    assert_eq!(listed(&screen), ["main", "explore", "look-up", "review"]);
    let at = |name: &str| cell(&screen, &format!(" {name} "));
    assert_eq!(at("explore"), at("review"));
    assert!(at("main") < at("explore"));
    assert!(at("explore") < at("look-up"));
}

#[test]
fn folded_sub_agents_are_counted_in_the_row_of_the_thread_that_started_them() {
    let screen = overnight().press(&[Action::First, Action::FoldAgents]);
    assert_eq!(listed(&screen), ["main"]);
    let row = line(&screen, "main +3");
    assert!(
        row.trim_end_matches('│').trim_end().ends_with("9 + 8"),
        "{row}"
    );
    let screen = screen.press(&[Action::FoldAgents]);
    assert_eq!(listed(&screen), ["main", "explore", "look-up", "review"]);
}

#[test]
fn folding_from_a_sub_agent_leads_to_the_thread_that_started_it() {
    let screen = overnight().press(&[Action::First, Action::Down, Action::Down]);
    assert_eq!(screen.model.thread_name(), "look-up");
    let screen = screen.press(&[Action::FoldAgents]);
    assert_eq!(screen.model.thread_name(), "explore");
    assert_eq!(listed(&screen), ["main", "explore", "review"]);
}

#[test]
fn a_thread_that_is_selected_elsewhere_is_listed_again() {
    let screen = overnight().press(&[Action::First, Action::FoldAgents, Action::NextThread]);
    assert_eq!(screen.model.thread_name(), "explore");
    assert_eq!(listed(&screen).len(), 4);
}

#[test]
fn a_night_is_folded_to_a_few_cells_with_its_length() {
    let screen = overnight();
    assert!(screen.text().contains("⋯ 12 h"), "{}", screen.text());
    // The morning has a good part of the axis, which on a linear one would be no cell at all.
    let main = thread_row(&screen, "main");
    assert!(main.matches('⋯').count() <= 8, "{main}");
    assert!(main.matches('▒').count() >= 8, "{main}");
    let wide = shown(agents::overnight(), (200, 60));
    let axis = line(&wide, "⋯ 12 h");
    assert!(axis.contains("12 h 03 min 30 s"), "{axis}");
}

#[test]
fn every_part_has_a_shape_of_its_own_with_and_without_blocks() {
    let main = thread_row(&overnight(), "main");
    for sign in ["▒", "█", "▓", "◆", "⋯"] {
        assert!(main.contains(sign), "{sign} {main}");
    }
    let ascii = Screen::with_skin(agents::overnight(), (120, 40), Skin::mono().ascii());
    let ascii = ascii.press(&[Action::RunView]);
    let main = thread_row(&ascii, "main");
    for sign in [":", "#", "=", "@", "~"] {
        assert!(main.contains(sign), "{sign} {main}");
    }
    for text in ascii.lines() {
        assert!(text.is_ascii(), "{text}");
    }
}

#[test]
fn the_legend_says_how_much_of_the_wall_each_part_took_and_what_is_only_a_bound() {
    let screen = overnight().press(&[Action::First]);
    let legend = line(&screen, "▒ model");
    assert!(legend.contains("▓ tools ≤ "), "{legend}");
    assert!(legend.contains("◆ you "), "{legend}");
    let text = screen.text();
    assert!(text.contains("unattributed >99%"), "{text}");
    assert!(text.contains("wall 12 h"), "{text}");
    // The sub-agent's own legend has no bound in it and another wall.
    let screen = screen.press(&[Action::Down]);
    let legend = line(&screen, "▒ model");
    assert!(legend.contains("█ tools "), "{legend}");
    assert!(!legend.contains('≤'), "{legend}");
    assert!(legend.contains("wall 58.0 s"), "{legend}");
}

#[test]
fn shares_that_are_printed_add_up_to_no_more_than_all_of_the_wall() {
    for run in [
        agents::overnight(),
        runs::triage(),
        runs::states(),
        runs::invoices(),
    ] {
        let threads = run.threads.len();
        let mut screen = shown(run, (200, 60));
        for _ in 0..threads {
            let legend = line(&screen, "▒ model");
            let shares = legend.split('%').filter_map(|before| {
                let number = before.rsplit(' ').next()?;
                number
                    .trim_start_matches(['<', '>', '≤'])
                    .parse::<u32>()
                    .ok()
                    .map(|n| {
                        // Less than one is nothing whole, more than 99 is 99 and something.
                        if number.starts_with('<') { 0 } else { n }
                    })
            });
            let sum: u32 = shares.sum();
            assert!((99..=100).contains(&sum), "{sum} {legend}");
            screen = screen.press(&[Action::NextThread]);
        }
    }
}

#[test]
fn calls_that_share_a_cell_are_counted_and_one_that_is_short_is_seen() {
    let mut agents = Agents::new();
    for n in 0..40u64 {
        let at = n * 10_000;
        let calls: Vec<_> = (0..n % 4)
            .map(|_| ("read", ran(at + 9_000, at + 9_000, at + 9_001)))
            .collect();
        agents.turn(0, Some((at, at + 9_000)), &calls);
    }
    // Forty turns over fewer cells than that, so some cells hold two turns.
    let screen = shown(agents.run, (80, 24)).press(&[Action::First]);
    let row = thread_row(&screen, "main");
    for sign in ["▃", "▒"] {
        assert!(row.contains(sign), "{sign} {row}");
    }
    // Zoomed in on the one call of the second turn it is a stroke in the model's time.
    let closer = [Action::PanRight, Action::FitSelection];
    let screen = screen.press(&closer);
    let row = thread_row(&screen, "main");
    assert!(row.contains('▏') || row.contains('▉'), "{row}");
}

#[test]
fn up_and_down_move_between_threads_and_stay_at_the_time_of_the_mark() {
    let mut screen = overnight().press(&[Action::First]);
    for (name, turn) in [("explore", 2), ("look-up", 1), ("review", 6), ("review", 6)] {
        screen = screen.press(&[Action::Down]);
        assert_eq!(screen.model.thread_name(), name);
        assert_eq!(screen.model.turn_number(), Some(turn));
    }
    // Into the second turn of main, where the sub-agents were, and down again.
    let screen = screen.press(&[Action::First, Action::PanLeft, Action::PanLeft]);
    let screen = screen.press(&[Action::PanLeft; 8]);
    assert_eq!(screen.model.turn_number(), Some(1));
    // The third turn is further away than a quarter of the screen: the mark stops before it.
    let screen = screen.press(&[Action::PanRight, Action::PanRight]);
    assert_eq!(screen.model.turn_number(), Some(2));
    let mark = cell(&screen, "▼");
    let screen = screen.press(&[Action::Down]);
    assert_eq!(screen.model.thread_name(), "explore");
    assert_eq!(screen.model.turn_number(), Some(1));
    assert_eq!(cell(&screen, "▼"), mark);
    let screen = screen.press(&[Action::Down, Action::Down, Action::Up, Action::First]);
    assert_eq!(screen.model.turn_number(), Some(2));
    assert_eq!(cell(&screen, "▼"), mark);
}

#[test]
fn right_and_left_go_from_turn_to_turn_and_enter_opens_the_one_that_is_marked() {
    let screen = overnight().press(&[Action::First]);
    let mut screen = screen.press(&[Action::PanLeft; 20]);
    let mut seen = vec![screen.model.turn_number().unwrap()];
    for _ in 0..20 {
        screen = screen.press(&[Action::PanRight]);
        seen.push(screen.model.turn_number().unwrap());
    }
    assert!(seen.is_sorted(), "{seen:?}");
    seen.dedup();
    assert_eq!(seen, [1, 2, 3, 4, 5, 6]);
    assert!(screen.text().contains("turn 6 ▼") || screen.text().contains("▼ turn 6"));
    let screen = screen.press(&[Action::PanLeft; 4]);
    let turn = screen.model.turn_number().unwrap();
    let screen = screen.press(&[Action::Open]);
    assert!(!screen.model.shows_run());
    assert!(
        screen.text().contains(&format!("Turn {turn} ")),
        "{}",
        screen.text()
    );
    assert!(screen.model.overlay().is_none());
}

#[test]
fn the_mark_stands_over_the_begin_of_the_selected_turn_and_moves_right() {
    let mut screen = overnight()
        .press(&[Action::First])
        .press(&[Action::PanLeft; 20]);
    let mut last = cell(&screen, "▼");
    for _ in 0..5 {
        screen = screen.press(&[Action::PanRight]);
        let here = cell(&screen, "▼");
        assert!(here > last, "{}", screen.text());
        last = here;
    }
}

#[test]
fn zooming_is_about_the_mark_and_esc_shows_everything_again_and_then_the_turn() {
    let screen = overnight().press(&[Action::First, Action::ZoomIn, Action::ZoomIn]);
    assert!(screen.model.is_run_zoomed());
    assert!(screen.text().contains('▼'), "{}", screen.text());
    assert!(screen.text().contains(" of 12 h"), "{}", screen.text());
    let out = screen.press(&[Action::ZoomOut, Action::ZoomOut]);
    assert!(!out.model.is_run_zoomed());
    let screen = out.press(&[Action::ZoomIn, Action::Fit]);
    assert!(!screen.model.is_run_zoomed());
    let screen = screen.press(&[Action::ZoomIn, Action::Close]);
    assert!(!screen.model.is_run_zoomed() && screen.model.shows_run());
    let screen = screen.press(&[Action::Close]);
    assert!(!screen.model.shows_run());
}

#[test]
fn the_axis_can_be_zoomed_to_nanoseconds_and_the_mark_stays_on_it() {
    let mut screen = overnight().press(&[Action::First]);
    for _ in 0..60 {
        screen = screen.press(&[Action::ZoomIn]);
        assert!(screen.text().contains('▼'), "{}", screen.text());
    }
    assert!(screen.text().contains(" ns of "), "{}", screen.text());
    for _ in 0..60 {
        screen = screen.press(&[Action::PanRight]);
        assert!(screen.text().contains('▼'), "{}", screen.text());
    }
}

#[test]
fn the_zoomed_run_goes_along_with_a_turn_that_is_selected_elsewhere() {
    let screen = overnight()
        .press(&[Action::First])
        .press(&[Action::PanLeft; 20]);
    let screen = screen.press(&[Action::ZoomIn, Action::ZoomIn, Action::ZoomIn]);
    let screen = screen.press(&[Action::PreviousPanel, Action::Last]);
    assert_eq!(screen.model.turn_number(), Some(6));
    assert!(screen.text().contains('▼'), "{}", screen.text());
}

#[test]
fn z_shows_no_more_than_the_selected_turn_needs() {
    let screen = overnight()
        .press(&[Action::First])
        .press(&[Action::PanLeft; 20]);
    let screen = screen.press(&[Action::PanRight, Action::FitSelection]);
    let row = thread_row(&screen, "main");
    assert!(screen.model.is_run_zoomed());
    assert!(row.contains('▒') && row.contains('█'), "{row}");
    assert!(!row.contains('⋯'), "{row}");
}

#[test]
fn the_minimap_marks_what_is_on_the_screen_of_the_run() {
    let screen = Screen::new(agents::overnight(), (120, 40));
    let map = line(&screen, " run ");
    let inside = map
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    let inside = inside.unwrap_or_else(|| panic!("{map}")).0;
    assert!(!inside.is_empty(), "{map}");
    assert!(map.contains('⋯'), "{map}");
    let whole = screen.press(&[Action::RunView]);
    assert!(!line(&whole, " run ").contains('['), "{}", whole.text());
    let zoomed = whole.press(&[Action::ZoomIn]);
    assert!(line(&zoomed, " run ").contains('['), "{}", zoomed.text());
}

#[test]
fn a_panel_with_little_room_has_no_minimap() {
    for size in [(80, 24), (40, 10), (59, 40)] {
        let screen = Screen::new(agents::overnight(), size).press(&[Action::NextPanel]);
        let text = screen.text();
        assert!(!text.contains("│ run  "), "{size:?} {text}");
    }
}

#[test]
fn threads_without_times_are_listed_and_nothing_of_them_is_zero() {
    let screen = shown(agents::untimed(), (120, 40)).press(&[Action::First]);
    assert_eq!(listed(&screen).len(), 4);
    let text = screen.text();
    assert!(text.contains("no times"), "{text}");
    assert!(text.contains("model unknown"), "{text}");
    assert!(text.contains("tools unknown"), "{text}");
    assert!(text.contains("wall unknown"), "{text}");
    assert!(!line(&screen, "model unknown").contains('%'), "{text}");
    // Turns can be gone through all the same.
    let screen = screen.press(&[Action::PanLeft; 6]);
    let screen = screen.press(&[Action::PanRight, Action::PanRight]);
    assert_eq!(screen.model.turn_number(), Some(3));
}

#[test]
fn the_selection_and_the_fold_stay_where_they_were_when_the_run_grows() {
    let mut agents = Agents::new();
    agents.run = agents::overnight();
    let mut screen = overnight().press(&[Action::First, Action::Down, Action::Down]);
    screen = screen.press(&[Action::FoldAgents, Action::ZoomIn, Action::ZoomIn]);
    let before = thread_row(&screen, "explore");
    let later = 12 * 3_600_000 + 300_000;
    agents.turn(
        0,
        Some((later, later + 2_000)),
        &[("read", bound(later + 2_000, later + 3_000))],
    );
    let facts = Facts::of(&agents.run, &WhatIfOptions::default());
    update(
        &mut screen.model,
        Msg::Grown(Arc::new(agents.run), Box::new(facts)),
    );
    assert_eq!(screen.model.thread_name(), "explore");
    assert_eq!(listed(&screen), ["main", "explore", "review"]);
    assert!(screen.model.is_run_zoomed() && screen.model.shows_run());
    assert!(screen.text().contains("16 turns"), "{}", screen.text());
    assert_eq!(
        thread_row(&screen, "explore").matches('▒').count() > 0,
        before.contains('▒')
    );
    assert!(screen.text().contains('▼'), "{}", screen.text());
}

#[test]
fn another_run_starts_with_nothing_folded_or_zoomed() {
    let mut screen = overnight().press(&[Action::First, Action::FoldAgents, Action::ZoomIn]);
    let run = agents::overnight();
    let facts = Facts::of(&run, &WhatIfOptions::default());
    let opened = Opened {
        run: Arc::new(run),
        file: "other.jsonl".to_owned(),
        facts,
    };
    update(&mut screen.model, Msg::Opened(Box::new(opened)));
    assert!(!screen.model.is_run_zoomed());
    assert_eq!(listed(&screen).len(), 4);
}

#[test]
fn a_deep_and_wide_tree_of_threads_is_listed_and_scrolls() {
    let mut agents = Agents::new();
    agents.turn(0, Some((0, 100)), &[("task", ran(100, 100, 90_000))]);
    for n in 0..300u32 {
        let thread = agents.thread(&format!("agent-{n}"), Some((n, 1, 0)));
        let at = 200 + u64::from(n) * 10;
        agents.turn(
            thread,
            Some((at, at + 5)),
            &[("task", ran(at + 5, at + 5, 80_000))],
        );
    }
    let screen = shown(agents.run, (100, 30)).press(&[Action::Last]);
    assert_eq!(screen.model.thread_name(), "agent-299");
    assert!(screen.text().contains("agent-299"), "{}", screen.text());
    let screen = screen.press(&[Action::First, Action::FoldAgents]);
    assert!(screen.text().contains("main +300"), "{}", screen.text());
}

#[test]
fn the_run_looks_the_same_as_before_at_every_size() {
    for (columns, rows) in SIZES {
        let screen = shown(agents::overnight(), (columns, rows)).press(&[Action::First]);
        insta::assert_snapshot!(format!("run_{columns}x{rows}"), frame(&screen.buffer()));
    }
}

#[test]
fn a_zoomed_run_and_one_without_blocks_look_the_same_as_before() {
    let zoomed = overnight().press(&[Action::First, Action::Down, Action::ZoomIn, Action::ZoomIn]);
    insta::assert_snapshot!("zoomed_120x40", frame(&zoomed.buffer()));
    let ascii = Screen::with_skin(agents::overnight(), (120, 40), Skin::mono().ascii());
    let ascii = ascii.press(&[Action::RunView, Action::First, Action::FoldAgents]);
    insta::assert_snapshot!("ascii_120x40", frame(&ascii.buffer()));
    let map = Screen::new(agents::overnight(), (200, 60));
    insta::assert_snapshot!("minimap_200x60", frame(&map.buffer()));
}

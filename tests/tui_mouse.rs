//! The mouse: what lies under the pointer is what is meant.
#![cfg(feature = "tui")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::PathBuf;

use crossterm::event::{Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::style::Modifier;
use support::agents;
use support::listing::fill;
use support::runs::{self, Recording};
use support::screen::Screen;
use turnlane::tui::keymap::{Action, Keymap, Mode};
use turnlane::tui::{Cmd, Drawn, LaneBy, Msg, Overlay, Panel, Wish, update};

const SIZE: (u16, u16) = (120, 40);
const LEFT: MouseButton = MouseButton::Left;

fn triage() -> Screen {
    Screen::new(runs::triage(), SIZE)
}

fn send(screen: &mut Screen, kind: MouseEventKind, at: (u16, u16)) -> Vec<Cmd> {
    held(screen, kind, at, KeyModifiers::NONE)
}

fn held(
    screen: &mut Screen,
    kind: MouseEventKind,
    at: (u16, u16),
    modifiers: KeyModifiers,
) -> Vec<Cmd> {
    let (column, row) = at;
    let event = MouseEvent {
        kind,
        column,
        row,
        modifiers,
    };
    update(&mut screen.model, Msg::Mouse(event))
}

fn click(screen: &mut Screen, at: (u16, u16)) -> Vec<Cmd> {
    let commands = send(screen, MouseEventKind::Down(LEFT), at);
    send(screen, MouseEventKind::Up(LEFT), at);
    commands
}

/// The first cell of a text on the screen.
fn find(screen: &Screen, text: &str) -> (u16, u16) {
    let lines = screen.lines();
    let place = lines.iter().zip(0..).find_map(|(line, row)| {
        let at = line.find(text)?;
        let column = line[..at].chars().count();
        Some((u16::try_from(column).unwrap(), row))
    });
    place.unwrap_or_else(|| panic!("no {text:?} in\n{}", lines.join("\n")))
}

#[test]
fn the_mouse_is_off_until_it_is_asked_for_and_goes_back_with_the_same_key() {
    let mut screen = triage();
    let toggle = |screen: &mut Screen| update(&mut screen.model, Msg::Do(Action::Mouse));
    assert_eq!(toggle(&mut screen), [Cmd::Mouse(true)]);
    assert!(screen.text().contains("m gives it back"));
    assert_eq!(toggle(&mut screen), [Cmd::Mouse(false)]);
    assert!(screen.text().contains("text can be selected"));
}

#[test]
fn mere_motion_is_no_message() {
    let event = Event::Mouse(MouseEvent {
        kind: MouseEventKind::Moved,
        column: 3,
        row: 3,
        modifiers: KeyModifiers::NONE,
    });
    assert!(Keymap::default().msg(&event, Mode::Panels).is_none());
}

#[test]
fn a_click_selects_a_turn_a_call_or_a_policy_and_gives_its_panel_the_keys() {
    let mut screen = triage();
    let at = find(&screen, "▶ 12");
    click(&mut screen, (at.0 + 2, at.1 - 1));
    assert_eq!(screen.model.turn_number(), Some(11));
    click(&mut screen, at);
    assert_eq!(screen.model.turn_number(), Some(12));
    assert_eq!(screen.model.focus(), Panel::Turns);
    let at = find(&screen, "2 code_patch");
    click(&mut screen, at);
    assert_eq!(screen.model.selected_call(), 2);
    assert_eq!(screen.model.focus(), Panel::Timeline);
    let at = find(&screen, "staged  ");
    click(&mut screen, at);
    assert!(matches!(screen.model.drawn(), Drawn::Predicted(p) if p.name() == "staged"));
    assert_eq!(screen.model.focus(), Panel::WhatIf);
}

#[test]
fn a_click_beside_everything_changes_nothing() {
    let mut screen = triage();
    let before = screen.text();
    for at in [(0, 0), (5, 1), (0, 3), (119, 39), (33, 10), (500, 500)] {
        assert!(click(&mut screen, at).is_empty());
    }
    assert_eq!(screen.text(), before);
}

#[test]
fn the_wheel_moves_through_what_is_under_it() {
    let mut screen = triage();
    let turns = find(&screen, "▶ 12");
    send(&mut screen, MouseEventKind::ScrollDown, turns);
    assert_eq!(screen.model.turn_number(), Some(13));
    send(&mut screen, MouseEventKind::ScrollUp, turns);
    assert_eq!(screen.model.turn_number(), Some(12));
    let calls = find(&screen, "0 code_read");
    send(&mut screen, MouseEventKind::ScrollDown, calls);
    assert_eq!(screen.model.selected_call(), 1);
}

/// The left edge of the axis and the row that it is on.
fn axis(screen: &Screen) -> (u16, u16) {
    let row = find(screen, "0 code_read").1 - 1;
    let line = &screen.lines()[usize::from(row)];
    let at = line.find(" 0 ").unwrap() + 1;
    (u16::try_from(line[..at].chars().count()).unwrap(), row)
}

#[test]
fn the_wheel_on_the_axis_zooms_about_the_pointer_and_so_does_control() {
    let mut screen = triage();
    let axis = axis(&screen);
    send(&mut screen, MouseEventKind::ScrollUp, (axis.0 + 5, axis.1));
    assert!(screen.model.is_zoomed());
    send(
        &mut screen,
        MouseEventKind::ScrollDown,
        (axis.0 + 5, axis.1),
    );
    assert!(!screen.model.is_zoomed());
    let lane = (axis.0 + 5, axis.1 + 1);
    held(
        &mut screen,
        MouseEventKind::ScrollUp,
        lane,
        KeyModifiers::CONTROL,
    );
    assert!(screen.model.is_zoomed());
    assert_eq!(screen.model.selected_call(), 0);
}

#[test]
fn dragging_over_the_bars_marks_a_part_of_time_and_zooms_to_it() {
    let mut screen = triage();
    let (left, row) = axis(&screen);
    send(
        &mut screen,
        MouseEventKind::Down(LEFT),
        (left + 16, row + 2),
    );
    send(
        &mut screen,
        MouseEventKind::Drag(LEFT),
        (left + 10, row + 9),
    );
    let buffer = screen.buffer();
    let marked = (0..SIZE.0).filter(|x| buffer[(*x, row)].modifier.contains(Modifier::REVERSED));
    assert_eq!(
        marked.collect::<Vec<_>>(),
        (left + 10..=left + 16).collect::<Vec<_>>()
    );
    send(&mut screen, MouseEventKind::Up(LEFT), (left + 10, row + 9));
    assert!(screen.model.is_zoomed());
    assert_eq!(screen.model.selected_call(), 1, "the call under the press");
    let buffer = screen.buffer();
    let marked = (0..SIZE.0).filter(|x| buffer[(*x, row)].modifier.contains(Modifier::REVERSED));
    assert_eq!(marked.count(), 0);
}

#[test]
fn a_part_that_is_too_long_to_come_closer_says_so() {
    let mut screen = triage();
    let (left, row) = axis(&screen);
    send(&mut screen, MouseEventKind::Down(LEFT), (left, row));
    send(&mut screen, MouseEventKind::Drag(LEFT), (119, row));
    send(&mut screen, MouseEventKind::Up(LEFT), (119, row));
    assert!(!screen.model.is_zoomed());
    assert!(screen.text().contains("as close as it fits"));
}

#[test]
fn a_press_that_goes_nowhere_does_not_zoom() {
    let mut screen = triage();
    let (left, row) = axis(&screen);
    click(&mut screen, (left + 10, row + 1));
    assert!(!screen.model.is_zoomed());
}

#[test]
fn in_a_lane_of_several_calls_the_one_under_the_pointer_is_selected() {
    let mut recording = Recording::new("keyed", "m");
    let call = |tool, from, to| runs::call(tool, from, to).writes("note:1");
    let calls = [call("a", 0, 100), call("b", 100, 200), call("c", 200, 300)];
    recording.turn(100, &calls);
    let screen = Screen::new(recording.run, SIZE);
    let mut screen = screen.press(&[Action::NextPanel, Action::Lanes]);
    assert_eq!(screen.model.lane_by(), LaneBy::Key);
    let row = find(&screen, "note:1").1;
    let line: Vec<char> = screen.lines()[usize::from(row)].chars().collect();
    let last = line.iter().rposition(|c| *c == '█').unwrap();
    click(&mut screen, (u16::try_from(last).unwrap(), row));
    assert_eq!(screen.model.selected_call(), 2);
    let name = find(&screen, "note:1");
    click(&mut screen, name);
    assert_eq!(screen.model.selected_call(), 0, "the lane's first");
}

#[test]
fn on_the_whole_run_a_click_selects_a_thread_and_its_turn_and_the_wheel_zooms() {
    let mut screen = Screen::new(agents::overnight(), SIZE).press(&[Action::RunView]);
    let main = screen.model.thread_name().to_owned();
    let other = find(&screen, "explore");
    click(&mut screen, other);
    assert_eq!(screen.model.thread_name(), "explore");
    assert_eq!(screen.model.focus(), Panel::Timeline);
    send(&mut screen, MouseEventKind::ScrollUp, other);
    assert_eq!(screen.model.thread_name(), main);
    // The first thread's line, at its left and at its right.
    let row = find(&screen, "▾ main").1;
    click(&mut screen, (50, row));
    assert_eq!(screen.model.turn_number(), Some(1));
    click(&mut screen, (90, row));
    assert!(screen.model.turn_number() >= Some(5));
    let ctrl = KeyModifiers::CONTROL;
    held(&mut screen, MouseEventKind::ScrollUp, (70, row), ctrl);
    assert!(screen.model.is_run_zoomed());
    held(&mut screen, MouseEventKind::ScrollDown, (70, row), ctrl);
    assert!(!screen.model.is_run_zoomed());
}

#[test]
fn in_the_list_of_sessions_a_click_selects_and_a_second_one_opens() {
    let mut screen = triage().press(&[Action::Sessions]);
    fill(&mut screen.model);
    let at = find(&screen, "mail ");
    assert!(click(&mut screen, at).is_empty());
    let open = click(&mut screen, at);
    let path = PathBuf::from("/home/me/.claude/projects/-home-me-work-mail/2.jsonl");
    assert_eq!(open, [Cmd::Sessions(Wish::Open(path))]);
    let below = (at.0, at.1 + 15);
    assert!(
        click(&mut screen, below).is_empty(),
        "below the last row is nothing"
    );
    send(&mut screen, MouseEventKind::ScrollUp, at);
    assert!(screen.text().contains("▶10 min"));
}

#[test]
fn an_overlay_keeps_the_mouse_from_the_panels_and_the_wheel_scrolls_it() {
    let mut screen = Screen::new(runs::triage(), (80, 20)).press(&[Action::Help]);
    click(&mut screen, (5, 10));
    assert_eq!(screen.model.overlay(), Some(&Overlay::Help { top: 0 }));
    send(&mut screen, MouseEventKind::ScrollDown, (5, 10));
    assert_eq!(screen.model.overlay(), Some(&Overlay::Help { top: 1 }));
}

#[test]
fn every_event_everywhere_at_every_size_is_harmless() {
    for size in [(0, 0), (33, 7), (40, 10), (80, 24), (120, 40)] {
        let mut screen = Screen::new(runs::triage(), size);
        for actions in [
            &[][..],
            &[Action::Sessions],
            &[Action::Lanes],
            &[Action::RunView],
        ] {
            screen = screen.press(actions);
            fill(&mut screen.model);
            for x in (0..size.0 + 10).step_by(7) {
                for y in (0..size.1 + 4).step_by(3) {
                    for kind in [
                        MouseEventKind::Down(LEFT),
                        MouseEventKind::Drag(LEFT),
                        MouseEventKind::ScrollUp,
                        MouseEventKind::ScrollLeft,
                        MouseEventKind::Down(MouseButton::Right),
                    ] {
                        send(&mut screen, kind, (x, y));
                    }
                    send(&mut screen, MouseEventKind::Up(LEFT), (x + 4, y));
                }
            }
            screen.buffer();
            screen = screen.press(&[Action::Close]);
        }
    }
}

//! Every key, once.

use crossterm::event::KeyCode;

use super::action::Action;
use super::binding::{Binding, Context, Group, Key};

const fn key(code: KeyCode) -> Key {
    Key { code, ctrl: false }
}

const fn chr(c: char) -> Key {
    key(KeyCode::Char(c))
}

const fn ctrl(c: char) -> Key {
    Key {
        code: KeyCode::Char(c),
        ctrl: true,
    }
}

const fn bind(
    group: Group,
    context: Context,
    keys: &'static [Key],
    label: &'static str,
    action: Action,
    help: &'static str,
) -> Binding {
    Binding {
        keys,
        label,
        action,
        help,
        context,
        group,
    }
}

use Context::{Always, Overlay, Panels, Text};
use Group::{Find, Move, Play, Program, Show, Time};

/// The table.
#[rustfmt::skip]
pub const KEYS: &[Binding] = &[
    bind(Move, Always, &[key(KeyCode::Up), chr('k')], "↑ k", Action::Up, "one up: a turn, a call or a policy"),
    bind(Move, Always, &[key(KeyCode::Down), chr('j')], "↓ j", Action::Down, "one down"),
    bind(Move, Always, &[key(KeyCode::PageUp), ctrl('b')], "PgUp", Action::PageUp, "a page up"),
    bind(Move, Always, &[key(KeyCode::PageDown), ctrl('f')], "PgDn", Action::PageDown, "a page down"),
    bind(Move, Always, &[key(KeyCode::Home), chr('g')], "Home g", Action::First, "to the first"),
    bind(Move, Always, &[key(KeyCode::End), chr('G')], "End G", Action::Last, "to the last"),
    bind(Move, Panels, &[key(KeyCode::Tab)], "Tab", Action::NextPanel, "to the next panel"),
    bind(Move, Panels, &[key(KeyCode::BackTab)], "Shift-Tab", Action::PreviousPanel, "to the panel before"),
    bind(Move, Panels, &[chr('n')], "n", Action::NextSeveral, "to the next match, or reply with several"),
    bind(Move, Panels, &[chr('N')], "N", Action::PreviousSeveral, "to the one before"),
    bind(Move, Panels, &[chr('t')], "t", Action::NextThread, "to the next thread"),
    bind(Find, Panels, &[chr('/')], "/", Action::Search, "search names, keys, arguments, answers"),
    bind(Find, Panels, &[chr('H')], "H", Action::NextHazard, "to the next hazard"),
    bind(Find, Panels, &[chr('F')], "F", Action::NextFailure, "to the next failure"),
    bind(Find, Panels, &[chr('M')], "M", Action::Widest, "to the widest turn"),
    bind(Find, Panels, &[chr('L')], "L", Action::LongestWait, "to the longest wait"),
    bind(Find, Panels, &[chr(']')], "]", Action::NextOfKind, "to the next of the kind last asked for"),
    bind(Find, Panels, &[chr('[')], "[", Action::PreviousOfKind, "to the one before"),
    bind(Find, Panels, &[key(KeyCode::Backspace)], "Backspace", Action::Back, "back to where a jump came from"),
    bind(Find, Panels, &[chr('J')], "J", Action::Places, "lists of jumps, marks and hazards"),
    bind(Find, Overlay, &[key(KeyCode::Tab)], "Tab", Action::NextPanel, "in these lists: the next list"),
    bind(Find, Panels, &[chr('B')], "B", Action::Mark, "mark the call, or take the mark away"),
    bind(Show, Panels, &[key(KeyCode::Enter)], "Enter", Action::Open, "the call in full; in the what-if: all turns"),
    bind(Show, Panels, &[chr('i')], "i", Action::WhatIf, "the what-if, or hide it"),
    bind(Show, Always, &[chr('p')], "p", Action::NextPolicy, "the next policy's schedule, as predicted"),
    bind(Show, Always, &[chr('P')], "P", Action::PreviousPolicy, "the policy before"),
    bind(Show, Panels, &[chr('o')], "o", Action::Lanes, "lanes by call, by key, by slot"),
    bind(Show, Panels, &[chr('v')], "v", Action::RunView, "the whole run, or the selected turn"),
    bind(Show, Panels, &[chr('x')], "x", Action::FoldAgents, "fold the sub-agents of a thread, or unfold"),
    bind(Show, Panels, &[chr('c')], "c", Action::Compare, "mark this schedule; on another: compare them"),
    bind(Show, Panels, &[chr('e')], "e", Action::Assume, "assume other slots, failures, declarations"),
    bind(Show, Overlay, &[key(KeyCode::Backspace)], "Backspace", Action::Reset, "assumptions: back to what the file says"),
    bind(Show, Overlay, &[chr('W')], "W", Action::Save, "assumptions: save them as a catalog"),
    bind(Show, Panels, &[chr('?'), key(KeyCode::F(1))], "?", Action::Help, "these keys"),
    bind(Show, Overlay, &[key(KeyCode::Enter), chr('z')], "Enter z", Action::Open, "fold here; in a list: take this one"),
    bind(Show, Overlay, &[chr('Z')], "Z", Action::FoldAll, "fold all of it, or unfold all"),
    bind(Show, Overlay, &[chr('D')], "D", Action::NextForm, "bodies as a diff, pretty, or raw"),
    bind(Show, Overlay, &[chr('O')], "O", Action::Page, "all of a body in the pager"),
    bind(Show, Always, &[chr('y')], "y", Action::Copy, "copy the call, an answer, a link"),
    bind(Show, Always, &[chr('X')], "X", Action::Blank, "blank all payloads, for a talk"),
    bind(Show, Overlay, &[chr('?'), chr('q')], "q", Action::Close, "close what is open"),
    bind(Show, Always, &[key(KeyCode::Esc)], "Esc", Action::Close, "close this; back to the recording"),
    bind(Show, Text, &[key(KeyCode::Enter)], "Enter", Action::Accept, "take the line, or open what is selected"),
    bind(Time, Panels, &[chr('w'), chr('+'), chr('=')], "w +", Action::ZoomIn, "closer, about the selected call"),
    bind(Time, Panels, &[chr('s'), chr('-')], "s -", Action::ZoomOut, "further away"),
    bind(Time, Panels, &[key(KeyCode::Left), chr('a'), chr('h')], "← a h", Action::PanLeft, "to earlier times"),
    bind(Time, Panels, &[key(KeyCode::Right), chr('d'), chr('l')], "→ d l", Action::PanRight, "to later times"),
    bind(Time, Panels, &[chr('0')], "0", Action::Fit, "the whole turn"),
    bind(Time, Panels, &[chr('z')], "z", Action::FitSelection, "as close as the selected call fits"),
    bind(Time, Panels, &[chr('<')], "<", Action::CursorLeft, "a cursor on the axis, a cell earlier"),
    bind(Time, Panels, &[chr('>')], ">", Action::CursorRight, "a cell later; + and - zoom about it"),
    bind(Play, Always, &[chr(' ')], "Space", Action::Play, "play what is drawn, or pause"),
    bind(Play, Always, &[chr(',')], ",", Action::StepBack, "back to the start or end before"),
    bind(Play, Always, &[chr('.')], ".", Action::StepOn, "on to the next start or end"),
    bind(Play, Overlay, &[key(KeyCode::Left), chr('h')], "← h", Action::PanLeft, "a race: back in time; else the choice before"),
    bind(Play, Overlay, &[key(KeyCode::Right), chr('l')], "→ l", Action::PanRight, "a race: on in time; else the next choice"),
    bind(Play, Always, &[chr('1')], "1", Action::SpeedReal, "as fast as it was"),
    bind(Play, Always, &[chr('2')], "2", Action::SpeedTen, "ten times as fast"),
    bind(Play, Always, &[chr('3')], "3", Action::SpeedHundred, "a hundred times as fast"),
    bind(Play, Always, &[chr('4')], "4", Action::SpeedFit, "all of it in ten seconds"),
    bind(Play, Always, &[chr('r')], "r", Action::Race, "race it against another policy"),
    bind(Play, Panels, &[chr('R')], "R", Action::Replay, "replay it with stand-ins, and measure"),
    bind(Play, Panels, &[chr('f')], "f", Action::Follow, "follow a file that grows, or stop"),
    bind(Program, Panels, &[chr('S')], "S", Action::Sessions, "the sessions on this machine; type to filter"),
    bind(Program, Always, &[chr('m')], "m", Action::Mouse, "take the mouse, or give it back"),
    bind(Program, Always, &[ctrl('t')], "Ctrl-T", Action::NextTheme, "other colours"),
    bind(Program, Panels, &[chr('q')], "q", Action::Quit, "quit"),
    bind(Program, Always, &[ctrl('c')], "Ctrl-C", Action::Quit, "quit from anywhere"),
    bind(Program, Always, &[ctrl('z')], "Ctrl-Z", Action::Suspend, "back to the shell; `fg` returns"),
    bind(Program, Always, &[ctrl('l')], "Ctrl-L", Action::Redraw, "draw everything anew"),
];

//! Which part of the state a message is for.

use super::{
    assumptions, blank, compare, copy, detail, follow, help, jump, mouse, places, play, race,
    replay, run, search, sessions, timeline, turns, what_if,
};
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::{Model, Overlay, Panel};
use crate::tui::msg::{Cmd, Msg};
use crate::tui::report::Drawn;

/// What has to be done outside before anything has happened.
pub fn begin(model: &mut Model) -> Vec<Cmd> {
    let mut commands = Vec::new();
    if model.is_unjudged() {
        commands.push(Cmd::Judge);
    }
    commands.extend(model.first_command());
    if model.mouse.on {
        commands.push(Cmd::Mouse(true));
    }
    if model.overlay == Some(Overlay::Sessions) {
        commands.extend(sessions::open(model));
    }
    commands
}

/// Takes one message in and says what has to be done outside.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Cmd> {
    let mut commands = take_in(model, msg);
    commands.extend(sessions::wanted(model));
    commands.extend(search::renew(model));
    commands.extend(blank::judge(model));
    commands
}

fn take_in(model: &mut Model, msg: Msg) -> Vec<Cmd> {
    let mut commands = Vec::new();
    match msg {
        Msg::Resize(columns, rows) => {
            model.size = (columns, rows);
            detail::compose(model);
            compare::compose(model);
            assumptions::resized(model);
        }
        Msg::Loaded { call, args, answer } => {
            commands.extend(copy::loaded(model, call, &args, &answer));
            detail::loaded(model, call, args, answer);
        }
        Msg::Found(found) => search::found(model, found),
        Msg::Surveyed { id, survey } => jump::surveyed(model, id, *survey),
        Msg::Judged(run, facts) => blank::judged(model, &run, *facts),
        Msg::Notice(text) => model.notice = Some(text),
        Msg::Opened(opened) => {
            commands = follow::leave(model);
            commands.extend(search::clear(model));
            model.opened(*opened);
            commands.extend(model.is_unjudged().then_some(Cmd::Judge));
            return commands;
        }
        Msg::Grown(run, facts) => {
            commands.extend(assumptions::grown(model, run, *facts));
            return commands;
        }
        Msg::Replay(id, news) => replay::news(model, id, &news),
        Msg::Follow(id, news) => commands = follow::news(model, id, news),
        Msg::Assumed { id, answer } => {
            commands.extend(assumptions::assumed(model, id, answer));
            return commands;
        }
        Msg::ArgNames(names) => assumptions::arg_names(model, names),
        Msg::Saved(path, result) => assumptions::saved(model, &path, result),
        Msg::Tick(passed) => play::tick(model, passed),
        Msg::Sessions(listing) => return sessions::listing(model, listing),
        Msg::Mouse(event) => return mouse::act(model, event),
        Msg::Edit(request) => match model.overlay {
            Some(Overlay::Sessions) => sessions::edit(model, request),
            Some(Overlay::Search) => search::edit(model, request),
            _ => assumptions::typed(model, request),
        },
        Msg::Paste(text) => match model.overlay {
            Some(Overlay::Sessions) => sessions::paste(model, &text),
            Some(Overlay::Search) => search::paste(model, &text),
            _ => assumptions::pasted(model, &text),
        },
        Msg::Do(action) => {
            model.notice = None;
            model.touched = true;
            model.follow.asked &= action == Action::Quit;
            if action != Action::Replay {
                model.replays.asked = None;
            }
            jump::moved_on(model);
            return act(model, action);
        }
    }
    model.keep_in_view();
    commands
}

pub(super) fn act(model: &mut Model, action: Action) -> Vec<Cmd> {
    let mut commands = Vec::new();
    // Enter takes what is selected; where nothing is, it closes.
    let action = match (action, &model.overlay) {
        (
            Action::Open,
            Some(
                Overlay::Help { .. }
                | Overlay::Race(_)
                | Overlay::Assumptions(_)
                | Overlay::Compare(_),
            ),
        ) => Action::Close,
        (action, _) => action,
    };
    match action {
        Action::Quit => commands.extend(follow::quit(model)),
        Action::Suspend => return vec![Cmd::Suspend],
        Action::Redraw => return vec![Cmd::Redraw],
        Action::Mouse => return vec![mouse::toggle(model)],
        Action::NextTheme => model.next_theme(),
        Action::Close if model.overlay == Some(Overlay::Sessions) => return sessions::close(model),
        Action::Close => {
            commands.extend(replay::cancel(model));
            commands.extend(close(model));
        }
        Action::Blank => commands = blank::toggle(model),
        Action::Copy => copy::open(model),
        _ => match model.overlay {
            Some(Overlay::Help { .. }) => help::act(model, action),
            Some(Overlay::Race(_)) => race::act(model, action),
            Some(Overlay::Compare(_)) => compare::act(model, action),
            Some(Overlay::Assumptions(_)) => {
                return assumptions::act(model, action).into_iter().collect();
            }
            Some(Overlay::Sessions) => return sessions::act(model, action),
            Some(Overlay::Detail(_)) => commands.extend(detail::act(model, action)),
            Some(Overlay::Search) => commands.extend(search::act(model, action)),
            Some(Overlay::Places(_)) => places::act(model, action),
            Some(Overlay::Copy(_)) => commands.extend(copy::act(model, action)),
            None => return act_on_panels(model, action),
        },
    }
    model.keep_in_view();
    commands
}

/// Closes the top thing: a line that is typed, an overlay, what is played, the search, the whole
/// run, the time cursor, else a prediction on the timeline.
fn close(model: &mut Model) -> Option<Cmd> {
    if assumptions::stop_typing(model) {
        return None;
    }
    if matches!(model.overlay, Some(Overlay::Copy(_))) {
        copy::close(model);
    } else if model.overlay.take().is_none() && model.player.clock.take().is_none() {
        if model.find.search.is_some() {
            return search::clear(model);
        }
        if !run::close(model) && model.timeline.cursor.take().is_none() {
            model.drawn = Drawn::Recorded;
            model.zoom = None;
            model.what_if.mark = None;
        }
    }
    None
}

fn act_on_panels(model: &mut Model, action: Action) -> Vec<Cmd> {
    let mut commands = Vec::new();
    if play::act(model, action) {
        return commands;
    }
    match action {
        Action::Race => race::open(model),
        Action::Replay => commands.extend(replay::start(model)),
        Action::Follow => commands.push(follow::toggle(model)),
        Action::Help => model.overlay = Some(Overlay::Help { top: 0 }),
        Action::RunView => run::toggle(model),
        Action::FoldAgents => run::fold(model),
        Action::Open if model.is_run_focused() => run::open(model),
        Action::Open if model.focus == Panel::WhatIf => what_if::turn_or_all(model),
        Action::Assume => commands.extend(assumptions::open(model)),
        Action::Compare => compare::mark_or_open(model),
        Action::Open => commands.extend(detail::open(model)),
        Action::Sessions => commands.extend(sessions::open(model)),
        Action::NextPanel => model.focus = neighbour(model, 1),
        Action::PreviousPanel => model.focus = neighbour(model, -1),
        Action::WhatIf => toggle_what_if(model),
        Action::NextPolicy => what_if::step(model, 1),
        Action::PreviousPolicy => what_if::step(model, -1),
        Action::Search => search::open(model),
        Action::NextSeveral if model.find.search.is_some() => search::step(model, true),
        Action::PreviousSeveral if model.find.search.is_some() => search::step(model, false),
        Action::NextHazard
        | Action::NextFailure
        | Action::Widest
        | Action::LongestWait
        | Action::NextOfKind
        | Action::PreviousOfKind => commands.extend(jump::act(model, action)),
        Action::Back => jump::back(model),
        Action::Places => commands.extend(places::open(model)),
        Action::Mark => jump::mark(model),
        Action::NextSeveral => turns::next_several(model),
        Action::PreviousSeveral => turns::previous_several(model),
        Action::NextThread => turns::next_thread(model),
        Action::ZoomIn
        | Action::ZoomOut
        | Action::PanLeft
        | Action::PanRight
        | Action::Fit
        | Action::FitSelection
        | Action::CursorLeft
        | Action::CursorRight
            if model.run_view.shown =>
        {
            run::look(model, action);
        }
        Action::ZoomIn
        | Action::ZoomOut
        | Action::PanLeft
        | Action::PanRight
        | Action::Fit
        | Action::FitSelection => timeline::look(model, action),
        Action::CursorLeft => timeline::point(model, -1),
        Action::CursorRight => timeline::point(model, 1),
        Action::Lanes => timeline::next_lanes(model),
        _ => match model.focus {
            Panel::Turns => turns::act(model, action),
            Panel::Timeline if model.run_view.shown => run::act(model, action),
            Panel::Timeline => timeline::act(model, action),
            Panel::WhatIf => what_if::act(model, action),
        },
    }
    model.keep_in_view();
    commands
}

/// The next panel in the order of Tab, of those that are shown.
fn neighbour(model: &Model, step: isize) -> Panel {
    const ALL: [Panel; 3] = [Panel::Turns, Panel::Timeline, Panel::WhatIf];
    let what_if = model.what_if.shown || layout::one_at_a_time(model.size);
    let shown = if what_if { &ALL[..] } else { &ALL[..2] };
    let at = shown.iter().position(|panel| *panel == model.focus);
    let len = shown.len().cast_signed();
    let next = (at.unwrap_or(0).cast_signed() + step).rem_euclid(len);
    shown[next.cast_unsigned()]
}

/// Shows or hides the what-if; where one panel fills the screen, goes to it or back.
fn toggle_what_if(model: &mut Model) {
    let there = model.focus == Panel::WhatIf;
    if layout::one_at_a_time(model.size) {
        model.focus = if there {
            Panel::Timeline
        } else {
            Panel::WhatIf
        };
        return;
    }
    model.what_if.shown = !model.what_if.shown;
    if there {
        model.focus = Panel::Timeline;
    }
}

/// A place in a list after an action that moves; `None` for any other action.
pub(super) fn moved(at: usize, len: usize, page: usize, action: Action) -> Option<usize> {
    let last = len.saturating_sub(1);
    let page = page.saturating_sub(1).max(1);
    Some(match action {
        Action::Up => at.saturating_sub(1),
        Action::Down => at.saturating_add(1).min(last),
        Action::PageUp => at.saturating_sub(page),
        Action::PageDown => at.saturating_add(page).min(last),
        Action::First => 0,
        Action::Last => last,
        _ => return None,
    })
}

/// The first visible line of a text after an action that moves.
pub(super) fn scrolled(top: usize, lines: usize, rows: usize, action: Action) -> Option<usize> {
    let last = lines.saturating_sub(rows);
    moved(top, last + 1, rows, action)
}

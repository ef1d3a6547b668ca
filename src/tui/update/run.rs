//! The whole run: moving between threads and turns, zooming, folding sub-agents away.

use super::dispatch::moved;
use crate::chart::{FoldedView, Viewport};
use crate::time::{Nanos, Span};
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::{Model, Panel};

/// Shows the whole run in the place of the turn, or the turn again.
pub(super) fn toggle(model: &mut Model) {
    model.run_view.shown = !model.run_view.shown;
    model.focus = Panel::Timeline;
}

/// To the selected turn.
pub(super) const fn open(model: &mut Model) {
    model.run_view.shown = false;
}

/// Shows all of the run again, else the turn; `false` where neither was to be done.
pub(super) fn close(model: &mut Model) -> bool {
    if !model.is_run_focused() {
        return false;
    }
    if model.run_view.zoom.take().is_none() {
        model.run_view.shown = false;
    }
    true
}

/// Up and down between the threads.
pub(super) fn act(model: &mut Model, action: Action) {
    let panel = model.panels().and_then(|panels| panels.timeline);
    let page = panel.map_or(1, |panel| layout::run_parts(panel).rows.height.into());
    let listed = &model.run_view.listed;
    let here = listed.iter().position(|&at| at as usize == model.thread);
    let to = moved(here.unwrap_or(0), listed.len(), page, action);
    if let Some(&thread) = to.and_then(|to| listed.get(to)) {
        select_thread(model, thread as usize);
    }
}

/// Selects the turn of another thread that was going on where the mark stands.
pub(super) fn select_thread(model: &mut Model, thread: usize) {
    if thread == model.thread {
        return;
    }
    let at = model.run_view.at.or_else(|| model.run_mark());
    model.thread = thread;
    let place = at.zip(model.thread_row()).map(|(at, row)| row.place_at(at));
    (model.turn, model.first_turn) = (place.unwrap_or(0), 0);
    model.turn_changed();
    // A thread that was not there at that time does not move the mark of those that were.
    model.run_view.at = at;
}

/// Folds the sub-agents of the selected thread away, or lists them again. From a sub-agent
/// without any it folds its siblings and itself, into the thread that started it.
pub(super) fn fold(model: &mut Model) {
    if !model.run_view.shown {
        return;
    }
    let Some(row) = model.thread_row() else {
        return;
    };
    let (parent, agents) = (row.parent, row.below.0);
    let here = u32::try_from(model.thread).unwrap_or(u32::MAX);
    match parent {
        _ if agents > 0 => {
            let fold = !model.is_folded(here);
            model.fold(here, fold);
        }
        Some(parent) => {
            model.fold(parent, true);
            select_thread(model, parent as usize);
        }
        None => {}
    }
}

/// Zooms about the mark, and moves the mark to earlier and later turns.
pub(super) fn look(model: &mut Model, action: Action) {
    let Some(whole) = model.run_view.whole() else {
        return;
    };
    let view = model.run_axis(&whole.folds, model.run_cells().unwrap_or(80));
    let mark = model.run_mark();
    let about = mark.map(|at| whole.folds.drawn(at));
    let about = about.unwrap_or(view.view.window().start);
    let zoom = match action {
        Action::ZoomIn => Some(view.view.zoom_in(about)),
        Action::ZoomOut => Some(view.view.zoom_out(about)),
        Action::Fit => None,
        Action::FitSelection => fit_turn(model, &view),
        Action::PanRight | Action::CursorRight => return step(model, true),
        _ => return step(model, false),
    };
    model.run_view.zoom = zoom.filter(|view| view.level() > 0);
}

/// As close as the selected turn allows without leaving any of it out.
fn fit_turn(model: &Model, view: &FoldedView<'_>) -> Option<Viewport> {
    let span = model.turn_span()?;
    let drawn = Span::new(view.folds.drawn(span.start), view.folds.drawn(span.end));
    Some(Viewport::fit(view.folds.whole(), view.view.cells()).closest_to(drawn))
}

/// Moves the mark to the next turn that can be told from this one on the screen, or by a quarter
/// of the window where that turn is further away.
fn step(model: &mut Model, later: bool) {
    let last = model.turns().len().saturating_sub(1);
    let place = model.turn;
    let next = if later {
        (place + 1).min(last)
    } else {
        place.saturating_sub(1)
    };
    let to = target(model, later).unwrap_or((next, None));
    let (place, at) = (to.0.min(last), to.1);
    if place != model.turn {
        model.turn = place;
        model.turn_changed();
    }
    model.run_view.at = at;
}

/// The turn to go to and where in it; `None` where the thread has no times.
fn target(model: &Model, later: bool) -> Option<(usize, Option<Nanos>)> {
    let whole = model.run_view.whole()?;
    let row = model.thread_row()?;
    let mark = model.run_mark()?;
    let view = model.run_axis(&whole.folds, model.run_cells().unwrap_or(80));
    let window = view.view.window().len();
    let cell = Nanos((window.0 / u64::from(view.view.cells().max(1))).max(1));
    let drawn = whole.folds.drawn(mark);
    let quarter = Nanos(window.0 / 4).max(cell);
    let last = model.turns().len().saturating_sub(1);
    let (place, at) = if later {
        let edge = whole.folds.real(drawn + cell);
        let place = row.place_at(Nanos(edge.0.saturating_sub(1))) + 1;
        let place = place.max(model.turn + 1);
        let end = row.parts.wall?.end;
        (
            place,
            row.begin(place).filter(|_| place <= last).unwrap_or(end),
        )
    } else {
        let place = row.place_at(whole.folds.real(drawn.since(cell)));
        (place, row.begin(place)?)
    };
    let far = whole.folds.drawn(at).0.abs_diff(drawn.0) > quarter.0;
    if !far {
        return Some((place.min(last), Some(at)));
    }
    let drawn = if later {
        drawn + quarter
    } else {
        drawn.since(quarter)
    };
    let at = whole.folds.real(drawn);
    Some((row.place_at(at), Some(at)))
}

//! The list of turns.

use super::dispatch::moved;
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::Model;

pub(super) fn act(model: &mut Model, action: Action) {
    let panel = model.panels().and_then(|panels| panels.turns);
    let page = panel.map_or(1, layout::turn_rows);
    if let Some(turn) = moved(model.turn, model.turns().len(), page, action) {
        select(model, turn);
    }
}

/// The next reply with several calls, if there is one.
pub(super) fn next_several(model: &mut Model) {
    let mut after = model.turn + 1..model.turns().len();
    if let Some(turn) = after.find(|&place| has_several(model, place)) {
        select(model, turn);
    }
}

/// The reply with several calls before this one, if there is one.
pub(super) fn previous_several(model: &mut Model) {
    let mut before = (0..model.turn).rev();
    if let Some(turn) = before.find(|&place| has_several(model, place)) {
        select(model, turn);
    }
}

/// The next thread, from its first turn.
pub(super) fn next_thread(model: &mut Model) {
    let threads = model.run.threads.len();
    if threads > 1 {
        model.thread = (model.thread + 1) % threads;
        model.turn = 0;
        model.first_turn = 0;
        model.turn_changed();
    }
}

fn has_several(model: &Model, place: usize) -> bool {
    model.turn_at(place).is_some_and(|turn| turn.calls.len > 1)
}

pub(super) fn select(model: &mut Model, turn: usize) {
    if turn != model.turn {
        model.turn = turn;
        model.turn_changed();
    }
}

//! Which schedule is drawn on the timeline.

use super::dispatch::moved;
use crate::tui::keymap::Action;
use crate::tui::model::Model;
use crate::tui::report::Drawn;

pub(super) fn act(model: &mut Model, action: Action) {
    let choices = choices(model);
    let page = choices.len();
    if let Some(to) = moved(place(model, &choices), choices.len(), page, action) {
        choose(model, &choices, to);
    }
}

/// Shows all turns of the thread added up, or the selected turn again.
pub(super) fn turn_or_all(model: &mut Model) {
    model.what_if.all_turns = !model.what_if.all_turns;
}

/// The next schedule or the one before, around the ends.
pub(super) fn step(model: &mut Model, step: isize) {
    let choices = choices(model);
    if choices.is_empty() {
        return;
    }
    let at = place(model, &choices).cast_signed() + step;
    let to = at.rem_euclid(choices.len().cast_signed()).cast_unsigned();
    choose(model, &choices, to);
}

/// The schedule in a row of the panel, if there is one.
pub(super) fn choose_row(model: &mut Model, row: usize) {
    let choices = choices(model);
    choose(model, &choices, row);
}

fn choices(model: &Model) -> Vec<Drawn> {
    let schedules = model.report.as_ref().map(|report| &report.schedules);
    schedules.map_or_else(Vec::new, |s| s.iter().map(|s| s.drawn).collect())
}

fn place(model: &Model, choices: &[Drawn]) -> usize {
    let at = choices.iter().position(|drawn| *drawn == model.drawn);
    at.unwrap_or(0)
}

fn choose(model: &mut Model, choices: &[Drawn], to: usize) {
    if let Some(drawn) = choices.get(to).filter(|drawn| **drawn != model.drawn) {
        model.drawn = *drawn;
        // Another schedule has another axis.
        model.zoom = None;
        super::play::redrawn(model);
    }
}

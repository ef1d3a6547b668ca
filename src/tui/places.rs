//! The rows of the lists of places: how many there are, where they lead, what they say.

use super::model::{Model, PlacesTab, turn_of};
use super::words;
use crate::analyze::Place;
use crate::text::clean;
use crate::trace::Run;

/// True while the hazards are not known yet.
pub(super) fn is_looking(model: &Model) -> bool {
    model.survey().is_none()
}

/// How many rows a list has.
pub(super) fn len(model: &Model, tab: PlacesTab) -> usize {
    match tab {
        PlacesTab::Jumps => model.find.trail.len(),
        PlacesTab::Marks => model.find.marks.len(),
        PlacesTab::Hazards => model.survey().map_or(0, |survey| survey.worst.len()),
    }
}

/// Where a row leads. Jumps are listed from the latest on.
pub(super) fn place(model: &Model, tab: PlacesTab, row: usize) -> Option<Place> {
    match tab {
        PlacesTab::Jumps => model.find.trail.iter().rev().nth(row).copied(),
        PlacesTab::Marks => model.find.marks.iter().nth(row).copied(),
        PlacesTab::Hazards => {
            let survey = model.survey()?;
            let at = *survey.worst.get(row)?;
            Some(survey.hazards.get(at as usize)?.place)
        }
    }
}

/// What a list is called, and how many rows it has where that is known.
pub(super) fn title(model: &Model, tab: PlacesTab) -> String {
    let len = len(model, tab);
    match tab {
        PlacesTab::Jumps => format!("Jumps {len}"),
        PlacesTab::Marks => format!("Marks {len}"),
        PlacesTab::Hazards => match model.survey() {
            None => "Hazards".to_owned(),
            Some(survey) => format!("Hazards {}", survey.hazard_count),
        },
    }
}

/// What a row says: where it is, then what is there.
pub(super) fn row(model: &Model, tab: PlacesTab, row: usize) -> Option<(String, String)> {
    let place = place(model, tab, row)?;
    let (at, call) = (where_(&model.run, place), call(&model.run, place));
    if tab != PlacesTab::Hazards {
        return Some((at, call));
    }
    let survey = model.survey()?;
    let found = survey.hazards.get(*survey.worst.get(row)? as usize)?;
    let hazard = words::hazard(&model.run, &found.hazard, model.skin);
    let calls = turn_of(&model.run, place).map(|turn| model.run.calls_of(turn));
    let [first, second] = [found.hazard.first, found.hazard.second]
        .map(|at| words::tool(&model.run, calls.unwrap_or_default(), at as usize));
    Some((at, format!("{hazard}   {first}, {second}")))
}

/// `turn 12`, with the thread's name for all but the first.
fn where_(run: &Run, place: Place) -> String {
    let number = turn_of(run, place).map_or(0, |turn| turn.number);
    match run.threads.get(place.thread as usize) {
        Some(thread) if place.thread > 0 => format!("turn {number} of {}", clean(&thread.name)),
        _ => format!("turn {number}"),
    }
}

fn call(run: &Run, place: Place) -> String {
    let calls = turn_of(run, place).map(|turn| run.calls_of(turn));
    match calls {
        None | Some([]) => "no calls".to_owned(),
        Some(calls) => format!("call {}", words::name(run, calls, place.call as usize)),
    }
}

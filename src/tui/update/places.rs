//! The lists of jumps, marks and hazards.

use super::dispatch::moved;
use super::jump;
use crate::analyze::Place;
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::{Landmark, Model, Overlay, PlacesList, PlacesTab};
use crate::tui::msg::Cmd;
use crate::tui::places;

/// Opens the lists: the hazards after a jump to one, else the jumps, else what there is.
pub(super) fn open(model: &mut Model) -> Option<Cmd> {
    let last = model.find.last.map(|(kind, _)| kind);
    let tab = match last {
        Some(Landmark::Hazard) => PlacesTab::Hazards,
        _ if !model.find.trail.is_empty() => PlacesTab::Jumps,
        _ if !model.find.marks.is_empty() => PlacesTab::Marks,
        _ => PlacesTab::Hazards,
    };
    show(model, tab);
    // The hazards are counted in the title, whichever list is open.
    jump::want(model, None)
}

fn show(model: &mut Model, tab: PlacesTab) {
    let list = PlacesList {
        tab,
        ..PlacesList::default()
    };
    model.overlay = Some(Overlay::Places(list));
}

pub(super) fn act(model: &mut Model, action: Action) {
    let Some(Overlay::Places(list)) = &model.overlay else {
        return;
    };
    let (mut list, len) = (*list, places::len(model, list.tab));
    let area = model.panels().map(|panels| layout::overlay(&panels));
    let rows = area.map_or(1, |area| layout::overlay_text(area).height.into());
    match action {
        Action::Open => {
            take(model, list);
            return;
        }
        Action::NextPanel => {
            let all = PlacesTab::ALL;
            let at = all.iter().position(|tab| *tab == list.tab).unwrap_or(0);
            show(model, all[(at + 1) % all.len()]);
            return;
        }
        _ => list.at = moved(list.at, len, rows, action).unwrap_or(list.at),
    }
    let lowest = (list.at + 1).saturating_sub(rows.max(1));
    list.top = list.top.clamp(lowest, list.at.max(lowest));
    model.overlay = Some(Overlay::Places(list));
}

/// Goes to the selected row.
fn take(model: &mut Model, list: PlacesList) {
    let Some(place) = places::place(model, list.tab, list.at) else {
        return;
    };
    model.overlay = None;
    if list.tab == PlacesTab::Hazards {
        remember_hazard(model, list.at, place);
    } else {
        jump::go(model, place);
    }
}

/// `]` and `[` go on from a hazard that was taken from the list.
fn remember_hazard(model: &mut Model, row: usize, place: Place) {
    let at = model
        .survey()
        .and_then(|survey| survey.worst.get(row).copied());
    jump::go(model, place);
    model.find.last = at.map(|at| (Landmark::Hazard, at as usize));
    jump::say_last(model);
}

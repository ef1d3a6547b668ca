//! The list of sessions: finding, filtering, opening.

use tui_input::InputRequest;

use super::dispatch::moved;
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::{Model, Overlay};
use crate::tui::msg::{Cmd, Listing, Msg, Wish};
use crate::tui::session_layout::session_parts;

/// A filter is a few words; what is pasted by mistake is not.
const LONGEST_FILTER: usize = 200;

/// Opens the list and looks for sessions anew, unless somebody still does.
pub(super) fn open(model: &mut Model) -> Vec<Cmd> {
    model.overlay = Some(Overlay::Sessions);
    model.sessions.opening = None;
    if model.sessions.searching {
        return Vec::new();
    }
    model.sessions.search();
    vec![Cmd::Sessions(Wish::Find)]
}

/// Takes the filter away, else closes the list. Where nothing is under it, the demo is.
pub(super) fn close(model: &mut Model) -> Vec<Cmd> {
    if !model.sessions.filter.value().is_empty() {
        model.sessions.filter.reset();
        model.sessions.refilter();
        return Vec::new();
    }
    let mut commands = leave(model);
    if model.is_empty() {
        commands.push(Cmd::Sessions(Wish::Demo));
    }
    commands
}

fn leave(model: &mut Model) -> Vec<Cmd> {
    model.overlay = None;
    model.sessions.opening = None;
    model.sessions.forget_asked();
    vec![Cmd::Sessions(Wish::Enough)]
}

pub(super) fn act(model: &mut Model, action: Action) -> Vec<Cmd> {
    if action == Action::Accept {
        return open_selected(model);
    }
    let (len, page) = (model.sessions.len(), rows(model));
    if let Some(to) = moved(model.sessions.at, len, page, action) {
        model.sessions.at = to;
    }
    Vec::new()
}

/// Opens the selected session; until it is there the list stays.
pub(super) fn open_selected(model: &mut Model) -> Vec<Cmd> {
    let Some(row) = model.sessions.selected() else {
        return Vec::new();
    };
    let path = row.session.path.clone();
    model.sessions.opening = Some(path.clone());
    vec![Cmd::Sessions(Wish::Open(path))]
}

/// A key for the filter.
pub(super) fn edit(model: &mut Model, request: InputRequest) {
    let filter = &mut model.sessions.filter;
    let full = filter.value().chars().count() >= LONGEST_FILTER;
    if full && matches!(request, InputRequest::InsertChar(_)) {
        return;
    }
    let change = filter.handle(request);
    if change.is_some_and(|change| change.value) {
        model.sessions.refilter();
    }
}

/// Text for the filter. Its line breaks are spaces.
pub(super) fn paste(model: &mut Model, text: &str) {
    for c in text.chars().take(LONGEST_FILTER) {
        let c = if c.is_whitespace() { ' ' } else { c };
        if !c.is_control() {
            edit(model, InputRequest::InsertChar(c));
        }
    }
}

/// What comes of looking, reading and opening.
pub(super) fn listing(model: &mut Model, listing: Listing) -> Vec<Cmd> {
    match listing {
        Listing::Found(found) => model.sessions.take_in(found),
        Listing::Ended => {
            model.sessions.searched();
            // With nothing to choose from there is still something to look at.
            if model.sessions.found() == 0 && model.is_empty() {
                return vec![Cmd::Sessions(Wish::Demo)];
            }
        }
        Listing::Read(path, reading) => model.sessions.read(&path, reading),
        Listing::Opened(path, opened) => {
            // Another one was chosen since, or none.
            if model.sessions.opening.as_ref() != Some(&path) {
                return Vec::new();
            }
            model.sessions.opening = None;
            match opened {
                Ok(opened) => {
                    let mut commands = leave(model);
                    commands.extend(super::update(model, Msg::Opened(opened)));
                    return commands;
                }
                Err(error) => model.notice = Some(error),
            }
        }
    }
    Vec::new()
}

/// Scrolls to the selection, and asks for what can be seen and is not known.
pub(super) fn wanted(model: &mut Model) -> Option<Cmd> {
    if model.overlay != Some(Overlay::Sessions) {
        return None;
    }
    let visible = rows(model);
    model.sessions.scroll(visible);
    let wanted = model.sessions.wanted(visible);
    (!wanted.is_empty()).then_some(Cmd::Sessions(Wish::Read(wanted)))
}

fn rows(model: &Model) -> usize {
    let panels = model.panels();
    panels.map_or(0, |panels| {
        let parts = session_parts(layout::overlay(&panels));
        parts.rows.height.into()
    })
}

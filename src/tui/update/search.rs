//! The search: typing its line, taking matches in, going through them.

use tui_input::{Input, InputRequest};

use super::jump::{go, here};
use crate::analyze::query::Query;
use crate::tui::keymap::Action;
use crate::tui::model::{Model, Overlay, Search, SearchLine};
use crate::tui::msg::{Cmd, Found};

/// Characters that a line holds at most.
const LONGEST: usize = 1_000;
/// Lines that the history holds at most.
const HISTORY: usize = 100;

/// Opens an empty line; earlier ones are in the history.
pub(super) fn open(model: &mut Model) {
    model.find.line = SearchLine::default();
    model.overlay = Some(Overlay::Search);
}

/// Changes the line.
pub(super) fn edit(model: &mut Model, request: InputRequest) {
    let line = &mut model.find.line;
    let full = line.input.value().chars().count() >= LONGEST;
    if full && matches!(request, InputRequest::InsertChar(_)) {
        return;
    }
    line.input.handle(request);
    line.error = None;
    line.back = None;
}

/// Puts pasted text into the line: line breaks become spaces.
pub(super) fn paste(model: &mut Model, text: &str) {
    for c in text.chars().take(LONGEST) {
        let c = if c.is_control() { ' ' } else { c };
        edit(model, InputRequest::InsertChar(c));
    }
}

/// What keys that are no text do to the line.
pub(super) fn act(model: &mut Model, action: Action) -> Option<Cmd> {
    match action {
        Action::Accept => return accept(model),
        Action::Up => look_back(model, 1),
        Action::Down => look_back(model, -1),
        Action::First => edit(model, InputRequest::GoToStart),
        Action::Last => edit(model, InputRequest::GoToEnd),
        _ => {}
    }
    None
}

/// Shows an earlier line, or a later one up to the one that was typed.
fn look_back(model: &mut Model, step: isize) {
    let history = &model.find.history;
    let line = &mut model.find.line;
    let at = line.back.map_or(-1, usize::cast_signed);
    let to = (at + step).clamp(-1, history.len().cast_signed() - 1);
    if to == at {
        return;
    }
    if line.back.is_none() {
        line.typed = line.input.value().to_owned();
    }
    line.back = usize::try_from(to).ok();
    let shown = line.back.and_then(|back| history.iter().rev().nth(back));
    let shown = shown.unwrap_or(&line.typed).clone();
    line.input = Input::new(shown);
    line.error = None;
}

/// Searches for what was typed; an empty line changes nothing.
fn accept(model: &mut Model) -> Option<Cmd> {
    let text = model.find.line.input.value().trim().to_owned();
    if text.is_empty() {
        model.overlay = None;
        return None;
    }
    match text.parse::<Query>() {
        Ok(query) => {
            model.overlay = None;
            remember(model, &text);
            start(model, text, query, true)
        }
        Err(mut error) => {
            let typed = model.find.line.input.value();
            error.at += typed.chars().take_while(|c| c.is_whitespace()).count();
            model.find.line.error = Some(error);
            None
        }
    }
}

fn remember(model: &mut Model, text: &str) {
    let history = &mut model.find.history;
    history.retain(|line| line != text);
    history.push(text.to_owned());
    let over = history.len().saturating_sub(HISTORY);
    history.drain(..over);
}

fn start(model: &mut Model, text: String, query: Query, jump: bool) -> Option<Cmd> {
    model.find.asked += 1;
    let (id, policy) = (model.find.asked, model.predicted_policy());
    let kept = model.find.search.take().filter(|_| !jump);
    model.find.search = Some(Search {
        id,
        text,
        query: query.clone(),
        policy,
        // What was found before stays marked until it is found again.
        hits: kept.map_or_else(Vec::new, |search| search.hits),
        looked: (0, model.run.calls.len()),
        unread: 0,
        done: false,
        jump,
        stale: false,
    });
    Some(Cmd::Search {
        id,
        query: Box::new(query),
        policy,
        options: Box::new(model.options.clone()),
    })
}

/// Searches for the same again where the answer may be another one: the run has grown, or
/// another schedule is drawn and its hazards are asked for.
pub(super) fn renew(model: &mut Model) -> Option<Cmd> {
    let search = model.find.search.as_ref()?;
    let other = search.query.asks_for_hazards() && search.policy != model.predicted_policy();
    if !(other || (search.stale && search.done)) {
        return None;
    }
    let (text, query) = (search.text.clone(), search.query.clone());
    if other && let Some(search) = &mut model.find.search {
        search.hits.clear();
    }
    start(model, text, query, false)
}

/// Ends the search.
pub(super) fn clear(model: &mut Model) -> Option<Cmd> {
    let search = model.find.search.take()?;
    (!search.done).then_some(Cmd::EndSearch)
}

/// Takes matches in and goes to the first, from where the user is on.
pub(super) fn found(model: &mut Model, found: Found) {
    let from = here(model);
    let Some(search) = model
        .find
        .search
        .as_mut()
        .filter(|search| search.id == found.id)
    else {
        return;
    };
    search.add(found.places);
    search.looked = (found.looked, found.of);
    search.unread = found.unread;
    search.done = found.done;
    if !search.jump {
        return;
    }
    let next = search.hits.partition_point(|hit| *hit < from);
    let first = search.hits.get(next).or(search.hits.first()).copied();
    // While it goes on, one from here on may still come.
    let waits = !search.done && first.is_none_or(|first| first < from);
    match first {
        Some(first) if !waits => {
            search.jump = false;
            go(model, first);
            say(model);
        }
        None if search.done => {
            search.jump = false;
            say(model);
        }
        _ => {}
    }
}

/// The next match or the one before, around the ends.
pub(super) fn step(model: &mut Model, forward: bool) {
    let from = here(model);
    let Some(search) = &mut model.find.search else {
        return;
    };
    search.jump = false;
    let hits = &search.hits;
    let to = if forward {
        let next = hits.partition_point(|hit| *hit <= from);
        hits.get(next).or(hits.first())
    } else {
        let before = hits.partition_point(|hit| *hit < from);
        before
            .checked_sub(1)
            .map_or(hits.last(), |before| hits.get(before))
    };
    if let Some(to) = to.copied() {
        go(model, to);
    }
    say(model);
}

/// Where among the matches the user is.
fn say(model: &mut Model) {
    let Some(search) = &model.find.search else {
        return;
    };
    let n = search.hits.len();
    let mut said = match search.rank(here(model)) {
        Some(rank) => format!("match {} of {n} for {}", rank + 1, search.text),
        None if n == 0 && search.done => format!("no match for {}", search.text),
        None if n == 0 => format!("no match so far for {}", search.text),
        None => format!("{n} matches for {}", search.text),
    };
    if !search.done {
        said.push_str("; still searching");
    }
    match search.unread {
        0 => {}
        1 => said.push_str("; 1 call has a body that cannot be read"),
        n => said.push_str(&format!("; {n} calls have bodies that cannot be read")),
    }
    if search.done && n > 0 {
        said.push_str(". n and N go through them, Esc ends the search.");
    }
    model.notice = Some(said);
}

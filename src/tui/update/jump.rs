//! Going to places: hazards, failures, wide turns, long waits; back again; marks.

use std::sync::Arc;

use crate::analyze::{Place, Survey};
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::{Landmark, Model, Panel, Step, Surveying};
use crate::tui::msg::Cmd;
use crate::tui::{why, words};

/// More jumps than this are not remembered.
const TRAIL: usize = 100;

/// Where the user is.
pub(super) fn here(model: &Model) -> Place {
    model.place()
}

/// Goes to a place and remembers where that was from.
pub(super) fn go(model: &mut Model, to: Place) {
    let from = here(model);
    if from != to {
        model.find.trail.push(from);
        let over = model.find.trail.len().saturating_sub(TRAIL);
        model.find.trail.drain(..over);
    }
    stand(model, to);
}

/// Selects a place, as far as there is one.
pub(super) fn stand(model: &mut Model, to: Place) {
    let (thread, turn) = (to.thread as usize, to.turn as usize);
    if thread >= model.run.threads.len() {
        return;
    }
    if (thread, turn) != (model.thread, model.turn) {
        model.thread = thread;
        model.turn = turn.min(model.turns().len().saturating_sub(1));
        model.turn_changed();
    }
    model.call = (to.call as usize).min(model.calls().len().saturating_sub(1));
    if layout::one_at_a_time(model.size) && model.focus == Panel::Turns {
        model.focus = Panel::Timeline;
    }
    model.keep_in_view();
}

/// What the keys of this file ask for.
pub(super) fn act(model: &mut Model, action: Action) -> Option<Cmd> {
    let last = model.find.last.map(|(kind, _)| kind);
    let (kind, step) = match action {
        Action::NextHazard => (Landmark::Hazard, Step::Next),
        Action::NextFailure => (Landmark::Failure, Step::Next),
        Action::Widest => (Landmark::Wide, Step::First),
        Action::LongestWait => (Landmark::Wait, Step::First),
        Action::NextOfKind | Action::PreviousOfKind => {
            let Some(kind) = last else {
                model.notice = Some("H, F, M or L first: ] and [ go on from there".to_owned());
                return None;
            };
            let next = action == Action::NextOfKind;
            (kind, if next { Step::Next } else { Step::Previous })
        }
        _ => return None,
    };
    ask(model, kind, step)
}

fn ask(model: &mut Model, kind: Landmark, step: Step) -> Option<Cmd> {
    if let Some(survey) = model.survey().cloned() {
        jump(model, &survey, kind, step);
        return None;
    }
    model.notice = Some("Looking through the run; that takes a moment.".to_owned());
    want(model, Some((kind, step)))
}

/// Asks for the survey of what is drawn, unless it is there or on its way.
pub(super) fn want(model: &mut Model, then: Option<(Landmark, Step)>) -> Option<Cmd> {
    if model.survey().is_some() {
        return None;
    }
    let policy = model.predicted_policy();
    if let Some(on_its_way) = &mut model.find.surveying
        && on_its_way.policy == policy
        && on_its_way.options == model.options
    {
        on_its_way.then = then;
        return None;
    }
    model.find.asked += 1;
    let (id, options) = (model.find.asked, model.options.clone());
    model.find.surveying = Some(Surveying {
        id,
        policy,
        options: options.clone(),
        then,
    });
    Some(Cmd::Survey {
        id,
        policy,
        options: Box::new(options),
    })
}

/// Takes a survey in, and jumps where that is still wanted.
pub(super) fn surveyed(model: &mut Model, id: u64, survey: Survey) {
    let Some(asked) = model.find.surveying.take_if(|asked| asked.id == id) else {
        return;
    };
    let survey = Arc::new(survey);
    model.find.survey = Some((Arc::clone(&survey), asked.options));
    if let Some((kind, step)) = asked.then {
        model.notice = None;
        jump(model, &survey, kind, step);
    }
}

/// A jump that waits for its survey is not made any more once the user does something else.
pub(super) fn moved_on(model: &mut Model) {
    if let Some(asked) = &mut model.find.surveying {
        asked.then = None;
    }
    if let Some(search) = &mut model.find.search {
        search.jump = false;
    }
}

/// How many places of a kind there are, and where one of them is.
fn list(survey: &Survey, kind: Landmark) -> (usize, impl Fn(usize) -> Place) {
    let len = match kind {
        Landmark::Hazard => survey.hazards.len(),
        Landmark::Failure => survey.failures.len(),
        Landmark::Wide => survey.widest.len(),
        Landmark::Wait => survey.waits.len(),
    };
    let place = move |at: usize| match kind {
        Landmark::Hazard => survey.hazards[at].place,
        Landmark::Failure => survey.failures[at],
        Landmark::Wide => survey.widest[at],
        Landmark::Wait => survey.waits[at].0,
    };
    (len, place)
}

fn jump(model: &mut Model, survey: &Survey, kind: Landmark, step: Step) {
    let (len, place) = list(survey, kind);
    if len == 0 {
        model.find.last = Some((kind, 0));
        model.notice = Some(none(survey, kind));
        return;
    }
    let at = match step {
        Step::First => 0,
        _ => neighbour(model, kind, len, &place, step),
    };
    let to = place(at);
    // A wide turn is a turn: whichever of its calls is selected, the user is there.
    let there = kind == Landmark::Wide && is_same_turn(here(model), to);
    if !there {
        go(model, to);
    }
    model.find.last = Some((kind, at));
    model.notice = Some(what(model, survey, kind, at));
}

fn is_same_turn(a: Place, b: Place) -> bool {
    (a.thread, a.turn) == (b.thread, b.turn)
}

/// The next of a list, or the one before, around its ends. From the place of the last jump it
/// goes on along the list; from anywhere else a list in the order of the run goes on from there,
/// a ranking from its top.
fn neighbour(
    model: &Model,
    kind: Landmark,
    len: usize,
    place: &impl Fn(usize) -> Place,
    step: Step,
) -> usize {
    let from = here(model);
    let ranking = matches!(kind, Landmark::Wide | Landmark::Wait);
    let is_here = |at: usize| match kind {
        Landmark::Wide => is_same_turn(place(at), from),
        _ => place(at) == from,
    };
    let last = model.find.last;
    let along = last.filter(|&(of, at)| of == kind && at < len && (ranking || is_here(at)));
    let forward = step == Step::Next;
    if let Some((_, at)) = along {
        return if forward {
            (at + 1) % len
        } else {
            (at + len - 1) % len
        };
    }
    if ranking {
        return if forward { 0 } else { len - 1 };
    }
    let (mut low, mut high) = (0, len);
    // The first that is not before here: one that is here was not told of yet.
    while low < high {
        let middle = low + (high - low) / 2;
        if place(middle) < from {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if forward {
        low % len
    } else {
        (low + len - 1) % len
    }
}

fn none(survey: &Survey, kind: Landmark) -> String {
    match (kind, survey.policy) {
        (Landmark::Hazard, None) => {
            "No hazard in what was recorded. p draws what a policy would do; H then looks there."
                .to_owned()
        }
        (Landmark::Hazard, Some(policy)) => format!("No hazard is predicted under {policy}."),
        (Landmark::Failure, _) => "No call failed.".to_owned(),
        (Landmark::Wide, _) => "No reply asks for several calls.".to_owned(),
        (Landmark::Wait, None) => "No call is known to have waited.".to_owned(),
        (Landmark::Wait, Some(policy)) => format!("No call would wait under {policy}."),
    }
}

/// What was jumped to, in words.
fn what(model: &Model, survey: &Survey, kind: Landmark, at: usize) -> String {
    let (len, _) = list(survey, kind);
    let of = format!("{} of {len}", at + 1);
    let predicted = survey
        .policy
        .map_or_else(String::new, |policy| format!(" (predicted: {policy})"));
    match kind {
        Landmark::Hazard => {
            let more = match survey.hazard_count {
                all if all > len as u64 => format!(" listed, {all} in all"),
                _ => String::new(),
            };
            let hazard = words::hazard(&model.run, &survey.hazards[at].hazard, model.skin);
            format!("hazard {of}{more}: {hazard}{predicted}. J lists them, worst first.")
        }
        Landmark::Failure => {
            let call = model.calls().get(model.call);
            let outcome = call.map_or_else(String::new, |call| words::plain(call.outcome));
            let error = call.map_or("", |call| model.run.names.get(call.error));
            match error {
                "" => format!("failure {of}: {outcome}"),
                error => format!("failure {of}: {outcome}: {error}"),
            }
        }
        Landmark::Wide => {
            let calls = words::count(model.calls().len(), "call", "calls");
            format!("widest turn {of}: {calls}")
        }
        Landmark::Wait => {
            let why = model.schedule().map_or_else(String::new, |schedule| {
                why::sentence(&model.run, model.calls(), schedule, model.call)
            });
            format!("longest wait {of}: {why}{predicted}")
        }
    }
}

/// Back to where the last jump came from.
pub(super) fn back(model: &mut Model) {
    match model.find.trail.pop() {
        Some(place) => stand(model, place),
        None => model.notice = Some("Nothing to go back to: no jump was made.".to_owned()),
    }
}

/// Marks the selected call, or takes its mark away.
pub(super) fn mark(model: &mut Model) {
    let place = here(model);
    if model.turn_number().is_none() {
        return;
    }
    let said = if model.find.marks.remove(&place) {
        "mark taken away"
    } else {
        model.find.marks.insert(place);
        "marked; J lists the marks"
    };
    model.notice = Some(said.to_owned());
}

/// Says what was last jumped to.
pub(super) fn say_last(model: &mut Model) {
    if let (Some(survey), Some((kind, at))) = (model.survey().cloned(), model.find.last) {
        model.notice = Some(what(model, &survey, kind, at));
    }
}

//! What is assumed instead of what the file says: editing it, and taking in what follows.

use std::collections::HashMap;
use std::sync::Arc;

use tui_input::{Input, InputRequest};

use super::dispatch::moved;
use super::{compare, detail};
use crate::model::Declared;
use crate::schedule::{OnFailure, Slots};
use crate::text::clean;
use crate::trace::{Run, Sym};
use crate::tui::assumed;
use crate::tui::keymap::Action;
use crate::tui::layout;
use crate::tui::model::{Assuming, Facts, Model, Overlay, SaveLine, Tool};
use crate::tui::msg::{Assumed, Cmd, NotSaved};
use crate::tui::report::Drawn;
use crate::tui::words;

/// The name that is offered for a saved catalog, in the current folder.
const FILE: &str = "catalog.json";

/// The most slots that can be asked for, short of no limit.
const MOST_SLOTS: u32 = 64;

/// Opens the assumptions, and asks which arguments can name a key.
pub(super) fn open(model: &mut Model) -> Option<Cmd> {
    let tools = tools(model);
    model.overlay = Some(Overlay::Assumptions(Box::new(Assuming {
        tools,
        at: 0,
        top: 0,
        line: None,
        said: None,
    })));
    let calls = samples(model);
    (!calls.is_empty()).then_some(Cmd::NameArgs(calls))
}

/// The tools of the run, those of the selected turn first, then the most called.
fn tools(model: &Model) -> Vec<Tool> {
    let assumptions = &model.what_if.assumptions;
    let run = &assumptions.run;
    let mut count: HashMap<Sym, usize> = HashMap::new();
    for call in &run.calls {
        *count.entry(call.tool).or_insert(0) += 1;
    }
    let here: Vec<Sym> = model.calls().iter().map(|call| call.tool).collect();
    let place = |tool: &Sym| here.iter().position(|t| t == tool).unwrap_or(usize::MAX);
    let mut order: Vec<(Sym, usize)> = count.into_iter().collect();
    order.sort_by_key(|(tool, calls)| (place(tool), std::cmp::Reverse(*calls), *tool));
    let tool = |(tool, calls)| {
        let name = run.names.get(tool).to_owned();
        Tool {
            by_file: assumed::by_file(assumptions, &name),
            name,
            calls,
        }
    };
    order.into_iter().map(tool).collect()
}

/// Calls whose arguments are looked at: of each tool a few, of the selected turn where it is there.
fn samples(model: &Model) -> Vec<u32> {
    const OF_A_TOOL: usize = 8;
    const IN_ALL: usize = 512;
    let run = &model.what_if.assumptions.run;
    let mut taken: HashMap<Sym, usize> = HashMap::new();
    let turn = model.turn_at(model.turn).map(|turn| turn.calls);
    let here = turn.map_or(0..0, |calls| calls.start..calls.start + calls.len);
    let all = 0..u32::try_from(run.calls.len()).unwrap_or(u32::MAX);
    let mut samples = Vec::new();
    for at in here.clone().chain(all.filter(|at| !here.contains(at))) {
        let Some(call) = run.calls.get(at as usize) else {
            continue;
        };
        let taken = taken.entry(call.tool).or_insert(0);
        if *taken < OF_A_TOOL && samples.len() < IN_ALL {
            *taken += 1;
            samples.push(at);
        }
    }
    samples
}

/// What a key does while the assumptions are open.
pub(super) fn act(model: &mut Model, action: Action) -> Option<Cmd> {
    let rows = visible_tools(model);
    let Some(Overlay::Assumptions(open)) = &mut model.overlay else {
        return None;
    };
    if let Some(line) = &mut open.line {
        return match action {
            Action::Accept => save(model),
            Action::First => edit(line, InputRequest::GoToStart),
            Action::Last => edit(line, InputRequest::GoToEnd),
            _ => None,
        };
    }
    if let Some(at) = moved(open.at, open.rows(), rows, action) {
        open.at = at;
        keep_in_view(open, rows);
        return None;
    }
    open.said = None;
    match action {
        Action::PanRight => change(model, 1),
        Action::PanLeft => change(model, -1),
        Action::Reset => {
            model.what_if.assumptions.want_nothing();
            settle(model)
        }
        Action::Save => {
            open.line = Some(SaveLine {
                input: Input::new(FILE.to_owned()),
                replace: false,
            });
            None
        }
        _ => None,
    }
}

fn visible_tools(model: &Model) -> usize {
    let parts = model
        .panels()
        .map(|panels| layout::assumption_parts(&panels));
    parts.map_or(1, |parts| usize::from(parts.tools.height).max(1))
}

fn keep_in_view(open: &mut Assuming, rows: usize) {
    if let Some(tool) = open.at.checked_sub(Assuming::SWITCHES) {
        open.top = open.top.clamp((tool + 1).saturating_sub(rows), tool);
    } else {
        open.top = 0;
    }
}

/// After a change of size the selected row may be out of sight.
pub(super) fn resized(model: &mut Model) {
    let rows = visible_tools(model);
    if let Some(Overlay::Assumptions(open)) = &mut model.overlay {
        keep_in_view(open, rows);
    }
}

/// The next choice of the selected row, or the one before.
fn change(model: &mut Model, step: isize) -> Option<Cmd> {
    let Some(Overlay::Assumptions(open)) = &model.overlay else {
        return None;
    };
    let assumptions = &mut model.what_if.assumptions;
    match (open.at, open.at.checked_sub(Assuming::SWITCHES)) {
        (0, _) => assumptions.wanted.slots = slots(assumptions.wanted.slots, step),
        (_, None) => {
            let now = assumptions.wanted.on_failure;
            assumptions.wanted.on_failure = around(&OnFailure::ALL, &now, step)?;
        }
        (_, Some(tool)) => {
            let name = open.tools.get(tool)?.name.clone();
            let now = assumptions.wanted.tools.get(&name).cloned();
            let choices = assumed::choices(assumptions, &name);
            let next: Option<Declared> = around(&choices, &now, step)?;
            match next {
                Some(declared) => assumptions.wanted.tools.insert(name, declared),
                None => assumptions.wanted.tools.remove(&name),
            };
        }
    }
    settle(model)
}

fn slots(now: Slots, step: isize) -> Slots {
    let most = Slots::limit(MOST_SLOTS).unwrap_or(Slots::Unlimited);
    match (now, step > 0) {
        (Slots::Unlimited, true) => Slots::Unlimited,
        (Slots::Unlimited, false) => most,
        (Slots::Limit(n), true) if n.get() >= MOST_SLOTS => Slots::Unlimited,
        (Slots::Limit(n), true) => Slots::Limit(n.saturating_add(1)),
        (Slots::Limit(n), false) => Slots::limit(n.get() - 1).unwrap_or(now),
    }
}

fn around<T: Clone + PartialEq>(all: &[T], now: &T, step: isize) -> Option<T> {
    let at = all.iter().position(|one| one == now).unwrap_or(0);
    let len = all.len().cast_signed();
    let to = (at.cast_signed() + step).rem_euclid(len.max(1));
    all.get(to.cast_unsigned()).cloned()
}

/// Makes what is shown what is wanted: at once where that is what the file says, else the outside
/// is asked what follows.
fn settle(model: &mut Model) -> Option<Cmd> {
    if let Some((run, facts)) = model.what_if.assumptions.back_to_file() {
        return show(model, run, facts);
    }
    let question = model.what_if.assumptions.ask();
    question.map(|question| Cmd::Assume(Box::new(question)))
}

/// Shows a run under the assumptions that are applied now. What was measured under others stands
/// for these no longer.
fn show(model: &mut Model, run: Arc<Run>, facts: Facts) -> Option<Cmd> {
    model.options = model.what_if.assumptions.options();
    let running = model.replays.running.take().is_some();
    if running || !model.replays.done.is_empty() {
        model.replays.done.clear();
        model.notice = Some("Replays under other assumptions are dropped.".to_owned());
    }
    if let Some(Overlay::Race(race)) = &model.overlay
        && [race.first, race.second]
            .iter()
            .any(|d| matches!(d, Drawn::Measured(_)))
    {
        model.overlay = None;
    }
    model.player.clock = None;
    model.grown(run, facts);
    detail::compose(model);
    compare::compose(model);
    running.then_some(Cmd::StopReplay)
}

/// Takes an answer in.
pub(super) fn assumed(
    model: &mut Model,
    id: u64,
    answer: Result<Box<Assumed>, String>,
) -> Vec<Cmd> {
    let unread = answer.as_ref().ok().map(|answer| answer.unread);
    let Some(behind) = model.what_if.assumptions.answered(id, unread) else {
        return Vec::new();
    };
    let mut commands = Vec::new();
    match answer {
        Ok(answer) => commands.extend(show(model, answer.run, answer.facts)),
        Err(error) => model.notice = Some(error),
    }
    if behind {
        commands.extend(settle(model));
    }
    commands
}

/// The file has grown. Under assumptions the screen waits for what follows from them.
pub(super) fn grown(model: &mut Model, run: Arc<Run>, facts: Facts) -> Option<Cmd> {
    let assumptions = &mut model.what_if.assumptions;
    (assumptions.run, assumptions.facts) = (Arc::clone(&run), facts.clone());
    if assumptions.is_changed() {
        return settle(model);
    }
    model.grown(run, facts);
    compare::compose(model);
    None
}

/// Takes in which arguments can name a key.
pub(super) fn arg_names(model: &mut Model, names: std::collections::BTreeMap<String, Vec<String>>) {
    model.what_if.assumptions.args.extend(names);
}

/// Changes the path that is being typed.
pub(super) fn typed(model: &mut Model, request: InputRequest) {
    if let Some(Overlay::Assumptions(open)) = &mut model.overlay
        && let Some(line) = &mut open.line
    {
        edit(line, request);
        if !line.replace {
            open.said = None;
        }
    }
}

fn edit(line: &mut SaveLine, request: InputRequest) -> Option<Cmd> {
    let changed = line.input.handle(request);
    // Another name has to be confirmed by itself.
    line.replace &= !changed.is_some_and(|changed| changed.value);
    None
}

/// Puts pasted text into the path; line breaks and other controls are no part of one.
pub(super) fn pasted(model: &mut Model, text: &str) {
    const LONGEST: usize = 4_096;
    let plain = text.chars().filter(|c| !c.is_control());
    for c in plain.take(LONGEST) {
        typed(model, InputRequest::InsertChar(c));
    }
}

/// Ends typing, if a path is being typed.
pub(super) fn stop_typing(model: &mut Model) -> bool {
    let Some(Overlay::Assumptions(open)) = &mut model.overlay else {
        return false;
    };
    let typed = open.line.take().is_some();
    if typed {
        open.said = None;
    }
    typed
}

fn save(model: &Model) -> Option<Cmd> {
    let Some(Overlay::Assumptions(open)) = &model.overlay else {
        return None;
    };
    let line = open.line.as_ref()?;
    let path = line.text().trim();
    (!path.is_empty()).then(|| Cmd::SaveCatalog {
        path: path.to_owned(),
        text: model.what_if.assumptions.catalog().to_json(),
        replace: line.replace,
    })
}

/// Says what came of saving.
pub(super) fn saved(model: &mut Model, path: &str, result: Result<(), NotSaved>) {
    let said = match &result {
        Ok(()) => wrote(model, path),
        Err(NotSaved::Exists) => "is there already: Enter replaces it, Esc does not".to_owned(),
        Err(NotSaved::Failed(error)) => error.clone(),
    };
    let Some(Overlay::Assumptions(open)) = &mut model.overlay else {
        model.notice = Some(said);
        return;
    };
    match &mut open.line {
        Some(line) if result == Err(NotSaved::Exists) => line.replace = line.text().trim() == path,
        line => *line = None,
    }
    open.said = Some(said);
}

/// What was written, and how to get the figures on the screen from it: switches are no part of a
/// catalog.
fn wrote(model: &Model, path: &str) -> String {
    let assumptions = &model.what_if.assumptions;
    let tools = assumptions.catalog().tools().len();
    let tools = words::count(tools, "tool", "tools");
    let mut switches = vec!["--catalog".to_owned()];
    if assumptions.applied.slots != assumptions.given.slots {
        switches.push(format!("--slots {}", assumptions.applied.slots));
    }
    if assumptions.applied.on_failure != assumptions.given.on_failure {
        switches.push(format!("--on-failure {}", assumptions.applied.on_failure));
    }
    format!(
        "wrote {tools} to {}: use {}",
        clean(path),
        switches.join(" ")
    )
}

//! The state of finding: the search, the jumps, the marks, and what is hidden from others' eyes.

use std::collections::BTreeSet;
use std::sync::Arc;

use tui_input::Input;

use super::facts::Facts;
use super::viewer::{Model, Panel};
use crate::analyze::query::{Query, QueryError};
use crate::analyze::{Place, Survey, WhatIfOptions};
use crate::schedule::Policy;
use crate::trace::{Run, Turn};
use crate::tui::report::Drawn;

/// The state of finding.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct Find {
    /// The search line, while it is open.
    pub(in crate::tui) line: SearchLine,
    /// Lines that were searched for, the oldest first.
    pub(in crate::tui) history: Vec<String>,
    /// What is searched for.
    pub(in crate::tui) search: Option<Search>,
    /// How many searches and surveys were asked for: answers to earlier ones are dropped.
    pub(in crate::tui) asked: u64,
    /// What is worth going to, with the switches it was predicted for.
    pub(in crate::tui) survey: Option<(Arc<Survey>, WhatIfOptions)>,
    /// The survey that is on its way.
    pub(in crate::tui) surveying: Option<Surveying>,
    /// The kind of jump last asked for, and how far along its list it went.
    pub(in crate::tui) last: Option<(Landmark, usize)>,
    /// Where jumps came from, the latest last.
    pub(in crate::tui) trail: Vec<Place>,
    /// Places that the user marked.
    pub(in crate::tui) marks: BTreeSet<Place>,
    /// The run with its payloads, and what is known of it, while the screen shows it blanked.
    pub(in crate::tui) hidden: Option<(Arc<Run>, Facts)>,
    /// True while the verdict on the blanked run is on its way.
    pub(in crate::tui) judging: bool,
    /// What is to be copied once the bodies of a call (an index of the run's calls) are there.
    pub(in crate::tui) copying: Option<(usize, Copied)>,
}

/// A kind of place to jump to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Landmark {
    /// Two calls that race.
    Hazard,
    /// A call that failed.
    Failure,
    /// A turn with many calls.
    Wide,
    /// A call that waited long.
    Wait,
}

/// Which one of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Step {
    /// The first of its list.
    First,
    /// The one after where the user is.
    Next,
    /// The one before.
    Previous,
}

/// A survey that was asked for, and what to do once it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::tui) struct Surveying {
    pub(in crate::tui) id: u64,
    pub(in crate::tui) policy: Option<Policy>,
    pub(in crate::tui) options: WhatIfOptions,
    /// The jump that waits for it; `None` once the user has moved on.
    pub(in crate::tui) then: Option<(Landmark, Step)>,
}

/// The line that is typed.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct SearchLine {
    pub(in crate::tui) input: Input,
    pub(in crate::tui) error: Option<QueryError>,
    /// The line of the history that is shown, counted from the latest; `None` for what was typed.
    pub(in crate::tui) back: Option<usize>,
    /// What was typed before the history was looked at.
    pub(in crate::tui) typed: String,
}

/// A search and what was found so far.
#[derive(Clone, Debug)]
pub(in crate::tui) struct Search {
    pub(in crate::tui) id: u64,
    pub(in crate::tui) text: String,
    pub(in crate::tui) query: Query,
    /// The policy whose hazards count, where the query asks for them.
    pub(in crate::tui) policy: Option<Policy>,
    /// Calls that match, in order.
    pub(in crate::tui) hits: Vec<Place>,
    /// How many calls were looked at, of how many.
    pub(in crate::tui) looked: (usize, usize),
    /// Calls whose bodies could not be read.
    pub(in crate::tui) unread: usize,
    pub(in crate::tui) done: bool,
    /// True until the selection has been moved to a match, or by the user.
    pub(in crate::tui) jump: bool,
    /// True where the run has grown since: search again once this is done.
    pub(in crate::tui) stale: bool,
}

impl Search {
    /// The place of a match among the others, from 0.
    pub(in crate::tui) fn rank(&self, place: Place) -> Option<usize> {
        self.hits.binary_search(&place).ok()
    }

    /// Whether a turn holds a match.
    pub(in crate::tui) fn is_in(&self, thread: usize, turn: usize) -> bool {
        let (first, last) = turn_ends(thread, turn);
        let at = self.hits.partition_point(|hit| *hit < first);
        self.hits.get(at).is_some_and(|hit| *hit <= last)
    }

    /// Takes in places that were found; they come in no order.
    pub(in crate::tui) fn add(&mut self, places: Vec<Place>) {
        self.hits.extend(places);
        // Two sorted runs: what the sort is made for.
        self.hits.sort();
        self.hits.dedup();
    }
}

fn turn_ends(thread: usize, turn: usize) -> (Place, Place) {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Place::of_turn(number(thread), number(turn))
}

/// What can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Copied {
    /// The tool and its arguments.
    Call,
    /// The arguments.
    Args,
    /// The answer.
    Answer,
    /// The verdict on the run.
    Verdict,
    /// The chain of causes.
    Why,
    /// A command line that opens the viewer here.
    Link,
}

impl Copied {
    /// In the order of the menu.
    pub(in crate::tui) const ALL: [Self; 6] = [
        Self::Call,
        Self::Args,
        Self::Answer,
        Self::Verdict,
        Self::Why,
        Self::Link,
    ];

    /// What it is called.
    pub(in crate::tui) const fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Args => "arguments",
            Self::Answer => "answer",
            Self::Verdict => "verdict",
            Self::Why => "why",
            Self::Link => "link",
        }
    }
}

impl Find {
    /// Another run: the history stays, and that payloads are blanked.
    pub(in crate::tui) fn forget_places(&mut self) {
        *self = Self {
            history: std::mem::take(&mut self.history),
            asked: self.asked,
            hidden: self.hidden.take(),
            ..Self::default()
        };
    }

    /// The same run, grown: places are carried over by thread, turn and call.
    pub(in crate::tui) fn carry_over(&mut self, old: &Run, new: &Run) {
        let moved = |place: &Place| carried(old, new, *place);
        self.trail = self.trail.iter().filter_map(moved).collect();
        self.marks = self.marks.iter().filter_map(moved).collect();
        if let Some(search) = &mut self.search {
            search.hits = search.hits.iter().filter_map(moved).collect();
            search.hits.sort();
            search.stale = true;
        }
        (self.survey, self.surveying, self.last, self.copying) = (None, None, None, None);
    }

    /// Whether a turn holds a mark.
    pub(in crate::tui) fn is_marked(&self, thread: usize, turn: usize) -> bool {
        let (first, last) = turn_ends(thread, turn);
        self.marks.range(first..=last).next().is_some()
    }
}

impl Model {
    /// Where the user is.
    pub(in crate::tui) fn place(&self) -> Place {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Place {
            thread: number(self.thread),
            turn: number(self.turn),
            call: number(self.call),
        }
    }

    /// The run with its payloads, also while the screen shows it without.
    pub(in crate::tui) fn whole_run(&self) -> &Arc<Run> {
        self.find.hidden.as_ref().map_or(&self.run, |(run, _)| run)
    }

    /// Selects a place, whatever is found out of the run later.
    pub fn open_at(&mut self, place: Place) {
        self.touched = true;
        self.thread = (place.thread as usize).min(self.run.threads.len().saturating_sub(1));
        self.turn = (place.turn as usize).min(self.turns().len().saturating_sub(1));
        self.turn_changed();
        self.call = (place.call as usize).min(self.calls().len().saturating_sub(1));
        self.focus = Panel::Timeline;
        self.keep_in_view();
    }

    /// Takes the payloads from the screen.
    pub(in crate::tui) fn veil(&mut self) {
        let (run, facts) = (Arc::clone(&self.run), self.facts.clone());
        self.find.hidden = Some((Arc::clone(&run), facts.clone()));
        self.grown(run, facts);
    }

    /// Shows the payloads again.
    pub(in crate::tui) fn unveil(&mut self) {
        if let Some((run, facts)) = self.find.hidden.take() {
            self.grown(run, facts);
        }
    }

    /// What is shown of a run: all of it, or while payloads are blanked what is left without.
    pub(super) fn shown(&mut self, run: Arc<Run>, facts: Facts) -> (Arc<Run>, Facts) {
        if self.find.hidden.is_none() {
            return (run, facts);
        }
        let left = blanked(&run, &facts);
        self.find.hidden = Some((run, facts));
        left
    }

    /// The policy whose schedule is drawn as predicted; `None` for what happened, in the
    /// recording or in a replay of one turn.
    pub(in crate::tui) const fn predicted_policy(&self) -> Option<Policy> {
        match self.drawn {
            Drawn::Predicted(policy) => Some(policy),
            Drawn::Recorded | Drawn::Measured(_) => None,
        }
    }

    /// The survey of what is drawn, if it is there.
    pub(in crate::tui) fn survey(&self) -> Option<&Arc<Survey>> {
        let (survey, options) = self.find.survey.as_ref()?;
        let fits = survey.policy == self.predicted_policy() && *options == self.options;
        fits.then_some(survey)
    }
}

/// A run without its payloads. Its verdict has to be found anew: the sentences name keys.
fn blanked(run: &Run, facts: &Facts) -> (Arc<Run>, Facts) {
    let left = Facts {
        verdict: Vec::new(),
        blank: true,
        ..facts.clone()
    };
    (Arc::new(run.blanked()), left)
}

/// A place of the old run in the new one.
fn carried(old: &Run, new: &Run, place: Place) -> Option<Place> {
    let name = &old.threads.get(place.thread as usize)?.name;
    let same = |at: &usize| new.threads.get(*at).is_some_and(|t| t.name == *name);
    let before = Some(place.thread as usize).filter(same);
    let thread = before.or_else(|| new.threads.iter().position(|t| t.name == *name))?;
    let number = turn_of(old, place)?.number;
    let turns = &new.threads[thread].turns;
    let is_it = |at: usize| {
        let record = turns.get(at).and_then(|turn| new.turns.get(*turn as usize));
        record.is_some_and(|turn| turn.number == number)
    };
    let before = Some(place.turn as usize).filter(|at| is_it(*at));
    let turn = before.or_else(|| (0..turns.len()).find(|at| is_it(*at)))?;
    Some(Place {
        thread: u32::try_from(thread).ok()?,
        turn: u32::try_from(turn).ok()?,
        ..place
    })
}

/// The turn at a place.
pub(in crate::tui) fn turn_of(run: &Run, place: Place) -> Option<&Turn> {
    let thread = run.threads.get(place.thread as usize)?;
    run.turns
        .get(*thread.turns.get(place.turn as usize)? as usize)
}

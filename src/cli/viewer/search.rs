//! Searching a run beside the viewer: names first, bodies after that.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use memchr::memmem::Finder;

use super::beside;
use crate::analyze::query::{CallFacts, Fit, Part, Query};
use crate::analyze::{Place, Survey, WhatIfOptions, turns_in_order};
use crate::schedule::Policy;
use crate::trace::{Bodies, BodyRef, Run};
use crate::tui::{Found, Msg, Replies};

/// Time between two messages of a search.
const NEWS: Duration = Duration::from_millis(100);

/// What is searched for, where.
pub(super) struct Task {
    pub(super) id: u64,
    pub(super) query: Query,
    pub(super) policy: Option<Policy>,
    pub(super) options: WhatIfOptions,
    pub(super) run: Arc<Run>,
    /// The number of the search that is wanted; another one ends this.
    pub(super) wanted: Arc<AtomicU64>,
}

/// A call that only its bodies can tell of.
struct Open {
    turn: u32,
    call: u32,
    place: Place,
    in_hazard: bool,
}

/// A search under way.
struct Search<'a> {
    task: &'a Task,
    replies: &'a Replies,
    found: Found,
    told: Instant,
}

/// Searches beside the viewer.
pub(super) fn start(task: Task, replies: &Replies) {
    let answers = replies.clone();
    beside("search", replies, move || run(&task, &answers));
}

/// Finds what is worth going to, beside the viewer.
pub(super) fn survey(
    id: u64,
    policy: Option<Policy>,
    options: WhatIfOptions,
    run: &Arc<Run>,
    replies: &Replies,
) {
    let (run, answers) = (Arc::clone(run), replies.clone());
    beside("survey", replies, move || {
        let survey = Box::new(Survey::of(&run, policy, &options));
        answers.send(Msg::Surveyed { id, survey });
    });
}

/// Searches until everything was looked at or nobody wants it any more.
fn run(task: &Task, replies: &Replies) {
    let found = Found {
        id: task.id,
        of: task.run.calls.len(),
        ..Found::default()
    };
    let mut search = Search {
        task,
        replies,
        found,
        told: Instant::now(),
    };
    let Some(open) = search.names() else { return };
    // What the names tell is shown at once.
    search.tell(open.is_empty());
    if open.is_empty() || search.bodies(&open).is_none() {
        return;
    }
    search.tell(true);
}

impl Search<'_> {
    /// Looks at everything but bodies. Says which calls are left; `None` where the search is
    /// over.
    fn names(&mut self) -> Option<Vec<Open>> {
        let run = &*self.task.run;
        let hazards = self.hazards();
        let mut open = Vec::new();
        for (first, turn) in turns_in_order(run) {
            self.go_on()?;
            for (at, call) in (0..).zip(run.calls_of(turn)) {
                let place = Place { call: at, ..first };
                let in_hazard = hazards.contains(&place);
                let facts = CallFacts {
                    run,
                    turn,
                    call,
                    in_hazard,
                };
                match self.task.query.fits(&facts) {
                    Fit::Yes => self.found.places.push(place),
                    Fit::No => {}
                    Fit::LookInside => {
                        open.push(Open {
                            turn: call.turn,
                            call: turn.calls.start + at,
                            place,
                            in_hazard,
                        });
                        continue;
                    }
                }
                self.found.looked += 1;
            }
        }
        Some(open)
    }

    /// The calls that are in a hazard, where the query asks for them.
    fn hazards(&self) -> HashSet<Place> {
        if !self.task.query.asks_for_hazards() {
            return HashSet::new();
        }
        let survey = Survey::of(&self.task.run, self.task.policy, &self.task.options);
        let both = survey.hazards.iter().flat_map(|at| {
            let first = Place {
                call: at.hazard.first,
                ..at.place
            };
            [first, at.place]
        });
        both.collect()
    }

    /// Looks into the bodies of what is left.
    fn bodies(&mut self, open: &[Open]) -> Option<()> {
        let run = &*self.task.run;
        for Open {
            turn,
            call,
            place,
            in_hazard,
        } in open
        {
            self.go_on()?;
            let (Some(turn), Some(call)) =
                (run.turns.get(*turn as usize), run.calls.get(*call as usize))
            else {
                continue;
            };
            let facts = CallFacts {
                run,
                turn,
                call,
                in_hazard: *in_hazard,
            };
            let mut unread = false;
            let wanted = || self.is_wanted();
            let fits = self.task.query.fits_inside(&facts, |part, text| {
                let body = match part {
                    Part::Args => call.args,
                    Part::Answer => call.answer,
                };
                holds(run, body, text, wanted).unwrap_or_else(|| {
                    unread = true;
                    false
                })
            });
            // Of a body that nobody could read nothing is known, not even that it holds no such
            // word.
            if fits && !unread {
                self.found.places.push(*place);
            }
            self.found.unread += usize::from(unread);
            self.found.looked += 1;
            if self.told.elapsed() >= NEWS {
                self.tell(false);
            }
        }
        Some(())
    }

    fn is_wanted(&self) -> bool {
        self.task.wanted.load(Ordering::Relaxed) == self.task.id
    }

    fn go_on(&self) -> Option<()> {
        self.is_wanted().then_some(())
    }

    /// Sends what was found since the last time.
    fn tell(&mut self, done: bool) {
        if !self.is_wanted() {
            return;
        }
        self.told = Instant::now();
        let news = Found {
            places: std::mem::take(&mut self.found.places),
            done,
            ..self.found.clone()
        };
        self.replies.send(Msg::Found(news));
    }
}

/// Whether a body holds a text, which is in lower case; `None` where it cannot be read.
fn holds(run: &Run, body: BodyRef, text: &str, wanted: impl Fn() -> bool) -> Option<bool> {
    let finder = Finder::new(text.as_bytes());
    let mut found = false;
    let read = Bodies::each_piece(run, body, |piece| {
        let lower = if piece.is_ascii() {
            piece.to_ascii_lowercase()
        } else {
            piece.to_lowercase()
        };
        found = finder.find(lower.as_bytes()).is_some();
        found || !wanted()
    });
    read.ok().map(|()| found)
}

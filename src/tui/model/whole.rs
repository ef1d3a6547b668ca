//! The whole run as it is drawn: found once for a run, so that a frame costs the same whatever
//! the number of calls.

use std::collections::HashMap;

use crate::analyze::{Part, Parts, Stretch, busy_spans, parts, typical_stretch};
use crate::chart::{Coverage, Folds, Moments};
use crate::model::{ThreadId, Timing};
use crate::text;
use crate::time::{Nanos, Span};
use crate::trace::{Call, Run, Turn};

/// The whole run as it is drawn.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct Whole {
    /// By thread, as in the run.
    pub(in crate::tui) threads: Vec<ThreadRow>,
    /// The threads as a tree: every one after the one that started it.
    order: Vec<u32>,
    /// The time axis of all of them.
    pub(in crate::tui) folds: Folds,
    /// When the calls of all threads began.
    pub(in crate::tui) calls: Moments,
    /// Cells that the longest name takes, with what stands before and after it.
    pub(in crate::tui) name_cells: usize,
}

/// What is drawn of one thread.
#[derive(Clone, Debug)]
pub(in crate::tui) struct ThreadRow {
    /// How many threads are between it and one that nothing started.
    pub(in crate::tui) depth: usize,
    /// The thread that started it.
    pub(in crate::tui) parent: Option<u32>,
    /// How many sub-agents it started, theirs included, and their calls.
    pub(in crate::tui) below: (usize, usize),
    /// How many calls it made, those without times included.
    pub(in crate::tui) calls: usize,
    /// The split of its time; the stretches are in `covers`.
    pub(in crate::tui) parts: Parts,
    /// When its calls began.
    pub(in crate::tui) starts: Moments,
    /// When its turns began, by their place; no turn before the one before it.
    turns: Vec<Nanos>,
    /// Where the time went, by [`Shown`].
    covers: [Coverage; Shown::ALL.len()],
}

/// What a stretch of a thread is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Shown {
    /// The model.
    Model,
    /// A body that ran.
    Tool,
    /// A body that may have run.
    Bound,
    /// Calls held back.
    Waiting,
    /// A person asked.
    Approval,
}

impl Shown {
    pub(in crate::tui) const ALL: [Self; 5] = [
        Self::Model,
        Self::Tool,
        Self::Bound,
        Self::Waiting,
        Self::Approval,
    ];

    const fn of(stretch: &Stretch) -> Option<Self> {
        Some(match (stretch.part, stretch.timing) {
            (Part::Model, _) => Self::Model,
            (Part::Tool, Timing::Bound) => Self::Bound,
            (Part::Tool, _) => Self::Tool,
            (Part::Waiting, _) => Self::Waiting,
            (Part::Approval, _) => Self::Approval,
            (Part::Unattributed, _) => return None,
        })
    }
}

impl ThreadRow {
    /// Where something that is drawn like this went on.
    pub(in crate::tui) const fn cover(&self, shown: Shown) -> &Coverage {
        &self.covers[shown as usize]
    }

    /// When the turn at that place began.
    pub(in crate::tui) fn begin(&self, place: usize) -> Option<Nanos> {
        self.parts.wall?;
        self.turns.get(place).copied()
    }

    /// From the begin of a turn to that of the next one, or to the end of the thread.
    pub(in crate::tui) fn span(&self, place: usize) -> Option<Span> {
        let begin = self.begin(place)?;
        let wall = self.parts.wall?;
        Some(Span::new(
            begin,
            self.begin(place + 1).unwrap_or(wall.end).max(begin),
        ))
    }

    /// The place of the turn that an instant belongs to: the last one that had begun.
    pub(in crate::tui) fn place_at(&self, at: Nanos) -> usize {
        let begun = self.turns.partition_point(|begin| *begin <= at);
        begun.saturating_sub(1)
    }

    fn of(run: &Run, thread: u32) -> Self {
        let mut parts = parts(run, ThreadId(thread));
        let spans = |shown| {
            let own = parts.stretches.iter();
            let own = own.filter(|stretch| Shown::of(stretch) == Some(shown));
            Coverage::new(own.map(|stretch| stretch.span).collect())
        };
        let covers = Shown::ALL.map(spans);
        parts
            .stretches
            .retain(|stretch| Shown::of(stretch).is_some());
        let row = run.thread(ThreadId(thread));
        let turns = row.map_or(&[][..], |row| row.turns.as_slice());
        let turns = || {
            turns
                .iter()
                .filter_map(|&turn| run.turns.get(turn as usize))
        };
        let starts = turns().flat_map(|turn| run.calls_of(turn).iter().filter_map(begin_of_call));
        let mut last = parts.wall.unwrap_or_default().start;
        let begins = turns().map(|turn| {
            last = begin_of_turn(run, turn).map_or(last, |at| at.max(last));
            last
        });
        Self {
            depth: 0,
            parent: row.and_then(|row| row.parent).map(|parent| parent.thread.0),
            below: (0, 0),
            calls: turns().map(|turn| turn.calls.len as usize).sum(),
            starts: Moments::new(starts.collect()),
            turns: begins.collect(),
            parts,
            covers,
        }
    }
}

impl Whole {
    /// Looks at all of a run.
    pub(in crate::tui) fn of(run: &Run) -> Self {
        let count = u32::try_from(run.threads.len()).unwrap_or(u32::MAX);
        let mut threads: Vec<ThreadRow> = (0..count).map(|at| ThreadRow::of(run, at)).collect();
        let calls = run.calls.iter().filter_map(begin_of_call);
        let calls = Moments::new(calls.collect());
        let folds = folds(run, &mut threads);
        let order = tree(run, &mut threads);
        let name = |(thread, row): (&crate::trace::Thread, &ThreadRow)| {
            let after = match row.below.0.checked_ilog10() {
                Some(digits) => digits as usize + 3,
                None => 0,
            };
            3 + indent(row.depth) + text::width(&thread.name) + after
        };
        let name_cells = run.threads.iter().zip(&threads).map(name).max();
        Self {
            threads,
            order,
            folds,
            calls,
            name_cells: name_cells.unwrap_or(0),
        }
    }

    /// The threads that are listed while the sub-agents of some are folded away.
    pub(in crate::tui) fn listed(&self, is_folded: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut listed = Vec::new();
        let mut hidden_below = None;
        for &thread in &self.order {
            let Some(row) = self.threads.get(thread as usize) else {
                continue;
            };
            if hidden_below.is_some_and(|depth| row.depth > depth) {
                continue;
            }
            hidden_below = is_folded(thread).then_some(row.depth);
            listed.push(thread);
        }
        listed
    }
}

/// Cells before a name in the tree; deep trees go no further to the right.
pub(in crate::tui) fn indent(depth: usize) -> usize {
    depth.min(4) * 2
}

fn begin_of_call(call: &Call) -> Option<Nanos> {
    call.start.or(call.issued).or(call.end)
}

fn begin_of_turn(run: &Run, turn: &Turn) -> Option<Nanos> {
    let model = turn.model.map(|model| model.start);
    let first = || {
        run.calls_of(turn)
            .iter()
            .find_map(|call| call.issued.or(call.start))
    };
    model.or(turn.at).or_else(first)
}

/// The axis of all threads. Takes the stretches away from them: the covers hold them by now.
fn folds(run: &Run, threads: &mut [ThreadRow]) -> Folds {
    let mut parts: Vec<Parts> = Vec::with_capacity(threads.len());
    for row in threads.iter_mut() {
        let stretches = std::mem::take(&mut row.parts.stretches);
        parts.push(Parts {
            stretches,
            ..row.parts.clone()
        });
    }
    let walls = parts.iter().filter_map(|parts| parts.wall);
    let Some(extent) = walls.reduce(Span::hull) else {
        return Folds::default();
    };
    // The last instant is on the axis too.
    let extent = Span::new(extent.start, extent.end + Nanos(1));
    let calls = run.calls.iter().filter_map(begin_of_call);
    let turns = run.turns.iter().filter_map(|turn| turn.at);
    let busy = busy_spans(&parts, calls.chain(turns));
    Folds::new(extent, &busy, typical_stretch(&parts).unwrap_or_default())
}

/// Puts every thread after the one that started it, in the order of the calls that did, and says
/// how deep each is and how much is below it.
fn tree(run: &Run, threads: &mut [ThreadRow]) -> Vec<u32> {
    let mut children: HashMap<Option<u32>, Vec<u32>> = HashMap::new();
    for (at, row) in (0u32..).zip(threads.iter()) {
        children.entry(row.parent).or_default().push(at);
    }
    let parent = |at: &u32| run.thread(ThreadId(*at)).and_then(|thread| thread.parent);
    for list in children.values_mut() {
        list.sort_by_key(|at| parent(at).map(|parent| (parent.turn, parent.call)));
    }
    let mut order = Vec::with_capacity(threads.len());
    let mut left: Vec<(u32, usize)> = Vec::new();
    let push = |left: &mut Vec<(u32, usize)>, of: Option<u32>, depth: usize| {
        let list = children.get(&of).map_or(&[][..], Vec::as_slice);
        left.extend(list.iter().rev().map(|&at| (at, depth)));
    };
    push(&mut left, None, 0);
    while let Some((at, depth)) = left.pop() {
        order.push(at);
        threads[at as usize].depth = depth;
        push(&mut left, Some(at), depth + 1);
    }
    // Children come later in the order, so from its end every sum is complete when it is used.
    for &at in order.iter().rev() {
        let row = &threads[at as usize];
        let own = row.calls;
        let (agents, calls) = row.below;
        if let Some(above) = row.parent.and_then(|above| threads.get_mut(above as usize)) {
            above.below.0 += agents + 1;
            above.below.1 += calls + own;
        }
    }
    order
}

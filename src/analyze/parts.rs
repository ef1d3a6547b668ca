//! Where a thread's wall time went: every instant belongs to exactly one part, so that shares
//! are of the wall and never add up to more than all of it.

use super::intervals::{Covered, intervals};
use crate::model::{ThreadId, Timing};
use crate::time::{Nanos, Span};
use crate::trace::{Run, Turn};

/// What a stretch of a thread's wall time was spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The model was writing its reply.
    Model,
    /// At least one body ran, or may have run.
    Tool,
    /// Calls were issued and held back, and nothing ran.
    Waiting,
    /// A person had been asked and had not answered, and nothing ran.
    Approval,
    /// Nothing in the file says what happened.
    Unattributed,
}

impl Part {
    /// Every part, in the order in which they are shown.
    pub const ALL: [Self; 5] = [
        Self::Model,
        Self::Tool,
        Self::Waiting,
        Self::Approval,
        Self::Unattributed,
    ];

    /// The word for it on screens and in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Tool => "tools",
            Self::Waiting => "waiting",
            Self::Approval => "you",
            Self::Unattributed => "unattributed",
        }
    }
}

/// A stretch of a thread's wall time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// From when to when, on the clock of the run; never empty.
    pub span: Span,
    /// What it was spent on.
    pub part: Part,
    /// How that is known. A tool's `bound` says that a body may have run here.
    pub timing: Timing,
}

/// One part over the whole wall of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartTotal {
    /// Which part.
    pub part: Part,
    /// How much of the wall; `None` where nothing of it is known, which is not zero.
    pub time: Option<Nanos>,
    /// The weakest timing of what it is made of; `unknown` where `time` is `None`.
    pub timing: Timing,
    /// Turns without a model time, or calls that ran for nobody knows how long: what would belong
    /// here and is not in `time`.
    pub missing: usize,
}

/// The split of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// First to last known time; `None` where the file has none.
    pub wall: Option<Span>,
    /// Side by side in order of time, from the start of the wall to its end.
    pub stretches: Vec<Stretch>,
    /// By part, in the order of [`Part::ALL`].
    pub totals: [PartTotal; 5],
}

impl Parts {
    /// The total of one part.
    #[must_use]
    pub const fn total(&self, part: Part) -> PartTotal {
        self.totals[part as usize]
    }

    /// Whole percents of the wall by part; they add up to exactly 100. `None` without a wall.
    /// A part of less than half a percent may have 0 though its time is not zero.
    #[must_use]
    pub fn percents(&self) -> Option<[u32; 5]> {
        let wall = u128::from(self.wall?.len().0);
        if wall == 0 {
            return None;
        }
        let scaled = self
            .totals
            .map(|total| u128::from(total.time.unwrap_or_default().0) * 100);
        let mut percents = scaled.map(|time| u32::try_from(time / wall).unwrap_or(100));
        // The largest remainders get what rounding down left over.
        let mut order: Vec<usize> = (0..scaled.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(scaled[at] % wall));
        let left = 100u32.saturating_sub(percents.iter().sum());
        for at in order.into_iter().take(left as usize) {
            percents[at] += 1;
        }
        Some(percents)
    }
}

/// Splits the wall of a thread into parts.
///
/// Of what goes on at the same time the first of these decides: a body that ran, the model, a
/// body that may have run (`bound`), an approval, waiting. So a body that really ran beside the
/// model counts as tool time, and an interval that merely ends with a result takes nothing from
/// the model. While a call waits for its approval its own body runs at no time. What a body did
/// after it was given up or sent to the background is in no part; neither is the time of a
/// sub-agent, which lies inside the call that started it.
#[must_use]
pub fn parts(run: &Run, thread: ThreadId) -> Parts {
    let turns = run.thread(thread).map_or(&[][..], |t| t.turns.as_slice());
    let turns = || turns.iter().filter_map(|&at| run.turns.get(at as usize));
    let wall = wall(run, thread, turns());
    let mut found = Found::default();
    for turn in turns() {
        found.turn(run, turn, wall);
    }
    let stretches = wall.map_or_else(Vec::new, |wall| sweep(wall, &found.covered));
    let totals = Part::ALL.map(|part| found.total(part, wall.is_some(), &stretches));
    Parts {
        wall,
        stretches,
        totals,
    }
}

/// How long the attributed stretches of several threads typically are: their median; `None`
/// where there are none.
#[must_use]
pub fn typical_stretch(threads: &[Parts]) -> Option<Nanos> {
    let mut lengths: Vec<Nanos> = attributed(threads).map(Span::len).collect();
    let middle = lengths.len() / 2;
    (!lengths.is_empty()).then(|| *lengths.select_nth_unstable(middle).1)
}

/// The attributed time of several threads, overlaps counted once, in order of time. An instant at
/// which something is known to have happened, though not for how long, has no length.
#[must_use]
pub fn busy_spans(threads: &[Parts], instants: impl Iterator<Item = Nanos>) -> Vec<Span> {
    let instants = instants.map(|at| Span { start: at, end: at });
    let mut spans: Vec<Span> = attributed(threads).chain(instants).collect();
    spans.sort_unstable();
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

fn attributed(threads: &[Parts]) -> impl Iterator<Item = Span> {
    let stretches = threads.iter().flat_map(|parts| &parts.stretches);
    stretches
        .filter(|stretch| stretch.part != Part::Unattributed)
        .map(|stretch| stretch.span)
}

fn wall<'a>(run: &Run, thread: ThreadId, turns: impl Iterator<Item = &'a Turn>) -> Option<Span> {
    let mut wall: Option<Span> = None;
    let mut add = |at: Nanos| {
        let instant = Span { start: at, end: at };
        wall = Some(wall.map_or(instant, |wall| wall.hull(instant)));
    };
    for turn in turns {
        let model = turn.model.map(|model| [model.start, model.end]);
        model.into_iter().flatten().for_each(&mut add);
        [turn.at, turn.end].into_iter().flatten().for_each(&mut add);
        for call in run.calls_of(turn) {
            let known = [call.issued, call.start, call.end, call.asked, call.granted];
            known.into_iter().flatten().for_each(&mut add);
        }
    }
    // The end of the run is the end of its main thread, where that has any time at all.
    if thread == ThreadId(0) {
        let ended = run
            .ended
            .filter(|&ended| wall.is_some_and(|w| ended > w.end));
        wall = wall.map(|w| Span::new(w.start, ended.unwrap_or(w.end)));
    }
    wall
}

/// What the turns of a thread cover, and what is not known of them.
#[derive(Default)]
struct Found {
    covered: Vec<Covered>,
    turns: usize,
    untimed_turns: usize,
    ran: usize,
    untimed_calls: usize,
}

impl Found {
    fn turn(&mut self, run: &Run, turn: &Turn, wall: Option<Span>) {
        self.turns += 1;
        match turn.model.filter(|_| turn.model_timing != Timing::Unknown) {
            None => self.untimed_turns += 1,
            Some(span) => self.covered.push(Covered {
                span,
                part: Part::Model,
                timing: turn.model_timing,
            }),
        }
        for call in run.calls_of(turn) {
            self.ran += usize::from(!call.never_ran());
            let known = intervals(call, wall.unwrap_or_default(), &mut self.covered);
            self.untimed_calls += usize::from(!known);
        }
    }

    fn total(&self, part: Part, timed: bool, stretches: &[Stretch]) -> PartTotal {
        let (all, missing) = match part {
            Part::Model => (self.turns, self.untimed_turns),
            Part::Tool => (self.ran, self.untimed_calls),
            _ => (0, 0),
        };
        let known = timed && (missing == 0 || missing < all);
        let own = || stretches.iter().filter(|stretch| stretch.part == part);
        let time = known.then(|| own().map(|stretch| stretch.span.len()).sum());
        let timing = if known {
            own()
                .map(|stretch| stretch.timing)
                .max()
                .unwrap_or(Timing::Measured)
        } else {
            Timing::Unknown
        };
        PartTotal {
            part,
            time,
            timing,
            missing,
        }
    }
}

/// Which of two things at the same time decides: the lower.
const fn rank(part: Part, timing: Timing) -> usize {
    let timing = timing as usize;
    match part {
        // A bound says only that a body may have run: it comes after the model.
        Part::Tool if timing == Timing::Bound as usize => 8,
        Part::Tool => timing,
        Part::Model => 4 + timing,
        Part::Approval => 9 + timing,
        Part::Waiting => 13 + timing,
        Part::Unattributed => 17,
    }
}

const RANKS: usize = 18;

fn sweep(wall: Span, covered: &[Covered]) -> Vec<Stretch> {
    let mut edges: Vec<(Nanos, bool, usize)> = Vec::with_capacity(covered.len() * 2);
    let mut meaning = [(Part::Unattributed, Timing::Measured); RANKS];
    for item in covered.iter().filter(|item| !item.span.is_empty()) {
        let rank = rank(item.part, item.timing);
        meaning[rank] = (item.part, item.timing);
        edges.push((item.span.start, true, rank));
        edges.push((item.span.end, false, rank));
    }
    edges.sort_unstable();
    let mut active = [0usize; RANKS];
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut at = wall.start;
    for (when, begins, rank) in edges {
        push(
            &mut stretches,
            at,
            when.min(wall.end),
            first(&active, &meaning),
        );
        at = at.max(when);
        if begins {
            active[rank] += 1;
        } else {
            active[rank] = active[rank].saturating_sub(1);
        }
    }
    push(
        &mut stretches,
        at,
        wall.end,
        (Part::Unattributed, Timing::Measured),
    );
    stretches
}

fn first(active: &[usize; RANKS], meaning: &[(Part, Timing); RANKS]) -> (Part, Timing) {
    let rank = active.iter().position(|&n| n > 0);
    rank.map_or((Part::Unattributed, Timing::Measured), |rank| meaning[rank])
}

/// Adds a stretch, or makes the last one longer.
fn push(stretches: &mut Vec<Stretch>, from: Nanos, to: Nanos, (part, timing): (Part, Timing)) {
    if to <= from {
        return;
    }
    match stretches.last_mut() {
        Some(last) if last.part == part && last.timing == timing => last.span.end = to,
        _ => stretches.push(Stretch {
            span: Span::new(from, to),
            part,
            timing,
        }),
    }
}

//! The calls of a turn by key or by slot: what a lane holds when it is not one call's.

use std::collections::BTreeMap;

use super::bars::bars;
use super::report::{Row, Schedule};
use crate::chart::{Bar, Role, Track};
use crate::text::clean;
use crate::time::{Nanos, Span, union_len};
use crate::trace::{Call, Run};

/// So many bodies that started before a time are asked whether they still run.
const LOOK_BACK: usize = 1_000;

/// What a lane of the timeline is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LaneBy {
    /// One call.
    #[default]
    Call,
    /// A key: who held it and who waited.
    Key,
    /// A slot: what ran in it.
    Slot,
}

impl LaneBy {
    /// The next kind, around the end.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Call => Self::Key,
            Self::Key => Self::Slot,
            Self::Slot => Self::Call,
        }
    }
}

/// A lane of several calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    /// The key or the slot, safe to show.
    pub(super) label: String,
    /// Its calls in the order in which they ran; those that never ran last.
    pub(super) calls: Vec<u32>,
    /// Which of them write.
    pub(super) writes: Vec<bool>,
    /// When a body ran.
    pub(super) runs: Track,
    /// When a call was held back.
    pub(super) waits: Track,
    /// The bodies by start, for labels.
    pub(super) bodies: Vec<(Span, u32)>,
    /// For how long at least one body ran; `None` where a part is not known.
    pub(super) held: Option<Nanos>,
    /// The call that was held back longest, and for how long.
    pub(super) longest_wait: Option<(Nanos, u32)>,
}

impl Lane {
    /// The call whose body runs at a time; of several the one that started last.
    pub(super) fn body_at(&self, time: Nanos) -> Option<u32> {
        let before = self.bodies.partition_point(|(span, _)| span.start <= time);
        let running = self.bodies[..before].iter().rev().take(LOOK_BACK);
        let mut running = running.filter(|(span, _)| time < span.end || span.is_empty());
        running.next().map(|(_, call)| *call)
    }
}

/// The lanes of a turn's schedule; none for [`LaneBy::Call`], whose lanes are its rows.
pub(super) fn lanes(by: LaneBy, run: &Run, calls: &[Call], schedule: &Schedule) -> Vec<Lane> {
    match by {
        LaneBy::Call => Vec::new(),
        LaneBy::Key => by_key(run, calls, schedule),
        LaneBy::Slot => by_slot(schedule),
    }
}

fn by_key(run: &Run, calls: &[Call], schedule: &Schedule) -> Vec<Lane> {
    // Keys in the order in which the turn first mentions them, as a person reads the calls.
    let mut order = Vec::new();
    let mut of_key: BTreeMap<_, Vec<(u32, bool)>> = BTreeMap::new();
    let (mut opaque, mut keyless) = (Vec::new(), Vec::new());
    for (at, call) in (0u32..).zip(calls) {
        if call.opaque {
            opaque.push((at, true));
            continue;
        }
        let reads = run.keys_in(call.reads).iter().map(|key| (*key, false));
        let writes = run.keys_in(call.writes).iter().map(|key| (*key, true));
        let mut touches = false;
        for (key, is_write) in writes.chain(reads) {
            touches = true;
            let queue = of_key.entry(key).or_insert_with(|| {
                order.push(key);
                Vec::new()
            });
            if queue.last().is_none_or(|(last, _)| *last != at) {
                queue.push((at, is_write));
            }
        }
        if !touches {
            keyless.push((at, false));
        }
    }
    let mut lanes = Vec::new();
    let mut add = |label: String, queue: &[(u32, bool)]| {
        if !queue.is_empty() {
            lanes.push(lane(label, queue, schedule));
        }
    };
    add("everything (opaque)".to_owned(), &opaque);
    for key in order {
        let label = clean(run.keys.text(key)).into_owned();
        add(label, of_key.get(&key).map_or(&[][..], Vec::as_slice));
    }
    add("no key".to_owned(), &keyless);
    lanes
}

fn by_slot(schedule: &Schedule) -> Vec<Lane> {
    let mut slots: BTreeMap<u32, Vec<(u32, bool)>> = BTreeMap::new();
    let (mut loose, mut never) = (Vec::new(), Vec::new());
    for (at, row) in (0u32..).zip(&schedule.rows) {
        match (row.slot, row.start) {
            (Some(slot), _) => slots.entry(slot).or_default().push((at, false)),
            (None, Some(_)) => loose.push(at),
            (None, None) => never.push((at, false)),
        }
    }
    // Who waits holds no slot.
    let lane = |label, calls: &[(u32, bool)]| Lane {
        waits: Track::default(),
        longest_wait: None,
        ..lane(label, calls, schedule)
    };
    let mut lanes = Vec::new();
    for (slot, calls) in slots {
        lanes.push(lane(format!("slot {slot}"), &calls));
    }
    for (at, calls) in (0..).zip(packed(&loose, &schedule.rows)) {
        lanes.push(lane(format!("lane {at}, slot unknown"), &calls));
    }
    if !never.is_empty() {
        lanes.push(lane("never started".to_owned(), &never));
    }
    lanes
}

/// Calls without a recorded slot, in as few lanes as they need: each in the one that has been free
/// longest.
fn packed(calls: &[u32], rows: &[Row]) -> Vec<Vec<(u32, bool)>> {
    let begin = |call: &u32| rows[*call as usize].start.unwrap_or_default();
    let mut calls = calls.to_vec();
    calls.sort_by_key(|call| (begin(call), *call));
    let mut lanes: Vec<Vec<(u32, bool)>> = Vec::new();
    // By the time at which a lane is free again, the lowest first.
    let mut busy: std::collections::BinaryHeap<std::cmp::Reverse<(Nanos, usize)>> =
        std::collections::BinaryHeap::new();
    for call in calls {
        let end = rows[call as usize].end.unwrap_or(Nanos(u64::MAX));
        let free = busy
            .peek()
            .map(|first| first.0)
            .filter(|(at, _)| *at <= begin(&call));
        let lane = free.map_or(lanes.len(), |(_, lane)| lane);
        if free.is_some() {
            busy.pop();
        } else {
            lanes.push(Vec::new());
        }
        lanes[lane].push((call, false));
        busy.push(std::cmp::Reverse((end, lane)));
    }
    lanes
}

fn lane(label: String, queue: &[(u32, bool)], schedule: &Schedule) -> Lane {
    let rows = &schedule.rows;
    let row = |call: u32| rows.get(call as usize);
    let mut queue = queue.to_vec();
    queue.sort_by_key(|(call, _)| {
        let start = row(*call).and_then(|row| row.start);
        (start.is_none(), start, *call)
    });
    let calls: Vec<u32> = queue.iter().map(|(call, _)| *call).collect();
    let pieces = calls.iter().filter_map(|call| Some((*call, row(*call)?)));
    let pieces = pieces.flat_map(|(call, row)| {
        let bars = bars(row, schedule.extent).into_iter();
        bars.map(move |bar| (call, bar))
    });
    let (waits, ran): (Vec<_>, Vec<_>) = pieces.partition(|(_, bar)| bar.role == Role::Wait);
    let mut bodies: Vec<(Span, u32)> = ran.iter().map(|(call, bar)| (bar.span, *call)).collect();
    bodies.sort_by_key(|(span, call)| (span.start, *call));
    let known = calls.iter().filter_map(|call| row(*call));
    let known = known.filter(|row| row.start.is_some());
    let mut spans: Vec<Span> = bodies.iter().map(|(span, _)| *span).collect();
    let all_known = known.clone().all(|row| row.takes.is_some());
    let waited = calls
        .iter()
        .filter_map(|call| Some((row(*call)?.waited()?, *call)));
    let longest = waited.max_by_key(|(waited, call)| (*waited, std::cmp::Reverse(*call)));
    let track = |pieces: Vec<(u32, Bar)>| Track::new(pieces.into_iter().map(|p| p.1).collect());
    Lane {
        label,
        writes: queue.iter().map(|(_, writes)| *writes).collect(),
        held: all_known.then(|| union_len(&mut spans)),
        // What it takes to start a body is no wait that anybody looks for.
        longest_wait: longest.filter(|(waited, _)| waited.0 > schedule.extent.0 / 100),
        runs: track(ran),
        waits: track(waits),
        bodies,
        calls,
    }
}

//! What a timeline lets through: conflicting calls of a turn that overlapped.

use std::fmt;

use super::CallSpec;
use super::resources::Resources;
use crate::model::{KeyId, KeyTable};
use crate::time::Nanos;

/// When a call ran. It holds its keys from start up to, not including, end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// When its body started.
    pub start: Nanos,
    /// When it let go of its keys.
    pub end: Nanos,
}

/// What can go wrong when call j starts before the conflicting call i < j has ended. One kind per
/// pair, the first that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HazardKind {
    /// One of them is opaque: nobody knows what the order would have meant.
    UnknownOrder,
    /// Both write: whichever commits last erases the other.
    LostUpdate,
    /// The first writes what the second reads: it may see the old state.
    StaleRead,
    /// The first reads what the second writes: it may see the future.
    EarlyWrite,
}

impl HazardKind {
    /// The word used in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::UnknownOrder => "unknown_order",
            Self::LostUpdate => "lost_update",
            Self::StaleRead => "stale_read",
            Self::EarlyWrite => "early_write",
        }
    }

    /// The words used on screens.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::UnknownOrder => "unknown order",
            Self::LostUpdate => "lost update",
            Self::StaleRead => "stale read",
            Self::EarlyWrite => "early write",
        }
    }
}

impl fmt::Display for HazardKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

/// Two conflicting calls of a turn, the later of which started before the earlier had ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hazard {
    /// The earlier call in issue order.
    pub first: u32,
    /// The later one; `first < second`.
    pub second: u32,
    /// What can go wrong.
    pub kind: HazardKind,
    /// The first key that matches the kind; `None` for an unknown order.
    pub key: Option<KeyId>,
}

/// The hazards of one timeline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hazards {
    /// How many pairs there are.
    pub count: u64,
    /// The first of them, ordered by first and second call; at most [`Hazards::LISTED`].
    pub list: Vec<Hazard>,
}

impl Hazards {
    /// Beyond this many, pairs are counted and not listed.
    pub const LISTED: usize = 1_000;

    /// The one to tell first: a lost update before a stale read before an early write; an unknown
    /// order says least.
    #[must_use]
    pub fn worst(&self) -> Option<&Hazard> {
        self.list.iter().min_by_key(|h| {
            (
                h.kind == HazardKind::UnknownOrder,
                h.kind,
                h.first,
                h.second,
            )
        })
    }
}

/// The hazards of a turn whose call `i` ran in `intervals[i]`, or never. Ends and starts that
/// touch are none, and a final call alone makes none.
#[must_use]
pub fn hazards(calls: &[CallSpec<'_>], intervals: &[Option<Interval>], keys: &KeyTable) -> Hazards {
    if !could_race(calls, intervals) {
        return Hazards::default();
    }
    let resources = Resources::new(calls, keys);
    let mut index = Index::new(&resources);
    let mut found = Hazards::default();
    let mut earlier = Vec::new();
    for (second, (call, interval)) in (0..).zip(calls.iter().zip(intervals)) {
        let Some(interval) = interval else { continue };
        if found.list.len() >= Hazards::LISTED {
            found.count += index.count(second, call.opaque, interval.start, &mut earlier);
        } else {
            index.overlapping(second, call.opaque, interval.start, &mut earlier);
            found.count += earlier.len() as u64;
            let room = Hazards::LISTED - found.list.len();
            let judged = earlier
                .iter()
                .take(room)
                .filter_map(|&first| judge(&resources, first, second));
            found.list.extend(judged);
        }
        index.add(second, call.opaque, interval.end);
    }
    found.list.sort_unstable();
    found
}

/// False where nothing writes, or nothing started before all earlier calls had ended: most turns,
/// and no reason to look at their keys.
fn could_race(calls: &[CallSpec<'_>], intervals: &[Option<Interval>]) -> bool {
    let mut last = Nanos::ZERO;
    let overlap = intervals.iter().flatten().any(|interval| {
        let early = interval.start < last;
        last = last.max(interval.end);
        early
    });
    overlap && calls.iter().any(CallSpec::may_write)
}

/// Calls in issue order with the last end so far, so that a list whose calls have all ended is
/// passed over at once.
#[derive(Clone, Default)]
struct Ends {
    calls: Vec<(u32, Nanos)>,
    last: Nanos,
}

impl Ends {
    fn push(&mut self, call: u32, end: Nanos) {
        self.calls.push((call, end));
        self.last = self.last.max(end);
    }

    fn after(&self, start: Nanos) -> impl Iterator<Item = u32> {
        let live = if self.last > start {
            self.calls.as_slice()
        } else {
            &[]
        };
        live.iter()
            .filter(move |&&(_, end)| end > start)
            .map(|&(call, _)| call)
    }
}

/// Earlier calls by what they touch.
struct Index<'r> {
    resources: &'r Resources,
    all: Ends,
    opaque: Ends,
    /// By key: every call that touches it, and those that write it.
    on_key: Vec<Ends>,
    written: Vec<Ends>,
    /// For each tree the keys of the turn inside it.
    inside: Vec<Vec<u32>>,
}

impl<'r> Index<'r> {
    fn new(resources: &'r Resources) -> Self {
        let mut inside = vec![Vec::new(); resources.len()];
        for key in (0..).take(resources.len()) {
            for &tree in resources.within(key) {
                inside[tree as usize].push(key);
            }
        }
        let on_key = vec![Ends::default(); resources.len()];
        Self {
            resources,
            all: Ends::default(),
            opaque: Ends::default(),
            written: on_key.clone(),
            on_key,
            inside,
        }
    }

    fn add(&mut self, call: u32, opaque: bool, end: Nanos) {
        self.all.push(call, end);
        if opaque {
            self.opaque.push(call, end);
        }
        for mention in self.resources.of(call) {
            self.on_key[mention.key as usize].push(call, end);
            if mention.write {
                self.written[mention.key as usize].push(call, end);
            }
        }
    }

    /// Earlier calls that had not ended at `start` and conflict with `call`, in order.
    fn overlapping(&self, call: u32, opaque: bool, start: Nanos, found: &mut Vec<u32>) {
        found.clear();
        if self.all.last <= start {
            return;
        }
        if opaque {
            found.extend(self.all.after(start));
            return;
        }
        found.extend(self.opaque.after(start));
        for mention in self.resources.of(call) {
            let lists = self.against(mention.write);
            let inside = &self.inside[mention.key as usize];
            for &key in self
                .resources
                .within(mention.key)
                .iter()
                .chain(inside)
                .chain([&mention.key])
            {
                found.extend(lists[key as usize].after(start));
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    /// How many those are, without naming them where no call can be among them twice.
    fn count(&self, call: u32, opaque: bool, start: Nanos, found: &mut Vec<u32>) -> u64 {
        let sources = self.resources.of(call);
        let list = match sources {
            _ if opaque => &self.all,
            [] => &self.opaque,
            [one] if self.opaque.last <= start && self.is_alone(one.key) => {
                &self.against(one.write)[one.key as usize]
            }
            _ => {
                self.overlapping(call, opaque, start, found);
                return found.len() as u64;
            }
        };
        list.after(start).count() as u64
    }

    /// What a call that writes a key, or only reads it, conflicts with on it.
    fn against(&self, write: bool) -> &[Ends] {
        if write { &self.on_key } else { &self.written }
    }

    /// True where no other key of the turn can be the same resource.
    fn is_alone(&self, key: u32) -> bool {
        self.inside[key as usize].is_empty() && self.resources.within(key).is_empty()
    }
}

/// What can go wrong between two calls that conflict.
fn judge(resources: &Resources, first: u32, second: u32) -> Option<Hazard> {
    let hazard = |kind, key| {
        Some(Hazard {
            first,
            second,
            kind,
            key,
        })
    };
    if resources.is_opaque(first) || resources.is_opaque(second) {
        return hazard(HazardKind::UnknownOrder, None);
    }
    let kinds = [
        (HazardKind::LostUpdate, true, true),
        (HazardKind::StaleRead, true, false),
        (HazardKind::EarlyWrite, false, true),
    ];
    kinds
        .into_iter()
        .find_map(|(kind, first_writes, second_writes)| {
            let key = resources
                .of(first)
                .iter()
                .filter(|x| x.write == first_writes)
                .find_map(|x| {
                    let mut others = resources
                        .of(second)
                        .iter()
                        .filter(|y| y.write == second_writes);
                    others.find_map(|y| resources.meet(x.key, y.key))
                })?;
            hazard(kind, Some(resources.id(key)))
        })
}

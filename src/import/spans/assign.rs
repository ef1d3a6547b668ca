//! Which reply asked for which tool's run: by the call's id, else by place and time.

use std::collections::{BTreeSet, HashMap};

use super::span::Kind;
use super::tree::{DOUBTFUL, Owner, Tree};
use crate::import::draft::Draft;
use crate::import::value::{Stamp, earlier};
use crate::trace::Sym;

/// A call that a reply asked for: when the reply began, its row, the call's place in it.
type Seat = (Stamp, u32, u32);

/// The calls of a reply: tools' runs by the place that they were asked for in, then those that
/// nothing asked for. Numbers are rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    pub(super) asked: Vec<Option<u32>>,
    pub(super) more: Vec<u32>,
}

/// What became of all tools' runs.
#[derive(Debug)]
pub(super) struct Assigned {
    /// By the reply's row.
    pub(super) replies: HashMap<u32, Calls>,
    /// Runs without a reply, those that overlap together.
    pub(super) groups: Vec<(Owner, Vec<u32>)>,
}

/// Replies in order, by what they have in common.
#[derive(Debug, Default)]
struct Places {
    by_scope: HashMap<(Owner, u32), Vec<u32>>,
    by_trace: HashMap<(Owner, u32), Vec<u32>>,
    by_owner: HashMap<Owner, Vec<u32>>,
}

struct Assigner<'t> {
    tree: &'t Tree,
    places: Places,
    near: HashMap<(Owner, Sym), BTreeSet<Seat>>,
    anywhere: HashMap<Sym, BTreeSet<Seat>>,
    /// Free seats by reply and tool: those without an id, and all others.
    unnamed: HashMap<(u32, Sym), BTreeSet<u32>>,
    named: HashMap<(u32, Sym), BTreeSet<u32>>,
    found: HashMap<u32, Calls>,
}

/// Says for every tool's run which reply it belongs to.
pub(super) fn assign(tree: &Tree, draft: &mut Draft) -> Assigned {
    let mut assigner = Assigner::of(tree);
    let mut lost: HashMap<Owner, Vec<u32>> = HashMap::new();
    let rest: Vec<u32> = tree
        .rows_of(Kind::Tool)
        .filter(|row| !assigner.seat_by_id(*row))
        .collect();
    for row in rest {
        if !assigner.seat_by_place(row, draft) {
            let owner = tree.context(row).owner;
            lost.entry(owner).or_default().push(row);
        }
    }
    let mut groups: Vec<_> = lost.into_iter().collect();
    groups.sort_unstable_by_key(|(_, rows)| rows.first().copied());
    let groups = groups.into_iter().flat_map(|(owner, rows)| {
        let groups = overlapping(tree, rows);
        groups.into_iter().map(move |group| (owner, group))
    });
    Assigned {
        replies: assigner.found,
        groups: groups.collect(),
    }
}

impl<'t> Assigner<'t> {
    fn of(tree: &'t Tree) -> Self {
        let mut new = Self {
            tree,
            places: Places::default(),
            near: HashMap::new(),
            anywhere: HashMap::new(),
            unnamed: HashMap::new(),
            named: HashMap::new(),
            found: HashMap::new(),
        };
        for row in tree.rows_of(Kind::Model) {
            let context = tree.context(row);
            let owner = context.owner;
            let places = &mut new.places;
            let scope = places.by_scope.entry((owner, context.scope));
            scope.or_default().push(row);
            let trace = places.by_trace.entry((owner, context.trace));
            trace.or_default().push(row);
            places.by_owner.entry(owner).or_default().push(row);
            new.seats(row, owner);
        }
        new
    }

    fn seats(&mut self, row: u32, owner: Owner) {
        let span = self.tree.span(row);
        let calls = Calls {
            asked: vec![None; span.wanted.len()],
            more: Vec::new(),
        };
        self.found.insert(row, calls);
        for (place, wanted) in (0..).zip(&span.wanted) {
            let key = (row, wanted.call.tool);
            if wanted.id == Sym::default() {
                self.unnamed.entry(key).or_default().insert(place);
                continue;
            }
            self.named.entry(key).or_default().insert(place);
            let seat = (span.start, row, place);
            let near = self.near.entry((owner, wanted.id));
            near.or_default().insert(seat);
            self.anywhere.entry(wanted.id).or_default().insert(seat);
        }
    }

    /// Gives a run to the reply that asked for its id.
    fn seat_by_id(&mut self, row: u32) -> bool {
        let Some((_, reply, place)) = self.by_id(row) else {
            return false;
        };
        let wanted = &self.tree.span(reply).wanted[place as usize];
        if let Some(seats) = self.named.get_mut(&(reply, wanted.call.tool)) {
            seats.remove(&place);
        }
        self.take(row, reply, place);
        true
    }

    /// Gives a run to the reply at its place; `false` where there is none.
    fn seat_by_place(&mut self, row: u32, draft: &mut Draft) -> bool {
        let Some(reply) = self.by_place(row, draft) else {
            return false;
        };
        let span = self.tree.span(row);
        let key = (reply, span.call.tool);
        let mut seat = self.unnamed.get_mut(&key).and_then(BTreeSet::pop_first);
        // A run that says no id may be that of a call that has one.
        if seat.is_none() && span.call_id == Sym::default() {
            seat = self.named.get_mut(&key).and_then(BTreeSet::pop_first);
        }
        match seat {
            Some(place) => self.take(row, reply, place),
            None => self.found.entry(reply).or_default().more.push(row),
        }
        true
    }

    fn take(&mut self, row: u32, reply: u32, place: u32) {
        let calls = self.found.entry(reply).or_default();
        match calls.asked.get_mut(place as usize) {
            Some(seat) => *seat = Some(row),
            None => calls.more.push(row),
        }
    }

    /// The free seat of the run's call id: of the latest reply before it, of its own agent's
    /// replies if there is one.
    fn by_id(&mut self, row: u32) -> Option<Seat> {
        let span = self.tree.span(row);
        if span.call_id == Sym::default() {
            return None;
        }
        let owner = self.tree.context(row).owner;
        let near = self.near.get(&(owner, span.call_id));
        let near = near.and_then(|seats| nearest(seats, span.start));
        let seat = match near {
            Some(seat) => seat,
            None => nearest(self.anywhere.get(&span.call_id)?, span.start)?,
        };
        if let Some(seats) = self.anywhere.get_mut(&span.call_id) {
            seats.remove(&seat);
        }
        let owner = self.tree.context(seat.1).owner;
        if let Some(seats) = self.near.get_mut(&(owner, span.call_id)) {
            seats.remove(&seat);
        }
        Some(seat)
    }

    /// The reply around the run, else the latest that had begun before it: of its agent, of its
    /// trace, of all.
    fn by_place(&self, row: u32, draft: &mut Draft) -> Option<u32> {
        let context = self.tree.context(row);
        let around = context.model;
        let around = around.filter(|model| self.tree.span(*model).kind == Kind::Model);
        if around.is_some() {
            return around;
        }
        let start = self.tree.span(row).start;
        let Places {
            by_scope,
            by_trace,
            by_owner,
        } = &self.places;
        let latest = |rows: Option<&Vec<u32>>| latest(self.tree, rows?, start);
        let own = latest(by_scope.get(&(context.owner, context.scope)))
            .or_else(|| latest(by_trace.get(&(context.owner, context.trace))));
        if own.is_some() {
            return own;
        }
        let far = latest(by_owner.get(&context.owner));
        if far.is_some() {
            draft.skipped().note(DOUBTFUL);
        }
        far
    }
}

fn nearest(seats: &BTreeSet<Seat>, start: Stamp) -> Option<Seat> {
    let before = seats.range(..=(start, u32::MAX, u32::MAX)).next_back();
    before.or_else(|| seats.first()).copied()
}

/// The last of the rows that had begun at `start`; the last of all for a run without a start.
fn latest(tree: &Tree, rows: &[u32], start: Stamp) -> Option<u32> {
    let Some(start) = start else {
        return rows.last().copied();
    };
    let begun = |row: &u32| tree.span(*row).start.is_some_and(|at| at <= start);
    let n = rows.partition_point(begun);
    n.checked_sub(1).and_then(|last| rows.get(last)).copied()
}

/// Runs in groups: one that begins before all earlier ones have ended joins them.
fn overlapping(tree: &Tree, rows: Vec<u32>) -> Vec<Vec<u32>> {
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut last: Stamp = None;
    for row in rows {
        let span = tree.span(row);
        let together = match (span.start, last) {
            (Some(start), Some(last)) => start < last,
            (None, None) => true,
            _ => false,
        };
        match groups.last_mut().filter(|_| together) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
        let end = span.end.or(earlier(span.start, None));
        last = if together { last.max(end) } else { end };
    }
    groups
}

//! Who starts when, in which slot and why.

use std::fmt;

use super::calls::{RefCall, inside, is_tree, overlap};
use super::hazards::{RefHazard, hazards};
use super::order::{Policy, direct, is_barrier};

/// How a call was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefOutcome {
    Ok,
    Failed,
    Refused,
    NotRun,
}

/// Why a call started when it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefCause {
    Issued,
    Slot { after: usize },
    Barrier { after: usize },
    Key { key: String, after: usize },
    After { after: usize },
}

impl fmt::Display for RefCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Issued => write!(f, "issued"),
            Self::Slot { after } => write!(f, "slot after {after}"),
            Self::Barrier { after } => write!(f, "barrier {after}"),
            Self::Key { key, after } => write!(f, "key {key} after {after}"),
            Self::After { after } => write!(f, "after {after}"),
        }
    }
}

/// A turn that ran; one entry a call, times from its first issue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefRun {
    /// `None` for a call that never started.
    pub starts: Vec<Option<u64>>,
    /// When a call ended or, if it never started, was settled.
    pub ends: Vec<Option<u64>>,
    /// `None` for a call that never started.
    pub slots: Vec<Option<usize>>,
    /// `None` for a call that never started.
    pub causes: Vec<Option<RefCause>>,
    /// Every call has one.
    pub outcomes: Vec<Option<RefOutcome>>,
    /// The last end.
    pub makespan: u64,
    /// By `first`, then `second`.
    pub hazards: Vec<RefHazard>,
}

impl RefRun {
    /// A call's cause in words; `-` if it never started.
    pub fn cause(&self, call: usize) -> String {
        match &self.causes[call] {
            Some(cause) => cause.to_string(),
            None => "-".to_owned(),
        }
    }
}

/// Runs a turn, all calls issued at 0, with `slots` slots (`None`: as many as are wanted).
pub fn run(policy: Policy, slots: Option<usize>, calls: &[RefCall]) -> RefRun {
    let mut turn = Turn {
        policy,
        limit: slots,
        calls,
        direct: direct(policy, calls),
        released: vec![None; calls.len()],
        run: RefRun {
            starts: vec![None; calls.len()],
            ends: vec![None; calls.len()],
            slots: vec![None; calls.len()],
            causes: vec![None; calls.len()],
            outcomes: vec![None; calls.len()],
            makespan: 0,
            hazards: Vec::new(),
        },
    };
    let mut now = Some(0);
    while let Some(at) = now {
        turn.apply_ends(at);
        turn.start_ready(at);
        now = turn.next_end(at);
    }
    let mut run = turn.run;
    run.makespan = run.ends.iter().flatten().copied().max().unwrap_or(0);
    run.hazards = hazards(calls, &run.starts, &run.ends);
    run
}

struct Turn<'a> {
    policy: Policy,
    limit: Option<usize>,
    calls: &'a [RefCall],
    direct: Vec<Vec<usize>>,
    /// When a call let its successors go.
    released: Vec<Option<u64>>,
    run: RefRun,
}

impl Turn<'_> {
    fn started(&self, c: usize) -> bool {
        self.run.starts[c].is_some()
    }

    fn settled(&self, c: usize) -> bool {
        self.run.outcomes[c].is_some()
    }

    fn running(&self, c: usize) -> bool {
        self.started(c) && !self.settled(c)
    }

    fn all_released(&self, c: usize) -> bool {
        self.direct[c].iter().all(|&i| self.released[i].is_some())
    }

    /// When a running call ends.
    fn due(&self, c: usize) -> Option<u64> {
        let start = self.run.starts[c]?;
        self.running(c).then(|| start + self.calls[c].duration)
    }

    /// Settled without a start, and about to let its successors go.
    fn about_to_release(&self, c: usize) -> bool {
        self.settled(c) && self.released[c].is_none() && self.all_released(c)
    }

    /// The first half of a round: everything that ends at `now` ends.
    fn apply_ends(&mut self, now: u64) {
        let due: Vec<usize> = self.those(|turn, c| turn.due(c) == Some(now));
        for &c in &due {
            let failed = self.calls[c].fails;
            self.run.ends[c] = Some(now);
            self.run.outcomes[c] = Some(if failed {
                RefOutcome::Failed
            } else {
                RefOutcome::Ok
            });
            self.released[c] = Some(now);
        }
        for &c in &due {
            if self.calls[c].is_final && self.run.outcomes[c] == Some(RefOutcome::Ok) {
                self.end_turn(c, now);
            }
        }
        while let Some(&c) = self.those(|turn, c| turn.about_to_release(c)).first() {
            self.released[c] = Some(now);
        }
    }

    /// Every later call that did not start is `not_run`.
    fn end_turn(&mut self, by: usize, now: u64) {
        for c in self.those(|turn, c| c > by && !turn.started(c) && !turn.settled(c)) {
            self.run.ends[c] = Some(now);
            self.run.outcomes[c] = Some(RefOutcome::NotRun);
        }
    }

    /// The second half: by index, each ready call takes the lowest free slot. What is refused
    /// settles here and lets its successors go in the next round.
    fn start_ready(&mut self, now: u64) {
        for c in 0..self.calls.len() {
            if self.started(c) || self.settled(c) || !self.all_released(c) {
                continue;
            }
            if self.calls[c].refused {
                self.run.ends[c] = Some(now);
                self.run.outcomes[c] = Some(RefOutcome::Refused);
            } else if let Some(slot) = self.free_slot() {
                self.run.causes[c] = Some(self.cause(c, now));
                self.run.starts[c] = Some(now);
                self.run.slots[c] = Some(slot);
            }
        }
    }

    fn free_slot(&self) -> Option<usize> {
        let running = self.those(|turn, c| turn.running(c));
        (0..self.limit.unwrap_or(usize::MAX))
            .find(|&slot| running.iter().all(|&c| self.run.slots[c] != Some(slot)))
    }

    /// The instant of the next round: this one again, while something still ends at it.
    fn next_end(&self, now: u64) -> Option<u64> {
        if !self.those(|turn, c| turn.about_to_release(c)).is_empty() {
            return Some(now);
        }
        (0..self.calls.len()).filter_map(|c| self.due(c)).min()
    }

    /// Why `j` starts now.
    fn cause(&self, j: usize, now: u64) -> RefCause {
        let ready_at = self.last_release(j).unwrap_or(0);
        if now > ready_at {
            // It was ready at an earlier instant and no slot was free, so somebody ended now.
            let freed = self.those(|turn, i| turn.started(i) && turn.run.ends[i] == Some(now));
            return RefCause::Slot { after: freed[0] };
        }
        match self.released_by(j) {
            Some(i) => self.label(i, j),
            None => RefCause::Issued,
        }
    }

    /// When the last of a call's predecessors let it go.
    fn last_release(&self, j: usize) -> Option<u64> {
        let times = self.direct[j].iter().filter_map(|&i| self.released[i]);
        times.max()
    }

    /// Who let `j` go last; of several the lowest index.
    fn released_by(&self, j: usize) -> Option<usize> {
        let last = self.last_release(j);
        let those = self.direct[j].iter().filter(|&&i| self.released[i] == last);
        those.map(|&i| self.look_through(i)).min()
    }

    /// A call that never started stands for the one that let it go, unless it was settled later.
    fn look_through(&self, i: usize) -> usize {
        if self.started(i) || self.run.ends[i] > self.last_release(i) {
            return i;
        }
        self.released_by(i).unwrap_or(i)
    }

    fn label(&self, i: usize, j: usize) -> RefCause {
        if is_barrier(self.policy, &self.calls[i]) {
            return RefCause::Barrier { after: i };
        }
        match self.shared_key(i, j) {
            Some(key) => RefCause::Key { key, after: i },
            None => RefCause::After { after: i },
        }
    }

    /// The first key of `j`, and to it the first of `i`, that make one wait for the other.
    fn shared_key(&self, i: usize, j: usize) -> Option<String> {
        let queues = match self.policy {
            Policy::Sequential | Policy::AllAtOnce | Policy::Staged => return None,
            Policy::Keyed | Policy::KeyedLoose => true,
            Policy::Graph => false,
        };
        for y in self.calls[j].mentions() {
            for x in self.calls[i].mentions() {
                let clash = overlap(x.key, y.key) && (x.write || y.write);
                let same_queue = queues && x.key == y.key && !is_tree(x.key);
                if clash || same_queue {
                    return Some(inside(x.key, y.key).to_owned());
                }
            }
        }
        None
    }

    fn those(&self, rule: impl Fn(&Self, usize) -> bool) -> Vec<usize> {
        (0..self.calls.len()).filter(|&c| rule(self, c)).collect()
    }
}

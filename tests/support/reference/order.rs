//! Which calls a policy makes a call wait for.

use super::calls::{RefCall, contains, is_tree, overlap};

/// The rule that decides which calls of a turn may overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    Sequential,
    AllAtOnce,
    Staged,
    Keyed,
    KeyedLoose,
    Graph,
}

impl Policy {
    pub const ALL: [Self; 6] = [
        Self::Sequential,
        Self::AllAtOnce,
        Self::Staged,
        Self::Keyed,
        Self::KeyedLoose,
        Self::Graph,
    ];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequential => "sequential",
            Self::AllAtOnce => "all-at-once",
            Self::Staged => "staged",
            Self::Keyed => "keyed",
            Self::KeyedLoose => "keyed-loose",
            Self::Graph => "graph",
        }
    }
}

/// Waits for all earlier calls and holds back all later ones.
pub fn is_barrier(policy: Policy, call: &RefCall) -> bool {
    match policy {
        Policy::Sequential | Policy::AllAtOnce => false,
        Policy::Staged => !call.is_read_only(),
        Policy::Keyed | Policy::KeyedLoose => call.opaque || call.is_final || call.writes_a_tree(),
        Policy::Graph => call.opaque || call.is_final,
    }
}

/// For each call its direct predecessors, ascending.
pub fn direct(policy: Policy, calls: &[RefCall]) -> Vec<Vec<usize>> {
    (0..calls.len())
        .map(|j| match policy {
            Policy::Sequential => j.checked_sub(1).into_iter().collect(),
            Policy::AllAtOnce => Vec::new(),
            Policy::Staged => staged(calls, j),
            Policy::Keyed | Policy::KeyedLoose | Policy::Graph => segmented(policy, calls, j),
        })
        .collect()
}

/// For each call everything it waits for, directly or not, ascending.
pub fn closure(policy: Policy, calls: &[RefCall]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    for direct in direct(policy, calls) {
        let implied = direct.iter().flat_map(|&i| all[i].clone());
        let mut before: Vec<usize> = implied.chain(direct.clone()).collect();
        before.sort_unstable();
        before.dedup();
        all.push(before);
    }
    all
}

/// All calls of the stage before, and hints that lie in the same stage.
fn staged(calls: &[RefCall], j: usize) -> Vec<usize> {
    let own = stage(calls, j);
    (0..j)
        .filter(|&i| {
            let theirs = stage(calls, i);
            theirs + 1 == own || (theirs == own && calls[j].depends_on.contains(&i))
        })
        .collect()
}

/// The number of a call's stage: a new one begins unless two adjacent calls are both read-only.
fn stage(calls: &[RefCall], j: usize) -> usize {
    (1..=j)
        .filter(|&c| !(calls[c - 1].is_read_only() && calls[c].is_read_only()))
        .count()
}

/// The last barrier before a call.
fn barrier_before(policy: Policy, calls: &[RefCall], j: usize) -> Option<usize> {
    (0..j).rev().find(|&i| is_barrier(policy, &calls[i]))
}

/// The calls after the last barrier and before `j`.
fn segment(policy: Policy, calls: &[RefCall], j: usize) -> std::ops::Range<usize> {
    let first = barrier_before(policy, calls, j).map_or(0, |b| b + 1);
    first..j
}

fn segmented(policy: Policy, calls: &[RefCall], j: usize) -> Vec<usize> {
    let segment = segment(policy, calls, j);
    let found: Vec<usize> = if is_barrier(policy, &calls[j]) {
        // The sinks: those that no other call of the segment waits for.
        let others = segment.clone().flat_map(|c| inner(policy, calls, c));
        let waited_for: Vec<usize> = others.collect();
        segment.filter(|i| !waited_for.contains(i)).collect()
    } else {
        inner(policy, calls, j)
    };
    if found.is_empty() {
        barrier_before(policy, calls, j).into_iter().collect()
    } else {
        found
    }
}

/// The predecessors within the segment of a call that is no barrier.
fn inner(policy: Policy, calls: &[RefCall], j: usize) -> Vec<usize> {
    segment(policy, calls, j)
        .filter(|&i| {
            calls[j].depends_on.contains(&i)
                || match policy {
                    Policy::Graph => graph_edge(calls, i, j),
                    _ => keyed_edge(policy, calls, i, j),
                }
        })
        .collect()
}

fn keyed_edge(policy: Policy, calls: &[RefCall], i: usize, j: usize) -> bool {
    let (earlier, later) = (&calls[i], &calls[j]);
    let mentions = later.mentions();
    let exact = || mentions.iter().filter(|m| !is_tree(m.key));

    let next_in_a_queue = exact().any(|m| {
        let before_me = (0..j).rev().find(|&c| in_queue(policy, calls, m.key, c));
        in_queue(policy, calls, m.key, j) && before_me == Some(i)
    });
    // The first write of a key; later ones wait for it in the queue.
    let writes_what_was_read_free = policy == Policy::Keyed
        && exact().any(|m| {
            m.write
                && !written_before(policy, calls, m.key, j)
                && reads_free(policy, calls, m.key, i)
        });
    // A queue has no notion of containment: whatever the keys are.
    let tree_read_after_write = later.reads_a_tree() && earlier.is_mutating();
    let write_after_tree_read = later.is_mutating() && earlier.reads_a_tree();

    next_in_a_queue || writes_what_was_read_free || tree_read_after_write || write_after_tree_read
}

/// Member of the queue of the exact key `key`. Barriers join no queue.
fn in_queue(policy: Policy, calls: &[RefCall], key: &str, c: usize) -> bool {
    if is_barrier(policy, &calls[c]) {
        return false;
    }
    if calls[c].is_mutating() {
        return calls[c].writes_key(key) || calls[c].reads_key(key);
    }
    calls[c].reads_key(key) && written_before(policy, calls, key, c)
}

/// Reads the exact key `key` outside its queue.
fn reads_free(policy: Policy, calls: &[RefCall], key: &str, c: usize) -> bool {
    !is_barrier(policy, &calls[c])
        && !calls[c].is_mutating()
        && calls[c].reads_key(key)
        && !written_before(policy, calls, key, c)
}

/// An earlier call of the turn, barriers aside, wrote exactly this key.
fn written_before(policy: Policy, calls: &[RefCall], key: &str, c: usize) -> bool {
    (0..c).any(|i| !is_barrier(policy, &calls[i]) && calls[i].writes_key(key))
}

/// One pair of mentions in conflict that no call in between supersedes.
fn graph_edge(calls: &[RefCall], i: usize, j: usize) -> bool {
    calls[i].mentions().iter().any(|x| {
        calls[j].mentions().iter().any(|y| {
            let outer = if contains(y.key, x.key) { y.key } else { x.key };
            let superseded = (i + 1..j).any(|m| {
                calls[m].mentions().iter().any(|between| {
                    between.key == outer && (x.write || between.write) && (between.write || y.write)
                })
            });
            overlap(x.key, y.key) && (x.write || y.write) && !superseded
        })
    })
}

//! The report over many files.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::facts::{FileFacts, PairFacts};
use super::group::{Agent, Group, GroupKey};
use super::single_reads;

/// So many pairs are named; all are counted.
const PAIRS: usize = 1_000;

/// Two calls of one reply that touch the same thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The file, as it was named.
    pub file: String,
    /// The thread.
    pub thread: String,
    /// The pair.
    pub pair: PairFacts,
}

/// Which replies of a file are copies of an earlier file's, by thread.
#[derive(Clone, Debug, Default)]
pub struct Owned(BTreeMap<String, BTreeSet<u32>>);

impl Owned {
    /// True where a reply, by its number in its thread, belongs to the file.
    #[must_use]
    pub fn owns(&self, thread: &str, turn: u32) -> bool {
        let copies = self.0.get(thread);
        copies.is_none_or(|copies| !copies.contains(&turn))
    }
}

/// Adds files up.
#[derive(Debug, Default)]
pub struct Fleet {
    report: FleetReport,
    seen: HashSet<u64>,
}

/// The report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FleetReport {
    /// Files added.
    pub files: u64,
    /// By harness, model, task and whose replies they are.
    pub groups: BTreeMap<GroupKey, Group>,
    /// Replies that an earlier file has too: forks and resumed sessions begin with a copy.
    pub copies: u64,
    /// Calls of one reply that touch the same thing, in the order of the files.
    pub pairs: Vec<Pair>,
}

impl Fleet {
    /// Nothing added yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. A reply that an earlier file had is left out: one reply is owned by one file.
    /// Says which replies the file owns.
    pub fn add(&mut self, facts: &FileFacts) -> Owned {
        let mut all = Owned::default();
        self.report.files += 1;
        let mut touched: BTreeSet<GroupKey> = BTreeSet::new();
        for (at, thread) in facts.threads.iter().enumerate() {
            let key = GroupKey {
                harness: facts.harness.clone(),
                model: thread.model.clone(),
                task: facts.task.clone(),
                agent: if at == 0 { Agent::Main } else { Agent::Sub },
            };
            let owned: Vec<bool> = thread
                .replies
                .iter()
                .map(|reply| reply.origin == 0 || self.seen.insert(reply.origin))
                .collect();
            let kept = || {
                let pairs = thread.replies.iter().zip(&owned);
                pairs.filter(|(_, owned)| **owned).map(|(reply, _)| reply)
            };
            self.report.copies += owned.iter().filter(|owned| !**owned).count() as u64;
            let copies = thread.replies.iter().zip(&owned);
            let copies = copies
                .filter(|(_, owned)| !**owned)
                .map(|(reply, _)| reply.number);
            all.0.insert(thread.thread.clone(), copies.collect());
            if kept().next().is_none() {
                continue;
            }
            let group = self.report.groups.entry(key.clone()).or_default();
            for reply in kept() {
                group.add(reply, &facts.tools);
            }
            single_reads::add(&mut group.single_reads, kept());
            let numbers: HashSet<u32> = kept().map(|reply| reply.number).collect();
            let room = PAIRS.saturating_sub(self.report.pairs.len());
            let pairs = thread
                .pairs
                .iter()
                .filter(|pair| numbers.contains(&pair.turn));
            self.report.pairs.extend(pairs.take(room).map(|pair| Pair {
                file: facts.file.clone(),
                thread: thread.thread.clone(),
                pair: pair.clone(),
            }));
            touched.insert(key);
        }
        for key in touched {
            if let Some(group) = self.report.groups.get_mut(&key) {
                group.files += 1;
            }
        }
        all
    }

    /// The report of what was added.
    #[must_use]
    pub fn finish(self) -> FleetReport {
        self.report
    }
}

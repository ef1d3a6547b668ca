//! A session while it is being read.

use std::collections::{HashMap, HashSet};

use super::result::Answer;
use super::threads::Threads;
use crate::import::pairs::Pairs;
use crate::import::value::Stamp;
use crate::model::Catalog;
use crate::trace::{Call, Run, Sym, cut};

/// Ids and names longer than this are cut: the index must stay small next to the file.
const LONGEST_LABEL: usize = 1_000;

/// What two blocks of one call have in common: id, tool and a hash of the arguments.
pub(super) type Same = (Sym, Sym, u64);

/// A reply while its lines come in.
#[derive(Debug)]
pub(super) struct Reply {
    /// The last user line before its first line.
    pub(super) asked: Stamp,
    /// Its last line.
    pub(super) last: Stamp,
    pub(super) model: Sym,
    /// A hash of its message id and request id; 0 without a message id.
    pub(super) origin: u64,
    pub(super) calls: Vec<u32>,
    /// How many different blocks it has so far.
    pub(super) blocks: u32,
    /// True until a line with a request id comes.
    pub(super) no_request: bool,
}

/// A call while its result is awaited. Its times become the run's at the end, when the earliest
/// is known.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) call: Call,
    pub(super) issued: Stamp,
    /// The first hook line before it ran.
    pub(super) hook: Stamp,
    pub(super) end: Stamp,
    /// When the work ended that it had only launched.
    pub(super) detached: Stamp,
}

/// What says which call started a sub-agent.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The call whose result names the agent, by agent.
    pub(super) by_result: HashMap<String, u32>,
    /// The call id in the file beside the agent's.
    pub(super) by_sidecar: HashMap<String, Sym>,
    /// The call id that the agent's progress was reported under.
    pub(super) by_progress: HashMap<String, Sym>,
    /// The call that launched a background task.
    pub(super) tasks: HashMap<String, u32>,
}

#[derive(Debug)]
pub(super) struct Session<'c> {
    pub(super) catalog: &'c Catalog,
    pub(super) run: Run,
    pub(super) threads: Threads,
    pub(super) replies: Vec<Reply>,
    pub(super) calls: Vec<Draft>,
    pub(super) pairs: Pairs,
    pub(super) links: Links,
    /// The call of an id; `None` where several have it.
    pub(super) by_id: HashMap<Sym, Option<u32>>,
    /// Results that came before their call.
    pub(super) early: Vec<(u32, Sym, Answer)>,
    /// Hook lines that came before their call.
    pub(super) early_hooks: HashMap<(u32, Sym), i64>,
    /// Lines seen, by their id.
    pub(super) seen: HashSet<u128>,
    /// The reply of a thread, message id and request id.
    pub(super) by_request: HashMap<(u32, u64, u64), u32>,
    /// The latest reply of a thread and message id.
    pub(super) by_message: HashMap<(u32, u64), u32>,
    /// The first reply of a message id and request id in any thread.
    pub(super) owners: HashMap<(u64, u64), u32>,
    /// How often a reply has a call.
    pub(super) call_blocks: HashMap<(u32, Same), u32>,
    /// Other blocks of a reply.
    pub(super) other_blocks: HashSet<(u32, u64)>,
    pub(super) earliest: Stamp,
    /// What the first line says that names a session.
    pub(super) session_id: String,
}

impl<'c> Session<'c> {
    pub(super) fn new(catalog: &'c Catalog) -> Self {
        Self {
            catalog,
            run: Run::default(),
            threads: Threads::new(),
            replies: Vec::new(),
            calls: Vec::new(),
            pairs: Pairs::default(),
            links: Links::default(),
            by_id: HashMap::new(),
            early: Vec::new(),
            early_hooks: HashMap::new(),
            seen: HashSet::new(),
            by_request: HashMap::new(),
            by_message: HashMap::new(),
            owners: HashMap::new(),
            call_blocks: HashMap::new(),
            other_blocks: HashSet::new(),
            earliest: None,
            session_id: String::new(),
        }
    }

    pub(super) fn name(&mut self, text: &str) -> Sym {
        self.run.names.intern(&cut(text, LONGEST_LABEL))
    }

    /// The only call with that id.
    pub(super) fn call_of(&self, id: Sym) -> Option<u32> {
        self.by_id.get(&id).copied().flatten()
    }
}

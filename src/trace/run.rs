//! A recorded run in columns: what every reader fills and every view draws from.
//!
//! No owned string and no JSON value per call: names and keys are interned, arguments and
//! answers stay in the file and are loaded on demand through [`super::Bodies`].

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::names::{Names, Sym};
use super::skipped::Skipped;
use crate::model::{Catalog, Cause, KeyId, KeyTable, Outcome, Source, ThreadId, Timing};
use crate::time::{Nanos, Span};

/// Where a body (arguments, an answer) lies: a piece of one of the run's files.
///
/// It is one JSON value as it stands there. A body at offset 0 is a side file and plain text: no
/// value inside a line can start at the first byte of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BodyRef {
    /// Which of the run's files, in the order of [`Run::files`].
    pub file: u32,
    /// First byte, of a compressed file after decompression.
    pub offset: u64,
    /// Length in bytes; 0 for no body.
    pub len: u64,
}

/// A range of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pooled {
    /// First element.
    pub start: u32,
    /// How many.
    pub len: u32,
}

impl Pooled {
    fn of<T>(self, pool: &[T]) -> &[T] {
        &pool[self.start as usize..(self.start + self.len) as usize]
    }
}

/// One line of turns: `main` or a sub-agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// `main`, or the sub-agent's id.
    pub name: String,
    /// The call that started it, where that is known.
    pub parent: Option<ParentCall>,
    /// Its turns in order, as indices of [`Run::turns`].
    pub turns: Vec<u32>,
}

/// The call that a sub-agent was started by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParentCall {
    /// The parent's thread.
    pub thread: ThreadId,
    /// The turn's number in it, from 1.
    pub turn: u32,
    /// The call's index in the turn.
    pub call: u32,
}

/// One model reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Its line of turns.
    pub thread: ThreadId,
    /// Its number there, from 1.
    pub number: u32,
    /// When the reply was complete.
    pub at: Option<Nanos>,
    /// The model's time before it.
    pub model: Option<Span>,
    /// Where the model's time comes from; `unknown` where `model` is `None`.
    pub model_timing: Timing,
    /// The model that replied; `Sym(0)` where the file does not say.
    pub model_name: Sym,
    /// What identifies the reply wherever it is written again (a hash of the provider's message
    /// and request ids); 0 where the file has nothing that does.
    pub origin: u64,
    /// Its calls: a range of [`Run::calls`].
    pub calls: Pooled,
    /// When its last call had ended and the results went back.
    pub end: Option<Nanos>,
}

/// The calls that wrote or read one key in a turn, in the order in which they ran. Recorded for
/// keys with several calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyOrder {
    /// Index of the turn in [`Run::turns`].
    pub turn: u32,
    /// The key.
    pub key: KeyId,
    /// The tools that ran on it.
    pub tools: Vec<Sym>,
}

/// One call's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Index of its turn in [`Run::turns`].
    pub turn: u32,
    /// Its place in the turn, from 0.
    pub index: u32,
    /// The tool's name.
    pub tool: Sym,
    /// The provider's id, a label.
    pub id: Sym,
    /// When the model had issued it.
    pub issued: Option<Nanos>,
    /// When its body started.
    pub start: Option<Nanos>,
    /// When it ended; the time of the result where nothing better is known.
    pub end: Option<Nanos>,
    /// The tool's own figure for how long it ran, where it gives one.
    pub own: Option<Nanos>,
    /// Where the run time comes from.
    pub timing: Timing,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it started when it did, where the runner recorded it.
    pub cause: Option<Cause>,
    /// The slot it held, where recorded.
    pub slot: Option<u32>,
    /// Its stage, where recorded.
    pub stage: Option<u32>,
    /// When approval was asked for.
    pub asked: Option<Nanos>,
    /// When it was answered.
    pub granted: Option<Nanos>,
    /// Keys read: a range of the key pool.
    pub reads: Pooled,
    /// Keys written.
    pub writes: Pooled,
    /// True where nothing is known of what it touches.
    pub opaque: bool,
    /// True for the tool that ends the turn.
    pub is_final: bool,
    /// True where a person is asked before it starts.
    pub approval: bool,
    /// Where the effects come from.
    pub source: Source,
    /// Calls it names as predecessors: a range of the index pool.
    pub depends_on: Pooled,
    /// Earlier calls that may still have been running on its keys when it started.
    pub beside: Pooled,
    /// Bodies that outlived an earlier turn and may still have been running on its keys when it
    /// started: turn and call, one after the other, in the index pool.
    pub carried: Pooled,
    /// When a timed-out body landed after all.
    pub late: Option<Nanos>,
    /// When the work ended that the call only launched: its own end is the launch, and that alone
    /// is what the turn waited for.
    pub detached: Option<Nanos>,
    /// The arguments.
    pub args: BodyRef,
    /// The answer.
    pub answer: BodyRef,
    /// Size of the whole answer in bytes, also where the file holds only a part.
    pub answer_bytes: u64,
    /// The error text; `Sym(0)` for none.
    pub error: Sym,
    /// Where in its file the call stands: the byte offset of its line.
    pub line_offset: u64,
    /// The folder that its relative paths are resolved against, where that is not the run's;
    /// `Sym(0)` where it is.
    pub folder: Sym,
}

impl Default for Call {
    fn default() -> Self {
        Self {
            turn: 0,
            index: 0,
            tool: Sym::default(),
            id: Sym::default(),
            issued: None,
            start: None,
            end: None,
            own: None,
            timing: Timing::Unknown,
            outcome: Outcome::Unfinished,
            cause: None,
            slot: None,
            stage: None,
            asked: None,
            granted: None,
            reads: Pooled::default(),
            writes: Pooled::default(),
            opaque: false,
            is_final: false,
            approval: false,
            source: Source::Undeclared,
            depends_on: Pooled::default(),
            beside: Pooled::default(),
            carried: Pooled::default(),
            late: None,
            detached: None,
            args: BodyRef::default(),
            answer: BodyRef::default(),
            answer_bytes: 0,
            error: Sym::default(),
            line_offset: 0,
            folder: Sym::default(),
        }
    }
}

impl Call {
    /// How long its body ran: the tool's own figure, else start to end. `None` where unknown;
    /// a negative span is unknown too. Read [`Call::timing`] before printing it.
    #[must_use]
    pub fn run_time(&self) -> Option<Nanos> {
        if self.timing == Timing::Unknown {
            return None;
        }
        self.own.or_else(|| match (self.start, self.end) {
            (Some(start), Some(end)) if end >= start => Some(end.since(start)),
            _ => None,
        })
    }

    /// True where it is known that no body of it ran: that it took no time is then a fact.
    #[must_use]
    pub const fn never_ran(&self) -> bool {
        match self.outcome {
            Outcome::Denied | Outcome::NotRun | Outcome::UnknownTool | Outcome::BadArgs => true,
            Outcome::Cancelled => self.start.is_none(),
            _ => false,
        }
    }

    /// True where a body of it ran, in full or in part.
    #[must_use]
    pub const fn started(&self) -> bool {
        self.start.is_some()
    }
}

/// What the first line of a trace says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    /// The run's id.
    pub id: String,
    /// Wall time of time zero, RFC 3339.
    pub at: String,
    /// The policy it was run under; empty where unknown.
    pub policy: String,
    /// The limit: a number, `unlimited`, or empty where unknown.
    pub slots: String,
    /// What happened at a failure; empty where unknown.
    pub on_failure: String,
    /// The deadline of a turn.
    pub deadline: Option<Nanos>,
    /// The model, where the file names one.
    pub model: String,
    /// What the run was for.
    pub task: String,
    /// The format: `turnlane`, `claude-code`, ...
    pub source: String,
    /// The folder that relative paths are resolved against, where known.
    pub folder: String,
}

/// A recorded run.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// What the file says of the whole run.
    pub meta: Meta,
    /// The files it was read from; bodies point into them.
    pub files: Vec<PathBuf>,
    /// Contents of files that cannot be read at an offset (compressed ones, standard input), by
    /// their number in `files`.
    pub held: BTreeMap<u32, Arc<Vec<u8>>>,
    /// Lines of turns; `main` is first.
    pub threads: Vec<Thread>,
    /// Turns, those of one thread in order.
    pub turns: Vec<Turn>,
    /// Calls, those of one turn side by side and in issue order.
    pub calls: Vec<Call>,
    /// Interned keys.
    pub keys: KeyTable,
    /// Interned names.
    pub names: Names,
    /// Pool behind `reads` and `writes`.
    pub key_pool: Vec<KeyId>,
    /// Pool behind `depends_on` and `beside`.
    pub index_pool: Vec<u32>,
    /// Who ran in which order on the keys that several calls of a turn touched.
    pub key_orders: Vec<KeyOrder>,
    /// When others went on with the recording after its writer had died.
    pub resumed: Vec<Nanos>,
    /// When the run ended; `None` where the file does not say or was cut.
    pub ended: Option<Nanos>,
    /// The tools in force, where the file holds them.
    pub catalog: Option<Catalog>,
    /// The catalog as it stands in the file.
    pub catalog_body: BodyRef,
    /// What was left out.
    pub skipped: Skipped,
    /// True for a run whose payloads were blanked, see [`Run::blanked`].
    pub blank: bool,
}

impl Run {
    /// The calls of a turn, in issue order.
    #[must_use]
    pub fn calls_of(&self, turn: &Turn) -> &[Call] {
        turn.calls.of(&self.calls)
    }

    /// Keys of a range.
    #[must_use]
    pub fn keys_in(&self, range: Pooled) -> &[KeyId] {
        range.of(&self.key_pool)
    }

    /// Indices of a range.
    #[must_use]
    pub fn indices_in(&self, range: Pooled) -> &[u32] {
        range.of(&self.index_pool)
    }

    /// Puts keys into the pool.
    pub fn pool_keys(&mut self, keys: &[KeyId]) -> Pooled {
        pool(&mut self.key_pool, keys)
    }

    /// Puts indices into the pool.
    pub fn pool_indices(&mut self, indices: &[u32]) -> Pooled {
        pool(&mut self.index_pool, indices)
    }

    /// Says which call started a thread. `false`, and nothing changes, where that would make a
    /// thread its own ancestor: who walks up must arrive.
    pub fn link(&mut self, child: ThreadId, parent: ParentCall) -> bool {
        let mut above = Some(parent.thread);
        while let Some(thread) = above {
            if thread == child {
                return false;
            }
            let Some(row) = self.threads.get(thread.0 as usize) else {
                return false;
            };
            above = row.parent.map(|parent| parent.thread);
        }
        let Some(row) = self.threads.get_mut(child.0 as usize) else {
            return false;
        };
        row.parent = Some(parent);
        true
    }

    /// The thread of that number.
    #[must_use]
    pub fn thread(&self, id: ThreadId) -> Option<&Thread> {
        self.threads.get(id.0 as usize)
    }

    /// A thread's name, as in the file: sanitise it before showing it.
    #[must_use]
    pub fn thread_name(&self, id: ThreadId) -> &str {
        self.thread(id).map_or("", |thread| &thread.name)
    }

    /// The tool's name of a call, as in the file: sanitise it before showing it.
    #[must_use]
    pub fn tool(&self, call: &Call) -> &str {
        self.names.get(call.tool)
    }
}

fn pool<T: Copy>(pool: &mut Vec<T>, items: &[T]) -> Pooled {
    let start = u32::try_from(pool.len()).unwrap_or(u32::MAX);
    pool.extend_from_slice(items);
    Pooled {
        start,
        len: u32::try_from(items.len()).unwrap_or(u32::MAX),
    }
}

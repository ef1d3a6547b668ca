//! What an importer fills.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::import::pairs::Pairs;
use crate::import::value::{Stamp, earlier, small};
use crate::model::{Catalog, Outcome, Timing};
use crate::time::Nanos;
use crate::trace::{BodyRef, Call, Run, Skipped, Sym, cut};

/// Ids and names longer than this are cut: the index must stay small next to the file.
const LONGEST_LABEL: usize = 1_000;

/// A thread of a [`Draft`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::import) struct ThreadNo(pub(super) u32);

/// A reply of a [`Draft`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::import) struct ReplyNo(pub(super) u32);

/// A call of a [`Draft`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::import) struct CallNo(pub(super) u32);

/// Who started a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum Parent {
    /// Nobody: it is no sub-agent.
    Nobody,
    /// A call that the file does not name. Counted as unlinked.
    Unknown,
    /// This call.
    Call(CallNo),
}

#[derive(Debug)]
pub(super) struct ThreadRow {
    pub(super) name: String,
    pub(super) parent: Parent,
    pub(super) replies: Vec<u32>,
}

/// A reply as far as it is known.
#[derive(Clone, Debug)]
pub(in crate::import) struct ReplyRow {
    pub(super) thread: u32,
    pub(super) calls: Vec<u32>,
    /// When the model was asked.
    pub(in crate::import) asked: Stamp,
    /// When the reply was complete.
    pub(in crate::import) complete: Stamp,
    /// How it is known that the model's time lies between the two.
    pub(in crate::import) timing: Timing,
    /// The model that replied.
    pub(in crate::import) model: Sym,
    /// What identifies the reply wherever it is written again; 0 for nothing.
    pub(in crate::import) origin: u64,
}

/// A call as far as it is known. Times become the run's at the end, when the earliest is known.
#[derive(Clone, Debug)]
pub(in crate::import) struct CallRow {
    pub(super) call: Call,
    /// Its reply.
    pub(super) reply: u32,
    /// True where start and end are known from events of their own: an answer changes neither.
    pub(super) exact: bool,
    /// When the model had issued it.
    pub(in crate::import) issued: Stamp,
    /// When its body started; `None`: with its issue.
    pub(in crate::import) start: Stamp,
    /// When it ended, or its result came.
    pub(in crate::import) end: Stamp,
    /// When the work ended that it had only launched.
    pub(in crate::import) detached: Stamp,
    /// The tool's own figure.
    pub(in crate::import) own: Option<Nanos>,
    /// How it is known that the body ran from start to end, where there is no own figure.
    pub(in crate::import) timing: Timing,
    /// How it ended.
    pub(in crate::import) outcome: Outcome,
    /// Indices of earlier calls of its reply that it names as its predecessors.
    pub(in crate::import) depends_on: Vec<u32>,
}

impl CallRow {
    pub(super) const fn new(call: Call, reply: ReplyNo, issued: Stamp) -> Self {
        Self {
            call,
            reply: reply.0,
            exact: false,
            issued,
            start: None,
            end: None,
            detached: None,
            own: None,
            timing: Timing::Bound,
            outcome: Outcome::Unfinished,
            depends_on: Vec::new(),
        }
    }
}

/// A call as a reply issues it.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::import) struct NewCall<'a> {
    /// The provider's id; may be empty.
    pub(in crate::import) id: &'a str,
    /// The tool's name.
    pub(in crate::import) tool: &'a str,
    /// The name under which the catalog declares what this call does, where that is another one
    /// (an editor's `view` command); empty for the tool's own.
    pub(in crate::import) declared_as: &'a str,
    /// Where the arguments lie in the file.
    pub(in crate::import) args: BodyRef,
    /// The arguments as JSON objects, for the catalog: usually one. Of several the call touches
    /// what each of them does (a patch of many files). None counts as `{}`.
    pub(in crate::import) views: &'a [&'a str],
    /// The folder it ran in; empty for the run's.
    pub(in crate::import) folder: &'a str,
    /// When the model had issued it.
    pub(in crate::import) issued: Stamp,
    /// Where the record of the call stands in its file.
    pub(in crate::import) line_offset: u64,
}

/// What a result says of its call.
#[derive(Clone, Debug)]
pub(in crate::import) struct Answer {
    /// When it came.
    pub(in crate::import) end: Stamp,
    /// How the call ended.
    pub(in crate::import) outcome: Outcome,
    /// The error text; empty for none.
    pub(in crate::import) error: String,
    /// Where the answer lies in the file.
    pub(in crate::import) body: BodyRef,
    /// The size of the whole answer.
    pub(in crate::import) bytes: u64,
    /// The tool's own figure for its run time.
    pub(in crate::import) own: Option<Nanos>,
    /// What the span from issue or start to `end` is: see [`CallRow`].
    pub(in crate::import) timing: Timing,
}

impl Default for Answer {
    fn default() -> Self {
        Self {
            end: None,
            outcome: Outcome::Ok,
            error: String::new(),
            body: BodyRef::default(),
            bytes: 0,
            own: None,
            timing: Timing::Bound,
        }
    }
}

/// A run of a foreign format while it is being read.
#[derive(Debug)]
pub(in crate::import) struct Draft {
    pub(super) run: Run,
    /// The user's tools over those of the harness.
    pub(super) catalog: Catalog,
    pub(super) threads: Vec<ThreadRow>,
    pub(super) replies: Vec<ReplyRow>,
    pub(super) calls: Vec<CallRow>,
    pub(super) by_name: HashMap<String, ThreadNo>,
    pub(super) pairs: Pairs,
    pub(super) early: Vec<(u32, Sym, Answer)>,
    pub(super) earliest: Stamp,
    pub(super) zoneless: bool,
    /// Where a file ends that was cut, by its number.
    pub(super) ends: Vec<(u32, u64)>,
}

impl Draft {
    /// A run in the format `source`. `user` says what tools touch, before any harness does.
    pub(in crate::import) fn new(source: &str, user: &Catalog) -> Self {
        let mut run = Run::default();
        source.clone_into(&mut run.meta.source);
        Self {
            run,
            catalog: user.clone(),
            threads: vec![ThreadRow {
                name: "main".to_owned(),
                parent: Parent::Nobody,
                replies: Vec::new(),
            }],
            replies: Vec::new(),
            calls: Vec::new(),
            by_name: HashMap::new(),
            pairs: Pairs::default(),
            early: Vec::new(),
            earliest: None,
            zoneless: false,
            ends: Vec::new(),
        }
    }

    /// Puts turnlane's own catalog for that harness below the tools that are in force. Calls that
    /// were added before do not see it.
    pub(in crate::import) fn harness(&mut self, name: &str) {
        // A test keeps that every shipped catalog can be read; without one its calls are opaque.
        let shipped = Catalog::for_harness(name).unwrap_or_default();
        self.catalog = std::mem::take(&mut self.catalog).merged_over(shipped);
    }

    /// Adds a file that bodies lie in. `held` is its content where it cannot be read at an offset.
    pub(in crate::import) fn file(&mut self, path: &Path, held: Option<Arc<Vec<u8>>>) -> u32 {
        let file = small(self.run.files.len());
        self.run.files.push(path.to_owned());
        if let Some(bytes) = held {
            self.hold(file, bytes);
        }
        file
    }

    /// Keeps the content of a file that cannot be read at an offset.
    pub(in crate::import) fn hold(&mut self, file: u32, bytes: Arc<Vec<u8>>) {
        self.run.held.insert(file, bytes);
    }

    /// What lies behind that byte of a file was put there by the reader: bodies end before it.
    pub(in crate::import) fn ends_at(&mut self, file: u32, end: u64) {
        self.ends.push((file, end));
    }

    /// What was left out so far.
    pub(in crate::import) fn skipped(&mut self) -> &mut Skipped {
        &mut self.run.skipped
    }

    /// What the file says of the whole run: `id`, `task`, `folder`, `model`, `policy`.
    pub(in crate::import) fn meta(&mut self) -> &mut crate::trace::Meta {
        &mut self.run.meta
    }

    /// The file's times have no zone: they stand in no relation to other clocks.
    pub(in crate::import) fn zoneless(&mut self) {
        self.zoneless = true;
    }

    /// A time of the file that belongs to no reply and no call.
    pub(in crate::import) fn seen(&mut self, at: Stamp) {
        self.earliest = earlier(self.earliest, at);
    }

    /// The thread of the file itself.
    pub(in crate::import) const fn main(&self) -> ThreadNo {
        ThreadNo(0)
    }

    /// A new thread. A name that is taken gets a number; a thread without replies vanishes.
    pub(in crate::import) fn thread(&mut self, name: &str, parent: Parent) -> ThreadNo {
        let number = ThreadNo(small(self.threads.len()));
        let name = match name {
            "" => "unnamed".to_owned(),
            name => cut(name, LONGEST_LABEL / 5).into_owned(),
        };
        self.by_name.entry(name.clone()).or_insert(number);
        self.threads.push(ThreadRow {
            name,
            parent,
            replies: Vec::new(),
        });
        number
    }

    /// The first thread of that name, made now if there is none; nobody has started it so far.
    pub(in crate::import) fn thread_named(&mut self, name: &str, parent: Parent) -> ThreadNo {
        let known = self.by_name.get(&*cut(name, LONGEST_LABEL / 5)).copied();
        known.unwrap_or_else(|| self.thread(name, parent))
    }

    /// As [`Draft::thread`], under a name that is known by its number.
    pub(in crate::import) fn thread_by_sym(&mut self, name: Sym, parent: Parent) -> ThreadNo {
        let name = self.run.names.get(name).to_owned();
        self.thread(&name, parent)
    }

    /// Says who started a thread.
    pub(in crate::import) fn set_parent(&mut self, thread: ThreadNo, parent: Parent) {
        self.threads[thread.0 as usize].parent = parent;
    }

    /// A new reply, the last of its thread so far.
    pub(in crate::import) fn reply(
        &mut self,
        thread: ThreadNo,
        model: &str,
        (asked, complete): (Stamp, Stamp),
    ) -> ReplyNo {
        let number = small(self.replies.len());
        let model = self.name(model);
        self.threads[thread.0 as usize].replies.push(number);
        self.replies.push(ReplyRow {
            thread: thread.0,
            calls: Vec::new(),
            asked,
            complete,
            timing: Timing::Events,
            model,
            origin: 0,
        });
        ReplyNo(number)
    }

    /// A reply, to fill in what comes later.
    pub(in crate::import) fn reply_mut(&mut self, reply: ReplyNo) -> &mut ReplyRow {
        &mut self.replies[reply.0 as usize]
    }

    /// How many calls a reply has so far.
    pub(in crate::import) fn calls_in(&self, reply: ReplyNo) -> usize {
        self.replies[reply.0 as usize].calls.len()
    }

    /// A name or an id of the file as a number; very long ones are cut.
    pub(in crate::import) fn name(&mut self, text: &str) -> Sym {
        self.run.names.intern(&cut(text, LONGEST_LABEL))
    }
}

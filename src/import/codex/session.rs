//! A session while it is being read.

use std::collections::{HashMap, HashSet};

use serde_json::value::RawValue;

use crate::import::draft::{CallNo, ReplyNo, ThreadNo};
use crate::import::place::At;
use crate::import::value::{Stamp, fields_of, local_stamp, word};
use crate::trace::json;

/// A line of a rollout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'a> {
    pub(super) place: At<'a>,
    pub(super) at: Stamp,
    pub(super) kind: &'a str,
    pub(super) payload: Option<&'a RawValue>,
}

impl<'a> Record<'a> {
    pub(super) fn read(place: At<'a>) -> serde_json::Result<(Self, bool)> {
        let [at, kind, payload] = json::fields(place.text, ["timestamp", "type", "payload"])?;
        let stamp = at.and_then(|at| local_stamp(&word(Some(at))));
        let kind = kind.map_or("", RawValue::get).trim_matches('"');
        let record = Self {
            place,
            at: stamp,
            kind,
            payload,
        };
        Ok((record, at.is_some() && stamp.is_none()))
    }

    /// The named fields of the payload.
    pub(super) fn fields<const N: usize>(&self, names: [&str; N]) -> [Option<&'a RawValue>; N] {
        fields_of(self.payload, names)
    }
}

/// A file while it is being read: one thread.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) thread: ThreadNo,
    /// The last time at which the model can have been asked.
    pub(super) asked: Stamp,
    /// The reply that further items belong to.
    pub(super) open: Option<ReplyNo>,
    /// True where the file says itself where a reply ends.
    pub(super) marked: bool,
    /// True where a call's line was written before the call ran.
    pub(super) streams: bool,
    pub(super) model: String,
    pub(super) folder: String,
    /// Scripts that call tools themselves and have not answered, with the thread of their calls.
    pub(super) scripts: Vec<(CallNo, Option<(ThreadNo, ReplyNo)>)>,
    /// The call that started a process which goes on, by the process's label.
    pub(super) running: HashMap<String, CallNo>,
    /// What a call polls, by the call's id.
    pub(super) polls: HashMap<String, String>,
}

impl Line {
    pub(super) fn new(thread: ThreadNo) -> Self {
        Self {
            thread,
            asked: None,
            open: None,
            marked: false,
            streams: false,
            model: String::new(),
            folder: String::new(),
            scripts: Vec::new(),
            running: HashMap::new(),
            polls: HashMap::new(),
        }
    }

    /// The model may be asked from then on; what it says next is another reply.
    pub(super) fn ask(&mut self, at: Stamp) {
        self.open = None;
        self.asked = self.asked.max(at);
    }
}

/// What all files of a session have in common.
#[derive(Debug, Default)]
pub(super) struct Session {
    /// The id of the session of each file.
    pub(super) id: String,
    /// Hashes of the items that were seen: a fork begins with a copy of its parent.
    pub(super) seen: HashSet<u64>,
    /// The call that started an agent, by the agent's session.
    pub(super) started: HashMap<String, CallNo>,
    /// Calls that can start an agent, by id.
    pub(super) spawns: HashMap<String, CallNo>,
}

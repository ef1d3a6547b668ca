//! Which call a result belongs to. Ids are labels: they may be repeated or empty.

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::trace::Sym;

/// Unanswered calls in issue order, by reply.
type Waiting = BTreeMap<u32, VecDeque<u32>>;

/// Calls that wait for a result, by thread and id.
#[derive(Debug, Default)]
pub(super) struct Pairs(HashMap<(u32, Sym), Waiting>);

impl Pairs {
    /// A call of that id in a reply of that thread.
    pub(super) fn issue(&mut self, thread: u32, id: Sym, reply: u32, call: u32) {
        let replies = self.0.entry((thread, id)).or_default();
        replies.entry(reply).or_default().push_back(call);
    }

    /// The oldest unanswered call of that id in the latest reply that has one.
    pub(super) fn waiting(&self, thread: u32, id: Sym) -> Option<u32> {
        let (_, calls) = self.0.get(&(thread, id))?.last_key_value()?;
        calls.front().copied()
    }

    /// As [`Pairs::waiting`]; the call waits no longer.
    pub(super) fn answer(&mut self, thread: u32, id: Sym) -> Option<u32> {
        let mut calls = self.0.get_mut(&(thread, id))?.last_entry()?;
        let call = calls.get_mut().pop_front();
        if calls.get().is_empty() {
            calls.remove();
        }
        call
    }

    /// True where some call of the thread has that id, answered or not.
    pub(super) fn knows(&self, thread: u32, id: Sym) -> bool {
        self.0.contains_key(&(thread, id))
    }
}

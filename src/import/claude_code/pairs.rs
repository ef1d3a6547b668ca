//! Which call a result belongs to. Ids are labels: they may be repeated or empty.

use std::collections::{HashMap, VecDeque};

use crate::trace::Sym;

/// Calls that wait for a result, by thread and id.
#[derive(Debug, Default)]
pub(super) struct Pairs(HashMap<(u32, Sym), Vec<(u32, VecDeque<u32>)>>);

impl Pairs {
    /// A call of that id in a reply of that thread.
    pub(super) fn issue(&mut self, thread: u32, id: Sym, reply: u32, call: u32) {
        let replies = self.0.entry((thread, id)).or_default();
        match replies.binary_search_by_key(&reply, |(reply, _)| *reply) {
            Ok(at) => replies[at].1.push_back(call),
            Err(at) => replies.insert(at, (reply, VecDeque::from([call]))),
        }
    }

    /// The oldest unanswered call of that id in the latest reply that has one.
    pub(super) fn waiting(&self, thread: u32, id: Sym) -> Option<u32> {
        let (_, calls) = self.0.get(&(thread, id))?.last()?;
        calls.front().copied()
    }

    /// As [`Pairs::waiting`]; the call waits no longer.
    pub(super) fn answer(&mut self, thread: u32, id: Sym) -> Option<u32> {
        let replies = self.0.get_mut(&(thread, id))?;
        let (_, calls) = replies.last_mut()?;
        let call = calls.pop_front();
        if calls.is_empty() {
            replies.pop();
        }
        call
    }

    /// True where some call of the thread has that id, answered or not.
    pub(super) fn knows(&self, thread: u32, id: Sym) -> bool {
        self.0.contains_key(&(thread, id))
    }
}

//! Calls and their answers.

use super::rows::{Answer, CallNo, CallRow, Draft, NewCall, ReplyNo, ThreadNo};
use crate::import::value::{LONGEST_ERROR, Stamp, small};
use crate::model::{Outcome, Timing};
use crate::trace::{Call, Sym, cut};

impl Draft {
    /// Adds a call to a reply, after those that it has.
    pub(in crate::import) fn call(&mut self, reply: ReplyNo, new: &NewCall<'_>) -> CallNo {
        let number = small(self.calls.len());
        let id = self.name(new.id);
        let row = Call {
            index: small(self.calls_in(reply)),
            id,
            ..self.touching(new)
        };
        self.calls.push(CallRow::new(row, reply, new.issued));
        let reply_row = &mut self.replies[reply.0 as usize];
        reply_row.calls.push(number);
        self.pairs.issue(reply_row.thread, id, reply.0, number);
        CallNo(number)
    }

    /// All calls of a reply were issued then.
    pub(in crate::import) fn issue_all(&mut self, reply: ReplyNo, at: Stamp) {
        for call in &self.replies[reply.0 as usize].calls {
            self.calls[*call as usize].issued = at;
        }
    }

    /// Adds a call whose row was made before its reply was known.
    pub(in crate::import) fn adopt(&mut self, reply: ReplyNo, id: Sym, row: Call) -> CallNo {
        let number = small(self.calls.len());
        let index = small(self.calls_in(reply));
        self.calls
            .push(CallRow::new(Call { index, id, ..row }, reply, None));
        self.replies[reply.0 as usize].calls.push(number);
        CallNo(number)
    }

    /// A call, to fill in what comes later.
    pub(in crate::import) fn call_mut(&mut self, call: CallNo) -> &mut CallRow {
        &mut self.calls[call.0 as usize]
    }

    /// The reply of a call.
    pub(in crate::import) fn reply_of(&self, call: CallNo) -> ReplyNo {
        ReplyNo(self.calls[call.0 as usize].reply)
    }

    /// The provider's id of a call.
    pub(in crate::import) fn id_of(&self, call: CallNo) -> &str {
        self.run.names.get(self.calls[call.0 as usize].call.id)
    }

    /// Of the earlier calls of its reply the one that ended last before `start`; where `start` is
    /// not known the one right before it.
    pub(in crate::import) fn last_ended_before(&self, call: CallNo, start: Stamp) -> Option<u32> {
        let reply = &self.replies[self.calls[call.0 as usize].reply as usize];
        let index = self.calls[call.0 as usize].call.index;
        let Some(start) = start else {
            return index.checked_sub(1);
        };
        let earlier = reply.calls.iter().take(index as usize);
        let ends = earlier.filter_map(|call| {
            let row = &self.calls[*call as usize];
            Some((row.end.filter(|end| *end <= start)?, row.call.index))
        });
        ends.max().map(|(_, index)| index)
    }

    /// Begin and end of a call as the harness logged them. Where both are known they stay.
    pub(in crate::import) fn exact(&mut self, call: CallNo, (start, end): (Stamp, Stamp)) {
        if start.is_some() && end.is_some() {
            let row = &mut self.calls[call.0 as usize];
            (row.start, row.end) = (start, end);
            row.timing = Timing::Events;
            row.exact = true;
        }
    }

    /// The oldest unanswered call of that id in the latest reply of the thread that has one.
    pub(in crate::import) fn waiting(&mut self, thread: ThreadNo, id: &str) -> Option<CallNo> {
        let id = self.name(id);
        self.pairs.waiting(thread.0, id).map(CallNo)
    }

    /// Gives a result to the oldest unanswered call of its id in the latest reply that has one.
    /// One that comes before its call waits for it; one of nobody is counted.
    pub(in crate::import) fn settle(
        &mut self,
        thread: ThreadNo,
        id: &str,
        answer: Answer,
    ) -> Option<CallNo> {
        let id = self.name(id);
        if let Some(call) = self.pairs.answer(thread.0, id) {
            self.answer(CallNo(call), answer);
            return Some(CallNo(call));
        }
        if self.pairs.knows(thread.0, id) {
            self.run.skipped.copies += 1;
        } else {
            self.seen(answer.end);
            self.early.push((thread.0, id, answer));
        }
        None
    }

    /// Gives a result to this call, whatever its id says.
    pub(in crate::import) fn answer(&mut self, call: CallNo, answer: Answer) {
        let error = self.name(&cut(&answer.error, LONGEST_ERROR));
        let row = &mut self.calls[call.0 as usize];
        if !row.exact {
            row.end = answer.end;
            row.timing = answer.timing;
        }
        // What was said of it before the answer came stands, where the answer says nothing worse.
        if answer.outcome != Outcome::Ok || row.outcome == Outcome::Unfinished {
            row.outcome = answer.outcome;
        }
        row.own = answer.own.or(row.own);
        row.call.error = error;
        row.call.answer = answer.body;
        row.call.answer_bytes = answer.bytes;
    }
}

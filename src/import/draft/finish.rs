//! From what was read to the columns of the run.

use super::rows::{CallRow, Draft, Parent, ReplyRow};
use crate::import::thread_names::add_threads;
use crate::import::value::{Zero, earlier, small};
use crate::model::{Outcome, ThreadId, Timing};
use crate::time::{Nanos, Span};
use crate::trace::{Call, ParentCall, Pooled, Run, Turn, count_labels};

impl Draft {
    /// The run: threads with `main` first, the replies of each in the order of their adding, the
    /// calls of each reply in the order of theirs, all times from the earliest of the file.
    pub(in crate::import) fn finish(mut self) -> Run {
        self.settle_early();
        let zero = Zero(self.find_earliest().unwrap_or(0));
        let order = self.order();
        self.name_threads(&order);
        let mut places = vec![None; self.calls.len()];
        for (thread, row) in (0..).map(ThreadId).zip(&order) {
            let replies = std::mem::take(&mut self.threads[*row as usize].replies);
            for (number, reply) in (1..).zip(replies) {
                self.turn(zero, (thread, number), reply, &mut places);
            }
        }
        self.link(&order, &places);
        self.cut_bodies();
        count_labels(&mut self.run);
        self.fill_meta();
        self.run
    }

    fn settle_early(&mut self) {
        for (thread, id, answer) in std::mem::take(&mut self.early) {
            match self.pairs.answer(thread, id) {
                Some(call) => self.answer(super::CallNo(call), answer),
                None => self.run.skipped.orphans += 1,
            }
        }
    }

    fn find_earliest(&mut self) -> Option<i64> {
        let replies = self.replies.iter();
        let replies = replies.flat_map(|reply| [reply.asked, reply.complete]);
        let calls = self.calls.iter();
        let calls = calls.flat_map(|call| [call.issued, call.start, call.end]);
        let earliest = replies.chain(calls).fold(self.earliest, earlier);
        self.earliest = earliest;
        earliest
    }

    /// The threads that have replies, main first; it is there even without.
    fn order(&self) -> Vec<u32> {
        let others = 1..small(self.threads.len());
        let others = others.filter(|row| !self.threads[*row as usize].replies.is_empty());
        std::iter::once(0).chain(others).collect()
    }

    fn name_threads(&mut self, order: &[u32]) {
        let names = order
            .iter()
            .map(|row| self.threads[*row as usize].name.as_str());
        add_threads(&mut self.run, names);
    }

    fn turn(
        &mut self,
        zero: Zero,
        (thread, number): (ThreadId, u32),
        reply: u32,
        places: &mut [Option<ParentCall>],
    ) {
        let row = small(self.run.turns.len());
        let reply = &self.replies[reply as usize];
        let calls = Pooled {
            start: small(self.run.calls.len()),
            len: small(reply.calls.len()),
        };
        let mut ends = Some(None);
        for number_of_call in &reply.calls {
            let draft = &self.calls[*number_of_call as usize];
            let call = Call {
                turn: row,
                depends_on: self.run.pool_indices(&draft.depends_on),
                ..times(zero, draft, &mut self.run.skipped.negative)
            };
            places[*number_of_call as usize] = Some(ParentCall {
                thread,
                turn: number,
                call: call.index,
            });
            ends = ends.and_then(|last: Option<Nanos>| Some(last.max(Some(call.end?))));
            self.run.calls.push(call);
        }
        let model = model(zero, reply, &mut self.run.skipped.negative);
        self.run.turns.push(Turn {
            thread,
            number,
            at: zero.from(reply.complete),
            model,
            model_timing: model.map_or(Timing::Unknown, |_| reply.timing),
            model_name: reply.model,
            origin: reply.origin,
            calls,
            end: ends.flatten(),
        });
        self.run.threads[thread.0 as usize].turns.push(row);
    }

    /// Of a body that was closed by the reader the file holds only the beginning.
    fn cut_bodies(&mut self) {
        for (file, end) in &self.ends {
            let calls = self.run.calls.iter_mut();
            let bodies = calls.flat_map(|call| [&mut call.args, &mut call.answer]);
            for body in bodies.filter(|body| body.file == *file) {
                body.len = body.len.min(end.saturating_sub(body.offset));
            }
        }
    }

    fn link(&mut self, order: &[u32], places: &[Option<ParentCall>]) {
        for (thread, row) in (0..).map(ThreadId).zip(order).skip(1) {
            let linked = match self.threads[*row as usize].parent {
                Parent::Nobody => true,
                Parent::Unknown => false,
                Parent::Call(call) => {
                    let place = places.get(call.0 as usize).copied().flatten();
                    place.is_some_and(|place| self.run.link(thread, place))
                }
            };
            self.run.skipped.unlinked += u64::from(!linked);
        }
    }

    fn fill_meta(&mut self) {
        if self.run.meta.model.is_empty() {
            let models = self.run.turns.iter().map(|turn| turn.model_name);
            let mut models = models.map(|name| self.run.names.get(name));
            let model = models.find(|name| !name.is_empty());
            self.run.meta.model = model.unwrap_or_default().to_owned();
        }
        // A wall time without a zone would be a wrong one almost everywhere.
        let at = self.earliest.filter(|_| !self.zoneless);
        let at = at.map(chrono::DateTime::from_timestamp_nanos);
        let at = at.map(|at| at.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true));
        self.run.meta.at = at.unwrap_or_default();
        self.run.catalog = Some(std::mem::take(&mut self.catalog));
    }
}

/// The model's time.
fn model(zero: Zero, reply: &ReplyRow, negative: &mut u64) -> Option<Span> {
    let (asked, complete) = zero.from(reply.asked).zip(zero.from(reply.complete))?;
    if complete < asked {
        *negative += 1;
        return None;
    }
    (reply.timing != Timing::Unknown).then(|| Span::new(asked, complete))
}

/// A call with its times. The tool's own figure is a measurement; anything else is what the
/// importer says of it, as long as it is a span at all.
fn times(zero: Zero, draft: &CallRow, negative: &mut u64) -> Call {
    let issued = zero.from(draft.issued);
    let end = zero.from(draft.end);
    let refused = matches!(
        draft.outcome,
        Outcome::Denied | Outcome::BadArgs | Outcome::UnknownTool | Outcome::NotRun
    );
    let start = zero.from(draft.start).or(issued).filter(|_| !refused);
    let first = start.or(issued);
    let backwards = first.zip(end).is_some_and(|(first, end)| end < first);
    *negative += u64::from(backwards);
    let timing = match (draft.own, start, end) {
        (Some(_), _, _) => Timing::Measured,
        (None, Some(_), Some(_)) if !backwards => draft.timing,
        _ => Timing::Unknown,
    };
    Call {
        issued,
        start,
        end,
        own: draft.own,
        timing,
        outcome: draft.outcome,
        detached: zero.from(draft.detached),
        ..draft.call
    }
}

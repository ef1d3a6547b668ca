//! From what was read to the columns of the run.

use super::outcome::never_ran;
use super::session::{Draft, Reply, Session};
use super::threads::Key;
use crate::import::thread_names::add_threads;
use crate::import::value::{Zero, small};
use crate::model::{ThreadId, Timing};
use crate::time::{Nanos, Span};
use crate::trace::{Call, ParentCall, Pooled, Turn, count_labels};

impl Session<'_> {
    pub(super) fn finish(mut self) -> crate::trace::Run {
        self.settle_early();
        let zero = Zero(self.earliest.unwrap_or(0));
        let order = self.order();
        let mut places = vec![None; self.calls.len()];
        self.name_threads(&order);
        for (thread, row) in (0..).map(ThreadId).zip(&order) {
            let replies = std::mem::take(&mut self.threads.rows[*row as usize].replies);
            for (number, reply) in (1..).zip(replies) {
                self.turn(zero, (thread, number), reply, &mut places);
            }
        }
        self.link(&order, &places);
        count_labels(&mut self.run);
        self.meta();
        self.run
    }

    /// The threads that have replies, main first; it is there even without.
    fn order(&self) -> Vec<u32> {
        let main = self.threads.main;
        let others = (0..small(self.threads.rows.len())).filter(|row| *row != main);
        let others = others.filter(|row| !self.threads.rows[*row as usize].replies.is_empty());
        std::iter::once(main).chain(others).collect()
    }

    fn name_threads(&mut self, order: &[u32]) {
        let rows = &self.threads.rows;
        let others = order.iter().skip(1);
        let others = others.map(|row| rows[*row as usize].name.as_str());
        add_threads(&mut self.run, std::iter::once("main").chain(others));
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
            at: zero.from(reply.last),
            model,
            model_timing: model.map_or(Timing::Unknown, |_| Timing::Events),
            model_name: reply.model,
            origin: reply.origin,
            calls,
            end: ends.flatten(),
        });
        self.run.threads[thread.0 as usize].turns.push(row);
    }

    /// Says which call started a sub-agent, by ids alone: a guess by time would link the wrong
    /// ones sooner or later.
    fn link(&mut self, order: &[u32], places: &[Option<ParentCall>]) {
        for (thread, row) in (0..).map(ThreadId).zip(order).skip(1) {
            let parent = match self.threads.rows[*row as usize].key.take() {
                Some(Key::Agent(agent)) => self.parent_of(&agent),
                Some(Key::Call(id)) => {
                    let id = self.name(&id);
                    self.call_of(id)
                }
                None => None,
            };
            let parent = parent.and_then(|call| places[call as usize]);
            let linked = parent.is_some_and(|parent| self.run.link(thread, parent));
            self.run.skipped.unlinked += u64::from(!linked);
        }
    }

    fn parent_of(&self, agent: &str) -> Option<u32> {
        let named = |id: Option<&_>| id.and_then(|id| self.call_of(*id));
        named(self.links.by_sidecar.get(agent))
            .or_else(|| self.links.by_result.get(agent).copied())
            .or_else(|| named(self.links.by_progress.get(agent)))
    }

    fn meta(&mut self) {
        let at = self.earliest.map(chrono::DateTime::from_timestamp_nanos);
        let at = at.map(|at| at.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true));
        let models = self.run.turns.iter().map(|turn| turn.model_name);
        let model = models.map(|name| self.run.names.get(name));
        let model = model.into_iter().find(|name| !name.is_empty());
        self.run.meta.model = model.unwrap_or_default().to_owned();
        self.run.meta.at = at.unwrap_or_default();
        self.run.meta.source = "claude-code".to_owned();
        self.run.meta.id = std::mem::take(&mut self.session_id);
        self.run.catalog = Some(self.catalog.clone());
    }
}

/// The model's time: from the last user line before the reply to its last line.
fn model(zero: Zero, reply: &Reply, negative: &mut u64) -> Option<Span> {
    let (asked, last) = zero.from(reply.asked).zip(zero.from(reply.last))?;
    if last < asked {
        *negative += 1;
        return None;
    }
    Some(Span::new(asked, last))
}

/// A call with its times. From its line to its result is all that the file has, and approval and
/// queue are inside: a bound, unless the tool gives a figure of its own.
fn times(zero: Zero, draft: &Draft, negative: &mut u64) -> Call {
    let issued = zero.from(draft.issued);
    let end = zero.from(draft.end);
    let hook = zero.from(draft.hook).filter(|hook| {
        issued.is_none_or(|issued| *hook >= issued) && end.is_none_or(|end| *hook <= end)
    });
    let backwards = issued.zip(end).is_some_and(|(issued, end)| end < issued);
    *negative += u64::from(backwards);
    let refused = never_ran(draft.call.outcome);
    let start = hook.or(issued).filter(|_| !refused);
    let timing = match (draft.call.own, start, end) {
        (Some(_), _, _) => Timing::Measured,
        (None, Some(_), Some(_)) if !backwards => Timing::Bound,
        _ => Timing::Unknown,
    };
    Call {
        issued,
        start,
        end,
        timing,
        detached: zero.from(draft.detached),
        ..draft.call
    }
}

//! The step: apply what happened, release successors, start what can start.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::io::{Effect, Input};
use super::ready::SlotPool;
use super::state::{CallState, NodeState, Phase};
use crate::model::{Cause, Outcome};
use crate::schedule::{CallSpec, OnFailure, Options, Plan};
use crate::time::Nanos;

/// Runs one turn: who starts, when, in which slot and why.
///
/// 1. All inputs of an instant are applied before any start of it.
/// 2. The lowest-index ready call takes the lowest free slot; a blocked call reserves none.
/// 3. Any terminal outcome releases the successors; a call that never started releases them only
///    once its own predecessors have let go.
/// 4. Each call settles exactly once, whatever happens, and then the turn is done.
///
/// A step allocates nothing once the buffers have grown to the turn's size.
#[derive(Clone, Debug)]
pub struct Scheduler {
    pub(super) plan: Plan,
    pub(super) options: Options,
    pub(super) calls: Vec<CallState>,
    pub(super) nodes: Vec<NodeState>,
    pub(super) slots: SlotPool,
    ready: BinaryHeap<Reverse<u32>>,
    /// Ready calls that will never start: they settle at their turn.
    refused: Vec<u32>,
    /// Nodes that let go in this step, with the end and the call that their successors waited for.
    pub(super) releasing: Vec<(u32, Nanos, u32)>,
    pub(super) timers: BinaryHeap<Reverse<(Nanos, u32)>>,
    pub(super) begun: Option<Nanos>,
    pub(super) unsettled: u32,
    pub(super) visit: Vec<u32>,
    /// Calls that were told to stop.
    pub(super) suspects: Vec<u32>,
}

/// The timer of the turn's deadline, among timers that carry a call's index.
pub(super) const TURN: u32 = u32::MAX;

impl Scheduler {
    /// A scheduler for the turn that `plan` was made of. `specs` are the same calls.
    #[must_use]
    pub fn new(plan: Plan, specs: &[CallSpec<'_>], options: Options) -> Self {
        let calls: Vec<CallState> = specs.iter().map(CallState::new).collect();
        let mut scheduler = Self {
            slots: SlotPool::new(options.slots),
            unsettled: 0,
            plan,
            options,
            calls,
            nodes: Vec::new(),
            ready: BinaryHeap::new(),
            refused: Vec::new(),
            releasing: Vec::new(),
            timers: BinaryHeap::new(),
            begun: None,
            visit: Vec::new(),
            suspects: Vec::new(),
        };
        scheduler.reset();
        scheduler
    }

    /// Back to before the begin, keeping plan, options and buffers.
    pub fn reset(&mut self) {
        self.nodes.clear();
        let plan = &self.plan;
        self.nodes.extend((0..plan.nodes()).map(|n| NodeState {
            open: plan.predecessor_count(n),
            last: None,
            doomed: false,
        }));
        for call in &mut self.calls {
            call.phase = Phase::Waiting;
            call.lost = false;
            call.granted = None;
        }
        self.slots.clear();
        self.ready.clear();
        self.refused.clear();
        self.releasing.clear();
        self.timers.clear();
        self.suspects.clear();
        self.begun = None;
        self.unsettled = self.plan.calls();
    }

    /// The plan it walks.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// True once every call has settled.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.begun.is_some() && self.unsettled == 0
    }

    /// Earlier calls on `call`'s keys that were given up and may still be running.
    pub fn beside(&self, call: u32) -> impl Iterator<Item = u32> {
        self.suspects.iter().copied().filter(move |&other| {
            let state = &self.calls[other as usize];
            let open = state.lost || matches!(state.phase, Phase::Stopping { .. });
            open && other != call && self.plan.conflict(other, call)
        })
    }

    /// Applies what has happened at `now` and appends what to do to `effects`. Times must not
    /// run backwards from step to step.
    pub fn step(&mut self, now: Nanos, inputs: &[Input], effects: &mut Vec<Effect>) {
        let was_done = self.is_done();
        for &input in inputs {
            self.apply(now, input, effects);
        }
        self.fire_timers(now, effects);
        self.release();
        self.start_ready(now, effects);
        if let Some(&Reverse((at, _))) = self.timers.peek() {
            effects.push(Effect::WakeAt(at));
        }
        if !self.releasing.is_empty() {
            effects.push(Effect::WakeAt(now));
        }
        if self.is_done() && !was_done {
            effects.push(Effect::Done);
        }
    }

    fn apply(&mut self, now: Nanos, input: Input, effects: &mut Vec<Effect>) {
        match input {
            Input::Begin => self.begin(now, effects),
            Input::Finished { call, outcome } => self.finished(now, call, outcome, effects),
            Input::Fatal { call } => {
                self.finished(now, call, Outcome::Failed, effects);
                self.stop_unstarted(now, 0, Outcome::NotRun, effects);
            }
            Input::Deadline => {}
            Input::Granted { call } => {
                let state = &mut self.calls[call as usize];
                if state.unstarted() && state.granted.is_none() {
                    state.granted = Some(now);
                    self.check_ready(call, now);
                }
            }
            Input::Denied { call } => {
                if self.calls[call as usize].unstarted() {
                    self.settle_unstarted(now, call, Outcome::Denied, effects);
                    self.react_to(now, call, Outcome::Denied, effects);
                }
            }
            Input::Cancel => {
                self.stop_unstarted(now, 0, Outcome::Cancelled, effects);
                self.stop_running(now, effects);
            }
        }
    }

    fn begin(&mut self, now: Nanos, effects: &mut Vec<Effect>) {
        if self.begun.replace(now).is_some() {
            return;
        }
        if let Some(deadline) = self.options.deadline {
            self.timers.push(Reverse((now + deadline, TURN)));
        }
        for call in 0..self.plan.calls() {
            let state = &mut self.calls[call as usize];
            if !state.unstarted() {
                continue;
            }
            if state.approval && state.refused.is_none() {
                effects.push(Effect::Ask { call });
            } else {
                state.granted = Some(now);
                self.check_ready(call, now);
            }
        }
    }

    /// Counts down successors of everything that let go, joints at once.
    fn release(&mut self) {
        while let Some((node, end, by)) = self.releasing.pop() {
            for at in 0..self.plan.successors(node).len() {
                let next = self.plan.successors(node)[at];
                self.nodes[next as usize].let_go(end, by);
                if self.nodes[next as usize].open > 0 {
                    continue;
                }
                let last = self.nodes[next as usize].last;
                if next >= self.plan.calls() {
                    self.releasing.extend(last.map(|(end, by)| (next, end, by)));
                } else if self.calls[next as usize].unstarted() {
                    self.check_ready(next, last.map_or(end, |(end, _)| end));
                } else {
                    self.pass_on(next);
                }
            }
        }
    }

    /// A call that settled without having started lets go when its predecessors have: it stands
    /// for the later of its own settling and their last end.
    pub(super) fn pass_on(&mut self, call: u32) {
        let node = &self.nodes[call as usize];
        if node.open > 0 {
            return;
        }
        let own = (self.calls[call as usize].settled_at, call);
        let (end, by) = match node.last {
            Some(last) if last.0 >= own.0 => last,
            _ => own,
        };
        self.releasing.push((call, end, by));
    }

    fn check_ready(&mut self, call: u32, now: Nanos) {
        let state = &mut self.calls[call as usize];
        if self.nodes[call as usize].open > 0 || !state.unstarted() {
            return;
        }
        let Some(granted) = state.granted else { return };
        state.ready_at = now.max(granted);
        if state.refused.is_some() {
            self.refused.push(call);
        } else {
            self.ready.push(Reverse(call));
        }
    }

    fn start_ready(&mut self, now: Nanos, effects: &mut Vec<Effect>) {
        for at in 0..self.refused.len() {
            let call = self.refused[at];
            if let Some(outcome) = self.calls[call as usize].refused
                && self.calls[call as usize].unstarted()
            {
                self.settle_unstarted(now, call, outcome, effects);
                self.react_to(now, call, outcome, effects);
            }
        }
        self.refused.clear();
        while let Some(&Reverse(call)) = self.ready.peek() {
            if !self.calls[call as usize].unstarted() {
                self.ready.pop();
                continue;
            }
            let Some(slot) = self.slots.take() else { break };
            self.ready.pop();
            self.start(now, call, slot, effects);
        }
    }

    fn start(&mut self, now: Nanos, call: u32, slot: u32, effects: &mut Vec<Effect>) {
        let cause = self.cause(now, call);
        if let Some(slice) = self.slice(now, call) {
            self.timers.push(Reverse((now + slice, call)));
        }
        self.calls[call as usize].phase = Phase::Running { slot };
        effects.push(Effect::Start { call, slot, cause });
    }

    /// Why `call` starts now: the last thing that held it back. A slot only where everything else
    /// was ready before.
    fn cause(&self, now: Nanos, call: u32) -> Cause {
        let state = &self.calls[call as usize];
        if state.ready_at < now
            && let Some(after) = self.slots.freed_at(now)
        {
            return Cause::Slot { after };
        }
        let granted = if state.approval { state.granted } else { None };
        match (self.nodes[call as usize].last, granted) {
            (Some((end, after)), granted) if granted.is_none_or(|at| at <= end) => {
                self.plan.reason(after, call).cause(after)
            }
            (_, Some(at)) if self.begun.is_some_and(|begun| at > begun) => Cause::Approval,
            _ => Cause::Issued,
        }
    }

    /// What `call` may take, counted from its start: its share of the time left over the longest
    /// chain that starts with it, capped by the tool's own limit.
    fn slice(&self, now: Nanos, call: u32) -> Option<Nanos> {
        let share = self
            .options
            .deadline
            .zip(self.begun)
            .map(|(deadline, begun)| {
                let left = (begun + deadline).since(now).0;
                Nanos((left / u64::from(self.plan.chain(call).max(1))).max(1))
            });
        match (share, self.calls[call as usize].timeout) {
            (Some(share), Some(cap)) => Some(share.min(cap)),
            (share, cap) => share.or(cap),
        }
    }

    pub(super) fn react_to(
        &mut self,
        now: Nanos,
        call: u32,
        outcome: Outcome,
        effects: &mut Vec<Effect>,
    ) {
        if !outcome.is_failure() {
            return;
        }
        match self.options.on_failure {
            OnFailure::Independent => {}
            OnFailure::StopLater => self.stop_unstarted(now, 0, Outcome::NotRun, effects),
            OnFailure::StopDependents => self.stop_dependents(now, call, effects),
            OnFailure::CancelSiblings => {
                self.stop_unstarted(now, 0, Outcome::Cancelled, effects);
                self.stop_running(now, effects);
            }
        }
    }
}

//! Ends: how calls settle, stop, time out and take others with them.

use std::cmp::Reverse;

use super::core::{Scheduler, TURN};
use super::io::Effect;
use super::state::Phase;
use crate::model::Outcome;
use crate::time::Nanos;

impl Scheduler {
    /// A body has ended. An end of a call that has settled, or never started, changes nothing but
    /// that it is no longer suspected of running.
    pub(super) fn finished(
        &mut self,
        now: Nanos,
        call: u32,
        outcome: Outcome,
        effects: &mut Vec<Effect>,
    ) {
        let state = &mut self.calls[call as usize];
        match state.phase {
            Phase::Waiting => {}
            Phase::Settled => state.lost = false,
            Phase::Running { slot } => {
                let is_final = state.is_final;
                self.slots.give_back(slot, call, now);
                self.releasing.push((call, now, call));
                self.settle(call, outcome, now, effects);
                if is_final && outcome == Outcome::Ok {
                    self.stop_unstarted(now, call + 1, Outcome::NotRun, effects);
                }
                self.react_to(now, call, outcome, effects);
            }
            Phase::Stopping { end, sliced } => {
                let outcome = if sliced { Outcome::TimedOut } else { outcome };
                let end = if sliced { end } else { now };
                self.settle(call, outcome, end, effects);
            }
        }
    }

    pub(super) fn fire_timers(&mut self, now: Nanos, effects: &mut Vec<Effect>) {
        while let Some(&Reverse((at, call))) = self.timers.peek() {
            if at > now {
                return;
            }
            self.timers.pop();
            if call == TURN {
                self.stop_unstarted(now, 0, Outcome::Cancelled, effects);
                continue;
            }
            match self.calls[call as usize].phase {
                Phase::Running { .. } => {
                    self.stop(now, call, true, effects);
                    self.react_to(now, call, Outcome::TimedOut, effects);
                }
                // The slice's timer of a call that was stopped for another reason has no say.
                Phase::Stopping { end, .. } if at >= end + self.options.grace => {
                    self.give_up(now, call, effects);
                }
                _ => {}
            }
        }
    }

    /// Frees the slot and the keys of a running call and tells its body to stop.
    fn stop(&mut self, now: Nanos, call: u32, sliced: bool, effects: &mut Vec<Effect>) {
        let Phase::Running { slot } = self.calls[call as usize].phase else {
            return;
        };
        self.calls[call as usize].phase = Phase::Stopping { end: now, sliced };
        self.slots.give_back(slot, call, now);
        self.releasing.push((call, now, call));
        self.timers.push(Reverse((now + self.options.grace, call)));
        self.suspects.push(call);
        effects.push(Effect::Cancel { call });
    }

    /// The grace is over. Nobody knows whether a call that may write has written.
    fn give_up(&mut self, now: Nanos, call: u32, effects: &mut Vec<Effect>) {
        let state = &mut self.calls[call as usize];
        let Phase::Stopping { end, sliced } = state.phase else {
            return;
        };
        state.lost = true;
        let outcome = match (state.may_write, sliced) {
            (true, _) => Outcome::Indeterminate,
            (false, true) => Outcome::TimedOut,
            (false, false) => Outcome::Cancelled,
        };
        effects.push(Effect::Abort { call });
        self.settle(call, outcome, if sliced { end } else { now }, effects);
    }

    pub(super) fn stop_running(&mut self, now: Nanos, effects: &mut Vec<Effect>) {
        for call in 0..self.plan.calls() {
            self.stop(now, call, false, effects);
        }
    }

    /// Settles every unstarted call from `first` on.
    pub(super) fn stop_unstarted(
        &mut self,
        now: Nanos,
        first: u32,
        outcome: Outcome,
        effects: &mut Vec<Effect>,
    ) {
        for call in first..self.plan.calls() {
            if self.calls[call as usize].unstarted() {
                self.settle_unstarted(now, call, outcome, effects);
            }
        }
    }

    /// Settles every unstarted call that comes after `call` over any chain of edges.
    pub(super) fn stop_dependents(&mut self, now: Nanos, call: u32, effects: &mut Vec<Effect>) {
        self.visit.clear();
        self.visit.push(call);
        while let Some(node) = self.visit.pop() {
            for at in 0..self.plan.successors(node).len() {
                let next = self.plan.successors(node)[at];
                // What an earlier failure has reached is settled, and so is all behind it.
                if std::mem::replace(&mut self.nodes[next as usize].doomed, true) {
                    continue;
                }
                self.visit.push(next);
                if next < self.plan.calls() && self.calls[next as usize].unstarted() {
                    self.settle_unstarted(now, next, Outcome::NotRun, effects);
                }
            }
        }
    }

    pub(super) fn settle_unstarted(
        &mut self,
        now: Nanos,
        call: u32,
        outcome: Outcome,
        effects: &mut Vec<Effect>,
    ) {
        self.calls[call as usize].settled_at = now;
        self.settle(call, outcome, now, effects);
        self.pass_on(call);
    }

    fn settle(&mut self, call: u32, outcome: Outcome, end: Nanos, effects: &mut Vec<Effect>) {
        self.calls[call as usize].phase = Phase::Settled;
        self.unsettled -= 1;
        effects.push(Effect::Settle { call, outcome, end });
    }
}

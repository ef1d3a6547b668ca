//! A heap of virtual times around the scheduler.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::body::{Body, End};
use super::timeline::{SimulatedCall, Timeline};
use crate::model::{KeyTable, Outcome};
use crate::schedule::{CallSpec, Effect, Input, Options, Plan, Policy, Scheduler};
use crate::time::Nanos;

/// Predicts one turn: plans it and runs the plan in virtual time.
#[must_use]
pub fn simulate(
    policy: Policy,
    specs: &[CallSpec<'_>],
    bodies: &[Body],
    keys: &KeyTable,
    options: Options,
) -> Timeline {
    let mut scheduler = Scheduler::new(Plan::new(policy, specs, keys), specs, options);
    Simulator::default().run(&mut scheduler, bodies)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// The body ends by itself.
    Ends,
    /// The body acknowledges that it was told to stop.
    Stops,
    /// The approval question is answered.
    Answered,
}

/// Runs schedulers in virtual time, keeping its buffers from turn to turn.
#[derive(Debug, Default)]
pub struct Simulator {
    events: BinaryHeap<Reverse<(Nanos, u32, Event)>>,
    inputs: Vec<Input>,
    effects: Vec<Effect>,
    /// Calls whose body is gone: their pending ends mean nothing.
    gone: Vec<bool>,
    /// Calls that were told to stop: what they still do comes late.
    told: Vec<bool>,
    wake: Option<Nanos>,
}

impl Simulator {
    /// Runs a scheduler from its begin to its end, with `bodies` as what the calls do.
    pub fn run(&mut self, scheduler: &mut Scheduler, bodies: &[Body]) -> Timeline {
        let mut timeline = Timeline {
            calls: vec![SimulatedCall::NEW; bodies.len()],
            ..Timeline::default()
        };
        self.gone.clear();
        self.gone.resize(bodies.len(), false);
        self.told.clear();
        self.told.resize(bodies.len(), false);
        self.events.clear();
        self.inputs.clear();
        self.inputs.push(Input::Begin);
        let mut now = Nanos::ZERO;
        loop {
            self.effects.clear();
            scheduler.step(now, &self.inputs, &mut self.effects);
            self.wake = None;
            for at in 0..self.effects.len() {
                self.carry_out(self.effects[at], now, bodies, &mut timeline);
            }
            if scheduler.is_done() {
                break;
            }
            let event = self.events.peek().map(|Reverse((at, ..))| *at);
            let Some(next) = event.into_iter().chain(self.wake).min() else {
                break;
            };
            now = next.max(now);
            self.collect(now, bodies, &mut timeline);
        }
        self.land_late(bodies, &mut timeline);
        if scheduler.is_done() {
            let ends = timeline.calls.iter().filter_map(|c| c.end).max();
            timeline.makespan = Some(ends.unwrap_or(Nanos::ZERO));
        }
        timeline
    }

    fn carry_out(&mut self, effect: Effect, now: Nanos, bodies: &[Body], timeline: &mut Timeline) {
        match effect {
            Effect::Ask { call } => {
                if let Some(approval) = bodies[call as usize].approval {
                    let at = now + approval.after;
                    self.events.push(Reverse((at, call, Event::Answered)));
                    timeline.calls[call as usize].approval = Some((now, at));
                }
            }
            Effect::Start { call, slot, cause } => {
                let row = &mut timeline.calls[call as usize];
                (row.start, row.slot, row.cause) = (Some(now), Some(slot), Some(cause));
                timeline.order.push(call);
                if let Some(takes) = bodies[call as usize].takes {
                    self.events.push(Reverse((now + takes, call, Event::Ends)));
                }
            }
            Effect::Cancel { call } => {
                self.told[call as usize] = true;
                if !bodies[call as usize].ignores_cancel {
                    self.events.push(Reverse((now, call, Event::Stops)));
                }
            }
            Effect::Abort { call } => {
                self.gone[call as usize] |= !bodies[call as usize].ignores_cancel
            }
            Effect::Settle { call, outcome, end } => {
                let row = &mut timeline.calls[call as usize];
                (row.outcome, row.end) = (outcome, Some(end));
            }
            Effect::WakeAt(at) => self.wake = Some(self.wake.map_or(at, |wake| wake.min(at))),
            Effect::Done => {}
        }
    }

    /// Takes everything that happens at `now` off the heap, as inputs in order of the calls.
    fn collect(&mut self, now: Nanos, bodies: &[Body], timeline: &mut Timeline) {
        self.inputs.clear();
        while let Some(&Reverse((at, call, event))) = self.events.peek() {
            if at > now {
                break;
            }
            self.events.pop();
            let body = bodies[call as usize];
            match event {
                Event::Answered if body.approval.is_some_and(|a| a.grant) => {
                    self.inputs.push(Input::Granted { call });
                }
                Event::Answered => self.inputs.push(Input::Denied { call }),
                _ if self.gone[call as usize] => {}
                Event::Stops => {
                    self.gone[call as usize] = true;
                    self.inputs.push(Input::Finished {
                        call,
                        outcome: Outcome::Cancelled,
                    });
                }
                Event::Ends => {
                    self.gone[call as usize] = true;
                    self.note_late(call, at, timeline);
                    self.inputs.push(match body.end {
                        End::With(outcome) => Input::Finished { call, outcome },
                        End::Fatal => {
                            timeline.fatal.get_or_insert(call);
                            Input::Fatal { call }
                        }
                    });
                }
            }
        }
    }

    fn note_late(&self, call: u32, at: Nanos, timeline: &mut Timeline) {
        if self.told[call as usize] {
            timeline.calls[call as usize].late = Some(at);
        }
    }

    /// What lands after the turn is over.
    fn land_late(&mut self, bodies: &[Body], timeline: &mut Timeline) {
        while let Some(Reverse((at, call, event))) = self.events.pop() {
            let ignores = bodies[call as usize].ignores_cancel;
            if event == Event::Ends && ignores && !self.gone[call as usize] {
                self.note_late(call, at, timeline);
            }
        }
    }
}

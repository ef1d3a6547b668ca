//! One turn: carries out what the scheduler decides and reports what has happened.

use std::collections::BTreeMap;

use tokio::time::Instant;

use super::body::{Ended, Report, RunningBody};
use super::event::Event;
use super::prepare::PlannedCall;
use super::runner::{CallAnswer, CancelTurn, Carried, Runner, TurnResult};
use crate::model::{CallKey, Cause, KeyId, Outcome, ThreadId};
use crate::schedule::{Effect, Input, Plan, Scheduler};
use crate::time::Nanos;

/// What is known of one call while its turn runs.
#[derive(Default)]
struct Live {
    body: Option<RunningBody>,
    /// How its body ended and when, once it has.
    ended: Option<(Ended, Nanos)>,
    answer: Option<(Outcome, String)>,
    started: Option<u32>,
}

pub(super) struct Driver<'a> {
    runner: &'a mut Runner,
    planned: &'a [PlannedCall],
    turn: u32,
    scheduler: Scheduler,
    live: Vec<Live>,
    starts: u32,
    wake: Option<Nanos>,
    fatal: Option<String>,
    inputs: Vec<Input>,
}

impl<'a> Driver<'a> {
    pub(super) fn new(runner: &'a mut Runner, planned: &'a [PlannedCall], turn: u32) -> Self {
        let specs: Vec<_> = planned.iter().map(PlannedCall::spec).collect();
        let plan = Plan::new(runner.policy, &specs, &runner.keys);
        let scheduler = Scheduler::new(plan, &specs, runner.options);
        let live = planned.iter().map(|_| Live::default()).collect();
        Self {
            runner,
            planned,
            turn,
            scheduler,
            live,
            starts: 0,
            wake: None,
            fatal: None,
            inputs: vec![Input::Begin],
        }
    }

    fn key(&self, call: u32) -> CallKey {
        CallKey {
            thread: ThreadId(0),
            turn: self.turn,
            index: call,
        }
    }

    pub(super) async fn drive(mut self, cancel: CancelTurn) -> TurnResult {
        self.announce();
        let mut cancelled = false;
        let mut effects = Vec::new();
        loop {
            let now = self.runner.now();
            // Reports come in any order; the scheduler's answer must not depend on it.
            self.inputs.sort_by_key(|input| match *input {
                Input::Finished { call, .. } | Input::Fatal { call } => (0, call),
                Input::Granted { call } | Input::Denied { call } => (1, call),
                Input::Begin | Input::Deadline | Input::Cancel => (2, 0),
            });
            effects.clear();
            self.wake = None;
            self.scheduler.step(now, &self.inputs, &mut effects);
            self.inputs.clear();
            for &effect in &effects {
                self.carry_out(effect, now);
            }
            if self.scheduler.is_done() {
                return self.finish();
            }
            if self.inputs.is_empty() {
                cancelled |= self.wait(&cancel, cancelled).await;
            }
            // Whatever else belongs to this instant is on its way: let it arrive.
            tokio::task::yield_now().await;
            while let Ok(report) = self.runner.reports.1.try_recv() {
                self.take(report);
            }
        }
    }

    /// Waits for something to happen; true where that is the caller's cancellation.
    async fn wait(&mut self, cancel: &CancelTurn, cancelled: bool) -> bool {
        let wake = self.wake.map(|at| self.runner.instant(at));
        let sleep = async {
            match wake {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        let reports = &mut self.runner.reports.1;
        tokio::select! {
            biased;
            Some(report) = reports.recv() => self.take(report),
            () = cancel.cancelled(), if !cancelled => {
                self.inputs.push(Input::Cancel);
                return true;
            }
            () = sleep => self.inputs.push(Input::Deadline),
        }
        false
    }

    fn announce(&mut self) {
        let issued = self.runner.now();
        for (index, call) in (0..).zip(self.planned) {
            let event = Event::Call {
                key: self.key(index),
                request: &call.request,
                effects: &call.effects,
                stage: self.scheduler.plan().stage(index),
                approval: call.approval,
                issued,
            };
            self.runner.record(&event);
        }
    }

    fn take(&mut self, report: Report) {
        let (Report::Ended { key, .. } | Report::Answered { key, .. }) = &report;
        let (key, call) = (*key, key.index);
        if key.turn != self.turn {
            return self.runner.land(report);
        }
        match report {
            Report::Answered { grant, .. } => {
                let at = self.runner.now();
                self.runner.record(&Event::Granted { key, at, grant });
                self.inputs.push(if grant {
                    Input::Granted { call }
                } else {
                    Input::Denied { call }
                });
            }
            Report::Ended { end, at, .. } => {
                let at = self.runner.at(at);
                let live = &mut self.live[call as usize];
                if live.answer.is_some() {
                    live.body = None;
                    self.runner.record(&Event::Late {
                        key,
                        at,
                        outcome: end.outcome,
                        text: &end.text,
                    });
                } else if end.fatal {
                    self.fatal.get_or_insert_with(|| end.text.clone());
                }
                self.inputs.push(if end.fatal {
                    Input::Fatal { call }
                } else {
                    Input::Finished {
                        call,
                        outcome: end.outcome,
                    }
                });
                self.live[call as usize].ended = Some((end, at));
            }
        }
    }

    fn carry_out(&mut self, effect: Effect, now: Nanos) {
        match effect {
            Effect::Ask { call } => self.ask(call, now),
            Effect::Start { call, slot, cause } => self.start(call, slot, cause, now),
            Effect::Cancel { call } => {
                if let Some(body) = &self.live[call as usize].body {
                    body.cancel.cancel();
                }
            }
            Effect::Abort { call } => {
                let body = &mut self.live[call as usize].body;
                if body.as_ref().is_some_and(|b| !b.survives()) {
                    *body = None;
                }
            }
            Effect::Settle { call, outcome, end } => self.settle(call, outcome, end),
            Effect::WakeAt(at) => self.wake = Some(self.wake.map_or(at, |wake| wake.min(at))),
            Effect::Done => {}
        }
    }

    fn ask(&mut self, call: u32, now: Nanos) {
        let key = self.key(call);
        self.runner.record(&Event::Ask { key, at: now });
        let Some(approver) = self.runner.approver.clone() else {
            return self.inputs.push(Input::Denied { call });
        };
        let request = self.planned[call as usize].request.clone();
        let reports = self.runner.reports.0.clone();
        let answer = approver(key, request);
        tokio::spawn(async move {
            let grant = answer.await;
            // The turn may be over by now.
            let _ = reports.send(Report::Answered { key, grant });
        });
    }

    fn start(&mut self, call: u32, slot: u32, cause: Cause, now: Nanos) {
        let key = self.key(call);
        let beside = self.beside(call);
        let recorded = self.runner.record(&Event::Start {
            key,
            at: now,
            slot,
            cause,
            beside: &beside,
        });
        let planned = &self.planned[call as usize];
        let live = &mut self.live[call as usize];
        self.starts += 1;
        live.started = Some(self.starts);
        let tool = planned.tool.clone().filter(|_| recorded);
        let Some(tool) = tool else {
            let text = "not run: its start could not be recorded".to_owned();
            let end = Ended {
                outcome: Outcome::Failed,
                text: text.clone(),
                own: None,
                fatal: true,
            };
            live.ended = Some((end, now));
            self.fatal.get_or_insert(text);
            return self.inputs.push(Input::Fatal { call });
        };
        let reports = self.runner.reports.0.clone();
        live.body = Some(RunningBody::start(
            tool,
            planned.request.clone(),
            key,
            reports,
        ));
    }

    /// Given-up calls that may still be running on the keys of `call`.
    fn beside(&self, call: u32) -> Vec<CallKey> {
        let own: Vec<CallKey> = self.scheduler.beside(call).map(|c| self.key(c)).collect();
        let effects = &self.planned[call as usize].effects;
        let keys = &self.runner.keys;
        let meets =
            |a: &[KeyId], b: &[KeyId]| a.iter().any(|&x| b.iter().any(|&y| keys.overlap(x, y)));
        let carried = self.runner.carried.iter().filter(|c| {
            c.opaque
                || effects.opaque
                || meets(&c.writes, &effects.writes)
                || meets(&c.writes, &effects.reads)
                || meets(&c.reads, &effects.writes)
        });
        carried.map(|c| c.key).chain(own).collect()
    }

    fn settle(&mut self, call: u32, outcome: Outcome, end: Nanos) {
        let key = self.key(call);
        let planned = &self.planned[call as usize];
        let live = &mut self.live[call as usize];
        let body = live.ended.as_ref().filter(|(e, _)| e.outcome == outcome);
        let (text, at, own) = match body {
            // The body's own end is the better stamp: the driver sees it a moment later.
            Some((ended, at)) => (ended.text.clone(), end.min(*at), ended.own),
            None => (text_of(outcome, planned.refused.as_ref()), end, None),
        };
        if live.ended.is_some() {
            live.body = None;
        }
        live.answer = Some((outcome, text.clone()));
        self.runner.record(&Event::End {
            key,
            at,
            outcome,
            text: &text,
            own,
        });
        // It was told to stop and ended by itself all the same.
        if let Some((ended, at)) = &self.live[call as usize].ended
            && outcome == Outcome::TimedOut
            && ended.outcome != Outcome::Cancelled
        {
            let (outcome, text) = (ended.outcome, ended.text.clone());
            self.runner.record(&Event::Late {
                key,
                at: *at,
                outcome,
                text: &text,
            });
        }
    }

    fn finish(mut self) -> TurnResult {
        let key_order = self.key_order();
        let at = self.runner.at(Instant::now());
        self.runner.record(&Event::TurnEnd {
            turn: self.turn,
            at,
            key_order: &key_order,
        });
        let mut answers = Vec::with_capacity(self.live.len());
        for (index, live) in (0..).zip(std::mem::take(&mut self.live)) {
            let call = &self.planned[index as usize];
            let (outcome, text) = live.answer.unwrap_or((Outcome::NotRun, String::new()));
            answers.push(CallAnswer {
                id: call.request.id.clone(),
                outcome,
                text,
            });
            if let Some(body) = live.body.filter(RunningBody::survives) {
                self.runner.carried.push(Carried {
                    key: self.key(index),
                    writes: call.effects.writes.clone(),
                    reads: call.effects.reads.clone(),
                    opaque: call.effects.opaque,
                    _body: body,
                });
            }
        }
        TurnResult {
            answers,
            fatal: self.fatal,
        }
    }

    /// For keys that several started calls touch: the calls in the order in which they started.
    fn key_order(&self) -> Vec<(KeyId, Vec<u32>)> {
        let mut order: BTreeMap<KeyId, Vec<(u32, u32)>> = BTreeMap::new();
        for (index, (call, live)) in (0..).zip(self.planned.iter().zip(&self.live)) {
            let Some(started) = live.started else {
                continue;
            };
            for &key in call.effects.writes.iter().chain(&call.effects.reads) {
                order.entry(key).or_default().push((started, index));
            }
        }
        let several = order.into_iter().filter(|(_, calls)| calls.len() > 1);
        several
            .map(|(key, mut calls)| {
                calls.sort_unstable();
                (key, calls.into_iter().map(|(_, call)| call).collect())
            })
            .collect()
    }
}

fn text_of(outcome: Outcome, refused: Option<&(Outcome, String)>) -> String {
    match (outcome, refused) {
        (outcome, Some((refusal, text))) if *refusal == outcome => text.clone(),
        (Outcome::Cancelled, _) => "cancelled".to_owned(),
        (Outcome::NotRun, _) => "not run".to_owned(),
        (Outcome::Denied, _) => "denied".to_owned(),
        (Outcome::TimedOut, _) => "timed out".to_owned(),
        (Outcome::Indeterminate, _) => "timed out; nobody knows whether it took effect".to_owned(),
        (outcome, _) => outcome.word().replace('_', " "),
    }
}

//! Replays of turns with stand-ins: the one that runs, and what came of those before.

use super::viewer::Model;
use crate::analyze::{CaseCall, TurnCase, WhatIfOptions};
use crate::model::Outcome;
use crate::schedule::Policy;
use crate::time::Nanos;
use crate::tui::msg::ReplayNews;
use crate::tui::report::{Drawn, Row, Schedule, TurnReport, measured, stood_in_for};

/// A turn by its thread's name and its number there: a grown file has it in another place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::tui) struct TurnName {
    /// The thread's name.
    pub(in crate::tui) thread: String,
    /// Its number in it, from 1.
    pub(in crate::tui) number: u32,
}

/// A replay while it runs.
#[derive(Clone, Debug)]
pub(in crate::tui) struct Replaying {
    pub(in crate::tui) id: u32,
    pub(in crate::tui) turn: TurnName,
    pub(in crate::tui) policy: Policy,
    pub(in crate::tui) case: TurnCase,
    pub(in crate::tui) options: WhatIfOptions,
    /// What the same switches predict.
    pub(in crate::tui) predicted: Option<Nanos>,
    pub(in crate::tui) rows: Vec<Row>,
    /// How long it has been running, as far as is known.
    pub(in crate::tui) elapsed: Nanos,
}

/// What came of a replay.
#[derive(Clone, Debug)]
pub(in crate::tui) struct Measured {
    pub(in crate::tui) turn: TurnName,
    pub(in crate::tui) policy: Policy,
    pub(in crate::tui) predicted: Option<Nanos>,
    pub(in crate::tui) schedule: Schedule,
}

/// Replays of turns of the run on the screen.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct Replays {
    pub(in crate::tui) running: Option<Replaying>,
    /// A long one that the user was asked about.
    pub(in crate::tui) asked: Option<(usize, Policy)>,
    pub(in crate::tui) done: Vec<Measured>,
    /// Number of the last one that was started.
    pub(in crate::tui) last_id: u32,
}

impl Replaying {
    /// The rows of calls of which nothing has happened yet.
    pub(in crate::tui) fn issued(case: &TurnCase) -> Vec<Row> {
        let row = |call: &CaseCall| Row {
            issued: Nanos::ZERO,
            start: None,
            end: None,
            late: None,
            takes: None,
            timing: stood_in_for(call.timing),
            outcome: Outcome::Unfinished,
            cause: None,
            slot: None,
        };
        case.calls.iter().map(row).collect()
    }

    /// Takes in what has happened.
    pub(in crate::tui) fn take(&mut self, news: &ReplayNews) {
        let (call, at) = match *news {
            ReplayNews::Started { call, at, .. } | ReplayNews::Ended { call, at, .. } => (call, at),
            ReplayNews::Over | ReplayNews::Failed(_) => return,
        };
        self.elapsed = self.elapsed.max(at);
        let Some(row) = self.rows.get_mut(call) else {
            return;
        };
        match *news {
            ReplayNews::Started { slot, cause, .. } => {
                (row.start, row.slot, row.cause) = (Some(at), Some(slot), Some(cause));
            }
            ReplayNews::Ended { outcome, .. } => {
                row.outcome = outcome;
                row.end = Some(at);
                row.takes = row.start.map(|start| at.since(start));
            }
            _ => {}
        }
    }
}

impl Model {
    /// The name of the selected turn.
    pub(in crate::tui) fn turn_name(&self) -> Option<TurnName> {
        Some(TurnName {
            thread: self.run.threads.get(self.thread)?.name.clone(),
            number: self.turn_number()?,
        })
    }

    /// The running replay as a schedule.
    pub(in crate::tui) fn replaying(&self) -> Option<Schedule> {
        let running = self.replays.running.as_ref()?;
        let mut schedule = self.measured_schedule(running);
        schedule.makespan = None;
        schedule.extent = running.elapsed;
        Some(schedule)
    }

    /// What a replay has measured, as a schedule.
    pub(in crate::tui) fn measured_schedule(&self, of: &Replaying) -> Schedule {
        measured(of.policy, &of.case, of.rows.clone(), &self.run.keys)
    }

    /// What a measured schedule was predicted to take, with the same switches.
    pub(in crate::tui) fn was_predicted(&self, drawn: Drawn) -> Option<Nanos> {
        let turn = self.turn_name()?;
        let mut done = self.replays.done.iter();
        let found = done.find(|m| Drawn::Measured(m.policy) == drawn && m.turn == turn);
        found?.predicted
    }

    /// Puts what was measured of the selected turn beside the predictions.
    pub(in crate::tui) fn add_measured(&mut self) {
        let (Some(turn), Some(mut report)) = (self.turn_name(), self.report.take()) else {
            return;
        };
        for measured in self.replays.done.iter().filter(|m| m.turn == turn) {
            insert(&mut report, measured.schedule.clone());
        }
        let is_gone = report.find(self.drawn).is_none();
        if is_gone && matches!(self.drawn, Drawn::Measured(_)) {
            self.drawn = Drawn::Recorded;
        }
        self.report = Some(report);
        // A lane of several calls is made of a schedule that may be another one now.
        self.timeline_of_another_turn();
    }
}

/// Puts a measured schedule right after its prediction, in place of an earlier one.
fn insert(report: &mut TurnReport, schedule: Schedule) {
    let Drawn::Measured(policy) = schedule.drawn else {
        return;
    };
    report.schedules.retain(|s| s.drawn != schedule.drawn);
    let predicted = |s: &Schedule| s.drawn == Drawn::Predicted(policy);
    let after = report.schedules.iter().position(predicted);
    let at = after.map_or(report.schedules.len(), |at| at + 1);
    report.schedules.insert(at, schedule);
}

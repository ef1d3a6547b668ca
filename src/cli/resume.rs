//! Going on with a recording whose writer died: what stands in its trace, and what is left to do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::failure::Failure;
use crate::model::{KeyId, Outcome};
use crate::run::Event;
use crate::schedule::{OnFailure, Options, Policy, Slots};
use crate::time::Nanos;
use crate::trace::{Bodies, Call, Run, Scenario, Turn, read};

/// A recording that can go on.
pub(super) struct Resume {
    pub(super) id: String,
    pub(super) policy: Policy,
    pub(super) options: Options,
    /// How many turns are complete.
    pub(super) complete: u32,
    /// The turn that was running, if one was.
    pub(super) torn: Option<Torn>,
    /// The run's clock: not before anything in the trace, and not before the wall clock's say.
    pub(super) at: Nanos,
}

/// A turn of which the trace holds a part.
#[derive(Clone, Debug, Default)]
pub(super) struct Torn {
    pub(super) turn: u32,
    /// Calls that have their line.
    pub(super) listed: BTreeSet<u32>,
    /// Calls that have their end: they are not run again.
    pub(super) ended: BTreeMap<u32, Outcome>,
    /// Calls that started and have no end: they may have taken effect.
    pub(super) cut: BTreeSet<u32>,
    /// Those with an end that had started, in the order of their starts.
    pub(super) ran: Vec<u32>,
    /// True where the final answer was accepted: nothing may start after it.
    pub(super) over: bool,
}

impl Resume {
    /// Reads what there is; `None` where the recording is complete.
    pub(super) fn read(trace: &Path, scenario: &Scenario) -> Result<Option<Self>, Failure> {
        let name = trace.display();
        let run = read(trace).map_err(Failure::unreadable)?;
        let refused = |problem: String| Failure::Unreadable(format!("{name}: {problem}"));
        if run.meta.source != "turnlane" || run.meta.id.is_empty() {
            return Err(refused(
                "no recording of this program that could go on: record anew".to_owned(),
            ));
        }
        check_same(&run, scenario).map_err(refused)?;
        if run.ended.is_some() {
            return Ok(None);
        }
        let (policy, options) = switches(&run).map_err(refused)?;
        let complete = run.turns.iter().take_while(|turn| turn.end.is_some());
        let complete = u32::try_from(complete.count()).unwrap_or(u32::MAX);
        let torn = run.turns.get(complete as usize);
        Ok(Some(Self {
            id: run.meta.id.clone(),
            policy,
            options,
            complete,
            torn: torn.map(|turn| Torn::of(&run, turn)),
            at: last(&run).max(on_the_wall(&run)),
        }))
    }
}

impl Torn {
    fn of(run: &Run, turn: &Turn) -> Self {
        let calls = run.calls_of(turn);
        let ended = |call: &&Call| call.outcome != Outcome::Unfinished;
        let mut ran: Vec<&Call> = calls
            .iter()
            .filter(|call| ended(call) && call.started())
            .collect();
        ran.sort_by_key(|call| (call.start, call.index));
        let cut = calls.iter().filter(|call| !ended(call) && call.started());
        let mut ends = calls.iter().filter(ended);
        Self {
            turn: turn.number,
            listed: calls.iter().map(|call| call.index).collect(),
            over: ends.clone().any(|c| c.is_final && c.outcome == Outcome::Ok),
            ended: ends.by_ref().map(|c| (c.index, c.outcome)).collect(),
            cut: cut.map(|call| call.index).collect(),
            ran: ran.into_iter().map(|call| call.index).collect(),
        }
    }
}

/// A torn turn while its second part is written.
#[derive(Debug)]
pub(super) struct GoingOn {
    torn: Torn,
    /// Calls that ran, in either part.
    ran: Vec<u32>,
    /// Keys of each call.
    touched: Vec<Vec<KeyId>>,
}

impl GoingOn {
    pub(super) fn new(torn: Torn) -> Self {
        Self {
            ran: torn.ran.clone(),
            touched: Vec::new(),
            torn,
        }
    }

    /// Takes an event; true where the trace has its line already.
    pub(super) fn stands(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Turn { turn, .. } => *turn == self.torn.turn,
            Event::Call { key, effects, .. } => {
                let keys = effects.writes.iter().chain(&effects.reads);
                self.touched.push(keys.copied().collect());
                self.torn.listed.contains(&key.index)
            }
            Event::Start { key, .. } => {
                self.ran.push(key.index);
                false
            }
            Event::End { key, .. } => self.torn.ended.contains_key(&key.index),
            _ => false,
        }
    }

    /// True for a call that ran when the recording was cut off and does not run again.
    pub(super) fn stays_cut(&self, call: u32) -> bool {
        self.torn.cut.contains(&call) && !self.ran.contains(&call)
    }

    /// For keys that several calls touched: who ran, in order. Both parts count, each call once.
    pub(super) fn order_per_key(self) -> Vec<(KeyId, Vec<u32>)> {
        let mut order: BTreeMap<KeyId, Vec<u32>> = BTreeMap::new();
        for &call in &self.ran {
            for &key in self.touched.get(call as usize).into_iter().flatten() {
                order.entry(key).or_default().push(call);
            }
        }
        order.retain(|_, calls| calls.len() > 1);
        order.into_iter().collect()
    }
}

/// The trace has to be one of this scenario: its calls are not run again on a belief.
fn check_same(run: &Run, scenario: &Scenario) -> Result<(), String> {
    if run.threads.len() > 1 || run.turns.len() > scenario.turns.len() {
        return Err("it is not a recording of this scenario: it has more turns".to_owned());
    }
    for (turn, scripted) in run.turns.iter().zip(&scenario.turns) {
        for call in run.calls_of(turn) {
            let place = format!("turn {}, call {}", turn.number, call.index);
            let request = scripted.calls.get(call.index as usize);
            let request = request
                .map(crate::trace::ScenarioCall::request)
                .filter(|request| request.tool == run.tool(call));
            let request =
                request.ok_or_else(|| format!("{place} is another call than in the scenario"))?;
            let recorded = Bodies::load(run, call.args).map_err(|error| error.to_string())?;
            if !same_json(&recorded, request.args.as_bytes()) {
                return Err(format!("{place} has other arguments than in the scenario"));
            }
        }
    }
    Ok(())
}

fn same_json(a: &[u8], b: &[u8]) -> bool {
    let value = |bytes| serde_json::from_slice::<serde_json::Value>(bytes).ok();
    a == b || value(a).is_some_and(|a| value(b) == Some(a))
}

/// The switches that the run was begun with.
fn switches(run: &Run) -> Result<(Policy, Options), String> {
    let meta = &run.meta;
    let policy = meta.policy.parse::<Policy>();
    let policy = policy.map_err(|error| format!("its policy cannot be read: {error}"))?;
    let options = Options {
        slots: meta.slots.parse::<Slots>()?,
        on_failure: meta.on_failure.parse::<OnFailure>()?,
        deadline: meta.deadline,
        ..Options::default()
    };
    Ok((policy, options))
}

fn last(run: &Run) -> Nanos {
    let turns = run.turns.iter().flat_map(|turn| [turn.at, turn.end]);
    let calls = run.calls.iter().flat_map(|call| {
        [
            call.issued,
            call.start,
            call.end,
            call.late,
            call.asked,
            call.granted,
        ]
    });
    let times = turns.chain(calls).flatten();
    times
        .chain(run.resumed.iter().copied())
        .max()
        .unwrap_or_default()
}

/// How long ago the run began, by the wall clock.
fn on_the_wall(run: &Run) -> Nanos {
    let begun = chrono::DateTime::parse_from_rfc3339(&run.meta.at);
    let passed = begun.map(|at| chrono::Utc::now().signed_duration_since(at));
    let passed = passed.ok().and_then(|passed| passed.to_std().ok());
    passed.map(Nanos::from).unwrap_or_default()
}

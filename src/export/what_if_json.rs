//! `what-if --json`, version 1. The schema is in `assets/schemas/what-if.schema.json`.

use serde::Serialize;

use crate::analyze::{
    Bound, PolicyResult, PolicyTotal, Recorded, Savings, Totals, TurnWhatIf, WhatIfOptions,
};
use crate::model::KeyTable;
use crate::schedule::Slots;

/// The report, turn by turn.
#[derive(Debug, Serialize)]
pub struct WhatIfReport {
    format: &'static str,
    version: u32,
    slots: serde_json::Value,
    on_failure: &'static str,
    deadline_ms: Option<f64>,
    turns: Vec<TurnJson>,
    totals: TotalsJson,
    verdict: String,
}

#[derive(Debug, Serialize)]
struct TurnJson {
    turn: u32,
    thread: String,
    calls: usize,
    tools: Vec<String>,
    model_ns: Option<u64>,
    unknown_calls: usize,
    bound_calls: usize,
    /// Calls recorded while overlapping others: no solo durations.
    overlapped_calls: usize,
    recorded: Option<RecordedJson>,
    policies: Vec<PolicyJson>,
    bound: Option<BoundJson>,
}

#[derive(Debug, Serialize)]
struct RecordedJson {
    policy: Option<String>,
    makespan_ns: Option<u64>,
    figure: &'static str,
    timing: &'static str,
    work_ns: u64,
    peak: usize,
    /// Null where the recording's times cannot show a race.
    hazard_count: Option<u64>,
    hazards: Vec<HazardJson>,
}

#[derive(Debug, Serialize)]
struct PolicyJson {
    policy: &'static str,
    figure: &'static str,
    timing: &'static str,
    makespan_ns: Option<u64>,
    saved_ns: Option<i64>,
    saved_share: Option<f64>,
    hazard_count: u64,
    hazards: Vec<HazardJson>,
    calls: Vec<CallJson>,
}

#[derive(Debug, Serialize)]
struct HazardJson {
    kind: &'static str,
    key: Option<String>,
    first: u32,
    second: u32,
}

#[derive(Debug, Serialize)]
struct CallJson {
    call: usize,
    start_ns: Option<u64>,
    end_ns: Option<u64>,
    slot: Option<u32>,
    cause: Option<String>,
    outcome: &'static str,
}

#[derive(Debug, Serialize)]
struct BoundJson {
    policy: &'static str,
    slots: &'static str,
    makespan_ns: u64,
    saved_ns: i64,
    saved_share: Option<f64>,
}

#[derive(Debug, Serialize)]
struct TotalsJson {
    thread: &'static str,
    replies: usize,
    with_several: usize,
    calls: usize,
    unknown_turns: usize,
    unknown_calls: usize,
    bound_calls: usize,
    model_ns: Option<u64>,
    timing: &'static str,
    policies: Vec<PolicyTotalJson>,
    bound_saved_ns: Option<i64>,
    bound_saved_share: Option<f64>,
}

#[derive(Debug, Serialize)]
struct PolicyTotalJson {
    policy: &'static str,
    figure: &'static str,
    makespan_ns: Option<u64>,
    saved_ns: Option<i64>,
    saved_share: Option<f64>,
    hazard_count: u64,
}

impl WhatIfReport {
    /// A report of these turns. `totals` are those of the main thread.
    #[must_use]
    pub fn new<'t>(
        turns: impl IntoIterator<Item = &'t TurnWhatIf>,
        keys: &KeyTable,
        totals: &Totals,
        verdict: String,
        options: &WhatIfOptions,
    ) -> Self {
        Self {
            format: "turnlane-what-if",
            version: 1,
            slots: match options.slots {
                Slots::Limit(n) => n.get().into(),
                Slots::Unlimited => "unlimited".into(),
            },
            on_failure: options.on_failure.name(),
            deadline_ms: options.deadline.map(|d| d.as_secs_f64() * 1e3),
            turns: turns
                .into_iter()
                .map(|turn| turn_json(turn, keys))
                .collect(),
            totals: totals_json(totals),
            verdict,
        }
    }
}

/// Six digits say all that a share can mean, and keep the bytes the same on every machine.
fn share(savings: Option<Savings>) -> Option<f64> {
    savings
        .and_then(|s| s.share())
        .map(|share| (share * 1e6).round() / 1e6)
}

fn turn_json(turn: &TurnWhatIf, keys: &KeyTable) -> TurnJson {
    TurnJson {
        turn: turn.turn,
        thread: turn.thread.clone(),
        calls: turn.tools.len(),
        tools: turn.tools.clone(),
        model_ns: turn.model.map(|n| n.0),
        unknown_calls: turn.unknown_calls,
        bound_calls: turn.bound_calls,
        overlapped_calls: turn.recorded.as_ref().map_or(0, |r| r.overlapped),
        recorded: turn
            .recorded
            .as_ref()
            .map(|r| recorded_json(r, turn.tools.len(), keys)),
        policies: turn.policies.iter().map(|p| policy_json(p, keys)).collect(),
        bound: turn.bound.map(|Bound { makespan, savings }| BoundJson {
            policy: "graph",
            slots: "unlimited",
            makespan_ns: makespan.0,
            saved_ns: savings.saved,
            saved_share: share(Some(savings)),
        }),
    }
}

fn recorded_json(recorded: &Recorded, calls: usize, keys: &KeyTable) -> RecordedJson {
    RecordedJson {
        policy: recorded.policy.clone(),
        makespan_ns: recorded.makespan.map(|n| n.0),
        figure: "measured",
        timing: recorded.timing.word(),
        work_ns: recorded.work.0,
        peak: recorded.peak,
        hazard_count: recorded
            .shows_races(calls)
            .then_some(recorded.hazards.count),
        hazards: hazards_json(&recorded.hazards, keys),
    }
}

fn hazards_json(hazards: &crate::schedule::Hazards, keys: &KeyTable) -> Vec<HazardJson> {
    let rows = hazards.list.iter().map(|hazard| HazardJson {
        kind: hazard.kind.word(),
        key: hazard.key.map(|key| keys.text(key).to_owned()),
        first: hazard.first,
        second: hazard.second,
    });
    rows.collect()
}

fn policy_json(result: &PolicyResult, keys: &KeyTable) -> PolicyJson {
    let calls = result.timeline.calls.iter().enumerate().map(|(call, row)| {
        let (start, end) = result.times(call);
        CallJson {
            call,
            start_ns: start.map(|n| n.0),
            end_ns: end.map(|n| n.0),
            slot: row.slot,
            cause: row.cause.map(|cause| cause.text(keys)),
            outcome: row.outcome.word(),
        }
    });
    PolicyJson {
        policy: result.policy.name(),
        figure: result.figure.word(),
        timing: result.timing.word(),
        makespan_ns: result.makespan.map(|n| n.0),
        saved_ns: result.savings.map(|s| s.saved),
        saved_share: share(result.savings),
        hazard_count: result.hazards.count,
        hazards: hazards_json(&result.hazards, keys),
        calls: calls.collect(),
    }
}

fn totals_json(totals: &Totals) -> TotalsJson {
    let policy = |total: &PolicyTotal| PolicyTotalJson {
        policy: total.policy.name(),
        figure: total.figure.word(),
        makespan_ns: total.makespan.map(|n| n.0),
        saved_ns: total.savings.map(|s| s.saved),
        saved_share: share(total.savings),
        hazard_count: total.hazards,
    };
    TotalsJson {
        thread: "main",
        replies: totals.replies,
        with_several: totals.with_several,
        calls: totals.calls,
        unknown_turns: totals.unknown_turns,
        unknown_calls: totals.unknown_calls,
        bound_calls: totals.bound_calls,
        model_ns: totals.model.map(|n| n.0),
        timing: totals.timing.word(),
        policies: totals.policies.iter().map(policy).collect(),
        bound_saved_ns: totals.bound.map(|b| b.saved),
        bound_saved_share: share(totals.bound),
    }
}

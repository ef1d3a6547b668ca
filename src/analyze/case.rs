//! One turn as a question: which calls, what they touch, how long each takes.

use crate::model::{Approval, Catalog, KeyId, KeyTable, Outcome, Scripted, StandIn, Timing};
use crate::schedule::CallSpec;
use crate::simulate::{Body, End};
use crate::time::Nanos;
use crate::trace::{Call, Run, ScenarioCall, ScenarioTurn, Turn};

use super::recorded::{Recorded, recorded};

/// One call of a [`TurnCase`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseCall {
    /// The tool's name, as in the file: sanitise it before showing it.
    pub tool: String,
    /// Keys read.
    pub reads: Vec<KeyId>,
    /// Keys written.
    pub writes: Vec<KeyId>,
    /// True where nothing is known of what it touches.
    pub opaque: bool,
    /// True for the tool that ends the turn.
    pub is_final: bool,
    /// Calls it names as predecessors.
    pub depends_on: Vec<u32>,
    /// The tool's own limit.
    pub timeout: Option<Nanos>,
    /// True where it has to be granted first.
    pub approval: bool,
    /// The outcome of a call that takes no time and no slot: denied, not run, unknown tool.
    pub refused: Option<Outcome>,
    /// What it does in virtual time; `None` where its duration is unknown.
    pub body: Option<Body>,
    /// Where its duration comes from.
    pub timing: Timing,
}

impl CaseCall {
    /// What the scheduler has to know of it.
    #[must_use]
    pub fn spec(&self) -> CallSpec<'_> {
        CallSpec {
            reads: &self.reads,
            writes: &self.writes,
            opaque: self.opaque,
            is_final: self.is_final,
            depends_on: &self.depends_on,
            timeout: self.timeout,
            approval: self.approval,
            refused: self.refused,
        }
    }

    /// What a stand-in of a scenario does in virtual time.
    #[must_use]
    pub fn body_of(stand_in: &StandIn, approval: Option<Approval>) -> Body {
        let takes = stand_in.time;
        let body = Body {
            approval,
            ignores_cancel: stand_in.ignores_cancel,
            ..Body::ok(takes)
        };
        match stand_in.outcome {
            Scripted::Ok => body,
            Scripted::Failed => Body {
                end: End::With(Outcome::Failed),
                ..body
            },
            Scripted::Panic => Body {
                end: End::With(Outcome::Panicked),
                ..body
            },
            Scripted::Fatal => Body {
                end: End::Fatal,
                ..body
            },
            Scripted::Hang if stand_in.ignores_cancel => body,
            Scripted::Hang => Body {
                takes: None,
                ..body
            },
        }
    }
}

/// One turn as a question to the simulator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnCase {
    /// The thread's name, as in the file.
    pub thread: String,
    /// The turn's number in its thread, from 1.
    pub number: u32,
    /// The model's latency before the turn; `None` where unknown.
    pub model: Option<Nanos>,
    /// Its calls, in issue order.
    pub calls: Vec<CaseCall>,
    /// What really happened, where the turn was recorded.
    pub recorded: Option<Recorded>,
}

impl TurnCase {
    /// A recorded turn as a question.
    #[must_use]
    pub fn of(run: &Run, turn: &Turn) -> Self {
        Self {
            thread: run.threads[turn.thread.0 as usize].name.clone(),
            number: turn.number,
            model: turn.model.map(|span| span.len()),
            calls: run
                .calls_of(turn)
                .iter()
                .map(|call| case_call(run, call))
                .collect(),
            recorded: Some(recorded(run, turn)),
        }
    }

    /// A scenario's turn as a question. A call without a stand-in runs a real tool, and nobody
    /// knows yet how long that takes.
    #[must_use]
    pub fn of_scenario(
        number: u32,
        turn: &ScenarioTurn,
        catalog: &Catalog,
        folder: Option<&str>,
        keys: &mut KeyTable,
    ) -> Self {
        let calls = turn
            .calls
            .iter()
            .map(|call| scenario_call(call, catalog, folder, keys))
            .collect();
        Self {
            thread: "main".to_owned(),
            number,
            model: turn.model(),
            calls,
            recorded: None,
        }
    }

    /// The specs of its calls.
    #[must_use]
    pub fn specs(&self) -> Vec<CallSpec<'_>> {
        self.calls.iter().map(CaseCall::spec).collect()
    }

    /// How many calls have no duration to build on.
    #[must_use]
    pub fn unknown_calls(&self) -> usize {
        self.calls.iter().filter(|c| c.body.is_none()).count()
    }

    /// The weakest timing among the calls that take time.
    #[must_use]
    pub fn timing(&self) -> Timing {
        let timed = self.calls.iter().filter(|c| c.refused.is_none());
        timed.map(|c| c.timing).max().unwrap_or(Timing::Measured)
    }

    /// How many calls take their duration from an interval that ends with the result, so that
    /// waiting is inside.
    #[must_use]
    pub fn bound_calls(&self) -> usize {
        self.calls
            .iter()
            .filter(|c| c.refused.is_none() && c.timing == Timing::Bound)
            .count()
    }

    /// How many calls are opaque, final or write: those that a stage cannot share.
    #[must_use]
    pub fn barriers(&self) -> usize {
        self.calls
            .iter()
            .filter(|c| !c.spec().is_read_only())
            .count()
    }

    /// Its calls' keys are numbers of this table.
    #[must_use]
    pub const fn keys(run: &Run) -> &KeyTable {
        &run.keys
    }
}

fn scenario_call(
    call: &ScenarioCall,
    catalog: &Catalog,
    folder: Option<&str>,
    keys: &mut KeyTable,
) -> CaseCall {
    let request = call.request();
    let effects = catalog.effects(&call.tool, &request.args, folder, keys);
    let declared = catalog.get(&call.tool);
    let refused = declared.is_none().then_some(Outcome::UnknownTool);
    let approval = call.approval.map(Approval::from);
    let body = call
        .stand_in
        .as_ref()
        .map(|stand_in| CaseCall::body_of(stand_in, approval));
    CaseCall {
        tool: call.tool.clone(),
        reads: effects.reads,
        writes: effects.writes,
        opaque: effects.opaque,
        is_final: effects.is_final,
        depends_on: call.depends_on.clone(),
        timeout: declared.and_then(|t| t.timeout),
        approval: declared.is_some_and(|t| t.approval),
        refused,
        body: body.or(refused.map(|_| Body::ok(Nanos::ZERO))),
        timing: if body.is_some() {
            Timing::Given
        } else {
            Timing::Unknown
        },
    }
}

fn case_call(run: &Run, call: &Call) -> CaseCall {
    let refused = refused(call);
    let body = match (refused, call.run_time()) {
        (Some(_), _) => Some(Body::ok(Nanos::ZERO)),
        (None, Some(takes)) if !is_cut_short(call) => {
            let approval = call
                .asked
                .zip(call.granted)
                .map(|(asked, granted)| Approval {
                    after: granted.since(asked),
                    grant: true,
                });
            Some(Body {
                approval,
                ..Body::ends(takes, call.outcome)
            })
        }
        _ => None,
    };
    CaseCall {
        tool: run.tool(call).to_owned(),
        reads: run.keys_in(call.reads).to_vec(),
        writes: run.keys_in(call.writes).to_vec(),
        opaque: call.opaque,
        is_final: call.is_final,
        depends_on: run.indices_in(call.depends_on).to_vec(),
        timeout: None,
        approval: body.is_some_and(|b| b.approval.is_some()),
        refused,
        timing: if body.is_some() {
            call.timing
        } else {
            Timing::Unknown
        },
        body,
    }
}

/// Calls whose body never ran take no time in any policy.
fn refused(call: &Call) -> Option<Outcome> {
    call.never_ran().then_some(call.outcome)
}

/// A call that was stopped while it ran would have taken longer; nobody knows how long.
fn is_cut_short(call: &Call) -> bool {
    matches!(call.outcome, Outcome::Cancelled | Outcome::Unfinished)
}

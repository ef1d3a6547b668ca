//! A recorded turn made ready for the runner, with stand-ins that take the recorded time.

use std::sync::Arc;

use crate::analyze::{CaseCall, TurnCase};
use crate::model::{CallKey, CallRequest, Effects, Outcome, Scripted, Source, StandIn, ThreadId};
use crate::run::{Approver, PlannedCall};
use crate::simulate::{Body, End};
use crate::time::Nanos;
use crate::tools::StandIns;

/// What a turn's case does not say of a call.
pub(super) struct Said {
    /// The provider's id.
    pub(super) id: String,
    /// Its arguments as JSON.
    pub(super) args: String,
    /// What it is to answer.
    pub(super) answer: String,
    /// Where its effects come from.
    pub(super) source: Source,
}

/// A turn whose calls are stood in for.
pub(super) struct StoodIn<'a> {
    pub(super) case: &'a TurnCase,
    /// How many times as fast as recorded.
    pub(super) speed: f64,
}

impl StoodIn<'_> {
    /// A recorded duration at the speed asked for.
    pub(super) fn scaled(&self, time: Nanos) -> Nanos {
        Nanos::from_millis_f64(time.as_secs_f64() * 1e3 / self.speed)
    }

    /// The calls, as turn number `turn` of the runner. `said` tells what the case does not.
    pub(super) fn planned(&self, turn: u32, said: impl Fn(usize) -> Said) -> Vec<PlannedCall> {
        let said: Vec<Said> = (0..self.case.calls.len()).map(said).collect();
        let mut stand_ins = StandIns::new();
        for (index, (call, said)) in (0..).zip(self.case.calls.iter().zip(&said)) {
            if let Some(body) = call.body {
                let key = CallKey {
                    thread: ThreadId(0),
                    turn,
                    index,
                };
                stand_ins.insert(key, self.stand_in(body, said.answer.clone()));
            }
        }
        let stand_ins = Arc::new(stand_ins);
        let calls = self.case.calls.iter().zip(said);
        calls
            .map(|(call, said)| PlannedCall {
                effects: effects(call, said.source),
                request: Arc::new(CallRequest {
                    id: said.id,
                    tool: call.tool.clone(),
                    args: said.args,
                    depends_on: call.depends_on.clone(),
                }),
                timeout: None,
                approval: call.approval,
                refused: call
                    .refused
                    .map(|outcome| (outcome, outcome.word().replace('_', " "))),
                tool: Some(stand_ins.clone()),
            })
            .collect()
    }

    fn stand_in(&self, body: Body, answer: String) -> StandIn {
        let outcome = match body.end {
            End::Fatal => Scripted::Fatal,
            End::With(Outcome::Ok) => Scripted::Ok,
            End::With(Outcome::Panicked) => Scripted::Panic,
            End::With(_) => Scripted::Failed,
        };
        StandIn {
            time: self.scaled(body.takes.unwrap_or_default()),
            outcome,
            answer,
            ignores_cancel: false,
        }
    }

    /// Grants every approval after the recorded wait.
    pub(super) fn approver(&self) -> Approver {
        let wait = |call: &CaseCall| {
            let approval = call.body.and_then(|body| body.approval);
            self.scaled(approval.map_or(Nanos::ZERO, |approval| approval.after))
        };
        let waits: Vec<Nanos> = self.case.calls.iter().map(wait).collect();
        Arc::new(move |key, _| {
            let wait = waits.get(key.index as usize).copied().unwrap_or_default();
            Box::pin(async move {
                tokio::time::sleep(wait.into()).await;
                true
            })
        })
    }
}

fn effects(call: &CaseCall, source: Source) -> Effects {
    Effects {
        reads: call.reads.clone(),
        writes: call.writes.clone(),
        opaque: call.opaque,
        is_final: call.is_final,
        source,
        note: None,
    }
}

//! The public face of the runner.

use std::collections::HashMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::body::{Report, RunningBody};
use super::driver::Driver;
use super::event::{Event, Observer};
use super::prepare::{PlannedCall, plan_call};
use super::tool::Tool;
use crate::model::{CallKey, CallRequest, Catalog, KeyTable, Outcome, Timing};
use crate::schedule::{Options, Policy};
use crate::time::{Nanos, Span};

/// Cancels a turn from outside: `cancel()` on any clone.
pub type CancelTurn = CancellationToken;

/// Answers approval questions; called by the driver, one future a question.
pub type Approver =
    Arc<dyn Fn(CallKey, Arc<CallRequest>) -> BoxFuture<'static, bool> + Send + Sync>;

/// One answer. It carries no timing, so that under every safe policy it equals the sequential
/// run's, byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallAnswer {
    /// The provider's id, as the call had it.
    pub id: String,
    /// How the call ended.
    pub outcome: Outcome,
    /// The answer or the error's own text.
    pub text: String,
}

/// What a turn came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnResult {
    /// One answer per call, in issue order, on every path.
    pub answers: Vec<CallAnswer>,
    /// The error after which nothing is left to try, for the caller.
    pub fatal: Option<String>,
}

/// The turn was run, but not recorded in full.
#[derive(Debug, thiserror::Error)]
#[error("the run could not be recorded: {source}; the turn was stopped, and its answers are kept")]
pub struct RunError {
    /// What the observer said.
    pub source: std::io::Error,
    /// The answers all the same.
    pub result: TurnResult,
}

/// A body that outlived its turn.
pub(super) struct Carried {
    pub(super) key: CallKey,
    pub(super) writes: Vec<crate::model::KeyId>,
    pub(super) reads: Vec<crate::model::KeyId>,
    pub(super) opaque: bool,
    /// Keeps its task alive until it ends.
    pub(super) _body: RunningBody,
}

/// Runs the calls of one turn after another under a policy.
pub struct Runner {
    pub(super) catalog: Catalog,
    pub(super) policy: Policy,
    pub(super) options: Options,
    pub(super) tools: HashMap<String, Arc<dyn Tool>>,
    pub(super) fallback: Option<Arc<dyn Tool>>,
    pub(super) folder: Option<String>,
    pub(super) keys: KeyTable,
    pub(super) observer: Option<Box<dyn Observer>>,
    pub(super) approver: Option<Approver>,
    pub(super) reports: (UnboundedSender<Report>, UnboundedReceiver<Report>),
    pub(super) carried: Vec<Carried>,
    pub(super) broken: Option<std::io::Error>,
    origin: Option<Instant>,
    skipped: Nanos,
    turn: u32,
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner")
            .field("policy", &self.policy)
            .field("turn", &self.turn)
            .finish_non_exhaustive()
    }
}

impl Runner {
    /// A runner with the default options: 8 slots, no deadline, failures on their own.
    #[must_use]
    pub fn new(catalog: Catalog, policy: Policy) -> Self {
        Self {
            catalog,
            policy,
            options: Options::default(),
            tools: HashMap::new(),
            fallback: None,
            folder: None,
            keys: KeyTable::new(),
            observer: None,
            approver: None,
            reports: unbounded_channel(),
            carried: Vec::new(),
            broken: None,
            origin: None,
            skipped: Nanos::ZERO,
            turn: 0,
        }
    }

    /// Sets slots, deadline, failure mode and grace.
    pub const fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Gives the tool of that name its implementation.
    pub fn add_tool(&mut self, name: impl Into<String>, tool: Arc<dyn Tool>) {
        self.tools.insert(name.into(), tool);
    }

    /// The implementation of every tool of the catalog that has none of its own.
    pub fn set_fallback(&mut self, tool: Arc<dyn Tool>) {
        self.fallback = Some(tool);
    }

    /// The folder that relative paths in keys of kind `file` are resolved against.
    pub fn set_folder(&mut self, folder: impl Into<String>) {
        self.folder = Some(folder.into());
    }

    /// Takes every event from now on.
    pub fn set_observer(&mut self, observer: Box<dyn Observer>) {
        self.observer = Some(observer);
    }

    /// Answers approval questions. Without one they are all refused.
    pub fn set_approver(&mut self, approver: Approver) {
        self.approver = Some(approver);
    }

    /// The keys of the run so far; further ones may be added for [`Runner::run_planned`].
    pub const fn keys_mut(&mut self) -> &mut KeyTable {
        &mut self.keys
    }

    /// Goes on with a run of which another process ran `turns` turns and whose clock stood at `at`.
    pub fn go_on(&mut self, turns: u32, at: Nanos) {
        self.turn = turns;
        self.skipped = at;
        self.origin = Some(Instant::now());
    }

    /// What the runner makes of a call by its catalog and tools, for [`Runner::run_planned`].
    pub fn plan(&mut self, call: CallRequest) -> PlannedCall {
        plan_call(self, call)
    }

    /// The time since the run's start; zero before the first turn.
    #[must_use]
    pub fn now(&self) -> Nanos {
        self.at(Instant::now())
    }

    pub(super) fn at(&self, instant: Instant) -> Nanos {
        let elapsed = self.origin.map_or(Nanos::ZERO, |origin| {
            Nanos::from(instant.saturating_duration_since(origin))
        });
        elapsed + self.skipped
    }

    pub(super) fn instant(&self, at: Nanos) -> Instant {
        let origin = self.origin.unwrap_or_else(Instant::now);
        origin + at.since(self.skipped).into()
    }

    /// Runs the calls of one reply.
    ///
    /// # Errors
    /// Where an observer could not record an event; the answers are in the error.
    pub async fn run_turn(&mut self, calls: Vec<CallRequest>) -> Result<TurnResult, RunError> {
        self.run_turn_after(calls, None, CancelTurn::new()).await
    }

    /// Runs the calls of one reply that can be cancelled from outside. `model` is a given latency
    /// of the model: the run's clock is set forward by it, nobody waits.
    ///
    /// # Errors
    /// Where an observer could not record an event; the answers are in the error.
    pub async fn run_turn_after(
        &mut self,
        calls: Vec<CallRequest>,
        model: Option<Nanos>,
        cancel: CancelTurn,
    ) -> Result<TurnResult, RunError> {
        let planned = calls
            .into_iter()
            .map(|call| plan_call(self, call))
            .collect();
        self.run_planned(planned, model, cancel).await
    }

    /// Runs calls whose effects are known already, as [`Runner::run_turn_after`] does.
    ///
    /// # Errors
    /// Where an observer could not record an event; the answers are in the error.
    pub async fn run_planned(
        &mut self,
        calls: Vec<PlannedCall>,
        model: Option<Nanos>,
        cancel: CancelTurn,
    ) -> Result<TurnResult, RunError> {
        self.origin.get_or_insert_with(Instant::now);
        let before = self.now();
        self.skipped += model.unwrap_or_default();
        self.turn += 1;
        let model = model.map(|latency| (Span::new(before, before + latency), Timing::Given));
        let turn = self.turn;
        let at = self.now();
        self.record(&Event::Turn {
            turn,
            at,
            calls: calls.len(),
            model,
        });
        let result = Driver::new(self, &calls, turn).drive(cancel).await;
        match self.broken.take() {
            None => Ok(result),
            Some(source) => Err(RunError { source, result }),
        }
    }

    /// Waits until bodies that outlived their turns have landed, or `most` is over. What is still
    /// running then is dropped with the runner.
    pub async fn settle(&mut self, most: Nanos) {
        let deadline = Instant::now() + most.into();
        while !self.carried.is_empty() {
            let Ok(Some(report)) = tokio::time::timeout_at(deadline, self.reports.1.recv()).await
            else {
                return;
            };
            self.land(report);
        }
    }

    /// A report of a call whose turn is over.
    pub(super) fn land(&mut self, report: Report) {
        let Report::Ended { key, end, at } = report else {
            return;
        };
        self.carried.retain(|carried| carried.key != key);
        let at = self.at(at);
        self.record(&Event::Late {
            key,
            at,
            outcome: end.outcome,
            text: &end.text,
        });
    }

    /// Hands an event to the observer; false where it could not be recorded.
    pub(super) fn record(&mut self, event: &Event<'_>) -> bool {
        let Some(observer) = self.observer.as_mut().filter(|_| self.broken.is_none()) else {
            return self.broken.is_none();
        };
        match observer.record(event, &self.keys) {
            Ok(()) => true,
            Err(error) => {
                self.broken = Some(error);
                false
            }
        }
    }
}

//! A tool that does nothing but take a given time and end as it was told to.

use std::collections::HashMap;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::model::{CallKey, Scripted, StandIn};
use crate::run::{Answer, CallContext, Tool, ToolError};

async fn run(stand_in: StandIn, context: CallContext) -> Result<Answer, ToolError> {
    let body = body(&stand_in);
    if stand_in.ignores_cancel {
        return body.await;
    }
    if context.cancel.is_cancelled() {
        return Err(ToolError::Cancelled);
    }
    tokio::select! {
        biased;
        ended = body => ended,
        () = context.cancel.cancelled() => Err(ToolError::Cancelled),
    }
}

async fn body(stand_in: &StandIn) -> Result<Answer, ToolError> {
    if stand_in.outcome == Scripted::Hang && !stand_in.ignores_cancel {
        return std::future::pending().await;
    }
    tokio::time::sleep(Duration::from(stand_in.time)).await;
    let text = stand_in.answer.clone();
    match stand_in.outcome {
        Scripted::Ok | Scripted::Hang => Ok(Answer::text(text)),
        Scripted::Failed => Err(ToolError::Failed(text)),
        Scripted::Fatal => Err(ToolError::Fatal(text)),
        Scripted::Panic => std::panic::resume_unwind(Box::new(text)),
    }
}

/// The stand-ins of a whole scenario: one tool object, one [`StandIn`] a call.
#[derive(Clone, Debug, Default)]
pub struct StandIns {
    calls: HashMap<CallKey, StandIn>,
}

impl StandIns {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what stands in for a call; the one it replaces, if there was one.
    pub fn insert(&mut self, key: CallKey, stand_in: StandIn) -> Option<StandIn> {
        self.calls.insert(key, stand_in)
    }

    /// What stands in for a call.
    #[must_use]
    pub fn get(&self, key: CallKey) -> Option<&StandIn> {
        self.calls.get(&key)
    }
}

impl FromIterator<(CallKey, StandIn)> for StandIns {
    fn from_iter<I: IntoIterator<Item = (CallKey, StandIn)>>(calls: I) -> Self {
        Self {
            calls: calls.into_iter().collect(),
        }
    }
}

impl Tool for StandIns {
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        match self.get(context.key).cloned() {
            Some(stand_in) => run(stand_in, context).boxed(),
            None => {
                let CallKey {
                    thread,
                    turn,
                    index,
                } = context.key;
                let text = format!(
                    "no stand-in for call {index} of turn {turn} in thread {}: give the call a `stand_in`",
                    thread.0
                );
                futures::future::ready(Err(ToolError::Failed(text))).boxed()
            }
        }
    }

    fn survives_abort(&self, context: &CallContext) -> bool {
        self.get(context.key).is_some_and(|s| s.ignores_cancel)
    }
}

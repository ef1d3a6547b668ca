//! A store's tool as the runner calls it: read a copy, take the time, write the copy back.

use futures::FutureExt;
use futures::future::BoxFuture;

use super::action::{Action, Decided, json};
use super::error::StoreError;
use super::latency::Latency;
use super::record::Record;
use super::run::{Mode, StoreRun, Writer};
use super::state::Written;
use crate::run::{Answer, CallContext, Tool, ToolError};

/// One tool of one run.
pub(super) struct StoreTool {
    run: StoreRun,
    action: Action,
    latency: Latency,
}

impl StoreTool {
    pub(super) const fn new(run: StoreRun, action: Action, latency: Latency) -> Self {
        Self {
            run,
            action,
            latency,
        }
    }
}

impl Tool for StoreTool {
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        run(self.run.clone(), self.action, self.latency, context).boxed()
    }

    /// A write that is on its way lands or is refused, whoever still waits for it.
    fn survives_abort(&self, _: &CallContext) -> bool {
        self.action.writes()
    }
}

async fn run(
    run: StoreRun,
    action: Action,
    latency: Latency,
    context: CallContext,
) -> Result<Answer, ToolError> {
    let writer = run.writer(context.key, &context.request);
    if action.writes()
        && let Some(answer) = run.store().answered(&writer).await.map_err(failed)?
    {
        return Ok(Answer::text(answer));
    }
    let conditional = writer.mode == Mode::Conditional;
    let args = &context.request.args;
    let decided = action.decide(run.store(), args, conditional).await;
    latency.pass(&context.cancel).await?;
    match decided? {
        Decided::Answer(text) => Ok(Answer::text(text)),
        Decided::Write(copies) => write(&run, &writer, &copies).await,
    }
}

async fn write(run: &StoreRun, writer: &Writer, copies: &[Record]) -> Result<Answer, ToolError> {
    let answer = answer(copies)?;
    let written = run.store().write(writer, copies, &answer).await;
    match written.map_err(failed)? {
        Written::Accepted => Ok(Answer::text(answer)),
        Written::Repeated(answer) => Ok(Answer::text(answer)),
        Written::Conflict(conflict) => Err(ToolError::Conflict(conflict.to_string())),
    }
}

/// The resource as it is after the write; of several, each under its kind.
fn answer(copies: &[Record]) -> Result<String, ToolError> {
    if let [copy] = copies {
        return json(&copy.written());
    }
    let mut parts = Vec::with_capacity(copies.len());
    for copy in copies {
        parts.push(format!("\"{}\":{}", copy.kind, json(&copy.written())?));
    }
    Ok(format!("{{{}}}", parts.join(",")))
}

pub(super) fn failed(error: StoreError) -> ToolError {
    ToolError::Failed(error.to_string())
}

//! One body as a task of its own: a panic becomes a report, never somebody else's problem.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::tool::{Answer, CallContext, Tool, ToolError};
use crate::model::{CallKey, CallRequest, Outcome};
use crate::time::Nanos;

tokio::task_local! {
    static BODY: ();
}

/// True on a thread that is running a tool's body: a panic there is that call's answer, so a
/// panic hook may stay silent.
#[must_use]
pub fn in_body() -> bool {
    BODY.try_with(|()| ()).is_ok()
}

/// What reaches the driver from elsewhere.
#[derive(Debug)]
pub(super) enum Report {
    Ended {
        key: CallKey,
        end: Ended,
        at: Instant,
    },
    Answered {
        key: CallKey,
        grant: bool,
    },
}

/// How a body ended, with the text that goes back to the model.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) outcome: Outcome,
    pub(super) text: String,
    pub(super) own: Option<Nanos>,
    pub(super) fatal: bool,
}

/// A running body. Dropping it aborts the task.
pub(super) struct RunningBody {
    pub(super) cancel: CancellationToken,
    task: JoinHandle<()>,
    survives: bool,
}

impl RunningBody {
    pub(super) fn start(
        tool: Arc<dyn Tool>,
        request: Arc<CallRequest>,
        key: CallKey,
        reports: UnboundedSender<Report>,
    ) -> Self {
        let cancel = CancellationToken::new();
        let context = CallContext {
            request,
            key,
            cancel: cancel.clone(),
        };
        let survives = tool.survives_abort(&context);
        // The tool's own code before its first await may panic as well, so it runs inside too.
        let body = AssertUnwindSafe(async move { tool.call(context).await }).catch_unwind();
        let task = tokio::spawn(BODY.scope((), async move {
            let end = Ended::from_result(body.await);
            // Nobody listens any more once the runner is gone.
            let _ = reports.send(Report::Ended {
                key,
                end,
                at: Instant::now(),
            });
        }));
        Self {
            cancel,
            task,
            survives,
        }
    }

    /// True where the work goes on elsewhere whatever happens to the task.
    pub(super) const fn survives(&self) -> bool {
        self.survives
    }
}

impl Drop for RunningBody {
    fn drop(&mut self) {
        if !self.survives {
            self.task.abort();
        }
    }
}

impl Ended {
    fn from_result(result: Result<Result<Answer, ToolError>, Box<dyn Any + Send>>) -> Self {
        let (outcome, text, own, fatal) = match result {
            Ok(Ok(answer)) => (Outcome::Ok, answer.text, answer.own, false),
            Ok(Err(error)) => {
                let text = error.to_string();
                let (outcome, fatal) = match error {
                    ToolError::Failed(_) => (Outcome::Failed, false),
                    ToolError::Conflict(_) => (Outcome::Conflict, false),
                    ToolError::BadArgs(_) => (Outcome::BadArgs, false),
                    ToolError::Fatal(_) => (Outcome::Failed, true),
                    ToolError::Cancelled => (Outcome::Cancelled, false),
                };
                (outcome, text, None, fatal)
            }
            Err(panic) => (Outcome::Panicked, panic_text(panic.as_ref()), None, false),
        };
        Self {
            outcome,
            text,
            own,
            fatal,
        }
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!(
        "the tool panicked: {}",
        text.unwrap_or_else(|| "no message".to_owned())
    )
}

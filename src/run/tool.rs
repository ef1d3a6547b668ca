//! What a harness author implements: a tool that can be called.

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use crate::model::{CallKey, CallRequest};
use crate::time::Nanos;

/// What a tool's body gets.
#[derive(Clone, Debug)]
pub struct CallContext {
    /// The call as the model asked for it.
    pub request: Arc<CallRequest>,
    /// Which call of which turn it is.
    pub key: CallKey,
    /// Triggered when the call should stop; acknowledge with [`ToolError::Cancelled`].
    pub cancel: CancellationToken,
}

/// A tool's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The text that goes back to the model.
    pub text: String,
    /// The tool's own figure for how long it ran, if it keeps one.
    pub own: Option<Nanos>,
}

impl Answer {
    /// An answer of this text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            own: None,
        }
    }
}

/// Why a tool has no answer. The text reaches the model as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// The tool tried and failed.
    #[error("{0}")]
    Failed(String),
    /// The store refused a write made against an old revision.
    #[error("{0}")]
    Conflict(String),
    /// The arguments are not what the tool takes.
    #[error("{0}")]
    BadArgs(String),
    /// Nothing is left to try: the turn stops and the caller gets the error beside the answers.
    #[error("{0}")]
    Fatal(String),
    /// The tool stopped because it was asked to.
    #[error("cancelled")]
    Cancelled,
}

/// A tool that the runner can call. Bodies run as tasks of their own; a panic in one becomes
/// that call's answer.
pub trait Tool: Send + Sync + 'static {
    /// Starts the body. The future is dropped when the call is aborted.
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>>;

    /// True where the work goes on after the future is dropped, as a request to another machine
    /// does. The runner then lets the body end on its own and records the late landing.
    fn survives_abort(&self, _context: &CallContext) -> bool {
        false
    }
}

//! From a reply's calls to what the scheduler has to know of them.

use std::sync::Arc;

use super::runner::Runner;
use super::tool::Tool;
use crate::model::{CallRequest, Effects, Outcome};
use crate::schedule::CallSpec;
use crate::time::Nanos;

/// A call that is ready to be scheduled: what it touches is known, and so is what runs it.
#[derive(Clone)]
pub struct PlannedCall {
    /// The call as the model asked for it.
    pub request: Arc<CallRequest>,
    /// What it touches, in keys of the runner's table.
    pub effects: Effects,
    /// The tool's own limit, counted from the start.
    pub timeout: Option<Nanos>,
    /// True where it has to be granted first.
    pub approval: bool,
    /// The outcome and the text of a call that is not run at all.
    pub refused: Option<(Outcome, String)>,
    /// What runs it; without one it fails.
    pub tool: Option<Arc<dyn Tool>>,
}

impl std::fmt::Debug for PlannedCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlannedCall")
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}

impl PlannedCall {
    pub(super) fn spec(&self) -> CallSpec<'_> {
        CallSpec {
            reads: &self.effects.reads,
            writes: &self.effects.writes,
            opaque: self.effects.opaque,
            is_final: self.effects.is_final,
            depends_on: &self.request.depends_on,
            timeout: self.timeout,
            approval: self.approval,
            refused: self.refused.as_ref().map(|(outcome, _)| *outcome),
        }
    }
}

/// Resolves a call against the runner's catalog and tools.
pub(super) fn plan_call(runner: &mut Runner, request: CallRequest) -> PlannedCall {
    let folder = runner.folder.as_deref();
    let effects = runner
        .catalog
        .effects(&request.tool, &request.args, folder, &mut runner.keys);
    let declared = runner.catalog.get(&request.tool);
    let tool = runner
        .tools
        .get(&request.tool)
        .or(runner.fallback.as_ref())
        .cloned();
    let refused = if declared.is_none() {
        Some((
            Outcome::UnknownTool,
            format!("unknown tool: {}", request.tool),
        ))
    } else if tool.is_none() {
        Some((
            Outcome::UnknownTool,
            format!("no implementation of the tool: {}", request.tool),
        ))
    } else {
        args_error(&request.args).map(|error| (Outcome::BadArgs, error))
    };
    PlannedCall {
        effects,
        timeout: declared.and_then(|t| t.timeout),
        approval: declared.is_some_and(|t| t.approval),
        refused,
        tool,
        request: Arc::new(request),
    }
}

/// Providers send no arguments as an empty text; anything else has to be JSON.
fn args_error(args: &str) -> Option<String> {
    if args.trim().is_empty() {
        return None;
    }
    let parsed = serde_json::from_str::<serde::de::IgnoredAny>(args);
    parsed
        .err()
        .map(|error| format!("the arguments are not JSON: {error}"))
}

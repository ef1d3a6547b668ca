//! A scenario's tool: a call's stand-in where it has one, else the real thing.

use std::sync::Arc;

use futures::future::BoxFuture;

use super::StandIns;
use crate::run::{Answer, CallContext, Tool, ToolError};

/// Runs a call's stand-in, and a call without one for real.
pub struct ScenarioTool {
    stand_ins: Arc<StandIns>,
    real: Option<Arc<dyn Tool>>,
}

impl std::fmt::Debug for ScenarioTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScenarioTool")
            .field("real", &self.real.is_some())
            .finish_non_exhaustive()
    }
}

impl ScenarioTool {
    /// `real` runs the calls that have no stand-in; without it they fail and say so.
    #[must_use]
    pub const fn new(stand_ins: Arc<StandIns>, real: Option<Arc<dyn Tool>>) -> Self {
        Self { stand_ins, real }
    }

    fn of(&self, context: &CallContext) -> &dyn Tool {
        match &self.real {
            Some(real) if self.stand_ins.get(context.key).is_none() => real.as_ref(),
            _ => self.stand_ins.as_ref(),
        }
    }
}

impl Tool for ScenarioTool {
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        self.of(&context).call(context)
    }

    fn survives_abort(&self, context: &CallContext) -> bool {
        self.of(context).survives_abort(context)
    }
}

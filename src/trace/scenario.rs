//! A scenario: what `record` runs and `what-if` reads too.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::model::{Approval, CallRequest, StandIn};
use crate::time::Nanos;

/// A scenario that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {place}: {problem}")]
pub struct ScenarioError {
    /// The file as the caller named it.
    pub file: String,
    /// Line and column, or turn and call.
    pub place: String,
    /// What is wrong and what is allowed.
    pub problem: String,
}

/// A scenario file. Unknown fields are errors.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Always `turnlane-scenario`.
    pub format: String,
    /// Always 1.
    pub version: u32,
    /// The model whose replies these are.
    #[serde(default)]
    pub model: String,
    /// What the run is for.
    #[serde(default)]
    pub task: String,
    /// The catalog itself, or the path of its file relative to the scenario.
    pub catalog: CatalogRef,
    /// The folder that the tools work on, relative to the scenario; a run works on a fresh copy.
    #[serde(default)]
    pub workspace: Option<String>,
    /// The replies.
    pub turns: Vec<ScenarioTurn>,
}

/// Where a scenario's catalog is.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum CatalogRef {
    /// The path of its file, relative to the scenario.
    File(String),
    /// The catalog itself.
    Inline(serde_json::Value),
}

/// One reply.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioTurn {
    /// The model's latency before it, in milliseconds; without it the latency is unknown.
    #[serde(default)]
    pub model_ms: Option<f64>,
    /// Its calls, in issue order.
    #[serde(default)]
    pub calls: Vec<ScenarioCall>,
}

/// One call.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioCall {
    /// The provider's id, a label.
    #[serde(default)]
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// The arguments, any JSON value; without them the empty object.
    #[serde(default)]
    pub args: Option<Box<RawValue>>,
    /// Earlier calls of the turn that it names as predecessors.
    #[serde(default)]
    pub depends_on: Vec<u32>,
    /// What happens in place of the real tool; without it the tool is run.
    #[serde(default)]
    pub stand_in: Option<StandIn>,
    /// The answer to its approval question.
    #[serde(default)]
    pub approval: Option<ScriptedApproval>,
}

/// The answer to an approval question.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedApproval {
    /// How long after the question, in milliseconds.
    #[serde(default)]
    pub after_ms: f64,
    /// Yes or no.
    pub grant: bool,
}

impl From<ScriptedApproval> for Approval {
    fn from(script: ScriptedApproval) -> Self {
        Self {
            after: Nanos::from_millis_f64(script.after_ms),
            grant: script.grant,
        }
    }
}

impl ScenarioCall {
    /// The call as the model asked for it.
    #[must_use]
    pub fn request(&self) -> CallRequest {
        CallRequest {
            id: self.id.clone(),
            tool: self.tool.clone(),
            args: self.args.as_ref().map_or("{}", |a| a.get()).to_owned(),
            depends_on: self.depends_on.clone(),
        }
    }
}

impl ScenarioTurn {
    /// The model's latency before it.
    #[must_use]
    pub fn model(&self) -> Option<Nanos> {
        self.model_ms.map(Nanos::from_millis_f64)
    }
}

impl Scenario {
    /// Reads a scenario. `file` names it in errors.
    ///
    /// # Errors
    /// With line and column where it is not JSON of this shape, and with turn and call where a
    /// value makes no sense.
    pub fn parse(text: &str, file: &str) -> Result<Self, ScenarioError> {
        let error = |place: String, problem: String| ScenarioError {
            file: file.to_owned(),
            place,
            problem,
        };
        let scenario: Self = serde_json::from_str(text).map_err(|e| {
            error(
                format!("line {}, column {}", e.line(), e.column()),
                crate::text::clean(&e.to_string()).into_owned(),
            )
        })?;
        if scenario.format != "turnlane-scenario" || scenario.version != 1 {
            let problem = "needs \"format\":\"turnlane-scenario\" and \"version\":1".to_owned();
            return Err(error("line 1".to_owned(), problem));
        }
        for (t, turn) in scenario.turns.iter().enumerate() {
            if let Some(problem) = turn.model_ms.and_then(|ms| bad_ms("model_ms", ms)) {
                return Err(error(format!("turn {}", t + 1), problem));
            }
            for (c, call) in turn.calls.iter().enumerate() {
                if let Some(problem) = call.problem(c) {
                    return Err(error(format!("turn {}, call {c}", t + 1), problem));
                }
            }
        }
        Ok(scenario)
    }
}

impl ScenarioCall {
    fn problem(&self, index: usize) -> Option<String> {
        if let Some(hint) = self.depends_on.iter().find(|&&h| h as usize >= index) {
            return Some(format!(
                "depends_on names call {hint}; only earlier calls of the turn can be named"
            ));
        }
        self.approval
            .and_then(|a| bad_ms("approval.after_ms", a.after_ms))
    }
}

fn bad_ms(field: &str, ms: f64) -> Option<String> {
    (!(0.0..=1e12).contains(&ms))
        .then(|| format!("{field} is {ms}; it has to be a number of milliseconds, 0 or more"))
}

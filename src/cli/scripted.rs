//! What a scenario's calls are run by and answered with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::Approve;
use super::failure::Failure;
use super::load::{LoadedScenario, beside};
use super::output::note;
use crate::model::{Approval, CallKey, RunWith, Scripted, ThreadId, ToolSpec};
use crate::run::{Approver, Tool};
use crate::text::clean;
use crate::time::Nanos;
use crate::tools::store::{Latency, StoreRun};
use crate::tools::workspace::FreshCopy;
use crate::tools::{BuildError, ScenarioTool, StandIns, fresh_copy, tool_for};
use crate::trace::{Scenario, ScenarioCall};

/// A fresh copy of the scenario's workspace, where it has one.
pub(super) fn copy_workspace(
    scenario: &Path,
    parsed: &Scenario,
) -> Result<Option<FreshCopy>, Failure> {
    let Some(workspace) = &parsed.workspace else {
        return Ok(None);
    };
    let from: PathBuf = beside(scenario, workspace);
    let copied = fresh_copy(&from).map_err(|error| {
        Failure::Unreadable(format!(
            "{}: cannot copy the workspace: {error}",
            from.display()
        ))
    })?;
    for left_out in &copied.left_out {
        note(&format!(
            "not copied into the workspace: {}",
            clean(left_out)
        ));
    }
    Ok(Some(copied))
}

/// Each tool of the catalog with what runs it: a call's stand-in, else what `x-run` says.
pub(super) fn make_tools(
    loaded: &LoadedScenario,
    workspace: Option<&Path>,
    store: Option<&StoreRun>,
) -> Result<Vec<(String, ScenarioTool)>, Failure> {
    let stand_ins = calls(&loaded.scenario)
        .filter_map(|(key, call)| Some((key, call.stand_in.clone()?)))
        .collect::<StandIns>();
    let stand_ins = Arc::new(stand_ins);
    let mut tools = Vec::new();
    for tool in loaded.catalog.tools() {
        let real = real_tool(tool, workspace, store)
            .map_err(|error| Failure::Unreadable(format!("tool {}: {error}", tool.name)))?;
        tools.push((
            tool.name.clone(),
            ScenarioTool::new(stand_ins.clone(), real),
        ));
    }
    Ok(tools)
}

fn real_tool(
    tool: &ToolSpec,
    workspace: Option<&Path>,
    store: Option<&StoreRun>,
) -> Result<Option<Arc<dyn Tool>>, BuildError> {
    match (&tool.run, store) {
        (None, _) => Ok(None),
        (
            Some(RunWith::Store {
                tool,
                latency,
                ignores_cancel,
            }),
            Some(store),
        ) => {
            let latency = Latency {
                time: *latency,
                ignores_cancel: *ignores_cancel,
            };
            Ok(store.tool(tool, latency))
        }
        (Some(run), _) => tool_for(run, workspace).map(Some),
    }
}

fn calls(scenario: &Scenario) -> impl Iterator<Item = (CallKey, &ScenarioCall)> {
    (1..).zip(&scenario.turns).flat_map(|(turn, t)| {
        let key = move |index| CallKey {
            thread: ThreadId(0),
            turn,
            index,
        };
        (0..)
            .zip(&t.calls)
            .map(move |(index, call)| (key(index), call))
    })
}

/// Answers approval questions as the command line or the scenario says.
pub(super) fn approver(approve: Approve, scenario: &Scenario) -> Approver {
    let scripted =
        calls(scenario).filter_map(|(key, call)| Some((key, Approval::from(call.approval?))));
    let script: std::collections::HashMap<CallKey, Approval> = scripted.collect();
    Arc::new(move |key, _| {
        let answer = match approve {
            Approve::All => Approval {
                after: Nanos::ZERO,
                grant: true,
            },
            Approve::None => Approval {
                after: Nanos::ZERO,
                grant: false,
            },
            Approve::Script => script.get(&key).copied().unwrap_or(Approval {
                after: Nanos::ZERO,
                grant: false,
            }),
        };
        Box::pin(async move {
            tokio::time::sleep(answer.after.into()).await;
            answer.grant
        })
    })
}

/// How long what outlives its turn may still take to land: a stand-in, or a write on its way to
/// the store, which may have to wait for others.
pub(super) fn longest_landing(loaded: &LoadedScenario) -> Nanos {
    let hanging = calls(&loaded.scenario).filter_map(|(_, call)| call.stand_in.as_ref());
    let hanging = hanging.filter(|s| s.outcome == Scripted::Hang || s.ignores_cancel);
    let stand_ins = hanging.map(|s| s.time + Nanos::from_millis(1_000));
    let stores = loaded
        .catalog
        .tools()
        .iter()
        .filter_map(|tool| match tool.run {
            Some(RunWith::Store { latency, .. }) => Some(latency + Nanos::from_millis(20_000)),
            _ => None,
        });
    stand_ins.chain(stores).max().unwrap_or_default()
}

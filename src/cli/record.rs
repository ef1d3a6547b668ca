//! `record`: the runner really runs a scenario's turns, and every event becomes a line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::{Approve, RecordArgs};
use super::failure::Failure;
use super::journal::{Journal, RunInfo};
use super::load::{LoadedScenario, beside, load_scenario};
use super::output::{note, print};
use super::plain::run_text;
use crate::model::{Approval, CallKey, CallRequest, Scripted, ThreadId};
use crate::run::{Approver, CancelTurn, Runner};
use crate::schedule::Options;
use crate::text::clean;
use crate::time::Nanos;
use crate::tools::workspace::FreshCopy;
use crate::tools::{ScenarioTool, StandIns, fresh_copy, tool_for};
use crate::trace::{Scenario, ScenarioCall, ScenarioTurn, read};

pub(super) fn run(args: &RecordArgs) -> Result<(), Failure> {
    let name = args.scenario.display();
    let text = std::fs::read_to_string(&args.scenario).map_err(|error| {
        Failure::Unreadable(format!("{name}: cannot read the scenario: {error}"))
    })?;
    let loaded = load_scenario(&args.scenario, &text)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    #[cfg(feature = "tui")]
    if args.view {
        return super::watch::record(args, loaded, &runtime);
    }
    let fatal = runtime.block_on(async {
        let recording = Recording::prepare(args, &loaded)?;
        recording.run(cancel_on_interrupt()).await
    })?;
    report(args, fatal)
}

/// Says what was recorded, and fails where the run was stopped.
pub(super) fn report(args: &RecordArgs, fatal: Option<String>) -> Result<(), Failure> {
    let run = read(&args.output).map_err(Failure::unreadable)?;
    print(&format!(
        "recorded {}\n",
        clean(&args.output.display().to_string())
    ))?;
    print(&run_text(&run, None)?)?;
    match fatal {
        None => Ok(()),
        Some(reason) => Err(Failure::Failed(format!("the run was stopped: {reason}"))),
    }
}

/// A scenario that is ready to run; its trace has its first lines.
pub(super) struct Recording {
    runner: Runner,
    journal: Journal,
    turns: Vec<(Vec<CallRequest>, Option<Nanos>)>,
    output: PathBuf,
    longest_landing: Nanos,
    /// Where the tools work; removed with this.
    _workspace: Option<FreshCopy>,
}

impl Recording {
    /// Copies the workspace, finds the tools and begins the trace. Must be called in a runtime.
    pub(super) fn prepare(args: &RecordArgs, loaded: &LoadedScenario) -> Result<Self, Failure> {
        let scenario = &loaded.scenario;
        let workspace = copy_workspace(&args.scenario, scenario)?;
        let mut runner = Runner::new(loaded.catalog.clone(), args.policy);
        let options = Options {
            slots: args.switches.slots,
            on_failure: args.switches.on_failure,
            deadline: args.switches.deadline,
            ..Options::default()
        };
        runner.set_options(options);
        runner.set_approver(approver(args.approve, scenario));
        let folder = workspace.as_ref().map(FreshCopy::path);
        add_tools(&mut runner, loaded, folder)?;
        let info = RunInfo {
            policy: args.policy,
            options,
            model: &scenario.model,
            task: &scenario.task,
            catalog: Some(&loaded.catalog_text),
        };
        let journal = Journal::create(&args.output, args.force, &info)?;
        runner.set_observer(Box::new(journal.observer()));
        let requests = |turn: &ScenarioTurn| {
            let calls = turn.calls.iter().map(ScenarioCall::request);
            (calls.collect(), turn.model())
        };
        Ok(Self {
            runner,
            journal,
            turns: scenario.turns.iter().map(requests).collect(),
            output: args.output.clone(),
            longest_landing: longest_landing(scenario),
            _workspace: workspace,
        })
    }

    /// Runs every turn; the reason where a fatal error or `cancel` stopped the run.
    pub(super) async fn run(mut self, cancel: CancelTurn) -> Result<Option<String>, Failure> {
        let mut fatal = None;
        for (calls, model) in std::mem::take(&mut self.turns) {
            let result = self.runner.run_turn_after(calls, model, cancel.clone());
            let result = result.await.map_err(|error| {
                Failure::Unreadable(format!("{}: {error}", self.output.display()))
            })?;
            fatal = result.fatal;
            if fatal.is_some() || cancel.is_cancelled() {
                break;
            }
        }
        if cancel.is_cancelled() {
            fatal.get_or_insert_with(|| "it was interrupted".to_owned());
        }
        self.runner.settle(self.longest_landing).await;
        self.journal.finish(self.runner.now())?;
        Ok(fatal)
    }
}

/// The first interrupt cancels the turn, and all calls still get their answers and lines.
fn cancel_on_interrupt() -> CancelTurn {
    let cancel = CancelTurn::new();
    let on_signal = cancel.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            note("turnlane: cancelling the turn; interrupt again to stop at once");
            on_signal.cancel();
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(130);
            }
        }
    });
    cancel
}

fn copy_workspace(scenario: &Path, parsed: &Scenario) -> Result<Option<FreshCopy>, Failure> {
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

/// Gives each tool of the catalog what runs it: a call's stand-in, else what `x-run` says.
fn add_tools(
    runner: &mut Runner,
    loaded: &LoadedScenario,
    workspace: Option<&Path>,
) -> Result<(), Failure> {
    let mut stand_ins = StandIns::new();
    for (key, call) in calls(&loaded.scenario) {
        if let Some(stand_in) = &call.stand_in {
            stand_ins.insert(key, stand_in.clone());
        }
    }
    let stand_ins = Arc::new(stand_ins);
    for tool in loaded.catalog.tools() {
        let real = tool
            .run
            .as_ref()
            .map(|run| tool_for(run, workspace))
            .transpose();
        let real =
            real.map_err(|error| Failure::Unreadable(format!("tool {}: {error}", tool.name)))?;
        runner.add_tool(
            &tool.name,
            Arc::new(ScenarioTool::new(stand_ins.clone(), real)),
        );
    }
    Ok(())
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

fn approver(approve: Approve, scenario: &Scenario) -> Approver {
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

/// How long a stand-in that outlives its turn may still take to land.
fn longest_landing(scenario: &Scenario) -> Nanos {
    let hanging = calls(scenario).filter_map(|(_, call)| call.stand_in.as_ref());
    let hanging = hanging.filter(|s| s.outcome == Scripted::Hang || s.ignores_cancel);
    hanging
        .map(|s| s.time + Nanos::from_millis(1_000))
        .max()
        .unwrap_or_default()
}

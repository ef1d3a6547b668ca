//! `record`: the runner really runs a scenario's turns, and every event becomes a line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::runtime::Runtime;

use super::args::RecordArgs;
use super::failure::Failure;
use super::journal::{Journal, RunInfo, new_run_id};
use super::load::{LoadedScenario, load_scenario};
use super::lock::TraceLock;
use super::output::{note, print};
use super::plain::run_text;
use super::resume::{Resume, Torn};
use super::scripted::{approver, copy_workspace, longest_landing, make_tools};
use super::store;
use crate::analyze::WhatIfOptions;
use crate::model::{CallRequest, Outcome, RunWith};
use crate::run::{CancelTurn, PlannedCall, Runner};
use crate::schedule::{Options, Policy};
use crate::text::clean;
use crate::time::Nanos;
use crate::tools::ScenarioTool;
use crate::tools::store::StoreRun;
use crate::tools::workspace::FreshCopy;
use crate::trace::{ScenarioCall, read};

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
    let Some(recording) = runtime.block_on(Recording::prepare(args, &loaded))? else {
        return nothing_left(args);
    };
    let finished = runtime.block_on(async { recording.run(cancel_on_interrupt()).await })?;
    report(finished, &runtime)
}

/// Says that the recording to go on with is complete.
pub(super) fn nothing_left(args: &RecordArgs) -> Result<(), Failure> {
    let trace = args.resume.as_deref().unwrap_or_else(|| Path::new(""));
    let name = trace.display().to_string();
    print(&format!(
        "{} is complete: nothing is left to run\n",
        clean(&name)
    ))
}

/// A recording that has come to its end.
pub(super) struct Finished {
    trace: PathBuf,
    store: Option<StoreRun>,
    /// Why it was stopped, where it was.
    fatal: Option<String>,
}

/// Says what was recorded, and fails where the run was stopped.
pub(super) fn report(finished: Finished, runtime: &Runtime) -> Result<(), Failure> {
    let run = read(&finished.trace).map_err(Failure::unreadable)?;
    let name = finished.trace.display().to_string();
    let mut text = format!(
        "recorded {}\n{}",
        clean(&name),
        run_text(&run, None, &WhatIfOptions::default())
    );
    if let Some(store) = &finished.store {
        text.push_str(&runtime.block_on(store::report(store, &run))?);
    }
    print(&text)?;
    match finished.fatal {
        None => Ok(()),
        Some(reason) => Err(Failure::Failed(format!("the run was stopped: {reason}"))),
    }
}

/// A call as it is asked for, and whether running it again is harmless.
struct Asked {
    request: CallRequest,
    repeatable: bool,
}

/// A scenario that is ready to run, or to go on; its trace has its first lines.
pub(super) struct Recording {
    runner: Runner,
    journal: Journal,
    store: Option<StoreRun>,
    /// The turns, with the model's time before each.
    turns: Vec<(Vec<Asked>, Option<Nanos>)>,
    /// How many of them were complete before.
    complete: u32,
    torn: Option<Torn>,
    trace: PathBuf,
    longest_landing: Nanos,
    /// Where the tools work; removed with this.
    _workspace: Option<FreshCopy>,
}

impl Recording {
    /// Copies the workspace, opens the store, finds the tools and begins the trace, or takes up
    /// the one to go on with; `None` where that one is complete.
    pub(super) async fn prepare(
        args: &RecordArgs,
        loaded: &LoadedScenario,
    ) -> Result<Option<Self>, Failure> {
        match (&args.resume, &args.output) {
            (Some(trace), _) => Self::go_on(args, loaded, trace).await,
            (None, Some(trace)) => Self::begin(args, loaded, trace).await.map(Some),
            // The command line asks for one of the two.
            (None, None) => Err(Failure::Unreadable("no trace to write: give -o".to_owned())),
        }
    }

    async fn begin(
        args: &RecordArgs,
        loaded: &LoadedScenario,
        trace: &Path,
    ) -> Result<Self, Failure> {
        Journal::refuse_existing(trace, args.force)?;
        let scenario = &loaded.scenario;
        let id = new_run_id();
        let options = Options {
            slots: args.switches.slots,
            on_failure: args.switches.on_failure,
            deadline: args.switches.deadline,
            ..Options::default()
        };
        let workspace = copy_workspace(&args.scenario, scenario)?;
        let folder = workspace.as_ref().map(FreshCopy::path);
        let store = store::begin(args, &id).await?;
        let tools = make_tools(loaded, folder, store.as_ref())?;
        let mut runner = new_runner(args, loaded, args.policy, options, tools);
        let info = RunInfo {
            id: &id,
            policy: args.policy,
            options,
            model: &scenario.model,
            task: &scenario.task,
            catalog: Some(&loaded.catalog_text),
        };
        let journal = Journal::create(trace, args.force, &info)?;
        runner.set_observer(Box::new(journal.observer()));
        Ok(Self {
            runner,
            journal,
            store,
            turns: asked(loaded),
            complete: 0,
            torn: None,
            trace: trace.to_owned(),
            longest_landing: longest_landing(loaded),
            _workspace: workspace,
        })
    }

    async fn go_on(
        args: &RecordArgs,
        loaded: &LoadedScenario,
        trace: &Path,
    ) -> Result<Option<Self>, Failure> {
        if loaded.scenario.workspace.is_some() {
            let problem = "the copy of the workspace that it worked on is gone: record anew";
            return Err(Failure::Unreadable(format!(
                "{}: {problem}",
                trace.display()
            )));
        }
        let lock = TraceLock::take(trace)?;
        let Some(resume) = Resume::read(trace, &loaded.scenario)? else {
            return Ok(None);
        };
        let store = store::resume(args, &resume.id).await?;
        let tools = make_tools(loaded, None, store.as_ref())?;
        let mut runner = new_runner(args, loaded, resume.policy, resume.options, tools);
        runner.go_on(resume.complete, resume.at);
        let journal = Journal::go_on(trace, lock, resume.torn.clone(), resume.at)?;
        runner.set_observer(Box::new(journal.observer()));
        Ok(Some(Self {
            runner,
            journal,
            store,
            turns: asked(loaded),
            complete: resume.complete,
            torn: resume.torn,
            trace: trace.to_owned(),
            longest_landing: longest_landing(loaded),
            _workspace: None,
        }))
    }

    /// The trace that is written.
    #[cfg(feature = "tui")]
    pub(super) fn trace(&self) -> &Path {
        &self.trace
    }

    /// Runs every turn that is left, until the end, a fatal error or `cancel`.
    pub(super) async fn run(mut self, cancel: CancelTurn) -> Result<Finished, Failure> {
        let mut fatal = None;
        let turns = (1..).zip(std::mem::take(&mut self.turns));
        for (number, (calls, model)) in turns.skip(self.complete as usize) {
            let torn = self.torn.take_if(|torn| torn.turn == number);
            let model = model.filter(|_| torn.is_none());
            let calls = self.plan(calls, torn.as_ref());
            let result = self.runner.run_planned(calls, model, cancel.clone()).await;
            let result = result.map_err(|error| {
                Failure::Unreadable(format!("{}: {error}", self.trace.display()))
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
        Ok(Finished {
            trace: self.trace,
            store: self.store,
            fatal,
        })
    }

    fn plan(&mut self, calls: Vec<Asked>, torn: Option<&Torn>) -> Vec<PlannedCall> {
        let mut plan = Vec::with_capacity(calls.len());
        for (index, call) in (0..).zip(calls) {
            let mut planned = self.runner.plan(call.request);
            if let Some(torn) = torn {
                go_on_with(&mut planned, torn, index, call.repeatable);
            }
            plan.push(planned);
        }
        plan
    }
}

fn asked(loaded: &LoadedScenario) -> Vec<(Vec<Asked>, Option<Nanos>)> {
    let of = |call: &ScenarioCall| {
        let run = loaded.catalog.get(&call.tool).and_then(|t| t.run.as_ref());
        Asked {
            request: call.request(),
            // A store knows its calls, and a stand-in does nothing.
            repeatable: call.stand_in.is_some() || matches!(run, Some(RunWith::Store { .. })),
        }
    };
    let turns = loaded.scenario.turns.iter();
    turns
        .map(|turn| (turn.calls.iter().map(of).collect(), turn.model()))
        .collect()
}

/// What is left to do of a call of a torn turn.
fn go_on_with(planned: &mut PlannedCall, torn: &Torn, index: u32, repeatable: bool) {
    let effects = &planned.effects;
    let only_reads = effects.writes.is_empty() && !effects.opaque && !effects.is_final;
    let cut = torn.cut.contains(&index);
    if let Some(outcome) = torn.ended.get(&index) {
        planned.refused = Some((*outcome, String::new()));
    } else if torn.over {
        planned.refused = Some((Outcome::NotRun, "not run".to_owned()));
    } else if cut && !repeatable && !only_reads {
        let text = "the recording was cut off while it ran; nobody knows whether it took effect, \
                    so it was not run again";
        planned.refused = Some((Outcome::Indeterminate, text.to_owned()));
    } else if cut {
        // It was granted before it started.
        planned.approval = false;
    }
}

fn new_runner(
    args: &RecordArgs,
    loaded: &LoadedScenario,
    policy: Policy,
    options: Options,
    tools: Vec<(String, ScenarioTool)>,
) -> Runner {
    let mut runner = Runner::new(loaded.catalog.clone(), policy);
    runner.set_options(options);
    runner.set_approver(approver(args.approve, &loaded.scenario));
    for (name, tool) in tools {
        runner.add_tool(name, Arc::new(tool));
    }
    runner
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

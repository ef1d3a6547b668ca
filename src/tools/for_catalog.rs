//! From a catalog's `x-run` to a tool that can be called.

use std::path::Path;
use std::sync::Arc;

use super::Command;
use super::workspace::{
    CodeList, CodePatch, CodeRead, CodeSearch, FinalAnswer, Folder, FolderError, RunTests,
};
use crate::model::RunWith;
use crate::run::Tool;

/// An `x-run` that gives no tool.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A command without a program, or `run_tests` without a command.
    #[error("{tool}: its `command` is empty: name a program and its arguments")]
    NoCommand {
        /// The workspace tool, or `x-run`.
        tool: String,
    },
    /// A workspace tool in a scenario without a workspace.
    #[error("{tool} needs a workspace: give the scenario a `workspace` folder")]
    NoWorkspace {
        /// The workspace tool.
        tool: String,
    },
    /// No such workspace tool.
    #[error("no workspace tool `{tool}`: there are {}", TOOLS.join(", "))]
    UnknownTool {
        /// What the catalog names.
        tool: String,
    },
    /// A store tool; [`super::store::StoreRun::tool`] gives those.
    #[error("{tool} works on a store: say which with --store, such as sqlite::memory:")]
    NoStore {
        /// The store tool.
        tool: String,
    },
    /// The workspace cannot be used.
    #[error(transparent)]
    Workspace(#[from] FolderError),
}

/// The workspace tools by name.
const TOOLS: [&str; 6] = [
    "code_list",
    "code_read",
    "code_search",
    "code_patch",
    "run_tests",
    "final_answer",
];

/// The tool that an `x-run` asks for. `workspace` is the folder that workspace tools work on and
/// commands run in.
///
/// # Errors
/// Where there is no such tool, or it lacks its workspace or command. Whether a program exists
/// shows at its first call.
pub fn tool_for(run: &RunWith, workspace: Option<&Path>) -> Result<Arc<dyn Tool>, BuildError> {
    match run {
        RunWith::Command(argv) => command(argv, workspace),
        RunWith::Workspace {
            tool,
            command,
            check,
        } => workspace_tool(tool, command, check, workspace),
        RunWith::Store { tool, .. } => Err(BuildError::NoStore { tool: tool.clone() }),
    }
}

fn command(argv: &[String], workspace: Option<&Path>) -> Result<Arc<dyn Tool>, BuildError> {
    if argv.first().is_none_or(String::is_empty) {
        return Err(BuildError::NoCommand {
            tool: "x-run".to_owned(),
        });
    }
    let command = Command::new(argv.to_vec());
    Ok(Arc::new(match workspace {
        Some(folder) => command.in_folder(Folder::open(folder)?.root()),
        None => command,
    }))
}

fn workspace_tool(
    tool: &str,
    command: &[String],
    check: &[String],
    workspace: Option<&Path>,
) -> Result<Arc<dyn Tool>, BuildError> {
    let named = || tool.to_owned();
    if !TOOLS.contains(&tool) {
        return Err(BuildError::UnknownTool { tool: named() });
    }
    if tool == "run_tests" && command.first().is_none_or(String::is_empty) {
        return Err(BuildError::NoCommand { tool: named() });
    }
    let workspace = workspace.ok_or_else(|| BuildError::NoWorkspace { tool: named() })?;
    let folder = Arc::new(Folder::open(workspace)?);
    Ok(match tool {
        "code_list" => Arc::new(CodeList::new(folder)),
        "code_read" => Arc::new(CodeRead::new(folder)),
        "code_search" => Arc::new(CodeSearch::new(folder)),
        "code_patch" => Arc::new(CodePatch::new(folder, command, check)),
        "run_tests" => Arc::new(RunTests::new(folder, command)),
        "final_answer" => Arc::new(FinalAnswer::new(folder)),
        _ => return Err(BuildError::UnknownTool { tool: named() }),
    })
}

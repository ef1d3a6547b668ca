//! What the tests of the tools share.
#![allow(dead_code, unreachable_pub)]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;
use turnlane::model::{CallKey, CallRequest, RunWith};
use turnlane::run::{Answer, CallContext, Tool, ToolError};
use turnlane::tools::tool_for;

pub type Answered = Result<Answer, ToolError>;

/// A call with these arguments, and the token that cancels it.
pub fn context(args: &str) -> (CallContext, CancellationToken) {
    let cancel = CancellationToken::new();
    let context = CallContext {
        request: Arc::new(CallRequest::new("tool", args)),
        key: CallKey {
            turn: 1,
            ..CallKey::default()
        },
        cancel: cancel.clone(),
    };
    (context, cancel)
}

/// Calls a tool to its end.
pub async fn call(tool: &dyn Tool, args: &str) -> Answered {
    tool.call(context(args).0).await
}

/// A workspace tool without a formatter, a check or a test command.
pub fn plain(tool: &str, workspace: &Path) -> Arc<dyn Tool> {
    with(
        tool,
        &["true"][..usize::from(tool == "run_tests")],
        &[],
        workspace,
    )
}

/// A workspace tool with these commands.
pub fn with(tool: &str, command: &[&str], check: &[&str], workspace: &Path) -> Arc<dyn Tool> {
    let owned = |argv: &[&str]| argv.iter().map(|&a| a.to_owned()).collect();
    let run = RunWith::Workspace {
        tool: tool.to_owned(),
        command: owned(command),
        check: owned(check),
    };
    tool_for(&run, Some(workspace)).unwrap()
}

/// The text of an answer, or panics with the error.
#[track_caller]
pub fn text(answered: Answered) -> String {
    answered.unwrap().text
}

/// The text of a `Failed`, or panics with whatever it is.
#[track_caller]
pub fn failure(answered: Answered) -> String {
    match answered {
        Err(ToolError::Failed(text)) => text,
        other => panic!("not a failure: {other:?}"),
    }
}

/// The text of a `BadArgs`, or panics with whatever it is.
#[track_caller]
pub fn bad_args(answered: Answered) -> String {
    match answered {
        Err(ToolError::BadArgs(text)) => text,
        other => panic!("not bad arguments: {other:?}"),
    }
}

/// Waits until `holds`; fails the test where it never does.
#[track_caller]
pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The process id that a tool wrote to a file, once it is there.
pub fn pid_in(file: &Path) -> u32 {
    let mut pid = None;
    eventually("a process id was written", || {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        pid = text.strip_suffix('\n').and_then(|t| t.parse().ok());
        pid.is_some()
    });
    pid.unwrap()
}

/// True where a process runs; one that only waits to be reaped does not.
pub fn runs(pid: u32) -> bool {
    let ps = Command::new("ps")
        .args(["-o", "stat=", "-p", &pid.to_string()])
        .output()
        .unwrap();
    let state = String::from_utf8_lossy(&ps.stdout);
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

//! Subprocesses: what they get, what is kept of what they say, and that nothing of them stays.
#![cfg(all(feature = "run", unix))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod tools_support;

use std::path::Path;
use std::sync::Arc;

use tools_support::{Answered, call, context, eventually, failure, pid_in, runs, text};
use turnlane::model::RunWith;
use turnlane::run::{Tool, ToolError};
use turnlane::tools::{BuildError, Command, tool_for};

fn command(argv: &[&str]) -> Command {
    Command::new(argv.iter().map(|&a| a.to_owned()).collect())
}

fn shell(script: &str) -> Command {
    command(&["sh", "-c", script])
}

async fn run(script: &str, args: &str) -> Answered {
    call(&shell(script), args).await
}

/// A tool whose grandchild, as the leader too if `all`, does not hear `SIGTERM`. It writes the
/// grandchild's id to `file`.
fn stubborn(all: bool, file: &Path) -> Command {
    let deaf = "trap '' TERM;";
    let leader = if all { deaf } else { "" };
    shell(&format!(
        "{leader} sh -c \"{deaf} echo \\$\\$ >'{file}.new'; mv '{file}.new' '{file}'; \
         while :; do sleep 1000; done\" & wait",
        file = file.display()
    ))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_arguments_come_in_byte_for_byte() {
    let args = "{ \"b\": 1,\"a\":\"\\u00e9 é\\n\" }";
    assert_eq!(text(run("cat", args).await), args);
    let long = format!("\"{}\"", "x".repeat(5_000_000));
    assert_eq!(text(run("wc -c", &long).await).trim(), "5000002");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_never_reads_its_input_is_no_failure() {
    let long = "x".repeat(5_000_000);
    for script in [
        "echo done",
        "exec 0<&-; echo done",
        "head -c 1 >/dev/null; echo done",
        "exec 0<&-; sleep 0.2; echo done",
    ] {
        assert_eq!(text(run(script, &long).await), "done\n", "{script}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_failed_says_why_and_with_which_code() {
    let error = failure(run("echo half; echo no such invoice >&2; exit 3", "{}").await);
    assert_eq!(error, "`sh` ended with exit code 3: no such invoice\n");
    let error = failure(run("echo only this; exit 1", "{}").await);
    assert_eq!(error, "`sh` ended with exit code 1: only this\n");
    let error = failure(run("kill -s KILL $$", "{}").await);
    assert_eq!(error, "`sh` was ended by signal 9: it said nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_program_says_what_to_do() {
    let error = failure(call(&command(&["turnlane-no-such-program"]), "{}").await);
    assert!(error.contains("`turnlane-no-such-program`"), "{error}");
    assert!(error.contains("x-run"), "{error}");
    failure(call(&command(&[]), "{}").await);
    failure(call(&command(&["a\0b"]), "{}").await);
    failure(call(&command(&["/"]), "{}").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_gone_is_fatal() {
    let folder = tempfile::tempdir().unwrap();
    let tool = shell("pwd").in_folder(folder.path());
    text(call(&tool, "{}").await);
    drop(folder);
    let ended = call(&tool, "{}").await;
    assert!(matches!(ended, Err(ToolError::Fatal(_))), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relative_program_counts_from_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("bin")).unwrap();
    std::os::unix::fs::symlink("/bin/pwd", folder.path().join("bin/where")).unwrap();
    let tool = command(&["./bin/where"]).in_folder(folder.path());
    let real = folder.path().canonicalize().unwrap();
    assert_eq!(text(call(&tool, "{}").await).trim(), real.to_str().unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_megabytes_without_a_newline_stay_bounded() {
    let script = "head -c 200000000 /dev/zero | tr '\\0' x";
    let (context, cancel) = context("{}");
    let finished = shell(script).run(Vec::new(), &cancel).await.unwrap();
    assert_eq!(finished.stdout.total(), 200_000_000);
    assert_eq!(finished.stdout.dropped(), 200_000_000 - 1024 * 1024);
    let answer = text(shell(script).call(context).await);
    assert!(answer.len() < 1024 * 1024 + 100, "{}", answer.len());
    assert!(answer.contains("[198951424 of 200000000 bytes left out here]"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_complaints_is_bounded_too() {
    let script = "head -c 20000000 /dev/zero >&2; exit 1";
    let error = failure(run(script, "{}").await);
    assert!(error.len() < 70_000, "{}", error.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_text_are_replaced() {
    assert_eq!(text(run("printf 'a\\377b'", "{}").await), "a\u{fffd}b");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_abort_kills_the_grandchildren() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let body = tokio::spawn(stubborn(true, &file).call(context("{}").0));
    let pid = pid_in(&file);
    assert!(runs(pid));
    body.abort();
    assert!(body.await.unwrap_err().is_cancelled());
    eventually("the grandchild is dead", || !runs(pid));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_ends_the_leader_and_with_it_grandchildren_that_do_not_listen() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let (context, cancel) = context("{}");
    let body = tokio::spawn(stubborn(false, &file).call(context));
    let pid = pid_in(&file);
    cancel.cancel();
    assert_eq!(body.await.unwrap(), Err(ToolError::Cancelled));
    eventually("the grandchild is dead", || !runs(pid));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_ignores_its_cancel_is_killed_by_the_abort() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let (context, cancel) = context("{}");
    let body = tokio::spawn(stubborn(true, &file).call(context));
    let pid = pid_in(&file);
    cancel.cancel();
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert!(!body.is_finished() && runs(pid));
    body.abort();
    assert!(body.await.unwrap_err().is_cancelled());
    eventually("the grandchild is dead", || !runs(pid));
}

#[test]
fn a_runtime_that_goes_takes_its_tools_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.spawn(stubborn(true, &file).call(context("{}").0));
    let pid = pid_in(&file);
    runtime.shutdown_background();
    eventually("the grandchild is dead", || !runs(pid));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_tool_leaves_behind_neither_delays_its_answer_nor_lives_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!("sleep 1000 & echo $! >'{}'; echo hi", file.display());
    assert_eq!(text(run(&script, "{}").await), "hi\n");
    let pid = pid_in(&file);
    eventually("it is dead", || !runs(pid));
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_left_the_group_and_floods_the_pipe_does_not_hold_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    // It runs on after the answer, which proves that nobody waited for it; the test ends it.
    let script = format!(
        "setsid sh -c 'trap \"\" PIPE; echo $$ >\"{0}.new\"; mv \"{0}.new\" \"{0}\"; \
         while :; do echo flood 2>/dev/null; sleep 0.01; done' & \
         while ! test -e '{0}'; do sleep 0.01; done; echo hi",
        file.display()
    );
    let answer = text(run(&script, "{}").await);
    assert!(answer.contains("hi\n"), "{answer}");
    let pid = pid_in(&file);
    assert!(runs(pid));
    let ended = std::process::Command::new("sh")
        .args(["-c", &format!("kill -s KILL -- {pid}")])
        .status()
        .unwrap();
    assert!(ended.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_tool_hears_its_cancel() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!("echo $$ >'{}'; kill -s STOP $$; sleep 1000", file.display());
    let (context, cancel) = context("{}");
    let body = tokio::spawn(shell(&script).call(context));
    pid_in(&file);
    cancel.cancel();
    assert_eq!(body.await.unwrap(), Err(ToolError::Cancelled));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_cancelled_before_its_start_runs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ran");
    let (context, cancel) = context("{}");
    cancel.cancel();
    let tool = command(&["touch", file.to_str().unwrap()]);
    assert_eq!(tool.call(context).await, Err(ToolError::Cancelled));
    assert!(!file.exists());
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_tool_gets_pipes_for_streams_and_none_of_our_files() {
    let ours = tempfile::NamedTempFile::new().unwrap();
    let listed = text(call(&command(&["ls", "-l", "/proc/self/fd"]), "{}").await);
    for stream in [" 0 -> pipe:", " 1 -> pipe:", " 2 -> pipe:"] {
        assert!(listed.contains(stream), "{listed}");
    }
    let name = ours.path().to_str().unwrap();
    assert!(!listed.contains(name), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_tools_at_once_all_answer() {
    let tool: Arc<dyn Tool> = Arc::new(shell("cat; sleep 0.0$(($$ % 5))"));
    let bodies: Vec<_> = (0..100)
        .map(|n| tokio::spawn(tool.call(context(&n.to_string()).0)))
        .collect();
    for (n, body) in bodies.into_iter().enumerate() {
        assert_eq!(text(body.await.unwrap()), n.to_string());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogs_command_runs_in_the_workspace() {
    let folder = tempfile::tempdir().unwrap();
    let run = |argv: &[&str]| RunWith::Command(argv.iter().map(|&a| a.to_owned()).collect());
    let tool = tool_for(&run(&["pwd"]), Some(folder.path())).unwrap();
    let real = folder.path().canonicalize().unwrap();
    assert_eq!(
        text(call(&*tool, "{}").await).trim(),
        real.to_str().unwrap()
    );
    assert!(tool_for(&run(&["pwd"]), None).is_ok());
    for argv in [&[][..], &[""]] {
        let refused = tool_for(&run(argv), None).err().unwrap();
        assert!(matches!(refused, BuildError::NoCommand { .. }));
    }
}

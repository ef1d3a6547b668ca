//! A subprocess as a tool: arguments on its standard input, the answer from its standard output.

mod capture;
mod group;

use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::io::AsyncWriteExt;
use tokio_util::sync::CancellationToken;

use crate::run::{Answer, CallContext, Tool, ToolError};

pub use capture::Captured;
use group::Group;

/// Bytes of standard output that are kept by default.
const KEEP_OUTPUT: usize = 1024 * 1024;
/// Bytes of standard error that are kept.
const KEEP_ERRORS: usize = 64 * 1024;
/// How long the pipes are read on after the group was killed: a process that left the group may
/// hold them open for ever.
const DRAIN: Duration = Duration::from_millis(250);

/// A subprocess to run.
///
/// 1. It leads a process group of its own and inherits none of our standard streams.
/// 2. A cancel sends the group `SIGTERM`; the caller's grace and abort decide how long to wait.
/// 3. When the leader ends, and when the future is dropped, the whole group gets `SIGKILL`. A
///    process that made a group or session of its own has left and is not reached.
#[derive(Clone, Debug)]
pub struct Command {
    /// The program and its arguments. A relative program with a `/` counts from the folder.
    pub argv: Vec<String>,
    /// The folder it runs in; our own if `None`.
    pub folder: Option<PathBuf>,
    /// Bytes of standard output to keep, half from the beginning and half from the end.
    pub keep: usize,
    set: Vec<(String, OsString)>,
    hide: fn(&str) -> bool,
}

/// A subprocess that ended by itself.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub status: ExitStatus,
    /// Its standard output.
    pub stdout: Captured,
    /// Its standard error.
    pub stderr: Captured,
}

impl Command {
    /// A command that runs in our own folder and environment.
    #[must_use]
    pub fn new(argv: Vec<String>) -> Self {
        Self {
            argv,
            folder: None,
            keep: KEEP_OUTPUT,
            set: Vec::new(),
            hide: |_| false,
        }
    }

    /// Runs it in `folder`.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<OsString>) -> Self {
        self.set.push((name.into(), value.into()));
        self
    }

    /// Hides the inherited environment variables that `hide` names.
    #[must_use]
    pub const fn without(mut self, hide: fn(&str) -> bool) -> Self {
        self.hide = hide;
        self
    }

    /// Runs it to its end, whatever its exit code.
    ///
    /// # Errors
    /// `Failed` where it cannot be started, `Fatal` where its folder is gone, `Cancelled` where
    /// it ended after a cancel.
    pub async fn run(
        &self,
        input: Vec<u8>,
        cancel: &CancellationToken,
    ) -> Result<Finished, ToolError> {
        if cancel.is_cancelled() {
            return Err(ToolError::Cancelled);
        }
        let mut group = self.start()?;
        let stdin = group.child().stdin.take();
        let (out, err) = (group.child().stdout.take(), group.child().stderr.take());
        let mut stdout = Captured::new(self.keep);
        let mut stderr = Captured::new(KEEP_ERRORS);
        let mut asked = false;
        let status = {
            let mut streams = pin!(async {
                tokio::join!(feed(stdin, input), stdout.fill(out), stderr.fill(err));
            });
            let mut closed = false;
            let status = loop {
                tokio::select! {
                    biased;
                    status = group.end() => break status,
                    () = cancel.cancelled(), if !asked => {
                        asked = true;
                        group.ask_to_end();
                    }
                    () = &mut streams, if !closed => closed = true,
                }
            };
            if !closed {
                let _ = tokio::time::timeout(DRAIN, streams).await;
            }
            status
        };
        if asked {
            return Err(ToolError::Cancelled);
        }
        let status =
            status.map_err(|e| ToolError::Failed(format!("`{}` was lost: {e}", self.name())))?;
        Ok(Finished {
            status,
            stdout,
            stderr,
        })
    }

    /// The program as it was named.
    fn name(&self) -> &str {
        self.argv.first().map_or("", String::as_str)
    }

    fn start(&self) -> Result<Group, ToolError> {
        let Some((program, args)) = self.argv.split_first() else {
            return Err(ToolError::Failed(
                "the command is empty: name a program in the catalog's `x-run`".to_owned(),
            ));
        };
        let mut command = match &self.folder {
            Some(folder) if program.contains('/') => {
                tokio::process::Command::new(folder.join(program))
            }
            _ => tokio::process::Command::new(program),
        };
        command
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(self.hide) {
                command.env_remove(name);
            }
        }
        command.envs(self.set.iter().map(|(name, value)| (name, value)));
        Group::spawn(&mut command).map_err(|e| self.not_started(program, &e))
    }

    fn not_started(&self, program: &str, error: &io::Error) -> ToolError {
        let is_folder = |folder: &PathBuf| Path::is_dir(folder);
        if let Some(folder) = self.folder.as_ref().filter(|f| !is_folder(f)) {
            return ToolError::Fatal(format!("the folder {} is gone", folder.display()));
        }
        let remedy = match error.kind() {
            io::ErrorKind::NotFound => "install it, or correct the catalog's `x-run`",
            io::ErrorKind::PermissionDenied => "make it executable",
            _ => "check the catalog's `x-run`",
        };
        ToolError::Failed(format!("`{program}` did not start: {error}; {remedy}"))
    }
}

impl Finished {
    /// The answer of a tool that ended well, or its complaint with the exit code.
    ///
    /// # Errors
    /// `Failed` where it ended with another code than 0 or by a signal.
    pub fn answer(&self, name: &str) -> Result<Answer, ToolError> {
        if self.status.success() {
            return Ok(Answer::text(self.stdout.text()));
        }
        let said = match (self.stderr.is_empty(), self.stdout.is_empty()) {
            (false, _) => self.stderr.text(),
            (true, false) => self.stdout.text(),
            (true, true) => "it said nothing".to_owned(),
        };
        Err(ToolError::Failed(format!(
            "`{name}` {}: {said}",
            self.how_it_ended()
        )))
    }

    /// In words: `ended with exit code 3`, `was ended by signal 9`.
    #[must_use]
    pub fn how_it_ended(&self) -> String {
        match (self.status.code(), self.status.signal()) {
            (Some(code), _) => format!("ended with exit code {code}"),
            (None, Some(signal)) => format!("was ended by signal {signal}"),
            (None, None) => "ended".to_owned(),
        }
    }
}

impl Tool for Command {
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        let command = self.clone();
        async move {
            let input = context.request.args.clone().into_bytes();
            let finished = command.run(input, &context.cancel).await?;
            finished.answer(command.name())
        }
        .boxed()
    }
}

/// Gives a process its input and closes it. One that does not read, or is dead, is none of the
/// call's business: its exit code tells.
async fn feed(stdin: Option<tokio::process::ChildStdin>, input: Vec<u8>) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(&input).await;
    }
}

//! `run_tests {}`: the workspace's own tests.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::args::Args;
use super::folder::{Folder, on_folder};
use super::lane::Lane;
use super::output::steady;
use crate::run::{Answer, CallContext, Tool, ToolError};

/// Runs the test command in the workspace. What it wrote is the answer where it ended well, and
/// the error where it did not: standard output first, then standard error.
#[derive(Clone, Debug)]
pub struct RunTests {
    folder: Arc<Folder>,
    command: Arc<[String]>,
}

impl RunTests {
    /// The tool on this workspace with this command.
    #[must_use]
    pub fn new(folder: Arc<Folder>, command: &[String]) -> Self {
        Self {
            folder,
            command: command.into(),
        }
    }
}

impl Tool for RunTests {
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        let Self { folder, command } = self.clone();
        async move {
            Args::read("run_tests", &[], &context.request.args)?;
            let cancel = &context.cancel;
            let lane = on_folder(&folder, cancel, |folder, _| Lane::claim(folder, "tests")).await?;
            let finished = lane
                .command(&command, folder.root())?
                .run(Vec::new(), cancel)
                .await?;
            // A test can remove the very folder it ran in.
            on_folder(&folder, cancel, |_, _| Ok(())).await?;
            let mut text = finished.stdout.text();
            if !finished.stderr.is_empty() {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(&finished.stderr.text());
            }
            let text = steady(&text, folder.root());
            if finished.status.success() {
                Ok(Answer::text(text))
            } else {
                let how = finished.how_it_ended();
                Err(ToolError::Failed(format!("{text}[the test command {how}]")))
            }
        }
        .boxed()
    }
}

//! `final_answer {answer}`: what the model has to say at the end.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::args::Args;
use super::folder::{Folder, on_folder};
use crate::run::{Answer, CallContext, Tool, ToolError};

/// Accepts an answer and gives it back.
#[derive(Clone, Debug)]
pub struct FinalAnswer {
    folder: Arc<Folder>,
}

impl FinalAnswer {
    /// The tool on this workspace.
    #[must_use]
    pub const fn new(folder: Arc<Folder>) -> Self {
        Self { folder }
    }
}

impl Tool for FinalAnswer {
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        let folder = Arc::clone(&self.folder);
        async move {
            let args = Args::read("final_answer", &["answer"], &context.request.args)?;
            let answer = Answer::text(args.text("answer")?);
            // An answer about a workspace that is gone is not accepted.
            on_folder(&folder, &context.cancel, move |_, _| Ok(answer)).await
        }
        .boxed()
    }
}

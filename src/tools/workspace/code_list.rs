//! `code_list {globs?}`: the files of the workspace with their sizes.

use std::fmt::Write;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::args::Args;
use super::folder::{Folder, Stop, on_folder};
use super::output::{ANSWER_LIMIT, shown};
use super::walk::{Found, Kind, Pass, walk};
use crate::run::{Answer, CallContext, Tool, ToolError};

/// Lists files: one line each, its bytes, a tab, its path. Hidden files and those that a
/// `.gitignore` names are passed over.
#[derive(Clone, Debug)]
pub struct CodeList {
    folder: Arc<Folder>,
}

impl CodeList {
    /// The tool on this workspace.
    #[must_use]
    pub const fn new(folder: Arc<Folder>) -> Self {
        Self { folder }
    }
}

impl Tool for CodeList {
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        let folder = Arc::clone(&self.folder);
        async move {
            let args = Args::read("code_list", &["globs"], &context.request.args)?;
            let globs = globs(&args)?;
            on_folder(&folder, &context.cancel, move |folder, stop| {
                list(folder, globs.as_ref(), stop)
            })
            .await
        }
        .boxed()
    }
}

fn list(folder: &Folder, globs: Option<&GlobSet>, stop: &Stop) -> Result<Answer, ToolError> {
    let found = walk(folder.dir(), Pass::Hidden, stop)?;
    let mut text = String::new();
    let mut more = 0usize;
    for entry in &found.entries {
        let Kind::File { bytes, .. } = entry.kind else {
            continue;
        };
        if globs.is_some_and(|globs| !globs.is_match(&entry.path)) {
            continue;
        }
        if text.len() < ANSWER_LIMIT {
            let _ = writeln!(text, "{bytes}\t{}", shown(&entry.path));
        } else {
            more += 1;
        }
    }
    if text.is_empty() {
        text.push_str("no file\n");
    }
    if more > 0 {
        let _ = writeln!(text, "[{more} more files: narrow `globs`]");
    }
    text.push_str(&left_out(&found));
    Ok(Answer::text(text))
}

/// Says what a walk did not see; empty where it saw everything.
pub(super) fn left_out(found: &Found) -> String {
    let mut text = String::new();
    if found.unread > 0 {
        let _ = writeln!(text, "[{} entries could not be read]", found.unread);
    }
    if found.cut {
        let _ = writeln!(text, "[too many files: the rest was not looked at]");
    }
    text
}

/// The globs of a call; `None` where it names none. `*` stays within a folder, `**` does not.
pub(super) fn globs(args: &Args) -> Result<Option<GlobSet>, ToolError> {
    let texts = args.texts("globs")?;
    if texts.is_empty() {
        return Ok(None);
    }
    let refuse =
        |error: globset::Error| args.refuse("globs", &format!("{error}; allowed: `src/**/*.rs`"));
    let mut set = GlobSetBuilder::new();
    for text in texts {
        let text = text.strip_prefix("./").unwrap_or(text);
        let glob = GlobBuilder::new(text).literal_separator(true).build();
        set.add(glob.map_err(refuse)?);
    }
    set.build().map(Some).map_err(refuse)
}

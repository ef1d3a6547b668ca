//! `code_patch {path, find, replace}` or `{path, content}`: changes one file, if the result
//! can be formatted and passes the check.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::args::Args;
use super::copy::mirror;
use super::files::{Content, FILE_LIMIT, create_file, failed};
use super::folder::{Folder, Stop, on_folder};
use super::lane::Lane;
use super::output::steady;
use super::place::Place;
use crate::run::{Answer, CallContext, Tool, ToolError};
use crate::tools::Finished;

/// Patches a file.
///
/// 1. The new content goes through the formatter, standard input to standard output.
/// 2. The check command runs in a staged copy of the workspace that holds the result.
/// 3. Only then the file is replaced, as a whole, and only if it is still as it was read:
///    else `Conflict`. Whatever is refused leaves the workspace untouched.
#[derive(Clone, Debug)]
pub struct CodePatch {
    folder: Arc<Folder>,
    format: Arc<[String]>,
    check: Arc<[String]>,
}

impl CodePatch {
    /// The tool on this workspace; an empty `format` or `check` skips that step.
    #[must_use]
    pub fn new(folder: Arc<Folder>, format: &[String], check: &[String]) -> Self {
        Self {
            folder,
            format: format.into(),
            check: check.into(),
        }
    }
}

/// What a call asks for.
#[derive(Clone, Debug)]
enum Change {
    Whole(String),
    Part { find: String, replace: String },
}

/// A change that was made in a staged copy.
struct Staged {
    lane: Lane,
    seen: Option<Content>,
    new: Vec<u8>,
}

impl Tool for CodePatch {
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        let tool = self.clone();
        async move {
            let (place, change) = read_args(&context.request.args)?;
            tool.patch(place, change, &context.cancel).await
        }
        .boxed()
    }
}

impl CodePatch {
    async fn patch(
        self,
        place: Place,
        change: Change,
        cancel: &CancellationToken,
    ) -> Result<Answer, ToolError> {
        let at = place.clone();
        let mut staged = on_folder(&self.folder, cancel, move |folder, stop| {
            stage(folder, &at, &change, stop)
        })
        .await?;
        let mut done = Vec::new();
        if !self.format.is_empty() && formats(&self.format, &place) {
            staged.new = self.formatted(&place, &staged, cancel).await?;
            done.push("formatted");
        }
        if !self.check.is_empty() {
            staged = self.checked(&place, staged, cancel).await?;
            done.push("checked");
        }
        let bytes = staged.new.len();
        let text = format!("{}: {bytes} bytes written", place.as_str());
        on_folder(&self.folder, cancel, move |folder, stop| {
            folder.replace(&place, staged.seen.as_ref(), &staged.new, stop)
        })
        .await?;
        Ok(Answer::text(match done.as_slice() {
            [] => text,
            done => format!("{text}, {}", done.join(" and ")),
        }))
    }

    async fn formatted(
        &self,
        place: &Place,
        staged: &Staged,
        cancel: &CancellationToken,
    ) -> Result<Vec<u8>, ToolError> {
        let tree = staged.lane.tree_path();
        let mut command = staged.lane.command(&self.format, &tree)?;
        command.keep = usize::try_from(FILE_LIMIT).unwrap_or(usize::MAX);
        let finished = command.run(staged.new.clone(), cancel).await?;
        if !finished.status.success() {
            return Err(refused(place, "the formatter", &finished, &tree));
        }
        match finished.stdout.into_whole() {
            Some(new) if new.is_empty() && !staged.new.is_empty() => {
                Err(untouched(place, "the formatter gave nothing back"))
            }
            Some(new) => Ok(new),
            None => Err(untouched(place, "the formatter's output is too long")),
        }
    }

    async fn checked(
        &self,
        place: &Place,
        staged: Staged,
        cancel: &CancellationToken,
    ) -> Result<Staged, ToolError> {
        let at = place.clone();
        let staged = on_folder(&self.folder, cancel, move |_, _| {
            put(&staged.lane, &at, &staged.new)?;
            Ok(staged)
        })
        .await?;
        let tree = staged.lane.tree_path();
        let command = staged.lane.command(&self.check, &tree)?;
        let finished = command.run(Vec::new(), cancel).await?;
        if finished.status.success() {
            Ok(staged)
        } else {
            Err(refused(place, "the check", &finished, &tree))
        }
    }
}

fn read_args(text: &str) -> Result<(Place, Change), ToolError> {
    let fields = ["path", "find", "replace", "content"];
    let args = Args::read("code_patch", &fields, text)?;
    let place = args.place("path")?;
    if args.has("content") {
        for field in ["find", "replace"] {
            if args.has(field) {
                return Err(args.refuse(field, "give either `content` or `find` and `replace`"));
            }
        }
        let content = args.text("content")?.to_owned();
        return Ok((place, Change::Whole(content)));
    }
    if !args.has("find") {
        return Err(args.refuse(
            "find",
            "it is missing; give `find` and `replace`, or `content`",
        ));
    }
    let (find, replace) = (args.text("find")?, args.text("replace")?);
    if find.is_empty() {
        return Err(args.refuse(
            "find",
            "it is empty; give text that occurs once in the file",
        ));
    }
    let change = Change::Part {
        find: find.to_owned(),
        replace: replace.to_owned(),
    };
    Ok((place, change))
}

/// Copies the workspace as it is now, and works out the new content.
fn stage(
    folder: &Folder,
    place: &Place,
    change: &Change,
    stop: &Stop,
) -> Result<Staged, ToolError> {
    let (seen, new) = match change {
        Change::Whole(content) => (folder.read(place)?, content.clone()),
        Change::Part { find, replace } => {
            let seen = folder.read_existing(place)?;
            let text = std::str::from_utf8(&seen.bytes).map_err(|_| {
                untouched(place, "it is not UTF-8, and a patch would lose what it is")
            })?;
            let new = replace_once(text, find, replace).map_err(|p| untouched(place, &p))?;
            (Some(seen), new)
        }
    };
    if new.len() as u64 > FILE_LIMIT {
        return Err(untouched(place, "the new content is too long"));
    }
    let lane = Lane::claim(folder, "check")?;
    mirror(folder.dir(), &lane.tree()?, stop)?;
    Ok(Staged {
        lane,
        seen,
        new: new.into_bytes(),
    })
}

fn replace_once(text: &str, find: &str, replace: &str) -> Result<String, String> {
    match text.matches(find).count() {
        1 => Ok(text.replacen(find, replace, 1)),
        0 => Err("`find` does not occur in it: read it again and copy the text exactly".to_owned()),
        n => Err(format!(
            "`find` occurs {n} times in it: add lines around it until it occurs once"
        )),
    }
}

/// Puts the new content into the lane's copy.
fn put(lane: &Lane, place: &Place, new: &[u8]) -> Result<(), ToolError> {
    let tree = lane.tree()?;
    let put = || {
        if let Some(parent) = place.parent() {
            tree.create_dir_all(parent)?;
        }
        match tree.remove_file(place.path()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        create_file(&tree, place.path(), None)?.write_all(new)
    };
    put().map_err(|error| failed(place, &error))
}

/// A formatter for one language leaves the files of others alone; one we do not know gets all.
fn formats(format: &[String], place: &Place) -> bool {
    let program = format.first().map(Path::new).and_then(Path::file_name);
    match program.and_then(|name| name.to_str()) {
        Some("rustfmt") => place.extension() == Some("rs"),
        Some("gofmt") => place.extension() == Some("go"),
        _ => true,
    }
}

fn refused(place: &Place, who: &str, finished: &Finished, tree: &Path) -> ToolError {
    let said = if finished.stderr.is_empty() {
        finished.stdout.text()
    } else {
        finished.stderr.text()
    };
    let how = finished.how_it_ended();
    untouched(place, &format!("{who} {how}:\n{}", steady(&said, tree)))
}

/// An error of a patch that was not made.
fn untouched(place: &Place, problem: &str) -> ToolError {
    ToolError::Failed(format!("{} was not changed: {problem}", place.as_str()))
}

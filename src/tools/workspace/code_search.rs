//! `code_search {pattern, globs?, ignore_case?}`: the lines that a regular expression matches.

use std::fmt::Write;
use std::io;
use std::path::Path;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use globset::GlobSet;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::sinks::Lossy;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};

use super::args::Args;
use super::code_list::{globs, left_out};
use super::files::{FILE_LIMIT, open_file};
use super::folder::{Folder, Stop, on_folder};
use super::output::{ANSWER_LIMIT, cut, shown};
use super::walk::{Kind, Pass, walk};
use crate::run::{Answer, CallContext, Tool, ToolError};

/// Bytes of a matching line that are shown.
const LINE_LIMIT: usize = 512;

/// Searches files: one line a match, `path:line:text`, in the order of paths and lines. It passes
/// over what [`super::CodeList`] passes over, and binary files.
#[derive(Clone, Debug)]
pub struct CodeSearch {
    folder: Arc<Folder>,
}

impl CodeSearch {
    /// The tool on this workspace.
    #[must_use]
    pub const fn new(folder: Arc<Folder>) -> Self {
        Self { folder }
    }
}

impl Tool for CodeSearch {
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        let folder = Arc::clone(&self.folder);
        async move {
            let fields = ["pattern", "globs", "ignore_case"];
            let args = Args::read("code_search", &fields, &context.request.args)?;
            let matcher = RegexMatcherBuilder::new()
                .case_insensitive(args.flag("ignore_case")?)
                .line_terminator(Some(b'\n'))
                .build(args.text("pattern")?)
                .map_err(|error| {
                    let problem = format!("{error}; allowed: a regular expression for one line");
                    args.refuse("pattern", &problem)
                })?;
            let globs = globs(&args)?;
            on_folder(&folder, &context.cancel, move |folder, stop| {
                search(folder, &matcher, globs.as_ref(), stop)
            })
            .await
        }
        .boxed()
    }
}

/// Matching lines so far.
#[derive(Default)]
struct Matches {
    text: String,
    more: usize,
}

impl Matches {
    fn add(&mut self, path: &Path, number: u64, line: &str) {
        if self.text.len() >= ANSWER_LIMIT {
            self.more += 1;
            return;
        }
        let (line, dropped) = cut(line.trim_end_matches(['\r', '\n']), LINE_LIMIT);
        let _ = write!(self.text, "{}:{number}:{line}", shown(path));
        if dropped > 0 {
            let _ = write!(self.text, " [{dropped} more bytes]");
        }
        self.text.push('\n');
    }
}

fn search(
    folder: &Folder,
    matcher: &RegexMatcher,
    globs: Option<&GlobSet>,
    stop: &Stop,
) -> Result<Answer, ToolError> {
    let found = walk(folder.dir(), Pass::Hidden, stop)?;
    let mut searcher = SearcherBuilder::new()
        .line_number(true)
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(usize::try_from(FILE_LIMIT).ok())
        .build();
    let (mut matches, mut files, mut unread) = (Matches::default(), 0usize, 0usize);
    for entry in &found.entries {
        stop.check()?;
        let Kind::File { bytes, .. } = entry.kind else {
            continue;
        };
        if globs.is_some_and(|globs| !globs.is_match(&entry.path)) {
            continue;
        }
        if bytes > FILE_LIMIT {
            unread += 1;
            continue;
        }
        match search_file(
            folder,
            &mut searcher,
            matcher,
            &entry.path,
            &mut matches,
            stop,
        ) {
            Ok(()) => files += 1,
            Err(_) => {
                stop.check()?;
                unread += 1;
            }
        }
    }
    let Matches { mut text, more } = matches;
    if text.is_empty() {
        let _ = writeln!(text, "no match in {files} files");
    }
    if more > 0 {
        let _ = writeln!(text, "[{more} more matches: narrow `pattern` or `globs`]");
    }
    if unread > 0 {
        let _ = writeln!(text, "[{unread} files were too large or could not be read]");
    }
    text.push_str(&left_out(&found));
    Ok(Answer::text(text))
}

fn search_file(
    folder: &Folder,
    searcher: &mut Searcher,
    matcher: &RegexMatcher,
    path: &Path,
    matches: &mut Matches,
    stop: &Stop,
) -> io::Result<()> {
    let (file, _) = open_file(folder.dir(), path)?;
    let sink = Lossy(|number, line| {
        matches.add(path, number, line);
        Ok(stop.check().is_ok())
    });
    searcher.search_reader(matcher, file, sink)
}

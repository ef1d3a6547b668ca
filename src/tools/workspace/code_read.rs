//! `code_read {path, from?, lines?}`: a file's text, or some of its lines.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::args::Args;
use super::folder::{Folder, on_folder};
use super::output::{ANSWER_LIMIT, cut};
use crate::run::{Answer, CallContext, Tool, ToolError};

/// Reads a file, invalid UTF-8 replaced. Where that is not all of it, a last line says so.
#[derive(Clone, Debug)]
pub struct CodeRead {
    folder: Arc<Folder>,
}

impl CodeRead {
    /// The tool on this workspace.
    #[must_use]
    pub const fn new(folder: Arc<Folder>) -> Self {
        Self { folder }
    }
}

impl Tool for CodeRead {
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        let folder = Arc::clone(&self.folder);
        async move {
            let fields = ["path", "from", "lines"];
            let args = Args::read("code_read", &fields, &context.request.args)?;
            let place = args.place("path")?;
            let from = args.count("from")?.unwrap_or(1);
            let lines = args.count("lines")?.unwrap_or(usize::MAX);
            on_folder(&folder, &context.cancel, move |folder, _| {
                let content = folder.read_existing(&place)?;
                let text = String::from_utf8_lossy(&content.bytes);
                excerpt(&text, from, lines).map_err(|all| {
                    let path = place.as_str();
                    ToolError::BadArgs(format!(
                        "code_read: `from`: {path} has {all} lines; give 1 to {all}"
                    ))
                })
            })
            .await
            .map(Answer::text)
        }
        .boxed()
    }
}

/// Lines from number `from` on; the number of lines there are where that is beyond the last.
fn excerpt(text: &str, from: usize, lines: usize) -> Result<String, usize> {
    let all = text.lines().count();
    if from > all.max(1) {
        return Err(all);
    }
    let mut part = String::new();
    let mut last = from - 1;
    for line in text.split_inclusive('\n').skip(from - 1).take(lines) {
        let (line, dropped) = cut(line, ANSWER_LIMIT);
        if part.len() + line.len() > ANSWER_LIMIT && !part.is_empty() {
            break;
        }
        part.push_str(line);
        if dropped > 0 {
            part.push_str(&format!("\n[{dropped} more bytes in this line]\n"));
        }
        last += 1;
    }
    if from > 1 || last < all {
        if !part.is_empty() && !part.ends_with('\n') {
            part.push('\n');
        }
        part.push_str(&format!("[lines {from} to {last} of {all}]\n"));
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_file_is_given_as_it_is() {
        for text in ["", "a", "a\n", "a\nb", "\n\n"] {
            assert_eq!(excerpt(text, 1, usize::MAX), Ok(text.to_owned()));
        }
    }

    #[test]
    fn a_part_says_which_part_it_is() {
        let text = "a\nb\nc";
        let part = |from, lines| excerpt(text, from, lines);
        assert_eq!(part(2, 1), Ok("b\n[lines 2 to 2 of 3]\n".to_owned()));
        assert_eq!(part(3, 9), Ok("c\n[lines 3 to 3 of 3]\n".to_owned()));
        assert_eq!(part(4, 1), Err(3));
    }

    #[test]
    fn a_long_file_ends_at_a_line_and_says_where() {
        let text = "x".repeat(99_999) + "\n";
        let part = excerpt(&text.repeat(5), 1, usize::MAX).unwrap_or_default();
        assert!(part.len() < ANSWER_LIMIT + 100);
        assert!(part.ends_with("x\n[lines 1 to 2 of 5]\n"));
        let part = excerpt(&"x".repeat(1_000_000), 1, usize::MAX).unwrap_or_default();
        assert!(part.ends_with("\n[737856 more bytes in this line]\n"));
    }
}

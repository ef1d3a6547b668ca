//! Answers: bounded, and without the parts that differ from run to run.

use std::borrow::Cow;
use std::path::Path;

/// Bytes of an answer after which a tool stops adding to it.
pub(super) const ANSWER_LIMIT: usize = 256 * 1024;

/// A path as a line of an answer shows it. A name with control characters is quoted: it must
/// not pass for two.
pub(super) fn shown(path: &Path) -> Cow<'_, str> {
    let text = path.to_string_lossy();
    if text.chars().any(char::is_control) {
        Cow::Owned(format!("{path:?}"))
    } else {
        text
    }
}

/// At most `limit` bytes of `text`, cut between characters, and how many bytes that leaves out.
pub(super) fn cut(text: &str, limit: usize) -> (&str, usize) {
    if text.len() <= limit {
        return (text, 0);
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    (&text[..end], text.len() - end)
}

/// What a build or test command wrote, as the same work writes it every time.
///
/// 1. `folder`, where the command ran, is taken out of paths;
/// 2. test times (`; finished in 0.02s`, `all doctests ran in 0.31s; ...`) are taken out;
/// 3. so are thread numbers in panic messages (`thread 'name' (4711) panicked at`).
pub(super) fn steady(text: &str, folder: &Path) -> String {
    let folder = folder.to_string_lossy();
    let text = text
        .replace(&format!("{folder}/"), "")
        .replace(folder.as_ref(), ".");
    let mut steady = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (body, end) = match line.strip_suffix('\n') {
            Some(body) => (body, "\n"),
            None => (line, ""),
        };
        if body.starts_with("all doctests ran in ") {
            continue;
        }
        let body = match body.rsplit_once("; finished in ") {
            Some((result, _)) if body.starts_with("test result: ") => result,
            _ => body,
        };
        match thread_number(body) {
            Some((before, after)) => {
                steady.push_str(before);
                steady.push_str(after);
            }
            None => steady.push_str(body),
        }
        steady.push_str(end);
    }
    steady
}

/// The parts of a panic's line around ` (4711)`.
fn thread_number(line: &str) -> Option<(&str, &str)> {
    let (name, _) = line.strip_prefix("thread '")?.rsplit_once("' (")?;
    let before = "thread '".len() + name.len() + 1;
    let (number, after) = line[before + 2..].split_once(')')?;
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    (is_number && after.starts_with(" panicked at ")).then(|| (&line[..before], after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_run_to_run_is_taken_out() {
        let text = "running 2 tests\n\
            test result: ok. 2 passed; 0 failed; finished in 0.02s\n\
            all doctests ran in 0.31s; merged doctests compilation took 0.20s\n\
            thread 'a (b)::c' (4711) panicked at /w/tree/src/lib.rs:3:5:\n\
            thread 'main' panicked at x\n\
            in /w/tree";
        assert_eq!(
            steady(text, Path::new("/w/tree")),
            "running 2 tests\n\
             test result: ok. 2 passed; 0 failed\n\
             thread 'a (b)::c' panicked at src/lib.rs:3:5:\n\
             thread 'main' panicked at x\n\
             in ."
        );
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("aé", 3), ("aé", 0));
        assert_eq!(cut("aé", 2), ("a", 2));
        assert_eq!(cut("é", 0), ("", 2));
    }
}

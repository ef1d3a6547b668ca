//! What an edit changes, read from the names of a call's arguments, whatever the tool is called.

use std::borrow::Cow;

use serde_json::value::RawValue;
use similar::{Algorithm, ChangeTag, TextDiff};

use super::skin::Ink;
use crate::trace::json;

/// Names for what is taken away and what is put there.
const PAIRS: [(&str, &str); 10] = [
    ("old_string", "new_string"),
    ("old_str", "new_str"),
    ("old_text", "new_text"),
    ("oldString", "newString"),
    ("oldText", "newText"),
    ("find", "replace"),
    ("search", "replace"),
    ("before", "after"),
    ("original", "updated"),
    ("old", "new"),
];
/// Names for all of a file, of a call that names the file too.
const WHOLE: [&str; 4] = ["content", "contents", "file_text", "new_content"];
const PATHS: [&str; 6] = [
    "file_path",
    "path",
    "filePath",
    "file",
    "filename",
    "target_file",
];
/// Names for a patch that is text.
const PATCHES: [&str; 4] = ["patch", "diff", "input", "patch_text"];
/// Names for several edits of one file.
const LISTS: [&str; 3] = ["edits", "changes", "replacements"];
/// Unchanged lines around a change.
const AROUND: usize = 3;
/// More lines than this against each other are not compared: all old ones go, all new ones come.
const COMPARED: usize = 4_000_000;

/// Lines with their ink; the sign in front says the same.
pub(super) type Lines = Vec<(Ink, String)>;

/// The change that arguments describe, not sanitised yet; `None` where they describe none.
pub(super) fn diff(args: &str) -> Option<Lines> {
    if is_patch(args) {
        return Some(patch(args));
    }
    if !args.trim_start().starts_with('{') {
        return None;
    }
    let mut lines = heading(args);
    let changes = lines.len();
    if let Some(list) = first_of(args, &LISTS) {
        for item in json::items(list.get()).ok()? {
            lines.extend(pair(item.get()).unwrap_or_default());
        }
    }
    if lines.len() == changes {
        lines.extend(
            pair(args)
                .or_else(|| patch_in(args))
                .or_else(|| whole(args))?,
        );
    }
    Some(lines)
}

/// The file that is changed.
fn heading(args: &str) -> Lines {
    let path = first_of(args, &PATHS).and_then(|path| json::string(path.get()));
    path.into_iter()
        .map(|path| (Ink::Strong, path.into_owned()))
        .collect()
}

fn field<'a>(object: &'a str, name: &str) -> Option<&'a RawValue> {
    let [value] = json::fields(object, [name]).ok()?;
    value
}

fn first_of<'a>(object: &'a str, names: &[&str]) -> Option<&'a RawValue> {
    names.iter().find_map(|name| field(object, name))
}

fn text<'a>(object: &'a str, name: &str) -> Option<Cow<'a, str>> {
    json::string(field(object, name)?.get())
}

fn pair(object: &str) -> Option<Lines> {
    PAIRS.iter().find_map(|(old, new)| {
        let (old, new) = (text(object, old)?, text(object, new)?);
        Some(compared(&old, &new))
    })
}

fn patch_in(args: &str) -> Option<Lines> {
    let named = PATCHES.iter().find_map(|name| text(args, name));
    let named = named.filter(|text| is_patch(text));
    // A shell form holds the patch as the last word of a command.
    let word = || {
        let words = json::items(field(args, "command")?.get()).ok()?;
        json::string(words.last()?.get()).filter(|text| is_patch(text))
    };
    named.or_else(word).map(|text| patch(&text))
}

fn whole(args: &str) -> Option<Lines> {
    first_of(args, &PATHS)?;
    let content = WHOLE.iter().find_map(|name| text(args, name))?;
    let note = "all of the file; what stood there before is not in the call";
    let new = content.lines().map(|line| (Ink::Good, format!("+ {line}")));
    Some(
        std::iter::once((Ink::Dim, note.to_owned()))
            .chain(new)
            .collect(),
    )
}

fn is_patch(text: &str) -> bool {
    let text = text.trim_start();
    let starts = ["*** Begin Patch", "diff --git ", "--- ", "Index: "];
    starts.iter().any(|start| text.starts_with(start))
        && (text.starts_with("***") || text.contains("\n@@"))
}

fn patch(text: &str) -> Lines {
    let ink = |line: &str| match line.as_bytes() {
        [b'*', b'*', b'*', ..] | [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => Ink::Strong,
        [b'+', ..] => Ink::Good,
        [b'-', ..] => Ink::Failed,
        [b'@', b'@', ..] => Ink::Dim,
        _ => Ink::Text,
    };
    text.lines()
        .map(|line| (ink(line), line.to_owned()))
        .collect()
}

fn compared(old: &str, new: &str) -> Lines {
    let (before, after) = (old.lines().count(), new.lines().count());
    if before.saturating_mul(after) > COMPARED {
        let old = old.lines().map(|line| (Ink::Failed, format!("- {line}")));
        let new = new.lines().map(|line| (Ink::Good, format!("+ {line}")));
        return old.chain(new).collect();
    }
    let mut config = TextDiff::configure();
    let diff = config
        .algorithm(Algorithm::Myers)
        .newline_terminated(true)
        .diff_lines(old, new);
    let mut lines = Lines::new();
    for group in diff.grouped_ops(AROUND) {
        lines.push((Ink::Dim, "@@".to_owned()));
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let line = change.value().trim_end_matches(['\n', '\r']);
            lines.push(match change.tag() {
                ChangeTag::Delete => (Ink::Failed, format!("- {line}")),
                ChangeTag::Insert => (Ink::Good, format!("+ {line}")),
                ChangeTag::Equal => (Ink::Text, format!("  {line}")),
            });
        }
    }
    if lines.is_empty() {
        lines.push((Ink::Dim, "old and new are the same".to_owned()));
    }
    lines
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn shown(args: &str) -> Vec<String> {
        let lines = diff(args).unwrap();
        lines.into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn old_and_new_strings_become_removed_and_added_lines() {
        let args = r#"{"file_path":"src/a.rs","old_string":"a\nb\nc","new_string":"a\nB\nc"}"#;
        assert_eq!(shown(args), ["src/a.rs", "@@", "  a", "- b", "+ B", "  c"]);
        let args = r#"{"path":"a","find":"x","replace":"y"}"#;
        assert_eq!(shown(args), ["a", "@@", "- x", "+ y"]);
    }

    #[test]
    fn several_edits_of_a_file_follow_one_another() {
        let args = r#"{"file_path":"f","edits":[{"old_string":"1","new_string":"2"},{"old_string":"3","new_string":""}]}"#;
        assert_eq!(shown(args), ["f", "@@", "- 1", "+ 2", "@@", "- 3"]);
    }

    #[test]
    fn a_whole_file_and_a_patch_are_changes_too() {
        let lines = shown(r#"{"file_path":"f","content":"one\ntwo"}"#);
        assert_eq!(lines[2..], ["+ one", "+ two"]);
        assert!(lines[1].contains("not in the call"));
        let patch = r#"{"input":"*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch"}"#;
        assert_eq!(shown(patch)[3..5], ["-a", "+b"]);
        let shell = r#"{"command":["apply_patch","*** Begin Patch\n-a\n+b"]}"#;
        assert_eq!(shown(shell)[1..], ["-a", "+b"]);
        assert_eq!(
            shown("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y")[3..],
            ["-x", "+y"]
        );
    }

    #[test]
    fn other_arguments_describe_no_change() {
        for args in [
            "",
            "ls -l",
            r#"{"command":"ls"}"#,
            r#"{"content":"a message"}"#,
            r#"{"input":"just words"}"#,
            r#"{"old_string":1,"new_string":2}"#,
            r#"{"file_path":"f","old_string":"cut of"#,
            "[1,2]",
        ] {
            assert_eq!(diff(args), None, "{args}");
        }
    }

    #[test]
    fn texts_too_long_to_compare_are_taken_away_and_put_there() {
        let (old, new) = ("a\n".repeat(3_000), "b\n".repeat(3_000));
        let lines = compared(&old, &new);
        assert_eq!(lines.len(), 6_000);
        assert_eq!(lines[0].1, "- a");
    }
}

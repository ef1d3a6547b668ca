//! The coding tools read, search and change one folder, and never anything outside it.
#![cfg(all(feature = "run", unix))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod tools_support;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;
use tools_support::{
    Answered, bad_args, call, context, eventually, failure, pid_in, plain, runs, text, with,
};
use turnlane::model::RunWith;
use turnlane::run::ToolError;
use turnlane::tools::workspace::fresh_copy;
use turnlane::tools::{BuildError, tool_for};

const TOOLS: [&str; 6] = [
    "code_list",
    "code_read",
    "code_search",
    "code_patch",
    "run_tests",
    "final_answer",
];

/// A workspace `w` in a folder that also holds a file which is nobody's business.
fn workspace() -> (TempDir, std::path::PathBuf) {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("w");
    fs::create_dir_all(root.join("src")).unwrap();
    fs::write(root.join("src/a.txt"), "one\ntwo\nthree\n").unwrap();
    fs::write(root.join("readme.md"), "# Two\n").unwrap();
    fs::write(outer.path().join("secret"), "secret two\n").unwrap();
    (outer, root)
}

async fn ask(tool: &str, root: &Path, args: serde_json::Value) -> Answered {
    call(&*plain(tool, root), &args.to_string()).await
}

fn read(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).unwrap()
}

/// Every file below a folder but `target`, with its content.
fn contents(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (kind, path) = (entry.file_type().unwrap(), entry.path());
            if kind.is_dir() && entry.file_name() != "target" {
                waiting.push(path);
            } else if kind.is_file() {
                files.push((path.display().to_string(), fs::read(path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_listed_with_their_sizes_in_order() {
    let (_outer, root) = workspace();
    for hidden in [".hidden", "src/skip.log", "made/out.txt"] {
        fs::create_dir_all(root.join(hidden).parent().unwrap()).unwrap();
        fs::write(root.join(hidden), "").unwrap();
    }
    fs::write(root.join(".gitignore"), "*.log\n/made/\n").unwrap();
    fs::create_dir_all(root.join("target/debug")).unwrap();
    fs::write(root.join("target/debug/out"), "").unwrap();
    let all = ask("code_list", &root, json!({})).await;
    assert_eq!(text(all), "6\treadme.md\n14\tsrc/a.txt\n");
    let some = ask("code_list", &root, json!({"globs": ["src/**", "*.rs"]})).await;
    assert_eq!(text(some), "14\tsrc/a.txt\n");
    let none = ask("code_list", &root, json!({"globs": "*.txt"})).await;
    assert_eq!(text(none), "no file\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_inner_ignore_file_overrules_an_outer_one() {
    let (_outer, root) = workspace();
    fs::write(root.join(".gitignore"), "*.txt\n").unwrap();
    fs::write(root.join("src/.gitignore"), "!a.txt\n/sub/b.md\n").unwrap();
    fs::create_dir(root.join("src/sub")).unwrap();
    for file in ["b.txt", "src/b.txt", "src/sub/a.txt", "src/sub/b.md"] {
        fs::write(root.join(file), "").unwrap();
    }
    let all = text(ask("code_list", &root, json!({})).await);
    assert_eq!(all, "6\treadme.md\n14\tsrc/a.txt\n0\tsrc/sub/a.txt\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_read_whole_or_by_lines() {
    let (_outer, root) = workspace();
    let whole = ask("code_read", &root, json!({"path": "./src/../src/a.txt"})).await;
    assert_eq!(text(whole), "one\ntwo\nthree\n");
    let part = ask(
        "code_read",
        &root,
        json!({"path": "src/a.txt", "from": 2, "lines": 1}),
    )
    .await;
    assert_eq!(text(part), "two\n[lines 2 to 2 of 3]\n");
    let error = bad_args(ask("code_read", &root, json!({"path": "src/a.txt", "from": 9})).await);
    assert!(
        error.contains("`from`") && error.contains("1 to 3"),
        "{error}"
    );
    let error = failure(ask("code_read", &root, json!({"path": "src/b.txt"})).await);
    assert!(error.contains("src/b.txt does not exist"), "{error}");
    let error = failure(ask("code_read", &root, json!({"path": "src"})).await);
    assert!(error.contains("folder"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn matching_lines_are_found_in_order() {
    let (_outer, root) = workspace();
    fs::write(root.join("binary"), b"two\0two").unwrap();
    let found = ask(
        "code_search",
        &root,
        json!({"pattern": "t[wh]", "ignore_case": true}),
    )
    .await;
    assert_eq!(
        text(found),
        "readme.md:1:# Two\nsrc/a.txt:2:two\nsrc/a.txt:3:three\n"
    );
    let found = ask(
        "code_search",
        &root,
        json!({"pattern": "two", "globs": ["*.md"]}),
    )
    .await;
    assert_eq!(text(found), "no match in 1 files\n");
    let error = bad_args(ask("code_search", &root, json!({"pattern": "(two"})).await);
    assert!(error.contains("`pattern`"), "{error}");
    bad_args(ask("code_search", &root, json!({"pattern": "a\nb"})).await);
    bad_args(ask("code_search", &root, json!({"pattern": "a{999999999}"})).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_patch_changes_the_one_place_it_names() {
    let (_outer, root) = workspace();
    fs::set_permissions(root.join("src/a.txt"), fs::Permissions::from_mode(0o751)).unwrap();
    let patch = json!({"path": "src/a.txt", "find": "two", "replace": "2"});
    let answer = text(ask("code_patch", &root, patch.clone()).await);
    assert_eq!(answer, "src/a.txt: 12 bytes written");
    assert_eq!(read(&root, "src/a.txt"), "one\n2\nthree\n");
    let mode = fs::metadata(root.join("src/a.txt"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o751);
    let error = failure(ask("code_patch", &root, patch).await);
    assert!(error.contains("does not occur"), "{error}");
    let twice = json!({"path": "src/a.txt", "find": "e\n", "replace": ""});
    let error = failure(ask("code_patch", &root, twice).await);
    assert!(error.contains("occurs 2 times"), "{error}");
    assert_eq!(read(&root, "src/a.txt"), "one\n2\nthree\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_file_is_written_with_the_folders_it_needs() {
    let (_outer, root) = workspace();
    for path in ["new.txt", "deep/er/new.txt", "src/a.txt"] {
        text(ask("code_patch", &root, json!({"path": path, "content": "x"})).await);
        assert_eq!(read(&root, path), "x");
    }
    let files = contents(&root);
    assert_eq!(files.len(), 4, "nothing else stays: {files:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_no_text_is_not_patched() {
    let (_outer, root) = workspace();
    fs::write(root.join("b"), b"two\xff").unwrap();
    let patch = json!({"path": "b", "find": "two", "replace": "2"});
    let error = failure(ask("code_patch", &root, patch).await);
    assert!(error.contains("not UTF-8"), "{error}");
    assert_eq!(fs::read(root.join("b")).unwrap(), b"two\xff");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_path_leads_out_of_the_workspace() {
    let (outer, root) = workspace();
    let secret = outer.path().join("secret");
    symlink(&secret, root.join("absolute")).unwrap();
    symlink("../secret", root.join("relative")).unwrap();
    symlink("..", root.join("up")).unwrap();
    symlink("/", root.join("src/top")).unwrap();
    symlink("../new", root.join("dangling")).unwrap();
    symlink("src/a.txt", root.join("inner")).unwrap();
    symlink("src", root.join("alias")).unwrap();
    let before = contents(outer.path());
    for path in [
        secret.to_str().unwrap(),
        "../secret",
        "src/../../secret",
        "up/secret",
        "up/w/src/a.txt",
        "absolute",
        "relative",
        "src/top/etc/passwd",
        "dangling",
        "inner",
        "alias/a.txt",
        "target/x",
        ".git/hooks/post-commit",
    ] {
        for (tool, args) in [
            ("code_read", json!({"path": path})),
            ("code_patch", json!({"path": path, "content": "mine"})),
            (
                "code_patch",
                json!({"path": path, "find": "secret", "replace": "mine"}),
            ),
        ] {
            let refused = ask(tool, &root, args).await.unwrap_err();
            assert!(
                matches!(refused, ToolError::BadArgs(_) | ToolError::Failed(_)),
                "{tool} {path}: {refused:?}"
            );
            assert!(!refused.to_string().contains("secret two"), "{refused}");
        }
    }
    assert_eq!(contents(outer.path()), before);
    assert!(!outer.path().join("new").exists());
    let found = text(ask("code_search", &root, json!({"pattern": "secret|root:"})).await);
    assert!(found.starts_with("no match"), "{found}");
    let listed = text(ask("code_list", &root, json!({})).await);
    assert_eq!(listed, "6\treadme.md\n14\tsrc/a.txt\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn build_output_does_not_follow_a_link_either() {
    for name in ["target", "target/turnlane", "target/turnlane/check-0"] {
        for inside in [false, true] {
            let (outer, root) = workspace();
            let elsewhere = if inside { &root } else { outer.path() }.join("elsewhere");
            fs::create_dir(&elsewhere).unwrap();
            let link = root.join(name);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            let up = "../".repeat(name.matches('/').count());
            let to = if inside {
                Path::new(&up).join("elsewhere")
            } else {
                elsewhere.clone()
            };
            symlink(to, &link).unwrap();
            assert!(link.is_dir());
            let patch = json!({"path": "b", "content": "x"});
            let error = failure(ask("code_patch", &root, patch).await);
            assert!(error.contains("target/turnlane"), "{error}");
            assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0, "{name}");
            assert!(!root.join("b").exists());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn links_planted_in_the_staged_copy_lead_nowhere() {
    let (outer, root) = workspace();
    let patch = |n: u32| json!({"path": "src/a.txt", "content": n.to_string()});
    text(ask("code_patch", &root, patch(1)).await);
    let tree = root.join("target/turnlane/check-0/tree");
    assert_eq!(read(&tree, "readme.md"), "# Two\n");
    for (at, to) in [
        ("readme.md", outer.path().join("secret")),
        ("src", outer.path().to_owned()),
        ("more", outer.path().to_owned()),
    ] {
        let _ = fs::remove_file(tree.join(at));
        let _ = fs::remove_dir_all(tree.join(at));
        symlink(to, tree.join(at)).unwrap();
    }
    text(ask("code_patch", &root, patch(2)).await);
    assert_eq!(read(outer.path(), "secret"), "secret two\n");
    assert!(!outer.path().join("a.txt").exists());
    assert_eq!(read(&tree, "readme.md"), "# Two\n");
    assert!(!tree.join("more").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn pipes_and_endless_files_hold_no_tool_up() {
    let (_outer, root) = workspace();
    for path in ["src/.gitignore", "pipe"] {
        let made = std::process::Command::new("mkfifo")
            .arg(root.join(path))
            .status();
        assert!(made.unwrap().success());
    }
    symlink("/dev/zero", root.join(".gitignore")).unwrap();
    fs::File::create(root.join("sparse"))
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    for path in ["pipe", "sparse"] {
        failure(ask("code_read", &root, json!({"path": path})).await);
        failure(
            ask(
                "code_patch",
                &root,
                json!({"path": path, "find": "a", "replace": ""}),
            )
            .await,
        );
    }
    let listed = text(ask("code_list", &root, json!({})).await);
    assert!(listed.contains("1099511627776\tsparse\n"), "{listed}");
    let found = text(ask("code_search", &root, json!({"pattern": "two"})).await);
    assert_eq!(
        found,
        "src/a.txt:2:two\n[1 files were too large or could not be read]\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_with_a_newline_does_not_pass_for_two() {
    let (_outer, root) = workspace();
    fs::write(root.join("x\n9\ty"), "two").unwrap();
    let listed = text(ask("code_list", &root, json!({})).await);
    assert!(listed.contains("3\t\"x\\n9\\ty\"\n"), "{listed}");
    let found = text(ask("code_search", &root, json!({"pattern": "two"})).await);
    assert!(found.contains("\"x\\n9\\ty\":1:two\n"), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_that_is_gone_is_fatal_for_every_tool() {
    let args = |tool: &str| match tool {
        "code_read" => json!({"path": "src/a.txt"}),
        "code_search" => json!({"pattern": "x"}),
        "code_patch" => json!({"path": "src/a.txt", "content": "x"}),
        "final_answer" => json!({"answer": "x"}),
        _ => json!({}),
    };
    for replaced in [false, true] {
        let (outer, root) = workspace();
        let tools = TOOLS.map(|tool| (tool, plain(tool, &root)));
        let moved = outer.path().join("moved");
        fs::rename(&root, &moved).unwrap();
        if replaced {
            symlink(&moved, &root).unwrap();
        }
        for (name, tool) in tools {
            let ended = call(&*tool, &args(name).to_string()).await;
            assert!(
                matches!(ended, Err(ToolError::Fatal(_))),
                "{name}: {ended:?}"
            );
        }
        assert_eq!(read(&moved, "src/a.txt"), "one\ntwo\nthree\n");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tests_that_remove_the_workspace_are_fatal() {
    let (_outer, root) = workspace();
    let tool = with("run_tests", &["sh", "-c", "rm -rf \"$PWD\""], &[], &root);
    let ended = call(&*tool, "").await;
    assert!(matches!(ended, Err(ToolError::Fatal(_))), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_arguments_name_the_field_and_what_is_allowed() {
    let (_outer, root) = workspace();
    for (tool, args, words) in [
        ("code_list", "[]", ["JSON object", "code_list"]),
        ("code_list", "{", ["no JSON", "code_list"]),
        (
            "code_list",
            r#"{"globs": 3}"#,
            ["`globs`", "list of strings"],
        ),
        ("code_list", r#"{"globs": "[a"}"#, ["`globs`", "allowed"]),
        ("code_read", r#"{"pth": "x"}"#, ["`pth`", "`path`"]),
        ("code_read", "", ["`path`", "missing"]),
        ("code_read", r#"{"path": 3}"#, ["`path`", "string"]),
        ("code_read", r#"{"path": "/x"}"#, ["`path`", "relative"]),
        (
            "code_read",
            r#"{"path": "x", "from": 0}"#,
            ["`from`", "from 1"],
        ),
        (
            "code_read",
            r#"{"path": "x", "lines": 1.5}"#,
            ["`lines`", "whole number"],
        ),
        (
            "code_search",
            r#"{"pattern": "x", "ignore_case": 1}"#,
            ["`ignore_case`", "true or false"],
        ),
        ("code_patch", r#"{"path": "x"}"#, ["`find`", "`content`"]),
        (
            "code_patch",
            r#"{"path": "x", "find": "x"}"#,
            ["`replace`", "missing"],
        ),
        (
            "code_patch",
            r#"{"path": "x", "find": "", "replace": ""}"#,
            ["`find`", "empty"],
        ),
        (
            "code_patch",
            r#"{"path": "x", "find": "x", "content": ""}"#,
            ["`find`", "either"],
        ),
        ("run_tests", r#"{"only": "x"}"#, ["`only`", "none"]),
        ("final_answer", "{}", ["`answer`", "missing"]),
    ] {
        let error = bad_args(call(&*plain(tool, &root), args).await);
        for word in words {
            assert!(error.contains(word), "{tool} {args}: {error}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_formatter_or_check_that_refuses_leaves_the_file_as_it_was() {
    let patch = json!({"path": "src/a.txt", "content": "new"}).to_string();
    let refuse = ["sh", "-c", "echo why >&2; exit 1"];
    let flood = ["sh", "-c", "head -c 20000000 /dev/zero"];
    for (format, check, why) in [
        (
            &refuse[..],
            &[][..],
            "the formatter ended with exit code 1:\nwhy",
        ),
        (&[], &refuse, "the check ended with exit code 1:\nwhy"),
        (&["true"], &[], "gave nothing back"),
        (&flood, &[], "too long"),
        (&["no-such-formatter"], &[], "no-such-formatter"),
    ] {
        let (_outer, root) = workspace();
        let before = contents(&root);
        let error = failure(call(&*with("code_patch", format, check, &root), &patch).await);
        assert!(error.contains(why), "{error}");
        assert_eq!(contents(&root), before, "{why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_check_sees_the_formatted_file_beside_all_others() {
    let (_outer, root) = workspace();
    let check = [
        "sh",
        "-c",
        "test \"$(cat src/a.txt readme.md)\" = \"X # Two\"",
    ];
    let format = ["sh", "-c", "tr -d '\\n' | tr x X; printf ' '"];
    let tool = with("code_patch", &format, &check, &root);
    let patch = |content| json!({"path": "src/a.txt", "content": content}).to_string();
    let answer = text(call(&*tool, &patch("x\n")).await);
    assert_eq!(answer, "src/a.txt: 2 bytes written, formatted and checked");
    assert_eq!(read(&root, "src/a.txt"), "X ");
    failure(call(&*tool, &patch("y\n")).await);
    assert_eq!(read(&root, "src/a.txt"), "X ");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_patch_against_an_old_revision_is_a_conflict() {
    let (outer, root) = workspace();
    let (ready, go) = (outer.path().join("ready"), outer.path().join("go"));
    let check = format!(
        "touch '{}'; while ! test -e '{}'; do sleep 0.01; done",
        ready.display(),
        go.display()
    );
    let slow = with("code_patch", &[], &["sh", "-c", &check], &root);
    let patch = json!({"path": "src/a.txt", "find": "two", "replace": "2"}).to_string();
    let slow = tokio::spawn(slow.call(context(&patch).0));
    eventually("the check runs", || ready.exists());
    let quick = json!({"path": "src/a.txt", "find": "one", "replace": "1"});
    text(ask("code_patch", &root, quick).await);
    fs::write(go, "").unwrap();
    let ended = slow.await.unwrap();
    assert!(matches!(ended, Err(ToolError::Conflict(_))), "{ended:?}");
    assert_eq!(read(&root, "src/a.txt"), "1\ntwo\nthree\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_aborted_check_dies_and_changes_nothing() {
    let (outer, root) = workspace();
    let file = outer.path().join("pid");
    let check = format!(
        "echo $$ >'{}'; while :; do sleep 1000; done",
        file.display()
    );
    let tool = with("code_patch", &[], &["sh", "-c", &check], &root);
    let patch = json!({"path": "src/a.txt", "content": "new"}).to_string();
    let body = tokio::spawn(tool.call(context(&patch).0));
    let pid = pid_in(&file);
    body.abort();
    assert!(body.await.unwrap_err().is_cancelled());
    eventually("the check is dead", || !runs(pid));
    assert_eq!(read(&root, "src/a.txt"), "one\ntwo\nthree\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_acknowledges_a_cancel() {
    let (outer, root) = workspace();
    for (tool, args) in [
        ("code_list", json!({})),
        ("code_read", json!({"path": "src/a.txt"})),
        ("code_search", json!({"pattern": "x"})),
        ("code_patch", json!({"path": "src/a.txt", "content": "x"})),
        ("run_tests", json!({})),
        ("final_answer", json!({"answer": "x"})),
    ] {
        let (context, cancel) = context(&args.to_string());
        cancel.cancel();
        let ended = plain(tool, &root).call(context).await;
        assert_eq!(ended, Err(ToolError::Cancelled), "{tool}");
    }
    let file = outer.path().join("pid");
    let slow = format!(
        "echo $$ >'{}'; while :; do sleep 1000; done",
        file.display()
    );
    for tool in ["run_tests", "code_patch"] {
        let _ = fs::remove_file(&file);
        let slow = ["sh", "-c", &slow];
        let (command, check) = if tool == "run_tests" {
            (&slow[..], &[][..])
        } else {
            (&[][..], &slow[..])
        };
        let args = if tool == "run_tests" {
            json!({})
        } else {
            json!({"path": "src/a.txt", "content": "x"})
        };
        let (context, cancel) = context(&args.to_string());
        let body = tokio::spawn(with(tool, command, check, &root).call(context));
        let pid = pid_in(&file);
        cancel.cancel();
        assert_eq!(body.await.unwrap(), Err(ToolError::Cancelled), "{tool}");
        eventually("it is dead", || !runs(pid));
    }
    assert_eq!(read(&root, "src/a.txt"), "one\ntwo\nthree\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn builds_that_overlap_have_folders_of_their_own() {
    let (outer, root) = workspace();
    let (a, b) = (outer.path().join("a"), outer.path().join("b"));
    // Each waits for the other: they end only if they run at the same time.
    let meet = |mine: &Path, other: &Path| {
        format!(
            "echo \"$CARGO_TARGET_DIR\"; touch '{}'; while ! test -e '{}'; do sleep 0.01; done",
            mine.display(),
            other.display()
        )
    };
    let tests = [meet(&a, &b), meet(&b, &a)].map(|script| {
        let tool = with("run_tests", &["sh", "-c", &script], &[], &root);
        tokio::spawn(tool.call(context("{}").0))
    });
    let mut folders = Vec::new();
    for test in tests {
        folders.push(text(test.await.unwrap()).trim().to_owned());
    }
    folders.sort();
    assert_eq!(
        folders,
        [
            "target/turnlane/tests-0/build",
            "target/turnlane/tests-1/build"
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fresh_copy_holds_the_files_and_nothing_that_leads_out() {
    let (outer, root) = workspace();
    fs::set_permissions(root.join("src/a.txt"), fs::Permissions::from_mode(0o755)).unwrap();
    for file in [
        "target/debug/x",
        ".git/config",
        "sub/target/CACHEDIR.TAG",
        "src/target/y",
    ] {
        fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
        fs::write(root.join(file), "").unwrap();
    }
    symlink("../readme.md", root.join("src/inner")).unwrap();
    symlink("../../secret", root.join("src/outer")).unwrap();
    symlink(outer.path().join("secret"), root.join("absolute")).unwrap();
    let copy = fresh_copy(&root).unwrap();
    let at = |path: &str| copy.path().join(path);
    assert_eq!(read(copy.path(), "src/a.txt"), "one\ntwo\nthree\n");
    assert_eq!(
        fs::metadata(at("src/a.txt")).unwrap().permissions().mode() & 0o777,
        0o755
    );
    assert!(fs::symlink_metadata(at("src/inner")).unwrap().is_symlink());
    assert_eq!(read(copy.path(), "src/inner"), "# Two\n");
    assert!(at("src/target/y").exists());
    for gone in ["target", ".git", "sub/target", "src/outer", "absolute"] {
        assert!(fs::symlink_metadata(at(gone)).is_err(), "{gone}");
    }
    assert_eq!(copy.left_out.len(), 2, "{:?}", copy.left_out);
    let path = copy.path().to_owned();
    drop(copy);
    assert!(!path.exists());
    assert!(fresh_copy(&outer.path().join("none")).is_err());
}

#[test]
fn a_tool_without_what_it_needs_is_refused_when_it_is_built() {
    let (_outer, root) = workspace();
    let run = |tool: &str| RunWith::Workspace {
        tool: tool.to_owned(),
        command: Vec::new(),
        check: Vec::new(),
    };
    let refused = |tool: &str, folder: Option<&Path>| tool_for(&run(tool), folder).err().unwrap();
    let unknown = refused("code_raed", Some(&root));
    assert!(unknown.to_string().contains("code_read"), "{unknown}");
    assert!(matches!(
        refused("code_read", None),
        BuildError::NoWorkspace { .. }
    ));
    assert!(matches!(
        refused("run_tests", Some(&root)),
        BuildError::NoCommand { .. }
    ));
    let missing = refused("code_read", Some(&root.join("none")));
    assert!(matches!(missing, BuildError::Workspace(_)));
    let file = refused("code_read", Some(&root.join("readme.md")));
    assert!(matches!(file, BuildError::Workspace(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_a_second_name_outside_is_not_written_through() {
    let (outer, root) = workspace();
    let secret = outer.path().join("secret");
    let patch = json!({"path": "src/a.txt", "content": "mine"});
    text(ask("code_patch", &root, json!({"path": "b", "content": "x"})).await);
    let tree = root.join("target/turnlane/check-0/tree/src/a.txt");
    for linked in [root.join("src/a.txt"), tree] {
        fs::remove_file(&linked).unwrap();
        fs::hard_link(&secret, &linked).unwrap();
    }
    text(ask("code_patch", &root, patch).await);
    assert_eq!(read(&root, "src/a.txt"), "mine");
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret two\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_lends_nobody_our_rights() {
    let (_outer, root) = workspace();
    fs::set_permissions(root.join("readme.md"), fs::Permissions::from_mode(0o6755)).unwrap();
    let copy = fresh_copy(&root).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&copy.path().join("readme.md")), 0o755);
    text(
        ask(
            "code_patch",
            &root,
            json!({"path": "readme.md", "content": "x"}),
        )
        .await,
    );
    assert_eq!(mode(&root.join("readme.md")), 0o755);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sparse_file_does_not_fill_the_disk() {
    let (_outer, root) = workspace();
    fs::File::create(root.join("sparse"))
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    let error = failure(ask("code_patch", &root, json!({"path": "b", "content": "x"})).await);
    assert!(error.contains("bytes to copy"), "{error}");
    assert!(fresh_copy(&root).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_that_is_never_given_back_holds_nobody_past_a_cancel() {
    let (_outer, root) = workspace();
    let patch = json!({"path": "src/a.txt", "content": "x"}).to_string();
    text(ask("code_patch", &root, json!({"path": "b", "content": "x"})).await);
    let lock = fs::File::open(root.join("target/turnlane/lock")).unwrap();
    lock.lock().unwrap();
    let (context, cancel) = context(&patch);
    let body = tokio::spawn(plain("code_patch", &root).call(context));
    let staged = root.join("target/turnlane/check-0/tree/b");
    eventually("the patch is staged", || staged.exists());
    cancel.cancel();
    assert_eq!(body.await.unwrap(), Err(ToolError::Cancelled));
    assert_eq!(read(&root, "src/a.txt"), "one\ntwo\nthree\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_staged_copy_becomes_equal_to_the_workspace_whatever_was_left_in_it() {
    let (_outer, root) = workspace();
    text(ask("code_patch", &root, json!({"path": "b", "content": "x"})).await);
    let tree = root.join("target/turnlane/check-0/tree");
    fs::remove_file(tree.join("readme.md")).unwrap();
    fs::create_dir_all(tree.join("readme.md/x")).unwrap();
    fs::remove_dir_all(tree.join("src")).unwrap();
    fs::write(tree.join("src"), "").unwrap();
    for left in [
        "target/x",
        ".git/x",
        "more/target/CACHEDIR.TAG",
        ".turnlane-x",
    ] {
        fs::create_dir_all(tree.join(left).parent().unwrap()).unwrap();
        fs::write(tree.join(left), "").unwrap();
    }
    fs::write(tree.join("b"), "stale").unwrap();
    text(ask("code_patch", &root, json!({"path": "c", "content": "x"})).await);
    let (was, is) = (contents(&root), contents(&tree));
    let names = |files: Vec<(String, Vec<u8>)>, of: &Path| -> Vec<_> {
        let of = of.display().to_string();
        let strip = |f: (String, Vec<u8>)| (f.0[of.len()..].to_owned(), f.1);
        files
            .into_iter()
            .map(strip)
            .filter(|f| f.0 != "/c")
            .collect()
    };
    assert_eq!(names(is, &tree), names(was, &root));
}

#[tokio::test(flavor = "multi_thread")]
async fn patterns_that_nest_without_end_are_refused() {
    let (_outer, root) = workspace();
    let deep = |open: &str, close: &str| open.repeat(50_000) + "a" + &close.repeat(50_000);
    bad_args(ask("code_search", &root, json!({"pattern": deep("(", ")")})).await);
    bad_args(ask("code_list", &root, json!({"globs": deep("{", "}")})).await);
    bad_args(call(&*plain("code_list", &root), &deep("[", "]")).await);
    fs::write(root.join(".gitignore"), deep("{", "}").repeat(3)).unwrap();
    fs::write(
        root.join("src/.gitignore"),
        "{".repeat(30_000) + &"}".repeat(30_000),
    )
    .unwrap();
    text(ask("code_list", &root, json!({})).await);
}

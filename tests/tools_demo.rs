//! The demo workspace under the commands of its catalog: real formatter, compiler and tests.
#![cfg(all(feature = "run", unix))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod tools_support;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use tools_support::{call, context, failure, text, with};
use turnlane::run::Tool;
use turnlane::tools::workspace::{FreshCopy, fresh_copy};

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}

fn demo() -> FreshCopy {
    fresh_copy(&assets().join("demo")).unwrap()
}

/// A tool with the commands that the catalog gives it.
fn tool(name: &str, demo: &FreshCopy) -> Arc<dyn Tool> {
    let catalog = std::fs::read_to_string(assets().join("catalogs/workspace.json")).unwrap();
    let catalog: Value = serde_json::from_str(&catalog).unwrap();
    let tools = catalog["tools"].as_array().unwrap();
    let found = tools
        .iter()
        .find(|t| t["function"]["name"] == name)
        .unwrap();
    let run = &found["x-run"];
    let words = |field: &str| -> Vec<String> {
        serde_json::from_value(run[field].clone()).unwrap_or_default()
    };
    let (command, check) = (words("command"), words("check"));
    let refs = |words: &[String]| -> Vec<&'static str> {
        words.iter().map(|w| &*w.clone().leak()).collect()
    };
    with(
        run["workspace"].as_str().unwrap(),
        &refs(&command),
        &refs(&check),
        demo.path(),
    )
}

fn fix() -> String {
    json!({
        "path": "src/sla.rs",
        "find": "(ticket.opened + allowed).saturating_sub(ticket.waiting)",
        "replace": "ticket.opened + allowed + ticket.waiting",
    })
    .to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demos_tests_find_its_bug_and_one_patch_mends_it() {
    let demo = demo();
    let tests = tool("run_tests", &demo);
    let found = failure(call(&*tests, "{}").await);
    assert!(
        found.contains("waiting_for_the_customer_moves_the_due_time_back"),
        "{found}"
    );
    assert!(found.contains("9 passed; 1 failed"), "{found}");
    assert_eq!(
        failure(call(&*tests, "{}").await),
        found,
        "a second run says the same"
    );
    let answer = text(call(&*tool("code_patch", &demo), &fix()).await);
    assert!(answer.ends_with("formatted and checked"), "{answer}");
    let passed = text(call(&*tests, "{}").await);
    assert!(passed.contains("10 passed; 0 failed"), "{passed}");
    assert!(!passed.contains("finished in"), "{passed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_patch_that_does_not_compile_is_refused_with_the_compilers_text() {
    let demo = demo();
    let patch = tool("code_patch", &demo);
    let file = demo.path().join("src/sla.rs");
    let before = std::fs::read(&file).unwrap();
    let change = |replace: &str| {
        json!({"path": "src/sla.rs", "find": "now > due(ticket)", "replace": replace}).to_string()
    };
    let error = failure(call(&*patch, &change("now > dew(ticket)")).await);
    assert!(
        error.contains("E0425") && error.contains("--> src/sla.rs:"),
        "{error}"
    );
    let root = demo.path().to_str().unwrap();
    assert!(!error.contains(root), "{error}");
    let error = failure(call(&*patch, &change("now >")).await);
    assert!(error.contains("the formatter"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
    // What was refused must not stay behind in the build output of the next check.
    text(call(&*patch, &fix()).await);
    let error = failure(call(&*patch, &change("now > dew(ticket)")).await);
    assert!(error.contains("E0425"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_patch_is_formatted_before_it_lands() {
    let demo = demo();
    let patch = json!({
        "path": "src/sla.rs",
        "find": "    now > due(ticket)\n",
        "replace": "now     >due( ticket )\n",
    });
    text(call(&*tool("code_patch", &demo), &patch.to_string()).await);
    let now = std::fs::read_to_string(demo.path().join("src/sla.rs")).unwrap();
    assert!(now.contains("    now > due(ticket)\n"), "{now}");
    // Not every file is Rust.
    let patch = json!({"path": "notes.md", "content": "* as *  it is"});
    text(call(&*tool("code_patch", &demo), &patch.to_string()).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn patches_and_a_test_run_that_overlap_all_end_well() {
    let demo = demo();
    let (patch, tests) = (tool("code_patch", &demo), tool("run_tests", &demo));
    let docs = |path: &str| {
        let file = demo.path().join(path);
        let text = std::fs::read_to_string(file).unwrap();
        json!({"path": path, "content": format!("{text}\n// Checked.\n")}).to_string()
    };
    let (a, b) = (docs("src/routing.rs"), docs("src/report.rs"));
    let (a, b, ran) = tokio::join!(
        tokio::spawn(patch.call(context(&a).0)),
        tokio::spawn(patch.call(context(&b).0)),
        tokio::spawn(tests.call(context("{}").0)),
    );
    text(a.unwrap());
    text(b.unwrap());
    assert!(failure(ran.unwrap()).contains("1 failed"));
    for path in ["src/routing.rs", "src/report.rs"] {
        let text = std::fs::read_to_string(demo.path().join(path)).unwrap();
        assert!(text.ends_with("// Checked.\n"), "{path}");
    }
}

#[test]
fn the_catalog_declares_what_the_tools_touch() {
    let catalog = std::fs::read_to_string(assets().join("catalogs/workspace.json")).unwrap();
    let catalog: Value = serde_json::from_str(&catalog).unwrap();
    let declared: Vec<Value> = catalog["tools"].as_array().unwrap().clone();
    let of = |name: &str| {
        let tool = declared.iter().find(|t| t["function"]["name"] == name);
        tool.unwrap_or_else(|| panic!("no {name}"))
    };
    for name in ["code_list", "code_search"] {
        assert_eq!(of(name)["x-reads"], json!([["file", "**"]]), "{name}");
    }
    assert_eq!(of("code_read")["x-reads"], json!([["file", "$args.path"]]));
    assert_eq!(of("code_patch")["x-mutates"], json!(true));
    assert_eq!(
        of("code_patch")["x-resource-key"],
        json!(["file", "$args.path"])
    );
    assert_eq!(of("run_tests")["x-opaque"], json!(true));
    assert_eq!(of("final_answer")["x-final"], json!(true));
}

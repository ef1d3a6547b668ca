//! The demo workspace under the commands of its catalog: real formatter, compiler and tests.
#![cfg(all(feature = "run", unix))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod tools_support;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;
use tools_support::{call, context, failure, text};
use turnlane::model::{Catalog, Declared, KeyElement, KeyExpr};
use turnlane::run::Tool;
use turnlane::tools::tool_for;
use turnlane::tools::workspace::{FreshCopy, fresh_copy};

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}

fn demo() -> FreshCopy {
    fresh_copy(&assets().join("demo")).unwrap()
}

fn catalog() -> Catalog {
    let text = std::fs::read_to_string(assets().join("catalogs/workspace.json")).unwrap();
    Catalog::parse(&text, "workspace.json").unwrap()
}

/// A tool as the catalog says to run it.
fn tool(name: &str, demo: &FreshCopy) -> Arc<dyn Tool> {
    let run = catalog().get(name).unwrap().run.clone().unwrap();
    tool_for(&run, Some(demo.path())).unwrap()
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
fn the_catalog_declares_what_every_tool_touches_and_how_it_runs() {
    let (catalog, demo) = (catalog(), demo());
    let file = |element| KeyExpr {
        kind: "file".to_owned(),
        rest: element,
        tree: false,
    };
    let path = file(vec![KeyElement::Arg(vec!["path".to_owned()])]);
    let all = KeyExpr {
        tree: true,
        ..file(Vec::new())
    };
    let keys = |reads: &[&KeyExpr], writes: &[&KeyExpr]| Declared::Keys {
        reads: reads.iter().map(|&k| k.clone()).collect(),
        writes: writes.iter().map(|&k| k.clone()).collect(),
    };
    let of = |name: &str| catalog.get(name).unwrap().declared.clone();
    assert_eq!(of("code_list"), keys(&[&all], &[]));
    assert_eq!(of("code_search"), keys(&[&all], &[]));
    assert_eq!(of("code_read"), keys(&[&path], &[]));
    // Its check compiles the whole workspace, so it reads what other patches write.
    assert_eq!(of("code_patch"), keys(&[&all], &[&path]));
    assert_eq!(of("run_tests"), Declared::Opaque);
    assert!(catalog.get("final_answer").unwrap().is_final);
    for spec in catalog.tools() {
        tool(&spec.name, &demo);
    }
}

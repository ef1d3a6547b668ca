//! A user's catalog over a harness's.

use serde_json::{Value, json};
use turnlane::model::{Catalog, Declared, Source, ToolSpec};

use crate::{catalog, touched};

#[test]
fn a_users_tool_stands_over_the_harness_and_each_keeps_its_source() {
    let user = catalog(&json!([
        {"name": "Bash", "x-mutates": true, "x-resource-key": ["shell"]},
        {"name": "mine", "x-mutates": false},
    ]));
    let merged = user.merged_over(Catalog::claude_code().unwrap());
    let bash = touched(&merged, "Bash", r#"{"command":"ls"}"#);
    assert_eq!(bash.writes, ["shell"]);
    assert_eq!(bash.source, Source::Declared);
    assert_eq!(merged.source("mine"), Source::Declared);
    let edit = touched(&merged, "Edit", r#"{"file_path":"/a"}"#);
    assert_eq!(edit.writes, ["file:/a"]);
    assert_eq!(edit.source, Source::Harness);
    assert_eq!(merged.source("Task"), Source::Harness);
    assert!(!merged.is_harness);
}

#[test]
fn an_assumption_and_a_trust_reach_only_the_tools_of_their_own_catalog() {
    let hint = json!({"readOnlyHint": true});
    let server = |name: &str, more: Value| {
        let mut list = json!({"tools": [{"name": name}, {"name": format!("{name}_hint"), "annotations": hint}]});
        for (field, value) in more.as_object().unwrap() {
            list[field] = value.clone();
        }
        catalog(&list)
    };
    let merged = server("assumed", json!({"x-undeclared": "read"}))
        .merged_over(server("trusted", json!({"x-trusted": true})))
        .merged_over(server("plain", json!({})));
    for (tool, source) in [
        ("assumed", Source::Assumption),
        ("assumed_hint", Source::Assumption),
        ("trusted", Source::Undeclared),
        ("trusted_hint", Source::Hint),
        ("plain", Source::Undeclared),
        ("plain_hint", Source::Undeclared),
    ] {
        assert_eq!(merged.source(tool), source, "{tool}");
    }
}

#[test]
fn a_base_merged_before_keeps_its_sources() {
    let base = catalog(&json!([])).merged_over(Catalog::claude_code().unwrap());
    let merged = catalog(&json!({"tools": [], "x-undeclared": "read"})).merged_over(base);
    assert_eq!(merged.source("Read"), Source::Harness);
}

#[test]
fn a_tool_inserted_over_a_merged_one_is_the_users() {
    let mut merged = Catalog::default().merged_over(Catalog::claude_code().unwrap());
    let count = merged.tools().len();
    merged.insert(ToolSpec {
        name: "Read".into(),
        declared: Declared::Opaque,
        ..ToolSpec::default()
    });
    assert_eq!(merged.source("Read"), Source::Declared);
    assert_eq!(merged.tools().len(), count);
}

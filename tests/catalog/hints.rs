//! What an MCP server's hints do and do not do.

use serde_json::{Value, json};
use turnlane::model::{Catalog, Source};

use crate::{catalog, touched};

fn server(annotations: &Value, more: &Value) -> Catalog {
    let mut list = json!({"tools": [{"name": "t", "inputSchema": {}, "annotations": annotations}]});
    for (name, value) in more.as_object().unwrap() {
        list[name] = value.clone();
    }
    catalog(&list)
}

#[test]
fn read_only_hint_counts_only_for_a_trusted_server() {
    let hint = json!({"readOnlyHint": true});
    let untrusted = server(&hint, &json!({}));
    assert!(touched(&untrusted, "t", "{}").opaque);
    assert_eq!(untrusted.source("t"), Source::Undeclared);
    let trusted = touched(&server(&hint, &json!({"x-trusted": true})), "t", "{}");
    assert!(!trusted.opaque && trusted.reads.is_empty() && trusted.writes.is_empty());
    assert_eq!(trusted.source, Source::Hint);
}

#[test]
fn other_hints_are_kept_and_relax_nothing() {
    let hints = json!({"idempotentHint": true, "destructiveHint": false, "openWorldHint": false,
        "readOnlyHint": false, "title": "T"});
    let catalog = server(&hints, &json!({"x-trusted": true}));
    assert!(touched(&catalog, "t", "{}").opaque);
    let tool = catalog.get("t").unwrap();
    assert_eq!(tool.read_only_hint, Some(false));
    assert_eq!(
        tool.other_hints,
        [
            ("destructiveHint", false),
            ("idempotentHint", true),
            ("openWorldHint", false)
        ]
    );
}

#[test]
fn a_declaration_stands_over_a_hint() {
    let list = json!({"x-trusted": true, "tools": [
        {"name": "t", "x-mutates": true, "annotations": {"readOnlyHint": true}}]});
    assert!(touched(&catalog(&list), "t", "{}").opaque);
}

#[test]
fn a_server_that_says_it_is_no_read_is_not_assumed_to_be_one() {
    let no_read = server(
        &json!({"readOnlyHint": false}),
        &json!({"x-undeclared": "read"}),
    );
    assert!(touched(&no_read, "t", "{}").opaque);
}

#[test]
fn a_hint_that_is_no_bool_is_no_hint() {
    let catalog = server(
        &json!({"readOnlyHint": "true"}),
        &json!({"x-trusted": true}),
    );
    assert!(touched(&catalog, "t", "{}").opaque);
    assert_eq!(catalog.get("t").unwrap().read_only_hint, None);
}

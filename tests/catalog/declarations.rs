//! What the fields of a tool mean.

use serde_json::{Value, json};
use turnlane::model::{Effects, KeyTable, RunWith, Source};
use turnlane::time::Nanos;

use crate::{call_of, catalog, reader, touched};

const ARGS: &str = r#"{"id":"8123","other":"7"}"#;

fn key() -> Value {
    json!(["invoice", "$args.id"])
}

#[test]
fn the_resource_key_is_written_with_x_mutates_true_and_else_read() {
    let written = call_of(json!({"x-mutates": true, "x-resource-key": key()}), ARGS);
    assert_eq!(written.writes, ["invoice:8123"]);
    assert!(written.reads.is_empty() && !written.opaque);
    for fields in [
        json!({"x-mutates": false, "x-resource-key": key()}),
        json!({"x-resource-key": key()}),
    ] {
        let read = call_of(fields, ARGS);
        assert_eq!(read.reads, ["invoice:8123"]);
        assert!(read.writes.is_empty() && !read.opaque);
    }
}

#[test]
fn the_resource_key_may_be_a_list_of_expressions() {
    let fields = json!({"x-mutates": true,
        "x-resource-key": [key(), ["stock", "$args.other"]]});
    assert_eq!(call_of(fields, ARGS).writes, ["invoice:8123", "stock:7"]);
}

#[test]
fn x_mutates_false_or_only_x_reads_is_a_read() {
    let keyless = call_of(json!({"x-mutates": false}), ARGS);
    assert!(!keyless.opaque && keyless.reads.is_empty() && keyless.writes.is_empty());
    assert_eq!(keyless.source, Source::Declared);
    let read = call_of(json!({"x-reads": [key(), ["stock", "$args.other"]]}), ARGS);
    assert_eq!(read.reads, ["invoice:8123", "stock:7"]);
    assert!(read.writes.is_empty() && !read.opaque);
}

#[test]
fn x_writes_is_a_write_and_stands_beside_what_is_read() {
    let fields = json!({"x-writes": [["stock", "$args.other"]], "x-reads": [key()],
        "x-resource-key": ["shell"]});
    let both = call_of(fields, ARGS);
    assert_eq!(both.writes, ["stock:7"]);
    assert_eq!(both.reads, ["shell", "invoice:8123"]);
    let fields = json!({"x-writes": [["stock", "$args.other"]], "x-mutates": true,
        "x-resource-key": key()});
    assert_eq!(call_of(fields, ARGS).writes, ["invoice:8123", "stock:7"]);
}

#[test]
fn x_mutates_true_without_any_key_is_opaque() {
    let touched = call_of(json!({"x-mutates": true}), ARGS);
    assert!(touched.opaque);
    assert_eq!(touched.source, Source::Declared);
    assert!(call_of(json!({"x-opaque": true}), ARGS).opaque);
    assert!(call_of(json!({"x-opaque": true, "x-mutates": true}), ARGS).opaque);
}

#[test]
fn nothing_declared_is_opaque_whatever_the_name() {
    let catalog = catalog(&json!([{"name": "get_invoice", "description": "Reads. Only reads."}]));
    let touched = touched(&catalog, "get_invoice", ARGS);
    assert!(touched.opaque);
    assert_eq!(touched.source, Source::Undeclared);
}

#[test]
fn flags_that_are_false_declare_nothing() {
    for fields in [
        json!({"x-final": false}),
        json!({"x-opaque": false}),
        json!({"x-approval": true, "x-timeout-ms": 5}),
    ] {
        let touched = call_of(fields.clone(), ARGS);
        assert!(touched.opaque, "{fields}");
        assert_eq!(touched.source, Source::Undeclared, "{fields}");
    }
}

#[test]
fn x_undeclared_read_makes_reads_of_them_and_says_that_it_is_an_assumption() {
    let tools = json!([{"name": "get"}, {"name": "set", "x-mutates": true}]);
    let catalog = catalog(&json!({"tools": tools, "x-undeclared": "read"}));
    let get = touched(&catalog, "get", ARGS);
    assert!(!get.opaque && get.reads.is_empty() && get.writes.is_empty());
    assert_eq!(get.source, Source::Assumption);
    assert!(touched(&catalog, "set", ARGS).opaque);
    assert!(touched(&catalog, "elsewhere", ARGS).opaque);
}

#[test]
fn x_undeclared_may_stand_beside_and_inside_the_result() {
    for answer in [
        json!({"result": {"tools": [{"name": "t"}], "x-undeclared": "read"}}),
        json!({"result": {"tools": [{"name": "t"}]}, "x-undeclared": "read"}),
    ] {
        assert_eq!(catalog(&answer).source("t"), Source::Assumption);
    }
}

#[test]
fn a_tool_that_the_catalog_does_not_hold_is_opaque_and_unknown() {
    let touched = touched(&reader(), "elsewhere", ARGS);
    assert!(touched.opaque);
    assert_eq!(touched.source, Source::Unknown);
}

#[test]
fn final_alone_is_declared_and_keyless() {
    let catalog = catalog(&json!([{"name": "answer", "x-final": true}]));
    let effects = catalog.effects("answer", "{}", None, &mut KeyTable::new());
    assert_eq!(
        effects,
        Effects {
            is_final: true,
            source: Source::Declared,
            ..Effects::default()
        }
    );
}

#[test]
fn timeout_approval_and_how_to_run_are_kept() {
    let catalog = catalog(&json!([
        {"name": "a", "x-timeout-ms": 1500, "x-approval": true,
         "x-run": {"command": ["sh", "-c", "true"]}},
        {"name": "b", "x-run": {"workspace": "code_patch", "command": ["fmt"], "check": ["cc", "-c"]}},
        {"name": "c", "x-run": {"workspace": "code_read"}},
    ]));
    let a = catalog.get("a").unwrap();
    assert_eq!(a.timeout, Some(Nanos::from_millis(1500)));
    assert!(a.approval);
    let command = ["sh", "-c", "true"].map(str::to_owned).to_vec();
    assert_eq!(a.run, Some(RunWith::Command(command)));
    let b = catalog.get("b").unwrap();
    assert_eq!(
        b.run,
        Some(RunWith::Workspace {
            tool: "code_patch".into(),
            command: vec!["fmt".into()],
            check: vec!["cc".into(), "-c".into()],
        })
    );
    assert!(!b.approval && b.timeout.is_none());
    assert!(matches!(&catalog.get("c").unwrap().run,
        Some(RunWith::Workspace { command, check, .. }) if command.is_empty() && check.is_empty()));
}

//! What is refused, and how it is said.

use proptest::prelude::*;
use serde_json::json;
use turnlane::model::Catalog;
use turnlane::model::catalog::lint;

use crate::{catalog, refused, touched};

#[test]
fn a_syntax_error_has_line_and_column() {
    for (text, place) in [
        ("", "line 1, column 0"),
        ("[\n  {\"name\": \"t\",}\n]", "line 2, column 16"),
        ("[{\"name\": \"t\"}", "line 1, column 14"),
        ("[] []", "line 1, column 4"),
    ] {
        let error = Catalog::parse(text, "my tools.json").unwrap_err();
        assert_eq!(error.file, "my tools.json");
        assert_eq!(error.place, place, "{text}: {error}");
        assert!(!error.problem.contains(" at line"), "{error}");
    }
}

#[test]
fn an_unknown_x_field_is_an_error_that_names_the_allowed_ones() {
    for field in ["x-mutate", "x-ressource-key", "X-Mutates", "x-trusted"] {
        let error = refused(&json!([{"name": "charge_card", field: true}]));
        assert_eq!(error.place, format!("tool charge_card, field {field}"));
        for allowed in [
            "x-mutates",
            "x-resource-key",
            "x-reads",
            "x-writes",
            "x-final",
            "x-timeout-ms",
            "x-approval",
            "x-opaque",
            "x-run",
        ] {
            assert!(error.problem.contains(allowed), "{error}");
        }
        assert!(
            error
                .to_string()
                .starts_with("tools.json: tool charge_card, field ")
        );
    }
    let error = refused(&json!({"tools": [], "x-undeclard": "read"}));
    assert_eq!(error.place, "field x-undeclard");
    assert!(error.problem.contains("x-undeclared, x-trusted, x-harness"));
}

#[test]
fn contradictory_flags_are_an_error() {
    let key = json!([["a", "$args.a"]]);
    for (fields, field) in [
        (json!({"x-opaque": true, "x-resource-key": key}), "x-opaque"),
        (json!({"x-opaque": true, "x-reads": key}), "x-opaque"),
        (json!({"x-opaque": true, "x-writes": key}), "x-opaque"),
        (json!({"x-opaque": true, "x-mutates": false}), "x-opaque"),
        (json!({"x-opaque": false, "x-mutates": true}), "x-opaque"),
        (json!({"x-mutates": false, "x-writes": key}), "x-mutates"),
        (json!({"x-mutates": true, "x-reads": key}), "x-mutates"),
    ] {
        let mut tool = fields.clone();
        tool["name"] = json!("t");
        let error = refused(&json!([tool]));
        assert_eq!(error.place, format!("tool t, field {field}"), "{fields}");
        assert!(error.problem.contains("leave") || error.problem.contains("name what"));
    }
}

#[test]
fn a_value_of_the_wrong_sort_is_an_error_in_its_field() {
    for (field, value, allowed) in [
        ("x-mutates", json!("yes"), "true or false"),
        ("x-mutates", json!(null), "true or false"),
        ("x-final", json!(1), "true or false"),
        ("x-approval", json!([]), "true or false"),
        ("x-opaque", json!("true"), "true or false"),
        ("x-timeout-ms", json!(0), "above 0"),
        ("x-timeout-ms", json!(-5), "above 0"),
        ("x-timeout-ms", json!(1.5), "above 0"),
        ("x-timeout-ms", json!("100"), "above 0"),
        (
            "x-resource-key",
            json!("invoice"),
            "[\"invoice\", \"$args.invoice_id\"]",
        ),
        ("x-resource-key", json!([]), "key expression"),
        ("x-resource-key", json!([[]]), "the kind first"),
        ("x-resource-key", json!(["a", ["b"]]), "list of strings"),
        ("x-resource-key", json!([["a"], "b"]), "expression 2"),
        ("x-resource-key", json!(["a", 8123]), "list of strings"),
        ("x-resource-key", json!(["", "a"]), "not empty"),
        ("x-resource-key", json!(["a", ""]), "empty"),
        ("x-resource-key", json!(["a:b", "c"]), "without `:`"),
        (
            "x-resource-key",
            json!(["$args.kind", "c"]),
            "not taken from the arguments",
        ),
        ("x-resource-key", json!(["**"]), "no `**`"),
        (
            "x-resource-key",
            json!(["file", "**", "a"]),
            "only as the last element",
        ),
        (
            "x-resource-key",
            json!(["file", "src/**"]),
            "[\"file\", \"src\", \"**\"]",
        ),
        ("x-resource-key", json!(["a", "$arg.id"]), "$args.name"),
        ("x-resource-key", json!(["a", "$args"]), "$args.name"),
        ("x-resource-key", json!(["a", "$args."]), "$args.name"),
        ("x-resource-key", json!(["a", "$args.b..c"]), "$args.name"),
        ("x-reads", json!(["file", "$args.path"]), "brackets"),
        ("x-reads", json!([]), "at least one"),
        ("x-writes", json!({"file": 1}), "list of key expressions"),
        ("x-run", json!("sh"), "\"command\""),
        ("x-run", json!({}), "command is missing"),
        ("x-run", json!({"command": []}), "starts with its program"),
        ("x-run", json!({"command": [""]}), "starts with its program"),
        ("x-run", json!({"command": "ls"}), "\"command\""),
        ("x-run", json!({"comand": ["ls"]}), "\"command\""),
        (
            "x-run",
            json!({"command": ["ls"], "check": ["ls"]}),
            "code_patch",
        ),
        ("x-run", json!({"workspace": "code_eat"}), "code_read"),
        (
            "x-run",
            json!({"workspace": "code_read", "command": ["ls"]}),
            "run_tests",
        ),
        (
            "x-run",
            json!({"workspace": "run_tests", "check": ["ls"]}),
            "code_patch",
        ),
        ("x-run", json!({"store": "pay"}), "charge_card"),
        (
            "x-run",
            json!({"store": "charge_card", "latency_ms": -1}),
            "latency_ms",
        ),
        (
            "x-run",
            json!({"store": "charge_card", "command": ["ls"]}),
            "no workspace, command",
        ),
        (
            "x-run",
            json!({"command": ["ls"], "latency_ms": 1}),
            "store tool",
        ),
    ] {
        let error = refused(&json!([{"name": "t", field: value}]));
        assert_eq!(error.place, format!("tool t, field {field}"), "{value}");
        assert!(error.problem.contains(allowed), "{value}: {error}");
    }
    for (field, value) in [
        ("x-undeclared", json!("reads")),
        ("x-undeclared", json!(true)),
        ("x-trusted", json!("yes")),
        ("x-harness", json!(1)),
    ] {
        let error = refused(&json!({"tools": [], field: value}));
        assert_eq!(error.place, format!("field {field}"));
    }
}

#[test]
fn a_tool_without_a_usable_name_is_named_by_its_place() {
    for (tool, field) in [
        (json!({"parameters": {}}), "name"),
        (json!({"name": ""}), "name"),
        (json!({"name": 7}), "name"),
        (json!({"function": {}}), "name"),
        (json!({"name": "t", "function": "t"}), "function"),
    ] {
        let error = refused(&json!([{"name": "first"}, tool]));
        assert_eq!(error.place, format!("tool 2 of the list, field {field}"));
    }
    assert_eq!(refused(&json!(["t"])).place, "tool 1 of the list");
}

#[test]
fn what_stands_twice_is_an_error() {
    let error = refused(&json!([{"name": "t"}, {"name": "u"}, {"name": "t"}]));
    assert_eq!(error.place, "tool t, field name");
    assert!(error.problem.contains("tool 1 and tool 3"), "{error}");
    let text = r#"[{"name":"t","x-mutates":true,"x-mutates":false}]"#;
    let error = Catalog::parse(text, "f").unwrap_err();
    assert_eq!(error.place, "tool 1 of the list, field x-mutates");
    assert!(error.problem.contains("twice"), "{error}");
}

#[test]
fn text_of_the_file_is_made_visible_in_errors_notes_and_remarks() {
    let name = "t\u{1b}[2J\u{202e}\n";
    let arg = format!("$args.{name}");
    let quiet = |text: &str| !text.contains(['\u{1b}', '\u{202e}', '\n']);
    for tool in [
        json!({"name": name, "x-mutates": 1}),
        json!({"name": "t", format!("x-{name}"): 1}),
        json!({"name": "t", "x-reads": [["k", format!("$arg{name}")]]}),
        json!({"name": "t", "x-reads": [[format!(":{name}")]]}),
    ] {
        let text = refused(&json!([tool])).to_string();
        assert!(quiet(&text), "{text:?}");
    }
    let catalog = catalog(&json!([
        {"name": name},
        {"name": "r", "x-reads": [[name, arg]]},
        {"name": "q", "x-reads": [[name]]},
        {"name": "w", "x-writes": [[name.to_uppercase(), arg]]},
    ]));
    assert!(quiet(touched(&catalog, "r", "{}").note()));
    assert!(quiet(touched(&catalog, "w", "{}").note()));
    let lints = lint(&catalog);
    assert_eq!(lints.len(), 3);
    for lint in lints {
        assert!(quiet(&lint.to_string()), "{lint:?}");
    }
}

#[test]
fn a_name_of_a_megabyte_does_not_fill_the_screen() {
    let name = "x".repeat(1_000_000);
    for tool in [
        json!({"name": name, "x-mutates": 1}),
        json!({"name": "t", format!("x-{name}"): 1}),
        json!({"name": "t", "x-reads": [[format!("${name}")]]}),
    ] {
        assert!(refused(&json!([tool])).to_string().len() < 1_000);
    }
}

proptest! {
    #[test]
    fn no_json_as_a_catalog_panics(text in r#"[{}\[\]",:a-z0-9 \\]{0,60}"#) {
        let _ = Catalog::parse(&text, "f");
        let _ = Catalog::parse(&format!("[{{\"name\":\"t\",\"x-reads\":{text}}}]"), "f");
    }
}

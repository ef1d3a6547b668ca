//! What `lint` finds.

use serde_json::json;
use turnlane::model::catalog::{Lint, lint};

use crate::{catalog, touched};

#[test]
fn undeclared_tools_are_named_and_those_that_look_like_reads_too() {
    let tools = json!([
        {"name": "get_invoice"},
        {"name": "ListTickets"},
        {"name": "mcp__books__search-all"},
        {"name": "getaway"},
        {"name": "update_invoice"},
        {"name": "declared_get", "x-mutates": true},
        {"name": "hinted", "annotations": {"readOnlyHint": true}},
        {"name": "get_denied", "annotations": {"readOnlyHint": false}},
    ]);
    let lints = lint(&catalog(&tools));
    let undeclared: Vec<_> = lints
        .iter()
        .filter_map(|lint| match lint {
            Lint::Undeclared { tool, is_read } => Some((tool.as_str(), *is_read)),
            _ => None,
        })
        .collect();
    assert_eq!(undeclared.len(), 7);
    assert!(
        undeclared
            .iter()
            .all(|(tool, read)| !read && *tool != "declared_get")
    );
    let likely: Vec<_> = lints
        .iter()
        .filter_map(|lint| match lint {
            Lint::LikelyRead { tool, word } => Some((tool.as_str(), word.as_deref())),
            _ => None,
        })
        .collect();
    assert_eq!(
        likely,
        [
            ("get_invoice", Some("get")),
            ("ListTickets", Some("list")),
            ("mcp__books__search-all", Some("search")),
            ("hinted", None),
        ]
    );
}

#[test]
fn looking_like_a_read_changes_no_effect() {
    let catalog = catalog(&json!([{"name": "get_invoice", "annotations": {"readOnlyHint": true}}]));
    assert_eq!(lint(&catalog).len(), 2);
    assert!(touched(&catalog, "get_invoice", "{}").opaque);
}

#[test]
fn an_undeclared_tool_that_counts_as_a_read_says_so_and_is_not_guessed_at() {
    let catalog = catalog(&json!({"tools": [{"name": "get_invoice"}], "x-undeclared": "read"}));
    let tool = "get_invoice".to_owned();
    assert_eq!(
        lint(&catalog),
        [Lint::Undeclared {
            tool,
            is_read: true
        }]
    );
}

#[test]
fn keys_of_one_kind_and_different_length_collide() {
    let lints = lint(&catalog(&json!([
        {"name": "a", "x-reads": [["invoice", "$args.id"]]},
        {"name": "b", "x-writes": [["invoice", "$args.region", "$args.id"]]},
        {"name": "c", "x-writes": [["invoice", "$args.land", "$args.nr"]]},
        {"name": "d", "x-reads": [["invoice", "$args.region", "**"]]},
        {"name": "e", "x-reads": [["file", "$args.path"], ["file", "$args.dir", "$args.name"]]},
    ])));
    assert_eq!(
        lints,
        [Lint::ShapesDiffer {
            first: ("a".into(), r#"["invoice", "$args.id"]"#.into()),
            second: (
                "b".into(),
                r#"["invoice", "$args.region", "$args.id"]"#.into()
            ),
        }]
    );
    assert!(lints[0].to_string().contains(r#"["invoice", "$args.id"]"#));
}

#[test]
fn kinds_that_differ_only_in_case_collide() {
    let lints = lint(&catalog(&json!([
        {"name": "a", "x-reads": [["invoice", "$args.id"]]},
        {"name": "b", "x-writes": [["Invoice", "$args.id"]]},
        {"name": "c", "x-writes": [["ticket", "$args.id"]]},
    ])));
    assert_eq!(
        lints,
        [Lint::KindsDifferInCase {
            first: ("a".into(), "invoice".into()),
            second: ("b".into(), "Invoice".into()),
        }]
    );
}

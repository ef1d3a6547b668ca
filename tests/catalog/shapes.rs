//! The shapes that a catalog may have.

use serde_json::{Value, json};
use turnlane::model::{Catalog, Source};

use crate::{ARTICLE, catalog, refused, touched};

fn writes_invoice(text: &str) {
    let catalog = Catalog::parse(text, "tools.json").unwrap_or_else(|e| panic!("{e}\n{text}"));
    let touched = touched(&catalog, "update_invoice", r#"{"invoice_id":"8123"}"#);
    assert_eq!(touched.writes, ["invoice:8123"], "{text}");
    assert_eq!(touched.source, Source::Declared, "{text}");
}

#[test]
fn the_articles_own_example_writes_its_invoice() {
    writes_invoice(ARTICLE);
    writes_invoice(&format!("[{ARTICLE}]"));
    writes_invoice(&format!("{{\"tools\": [{ARTICLE}]}}"));
    writes_invoice(&format!("\u{feff}[{ARTICLE}]"));
}

#[test]
fn all_four_shapes_are_read() {
    let schema = json!({"type": "object", "properties": {"invoice_id": {"type": "string"}}});
    let marks = json!({"x-mutates": true, "x-resource-key": ["invoice", "$args.invoice_id"]});
    let with = |mut base: Value| {
        for (name, value) in marks.as_object().unwrap() {
            base[name] = value.clone();
        }
        base
    };
    let name = "update_invoice";
    let flat = with(json!({"type": "function", "name": name, "parameters": schema}));
    let beside =
        with(json!({"type": "function", "function": {"name": name, "parameters": schema}}));
    let inside = json!({"type": "function", "function": with(json!({"name": name}))});
    let anthropic = with(json!({"name": name, "input_schema": schema}));
    let mcp = with(json!({"name": name, "inputSchema": schema, "annotations": {"title": "U"}}));
    for tool in [flat, beside, inside, anthropic, mcp] {
        writes_invoice(&json!([tool]).to_string());
        writes_invoice(&json!({"tools": [tool], "nextCursor": "x"}).to_string());
        let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool]}});
        writes_invoice(&answer.to_string());
    }
}

#[test]
fn a_field_may_stand_beside_and_inside_with_one_value_only() {
    let tool = |beside: bool, inside: bool| {
        json!([{"type": "function", "x-mutates": beside,
                "function": {"name": "t", "x-mutates": inside}}])
    };
    assert!(Catalog::parse(&tool(true, true).to_string(), "f").is_ok());
    let error = refused(&tool(true, false));
    assert_eq!(error.place, "tool t, field x-mutates");
    assert!(error.problem.contains("beside and inside"), "{error}");
}

#[test]
fn fields_without_x_are_ignored_however_deep_they_are() {
    let deep = "[".repeat(5_000) + &"]".repeat(5_000);
    let text = format!(
        r#"[{{"name":"t","strict":true,"parameters":{deep},"\ud800":"\ud800","x-mutates":false}}]"#
    );
    let catalog = Catalog::parse(&text, "f").unwrap();
    assert!(!touched(&catalog, "t", "{}").opaque);
}

#[test]
fn an_empty_list_is_a_catalog_without_tools() {
    assert!(catalog(&json!([])).tools().is_empty());
    assert!(catalog(&json!({"tools": []})).tools().is_empty());
}

#[test]
fn what_is_no_catalog_says_what_one_is() {
    for value in [
        json!({}),
        json!(7),
        json!("tools"),
        json!({"tools": {"t": {}}}),
        json!({"result": []}),
        json!({"result": {"resources": []}}),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -1}}),
    ] {
        let error = refused(&value);
        assert!(error.to_string().starts_with("tools.json: "), "{error}");
        assert!(error.problem.contains("tools"), "{value}: {error}");
    }
}

//! What a catalog may say, what it means, and which keys a call touches.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod claude_code;
mod declarations;
mod errors;
mod files;
mod harnesses;
mod hints;
mod merging;
mod remarks;
mod schema;
mod shapes;
mod values;
mod written;

use serde_json::{Value, json};
use turnlane::model::{Catalog, CatalogError, Effects, KeyTable, Source};

const ARTICLE: &str = r#"{
  "name": "update_invoice",
  "description": "Change the fields of an invoice that may change.",
  "parameters": {
    "invoice_id": "string",
    "shipping_note": "string"
  },
  "x-mutates": true,
  "x-resource-key": ["invoice", "$args.invoice_id"]
}"#;

/// What a call touches, keys as text.
#[derive(Debug, PartialEq)]
struct Touched {
    reads: Vec<String>,
    writes: Vec<String>,
    opaque: bool,
    source: Source,
    note: Option<String>,
}

impl Touched {
    fn note(&self) -> &str {
        self.note.as_deref().unwrap_or_default()
    }
}

fn touched_in(catalog: &Catalog, tool: &str, args: &str, folder: Option<&str>) -> Touched {
    let mut keys = KeyTable::new();
    let Effects {
        reads,
        writes,
        opaque,
        source,
        note,
        ..
    } = catalog.effects(tool, args, folder, &mut keys);
    let texts = |ids: Vec<_>| {
        ids.into_iter()
            .map(|id| keys.text(id).to_owned())
            .collect::<Vec<_>>()
    };
    Touched {
        reads: texts(reads),
        writes: texts(writes),
        opaque,
        source,
        note,
    }
}

fn touched(catalog: &Catalog, tool: &str, args: &str) -> Touched {
    touched_in(catalog, tool, args, None)
}

fn catalog(value: &Value) -> Catalog {
    Catalog::parse(&value.to_string(), "tools.json").unwrap()
}

fn refused(value: &Value) -> CatalogError {
    Catalog::parse(&value.to_string(), "tools.json").unwrap_err()
}

/// The effects of a call of the one tool `t` with these fields.
fn call_of(mut fields: Value, args: &str) -> Touched {
    fields["name"] = json!("t");
    touched(&catalog(&json!([fields])), "t", args)
}

fn reader() -> Catalog {
    catalog(&json!([{"name": "t", "x-resource-key": ["invoice", "$args.invoice_id"]}]))
}

fn writer() -> Catalog {
    catalog(&json!([
        {"name": "t", "x-mutates": true, "x-resource-key": ["invoice", "$args.invoice_id"]}
    ]))
}

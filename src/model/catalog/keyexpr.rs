//! Key expressions: `["invoice", "$args.invoice_id"]`, or a list of such.

use std::fmt;

use serde_json::Value;

use super::error::shown;
use crate::model::tool::{KeyElement, KeyExpr};

const ONE: &str =
    r#"a key expression is a list of strings, the kind first: ["invoice", "$args.invoice_id"]"#;

/// One expression, or a list of them (`x-resource-key`). The error says what is wrong and what is
/// allowed.
pub(super) fn one_or_many(value: &Value) -> Result<Vec<KeyExpr>, String> {
    match value.as_array().and_then(|list| list.first()) {
        Some(Value::Array(_)) => many(value),
        Some(_) => Ok(vec![one(value)?]),
        None => Err(format!("must be a key expression or a list of such; {ONE}")),
    }
}

/// A list of expressions (`x-reads`, `x-writes`).
pub(super) fn many(value: &Value) -> Result<Vec<KeyExpr>, String> {
    let Some(list) = value.as_array().filter(|list| !list.is_empty()) else {
        return Err(format!(
            "must be a list of key expressions, at least one (a tool that reads no resource says \
             \"x-mutates\": false); {ONE}"
        ));
    };
    if list.iter().all(Value::is_string) {
        return Err(
            "must be a list of key expressions: put this one in brackets, \
             [[\"invoice\", \"$args.invoice_id\"]]"
                .to_owned(),
        );
    }
    list.iter()
        .enumerate()
        .map(|(i, value)| one(value).map_err(|problem| format!("expression {}: {problem}", i + 1)))
        .collect()
}

fn one(value: &Value) -> Result<KeyExpr, String> {
    let Some(list) = value.as_array() else {
        return Err(ONE.to_owned());
    };
    let Some(elements) = list.iter().map(Value::as_str).collect::<Option<Vec<_>>>() else {
        return Err(ONE.to_owned());
    };
    let Some((&kind, rest)) = elements.split_first() else {
        return Err(ONE.to_owned());
    };
    if kind.is_empty() || kind.contains(':') || kind.starts_with('$') || kind == "**" {
        return Err(format!(
            "the kind `{}` must be a word of its own: not empty, without `:`, no `**`, and not \
             taken from the arguments",
            shown(kind)
        ));
    }
    let (rest, tree) = match rest.split_last() {
        Some((&"**", before)) => (before, true),
        _ => (rest, false),
    };
    Ok(KeyExpr {
        kind: kind.to_owned(),
        rest: rest
            .iter()
            .map(|text| element(text))
            .collect::<Result<_, _>>()?,
        tree,
    })
}

fn element(text: &str) -> Result<KeyElement, String> {
    if text.is_empty() {
        return Err("an element must not be empty".to_owned());
    }
    if let Some(rest) = text.strip_prefix('$') {
        let path = rest.strip_prefix("args.").unwrap_or_default();
        if path.split('.').any(str::is_empty) {
            return Err(format!(
                "`{}` must name an argument, `$args.name` or `$args.path.to.value`; no other \
                 element starts with `$`",
                shown(text)
            ));
        }
        return Ok(KeyElement::Arg(
            path.split('.').map(str::to_owned).collect(),
        ));
    }
    if text.split('/').any(|part| part == "**") {
        return Err(format!(
            "`{}`: `**` is allowed only as the last element, on its own: [\"file\", \"src\", \"**\"]",
            shown(text)
        ));
    }
    Ok(KeyElement::Literal(text.to_owned()))
}

/// The expression as it stands in a catalog, JSON. Its text is the file's: sanitise it before
/// showing it.
impl fmt::Display for KeyExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}", Value::from(self.kind.as_str()))?;
        for element in &self.rest {
            let text = match element {
                KeyElement::Literal(text) => Value::from(text.as_str()),
                KeyElement::Arg(path) => Value::from(format!("$args.{}", path.join("."))),
            };
            write!(f, ", {text}")?;
        }
        f.write_str(if self.tree { ", \"**\"]" } else { "]" })
    }
}

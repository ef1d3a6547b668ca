//! A call's arguments, read by hand so that every refusal names the field and what is allowed.

use serde_json::{Map, Value};

use super::place::Place;
use crate::run::ToolError;

/// The arguments of one call of a tool.
#[derive(Debug)]
pub(super) struct Args {
    tool: &'static str,
    fields: Map<String, Value>,
}

impl Args {
    /// Reads the arguments; a field that is not in `allowed` is an error. No arguments at all
    /// are an empty object.
    pub(super) fn read(
        tool: &'static str,
        allowed: &[&str],
        text: &str,
    ) -> Result<Self, ToolError> {
        let fields = match text.trim() {
            "" => Map::new(),
            text => match serde_json::from_str(text) {
                Ok(Value::Object(fields)) => fields,
                Ok(_) => return Err(bad(tool, "the arguments must be a JSON object")),
                Err(error) => {
                    return Err(bad(tool, &format!("the arguments are no JSON: {error}")));
                }
            },
        };
        if let Some(name) = fields.keys().find(|name| !allowed.contains(&name.as_str())) {
            let allowed = match allowed {
                [] => "it takes none".to_owned(),
                names => format!("allowed are `{}`", names.join("`, `")),
            };
            return Err(bad(tool, &format!("unknown field `{name}`: {allowed}")));
        }
        Ok(Self { tool, fields })
    }

    /// An error about a field.
    pub(super) fn refuse(&self, field: &str, problem: &str) -> ToolError {
        bad(self.tool, &format!("`{field}`: {problem}"))
    }

    /// A field's value; null counts as left out.
    fn value(&self, field: &str) -> Option<&Value> {
        self.fields.get(field).filter(|v| !v.is_null())
    }

    pub(super) fn has(&self, field: &str) -> bool {
        self.value(field).is_some()
    }

    pub(super) fn text(&self, field: &str) -> Result<&str, ToolError> {
        match self.value(field) {
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(self.refuse(field, "it must be a string")),
            None => Err(self.refuse(field, "it is missing; it must be a string")),
        }
    }

    pub(super) fn place(&self, field: &str) -> Result<Place, ToolError> {
        Place::new(self.text(field)?).map_err(|problem| self.refuse(field, &problem))
    }

    /// A whole number from 1, if given.
    pub(super) fn count(&self, field: &str) -> Result<Option<usize>, ToolError> {
        let Some(value) = self.value(field) else {
            return Ok(None);
        };
        match value.as_u64().and_then(|n| usize::try_from(n).ok()) {
            Some(n @ 1..) => Ok(Some(n)),
            _ => Err(self.refuse(field, "it must be a whole number from 1")),
        }
    }

    /// True or false; false where left out.
    pub(super) fn flag(&self, field: &str) -> Result<bool, ToolError> {
        match self.value(field) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.refuse(field, "it must be true or false")),
        }
    }

    /// A string or a list of strings; none where left out.
    pub(super) fn texts(&self, field: &str) -> Result<Vec<&str>, ToolError> {
        let problem = || self.refuse(field, "it must be a string or a list of strings");
        match self.value(field) {
            None => Ok(Vec::new()),
            Some(Value::String(text)) => Ok(vec![text]),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| item.as_str().ok_or_else(problem))
                .collect(),
            Some(_) => Err(problem()),
        }
    }
}

fn bad(tool: &str, problem: &str) -> ToolError {
    ToolError::BadArgs(format!("{tool}: {problem}"))
}

//! One tool of a catalog: which fields it may have and what each may hold.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::declared::Flags;
use super::error::{CatalogError, Place};
use super::keyexpr;
use super::parse::Object;
use crate::model::tool::{RunWith, ToolSpec};
use crate::time::Nanos;

/// The `x-` fields of a tool.
const FIELDS: [&str; 9] = [
    "x-mutates",
    "x-resource-key",
    "x-reads",
    "x-writes",
    "x-final",
    "x-timeout-ms",
    "x-approval",
    "x-opaque",
    "x-run",
];

/// The hints of an MCP server that are shown and never used.
const OTHER_HINTS: [&str; 3] = ["destructiveHint", "idempotentHint", "openWorldHint"];

const STORE_TOOLS: [&str; 8] = [
    "get_invoice",
    "list_invoices",
    "update_invoice",
    "charge_card",
    "get_ticket",
    "list_tickets",
    "update_ticket",
    "assign_ticket",
];

const WORKSPACE_TOOLS: [&str; 6] = [
    "code_list",
    "code_read",
    "code_search",
    "code_patch",
    "run_tests",
    "final_answer",
];

/// Reads one tool, in any of the four shapes.
pub(super) fn tool(raw: &RawValue, place: &Place<'_>) -> Result<ToolSpec, CatalogError> {
    let outer = Object::read(raw, place, || place.whole("must be an object with a name"))?;
    let inner = match outer.get("function") {
        Some(function) => Some(Object::read(function, place, || {
            place.field("function", "must be an object with the tool's name")
        })?),
        None => None,
    };
    let definition = inner.as_ref().unwrap_or(&outer);
    let name = name(definition, place)?;
    let place = place.named(&name);
    let marks = Marks::gather(&outer, inner.as_ref(), &FIELDS, &place)?;
    let is_final = marks.flag("x-final")?.unwrap_or(false);
    let flags = Flags {
        mutates: marks.flag("x-mutates")?,
        opaque: marks.flag("x-opaque")?,
        is_final,
        resource: marks.keys("x-resource-key", keyexpr::one_or_many)?,
        reads: marks.keys("x-reads", keyexpr::many)?,
        writes: marks.keys("x-writes", keyexpr::many)?,
    };
    let hints = Hints::read(outer.get("annotations"));
    Ok(ToolSpec {
        description: definition.get("description").and_then(parsed),
        declared: flags
            .declared()
            .map_err(|(field, problem)| place.field(field, problem))?,
        is_final,
        timeout: marks.timeout()?,
        approval: marks.flag("x-approval")?.unwrap_or(false),
        run: marks.run()?,
        read_only_hint: hints.read_only,
        other_hints: hints.others,
        name,
    })
}

fn name(definition: &Object<'_>, place: &Place<'_>) -> Result<String, CatalogError> {
    let Some(raw) = definition.get("name") else {
        return Err(place.field(
            "name",
            "is missing; a tool is {\"name\", \"parameters\"}, {\"name\", \"input_schema\"}, \
             {\"name\", \"inputSchema\"} or {\"type\": \"function\", \"function\": {\"name\", ...}}",
        ));
    };
    parsed::<String>(raw)
        .filter(|name| !name.is_empty())
        .ok_or_else(|| place.field("name", "must be a string, valid Unicode and not empty"))
}

fn parsed<T: DeserializeOwned>(raw: &RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

/// What an MCP server says of a tool. A hint of another type than `bool` is none.
#[derive(Default)]
struct Hints {
    read_only: Option<bool>,
    others: Vec<(&'static str, bool)>,
}

impl Hints {
    fn read(annotations: Option<&RawValue>) -> Self {
        let Some(Value::Object(hints)) = annotations.and_then(parsed) else {
            return Self::default();
        };
        let hint = |name: &str| hints.get(name).and_then(Value::as_bool);
        Self {
            read_only: hint("readOnlyHint"),
            others: OTHER_HINTS
                .into_iter()
                .filter_map(|name| Some((name, hint(name)?)))
                .collect(),
        }
    }
}

/// The `x-` fields of one tool or of the catalog, wherever they stand.
pub(super) struct Marks<'a> {
    fields: Vec<(&'static str, &'a RawValue)>,
    place: &'a Place<'a>,
}

impl<'a> Marks<'a> {
    /// Collects the fields of both objects. Errors: a field that is not in `allowed`, and one that
    /// stands in both with different values.
    pub(super) fn gather(
        outer: &Object<'a>,
        inner: Option<&Object<'a>>,
        allowed: &[&'static str],
        place: &'a Place<'a>,
    ) -> Result<Self, CatalogError> {
        let mut fields: Vec<(&'static str, &RawValue)> = Vec::new();
        let both = outer
            .marks()
            .chain(inner.into_iter().flat_map(Object::marks));
        for (name, raw) in both {
            let Some(&field) = allowed.iter().find(|&&field| field == name) else {
                let allowed = allowed.join(", ");
                return Err(place.field(name, format!("is not known; allowed are {allowed}")));
            };
            match fields.iter().find(|(other, _)| *other == field) {
                Some((_, other)) if !same(other, raw) => {
                    let problem = "stands beside and inside the definition with different values; \
                                   leave one of them out";
                    return Err(place.field(field, problem));
                }
                Some(_) => {}
                None => fields.push((field, raw)),
            }
        }
        Ok(Self { fields, place })
    }

    pub(super) fn get(&self, field: &str) -> Option<&'a RawValue> {
        let (_, raw) = self.fields.iter().find(|(name, _)| *name == field)?;
        Some(raw)
    }

    pub(super) fn flag(&self, field: &str) -> Result<Option<bool>, CatalogError> {
        self.typed(field, "must be true or false")
    }

    /// The field's value; `allowed` says what it may be where it is something else.
    pub(super) fn typed<T: DeserializeOwned>(
        &self,
        field: &str,
        allowed: &str,
    ) -> Result<Option<T>, CatalogError> {
        let Some(raw) = self.get(field) else {
            return Ok(None);
        };
        match parsed(raw) {
            Some(value) => Ok(Some(value)),
            None => Err(self.place.field(field, allowed)),
        }
    }

    fn keys<T: Default>(
        &self,
        field: &str,
        read: fn(&Value) -> Result<T, String>,
    ) -> Result<T, CatalogError> {
        match self.typed(field, "must be a list of key expressions")? {
            Some(value) => read(&value).map_err(|problem| self.place.field(field, problem)),
            None => Ok(T::default()),
        }
    }

    fn timeout(&self) -> Result<Option<Nanos>, CatalogError> {
        const ALLOWED: &str = "must be a whole number of milliseconds above 0";
        match self.typed("x-timeout-ms", ALLOWED)? {
            Some(0) => Err(self.place.field("x-timeout-ms", ALLOWED)),
            ms => Ok(ms.map(Nanos::from_millis)),
        }
    }

    fn run(&self) -> Result<Option<RunWith>, CatalogError> {
        const ALLOWED: &str = "must be {\"command\": [program, argument...]}, {\"workspace\": \
                               tool, \"command\": [...], \"check\": [...]} or {\"store\": \
                               tool, \"latency_ms\": n, \"ignores_cancel\": true}";
        match self.typed::<Run>("x-run", ALLOWED)? {
            Some(run) => run.checked().map(Some).map_err(|problem| {
                self.place
                    .field("x-run", format!("{problem}; it {ALLOWED}"))
            }),
            None => Ok(None),
        }
    }
}

fn same(a: &RawValue, b: &RawValue) -> bool {
    a.get() == b.get() || parsed::<Value>(a).is_some_and(|a| parsed(b) == Some(a))
}

/// `x-run` as it stands in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    workspace: Option<String>,
    command: Option<Vec<String>>,
    check: Option<Vec<String>>,
    store: Option<String>,
    latency_ms: Option<u64>,
    ignores_cancel: Option<bool>,
}

impl Run {
    fn checked(self) -> Result<RunWith, String> {
        if self.store.is_some() {
            return self.on_store();
        }
        if self.latency_ms.is_some() || self.ignores_cancel.is_some() {
            return Err("latency_ms and ignores_cancel go with a store tool".to_owned());
        }
        let lists = [&self.command, &self.check];
        let no_program = |list: &Vec<String>| list.first().is_none_or(|program| program.is_empty());
        if lists.into_iter().flatten().any(no_program) {
            return Err("a command starts with its program".to_owned());
        }
        let Some(tool) = self.workspace else {
            return match (self.command, self.check) {
                (Some(command), None) => Ok(RunWith::Command(command)),
                (None, _) => Err("command is missing".to_owned()),
                (_, Some(_)) => Err("check goes with the workspace tool code_patch".to_owned()),
            };
        };
        if !WORKSPACE_TOOLS.contains(&tool.as_str()) {
            let tools = WORKSPACE_TOOLS.join(", ");
            return Err(format!("workspace must be one of {tools}"));
        }
        if self.command.is_some() && !matches!(tool.as_str(), "code_patch" | "run_tests") {
            return Err(
                "command goes with the workspace tools code_patch and run_tests".to_owned(),
            );
        }
        if self.check.is_some() && tool != "code_patch" {
            return Err("check goes with the workspace tool code_patch".to_owned());
        }
        Ok(RunWith::Workspace {
            tool,
            command: self.command.unwrap_or_default(),
            check: self.check.unwrap_or_default(),
        })
    }

    fn on_store(self) -> Result<RunWith, String> {
        if self.workspace.is_some() || self.command.is_some() || self.check.is_some() {
            return Err("a store tool has no workspace, command or check".to_owned());
        }
        let tool = self.store.unwrap_or_default();
        if !STORE_TOOLS.contains(&tool.as_str()) {
            return Err(format!("store must be one of {}", STORE_TOOLS.join(", ")));
        }
        Ok(RunWith::Store {
            tool,
            latency: Nanos::from_millis(self.latency_ms.unwrap_or(0)),
            ignores_cancel: self.ignores_cancel.unwrap_or(false),
        })
    }
}

//! The four shapes of a catalog: OpenAI tools, Anthropic tools, an MCP `tools/list` result and
//! `{"name", "parameters"}`; as a bare list, in an object with `tools`, or one tool alone.

use std::collections::{HashMap, HashSet};

use serde_json::value::RawValue;

use super::error::{CatalogError, Place};
use super::fields::{self, Marks};
use super::object;
use super::tools::Catalog;

/// The `x-` fields of the catalog itself.
const FIELDS: [&str; 3] = ["x-undeclared", "x-trusted", "x-harness"];

/// The fields that are read besides those with `x-`; all others are ignored.
const NAMES: [&str; 6] = [
    "tools",
    "result",
    "function",
    "name",
    "description",
    "annotations",
];

const SHAPES: &str = "must be a list of tools, an object with a list \"tools\", an MCP answer with \
                      \"result\": {\"tools\": [...]}, or one tool";

impl Catalog {
    /// Reads a catalog. `file` is its name in errors.
    ///
    /// # Errors
    /// Text that is no JSON (line and column), and what DESIGN calls an error in a tool: an unknown
    /// `x-` field, a value it may not hold, flags that contradict each other, a tool that stands
    /// twice. Each names the tool, the field and what is allowed.
    pub fn parse(text: &str, file: &str) -> Result<Self, CatalogError> {
        let place = Place::catalog(file);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let raw: &RawValue = serde_json::from_str(text).map_err(|e| place.syntax(&e))?;
        if raw.get().starts_with('[') {
            let mut catalog = Self::default();
            catalog.read_list(raw, &place)?;
            return Ok(catalog);
        }
        let outer = Object::read(raw, &place, || place.whole(SHAPES))?;
        if outer.get("tools").is_some() {
            return Self::read_object(&outer, None, &place);
        }
        if let Some(result) = outer.get("result") {
            let inner = Object::read(result, &place, || {
                place.field("result", "must be an object with \"tools\"")
            })?;
            return Self::read_object(&outer, Some(&inner), &place);
        }
        if outer.get("name").is_some() || outer.get("function").is_some() {
            return Ok(Self::new(vec![fields::tool(raw, &place.nth(0))?]));
        }
        Err(place.whole(SHAPES))
    }

    fn read_object<'a>(
        outer: &Object<'a>,
        inner: Option<&Object<'a>>,
        place: &'a Place<'a>,
    ) -> Result<Self, CatalogError> {
        let marks = Marks::gather(outer, inner, &FIELDS, place)?;
        let undeclared = marks.typed::<String>("x-undeclared", UNDECLARED)?;
        let mut catalog = Self::default();
        catalog.undeclared_is_read = match undeclared.as_deref() {
            None | Some("opaque") => false,
            Some("read") => true,
            Some(_) => return Err(place.field("x-undeclared", UNDECLARED)),
        };
        catalog.trusted = marks.flag("x-trusted")?.unwrap_or(false);
        catalog.is_harness = marks.flag("x-harness")?.unwrap_or(false);
        let Some(tools) = inner.unwrap_or(outer).get("tools") else {
            return Err(place.whole(SHAPES));
        };
        catalog.read_list(tools, place)?;
        Ok(catalog)
    }

    fn read_list(&mut self, list: &RawValue, place: &Place<'_>) -> Result<(), CatalogError> {
        let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(list.get()) else {
            return Err(place.field("tools", "must be a list of tools"));
        };
        let mut first = HashMap::new();
        for (i, raw) in list.into_iter().enumerate() {
            let tool = fields::tool(raw, &place.nth(i))?;
            if let Some(first) = first.insert(tool.name.clone(), i + 1) {
                return Err(place.named(&tool.name).field(
                    "name",
                    format!(
                        "stands twice, as tool {first} and tool {}; a catalog holds each tool once",
                        i + 1
                    ),
                ));
            }
            self.insert(tool);
        }
        Ok(())
    }
}

const UNDECLARED: &str = "must be \"read\" (tools that declare nothing only read) or \"opaque\" \
                          (the default)";

/// The fields of a JSON object that a catalog may use.
pub(super) struct Object<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Object<'a> {
    /// Errors: `no_object` where it is none, or a field that stands twice in it.
    pub(super) fn read(
        raw: &'a RawValue,
        place: &Place<'_>,
        no_object: impl FnOnce() -> CatalogError,
    ) -> Result<Self, CatalogError> {
        let used = |name: &[u8]| {
            let name = std::str::from_utf8(name).ok()?;
            (NAMES.contains(&name) || is_mark(name)).then(|| name.to_owned())
        };
        let fields = object::fields(raw.get(), used).map_err(|_| no_object())?;
        let mut seen = HashSet::new();
        match fields.iter().find(|(name, _)| !seen.insert(name.as_str())) {
            Some((name, _)) => {
                let problem = "stands twice in one object; leave one of them out";
                Err(place.field(name, problem))
            }
            None => Ok(Self(fields)),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        let (_, raw) = self.0.iter().find(|(field, _)| field == name)?;
        Some(raw)
    }

    /// The `x-` fields, in the order of the file.
    pub(super) fn marks(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0
            .iter()
            .filter(|(name, _)| is_mark(name))
            .map(|(name, raw)| (name.as_str(), *raw))
    }
}

/// Upper case counts too, so that `X-Mutates` is an error and not a field nobody reads.
fn is_mark(name: &str) -> bool {
    name.get(..2)
        .is_some_and(|start| start.eq_ignore_ascii_case("x-"))
}

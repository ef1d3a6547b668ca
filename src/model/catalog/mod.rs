//! The catalog: which tools there are and what each declares.

mod resolve;

use std::collections::HashMap;

use super::effects::{Effects, Source};
use super::key::KeyTable;
use super::tool::ToolSpec;

/// A catalog that cannot be used: the file, the tool, the field, and what is allowed there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {place}: {problem}")]
pub struct CatalogError {
    /// The file as the caller named it.
    pub file: String,
    /// Where in it: `tool update_invoice, field x-resource-key`, or a line and column.
    pub place: String,
    /// What is wrong and what is allowed instead.
    pub problem: String,
}

/// The tools in force for a run.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    tools: Vec<ToolSpec>,
    by_name: HashMap<String, usize>,
    /// True where the catalog says `"x-undeclared": "read"`.
    pub undeclared_is_read: bool,
    /// True for a catalog that turnlane ships for a known harness.
    pub is_harness: bool,
}

impl Catalog {
    /// A catalog of these tools; of two with one name the later stands.
    #[must_use]
    pub fn new(tools: Vec<ToolSpec>) -> Self {
        let mut catalog = Self::default();
        for tool in tools {
            catalog.insert(tool);
        }
        catalog
    }

    /// Adds a tool, or replaces the one of that name.
    pub fn insert(&mut self, tool: ToolSpec) {
        match self.by_name.get(&tool.name) {
            Some(&i) => self.tools[i] = tool,
            None => {
                self.by_name.insert(tool.name.clone(), self.tools.len());
                self.tools.push(tool);
            }
        }
    }

    /// The tool of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.by_name.get(name).map(|&i| &self.tools[i])
    }

    /// All tools in the order of the file.
    #[must_use]
    pub fn tools(&self) -> &[ToolSpec] {
        &self.tools
    }
}

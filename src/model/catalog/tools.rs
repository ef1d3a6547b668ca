//! The tools in force, and for each where its declaration comes from.

use std::collections::HashMap;

use crate::model::effects::Source;
use crate::model::tool::{Declared, ToolSpec};

/// The tools in force for a run.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    tools: Vec<ToolSpec>,
    /// For a tool that came from another catalog, what that catalog said; else `None`.
    origins: Vec<Option<Origin>>,
    by_name: HashMap<String, usize>,
    /// True where the catalog says `"x-undeclared": "read"`.
    pub undeclared_is_read: bool,
    /// True for a catalog that turnlane ships for a known harness (`"x-harness": true`).
    pub is_harness: bool,
    /// True where the user trusts the MCP server behind it (`"x-trusted": true`): only then does
    /// `readOnlyHint` count.
    pub trusted: bool,
}

/// What a catalog says of all its tools.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) undeclared_is_read: bool,
    is_harness: bool,
    trusted: bool,
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

    /// Adds a tool, or replaces the one of that name. It stands under this catalog's own marks.
    pub fn insert(&mut self, tool: ToolSpec) {
        self.put(tool, None);
    }

    /// The tool of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.by_name.get(name).map(|&i| &self.tools[i])
    }

    /// All tools in the order of the file; after a merge the base's follow.
    #[must_use]
    pub fn tools(&self) -> &[ToolSpec] {
        &self.tools
    }

    /// These tools over those of `base`: of two with one name this catalog's stands. Every tool
    /// keeps the source and the marks of the catalog it came from.
    #[must_use]
    pub fn merged_over(mut self, base: Self) -> Self {
        let marks = base.marks();
        for (tool, origin) in base.tools.into_iter().zip(base.origins) {
            if !self.by_name.contains_key(&tool.name) {
                self.put(tool, Some(origin.unwrap_or(marks)));
            }
        }
        self
    }

    /// Where the effects of a call of this tool come from. [`Source::Undeclared`] and
    /// [`Source::Unknown`] mean opaque.
    #[must_use]
    pub fn source(&self, name: &str) -> Source {
        self.find(name)
            .map_or(Source::Unknown, |(tool, origin)| origin.source(tool))
    }

    /// A tool and what its catalog says of all its tools.
    pub(super) fn find(&self, name: &str) -> Option<(&ToolSpec, Origin)> {
        let &i = self.by_name.get(name)?;
        Some((&self.tools[i], self.origins[i].unwrap_or(self.marks())))
    }

    fn put(&mut self, tool: ToolSpec, origin: Option<Origin>) {
        if let Some(&i) = self.by_name.get(&tool.name) {
            self.tools[i] = tool;
            self.origins[i] = origin;
        } else {
            self.by_name.insert(tool.name.clone(), self.tools.len());
            self.tools.push(tool);
            self.origins.push(origin);
        }
    }

    const fn marks(&self) -> Origin {
        Origin {
            undeclared_is_read: self.undeclared_is_read,
            is_harness: self.is_harness,
            trusted: self.trusted,
        }
    }
}

impl Origin {
    /// 1. what is declared decides;
    /// 2. else a trusted server's `readOnlyHint: true` makes it a read;
    /// 3. else `"x-undeclared": "read"` does, unless the server itself says that it is none;
    /// 4. else it is opaque.
    pub(super) fn source(self, tool: &ToolSpec) -> Source {
        match (&tool.declared, tool.read_only_hint) {
            (Declared::Opaque | Declared::Keys { .. }, _) if self.is_harness => Source::Harness,
            (Declared::Opaque | Declared::Keys { .. }, _) => Source::Declared,
            (Declared::Nothing, Some(true)) if self.trusted => Source::Hint,
            (Declared::Nothing, Some(true) | None) if self.undeclared_is_read => Source::Assumption,
            (Declared::Nothing, _) => Source::Undeclared,
        }
    }
}

//! What is wrong with a catalog, said so that its author can mend it.

use std::borrow::Cow;

use crate::text;

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

/// Where in a file the reader stands, to say it with an error.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    /// The tool, fit to show; empty for the catalog itself.
    pub(super) tool: String,
}

impl<'a> Place<'a> {
    /// The catalog itself.
    pub(super) fn catalog(file: &'a str) -> Self {
        Self {
            file,
            tool: String::new(),
        }
    }

    /// The tool at this place of the list, counted from 0, while its name is not known.
    pub(super) fn nth(&self, index: usize) -> Self {
        Self {
            file: self.file,
            tool: format!("tool {} of the list", index + 1),
        }
    }

    /// The tool of this name.
    pub(super) fn named(&self, name: &str) -> Self {
        Self {
            file: self.file,
            tool: format!("tool {}", shown(name)),
        }
    }

    /// An error in one field of this tool or of the catalog.
    pub(super) fn field(&self, field: &str, problem: impl Into<String>) -> CatalogError {
        let field = format!("field {}", shown(field));
        let place = if self.tool.is_empty() {
            field
        } else {
            format!("{}, {field}", self.tool)
        };
        self.at(place, problem)
    }

    /// An error of this tool or of the catalog as a whole.
    pub(super) fn whole(&self, problem: impl Into<String>) -> CatalogError {
        let place = if self.tool.is_empty() {
            "catalog".to_owned()
        } else {
            self.tool.clone()
        };
        self.at(place, problem)
    }

    /// An error of the JSON text, with its line and column.
    pub(super) fn syntax(&self, error: &serde_json::Error) -> CatalogError {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let message = message
            .strip_suffix(&format!(" at line {line} column {column}"))
            .unwrap_or(&message);
        let problem = format!(
            "{message}; a catalog is one JSON value: a list of tools, or an object with \"tools\""
        );
        self.at(format!("line {line}, column {column}"), problem)
    }

    fn at(&self, place: String, problem: impl Into<String>) -> CatalogError {
        CatalogError {
            file: self.file.to_owned(),
            place,
            problem: problem.into(),
        }
    }
}

/// The cells that a name of the file may take in a sentence.
const NAME_CELLS: usize = 120;

/// A name from the file, fit to show.
pub(super) fn shown(name: &str) -> Cow<'_, str> {
    text::cut(name, NAME_CELLS)
}

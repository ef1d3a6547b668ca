//! Remarks on a catalog: what declares nothing, what probably only reads, and keys that look as if
//! they were meant to meet and never do. Remarks only: no effect is ever taken from here.

use std::collections::HashMap;
use std::fmt;

use super::error::shown;
use super::tools::Catalog;
use crate::model::effects::Source;
use crate::model::tool::{Declared, KeyExpr, ToolSpec};

/// One remark on a catalog. Names are the file's; [`fmt::Display`] shows them safely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lint {
    /// The tool declares nothing.
    Undeclared {
        /// Its name.
        tool: String,
        /// True where it counts as a read all the same (`"x-undeclared": "read"`, or the hint of a
        /// trusted server); false where it is opaque.
        is_read: bool,
    },
    /// The tool declares nothing and is opaque for it, but looks like a read.
    LikelyRead {
        /// Its name.
        tool: String,
        /// The word of its name that says so; `None` where its server's `readOnlyHint` does.
        word: Option<String>,
    },
    /// Two tools build keys of one kind from different numbers of elements: those never meet.
    ShapesDiffer {
        /// A tool and its expression, as in the catalog.
        first: (String, String),
        /// Another.
        second: (String, String),
    },
    /// Two kinds differ only in upper and lower case: their keys never meet.
    KindsDifferInCase {
        /// A tool and its kind.
        first: (String, String),
        /// Another.
        second: (String, String),
    },
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undeclared { tool, is_read } => {
                let (tool, what) = (shown(tool), if *is_read { "a read" } else { "opaque" });
                write!(f, "{tool} declares nothing: it counts as {what}")
            }
            Self::LikelyRead { tool, word } => {
                let tool = shown(tool);
                write!(f, "{tool} likely only reads (")?;
                match word {
                    Some(word) => write!(f, "its name says {}", shown(word))?,
                    None => f.write_str("its server says readOnlyHint")?,
                }
                f.write_str("): if so, declare \"x-mutates\": false and its keys")
            }
            Self::ShapesDiffer { first, second } => write!(
                f,
                "{} has the key {} and {} has {}: keys of different length never meet",
                shown(&first.0),
                shown(&first.1),
                shown(&second.0),
                shown(&second.1)
            ),
            Self::KindsDifferInCase { first, second } => write!(
                f,
                "{} has the kind {} and {} has {}: kinds that differ in case never meet",
                shown(&first.0),
                shown(&first.1),
                shown(&second.0),
                shown(&second.1)
            ),
        }
    }
}

/// All remarks: on the tools in the order of the file, then on their keys.
#[must_use]
pub fn lint(catalog: &Catalog) -> Vec<Lint> {
    let mut lints = Vec::new();
    for tool in catalog.tools() {
        let source = catalog.source(&tool.name);
        if tool.declared == Declared::Nothing {
            lints.push(Lint::Undeclared {
                tool: tool.name.clone(),
                is_read: source != Source::Undeclared,
            });
        }
        if source == Source::Undeclared {
            lints.extend(likely_read(tool));
        }
    }
    lints.extend(shapes(catalog));
    lints.extend(cases(catalog));
    lints
}

const READ_WORDS: [&str; 24] = [
    "check", "count", "describe", "diff", "fetch", "find", "get", "glob", "grep", "inspect",
    "list", "lookup", "ls", "peek", "preview", "query", "read", "resolve", "retrieve", "search",
    "show", "stat", "status", "view",
];

fn likely_read(tool: &ToolSpec) -> Option<Lint> {
    let word = first_word(&tool.name);
    let says = READ_WORDS.contains(&word.as_str());
    let likely = match tool.read_only_hint {
        Some(hint) => hint,
        None => says,
    };
    likely.then(|| Lint::LikelyRead {
        tool: tool.name.clone(),
        word: says.then_some(word),
    })
}

/// `get` of `get_invoice`, `GetInvoice`, `mcp__books__get_invoice` and `books.get`.
fn first_word(name: &str) -> String {
    let name = name.rsplit("__").next().unwrap_or(name);
    let name = name.rsplit(['.', '/', ':']).next().unwrap_or(name);
    let mut word = String::new();
    for letter in name.trim_start_matches(['_', '-']).chars() {
        let starts_next = letter.is_uppercase() && word.ends_with(char::is_lowercase);
        if !letter.is_alphanumeric() || starts_next {
            break;
        }
        word.push(letter);
    }
    word.to_lowercase()
}

fn expressions(catalog: &Catalog) -> impl Iterator<Item = (&ToolSpec, &KeyExpr)> {
    catalog.tools().iter().flat_map(|tool| {
        let (reads, writes): (&[KeyExpr], &[KeyExpr]) = match &tool.declared {
            Declared::Keys { reads, writes } => (reads, writes),
            Declared::Nothing | Declared::Opaque => (&[], &[]),
        };
        reads.iter().chain(writes).map(move |expr| (tool, expr))
    })
}

/// One remark for each further length of a kind. Trees hold what is below them whatever its
/// length, and a `file` is one path however many elements it is joined from.
fn shapes(catalog: &Catalog) -> Vec<Lint> {
    let mut firsts: HashMap<&str, Vec<(&ToolSpec, &KeyExpr)>> = HashMap::new();
    let mut lints = Vec::new();
    for (tool, expr) in expressions(catalog) {
        if expr.tree || expr.kind == "file" {
            continue;
        }
        let seen = firsts.entry(&expr.kind).or_default();
        if seen
            .iter()
            .any(|(_, other)| other.rest.len() == expr.rest.len())
        {
            continue;
        }
        if let Some((first, other)) = seen.first() {
            lints.push(Lint::ShapesDiffer {
                first: (first.name.clone(), other.to_string()),
                second: (tool.name.clone(), expr.to_string()),
            });
        }
        seen.push((tool, expr));
    }
    lints
}

/// One remark for each further spelling of a kind.
fn cases(catalog: &Catalog) -> Vec<Lint> {
    let mut firsts: HashMap<String, Vec<(&ToolSpec, &str)>> = HashMap::new();
    let mut lints = Vec::new();
    for (tool, expr) in expressions(catalog) {
        let seen = firsts.entry(expr.kind.to_lowercase()).or_default();
        if seen.iter().any(|(_, kind)| *kind == expr.kind) {
            continue;
        }
        if let Some((first, kind)) = seen.first() {
            lints.push(Lint::KindsDifferInCase {
                first: (first.name.clone(), (*kind).to_owned()),
                second: (tool.name.clone(), expr.kind.clone()),
            });
        }
        seen.push((tool, &expr.kind));
    }
    lints
}

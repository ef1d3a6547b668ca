//! A catalog as a file that can be read again.

use serde_json::Value;

use super::tools::Catalog;
use crate::model::effects::Source;
use crate::model::tool::{Declared, KeyExpr, RunWith, ToolSpec};

/// What the marks of the written file would say of tools that declare nothing.
#[derive(Clone, Copy)]
struct Marks {
    undeclared_is_read: bool,
    trusted: bool,
}

impl Catalog {
    /// The catalog as JSON, one tool a line: [`Catalog::parse`] reads the same declarations back.
    ///
    /// Tools of several catalogs come under one set of marks, so a tool that those marks would
    /// relax says itself that it is opaque. The mark of a harness catalog is left out: what a user
    /// saves is the user's. Schemas of arguments are not kept in memory, so they are not written.
    #[must_use]
    pub fn to_json(&self) -> String {
        let any = |source| self.tools().iter().any(|t| self.source(&t.name) == source);
        let marks = Marks {
            undeclared_is_read: any(Source::Assumption),
            trusted: any(Source::Hint),
        };
        let mut json = String::from("{");
        if marks.undeclared_is_read {
            json.push_str("\"x-undeclared\": \"read\", ");
        }
        if marks.trusted {
            json.push_str("\"x-trusted\": true, ");
        }
        let tools = self.tools().iter();
        let tools: Vec<String> = tools
            .map(|tool| format!("\n  {}", tool_json(tool, self.source(&tool.name), marks)))
            .collect();
        json.push_str(&format!("\"tools\": [{}\n]}}\n", tools.join(",")));
        json
    }
}

fn tool_json(tool: &ToolSpec, source: Source, marks: Marks) -> String {
    let mut fields = vec![("name", string(&tool.name))];
    if let Some(description) = &tool.description {
        fields.push(("description", string(description)));
    }
    if let Some(hints) = hints(tool) {
        fields.push(("annotations", hints));
    }
    match &tool.declared {
        Declared::Opaque => fields.push(("x-opaque", "true".to_owned())),
        Declared::Nothing if source == Source::Undeclared && marks.would_relax(tool) => {
            fields.push(("x-opaque", "true".to_owned()));
        }
        Declared::Nothing => {}
        Declared::Keys { reads, writes } => {
            if reads.is_empty() && writes.is_empty() {
                fields.push(("x-mutates", "false".to_owned()));
            }
            for (field, keys) in [("x-reads", reads), ("x-writes", writes)] {
                if !keys.is_empty() {
                    fields.push((field, list(keys)));
                }
            }
        }
    }
    if tool.is_final {
        fields.push(("x-final", "true".to_owned()));
    }
    if let Some(timeout) = tool.timeout {
        fields.push(("x-timeout-ms", (timeout.0 / 1_000_000).to_string()));
    }
    if tool.approval {
        fields.push(("x-approval", "true".to_owned()));
    }
    if let Some(run) = &tool.run {
        fields.push(("x-run", run_json(run)));
    }
    object(&fields)
}

impl Marks {
    const fn would_relax(self, tool: &ToolSpec) -> bool {
        let hinted = matches!(tool.read_only_hint, Some(true));
        (hinted && self.trusted)
            || (self.undeclared_is_read && !matches!(tool.read_only_hint, Some(false)))
    }
}

fn hints(tool: &ToolSpec) -> Option<String> {
    let own = tool.read_only_hint.map(|hint| ("readOnlyHint", hint));
    let hints = own.into_iter().chain(tool.other_hints.iter().copied());
    let fields: Vec<_> = hints.map(|(name, hint)| (name, hint.to_string())).collect();
    (!fields.is_empty()).then(|| object(&fields))
}

fn run_json(run: &RunWith) -> String {
    let words = |list: &[String]| Value::from(list.to_vec()).to_string();
    match run {
        RunWith::Command(command) => object(&[("command", words(command))]),
        RunWith::Workspace {
            tool,
            command,
            check,
        } => {
            let mut fields = vec![("workspace", string(tool))];
            for (name, list) in [("command", command), ("check", check)] {
                if !list.is_empty() {
                    fields.push((name, words(list)));
                }
            }
            object(&fields)
        }
        RunWith::Store {
            tool,
            latency,
            ignores_cancel,
        } => {
            let mut fields = vec![("store", string(tool))];
            if latency.0 > 0 {
                fields.push(("latency_ms", (latency.0 / 1_000_000).to_string()));
            }
            if *ignores_cancel {
                fields.push(("ignores_cancel", "true".to_owned()));
            }
            object(&fields)
        }
    }
}

fn list(keys: &[KeyExpr]) -> String {
    let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
    format!("[{}]", keys.join(", "))
}

fn string(text: &str) -> String {
    Value::from(text).to_string()
}

fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("\"{name}\": {value}"))
        .collect();
    format!("{{{}}}", fields.join(", "))
}

//! `tools`: what each tool of a catalog declares, and what deserves a second look.

use super::args::ToolsArgs;
use super::failure::Failure;
use super::load::read_catalog;
use super::output::print;
use crate::export::{Align, Table};
use crate::model::catalog::lint;
use crate::model::{Catalog, Declared, KeyExpr, Source, ToolSpec};
use crate::text::clean;

pub(super) fn run(args: &ToolsArgs) -> Result<(), Failure> {
    let catalog = match &args.catalog {
        Some(path) => read_catalog(path)?.0,
        None => Catalog::claude_code().map_err(Failure::unreadable)?,
    };
    let mut table = Table::new(&[Align::Left; 4]);
    table.row(["tool", "touches", "also", "source"]);
    for tool in catalog.tools() {
        let source = catalog.source(&tool.name);
        let name = clean(&tool.name).into_owned();
        table.row([
            name,
            touches(tool, source),
            also(tool),
            source.word().to_owned(),
        ]);
    }
    let remarks = lint(&catalog);
    let remarks: String = remarks
        .iter()
        .map(|remark| format!("  {remark}\n"))
        .collect();
    let remarks = if remarks.is_empty() {
        remarks
    } else {
        format!("\nWorth a look:\n{remarks}")
    };
    print(&format!("{}{remarks}", table.text("")))
}

/// The keys of a tool, or what it counts as where it names none.
fn touches(tool: &ToolSpec, source: Source) -> String {
    let list = |word: &str, keys: &[KeyExpr]| {
        let keys: Vec<_> = keys
            .iter()
            .map(|key| clean(&key.to_string()).into_owned())
            .collect();
        (!keys.is_empty()).then(|| format!("{word} {}", keys.join(" ")))
    };
    match &tool.declared {
        Declared::Opaque => "opaque: ordered against everything".to_owned(),
        Declared::Nothing if matches!(source, Source::Assumption | Source::Hint) => {
            "a read without keys".to_owned()
        }
        Declared::Nothing => "nothing declared: opaque".to_owned(),
        Declared::Keys { reads, writes } => {
            let parts = [list("writes", writes), list("reads", reads)];
            let parts: Vec<_> = parts.into_iter().flatten().collect();
            if parts.is_empty() {
                "a read without keys".to_owned()
            } else {
                parts.join(", ")
            }
        }
    }
}

fn also(tool: &ToolSpec) -> String {
    let parts = [
        tool.is_final.then(|| "final".to_owned()),
        tool.approval.then(|| "asks first".to_owned()),
        tool.timeout.map(|limit| format!("at most {limit}")),
        tool.run.is_some().then(|| "can be run".to_owned()),
        tool.read_only_hint
            .map(|hint| format!("readOnlyHint {hint} (untrusted unless marked)")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

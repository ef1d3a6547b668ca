//! What can be assumed of a tool, and how declarations and assumptions read.

use super::model::{Assumptions, Changes};
use crate::analyze::WhatIfOptions;
use crate::model::{Catalog, Declared, KeyElement, KeyExpr, Source, ToolSpec};
use crate::text::{clean, cut};

/// A tool's name or a key in a list of assumptions takes no more cells than this.
const NAME: usize = 24;

/// What a tool can be taken to declare, `None` for what the file says; the same in each order of
/// asking. An argument that the tool's calls have can be the key, read or written.
pub(super) fn choices(assumptions: &Assumptions, name: &str) -> Vec<Option<Declared>> {
    let spec = assumptions.spec(name);
    let args = assumptions.args.get(name).map_or(&[][..], Vec::as_slice);
    let catalog = assumptions.run.catalog.as_ref();
    let keys = args.iter().filter_map(|arg| key_of(&spec, arg, catalog));
    let mut keys: Vec<KeyExpr> = keys.collect();
    // Arguments that some tool declares as a key are the likely ones.
    let declared: Vec<&KeyElement> = catalog
        .map_or(&[][..], Catalog::tools)
        .iter()
        .flat_map(|tool| expressions(&tool.declared))
        .flat_map(|expr| &expr.rest)
        .collect();
    keys.sort_by_key(|key| !key.rest.iter().all(|arg| declared.contains(&arg)));
    let read = |key: &KeyExpr| keyed(vec![key.clone()], Vec::new());
    let write = |key: &KeyExpr| keyed(Vec::new(), vec![key.clone()]);
    let mut all = vec![keyed(Vec::new(), Vec::new())];
    all.extend(keys.iter().map(read));
    all.extend(keys.iter().map(write));
    all.push(Declared::Opaque);
    all.retain(|declared| *declared != spec.declared);
    let mut all: Vec<_> = std::iter::once(None)
        .chain(all.into_iter().map(Some))
        .collect();
    // What is assumed stays among the choices, whatever the arguments of another turn are called.
    let now = assumptions.wanted.tools.get(name).cloned().map(Some);
    all.extend(now.filter(|now| !all.contains(now)));
    all
}

const fn keyed(reads: Vec<KeyExpr>, writes: Vec<KeyExpr>) -> Declared {
    Declared::Keys { reads, writes }
}

/// The key that an argument names. Its kind is the tool's own, else that of other tools for an
/// argument of this name: two kinds for one resource would hide a conflict. Failing both, the
/// argument's name is the kind.
fn key_of(spec: &ToolSpec, arg: &str, catalog: Option<&Catalog>) -> Option<KeyExpr> {
    let path: Vec<String> = arg.split('.').map(str::to_owned).collect();
    let name = path.last()?.clone();
    let own = expressions(&spec.declared).next();
    let others = catalog.map_or(&[][..], Catalog::tools).iter();
    let mut others = others.flat_map(|tool| expressions(&tool.declared));
    let kind = match own.or_else(|| others.find(|expr| ends_with(expr, &name))) {
        Some(expr) => expr.kind.clone(),
        None => name,
    };
    let allowed = !kind.is_empty() && !kind.contains(':') && !kind.starts_with('$') && kind != "**";
    allowed.then(|| KeyExpr {
        kind,
        rest: vec![KeyElement::Arg(path)],
        tree: false,
    })
}

/// What is written first, then what is read.
fn expressions(declared: &Declared) -> impl Iterator<Item = &KeyExpr> {
    let (reads, writes) = match declared {
        Declared::Keys { reads, writes } => (reads.as_slice(), writes.as_slice()),
        Declared::Nothing | Declared::Opaque => (&[][..], &[][..]),
    };
    writes.iter().chain(reads)
}

fn ends_with(expr: &KeyExpr, name: &str) -> bool {
    matches!(expr.rest.last(), Some(KeyElement::Arg(path)) if path.last().is_some_and(|l| l == name))
}

/// A declaration in words: `reads file:path, writes invoice:invoice_id`. Arguments stand by their
/// names.
pub(super) fn declared(declared: &Declared) -> String {
    let Declared::Keys { reads, writes } = declared else {
        return "opaque".to_owned();
    };
    let list = |verb: &str, keys: &[KeyExpr]| {
        let keys: Vec<String> = keys.iter().map(key).collect();
        (!keys.is_empty()).then(|| format!("{verb} {}", keys.join(" ")))
    };
    let parts = [list("reads", reads), list("writes", writes)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        "read-only".to_owned()
    } else {
        parts.join(", ")
    }
}

fn key(expr: &KeyExpr) -> String {
    let elements = expr.rest.iter().map(|element| match element {
        KeyElement::Literal(text) => clean(text).into_owned(),
        KeyElement::Arg(path) => format!("<{}>", clean(&path.join("."))),
    });
    let stars = expr.tree.then(|| "**".to_owned());
    let path: Vec<String> = elements.chain(stars).collect();
    if path.is_empty() {
        return clean(&expr.kind).into_owned();
    }
    format!("{}:{}", clean(&expr.kind), path.join("/"))
}

/// What the file says of a tool, in words, with where that comes from.
pub(super) fn by_file(assumptions: &Assumptions, name: &str) -> String {
    let Some(catalog) = &assumptions.run.catalog else {
        return "what each call says in the file".to_owned();
    };
    let source = catalog.source(name);
    match (catalog.get(name), source) {
        (None, _) => "opaque: not in the catalog".to_owned(),
        (Some(_), Source::Undeclared) => "opaque: nothing is declared".to_owned(),
        (Some(_), Source::Hint) => "read-only, by a trusted hint".to_owned(),
        (Some(_), Source::Assumption) => "read-only, as undeclared tools are".to_owned(),
        (Some(tool), _) => declared(&tool.declared),
    }
}

/// What is assumed instead of what the file says, in one line: `slots 2, Bash read-only`. Empty
/// for nothing.
pub(super) fn summary(changes: &Changes, given: &WhatIfOptions) -> String {
    let mut parts = Vec::new();
    if changes.slots != given.slots {
        parts.push(format!("slots {}", changes.slots));
    }
    if changes.on_failure != given.on_failure {
        parts.push(format!("on failure {}", changes.on_failure));
    }
    parts.extend(changes.tools.iter().map(|(tool, what)| {
        let name = cut(tool, NAME);
        let name = if name.is_empty() { "(no name)" } else { &name };
        format!("{name} {}", declared(what))
    }));
    parts.join(", ")
}

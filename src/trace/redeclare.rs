//! A recorded run under other declarations: the same calls at the same times, touching what
//! another catalog says.

use super::bodies::Bodies;
use super::json;
use super::run::{Call, Run};
use crate::model::{Catalog, Source};

/// A run whose calls touch what another catalog says.
#[derive(Clone, Debug)]
pub struct Redeclared {
    /// The run.
    pub run: Run,
    /// Calls whose arguments could not be read: where a key comes from them, a read then reads the
    /// whole kind and a write is opaque.
    pub unread: usize,
}

/// `run` as it would be had the tools of `catalog` declared what they declare there; calls of
/// other tools touch what the file says. `source` says where the new effects come from, where that
/// is not the catalog itself.
///
/// Arguments are read from the run's files, one call at a time, and only for tools whose keys come
/// from them.
#[must_use]
pub fn redeclare(run: &Run, catalog: &Catalog, source: Option<Source>) -> Redeclared {
    let mut new = run.clone();
    let mut unread = 0;
    for (at, call) in run.calls.iter().enumerate() {
        let name = run.tool(call);
        let Some(spec) = catalog.get(name) else {
            continue;
        };
        let args = if spec.declared.asks_args() {
            args(run, call)
        } else {
            Some(String::new())
        };
        unread += usize::from(args.is_none());
        let folder = folder(run, call);
        let effects = catalog.effects(name, &args.unwrap_or_default(), folder, &mut new.keys);
        let (reads, writes) = (
            new.pool_keys(&effects.reads),
            new.pool_keys(&effects.writes),
        );
        new.calls[at] = Call {
            reads,
            writes,
            opaque: effects.opaque,
            is_final: effects.is_final,
            source: source.unwrap_or(effects.source),
            ..*call
        };
    }
    let before = new.catalog.take().unwrap_or_default();
    new.catalog = Some(catalog.clone().merged_over(before));
    Redeclared { run: new, unread }
}

/// Arguments longer than this are not read: no key is worth the memory.
const LONGEST: u64 = 16 << 20;

/// A call's arguments as the model wrote them; `None` where they cannot be read.
pub(super) fn args(run: &Run, call: &Call) -> Option<String> {
    if call.args.len == 0 {
        return Some("{}".to_owned());
    }
    if call.args.len > LONGEST {
        return None;
    }
    let bytes = Bodies::load(run, call.args).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    // Arguments that are no JSON, and those of harnesses that keep them as text, are a string.
    match json::string(&text) {
        Some(inside) => Some(inside.into_owned()),
        None => Some(text),
    }
}

fn folder<'r>(run: &'r Run, call: &Call) -> Option<&'r str> {
    let own = run.names.get(call.folder);
    let folder = if own.is_empty() {
        &run.meta.folder
    } else {
        own
    };
    (!folder.is_empty()).then_some(folder)
}

//! Which arguments calls have that could name a resource.

use std::collections::{BTreeMap, BTreeSet};

use super::json;
use super::redeclare;
use super::run::Run;

/// A tool has no more names than this worth choosing from.
const MOST: usize = 24;

/// By tool, the arguments of these calls whose value is a string or a number, as paths: `path`,
/// `ticket.id`. `calls` are indices of the run's calls; their arguments are read from its files,
/// and those that cannot be read have no names.
#[must_use]
pub fn arg_names(run: &Run, calls: &[u32]) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for call in calls {
        let Some(call) = run.calls.get(*call as usize) else {
            continue;
        };
        let names = found.entry(run.tool(call).to_owned()).or_default();
        if let Some(args) = redeclare::args(run, call) {
            collect(&args, "", names);
        }
    }
    let lists = found.into_iter().map(|(tool, names)| {
        let names = names.into_iter().take(MOST).collect();
        (tool, names)
    });
    lists.collect()
}

/// The names of an object's plain values, and of those of objects in it.
fn collect(text: &str, above: &str, names: &mut BTreeSet<String>) {
    for (name, value) in json::all_fields(text) {
        // A key expression names neither of these.
        if name.is_empty() || name.contains('.') {
            continue;
        }
        match value.as_bytes().first() {
            Some(b'"' | b'-' | b'0'..=b'9') => {
                names.insert(format!("{above}{name}"));
            }
            Some(b'{') if above.is_empty() => collect(value, &format!("{name}."), names),
            _ => {}
        }
    }
}

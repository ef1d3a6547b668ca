//! What a call touches, by the catalog in force.

use super::rows::{Draft, NewCall};
use crate::model::{Effects, KeyId};
use crate::trace::Call;

impl Draft {
    /// The row of a call with everything that the catalog says of it.
    pub(in crate::import) fn touching(&mut self, new: &NewCall<'_>) -> Call {
        let tool = self.name(new.tool);
        let declared_as = match new.declared_as {
            "" => new.tool,
            other => other,
        };
        let effects = self.effects(declared_as, new);
        let approval = self.catalog.get(declared_as).is_some_and(|t| t.approval);
        Call {
            tool,
            reads: self.run.pool_keys(&effects.reads),
            writes: self.run.pool_keys(&effects.writes),
            opaque: effects.opaque,
            is_final: effects.is_final,
            source: effects.source,
            approval,
            args: new.args,
            line_offset: new.line_offset,
            ..Call::default()
        }
    }

    fn effects(&mut self, tool: &str, new: &NewCall<'_>) -> Effects {
        let folder = match new.folder {
            "" => self.run.meta.folder.as_str(),
            folder => folder,
        };
        let folder = (!folder.is_empty()).then_some(folder);
        let views = match new.views {
            [] => &["{}"],
            views => views,
        };
        let each = views.iter();
        let mut each =
            each.map(|view| self.catalog.effects(tool, view, folder, &mut self.run.keys));
        let first = each.next().unwrap_or_default();
        each.fold(first, union)
    }
}

/// What two parts of one call touch together: a key both read and written counts as written.
fn union(mut all: Effects, one: Effects) -> Effects {
    let add = |keys: &mut Vec<KeyId>, new: Vec<KeyId>| {
        let new: Vec<_> = new.into_iter().filter(|key| !keys.contains(key)).collect();
        keys.extend(new);
    };
    add(&mut all.writes, one.writes);
    add(&mut all.reads, one.reads);
    all.reads.retain(|key| !all.writes.contains(key));
    all.opaque |= one.opaque;
    all.is_final |= one.is_final;
    all.note = all.note.or(one.note);
    if all.opaque {
        all.reads.clear();
        all.writes.clear();
    }
    all
}

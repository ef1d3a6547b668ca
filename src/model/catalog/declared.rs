//! What a tool's `x-` fields mean together.

use crate::model::tool::{Declared, KeyExpr};

/// The fields that say what a tool touches, as they stand in the file. No expression means that
/// the field is not there.
#[derive(Debug, Default)]
pub(super) struct Flags {
    pub(super) mutates: Option<bool>,
    pub(super) opaque: Option<bool>,
    pub(super) is_final: bool,
    pub(super) resource: Vec<KeyExpr>,
    pub(super) reads: Vec<KeyExpr>,
    pub(super) writes: Vec<KeyExpr>,
}

impl Flags {
    /// 1. `x-opaque` is opaque, and goes with no key and no `x-mutates: false`;
    /// 2. the resource key is written with `x-mutates: true`, else read;
    /// 3. `x-mutates: true` without any key is opaque;
    /// 4. `x-mutates: false` goes with no `x-writes`;
    /// 5. a final tool without more is declared, without keys;
    /// 6. no field at all is nothing declared.
    ///
    /// The error is the field at fault and what is wrong with it.
    pub(super) fn declared(self) -> Result<Declared, (&'static str, &'static str)> {
        let mut reads = self.reads;
        let mut writes = self.writes;
        let keyed = !(self.resource.is_empty() && reads.is_empty() && writes.is_empty());
        match (self.opaque, self.mutates) {
            (Some(true), _) if keyed => Err((
                "x-opaque",
                "true contradicts the keys in x-resource-key, x-reads or x-writes: an opaque tool \
                 names none; leave one of them out",
            )),
            (Some(true), Some(false)) => Err((
                "x-opaque",
                "true contradicts x-mutates: false, which says that the tool only reads; leave one \
                 of them out",
            )),
            (Some(true), _) => Ok(Declared::Opaque),
            (_, Some(false)) if !writes.is_empty() => Err((
                "x-mutates",
                "false contradicts x-writes; leave it out, or write true",
            )),
            (Some(false), Some(true)) if !keyed => Err((
                "x-opaque",
                "false contradicts x-mutates: true without a key, which is opaque; name what it \
                 writes in x-resource-key or x-writes",
            )),
            (_, Some(true)) if !keyed => Ok(Declared::Opaque),
            (_, Some(true)) if self.resource.is_empty() && writes.is_empty() => Err((
                "x-mutates",
                "true with nothing but x-reads leaves open what is written; name it in \
                 x-resource-key or x-writes, or leave x-reads out and the tool is opaque",
            )),
            (_, None) if !keyed && !self.is_final => Ok(Declared::Nothing),
            (_, Some(true)) => {
                writes.splice(..0, self.resource);
                Ok(Declared::Keys { reads, writes })
            }
            (_, Some(false) | None) => {
                reads.splice(..0, self.resource);
                Ok(Declared::Keys { reads, writes })
            }
        }
    }
}

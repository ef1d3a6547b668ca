//! Why one call waits for another.

use super::order::Plan;
use crate::model::{Cause, KeyId};
use crate::schedule::Policy;

/// Why one call waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The earlier call is a barrier.
    Barrier,
    /// Both touch this key; of a tree and a key inside it, the key inside.
    Key(KeyId),
    /// Any other edge: issue order, a stage, a hint, a tree read that waits for all writes.
    Order,
}

impl Reason {
    /// The cause of a start that waited for `after` last.
    #[must_use]
    pub const fn cause(self, after: u32) -> Cause {
        match self {
            Self::Barrier => Cause::Barrier { after },
            Self::Key(key) => Cause::Key { key, after },
            Self::Order => Cause::After { after },
        }
    }
}

impl Plan {
    /// Why `to` waits for `from`; meaningful for calls between which there is an edge.
    ///
    /// 1. `from` is a barrier of the policy; else
    /// 2. the first key they share, walking `to`'s keys (writes, then reads) and for each `from`'s,
    ///    where at least one of the two writes it, or both stand in its queue; else
    /// 3. the order alone.
    #[must_use]
    pub fn reason(&self, from: u32, to: u32) -> Reason {
        if self.barrier[from as usize] {
            return Reason::Barrier;
        }
        let queued = match self.policy {
            Policy::Graph => false,
            Policy::Keyed | Policy::KeyedLoose => true,
            Policy::Sequential | Policy::AllAtOnce | Policy::Staged => return Reason::Order,
        };
        let all = &self.resources;
        for y in all.of(to) {
            for x in all.of(from) {
                let shared =
                    x.write || y.write || (queued && x.key == y.key && !all.is_tree(x.key));
                if let Some(key) = all.meet(x.key, y.key).filter(|_| shared) {
                    return Reason::Key(all.id(key));
                }
            }
        }
        Reason::Order
    }

    /// True where the order of the two calls can matter: one is opaque, or they share a key that
    /// one of them writes.
    #[must_use]
    pub fn conflict(&self, i: u32, j: u32) -> bool {
        self.resources.conflict(i, j)
    }
}

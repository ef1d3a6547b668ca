//! A growing set of nodes that later calls wait for as one.

use super::builder::Builder;

/// A growing set of nodes. Those already waited for are gathered in one node, so that each
/// member costs one edge however many calls wait for the set.
#[derive(Clone, Debug, Default)]
pub(super) struct Bundle {
    joined: Option<u32>,
    pending: Vec<u32>,
}

impl Bundle {
    pub(super) fn push(&mut self, node: u32) {
        if self.pending.last() != Some(&node) {
            self.pending.push(node);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.joined.is_none() && self.pending.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.joined = None;
        self.pending.clear();
    }

    /// One node that stands for all members; `None` where there are none.
    pub(super) fn node(&mut self, builder: &mut Builder) -> Option<u32> {
        match (self.joined, self.pending.as_slice()) {
            (joined, []) => return joined,
            (None, [only]) => self.joined = Some(*only),
            (joined, pending) => {
                let members = joined.into_iter().chain(pending.iter().copied());
                self.joined = Some(builder.joint(members));
            }
        }
        self.pending.clear();
        self.joined
    }

    /// The members that no call has waited for yet.
    pub(super) fn pending(&self) -> &[u32] {
        &self.pending
    }

    /// Lets `call` wait for every member, one edge each.
    pub(super) fn hold_back(&self, call: u32, builder: &mut Builder) {
        for &node in self.joined.iter().chain(&self.pending) {
            builder.edge(node, call);
        }
    }
}

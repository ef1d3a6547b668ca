//! An edge wherever two calls conflict; reads share.
//!
//! Each key remembers its last write and the reads since. A tree also remembers, in bundles, what
//! was read and written inside it, so that neither a tree read after many writes nor many writes
//! after a tree read make a product.

use super::builder::Builder;
use super::bundle::Bundle;
use crate::schedule::CallSpec;
use crate::schedule::resources::{Mention, Resources};

#[derive(Clone, Default)]
struct Access {
    last_write: Option<u32>,
    /// Reads of this very key since its last write.
    readers: Bundle,
    /// For a tree: writes inside since the last write of the tree itself.
    inner_writes: Bundle,
    /// For a tree: reads inside since the last write of the tree itself.
    inner_reads: Bundle,
}

impl Access {
    /// What a call inside this tree, or on this key, has to wait for.
    fn hold_back(&mut self, call: u32, write: bool, builder: &mut Builder) {
        let readers = if write {
            self.readers.node(builder)
        } else {
            None
        };
        if let Some(node) = readers.or(self.last_write) {
            builder.edge(node, call);
        }
    }

    fn clear(&mut self) {
        self.last_write = None;
        self.readers.clear();
        self.inner_writes.clear();
        self.inner_reads.clear();
    }
}

pub(super) fn plan(
    calls: &[CallSpec<'_>],
    resources: &Resources,
    builder: &mut Builder,
) -> Vec<bool> {
    let mut accesses = vec![Access::default(); resources.len()];
    let mut barriers = Vec::with_capacity(calls.len());
    let mut touched: Vec<u32> = Vec::new();
    for (index, call) in (0..).zip(calls) {
        let barrier = call.opaque || call.is_final;
        barriers.push(barrier);
        if barrier {
            builder.close_barrier(index);
            for key in touched.drain(..) {
                accesses[key as usize].clear();
            }
            continue;
        }
        let mentions = resources.of(index);
        for &mention in mentions {
            wait(index, mention, resources, &mut accesses, builder);
        }
        for &mention in mentions {
            register(index, mention, resources, &mut accesses);
            touched.push(mention.key);
            touched.extend_from_slice(resources.within(mention.key));
        }
        builder.close(index, call.depends_on);
    }
    barriers
}

/// What `call` waits for on account of one mention. Nothing is forgotten here: another mention of
/// the same call may lie inside this one's tree.
fn wait(
    call: u32,
    mention: Mention,
    resources: &Resources,
    accesses: &mut [Access],
    builder: &mut Builder,
) {
    for &tree in resources.within(mention.key) {
        accesses[tree as usize].hold_back(call, mention.write, builder);
    }
    let own = &mut accesses[mention.key as usize];
    if !mention.write {
        own.hold_back(call, false, builder);
        if let Some(node) = own.inner_writes.node(builder) {
            builder.edge(node, call);
        }
        return;
    }
    if own.readers.is_empty() {
        own.hold_back(call, false, builder);
    }
    own.readers.hold_back(call, builder);
    // What a read of this tree has waited for already comes before that read.
    for &node in own.inner_writes.pending() {
        builder.edge(node, call);
    }
    own.inner_reads.hold_back(call, builder);
}

fn register(call: u32, mention: Mention, resources: &Resources, accesses: &mut [Access]) {
    let own = &mut accesses[mention.key as usize];
    if mention.write {
        own.clear();
        own.last_write = Some(call);
    } else {
        own.readers.push(call);
    }
    for &tree in resources.within(mention.key) {
        let tree = &mut accesses[tree as usize];
        if mention.write {
            tree.inner_writes.push(call);
        } else {
            tree.inner_reads.push(call);
        }
    }
}

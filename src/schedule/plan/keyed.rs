//! One FIFO queue per key, in issue order.
//!
//! 1. A mutating call joins the queue of each of its keys.
//! 2. A read joins its key's queue when an earlier call wrote that key; else it runs free.
//! 3. The first write of a key waits for the free reads before it (`registered`; the loose
//!    variant lets it overtake them).
//! 4. A tree read waits for every earlier write, and every later write waits for it.
//! 5. Opaque and final calls and tree writes are barriers; they join no queue and reset none.

use super::builder::Builder;
use super::bundle::Bundle;
use crate::schedule::CallSpec;
use crate::schedule::resources::Resources;

#[derive(Clone, Default)]
struct Queue {
    written: bool,
    tail: Option<u32>,
    free: Vec<u32>,
}

pub(super) fn plan(
    calls: &[CallSpec<'_>],
    resources: &Resources,
    builder: &mut Builder,
    registered: bool,
) -> Vec<bool> {
    let mut queues = vec![Queue::default(); resources.len()];
    let mut writers = Bundle::default();
    let mut tree_readers = Bundle::default();
    let mut barriers = Vec::with_capacity(calls.len());
    for (index, call) in (0..).zip(calls) {
        let mentions = resources.of(index);
        let tree_write = mentions.iter().any(|m| m.write && resources.is_tree(m.key));
        let barrier = call.opaque || call.is_final || tree_write;
        barriers.push(barrier);
        if barrier {
            builder.close_barrier(index);
            writers.clear();
            tree_readers.clear();
            continue;
        }
        let mutating = mentions.iter().any(|m| m.write);
        let mut tree_read = false;
        for mention in mentions {
            if resources.is_tree(mention.key) {
                tree_read = true;
                continue;
            }
            let queue = &mut queues[mention.key as usize];
            if mutating || queue.written {
                if let Some(tail) = queue.tail.replace(index) {
                    builder.edge(tail, index);
                }
            } else if registered {
                queue.free.push(index);
            }
            if mention.write {
                queue.written = true;
                for free in queue.free.drain(..) {
                    builder.edge(free, index);
                }
            }
        }
        if tree_read && let Some(node) = writers.node(builder) {
            builder.edge(node, index);
        }
        if mutating && let Some(node) = tree_readers.node(builder) {
            builder.edge(node, index);
        }
        if mutating {
            writers.push(index);
        }
        if tree_read {
            tree_readers.push(index);
        }
        builder.close(index, call.depends_on);
    }
    barriers
}

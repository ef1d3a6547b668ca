//! Slots, and the calls that wait for one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::schedule::Slots;
use crate::time::Nanos;

/// The slots of a turn: the lowest free one is taken first.
#[derive(Clone, Debug)]
pub(super) struct SlotPool {
    limit: Slots,
    free: BinaryHeap<Reverse<u32>>,
    /// Slots from here on were never taken.
    fresh: u32,
    /// The last time a slot became free, and the lowest call that freed one then.
    freed: Option<(Nanos, u32)>,
}

impl SlotPool {
    pub(super) fn new(limit: Slots) -> Self {
        Self {
            limit,
            free: BinaryHeap::new(),
            fresh: 0,
            freed: None,
        }
    }

    pub(super) fn clear(&mut self) {
        self.free.clear();
        self.fresh = 0;
        self.freed = None;
    }

    pub(super) fn take(&mut self) -> Option<u32> {
        if let Some(Reverse(slot)) = self.free.pop() {
            return Some(slot);
        }
        let slot = self.fresh;
        self.limit.has(slot).then(|| {
            self.fresh += 1;
            slot
        })
    }

    pub(super) fn give_back(&mut self, slot: u32, by: u32, now: Nanos) {
        self.free.push(Reverse(slot));
        self.freed = Some(match self.freed {
            Some((at, call)) if at == now => (at, call.min(by)),
            _ => (now, by),
        });
    }

    /// The lowest call that freed a slot at this instant.
    pub(super) fn freed_at(&self, now: Nanos) -> Option<u32> {
        self.freed
            .filter(|&(at, _)| at == now)
            .map(|(_, call)| call)
    }
}

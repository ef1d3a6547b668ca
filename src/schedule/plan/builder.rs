//! Collects edges while a policy walks the calls in issue order.

/// Edges under construction.
pub(super) struct Builder {
    pub(super) calls: usize,
    pub(super) edges: Vec<(u32, u32)>,
    joints: u32,
    /// `seen[node]` is the last call (plus one) that got an edge from `node`.
    seen: Vec<u32>,
    /// Nodes that some later call or joint of their segment waits for.
    has_successor: Vec<bool>,
    barrier: Option<u32>,
    waits: bool,
}

impl Builder {
    pub(super) fn new(calls: usize) -> Self {
        Self {
            calls,
            edges: Vec::new(),
            joints: 0,
            seen: vec![0; calls],
            has_successor: vec![false; calls],
            barrier: None,
            waits: false,
        }
    }

    pub(super) fn nodes(&self) -> usize {
        self.calls + self.joints as usize
    }

    /// A new joint that comes after `before`.
    pub(super) fn joint(&mut self, before: impl IntoIterator<Item = u32>) -> u32 {
        let node = u32::try_from(self.nodes()).unwrap_or(u32::MAX);
        self.joints += 1;
        self.seen.push(0);
        self.has_successor.push(false);
        for from in before {
            self.edge(from, node);
        }
        node
    }

    /// `to` comes after `from`. Nodes of an earlier segment are implied by the barrier between.
    pub(super) fn edge(&mut self, from: u32, to: u32) {
        let passed = (from as usize) < self.calls && self.barrier.is_some_and(|b| from <= b);
        if passed || std::mem::replace(&mut self.seen[from as usize], to + 1) == to + 1 {
            return;
        }
        self.has_successor[from as usize] = true;
        self.waits |= (to as usize) < self.calls;
        self.edges.push((from, to));
    }

    /// Ends the edges of a call that is no barrier: hints, and the last barrier if nothing else
    /// holds it back within its segment.
    pub(super) fn close(&mut self, call: u32, hints: &[u32]) {
        for &hint in hints.iter().filter(|&&h| h < call) {
            self.edge(hint, call);
        }
        if !std::mem::take(&mut self.waits)
            && let Some(barrier) = self.barrier
        {
            self.edges.push((barrier, call));
        }
    }

    /// A barrier: it waits for every call of its segment that no other call of it waits for.
    pub(super) fn close_barrier(&mut self, call: u32) {
        let from = self.barrier.map_or(0, |b| b + 1);
        for earlier in from..call {
            if !self.has_successor[earlier as usize] {
                self.edges.push((earlier, call));
            }
        }
        if from == call
            && let Some(barrier) = self.barrier
        {
            self.edges.push((barrier, call));
        }
        self.waits = false;
        self.barrier = Some(call);
    }
}

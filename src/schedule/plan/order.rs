//! The finished plan: nodes, edges and what follows from them.

use super::builder::Builder;
use super::reason::Reason;
use super::{graph, keyed, sequential, staged};
use crate::model::KeyTable;
use crate::schedule::resources::Resources;
use crate::schedule::{CallSpec, Policy};

/// One edge between two calls, joints looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The call that must end first.
    pub from: u32,
    /// The call that waits.
    pub to: u32,
    /// Why.
    pub reason: Reason,
}

/// The precedence edges of one turn under one policy.
///
/// Nodes `0..calls()` are the calls; nodes from there on are joints.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) policy: Policy,
    pub(super) resources: Resources,
    pub(super) barrier: Vec<bool>,
    calls: u32,
    edges: usize,
    /// Successors of node `i`: `next[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    next: Vec<u32>,
    predecessors: Vec<u32>,
    chain: Vec<u32>,
    stage: Vec<u32>,
}

impl Plan {
    /// The plan of these calls, in issue order, under `policy`. `keys` is the table that the
    /// calls' key numbers come from.
    #[must_use]
    pub fn new(policy: Policy, calls: &[CallSpec<'_>], keys: &KeyTable) -> Self {
        let resources = Resources::new(calls, keys);
        let mut builder = Builder::new(calls.len());
        let barrier = match policy {
            Policy::Sequential => sequential::plan(calls, &mut builder),
            Policy::AllAtOnce => vec![false; calls.len()],
            Policy::Staged => staged::plan(calls, &mut builder),
            Policy::Keyed => keyed::plan(calls, &resources, &mut builder, true),
            Policy::KeyedLoose => keyed::plan(calls, &resources, &mut builder, false),
            Policy::Graph => graph::plan(calls, &resources, &mut builder),
        };
        Self::finish(policy, resources, barrier, &builder)
    }

    fn finish(policy: Policy, resources: Resources, barrier: Vec<bool>, builder: &Builder) -> Self {
        let nodes = builder.nodes();
        let mut first = vec![0u32; nodes + 1];
        let mut predecessors = vec![0u32; nodes];
        for &(from, to) in &builder.edges {
            first[from as usize + 1] += 1;
            predecessors[to as usize] += 1;
        }
        for i in 0..nodes {
            first[i + 1] += first[i];
        }
        let mut at = first.clone();
        let mut next = vec![0u32; builder.edges.len()];
        for &(from, to) in &builder.edges {
            next[at[from as usize] as usize] = to;
            at[from as usize] += 1;
        }
        let calls = u32::try_from(builder.calls).unwrap_or(u32::MAX);
        let mut plan = Self {
            policy,
            resources,
            barrier,
            calls,
            edges: builder.edges.len(),
            first,
            next,
            predecessors,
            chain: vec![0; nodes],
            stage: vec![0; nodes],
        };
        plan.measure_chains();
        plan
    }

    /// Walks the nodes in topological order for stages, and backwards for chains.
    fn measure_chains(&mut self) {
        let mut open = self.predecessors.clone();
        let mut order: Vec<u32> = (0..self.nodes())
            .filter(|&n| open[n as usize] == 0)
            .collect();
        let mut done = 0;
        while done < order.len() {
            let node = order[done];
            done += 1;
            let after = self.stage[node as usize] + u32::from(node < self.calls);
            for &next in &self.next[self.range(node)] {
                self.stage[next as usize] = self.stage[next as usize].max(after);
                open[next as usize] -= 1;
                if open[next as usize] == 0 {
                    order.push(next);
                }
            }
        }
        for &node in order.iter().rev() {
            let below = self.next[self.range(node)]
                .iter()
                .map(|&n| self.chain[n as usize])
                .max();
            self.chain[node as usize] = below.unwrap_or(0) + u32::from(node < self.calls);
        }
    }

    fn range(&self, node: u32) -> std::ops::Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    /// The policy it was made under.
    #[must_use]
    pub const fn policy(&self) -> Policy {
        self.policy
    }

    /// How many calls.
    #[must_use]
    pub const fn calls(&self) -> u32 {
        self.calls
    }

    /// How many nodes, joints included.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        u32::try_from(self.predecessors.len()).unwrap_or(u32::MAX)
    }

    /// How many edges between nodes. At most 2 x (calls + key mentions + tree depth), where the
    /// depth is summed over the mentions: how many tree keys of the turn hold the mentioned one.
    #[must_use]
    pub const fn edge_count(&self) -> usize {
        self.edges
    }

    /// The nodes that wait for `node`.
    #[must_use]
    pub fn successors(&self, node: u32) -> &[u32] {
        &self.next[self.range(node)]
    }

    /// How many nodes `node` waits for.
    #[must_use]
    pub fn predecessor_count(&self, node: u32) -> u32 {
        self.predecessors[node as usize]
    }

    /// How many calls lie on the longest chain of edges that starts with `call`, itself included.
    #[must_use]
    pub fn chain(&self, call: u32) -> u32 {
        self.chain[call as usize]
    }

    /// How many calls must end one after another before `call`: 0 for the first stage.
    #[must_use]
    pub fn stage(&self, call: u32) -> u32 {
        self.stage[call as usize]
    }

    /// True where `call` waits for all earlier calls and holds back all later ones.
    #[must_use]
    pub fn is_barrier(&self, call: u32) -> bool {
        self.barrier[call as usize]
    }

    /// Every edge between two calls, joints looked through, in order of the waiting call. This is
    /// the product that the plan itself avoids: for explaining and testing, not for running.
    #[must_use]
    pub fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for from in 0..self.calls {
            let mut open: Vec<u32> = self.successors(from).to_vec();
            let mut seen = vec![false; self.nodes() as usize];
            while let Some(node) = open.pop() {
                if std::mem::replace(&mut seen[node as usize], true) {
                    continue;
                }
                if node < self.calls {
                    edges.push(Edge {
                        from,
                        to: node,
                        reason: self.reason(from, node),
                    });
                } else {
                    open.extend_from_slice(self.successors(node));
                }
            }
        }
        edges.sort_unstable_by_key(|e| (e.to, e.from));
        edges
    }
}

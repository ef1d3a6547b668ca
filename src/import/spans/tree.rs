//! Which span lies in which: links to parents, and which of them to believe.

use std::collections::{HashMap, HashSet};

use super::collect::Spans;
use super::span::{Key, Kind, Span};
use crate::import::draft::Draft;
use crate::import::value::small;
use crate::trace::Sym;

/// Whose replies and calls these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Owner {
    /// The file's own.
    Main,
    /// Those of the sub-agent that this call started.
    Call(u32),
    /// Those of something that is no agent.
    Apart(u32),
}

/// What a span's ancestors say of it. Numbers are rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) owner: Owner,
    /// The top of the trace.
    pub(super) trace: u32,
    /// The nearest agent, else the top of the trace.
    pub(super) scope: u32,
    /// The tool's run that it lies in, with neither agent nor model between.
    tool: Option<u32>,
    /// The reply that it lies in, with neither agent nor tool between.
    pub(super) model: Option<u32>,
}

/// Spans in order of their starts, with what their places say.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) spans: Vec<Span>,
    pub(super) contexts: Vec<Context>,
}

impl Tree {
    /// Sorts the spans, drops copies, and looks at each from its trace's top down.
    pub(super) fn of(spans: Spans, draft: &mut Draft) -> Self {
        let spans = sorted(spans, draft);
        let parents = parents(&spans, draft);
        let order = top_down(&parents, draft);
        let mut tree = Self {
            contexts: contexts_at_top(&spans, &order.parents),
            spans,
        };
        let asked = tree.asked_ids();
        let employers = employers(&tree.spans, &order);
        for row in order.rows {
            if let Some(parent) = order.parents[row as usize] {
                tree.contexts[row as usize] = tree.below(parent);
            }
            tree.settle(row, (&asked, &employers), draft);
        }
        tree.innermost_models(draft);
        tree.note_skew(&order.parents, draft);
        tree
    }

    pub(super) fn span(&self, row: u32) -> &Span {
        &self.spans[row as usize]
    }

    pub(super) fn context(&self, row: u32) -> Context {
        self.contexts[row as usize]
    }

    /// Rows of that kind, in order.
    pub(super) fn rows_of(&self, kind: Kind) -> impl Iterator<Item = u32> + '_ {
        let all = (0..).zip(&self.spans);
        all.filter(move |(_, span)| span.kind == kind)
            .map(|(row, _)| row)
    }

    /// The ids of calls that some model asked for.
    fn asked_ids(&self) -> HashSet<Sym> {
        let wanted = self.spans.iter().flat_map(|span| &span.wanted);
        let ids = wanted.map(|wanted| wanted.id);
        ids.filter(|id| *id != Sym::default()).collect()
    }

    /// What the children of a row see.
    fn below(&self, row: u32) -> Context {
        let seen = self.context(row);
        match self.span(row).kind {
            Kind::Tool => Context {
                owner: Owner::Call(row),
                scope: row,
                tool: Some(row),
                model: None,
                ..seen
            },
            Kind::Apart | Kind::Unlinked => Context {
                owner: Owner::Apart(row),
                scope: row,
                tool: None,
                model: None,
                ..seen
            },
            Kind::Agent => Context {
                scope: row,
                tool: None,
                model: None,
                ..seen
            },
            Kind::Model => Context {
                tool: None,
                model: Some(row),
                ..seen
            },
            Kind::Other => seen,
        }
    }

    /// Whether the link of a row to the tool above it can be true, and what it is if not.
    fn settle(&mut self, row: u32, known: Known<'_>, draft: &mut Draft) {
        let kind = self.span(row).kind;
        match kind {
            Kind::Tool => self.settle_tool(row, known, draft),
            Kind::Model | Kind::Agent => {
                let Owner::Call(tool) = self.context(row).owner else {
                    return;
                };
                let ended = self.span(tool).end;
                let started = self.span(row).start;
                // Only work that its caller does not wait for goes on after the call, and none
                // begins there.
                if started.zip(ended).is_some_and(|(start, end)| start >= end)
                    && self.context(row).scope == tool
                {
                    self.contexts[row as usize] = self.context(tool);
                    draft.skipped().note(DOUBTFUL);
                }
            }
            Kind::Apart | Kind::Unlinked | Kind::Other => {}
        }
    }

    /// A tool's run inside another: its sibling that was linked wrongly, the same run seen twice,
    /// or a part of it.
    fn settle_tool(&mut self, row: u32, known: Known<'_>, draft: &mut Draft) {
        let Some(outer) = self.context(row).tool else {
            return;
        };
        let (inner, frame) = (self.span(row), self.span(outer));
        let has_id = inner.call_id != Sym::default();
        let same_id = has_id && inner.call_id == frame.call_id;
        let outlives = inner.end.zip(frame.end).is_some_and(|(a, b)| a > b)
            || inner.start.zip(frame.end).is_some_and(|(a, b)| a >= b);
        let (asked, employers) = known;
        // Where models are at work in a call, the tools in it are theirs.
        if employers.contains(&outer) && !same_id && !outlives {
            return;
        }
        let asked_for = has_id && asked.contains(&inner.call_id);
        if !same_id && (outlives || asked_for) {
            self.contexts[row as usize] = self.context(outer);
            draft.skipped().note(DOUBTFUL);
            return;
        }
        let same = same_id || (!has_id && inner.name == frame.name);
        let mut inner = inner.clone();
        self.spans[row as usize].kind = Kind::Other;
        if !same {
            draft.skipped().note("tools' runs inside a call");
            return;
        }
        draft.skipped().merged += 1;
        let frame = &mut self.spans[outer as usize];
        if matches!(frame.args, super::raw::Piece::None) {
            inner.call.line_offset = frame.call.line_offset;
            frame.call = inner.call;
            frame.args = inner.args;
        }
        if matches!(frame.answer, super::raw::Piece::None) {
            frame.answer = inner.answer;
            frame.answer_bytes = inner.answer_bytes;
        }
        if frame.call_id == Sym::default() {
            frame.call_id = inner.call_id;
        }
    }

    /// A reply around another is that reply seen from further out.
    fn innermost_models(&mut self, draft: &mut Draft) {
        let mut inside: HashMap<u32, (u32, u32)> = HashMap::new();
        for row in self.rows_of(Kind::Model) {
            if let Some(outer) = self.context(row).model {
                let (n, last) = inside.entry(outer).or_insert((0, row));
                (*n, *last) = (*n + 1, row);
            }
        }
        let mut outer: Vec<_> = inside.into_iter().collect();
        // From the outside in, so that what an outer one knows can go all the way.
        outer.sort_unstable();
        for (row, (n, last)) in outer {
            let frame = &mut self.spans[row as usize];
            frame.kind = Kind::Other;
            let wanted = std::mem::take(&mut frame.wanted);
            let inner = &mut self.spans[last as usize];
            if n == 1 && inner.wanted.is_empty() {
                inner.wanted = wanted;
            }
            draft.skipped().merged += 1;
        }
    }

    fn note_skew(&self, parents: &[Option<u32>], draft: &mut Draft) {
        for (span, parent) in self.spans.iter().zip(parents) {
            let Some(parent) = parent.map(|parent| self.span(parent)) else {
                continue;
            };
            let matters = matches!(span.kind, Kind::Model | Kind::Tool);
            if matters && span.start.zip(parent.start).is_some_and(|(a, b)| a < b) {
                draft
                    .skipped()
                    .note("starts before that of the span around it: clock skew suspected");
            }
        }
    }
}

/// The ids of calls that some model asked for, and the tools' runs that models are at work in.
type Known<'k> = (&'k HashSet<Sym>, &'k HashSet<u32>);

/// Tools' runs with a model's reply in them that began while they ran.
fn employers(spans: &[Span], order: &TopDown) -> HashSet<u32> {
    let mut nearest: Vec<Option<u32>> = vec![None; spans.len()];
    let mut found = HashSet::new();
    for row in &order.rows {
        let span = &spans[*row as usize];
        let above = order.parents[*row as usize].and_then(|parent| {
            let is_tool = spans[parent as usize].kind == Kind::Tool;
            is_tool.then_some(parent).or(nearest[parent as usize])
        });
        nearest[*row as usize] = above;
        if let Some(tool) = above.filter(|_| span.kind == Kind::Model) {
            let ended = spans[tool as usize].end;
            let after = span
                .start
                .zip(ended)
                .is_some_and(|(start, end)| start >= end);
            if !after {
                found.insert(tool);
            }
        }
    }
    found
}

pub(super) const DOUBTFUL: &str = "doubtful links between spans";

/// The spans in an order that the file's has no part in, without copies.
fn sorted(spans: Spans, draft: &mut Draft) -> Vec<Span> {
    let Spans { ids, mut rows, .. } = spans;
    let late = |stamp: Option<i64>| stamp.unwrap_or(i64::MAX);
    let texts = |key: Key| (ids.text(key.1), ids.text(key.0));
    rows.sort_by(|a, b| {
        late(a.start)
            .cmp(&late(b.start))
            .then_with(|| late(b.end).cmp(&late(a.end)))
            .then_with(|| texts(a.key).cmp(&texts(b.key)))
    });
    let mut known: HashMap<Key, usize> = HashMap::new();
    let mut kept: Vec<Span> = Vec::with_capacity(rows.len());
    for span in rows {
        // A span that was written when it began is written again when it ends.
        let copy = known.get(&span.key).filter(|_| span.key.1 != 0);
        match copy {
            Some(at) if kept[*at].end.is_none() && span.end.is_some() => kept[*at] = span,
            Some(_) => {}
            None => {
                known.insert(span.key, kept.len());
                kept.push(span);
                continue;
            }
        }
        draft.skipped().copies += 1;
    }
    kept
}

/// The row of each span's parent. Traces may be split: an id that only one span has is enough.
fn parents(spans: &[Span], draft: &mut Draft) -> Vec<Option<u32>> {
    let mut exact: HashMap<Key, u32> = HashMap::new();
    let mut by_id: HashMap<u32, Option<u32>> = HashMap::new();
    for (row, span) in (0..).zip(spans).filter(|(_, span)| span.key.1 != 0) {
        exact.entry(span.key).or_insert(row);
        by_id
            .entry(span.key.1)
            .and_modify(|only| *only = None)
            .or_insert(Some(row));
    }
    let mut found = Vec::with_capacity(spans.len());
    for (row, span) in (0..).zip(spans) {
        let parent = span.parent.filter(|parent| parent.1 != 0);
        let place = parent.and_then(|parent| {
            let elsewhere = || by_id.get(&parent.1).copied().flatten();
            exact.get(&parent).copied().or_else(elsewhere)
        });
        if parent.is_some() && place.is_none() {
            draft
                .skipped()
                .note("spans whose parent is not in the file");
        }
        found.push(place.filter(|place| *place != row));
    }
    found
}

struct TopDown {
    parents: Vec<Option<u32>>,
    rows: Vec<u32>,
}

/// All rows, parents before children. Links in a circle are cut.
fn top_down(parents: &[Option<u32>], draft: &mut Draft) -> TopDown {
    let mut parents = parents.to_vec();
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); parents.len()];
    for (row, parent) in (0..).zip(&parents) {
        if let Some(parent) = parent {
            children[*parent as usize].push(row);
        }
    }
    let mut seen = vec![false; parents.len()];
    let mut rows = Vec::with_capacity(parents.len());
    let mut stack: Vec<u32> = Vec::new();
    let mut walk = |top: u32, seen: &mut Vec<bool>| {
        stack.push(top);
        while let Some(row) = stack.pop() {
            if std::mem::replace(&mut seen[row as usize], true) {
                continue;
            }
            rows.push(row);
            stack.extend(children[row as usize].iter().rev());
        }
    };
    let tops: Vec<u32> = (0..small(parents.len()))
        .filter(|row| parents[*row as usize].is_none())
        .collect();
    for top in tops {
        walk(top, &mut seen);
    }
    for row in 0..small(parents.len()) {
        if !seen[row as usize] {
            parents[row as usize] = None;
            draft.skipped().note("spans that are their own ancestors");
            walk(row, &mut seen);
        }
    }
    TopDown { parents, rows }
}

/// The contexts of spans without a parent; others get theirs from above.
fn contexts_at_top(spans: &[Span], parents: &[Option<u32>]) -> Vec<Context> {
    let mut tops: HashMap<u32, u32> = HashMap::new();
    let mut contexts = Vec::with_capacity(spans.len());
    for ((row, span), parent) in (0..).zip(spans).zip(parents) {
        let trace = match (parent, span.key.0) {
            (Some(_), _) | (None, 0) => row,
            (None, trace) => *tops.entry(trace).or_insert(row),
        };
        contexts.push(Context {
            owner: Owner::Main,
            trace,
            scope: trace,
            tool: None,
            model: None,
        });
    }
    contexts
}

//! Threads: turns of one thread never overlap, so agents at work at the same time have one each.

use std::collections::{HashMap, HashSet};

use super::assign::{Assigned, Calls};
use super::span::Kind;
use super::tree::{Owner, Tree};

/// What is one thread: whose replies, and of which agent where several work at once.
pub(super) type Line = (Owner, Option<u32>);

/// A turn to be: a reply with its calls, or calls without a reply.
#[derive(Debug)]
pub(super) struct Turn {
    /// The reply's row.
    pub(super) reply: Option<u32>,
    pub(super) calls: Calls,
}

/// Turns by thread, main first, each in order.
pub(super) fn lines(tree: &Tree, mut assigned: Assigned) -> Vec<(Line, Vec<Turn>)> {
    let crowded = at_the_same_time(tree);
    let line_of = |row: u32| {
        let context = tree.context(row);
        let scope = Some(context.scope).filter(|scope| crowded.contains(&(context.owner, *scope)));
        (context.owner, scope)
    };
    let mut turns: Vec<(u32, Line, Turn)> = Vec::new();
    for row in tree.rows_of(Kind::Model) {
        let turn = Turn {
            reply: Some(row),
            calls: assigned.replies.remove(&row).unwrap_or_default(),
        };
        turns.push((row, line_of(row), turn));
    }
    for (owner, more) in assigned.groups {
        let first = more.first().copied().unwrap_or_default();
        let calls = Calls {
            asked: Vec::new(),
            more,
        };
        turns.push((first, (owner, None), Turn { reply: None, calls }));
    }
    turns.sort_by_key(|(row, _, _)| *row);
    let main = (Owner::Main, None);
    let mut places: HashMap<Line, usize> = HashMap::from([(main, 0)]);
    let mut lines: Vec<(Line, Vec<Turn>)> = vec![(main, Vec::new())];
    for (_, line, turn) in turns {
        let place = *places.entry(line).or_insert_with(|| {
            lines.push((line, Vec::new()));
            lines.len() - 1
        });
        lines[place].1.push(turn);
    }
    lines
}

/// Agents whose models were at work while another's was. The first of them stays where it is.
fn at_the_same_time(tree: &Tree) -> HashSet<(Owner, u32)> {
    let mut busy: HashMap<Owner, (i64, u32)> = HashMap::new();
    let mut crowded = HashSet::new();
    for row in tree.rows_of(Kind::Model) {
        let context = tree.context(row);
        let (owner, scope) = (context.owner, context.scope);
        let Some((start, end)) = tree.span(row).start.zip(tree.span(row).end) else {
            continue;
        };
        if crowded.contains(&(owner, scope)) {
            continue;
        }
        let (until, other) = busy.entry(owner).or_insert((end, scope));
        if start < *until && *other != scope {
            crowded.insert((owner, scope));
        } else if end >= *until {
            (*until, *other) = (end, scope);
        }
    }
    crowded
}

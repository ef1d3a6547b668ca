//! What a cascade of cancelled calls cost: which of them were asked for again.

use std::collections::HashSet;

use crate::model::Outcome;
use crate::trace::{Bodies, BodyRef, Call, Run, Sym};

/// So many cancelled calls of a run are followed.
const MOST: usize = 1_000;
/// Arguments are compared so far, in bytes.
const ARGS: u64 = 64 * 1024;

/// The cancelled calls of a run that were asked for again: in a later reply of the same thread,
/// the same tool with the same arguments. Each later call makes up for one.
pub(super) fn reissued(run: &Run) -> HashSet<usize> {
    let mut found = HashSet::new();
    let mut used = HashSet::new();
    let all = || run.calls.iter().enumerate();
    let cancelled = all().filter(|(_, call)| call.outcome == Outcome::Cancelled);
    for (at, call) in cancelled.take(MOST) {
        let Some(args) = args_of(run, call) else {
            continue;
        };
        let thread = run.turns[call.turn as usize].thread;
        let same = |(place, later): &(usize, &Call)| {
            let looks_same = same_shape(later, call.tool, call.args);
            let follows = later.turn > call.turn && run.turns[later.turn as usize].thread == thread;
            looks_same && follows && !used.contains(place)
        };
        let again = all().skip(at + 1).filter(same);
        let again = again.map(|(place, later)| (place, args_of(run, later)));
        let again = again
            .into_iter()
            .find(|(_, later)| later.as_ref() == Some(&args));
        if let Some((place, _)) = again {
            used.insert(place);
            found.insert(at);
        }
    }
    found
}

fn same_shape(later: &Call, tool: Sym, args: BodyRef) -> bool {
    later.tool == tool && later.args.len == args.len
}

fn args_of(run: &Run, call: &Call) -> Option<Vec<u8>> {
    Bodies::load_head(run, call.args, ARGS).ok()
}

//! Which conflicting calls ran over each other.

use super::calls::{Mention, RefCall, conflict, inside, overlap};

/// Two calls in conflict, of which the later in the turn began before the earlier had ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefHazard {
    /// `unknown_order`, `lost_update`, `stale_read` or `early_write`: the first that fits.
    pub kind: &'static str,
    /// `None` for an unknown order.
    pub key: Option<String>,
    pub first: usize,
    pub second: usize,
}

/// All hazards of a run, one a pair at most.
pub fn hazards(calls: &[RefCall], starts: &[Option<u64>], ends: &[Option<u64>]) -> Vec<RefHazard> {
    let mut found = Vec::new();
    for first in 0..calls.len() {
        for second in first + 1..calls.len() {
            let (Some(_), Some(end), Some(start)) = (starts[first], ends[first], starts[second])
            else {
                continue;
            };
            if start < end && conflict(&calls[first], &calls[second]) {
                let (kind, key) = kind_and_key(&calls[first], &calls[second]);
                found.push(RefHazard {
                    kind,
                    key,
                    first,
                    second,
                });
            }
        }
    }
    found
}

/// Of two calls in conflict.
fn kind_and_key(first: &RefCall, second: &RefCall) -> (&'static str, Option<String>) {
    if first.opaque || second.opaque {
        return ("unknown_order", None);
    }
    let first_pair = |fits: fn(&Mention<'_>, &Mention<'_>) -> bool| {
        for x in first.mentions() {
            for y in second.mentions() {
                if overlap(x.key, y.key) && fits(&x, &y) {
                    return Some(inside(x.key, y.key).to_owned());
                }
            }
        }
        None
    };
    if let Some(key) = first_pair(|x, y| x.write && y.write) {
        return ("lost_update", Some(key));
    }
    if let Some(key) = first_pair(|x, y| x.write && !y.write) {
        return ("stale_read", Some(key));
    }
    ("early_write", first_pair(|x, y| !x.write && y.write))
}

//! Each call after the one before.

use super::builder::Builder;
use crate::schedule::CallSpec;

pub(super) fn plan(calls: &[CallSpec<'_>], builder: &mut Builder) -> Vec<bool> {
    for call in (1..).take(calls.len().saturating_sub(1)) {
        builder.edge(call - 1, call);
    }
    vec![false; calls.len()]
}

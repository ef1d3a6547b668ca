//! Adjacent read-only calls share a stage; any other call is a stage alone, a barrier.
//!
//! Of two stages side by side one always holds a single call, so the edges between them are no
//! product and need no joint.

use std::ops::Range;

use super::builder::Builder;
use crate::schedule::CallSpec;

pub(super) fn plan(calls: &[CallSpec<'_>], builder: &mut Builder) -> Vec<bool> {
    let mut before: Range<u32> = 0..0;
    let mut stage: Range<u32> = 0..0;
    for (index, call) in (0..).zip(calls) {
        let joins =
            call.is_read_only() && !stage.is_empty() && calls[stage.start as usize].is_read_only();
        if joins {
            stage.end = index + 1;
        } else {
            before = std::mem::replace(&mut stage, index..index + 1);
        }
        for earlier in before.clone() {
            builder.edge(earlier, index);
        }
        for &hint in call.depends_on {
            if (stage.start..index).contains(&hint) {
                builder.edge(hint, index);
            }
        }
    }
    calls.iter().map(|c| !c.is_read_only()).collect()
}

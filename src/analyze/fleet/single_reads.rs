//! Replies with one reading call each that could have been one.

use super::facts::ReplyFacts;
use super::group::SingleReads;
use crate::time::Nanos;

/// Adds the stretches of a thread. `kept` are its replies that are not copies, in order.
pub(super) fn add<'a>(sum: &mut SingleReads, kept: impl Iterator<Item = &'a ReplyFacts>) {
    let mut stretch: Vec<&ReplyFacts> = Vec::new();
    for reply in kept {
        if reply.single_read {
            stretch.push(reply);
        } else {
            close(sum, &mut stretch);
        }
    }
    close(sum, &mut stretch);
}

/// The first reply of a stretch stays; the others would not have been needed.
fn close(sum: &mut SingleReads, stretch: &mut Vec<&ReplyFacts>) {
    if stretch.len() > 1 {
        sum.stretches += 1;
        for reply in &stretch[1..] {
            sum.replies += 1;
            sum.model += reply.model.unwrap_or(Nanos::ZERO);
            sum.model_unknown += u64::from(reply.model.is_none());
        }
    }
    stretch.clear();
}

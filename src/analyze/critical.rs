//! The chain of causes back from the last end.

use crate::model::Cause;
use crate::time::{Nanos, Span};

/// What the critical path needs of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathCall {
    /// When its body started; `None` where it never did.
    pub start: Option<Nanos>,
    /// When it ended or was answered.
    pub end: Option<Nanos>,
    /// Why it started when it did; `None` where nobody recorded it.
    pub cause: Option<Cause>,
}

/// One piece of the path: from what it waited for to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The call.
    pub call: u32,
    /// From the end of the step before (for the first, the issue) to its own end.
    pub span: Span,
    /// Why it started when it did.
    pub cause: Option<Cause>,
}

/// The chain of causes back from the call that ended last, first step first. The steps touch, so
/// their lengths add up to the makespan. Empty for a turn in which nothing ended, or where the
/// causes were not recorded.
#[must_use]
pub fn critical_path(issued: Nanos, calls: &[PathCall]) -> Vec<PathStep> {
    let ended = (0u32..)
        .zip(calls)
        .filter_map(|(i, c)| c.end.map(|end| (end, std::cmp::Reverse(i))));
    let Some((_, std::cmp::Reverse(mut call))) = ended.max() else {
        return Vec::new();
    };
    let mut steps: Vec<PathStep> = Vec::new();
    // A chain longer than the turn goes in a circle: a damaged file, not a path.
    while steps.len() < calls.len() {
        let Some(PathCall {
            start,
            end: Some(end),
            cause,
        }) = calls.get(call as usize).copied()
        else {
            break;
        };
        if start.is_some() && cause.is_none() {
            return Vec::new();
        }
        let before = cause.and_then(Cause::after);
        let from = before
            .and_then(|b| calls.get(b as usize)?.end)
            .unwrap_or(issued);
        steps.push(PathStep {
            call,
            span: Span::new(from, end.max(from)),
            cause,
        });
        match before {
            Some(before) if before < u32::MAX => call = before,
            _ => break,
        }
    }
    steps.reverse();
    steps
}

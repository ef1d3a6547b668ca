//! Spans of any tracing format: which are replies of a model, which are calls of tools, and which
//! call belongs to which reply.
//!
//! A format's reader fills [`Facts`] for each span. The order of spans in a file says nothing and
//! changes nothing.

mod assign;
mod build;
mod collect;
mod facts;
mod names;
mod output;
mod points;
mod raw;
mod span;
mod threads;
mod tree;
mod wanted;

pub(super) use build::Into;
pub(super) use collect::{Extras, Spans};
pub(super) use facts::{Facts, is_wanted};
pub(super) use raw::Raw;
pub(super) use span::{Key, Kind};

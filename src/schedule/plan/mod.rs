//! From a policy and the effects of a turn's calls to precedence edges.
//!
//! Edges are linear in calls and key mentions: where many calls come before many, they meet in
//! a *joint*, a node of the plan that is no call and takes no time. One file a policy.

mod builder;
mod bundle;
mod graph;
mod keyed;
mod order;
mod reason;
mod sequential;
mod staged;

pub use order::{Edge, Plan};
pub use reason::Reason;

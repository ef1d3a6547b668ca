//! Every scheduling decision, and nothing else: no clock, no IO, no strings.
//!
//! A [`Policy`] and the effects of a turn's calls give a [`Plan`]: precedence edges, each with a
//! reason. The [`Scheduler`] walks the plan when it is told what has happened and says what to
//! do next. Simulator and runner drive the same scheduler, so they cannot disagree.
//! [`hazards`] judges a timeline afterwards.

mod call;
mod hazard;

mod options;
mod plan;
mod policy;
mod resources;
mod scheduler;

pub use call::CallSpec;
pub use hazard::{Hazard, HazardKind, Hazards, Interval, hazards};

pub use options::{OnFailure, Options, Slots};
pub use plan::{Edge, Plan, Reason};
pub use policy::Policy;
pub use scheduler::{Effect, Input, Scheduler};

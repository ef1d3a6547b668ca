//! What a call does in virtual time.

use crate::model::{Approval, Outcome};
use crate::time::Nanos;

/// How a body ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With this outcome.
    With(Outcome),
    /// With an error after which nothing is left to try.
    Fatal,
}

/// What a call does in virtual time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body {
    /// How long it takes; `None` for a body that never ends.
    pub takes: Option<Nanos>,
    /// How it ends then.
    pub end: End,
    /// True where being told to stop does not stop it.
    pub ignores_cancel: bool,
    /// The scripted answer to its approval question; without one a call that needs approval
    /// never starts.
    pub approval: Option<Approval>,
}

impl Body {
    /// A body that answers `ok` after `takes`.
    #[must_use]
    pub const fn ok(takes: Nanos) -> Self {
        Self {
            takes: Some(takes),
            end: End::With(Outcome::Ok),
            ignores_cancel: false,
            approval: None,
        }
    }

    /// A body that ends with `outcome` after `takes`.
    #[must_use]
    pub const fn ends(takes: Nanos, outcome: Outcome) -> Self {
        Self {
            end: End::With(outcome),
            ..Self::ok(takes)
        }
    }

    /// A body that never ends by itself.
    #[must_use]
    pub const fn hang() -> Self {
        Self {
            takes: None,
            ..Self::ok(Nanos::ZERO)
        }
    }
}

//! The switches that are the same for every policy.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use crate::time::Nanos;

/// The limit on how many calls of a turn run at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slots {
    /// At most this many.
    Limit(NonZeroU32),
    /// No limit.
    Unlimited,
}

impl Slots {
    /// At most `n`; `None` for 0, with which nothing could ever run.
    #[must_use]
    pub fn limit(n: u32) -> Option<Self> {
        NonZeroU32::new(n).map(Self::Limit)
    }

    /// True where a slot of this number exists.
    #[must_use]
    pub const fn has(self, slot: u32) -> bool {
        match self {
            Self::Limit(n) => slot < n.get(),
            Self::Unlimited => true,
        }
    }
}

impl Default for Slots {
    fn default() -> Self {
        Self::Limit(NonZeroU32::MIN.saturating_add(7))
    }
}

impl fmt::Display for Slots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(n) => n.fmt(f),
            Self::Unlimited => f.pad("unlimited"),
        }
    }
}

impl FromStr for Slots {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "unlimited" {
            return Ok(Self::Unlimited);
        }
        let n: u32 = text
            .parse()
            .map_err(|_| "slots are a number from 1, or `unlimited`".to_owned())?;
        Self::limit(n).ok_or_else(|| {
            "0 slots would never run anything; use 1 or more, or `unlimited`".to_owned()
        })
    }
}

/// What a failure does to the other calls of the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnFailure {
    /// Nothing: neighbours go on.
    #[default]
    Independent,
    /// Every call that has not started answers `not_run`.
    StopLater,
    /// Every unstarted call that comes after the failed one over any chain of edges answers `not_run`.
    StopDependents,
    /// All others are cancelled, running ones too. It exists so that its cost can be shown.
    CancelSiblings,
}

impl OnFailure {
    /// Every mode.
    pub const ALL: [Self; 4] = [
        Self::Independent,
        Self::StopLater,
        Self::StopDependents,
        Self::CancelSiblings,
    ];

    /// The name used in files, on screens and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Independent => "independent",
            Self::StopLater => "stop-later",
            Self::StopDependents => "stop-dependents",
            Self::CancelSiblings => "cancel-siblings",
        }
    }
}

impl fmt::Display for OnFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for OnFailure {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|m| m.name() == text)
            .ok_or_else(|| {
                let names: Vec<_> = Self::ALL.iter().map(|m| m.name()).collect();
                format!("not a failure mode; one of {}", names.join(", "))
            })
    }
}

/// The switches of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The limit on how many calls run at once.
    pub slots: Slots,
    /// What a failure does to the others.
    pub on_failure: OnFailure,
    /// How long the turn may take, from its begin.
    pub deadline: Option<Nanos>,
    /// How long a call that was told to stop may take to acknowledge.
    pub grace: Nanos,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            slots: Slots::default(),
            on_failure: OnFailure::default(),
            deadline: None,
            grace: Nanos::from_millis(250),
        }
    }
}

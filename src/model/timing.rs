//! Where a duration comes from. The weakest part decides for a sum.

use std::fmt;
use std::str::FromStr;

use crate::time::Nanos;

/// Where a duration comes from, strongest first: `max` of two is the weaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Timing {
    /// Start and end were recorded around the body, or the tool gave its own figure.
    Measured,
    /// The harness logged a begin and an end event.
    Events,
    /// Written by hand in a scenario or on the command line.
    Given,
    /// From the call's issue to its result: queue, approval and flush are inside. Shown with `≤`.
    Bound,
    /// Not known. Never zero.
    Unknown,
}

impl Timing {
    /// Every kind, strongest first.
    pub const ALL: [Self; 5] = [
        Self::Measured,
        Self::Events,
        Self::Given,
        Self::Bound,
        Self::Unknown,
    ];

    /// The word used in files and on screens.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Events => "events",
            Self::Given => "given",
            Self::Bound => "bound",
            Self::Unknown => "unknown",
        }
    }

    /// A duration as it may be printed: `≤` before a bound, `unknown` in place of an unknown.
    #[must_use]
    pub fn show(self, duration: Nanos) -> String {
        match self {
            Self::Unknown => "unknown".to_owned(),
            Self::Bound => format!("≤ {duration}"),
            _ => duration.human(),
        }
    }
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Timing {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|t| t.word() == text).ok_or(())
    }
}

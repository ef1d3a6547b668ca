//! The rules that decide which calls of a turn may overlap.

use std::fmt;
use std::str::FromStr;

/// Which calls of a turn may overlap. All policies take the calls in issue order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Policy {
    /// Each call after the one before.
    Sequential,
    /// No edges at all.
    AllAtOnce,
    /// Adjacent read-only calls share a stage; every other call is a stage alone.
    Staged,
    /// One FIFO queue per key, in issue order.
    Keyed,
    /// Keyed, but a read on an idle key is not registered, so that a later write may overtake it.
    KeyedLoose,
    /// An edge wherever two calls conflict.
    Graph,
}

impl Policy {
    /// The five that tables show by default; `keyed-loose` is for comparison only.
    pub const SHOWN: [Self; 5] = [
        Self::Sequential,
        Self::AllAtOnce,
        Self::Staged,
        Self::Keyed,
        Self::Graph,
    ];

    /// Every policy.
    pub const ALL: [Self; 6] = [
        Self::Sequential,
        Self::AllAtOnce,
        Self::Staged,
        Self::Keyed,
        Self::KeyedLoose,
        Self::Graph,
    ];

    /// The name used in files, on screens and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sequential => "sequential",
            Self::AllAtOnce => "all-at-once",
            Self::Staged => "staged",
            Self::Keyed => "keyed",
            Self::KeyedLoose => "keyed-loose",
            Self::Graph => "graph",
        }
    }

    /// True where conflicting calls never overlap, so that answers equal the sequential run's.
    #[must_use]
    pub const fn is_safe(self) -> bool {
        !matches!(self, Self::AllAtOnce | Self::KeyedLoose)
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|p| p.name() == text)
            .ok_or_else(|| {
                let names: Vec<_> = Self::ALL.iter().map(|p| p.name()).collect();
                format!("not a policy; one of {}", names.join(", "))
            })
    }
}

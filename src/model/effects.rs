//! What one call touches.

use super::key::KeyId;

/// Where a call's effects come from. Shown beside them, so that nobody mistakes an assumption
/// for a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// The tool's own declaration in the catalog.
    Declared,
    /// A hint of an MCP server that the user marked as trusted.
    Hint,
    /// turnlane's catalog for a known harness.
    Harness,
    /// The catalog's `"x-undeclared": "read"`: every output counts these.
    Assumption,
    /// Nothing is declared: opaque.
    #[default]
    Undeclared,
    /// The catalog does not hold the tool: opaque.
    Unknown,
}

impl Source {
    /// Every source.
    pub const ALL: [Self; 6] = [
        Self::Declared,
        Self::Hint,
        Self::Harness,
        Self::Assumption,
        Self::Undeclared,
        Self::Unknown,
    ];

    /// The word used in files and on screens.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Hint => "hint",
            Self::Harness => "harness",
            Self::Assumption => "assumption",
            Self::Undeclared => "undeclared",
            Self::Unknown => "unknown",
        }
    }
}

/// What one call touches: keys it reads and writes, or nothing known (`opaque`).
///
/// A call without keys that is not opaque is a keyless read. `reads` and `writes` hold no key
/// twice; a key in both counts as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Keys read.
    pub reads: Vec<KeyId>,
    /// Keys written.
    pub writes: Vec<KeyId>,
    /// True where nothing is known: the call is ordered against everything.
    pub opaque: bool,
    /// True for the tool that ends the turn.
    pub is_final: bool,
    /// Where this comes from.
    pub source: Source,
    /// Why the effects are wider than the declaration (a key value was missing), in words.
    pub note: Option<String>,
}

impl Effects {
    /// Effects of a call of which nothing is known.
    #[must_use]
    pub fn opaque(source: Source) -> Self {
        Self {
            opaque: true,
            source,
            ..Self::default()
        }
    }
}

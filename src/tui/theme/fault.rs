//! What is wrong with a settings file, and where.

use std::fmt;
use std::ops::Range;

/// What is wrong with a settings file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The character in it, from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub problem: String,
}

impl Fault {
    /// A problem with a range of bytes of `text`.
    #[must_use]
    pub fn at(text: &str, range: Range<usize>, problem: impl Into<String>) -> Self {
        let before = text.get(..range.start).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            problem: problem.into(),
        }
    }

    /// What the TOML reader says. Its message may have several lines; this has one.
    #[must_use]
    pub fn of(text: &str, error: &toml::de::Error) -> Self {
        let problem = error.message().trim().replace('\n', "; ");
        Self::at(text, error.span().unwrap_or(0..0), problem)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            column,
            problem,
        } = self;
        write!(f, "line {line}, column {column}: {problem}")
    }
}

//! What is wrong with a query, and where.

/// What is wrong with a query, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {}: {what}", .at + 1)]
pub struct QueryError {
    /// The first character it is about, from 0.
    pub at: usize,
    /// What is wrong and what would be right.
    pub what: String,
}

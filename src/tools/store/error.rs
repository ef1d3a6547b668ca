//! What a store can fail with.

/// A store that cannot be used, or a request to it that failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No store has such an address.
    #[error("`{0}` is no store: use sqlite:PATH, sqlite::memory: or postgres://USER@HOST/DATABASE")]
    Url(String),
    /// This build lacks the database.
    #[error("this build has no {database}: build with `--features {feature}`")]
    NotBuilt {
        /// The database.
        database: &'static str,
        /// The feature that brings it.
        feature: &'static str,
    },
    /// It could not be opened.
    #[error("{store}: cannot open the store: {problem}")]
    Open {
        /// The store, without credentials.
        store: String,
        /// What the database says.
        problem: String,
    },
    /// Its tables are not of this version.
    #[error(
        "{store}: its tables are of version {found}, this program knows {known}: reset it, or use another store"
    )]
    Version {
        /// The store, without credentials.
        store: String,
        /// What is there.
        found: i64,
        /// What this program makes.
        known: i64,
    },
    /// A request failed; the transaction around it changed nothing, except where the text says
    /// that its end is not known.
    #[error("{store}: {problem}")]
    Request {
        /// The store, without credentials.
        store: String,
        /// What the database says.
        problem: String,
    },
    /// The identity of a call belongs to another call already.
    #[error(
        "turn {turn}, call {call} of run {run} was a {tool} with other arguments: nothing was written"
    )]
    OtherCall {
        /// The run.
        run: String,
        /// The turn, from 1.
        turn: u32,
        /// The place in the turn, from 0.
        call: u32,
        /// The tool that was called first.
        tool: String,
    },
}

/// An error with what caused it: databases keep the point in the source.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(super) fn whole(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

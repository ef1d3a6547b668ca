//! Where a store is.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::error::StoreError;

/// Where a store is: `sqlite:PATH`, `sqlite::memory:` or `postgres://USER@HOST/DATABASE`.
///
/// Shown without user, password and options.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreUrl {
    /// A SQLite file; it is made where there is none.
    SqliteFile(PathBuf),
    /// A SQLite database that ends with the process.
    SqliteMemory,
    /// A PostgreSQL database, in the form that its own clients take. Without TLS.
    Postgres(String),
}

impl StoreUrl {
    /// True where nothing of it outlives the process.
    #[must_use]
    pub const fn is_memory(&self) -> bool {
        matches!(self, Self::SqliteMemory)
    }
}

impl FromStr for StoreUrl {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        match text.strip_prefix("sqlite:") {
            Some(":memory:") => Ok(Self::SqliteMemory),
            Some(path) if !path.is_empty() => Ok(Self::SqliteFile(path.into())),
            _ => Err(StoreError::Url(text.to_owned())),
        }
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SqliteFile(path) => write!(f, "sqlite:{}", path.display()),
            Self::SqliteMemory => f.write_str("sqlite::memory:"),
            Self::Postgres(url) => {
                let rest = url.split_once("://").map_or("", |(_, rest)| rest);
                let place = rest.split('?').next().unwrap_or("");
                // A password may hold an `@` of its own; the last one ends it.
                let place = place.rsplit('@').next().unwrap_or("");
                write!(f, "postgres://{place}")
            }
        }
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreUrl({self})")
    }
}

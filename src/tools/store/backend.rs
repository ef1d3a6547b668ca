//! What a database has to do for a store: three requests, each of them one transaction.

#[cfg(feature = "postgres")]
use super::postgres::Postgres;
#[cfg(feature = "sqlite")]
use super::sqlite::Sqlite;

use super::error::StoreError;
use super::record::Value;
use super::url::StoreUrl;

/// A statement that has to change exactly one row.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) sql: &'static str,
    pub(super) values: Vec<Value>,
}

/// How a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Applied {
    /// It is committed.
    All,
    /// The statement at that place changed no row; nothing of the transaction stands.
    Stopped(usize),
}

/// One of the databases.
#[derive(Debug)]
pub(super) enum Backend {
    #[cfg(feature = "sqlite")]
    Sqlite(Sqlite),
    #[cfg(feature = "postgres")]
    Postgres(Postgres),
}

impl Backend {
    pub(super) async fn open(url: &StoreUrl) -> Result<Self, StoreError> {
        match url {
            #[cfg(feature = "sqlite")]
            StoreUrl::SqliteFile(path) => Sqlite::open(url, Some(path)).await.map(Self::Sqlite),
            #[cfg(feature = "sqlite")]
            StoreUrl::SqliteMemory => Sqlite::open(url, None).await.map(Self::Sqlite),
            #[cfg(feature = "postgres")]
            StoreUrl::Postgres(address) => Postgres::open(url, address).await.map(Self::Postgres),
            #[cfg(not(feature = "sqlite"))]
            StoreUrl::SqliteFile(_) | StoreUrl::SqliteMemory => Err(StoreError::NotBuilt {
                database: "SQLite",
                feature: "sqlite",
            }),
            #[cfg(not(feature = "postgres"))]
            StoreUrl::Postgres(_) => Err(StoreError::NotBuilt {
                database: "PostgreSQL",
                feature: "postgres",
            }),
        }
    }

    /// Runs several statements without values, alone: nobody else makes tables meanwhile.
    pub(super) async fn script(&self, sql: String) -> Result<(), StoreError> {
        match *self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(ref sqlite) => sqlite.script(sql).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(ref postgres) => postgres.script(&sql).await,
        }
    }

    /// The rows that a query gives, in no order to rely on.
    pub(super) async fn query(
        &self,
        sql: &'static str,
        values: Vec<Value>,
    ) -> Result<Vec<Vec<Value>>, StoreError> {
        match *self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(ref sqlite) => sqlite.query(sql, values).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(ref postgres) => postgres.query(sql, &values).await,
        }
    }

    /// All statements, or none.
    pub(super) async fn apply(&self, statements: Vec<Statement>) -> Result<Applied, StoreError> {
        match *self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(ref sqlite) => sqlite.apply(statements).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(ref postgres) => postgres.apply(&statements).await,
        }
    }
}

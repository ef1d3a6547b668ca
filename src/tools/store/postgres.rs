//! PostgreSQL: one connection, one request at a time.

use tokio::sync::Mutex;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, NoTls, Row};

use super::backend::{Applied, Statement};
use super::error::{StoreError, whole};
use super::record::Value;
use super::url::StoreUrl;

/// As long as SQLite waits; without it a request waits for a forgotten lock for ever.
const SET_UP: &str = "SET lock_timeout = '20s'; SET client_min_messages = 'warning'";
/// `CREATE TABLE IF NOT EXISTS` fails where two do it at once, so only one at a time may.
const ALONE: &str = "SELECT pg_advisory_xact_lock(7021001)";

/// A PostgreSQL database.
#[derive(Debug)]
pub(super) struct Postgres {
    client: Mutex<Client>,
    name: String,
}

impl Postgres {
    pub(super) async fn open(url: &StoreUrl, address: &str) -> Result<Self, StoreError> {
        let name = url.to_string();
        let opened = async {
            let (client, connection) = tokio_postgres::connect(address, NoTls).await?;
            // It ends with the client, and its errors reach the requests that wait for it.
            tokio::spawn(connection);
            client.batch_execute(SET_UP).await?;
            Ok(client)
        };
        let client = opened.await.map_err(|error: Error| StoreError::Open {
            store: name.clone(),
            problem: whole(&error),
        })?;
        Ok(Self {
            client: Mutex::new(client),
            name,
        })
    }

    pub(super) async fn script(&self, sql: &str) -> Result<(), StoreError> {
        let run = async {
            let mut client = self.client.lock().await;
            let transaction = client.transaction().await?;
            transaction.batch_execute(ALONE).await?;
            transaction.batch_execute(sql).await?;
            transaction.commit().await
        };
        run.await.map_err(|error| self.failed(&error))
    }

    pub(super) async fn query(
        &self,
        sql: &str,
        values: &[Value],
    ) -> Result<Vec<Vec<Value>>, StoreError> {
        let run = async {
            let client = self.client.lock().await;
            let rows = client.query(sql, &parameters(values)).await?;
            rows.iter().map(row).collect::<Result<_, _>>()
        };
        run.await.map_err(|error| self.failed(&error))
    }

    pub(super) async fn apply(&self, statements: &[Statement]) -> Result<Applied, StoreError> {
        let mut client = self.client.lock().await;
        let run = async {
            let transaction = client.transaction().await?;
            for (at, Statement { sql, values }) in statements.iter().enumerate() {
                if transaction.execute(*sql, &parameters(values)).await? != 1 {
                    transaction.rollback().await?;
                    return Ok((None, Applied::Stopped(at)));
                }
            }
            Ok((Some(transaction), Applied::All))
        };
        let (transaction, applied) = run.await.map_err(|error| self.failed(&error))?;
        if let Some(transaction) = transaction {
            transaction.commit().await.map_err(|error| {
                let problem = format!(
                    "{}; nobody knows whether the write took effect: the same call again will tell",
                    whole(&error)
                );
                StoreError::Request {
                    store: self.name.clone(),
                    problem,
                }
            })?;
        }
        Ok(applied)
    }

    fn failed(&self, error: &Error) -> StoreError {
        StoreError::Request {
            store: self.name.clone(),
            problem: whole(error),
        }
    }
}

fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    let parameters = values.iter().map(|value| match value {
        Value::Int(n) => n as &(dyn ToSql + Sync),
        Value::Text(text) => text,
    });
    parameters.collect()
}

fn row(row: &Row) -> Result<Vec<Value>, Error> {
    let columns = row.columns().iter().enumerate();
    columns
        .map(|(at, column)| match *column.type_() {
            Type::INT8 => row.try_get(at).map(Value::Int),
            _ => row.try_get(at).map(Value::Text),
        })
        .collect()
}

//! SQLite: one connection, used on a thread where blocking is allowed.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::backend::{Applied, Statement};
use super::error::{StoreError, whole};
use super::record::Value;
use super::url::StoreUrl;

/// How long a writer waits for those before it, also of other processes.
const PATIENCE: Duration = Duration::from_secs(20);

/// A SQLite database.
#[derive(Debug)]
pub(super) struct Sqlite {
    connection: Arc<Mutex<Connection>>,
    name: String,
}

impl Sqlite {
    /// Opens or makes the file; a database in memory without one.
    pub(super) async fn open(url: &StoreUrl, path: Option<&Path>) -> Result<Self, StoreError> {
        let name = url.to_string();
        let file = path.map(Path::to_owned);
        let opened = blocking(move || open(file.as_deref())).await;
        let connection = opened.map_err(|problem| StoreError::Open {
            store: name.clone(),
            problem,
        })?;
        Ok(Self {
            connection: Arc::new(Mutex::new(connection)),
            name,
        })
    }

    pub(super) async fn script(&self, sql: String) -> Result<(), StoreError> {
        self.with(move |connection| {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute_batch(&sql)?;
            transaction.commit()
        })
        .await
    }

    pub(super) async fn query(
        &self,
        sql: &'static str,
        values: Vec<Value>,
    ) -> Result<Vec<Vec<Value>>, StoreError> {
        self.with(move |connection| {
            let mut statement = connection.prepare_cached(sql)?;
            bind(&mut statement, &values)?;
            let columns = statement.column_count();
            let mut rows = statement.raw_query();
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                let values = (0..columns).map(|at| row.get_ref(at).map(value));
                all.push(values.collect::<Result<_, _>>()?);
            }
            Ok(all)
        })
        .await
    }

    pub(super) async fn apply(&self, statements: Vec<Statement>) -> Result<Applied, StoreError> {
        self.with(move |connection| {
            // Immediate: the lock is waited for here, and not refused at the first write.
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for (at, Statement { sql, values }) in statements.iter().enumerate() {
                let mut statement = transaction.prepare_cached(sql)?;
                bind(&mut statement, values)?;
                if statement.raw_execute()? != 1 {
                    return Ok(Applied::Stopped(at));
                }
            }
            transaction.commit()?;
            Ok(Applied::All)
        })
        .await
    }

    async fn with<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<R> + Send + 'static,
    ) -> Result<R, StoreError> {
        let connection = self.connection.clone();
        let done = blocking(move || {
            // A panic inside a transaction rolls it back; the connection is as good as before.
            let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut connection).map_err(|error| whole(&error))
        });
        done.await.map_err(|problem| StoreError::Request {
            store: self.name.clone(),
            problem,
        })
    }
}

async fn blocking<R: Send + 'static>(
    work: impl FnOnce() -> Result<R, String> + Send + 'static,
) -> Result<R, String> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(whole(&error)))
}

fn open(path: Option<&Path>) -> Result<Connection, String> {
    let Some(path) = path else {
        return Connection::open_in_memory().map_err(|error| whole(&error));
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| whole(&error))?;
    let begun = Instant::now();
    loop {
        // The switch to WAL does not wait for other processes that open the file just now.
        match set_up(&connection) {
            Err(error) if is_busy(&error) && begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return done.map(|()| connection).map_err(|error| whole(&error)),
        }
    }
}

fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // What was accepted stays accepted, also when the machine stops.
    connection.pragma_update(None, "synchronous", "FULL")
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// Binds by name: SQLite numbers `$1`, `$2`, ... in the order in which a text mentions them.
fn bind(statement: &mut CachedStatement<'_>, values: &[Value]) -> rusqlite::Result<()> {
    for (number, value) in (1..).zip(values) {
        let name = format!("${number}");
        let at = statement.parameter_index(&name)?;
        let at = at.ok_or(rusqlite::Error::InvalidParameterName(name))?;
        match value {
            Value::Int(n) => statement.raw_bind_parameter(at, n)?,
            Value::Text(text) => statement.raw_bind_parameter(at, text)?,
        }
    }
    Ok(())
}

fn value(column: ValueRef<'_>) -> Value {
    match column {
        ValueRef::Integer(n) => Value::Int(n),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            Value::Text(String::from_utf8_lossy(text).into_owned())
        }
        ValueRef::Null | ValueRef::Real(_) => Value::Text(String::new()),
    }
}

//! Places for a store: SQLite always, PostgreSQL where `TURNLANE_POSTGRES` names a database.
#![allow(dead_code, unreachable_pub)]

use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;
use turnlane::model::{CallKey, CallRequest, ThreadId};
use turnlane::run::{Answer, CallContext, Tool, ToolError};
use turnlane::tools::store::{Kind, Latency, Mode, Record, Store, StoreRun, StoreUrl};

/// Where a store of one test is. It is gone with this value.
pub struct Place {
    pub url: String,
    _folder: Option<tempfile::TempDir>,
    #[cfg(feature = "postgres")]
    schema: Option<postgres::Schema>,
}

impl Place {
    pub fn memory() -> Self {
        Self::of("sqlite::memory:".to_owned(), None)
    }

    pub fn file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("store.db").display());
        Self::of(url, Some(folder))
    }

    /// A schema of its own in the database that `TURNLANE_POSTGRES` names; without one it says so.
    pub fn postgres() -> Option<Self> {
        let Ok(address) = std::env::var("TURNLANE_POSTGRES") else {
            eprintln!("skipped: TURNLANE_POSTGRES names no database");
            return None;
        };
        #[cfg(feature = "postgres")]
        {
            let schema = postgres::Schema::make(&address);
            let mut place = Self::of(schema.url(), None);
            place.schema = Some(schema);
            Some(place)
        }
        #[cfg(not(feature = "postgres"))]
        {
            eprintln!("skipped: this build has no PostgreSQL for {address}");
            None
        }
    }

    fn of(url: String, folder: Option<tempfile::TempDir>) -> Self {
        Self {
            url,
            _folder: folder,
            #[cfg(feature = "postgres")]
            schema: None,
        }
    }

    pub async fn open(&self) -> Arc<Store> {
        let url: StoreUrl = self.url.parse().unwrap();
        Arc::new(Store::open(&url).await.unwrap())
    }
}

#[cfg(feature = "postgres")]
mod postgres {
    use std::sync::atomic::{AtomicU32, Ordering};

    pub struct Schema {
        address: String,
        name: String,
    }

    fn execute(address: &str, sql: &str) {
        let (address, sql) = (address.to_owned(), sql.to_owned());
        // A thread of its own: the caller may be inside a runtime.
        let work = std::thread::spawn(move || {
            super::threads(1).block_on(async {
                let (client, connection) = tokio_postgres::connect(&address, tokio_postgres::NoTls)
                    .await
                    .unwrap();
                tokio::spawn(connection);
                client.batch_execute(&sql).await.unwrap();
            });
        });
        work.join().unwrap();
    }

    impl Schema {
        pub fn make(address: &str) -> Self {
            static MADE: AtomicU32 = AtomicU32::new(0);
            let number = MADE.fetch_add(1, Ordering::Relaxed);
            let name = format!("turnlane_test_{}_{number}", std::process::id());
            let sql = format!("DROP SCHEMA IF EXISTS {name} CASCADE; CREATE SCHEMA {name}");
            execute(address, &sql);
            Self {
                address: address.to_owned(),
                name,
            }
        }

        pub fn url(&self) -> String {
            let join = if self.address.contains('?') { '&' } else { '?' };
            format!(
                "{}{join}options=-csearch_path%3D{}",
                self.address, self.name
            )
        }
    }

    impl Drop for Schema {
        fn drop(&mut self) {
            execute(&self.address, &format!("DROP SCHEMA {} CASCADE", self.name));
        }
    }
}

pub fn threads(n: usize) -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(n)
        .enable_all()
        .build()
        .unwrap()
}

/// Makes of each `async fn name(place: &Place)` one test a database.
#[macro_export]
macro_rules! on_every_store {
    ($($name:ident)*) => {
        mod sqlite_in_memory {
            $(#[test] fn $name() {
                let place = $crate::store_support::Place::memory();
                $crate::store_support::threads(2).block_on(super::$name(&place));
            })*
        }
        mod sqlite_in_a_file {
            $(#[test] fn $name() {
                let place = $crate::store_support::Place::file();
                $crate::store_support::threads(2).block_on(super::$name(&place));
            })*
        }
        mod postgresql {
            $(#[test] fn $name() {
                if let Some(place) = $crate::store_support::Place::postgres() {
                    $crate::store_support::threads(2).block_on(super::$name(&place));
                }
            })*
        }
    };
}

pub fn key(turn: u32, index: u32) -> CallKey {
    CallKey {
        thread: ThreadId(0),
        turn,
        index,
    }
}

/// A call of a tool, and what cancels it.
pub fn context(key: CallKey, tool: &str, args: &str) -> (CallContext, CancellationToken) {
    let cancel = CancellationToken::new();
    let context = CallContext {
        request: Arc::new(CallRequest::new(tool, args)),
        key,
        cancel: cancel.clone(),
    };
    (context, cancel)
}

pub async fn begin(store: &Arc<Store>, run: &str, mode: Mode) -> StoreRun {
    StoreRun::begin(store.clone(), run, mode).await.unwrap()
}

pub fn tool(run: &StoreRun, name: &str, latency: Latency) -> Arc<dyn Tool> {
    run.tool(name, latency).unwrap()
}

/// Calls a tool that takes no time.
pub async fn call(
    run: &StoreRun,
    key: CallKey,
    name: &str,
    args: &str,
) -> Result<Answer, ToolError> {
    let (context, _) = context(key, name, args);
    tool(run, name, Latency::default()).call(context).await
}

/// Every resource of a store.
pub async fn state(store: &Store) -> Vec<Record> {
    let mut all = Vec::new();
    for kind in Kind::ALL {
        all.extend(store.list(kind).await.unwrap());
    }
    all
}

pub async fn invoice(store: &Store, id: &str) -> Record {
    store.read(Kind::Invoice, id).await.unwrap().unwrap()
}

/// Every accepted write made the revision after the one it saw, no revision was made twice, and
/// they lead without a gap from the demo data to what is there now.
pub async fn assert_unbroken(store: &Store, demo: &[Record]) {
    let writes = store.writes().await.unwrap();
    for record in state(store).await {
        let begin = demo
            .iter()
            .find(|d| (d.kind, &d.id) == (record.kind, &record.id))
            .unwrap();
        let own = writes
            .iter()
            .filter(|w| (w.kind, &w.id) == (record.kind, &record.id));
        let mut revision = begin.revision;
        for write in own {
            assert_eq!(write.seen, revision, "{write:?}");
            assert_eq!(write.revision, revision + 1, "{write:?}");
            revision = write.revision;
        }
        assert_eq!(record.revision, revision, "{}:{}", record.kind, record.id);
    }
}

//! Real state behind the gate: invoices and tickets with revisions, in SQLite or PostgreSQL.
//!
//! The scheduler makes conflicts rare and keeps the order; that no write is lost is decided here,
//! where the data is. Every tool that writes reads a copy, takes its time, and writes the copy
//! back under the condition that the revision it saw is still the current one. Zero rows changed
//! means that somebody was faster: the answer is a conflict, and nothing is tried again silently.
//!
//! - [`Store::open`] takes a [`StoreUrl`]; both databases run the same SQL texts;
//! - [`StoreRun`] ties one run to a store and gives its tools; each accepted write and its answer
//!   are one transaction under the call's identity, so the same call again writes nothing;
//! - [`Mode::LastWriterWins`] leaves the condition out, to show what is then lost.

mod action;
#[cfg_attr(
    not(any(feature = "sqlite", feature = "postgres")),
    expect(
        dead_code,
        unused_variables,
        reason = "without a database nothing is asked of one"
    )
)]
mod backend;
mod error;
mod history;
mod latency;
#[cfg(feature = "postgres")]
mod postgres;
mod record;
mod run;
mod schema;
#[cfg(feature = "sqlite")]
mod sqlite;
mod state;
mod tool;
mod url;

pub use error::StoreError;
pub use history::{AcceptedWrite, LostUpdate, lost_updates};
pub use latency::Latency;
pub use record::{Kind, Record, Value};
pub use run::{Mode, StoreRun};
pub use state::Store;
pub use url::StoreUrl;

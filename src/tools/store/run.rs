//! One run's tie to a store: under whose name it writes, and how.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::action::Action;
use super::error::StoreError;
use super::latency::Latency;
use super::record::Value;
use super::state::Store;
use super::tool::StoreTool;
use crate::model::{CallKey, CallRequest};
use crate::run::Tool;

/// What a write is accepted on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The revision that its copy was read at is the current one.
    #[default]
    Conditional,
    /// Nothing: whoever writes last wins, and what others wrote meanwhile is lost.
    LastWriterWins,
}

impl Mode {
    /// The name used in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Conditional => "conditional",
            Self::LastWriterWins => "last-writer-wins",
        }
    }

    pub(super) fn of(name: &str) -> Option<Self> {
        [Self::Conditional, Self::LastWriterWins]
            .into_iter()
            .find(|mode| mode.name() == name)
    }
}

/// A run that works on a store.
///
/// A call is known by (run, thread, turn, index): the same call again gets the answer that was
/// stored with its write, and writes nothing. Only accepted writes are stored; a call that was
/// refused has changed nothing, and decides again.
#[derive(Clone, Debug)]
pub struct StoreRun {
    store: Arc<Store>,
    run: Arc<str>,
    mode: Mode,
}

impl StoreRun {
    /// A new run; its id must be one that the store does not know.
    ///
    /// # Errors
    /// Where the database fails, or knows the id.
    pub async fn begin(store: Arc<Store>, run: &str, mode: Mode) -> Result<Self, StoreError> {
        store.add_run(run, mode).await?;
        Ok(Self {
            store,
            run: run.into(),
            mode,
        })
    }

    /// A run that was begun before, in the mode it was begun in; `None` where the store does not
    /// know it: what it wrote, it wrote elsewhere.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn resume(store: Arc<Store>, run: &str) -> Result<Option<Self>, StoreError> {
        let mode = store.mode_of(run).await?;
        Ok(mode.map(|mode| Self {
            store,
            run: run.into(),
            mode,
        }))
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The tool of that name (`get_invoice`, `charge_card`, ...); `None` where there is none.
    #[must_use]
    pub fn tool(&self, name: &str, latency: Latency) -> Option<Arc<dyn Tool>> {
        let action = Action::of(name)?;
        Some(Arc::new(StoreTool::new(self.clone(), action, latency)))
    }

    pub(super) fn writer(&self, key: CallKey, request: &CallRequest) -> Writer {
        let mut digest = Sha256::new();
        digest.update(request.tool.as_bytes());
        digest.update([0]);
        digest.update(request.args.as_bytes());
        let digest = digest.finalize();
        Writer {
            run: self.run.clone(),
            key,
            tool: request.tool.clone(),
            digest: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
            mode: self.mode,
        }
    }
}

/// The call that writes.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    run: Arc<str>,
    key: CallKey,
    pub(super) tool: String,
    /// Of tool and arguments: another call must not pass for this one.
    pub(super) digest: String,
    pub(super) mode: Mode,
}

impl Writer {
    /// Run, thread, turn and index: the key under which its answer is stored.
    pub(super) fn identity(&self) -> [Value; 4] {
        [
            (&*self.run).into(),
            self.key.thread.0.into(),
            self.key.turn.into(),
            self.key.index.into(),
        ]
    }

    pub(super) fn other_call(&self, tool: &str) -> StoreError {
        StoreError::OtherCall {
            run: self.run.to_string(),
            turn: self.key.turn,
            call: self.key.index,
            tool: tool.to_owned(),
        }
    }
}

//! The store that a recording works on.

use std::sync::Arc;

use super::args::RecordArgs;
use super::failure::Failure;
use crate::model::Outcome;
use crate::text::clean;
use crate::tools::store::{Mode, Store, StoreRun, lost_updates};
use crate::trace::Run;

/// Opens the store for a new run, where one is asked for.
pub(super) async fn begin(args: &RecordArgs, run: &str) -> Result<Option<StoreRun>, Failure> {
    let Some(url) = &args.store else {
        return Ok(None);
    };
    let opened = if args.store_reset {
        Store::open_reset(url).await
    } else {
        Store::open(url).await
    };
    let mode = if args.last_writer_wins {
        Mode::LastWriterWins
    } else {
        Mode::Conditional
    };
    let store = Arc::new(opened.map_err(Failure::unreadable)?);
    let run = StoreRun::begin(store, run, mode).await;
    run.map(Some).map_err(Failure::unreadable)
}

/// Opens the store for a run that goes on: it has to be the one that it began on.
pub(super) async fn resume(args: &RecordArgs, run: &str) -> Result<Option<StoreRun>, Failure> {
    let Some(url) = &args.store else {
        return Ok(None);
    };
    if url.is_memory() {
        let problem = "a store in memory has ended with the run: record anew";
        return Err(Failure::Unreadable(format!("{url}: {problem}")));
    }
    let store = Arc::new(Store::open(url).await.map_err(Failure::unreadable)?);
    let known = StoreRun::resume(store, run).await;
    match known.map_err(Failure::unreadable)? {
        Some(run) => Ok(Some(run)),
        None => Err(Failure::Unreadable(format!(
            "{url} does not know the run {run}: name the store that it began on"
        ))),
    }
}

/// What the store made of the run, in plain words.
pub(super) async fn report(store: &StoreRun, recorded: &Run) -> Result<String, Failure> {
    let writes = store.store().writes().await.map_err(Failure::unreadable)?;
    let id = &recorded.meta.id;
    let mut calls: Vec<_> = writes
        .iter()
        .filter(|w| w.run == *id)
        .map(|w| w.call)
        .collect();
    calls.sort_unstable();
    calls.dedup();
    let refused = recorded
        .calls
        .iter()
        .filter(|c| c.outcome == Outcome::Conflict)
        .count();
    let mut text = format!(
        "\nStore {}: {} accepted, {} refused as a conflict.\n",
        clean(store.store().name()),
        match calls.len() {
            1 => "1 write".to_owned(),
            n => format!("{n} writes"),
        },
        refused
    );
    for lost in lost_updates(&writes) {
        let same = |w: &&crate::tools::store::AcceptedWrite| {
            (w.kind, &w.id, w.revision) == (lost.kind, &lost.id, lost.revision)
        };
        if writes.iter().filter(same).any(|w| w.run == *id) {
            text.push_str(&format!(
                "An update is lost: {} writes made revision {} of {}:{}, and the last one won.\n",
                lost.writes,
                lost.revision,
                lost.kind,
                clean(&lost.id)
            ));
        }
    }
    Ok(text)
}

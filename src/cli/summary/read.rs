//! Reading many files at once and handing them on in their order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use super::progress::Progress;
use super::reissued::reissued;
use crate::analyze::{CallRow, FileFacts, WhatIfOptions, call_rows, file_facts, summarise};
use crate::cli::args::{SummaryArgs, SummaryFormat};
use crate::cli::failure::Failure;
use crate::cli::load::load_run;
use crate::export::FileSummary;

/// What is kept of a file once it is read.
pub(super) struct FileRead {
    pub(super) summary: FileSummary,
    pub(super) facts: FileFacts,
    /// Empty unless rows are asked for.
    pub(super) rows: Vec<CallRow>,
}

/// Reads files on every core and gives each one to `take` in the order of `paths`, whichever was
/// read first. A run is gone from memory before its reader takes the next file.
pub(super) fn read_all(
    paths: &[PathBuf],
    args: &SummaryArgs,
    mut take: impl FnMut(Result<FileRead, Failure>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let options = args.switches.what_if(&[]);
    let readers = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let (sender, results) = sync_channel(readers);
    thread::scope(|scope| {
        for _ in 0..readers.min(paths.len()) {
            let (sender, next, options) = (sender.clone(), &next, &options);
            let work = move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = paths.get(at) else { return };
                    let read = read(path, args, options);
                    if sender.send((at, read)).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new()
                .name("summary".to_owned())
                .spawn_scoped(scope, work)
                .map_err(Failure::Output)?;
        }
        drop(sender);
        let mut progress = Progress::new(paths.len());
        let mut waiting = BTreeMap::new();
        let mut turn = 0;
        for (at, read) in results {
            progress.one_more();
            waiting.insert(at, read);
            while let Some(read) = waiting.remove(&turn) {
                take(read)?;
                turn += 1;
            }
        }
        Ok(())
    })
}

fn read(path: &Path, args: &SummaryArgs, options: &WhatIfOptions) -> Result<FileRead, Failure> {
    let run = load_run(path, args.catalog.as_deref())?;
    let again = reissued(&run);
    let file = path.display().to_string();
    let again = |call: usize| again.contains(&call);
    let facts = file_facts(&file, &run, options, &again);
    let rows = match args.format() {
        SummaryFormat::Calls | SummaryFormat::Parquet => call_rows(&run, &facts, &again),
        _ => Vec::new(),
    };
    Ok(FileRead {
        facts,
        rows,
        summary: FileSummary {
            policy: run.meta.policy.clone(),
            task: run.meta.task.clone(),
            threads: summarise(&run, options),
            file,
        },
    })
}

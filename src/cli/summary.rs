//! `summary`: counts, where the time went, and what overlap would save, over many files.

use std::path::{Path, PathBuf};

use super::args::{SummaryArgs, SummaryFormat};
use super::failure::Failure;
use super::load::load_run;
use super::output::{note, print};
use crate::analyze::summarise;
use crate::export::{FileSummary, TableStyle, summary_csv, summary_json, summary_table};
use crate::text::clean;

pub(super) fn run(args: &SummaryArgs) -> Result<(), Failure> {
    let options = args.switches.what_if(&[]);
    let mut files = Vec::new();
    let mut unreadable = Vec::new();
    for argument in &args.files {
        let found = expand(argument)?;
        let single = found.len() == 1 && found[0] == *argument;
        for path in found {
            match load_run(&path, args.catalog.as_deref()) {
                Ok(run) => files.push(FileSummary {
                    file: path.display().to_string(),
                    policy: run.meta.policy.clone(),
                    task: run.meta.task.clone(),
                    threads: summarise(&run, &options),
                }),
                Err(failure) if single && args.files.len() == 1 => return Err(failure),
                Err(failure) => unreadable.push(failure.to_string()),
            }
        }
    }
    let format = if args.json {
        SummaryFormat::Json
    } else {
        args.format
    };
    let text = match format {
        SummaryFormat::Table => summary_table(&files, TableStyle::Text),
        SummaryFormat::Md => summary_table(&files, TableStyle::Markdown),
        SummaryFormat::Json => summary_json(&files).map_err(Failure::unreadable)? + "\n",
        SummaryFormat::Csv => summary_csv(&files).map_err(Failure::unreadable)?,
    };
    print(&text)?;
    for reason in &unreadable {
        note(&format!("left out: {}", clean(reason)));
    }
    if unreadable.is_empty() {
        Ok(())
    } else {
        Err(Failure::Unreadable(format!(
            "{} files could not be read",
            unreadable.len()
        )))
    }
}

/// A file as it is; a folder as the session files below it, in order of their names. Links are
/// not followed, and a sub-agent's file is read with its session.
fn expand(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable =
        |error: std::io::Error| Failure::Unreadable(format!("{}: {error}", path.display()));
    if !std::fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let kind = entry.file_type().map_err(unreadable)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if kind.is_dir() {
                let skip = name == "subagents" || name.starts_with('.');
                open.extend((!skip).then(|| entry.path()));
            } else if kind.is_file() && is_session_name(&name) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Which files of a folder are tried: the content decides what they are.
fn is_session_name(name: &str) -> bool {
    let name = name
        .strip_suffix(".gz")
        .or_else(|| name.strip_suffix(".zst"))
        .unwrap_or(name);
    name.ends_with(".jsonl") && !name.starts_with("agent-")
}

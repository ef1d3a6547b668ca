//! `summary`: counts, where the time went, and what overlap would save, over many files.

use std::path::PathBuf;

use super::expand::expand;
use super::read::{FileRead, read_all};
use crate::analyze::Fleet;
use crate::cli::args::{SummaryArgs, SummaryFormat};
use crate::cli::failure::Failure;
use crate::cli::output::{note, print};
use crate::export::{
    FileSummary, TableStyle, fleet_table, summary_csv, summary_json, summary_table,
};
use crate::text::clean;

/// More files than this are reported together unless each is asked for.
const EACH: usize = 8;

pub(in crate::cli) fn run(args: &SummaryArgs) -> Result<(), Failure> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for argument in &args.files {
        paths.extend(expand(argument)?);
    }
    let folder = args.files.iter().any(|path| path.is_dir());
    let only = args.files.len() == 1 && !folder;
    let mut files: Vec<FileSummary> = Vec::new();
    let mut fleet = Fleet::new();
    let mut unreadable = Vec::new();
    let mut refused = None;
    read_all(&paths, args, |read| match read {
        Ok(FileRead { summary, facts }) => {
            fleet.add(&facts);
            files.push(summary);
        }
        Err(failure) if only => refused = Some(failure),
        Err(failure) => unreadable.push(failure.to_string()),
    })?;
    if let Some(failure) = refused {
        return Err(failure);
    }
    let report = fleet.finish();
    let each = args.each || (!folder && files.len() <= EACH);
    let format = if args.json {
        SummaryFormat::Json
    } else {
        args.format
    };
    let text = match format {
        SummaryFormat::Table if each => summary_table(&files, TableStyle::Text),
        SummaryFormat::Md if each => summary_table(&files, TableStyle::Markdown),
        SummaryFormat::Table => fleet_table(&report, TableStyle::Text),
        SummaryFormat::Md => fleet_table(&report, TableStyle::Markdown),
        SummaryFormat::Json => summary_json(&files, &report).map_err(Failure::unreadable)? + "\n",
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

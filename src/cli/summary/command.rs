//! `summary`: counts, where the time went, and what overlap would save, over many files.

use std::path::PathBuf;

use super::expand::expand;
use super::read::read_all;
use super::rows::Rows;
use crate::analyze::{Fleet, FleetReport};
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
    let mut rows = Rows::open(args)?;
    let (mut unreadable, mut others) = (Vec::new(), 0);
    read_all(&paths, args, |read| {
        match read {
            Ok(mut read) => {
                let owned = fleet.add(&read.facts);
                rows.write(&mut read, &owned)?;
                files.push(read.summary);
            }
            Err(failure) if only => return Err(failure),
            Err(Failure::NoSession(_)) if folder => others += 1,
            Err(failure) => unreadable.push(failure.to_string()),
        }
        Ok(())
    })?;
    match rows {
        Rows::None => {
            let each = args.each || (!folder && files.len() <= EACH);
            write(args, &text(args.format(), each, &files, &fleet.finish())?)?;
        }
        rows => rows.finish()?,
    }
    if others > 0 {
        note(&format!(
            "{others} other files hold no session of a known kind"
        ));
    }
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

fn text(
    format: SummaryFormat,
    each: bool,
    files: &[FileSummary],
    report: &FleetReport,
) -> Result<String, Failure> {
    Ok(match format {
        SummaryFormat::Table if each => summary_table(files, TableStyle::Text),
        SummaryFormat::Md if each => summary_table(files, TableStyle::Markdown),
        SummaryFormat::Table => fleet_table(report, TableStyle::Text),
        SummaryFormat::Md => fleet_table(report, TableStyle::Markdown),
        SummaryFormat::Csv => summary_csv(files).map_err(Failure::unreadable)?,
        _ => summary_json(files, report).map_err(Failure::unreadable)? + "\n",
    })
}

fn write(args: &SummaryArgs, text: &str) -> Result<(), Failure> {
    match &args.output {
        None => print(text),
        Some(path) => std::fs::write(path, text).map_err(|error| {
            Failure::Unreadable(format!("{}: cannot write it: {error}", path.display()))
        }),
    }
}

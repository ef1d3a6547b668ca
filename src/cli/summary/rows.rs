//! One row a call, written while the files are read.

use std::fs::File;
use std::io::{BufWriter, Write, stdout};

use super::read::FileRead;
use crate::analyze::Owned;
use crate::cli::args::{SummaryArgs, SummaryFormat};
use crate::cli::failure::Failure;
use crate::export::{self, CallsCsv};

type Output = Box<dyn Write + Send>;

/// Where the rows go.
pub(super) enum Rows {
    /// Nobody asked for them.
    None,
    /// CSV.
    Csv(Box<CallsCsv<Output>>),
    /// Parquet.
    #[cfg(feature = "parquet")]
    Parquet(Box<export::CallsParquet<Output>>),
}

impl Rows {
    pub(super) fn open(args: &SummaryArgs) -> Result<Self, Failure> {
        match args.format() {
            SummaryFormat::Calls => {
                let csv = CallsCsv::new(output(args)?).map_err(failed)?;
                Ok(Self::Csv(Box::new(csv)))
            }
            #[cfg(feature = "parquet")]
            SummaryFormat::Parquet => {
                let parquet = export::CallsParquet::new(output(args)?).map_err(failed)?;
                Ok(Self::Parquet(Box::new(parquet)))
            }
            #[cfg(not(feature = "parquet"))]
            SummaryFormat::Parquet => Err(Failure::Unreadable(
                "this turnlane was built without Parquet: build it with `--features parquet`, or \
                 use `--format calls`, which holds the same rows as CSV"
                    .to_owned(),
            )),
            _ => Ok(Self::None),
        }
    }

    pub(super) fn write(&mut self, read: &mut FileRead, owned: &Owned) -> Result<(), Failure> {
        for row in &mut read.rows {
            row.reply.copy = !owned.owns(&row.reply.thread, row.reply.turn);
        }
        let file = export::File {
            file: &read.facts.file,
            harness: &read.facts.harness,
            task: &read.facts.task,
        };
        match self {
            Self::None => Ok(()),
            Self::Csv(csv) => csv.write(&file, &read.rows).map_err(failed),
            #[cfg(feature = "parquet")]
            Self::Parquet(parquet) => parquet.write(&file, &read.rows).map_err(failed),
        }
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        match self {
            Self::None => Ok(()),
            Self::Csv(csv) => csv.finish().map_err(Failure::Output),
            #[cfg(feature = "parquet")]
            Self::Parquet(parquet) => parquet.finish().map_err(failed),
        }
    }
}

fn output(args: &SummaryArgs) -> Result<Output, Failure> {
    let Some(path) = &args.output else {
        return Ok(Box::new(stdout()));
    };
    let file = File::create(path).map_err(|error| {
        Failure::Unreadable(format!("{}: cannot write it: {error}", path.display()))
    })?;
    Ok(Box::new(BufWriter::new(file)))
}

fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Failure {
    Failure::Output(std::io::Error::other(error))
}

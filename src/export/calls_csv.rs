//! The rows of calls as CSV: null is an empty field, texts are safe to show.

use std::io::Write;

use super::call_table::{COLUMNS, File, Value};
use crate::analyze::CallRow;
use crate::text::clean;

/// Writes rows as they come.
#[derive(Debug)]
pub struct CallsCsv<W: Write>(csv::Writer<W>);

impl<W: Write> CallsCsv<W> {
    /// Writes the heading.
    ///
    /// # Errors
    /// Where the output fails.
    pub fn new(output: W) -> Result<Self, csv::Error> {
        let mut writer = csv::Writer::from_writer(output);
        writer.write_record(COLUMNS.iter().map(|column| column.name))?;
        Ok(Self(writer))
    }

    /// Writes the rows of a file.
    ///
    /// # Errors
    /// Where the output fails.
    pub fn write(&mut self, file: &File<'_>, rows: &[CallRow]) -> Result<(), csv::Error> {
        for row in rows {
            let fields = COLUMNS.iter().map(|column| match column.value(file, row) {
                Value::Null => String::new(),
                Value::Text(text) => clean(&text).into_owned(),
                Value::Int(n) => n.to_string(),
                Value::Bool(yes) => yes.to_string(),
            });
            self.0.write_record(fields)?;
        }
        Ok(())
    }

    /// Writes what is still held back.
    ///
    /// # Errors
    /// Where the output fails.
    pub fn finish(mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

//! The rows of calls as Parquet, for DuckDB, ClickHouse or Spark.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use super::call_table::{COLUMNS, Column, File, Kind, Value};
use crate::analyze::CallRow;
use crate::text::clean;

/// So many rows are held before they become a row group.
const GROUP: usize = 100_000;

/// Writes rows as they come, in groups.
pub struct CallsParquet<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    /// One list of values a column.
    held: Vec<Vec<Value>>,
}

impl<W: Write + Send> std::fmt::Debug for CallsParquet<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallsParquet").finish_non_exhaustive()
    }
}

impl<W: Write + Send> CallsParquet<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// Where the output fails.
    pub fn new(output: W) -> Result<Self> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
            .set_created_by(format!("turnlane {}", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Self {
            writer: SerializedFileWriter::new(output, schema()?, Arc::new(properties))?,
            held: vec![Vec::new(); COLUMNS.len()],
        })
    }

    /// Writes the rows of a file.
    ///
    /// # Errors
    /// Where the output fails.
    pub fn write(&mut self, file: &File<'_>, rows: &[CallRow]) -> Result<()> {
        for row in rows {
            for (column, held) in COLUMNS.iter().zip(&mut self.held) {
                held.push(column.value(file, row));
            }
            if self.held[0].len() >= GROUP {
                self.group()?;
            }
        }
        Ok(())
    }

    /// Writes what is still held back and the footer.
    ///
    /// # Errors
    /// Where the output fails.
    pub fn finish(mut self) -> Result<()> {
        self.group()?;
        self.writer.close()?;
        Ok(())
    }

    fn group(&mut self) -> Result<()> {
        if self.held[0].is_empty() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for held in &mut self.held {
            write_column(&mut group, &std::mem::take(held))?;
        }
        group.close()?;
        Ok(())
    }
}

fn schema() -> Result<TypePtr> {
    let fields = COLUMNS.iter().map(|column| field(column).map(Arc::new));
    let schema = Type::group_type_builder("calls")
        .with_fields(fields.collect::<Result<_>>()?)
        .build()?;
    Ok(Arc::new(schema))
}

fn field(column: &Column) -> Result<Type> {
    let (physical, logical) = match column.kind {
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Int => (Physical::INT64, None),
        Kind::Bool => (Physical::BOOLEAN, None),
    };
    Type::primitive_type_builder(column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}

fn write_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[Value],
) -> Result<()> {
    let Some(mut column) = group.next_column()? else {
        return Ok(());
    };
    let known: Vec<i16> = values
        .iter()
        .map(|value| i16::from(*value != Value::Null))
        .collect();
    match column.untyped() {
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            let texts = values.iter().filter_map(|value| match value {
                Value::Text(text) => Some(ByteArray::from(clean(text).as_bytes().to_vec())),
                _ => None,
            });
            writer.write_batch(&texts.collect::<Vec<_>>(), Some(&known), None)?;
        }
        ColumnWriter::Int64ColumnWriter(writer) => {
            let numbers = values.iter().filter_map(|value| match value {
                Value::Int(n) => Some(*n),
                _ => None,
            });
            writer.write_batch(&numbers.collect::<Vec<_>>(), Some(&known), None)?;
        }
        ColumnWriter::BoolColumnWriter(writer) => {
            let answers = values.iter().filter_map(|value| match value {
                Value::Bool(yes) => Some(*yes),
                _ => None,
            });
            writer.write_batch(&answers.collect::<Vec<_>>(), Some(&known), None)?;
        }
        _ => {}
    }
    column.close()
}

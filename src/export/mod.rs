//! Reports, one file a format. The same input gives the same bytes: no clock, path, environment
//! or hash order gets in.

mod call_table;
mod calls_csv;
#[cfg(feature = "parquet")]
mod calls_parquet;
mod file_summary;
mod fleet_json;
mod fleet_table;
mod json;
mod lanes_text;
mod summary_csv;
mod summary_json;
mod summary_table;
mod svg;
mod table;
mod turn_table;
mod what_if_json;
mod what_if_table;

pub use call_table::{COLUMNS, Column, File, Kind, Value, columns_markdown};
pub use calls_csv::CallsCsv;
#[cfg(feature = "parquet")]
pub use calls_parquet::CallsParquet;
pub use file_summary::FileSummary;
pub use fleet_table::fleet_table;
pub use json::{safe_json, safe_json_line};
pub use summary_csv::summary_csv;
pub use summary_json::summary_json;
pub use summary_table::{TableStyle, summary_table};
pub use svg::{SvgTheme, turn_svg};
pub use table::{Align, Table};
pub use turn_table::{hazard_line, turn_table};
pub use what_if_json::WhatIfReport;
pub use what_if_table::{policy_table, totals_table};

//! Columns of text, aligned by display width.

use crate::text::{fit, fit_right, width};

/// Which edge of its column a cell keeps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Figures.
    Right,
}

/// A table of cells that are safe to show already.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    #[must_use]
    pub fn new(columns: &[Align]) -> Self {
        Self {
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; missing cells are empty, surplus ones are dropped.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// How many rows it has, the heading included.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// True where it has no row.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows as lines with two cells of air between columns and none at the end.
    #[must_use]
    pub fn text(&self, indent: &str) -> String {
        let widths = self.widths();
        let mut out = String::new();
        for row in &self.rows {
            let cells = row
                .iter()
                .zip(&widths)
                .zip(&self.columns)
                .map(|((cell, &w), align)| match align {
                    Align::Left => fit(cell, w),
                    Align::Right => fit_right(cell, w),
                });
            let line = cells.collect::<Vec<_>>().join("  ");
            out.push_str(indent);
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    /// The rows as a Markdown table; the first is the heading.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            out.push_str(&format!("| {} |\n", cells.join(" | ")));
            if number == 0 {
                let rule = self.columns.iter().map(|align| match align {
                    Align::Left => "---",
                    Align::Right => "---:",
                });
                out.push_str(&format!("|{}|\n", rule.collect::<Vec<_>>().join("|")));
            }
        }
        out
    }

    fn widths(&self) -> Vec<usize> {
        (0..self.columns.len())
            .map(|c| {
                self.rows
                    .iter()
                    .map(|row| width(&row[c]))
                    .max()
                    .unwrap_or(0)
            })
            .collect()
    }
}

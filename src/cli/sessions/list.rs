//! The sessions as text, for where there is no terminal to choose one on.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::age::age;
use super::find::{Found, find};
use super::place::places;
use super::read::Reader;
use crate::analyze::SessionFacts;
use crate::text::{clean, cut, cut_start, width};

/// So many are listed; reading all of them would take too long for a glance.
const LISTED: usize = 20;
const COLUMNS: [&str; 9] = [
    "written", "project", "harness", "turns", "calls", "widest", "lasted", "verdict", "file",
];

/// The newest sessions with what is known of each; `None` where there are none.
pub(in crate::cli) fn text(folders: &[PathBuf], reader: &Reader) -> Option<String> {
    let mut all = Vec::new();
    let complete = find(&places(folders), &mut |found| {
        all.push(found);
        true
    });
    if all.is_empty() {
        return None;
    }
    all.sort_by(|a, b| (b.written, &a.path).cmp(&(a.written, &b.path)));
    let now = SystemTime::now();
    let rows: Vec<_> = all
        .iter()
        .take(LISTED)
        .map(|found| row(found, now, reader))
        .collect();
    let mut out = table(&rows);
    let rest = all.len().saturating_sub(LISTED);
    if rest > 0 {
        out.push_str(&format!("and {rest} older ones\n"));
    }
    if !complete {
        out.push_str("and perhaps more: there are too many files to look at all of them\n");
    }
    out.push_str("\nOpen one with `turnlane FILE`; on a terminal `turnlane` lists all of them.\n");
    Some(out)
}

fn row(found: &Found, now: SystemTime, reader: &Reader) -> [String; 9] {
    let file = clean(&home_as_tilde(&found.path)).into_owned();
    let age = age(now, found.written);
    let known = match reader.facts(&found.path, found.bytes) {
        Some(Ok(facts)) => return of_facts(found, &facts, age, file),
        Some(Err(why)) => clean(&why).into_owned(),
        None => "too long to be read for this list".to_owned(),
    };
    let nothing = String::new;
    [
        age,
        project(&found.project),
        found.harness.to_owned(),
        nothing(),
        nothing(),
        nothing(),
        nothing(),
        cut(&known, 60).into_owned(),
        file,
    ]
}

fn of_facts(found: &Found, facts: &SessionFacts, age: String, file: String) -> [String; 9] {
    let folder = Path::new(&facts.folder).file_name();
    let folder = folder.map(|name| name.to_string_lossy().into_owned());
    [
        age,
        project(&folder.unwrap_or_else(|| found.project.clone())),
        cut(&facts.source, 16).into_owned(),
        facts.turns.to_string(),
        facts.calls.to_string(),
        facts.widest.to_string(),
        facts
            .lasted
            .map_or_else(|| "unknown".to_owned(), |t| t.human()),
        facts.brief.clone(),
        file,
    ]
}

fn project(name: &str) -> String {
    cut_start(name, 28).into_owned()
}

/// A shell reads it as the same path.
fn home_as_tilde(path: &Path) -> String {
    let home = std::env::home_dir();
    let inside = home
        .as_deref()
        .and_then(|home| path.strip_prefix(home).ok());
    inside.map_or_else(
        || path.display().to_string(),
        |inside| format!("~/{}", inside.display()),
    )
}

/// Numbers and times stand at the right of their columns.
fn table(rows: &[[String; 9]]) -> String {
    let heads = COLUMNS.map(str::to_owned);
    let widths: Vec<usize> = (0..COLUMNS.len())
        .map(|column| {
            let cells = rows.iter().chain([&heads]).map(|row| width(&row[column]));
            cells.max().unwrap_or(0)
        })
        .collect();
    let mut out = String::new();
    for row in [&heads].into_iter().chain(rows) {
        let mut line = String::new();
        for (column, (cell, wide)) in row.iter().zip(&widths).enumerate() {
            let air = " ".repeat(wide.saturating_sub(width(cell)));
            if (3..7).contains(&column) {
                line.push_str(&air);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                line.push_str(&air);
            }
            line.push_str("  ");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

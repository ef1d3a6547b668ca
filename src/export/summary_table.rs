//! The timing summary for people: counts, then where the time went, then what overlap would save.

use super::FileSummary;
use super::table::{Align, Table};
use crate::analyze::{ThreadSummary, verdict};
use crate::model::Timing;
use crate::text::clean;

/// Where the lines go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableStyle {
    /// A terminal.
    Text,
    /// A Markdown page.
    Markdown,
}

/// The report of these files.
#[must_use]
pub fn summary_table(files: &[FileSummary], style: TableStyle) -> String {
    let mut parts = vec![draw(&counts(files), style)];
    for file in files {
        for thread in file.threads.iter().filter(|t| t.calls > 0) {
            let name = if thread.thread == "main" {
                String::new()
            } else {
                format!(", {}", clean(&thread.thread))
            };
            let under = if file.policy.is_empty() {
                String::new()
            } else {
                format!(", {}", clean(&file.policy))
            };
            let title = format!("{}{under}{name}", clean(&file.file));
            let title = if style == TableStyle::Markdown {
                format!("### {title}\n")
            } else {
                title
            };
            parts.push(format!(
                "{title}\n{}{}\n",
                draw(&tools(thread), style),
                verdict(&thread.totals)
            ));
        }
    }
    parts.extend(measured_against_sequential(files));
    parts.join("\n")
}

pub(super) fn draw(table: &Table, style: TableStyle) -> String {
    match style {
        TableStyle::Text => table.text("  "),
        TableStyle::Markdown => format!("{}\n", table.markdown()),
    }
}

fn counts(files: &[FileSummary]) -> Table {
    use Align::{Left, Right};
    let mut table = Table::new(&[
        Left, Left, Right, Right, Right, Right, Right, Right, Right, Right,
    ]);
    table.row([
        "file",
        "thread",
        "replies",
        "with calls",
        "several",
        "max",
        "calls",
        "failed",
        "model",
        "tools",
    ]);
    for file in files {
        for thread in &file.threads {
            table.row([
                clean(&file.file).into_owned(),
                clean(&thread.thread).into_owned(),
                thread.replies.to_string(),
                thread.with_calls.to_string(),
                thread.with_several.to_string(),
                thread.max_calls.to_string(),
                thread.calls.to_string(),
                thread.failed_calls.to_string(),
                model(thread),
                wall(thread),
            ]);
        }
    }
    table
}

fn model(thread: &ThreadSummary) -> String {
    match (thread.model_unknown, thread.replies) {
        (unknown, replies) if unknown == replies => "unknown".to_owned(),
        (0, _) if thread.model_timing == Timing::Given => format!("{} given", thread.model),
        (0, _) => thread.model_timing.show(thread.model),
        (unknown, _) => format!(
            "{} + {unknown} unknown",
            thread.model_timing.show(thread.model)
        ),
    }
}

fn wall(thread: &ThreadSummary) -> String {
    match (thread.tool_wall, thread.wall_unknown) {
        (None, 0) => "none".to_owned(),
        (None, _) => "unknown".to_owned(),
        (Some(wall), 0) => thread.wall_timing.show(wall),
        (Some(wall), unknown) => format!("{} + {unknown} unknown", thread.wall_timing.show(wall)),
    }
}

/// Where the time went: each tool, then all reads and all others together.
fn tools(thread: &ThreadSummary) -> Table {
    use Align::{Left, Right};
    let mut table = Table::new(&[Left, Right, Right, Right, Left]);
    table.row(["tool", "calls", "together", "longest", "timing"]);
    let mut rows: Vec<_> = thread.tools.iter().collect();
    rows.sort_by_key(|(name, tool)| (std::cmp::Reverse(tool.work), name.as_str()));
    for (name, tool) in rows.iter().take(12) {
        table.row([
            clean(name).into_owned(),
            tool.calls.to_string(),
            tool.together(),
            tool.longest
                .map_or("unknown".to_owned(), |l| tool.timing.show(l)),
            tool.shown_timing().word().to_owned(),
        ]);
    }
    if rows.len() > 12 {
        table.row([format!("and {} more", rows.len() - 12)]);
    }
    for (name, sum) in [
        ("all reads", thread.reads()),
        ("all others", thread.others()),
    ] {
        if sum.calls > 0 {
            let timing = sum.shown_timing().word().to_owned();
            table.row([
                name.to_owned(),
                sum.calls.to_string(),
                sum.together(),
                String::new(),
                timing,
            ]);
        }
    }
    table
}

/// Recordings of one task under several policies: what overlap really saved, both sides measured.
fn measured_against_sequential(files: &[FileSummary]) -> Option<String> {
    let mains = files.iter().filter_map(|f| Some((f, f.threads.first()?)));
    let measured = mains.filter(|(f, t)| {
        !f.task.is_empty()
            && t.wall_unknown == 0
            && matches!(t.wall_timing, Timing::Measured | Timing::Events)
    });
    let measured: Vec<_> = measured
        .filter_map(|(f, t)| Some((f, t, t.tool_wall?)))
        .collect();
    let mut lines = String::new();
    for (base, first, sequential) in measured.iter().filter(|(f, ..)| f.policy == "sequential") {
        let others = measured
            .iter()
            .filter(|(f, ..)| f.task == base.task && f.policy != "sequential");
        for (file, thread, wall) in others {
            let (word, difference) = if wall <= sequential {
                ("less", sequential.since(*wall))
            } else {
                ("more", wall.since(*sequential))
            };
            let whole = thread.model + *sequential;
            let share = difference.as_secs_f64() / whole.as_secs_f64().max(f64::MIN_POSITIVE);
            lines.push_str(&format!(
                "Measured: {} took {difference} {word} tool time than sequential ({wall} against {sequential}), {} of {whole} with the model.{}\n",
                clean(&file.policy),
                crate::analyze::percent_of(share),
                explained(first, &file.policy),
            ));
        }
    }
    (!lines.is_empty()).then_some(lines)
}

/// What the order alone saves: two runs of the same real tools often differ by more than that.
fn explained(sequential: &ThreadSummary, policy: &str) -> String {
    let total = sequential
        .totals
        .policies
        .iter()
        .find(|p| p.policy.name() == policy);
    let saved = total.and_then(|t| t.savings).map(|s| s.amount());
    saved.map_or_else(String::new, |saved| {
        format!(" The order alone saves {saved} (predicted); the rest is what two runs differ by.")
    })
}

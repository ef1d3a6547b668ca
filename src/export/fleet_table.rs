//! The report over many files for people: one screen a question.

use super::summary_table::{TableStyle, draw};
use super::table::{Align, Table};
use crate::analyze::{Agent, FleetReport, Group, GroupKey, Hazard4, Part, PartSum, percent_of};
use crate::model::Timing;
use crate::text::{clean, cut_start};
use crate::time::Nanos;

/// The rows of a table.
type Rows<'a> = Vec<(&'a GroupKey, &'a Group)>;

/// So many rows are on the screen, those with most replies.
const ROWS: usize = 8;
/// So many racing pairs are named on the screen.
const PAIRS: usize = 8;
/// So many tools are named on the screen.
const TOOLS: usize = 8;

/// The report: how often several calls, where the time went, what overlap would save at most,
/// and where two calls of one reply touched the same thing.
#[must_use]
pub fn fleet_table(report: &FleetReport, style: TableStyle) -> String {
    let mut rows: Rows<'_> = report.groups.iter().collect();
    if rows.is_empty() {
        return "No replies in these files.\n".to_owned();
    }
    rows.sort_by_key(|(key, group)| (std::cmp::Reverse(group.replies), *key));
    let mut out = head(report);
    let left = rows.len().saturating_sub(ROWS);
    rows.truncate(ROWS);
    let of = |keep: fn(&Group) -> bool| -> Rows<'_> {
        let kept = rows.iter().filter(|(_, group)| keep(group));
        kept.copied().collect()
    };
    let mut section = |title: &str, table: &Table, note: &str| {
        // A heading over nothing says nothing.
        if table.len() < 2 {
            return;
        }
        out.push_str(&heading(title, style));
        out.push_str(&draw(table, style));
        if !note.is_empty() {
            out.push_str(&format!("  {note}\n"));
        }
    };
    let more = match left {
        0 => String::new(),
        n => format!("and {n} smaller rows; --json has them all"),
    };
    section(
        "How often several calls in one reply",
        &several(&rows),
        &more,
    );
    section(
        "Where the wall time went",
        &time(&of(|group| group.wall().is_some())),
        "Unknown for the others. A sub-agent runs inside a call of its parent: never add its row.",
    );
    section(
        "What overlap would save at most, predicted",
        &savings(&of(|group| group.with_several > 0)),
        "The others have no reply with several calls: nothing to save.",
    );
    section(
        "Pairs of calls of one reply that touch the same thing",
        &hazards(&of(|group| group.with_several > 0)),
        "",
    );
    section(
        "Other costs",
        &costs(&of(|group| {
            group.failed + group.cancelled + group.single_reads.replies > 0
        })),
        COSTS,
    );
    section("Tools", &tools(&of(|group| group.calls > 0)), "");
    out.push_str(&pairs(report, style));
    out
}

const COSTS: &str = "Single reads: replies with one reading call each that could have been one \
    reply; an upper bound, for what a call read may have led to the next.";

fn head(report: &FleetReport) -> String {
    let replies: u64 = report.groups.values().map(|g| g.replies).sum();
    let several: u64 = report.groups.values().map(|g| g.with_several).sum();
    let copies = match report.copies {
        0 => String::new(),
        1 => " 1 reply that another file has too left out.".to_owned(),
        n => format!(" {n} replies that other files have too left out."),
    };
    format!(
        "{} files, {replies} replies, {several} ({}) with several calls.{copies}\n",
        report.files,
        percent(several, replies),
    )
}

fn heading(title: &str, style: TableStyle) -> String {
    match style {
        TableStyle::Text => format!("\n{title}\n"),
        TableStyle::Markdown => format!("\n### {title}\n\n"),
    }
}

/// A table whose first columns are words and whose others are figures.
fn columns(words: usize, figures: usize) -> Table {
    let words = std::iter::repeat_n(Align::Left, words);
    let all: Vec<Align> = words
        .chain(std::iter::repeat_n(Align::Right, figures))
        .collect();
    Table::new(&all)
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "unknown".to_owned();
    }
    #[allow(clippy::cast_precision_loss, reason = "a share for a report")]
    percent_of(part as f64 / whole as f64)
}

/// The names that every table begins with; the task is left out where there is none.
fn names(key: &GroupKey) -> String {
    let mut names = vec![known(&key.harness), known(&key.model)];
    if !key.task.is_empty() {
        names.push(crate::text::cut(&clean(&key.task), 32).into_owned());
    }
    if key.agent == Agent::Sub {
        names.push("sub-agents".to_owned());
    }
    names.join(", ")
}

fn known(name: &str) -> String {
    if name.is_empty() {
        "unknown".to_owned()
    } else {
        crate::text::cut(&clean(name), 28).into_owned()
    }
}

fn several(rows: &Rows<'_>) -> Table {
    let mut table = columns(1, 9);
    table.row([
        "harness, model",
        "files",
        "replies",
        "with calls",
        "several",
        "share",
        "calls",
        "p50",
        "p90",
        "p99/max",
    ]);
    for (key, group) in rows {
        let at = |percent| {
            group
                .percentile(percent)
                .map_or_else(String::new, |n| n.to_string())
        };
        table.row([
            names(key),
            group.files.to_string(),
            group.replies.to_string(),
            group.with_calls.to_string(),
            group.with_several.to_string(),
            percent(group.with_several, group.replies),
            group.calls.to_string(),
            at(50),
            at(90),
            format!("{}/{}", at(99), group.max_calls()),
        ]);
    }
    table
}

fn time(rows: &Rows<'_>) -> Table {
    let mut table = columns(1, 6);
    let parts = Part::ALL.map(|part| part.word().to_owned());
    let first = ["harness, model".to_owned(), "wall".to_owned()];
    table.row(first.into_iter().chain(parts));
    for (key, group) in rows {
        let wall = group.wall();
        let shown = wall.map_or_else(|| "unknown".to_owned(), |wall| wall.to_string());
        let parts = group.parts.iter().map(|part| part_of(part, wall));
        table.row([names(key), shown].into_iter().chain(parts));
    }
    table
}

/// `81%`, `≤ 12%`, with what is missing.
fn part_of(part: &PartSum, wall: Option<Nanos>) -> String {
    let Some((time, wall)) = part.time.zip(wall).filter(|(_, wall)| *wall > Nanos::ZERO) else {
        return "unknown".to_owned();
    };
    #[allow(clippy::cast_precision_loss, reason = "a share for a report")]
    let share = percent_of(time.0 as f64 / wall.0 as f64);
    let mark = if part.timing == Timing::Bound {
        "≤ "
    } else {
        ""
    };
    match part.unknown {
        0 => format!("{mark}{share}"),
        n => format!("{mark}{share} + {n} unknown"),
    }
}

fn savings(rows: &Rows<'_>) -> Table {
    let mut table = columns(3, 3);
    table.row([
        "harness, model",
        "policy",
        "timing",
        "saves",
        "of turns",
        "replies left out",
    ]);
    for (key, group) in rows {
        if group.policies.is_empty() {
            let left = group.not_estimated.to_string();
            let unknown = || "unknown".to_owned();
            table.row([
                names(key),
                String::new(),
                unknown(),
                unknown(),
                unknown(),
                left,
            ]);
        }
        let mut name = names(key);
        let policies = group.policies.iter();
        for sum in policies.filter(|s| s.policy != Some(crate::schedule::Policy::Sequential)) {
            let policy = sum
                .policy
                .map_or("any safe policy", crate::schedule::Policy::name);
            let amount = Nanos(sum.saved.unsigned_abs());
            let mark = if group.timing == Timing::Bound {
                "≤ "
            } else {
                ""
            };
            let sign = if sum.saved < 0 { "−" } else { "" };
            let share = group.share(sum.saved.abs());
            table.row([
                std::mem::take(&mut name),
                policy.to_owned(),
                group.timing.word().to_owned(),
                format!("{mark}{sign}{amount}"),
                share.map_or_else(
                    || "unknown".to_owned(),
                    |s| format!("{mark}{sign}{}", percent_of(s)),
                ),
                group.not_estimated.to_string(),
            ]);
        }
    }
    table
}

fn hazards(rows: &Rows<'_>) -> Table {
    let mut table = columns(2, 4);
    table.row([
        "harness, model",
        "",
        "lost update",
        "stale read",
        "early write",
        "unknown order",
    ]);
    for (key, group) in rows {
        table.row(counts(
            names(key),
            "if all start at once",
            &group.hazards,
            0,
        ));
        let unknown = group.recorded_unknown;
        table.row(counts(
            String::new(),
            "as recorded",
            &group.recorded,
            unknown,
        ));
    }
    table
}

fn counts(name: String, what: &str, hazards: &Hazard4, unknown: u64) -> [String; 6] {
    let what = match (unknown, hazards.unlisted) {
        (0, 0) => what.to_owned(),
        (0, more) => format!("{what}, {more} of no kind"),
        (replies, _) => format!("{what}, {replies} replies cannot show it"),
    };
    let shown = |n: u64| match (n, unknown) {
        (0, 1..) => "unknown".to_owned(),
        (n, 1..) => format!("{n} + unknown"),
        (n, 0) => n.to_string(),
    };
    [
        name,
        what,
        shown(hazards.lost_update),
        shown(hazards.stale_read),
        shown(hazards.early_write),
        shown(hazards.unknown_order),
    ]
}

fn costs(rows: &Rows<'_>) -> Table {
    let mut table = columns(1, 5);
    table.row([
        "harness, model",
        "failed",
        "siblings cancelled",
        "asked again",
        "single reads",
        "their model time",
    ]);
    for (key, group) in rows {
        let single = group.single_reads;
        let model = match (single.replies, single.model_unknown) {
            (0, _) => "none".to_owned(),
            (n, unknown) if n == unknown => "unknown".to_owned(),
            (_, 0) => format!("≤ {}", single.model),
            (_, unknown) => format!("≤ {} + {unknown} unknown", single.model),
        };
        table.row([
            names(key),
            group.failed.to_string(),
            group.cancelled.to_string(),
            group.reissued.to_string(),
            if single.replies == 0 {
                "0".to_owned()
            } else {
                format!("≤ {}", single.replies)
            },
            model,
        ]);
    }
    table
}

fn tools(rows: &Rows<'_>) -> Table {
    let mut table = columns(2, 0);
    table.row(["harness, model", "calls by tool"]);
    for (key, group) in rows {
        let mut tools: Vec<_> = group.tools.iter().collect();
        tools.sort_by_key(|(name, tool)| (std::cmp::Reverse(tool.calls), name.as_str()));
        let named = tools.iter().take(TOOLS);
        let named = named.map(|(name, tool)| format!("{} {}", clean(name), tool.calls));
        let mut line = named.collect::<Vec<_>>().join(", ");
        if tools.len() > TOOLS {
            line.push_str(&format!(", {} more", tools.len() - TOOLS));
        }
        table.row([names(key), line]);
    }
    table
}

fn pairs(report: &FleetReport, style: TableStyle) -> String {
    if report.pairs.is_empty() {
        return "\nNo two calls of one reply touch the same known thing.\n".to_owned();
    }
    let mut table = columns(4, 0);
    for pair in report.pairs.iter().take(PAIRS) {
        let thread = match pair.thread.as_str() {
            "main" => String::new(),
            name => format!(" {}", clean(name)),
        };
        let [first, second] = pair.pair.tools.each_ref().map(|tool| clean(tool));
        let [i, j] = pair.pair.calls;
        let key = clean(pair.pair.key.as_deref().unwrap_or_default()).into_owned();
        table.row([
            cut_start(&clean(&pair.file), 40).into_owned(),
            format!("turn {}{thread}", pair.pair.turn),
            format!("{i} {first}, {j} {second}"),
            format!("{} on {}", pair.pair.kind, cut_start(&key, 48)),
        ]);
    }
    let mut out = heading("Where two calls of one reply touch the same thing", style);
    out.push_str(&draw(&table, style));
    if report.pairs.len() > PAIRS {
        out.push_str(&format!(
            "  and {} more; --json lists them\n",
            report.pairs.len() - PAIRS
        ));
    }
    out
}

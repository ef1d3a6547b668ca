//! The facts of a recording as text: what the viewer shows, for pipes, logs and screen readers.

use super::failure::Failure;
use super::what_if::caveats;
use crate::analyze::{PathStep, Recorded};
use crate::analyze::{
    Rarity, TurnCase, WhatIfOptions, critical_path, most_telling, rarity, totals, verdict,
    what_if_turn,
};
use crate::export::{policy_table, totals_table, turn_table};
use crate::model::ThreadId;
use crate::text::clean;
use crate::time::Nanos;
use crate::trace::{Run, Turn};

/// The run's header and verdict, then one turn: the one asked for (an index of the run's turns),
/// else the most telling.
pub(super) fn run_text(run: &Run, turn: Option<usize>, options: &WhatIfOptions) -> String {
    let totals = totals(run, ThreadId(0), options);
    let mut out = format!("{}\n{}\n", header(run), verdict(&totals));
    out.push_str(&skipped(run));
    let Some(shown) = turn.or_else(|| most_telling(run)) else {
        return out;
    };
    if totals.replies > 1 {
        out.push_str(&format!(
            "\nThe whole run, {} turns:\n{}",
            totals.replies,
            totals_table(&totals)
        ));
    }
    out.push_str(&turn_text(run, shown, options));
    out
}

fn header(run: &Run) -> String {
    let Rarity {
        replies,
        with_several,
        calls,
        ..
    } = rarity(run, 0);
    let part = |text: &str| (!text.is_empty()).then(|| clean(text).into_owned());
    let parts = [
        run.files
            .first()
            .map(|f| clean(&f.display().to_string()).into_owned()),
        part(&run.meta.source),
        part(&run.meta.model),
        part(&run.meta.task),
        part(&run.meta.policy).map(|p| format!("{p} (recorded)")),
        Some(format!(
            "{} · {} · {} with several",
            count(replies, "turn", "turns"),
            count(calls, "call", "calls"),
            count(with_several, "reply", "replies"),
        )),
        (run.threads.len() > 1).then(|| format!("{} sub-agents", run.threads.len() - 1)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn count(n: usize, one: &str, several: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { several })
}

/// What the reader left out or put right: nothing is lost silently.
fn skipped(run: &Run) -> String {
    let s = &run.skipped;
    let unknown: u64 = s.unknown_types.values().sum();
    let counts = [
        (s.bad_lines, "bad lines"),
        (unknown, "records of unknown types"),
        (s.merged, "repeats merged"),
        (s.copies, "copies dropped"),
        (s.orphans, "results without a call"),
        (s.duplicate_ids, "duplicate ids"),
        (s.open_calls, "calls without a result"),
        (s.unlinked, "sub-agents not linked"),
        (s.negative, "ends before their starts"),
    ];
    let mut parts: Vec<String> = counts
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| format!("{n} {what}"))
        .collect();
    parts.extend(
        s.notes
            .iter()
            .map(|(what, n)| format!("{n} {}", clean(what))),
    );
    parts.extend(
        s.torn_tail
            .then(|| "the last line is unfinished".to_owned()),
    );
    parts.extend(
        s.cut_stream
            .then(|| "the compressed file ends early".to_owned()),
    );
    if parts.is_empty() {
        String::new()
    } else {
        format!("Read with: {}.\n", parts.join(", "))
    }
}

pub(super) fn chosen(run: &Run, turn: Option<u32>) -> Result<Option<usize>, Failure> {
    let Some(number) = turn else {
        return Ok(most_telling(run));
    };
    let main = run.threads.first().map_or(&[][..], |t| t.turns.as_slice());
    let found = main
        .iter()
        .map(|&t| t as usize)
        .find(|&t| run.turns[t].number == number);
    found.map(Some).ok_or_else(|| {
        Failure::Unreadable(format!(
            "no turn {number}; the main thread has turns 1 to {}",
            main.len()
        ))
    })
}

fn turn_text(run: &Run, at: usize, options: &WhatIfOptions) -> String {
    let turn = &run.turns[at];
    let case = TurnCase::of(run, turn);
    let result = what_if_turn(&case, &run.keys, options);
    let mut out = format!(
        "\n{}\n{}",
        turn_line(run, turn, &case),
        turn_table(run, turn)
    );
    out.push_str(&path_line(run, turn));
    out.push_str(&format!(
        "\nWhat if ({} slots):\n{}{}",
        options.slots,
        policy_table(&result, &run.keys),
        caveats(&result)
    ));
    out
}

fn turn_line(run: &Run, turn: &Turn, case: &TurnCase) -> String {
    let thread = &run.threads[turn.thread.0 as usize].name;
    let thread = if thread == "main" {
        String::new()
    } else {
        format!(" of {}", clean(thread))
    };
    let mut line = format!("Turn {}{thread} · {} calls", turn.number, case.calls.len());
    let model = turn.model.map_or("unknown".to_owned(), |span| {
        format!(
            "{} ({})",
            turn.model_timing.show(span.len()),
            turn.model_timing
        )
    });
    line.push_str(&format!(" · model {model}"));
    if let Some(seen) = &case.recorded {
        let makespan = seen
            .makespan
            .map_or("unknown".to_owned(), |m| seen.timing.show(m));
        line.push_str(&format!(
            " · makespan {makespan} · work {}",
            seen.timing.show(seen.work)
        ));
    }
    line
}

/// The chain of causes to the last end: what the turn really waited for.
fn path_line(run: &Run, turn: &Turn) -> String {
    let calls = run.calls_of(turn);
    let issued = calls
        .iter()
        .filter_map(|c| c.issued)
        .min()
        .unwrap_or(Nanos::ZERO);
    let steps = critical_path(issued, &Recorded::path_calls(run, turn));
    if steps.len() < 2 {
        return String::new();
    }
    let step = |s: &PathStep| {
        format!(
            "{} {} ({})",
            s.call,
            clean(run.tool(&calls[s.call as usize])),
            s.span.len()
        )
    };
    let names: Vec<_> = steps.iter().map(step).collect();
    format!("  critical path: {}\n", names.join(" → "))
}

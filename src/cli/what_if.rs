//! `what-if`: every policy in virtual time. Nothing runs, and every figure is a prediction.

use super::args::WhatIfArgs;
use super::failure::Failure;
use super::load::{Loaded, cases, load};
use super::output::print;
use crate::analyze::{Totals, TurnCase, TurnWhatIf, WhatIfOptions, verdict, what_if_turn};
use crate::export::{WhatIfReport, policy_table, safe_json, totals_table};
use crate::model::KeyTable;

pub(super) fn run(args: &WhatIfArgs) -> Result<(), Failure> {
    show(args, &load(&args.file, args.catalog.as_deref())?)
}

/// The what-if of a file that was read already: standard input can be read once.
pub(super) fn show(args: &WhatIfArgs, loaded: &Loaded) -> Result<(), Failure> {
    let options = args.switches.what_if(&args.policies);
    let (cases, keys) = cases(loaded);
    let results: Vec<TurnWhatIf> = cases
        .iter()
        .map(|case| what_if_turn(case, &keys, &options))
        .collect();
    let totals = add_up(&cases, &results, &keys, &options);
    if args.json {
        let report = WhatIfReport::new(&results, &keys, &totals, verdict(&totals), &options);
        let json = safe_json(&report).map_err(Failure::unreadable)?;
        return print(&format!("{json}\n"));
    }
    let shown = chosen(&cases, &results, args.turn)?;
    print(&text(&totals, &results, shown, &keys, &options))
}

/// The totals of the main thread.
pub(super) fn add_up(
    cases: &[TurnCase],
    results: &[TurnWhatIf],
    keys: &KeyTable,
    options: &WhatIfOptions,
) -> Totals {
    let mut totals = Totals::new(options);
    for (case, result) in cases
        .iter()
        .zip(results)
        .filter(|(case, _)| case.thread == "main")
    {
        totals.add(case, result, keys);
    }
    totals.finish()
}

/// The turn asked for, else the one with a race, else the widest.
fn chosen(
    cases: &[TurnCase],
    results: &[TurnWhatIf],
    turn: Option<u32>,
) -> Result<Option<usize>, Failure> {
    let main = cases
        .iter()
        .enumerate()
        .filter(|(_, case)| case.thread == "main");
    if let Some(number) = turn {
        let found = main
            .clone()
            .find(|(_, case)| case.number == number)
            .map(|(at, _)| at);
        let last = main.map(|(_, case)| case.number).max().unwrap_or(0);
        return found.map(Some).ok_or_else(|| {
            Failure::Unreadable(format!(
                "no turn {number}; the main thread has turns 1 to {last}"
            ))
        });
    }
    let ranked = main.map(|(at, case)| {
        (
            results[at].races.count > 0,
            case.calls.len(),
            std::cmp::Reverse(at),
        )
    });
    Ok(ranked.max().map(|(.., std::cmp::Reverse(at))| at))
}

fn text(
    totals: &Totals,
    results: &[TurnWhatIf],
    shown: Option<usize>,
    keys: &KeyTable,
    options: &WhatIfOptions,
) -> String {
    let mut out = format!("{}\n", verdict(totals));
    if totals.replies > 1 {
        out.push_str(&format!(
            "\nAll {} turns, {} calls, {} replies with several ({} slots):\n{}",
            totals.replies,
            totals.calls,
            totals.with_several,
            options.slots,
            totals_table(totals),
        ));
    }
    if let Some(turn) = shown.map(|at| &results[at]) {
        let model = turn.model.map_or("unknown".to_owned(), |m| m.human());
        out.push_str(&format!(
            "\nTurn {} · {} calls · model {model} ({} slots):\n{}",
            turn.turn,
            turn.tools.len(),
            options.slots,
            policy_table(turn, keys),
        ));
        out.push_str(&caveats(turn));
    }
    out
}

/// What the figures of a turn do not say by themselves.
pub(super) fn caveats(turn: &TurnWhatIf) -> String {
    let mut notes = String::new();
    if turn.unknown_calls > 0 {
        notes.push_str(&format!(
            "  {} of {} calls have no known duration, so no makespan can be given. Races follow from the order alone.\n",
            turn.unknown_calls,
            turn.tools.len(),
        ));
    }
    if turn.unknown_calls == 0 && turn.sequential.is_none() {
        notes.push_str("  A call never ends and nothing limits it: give the tool an x-timeout-ms, or the turn a --deadline.\n");
    }
    if let Some(overlapped) = turn
        .recorded
        .as_ref()
        .map(|r| r.overlapped)
        .filter(|&n| n > 0)
    {
        notes.push_str(&format!(
            "  {overlapped} calls were recorded while overlapping others: no solo durations, so the predictions carry that too.\n",
        ));
    }
    if let Some(bound) = turn.bound.filter(|b| b.savings.saved > 0) {
        notes.push_str(&format!(
            "  The most any safe policy could save here: {} (graph, unlimited slots, predicted).\n",
            bound.savings.timing.show(bound.savings.amount()),
        ));
    }
    notes
}

/// The arguments of a what-if for a scenario that was opened like a recording.
pub(super) fn args_for(file: std::path::PathBuf, open: &super::args::OpenArgs) -> WhatIfArgs {
    WhatIfArgs {
        file,
        json: false,
        policies: Vec::new(),
        turn: open.at.turn,
        switches: super::args::SwitchArgs::default(),
        catalog: open.catalog.clone(),
    }
}

//! Policies as rows: makespan, saving, share, races. Every figure says what it is.

use super::table::{Align, Table};
use super::turn_table::hazard_line;
use crate::analyze::{Figure, PolicyResult, Savings, Totals, TurnWhatIf, percent_of};
use crate::model::{KeyTable, Timing};
use crate::time::Nanos;

const COLUMNS: [Align; 6] = [
    Align::Left,
    Align::Right,
    Align::Right,
    Align::Right,
    Align::Left,
    Align::Left,
];

/// One turn under every policy, as lines.
#[must_use]
pub fn policy_table(turn: &TurnWhatIf, keys: &KeyTable) -> String {
    let mut table = Table::new(&COLUMNS);
    table.row(["policy", "makespan", "saved", "of turn", "figure", "races"]);
    if let Some(recorded) = &turn.recorded {
        let policy = recorded.policy.as_deref().map_or_else(
            || "as recorded".to_owned(),
            |p| format!("{} (recorded)", crate::text::clean(p)),
        );
        let makespan = recorded
            .makespan
            .map_or("unknown".to_owned(), |m| recorded.timing.show(m));
        let races = match recorded.hazards.worst() {
            _ if !recorded.shows_races(turn.tools.len()) => "unknown".to_owned(),
            None => "none".to_owned(),
            Some(first) => hazard_line(first, recorded.hazards.count, keys),
        };
        let figure = match recorded.timing {
            Timing::Measured => "measured".to_owned(),
            Timing::Unknown => "unknown".to_owned(),
            timing => format!("measured ({timing})"),
        };
        table.row([
            policy,
            makespan,
            String::new(),
            String::new(),
            figure,
            races,
        ]);
    }
    for policy in &turn.policies {
        table.row(policy_row(policy, keys));
    }
    table.text("  ")
}

fn policy_row(policy: &PolicyResult, keys: &KeyTable) -> [String; 6] {
    let races = policy.hazards.worst();
    [
        policy.policy.name().to_owned(),
        policy
            .makespan
            .map_or("unknown".to_owned(), |m| policy.timing.show(m)),
        saved(policy.savings),
        share(policy.savings),
        figure(policy.makespan, policy.figure, policy.timing),
        races.map_or("none".to_owned(), |first| {
            hazard_line(first, policy.hazards.count, keys)
        }),
    ]
}

/// What sort of figure a makespan is; where there is none, there is nothing predicted either.
fn figure(makespan: Option<Nanos>, figure: Figure, timing: Timing) -> String {
    match makespan {
        None => "unknown".to_owned(),
        Some(_) => format!("{} from {timing}", figure.word()),
    }
}

fn saved(savings: Option<Savings>) -> String {
    match savings {
        None => "unknown".to_owned(),
        Some(s) if s.saved == 0 => "nothing".to_owned(),
        Some(s) if s.saved < 0 => format!("-{} (slower)", s.amount()),
        Some(s) => s.timing.show(s.amount()),
    }
}

fn share(savings: Option<Savings>) -> String {
    match savings.map(|s| s.share()) {
        Some(Some(share)) => percent_of(share),
        _ => "unknown".to_owned(),
    }
}

/// A whole thread under every policy, as lines.
#[must_use]
pub fn totals_table(totals: &Totals) -> String {
    let mut table = Table::new(&COLUMNS);
    table.row(["policy", "makespans", "saved", "of run", "figure", "races"]);
    for total in &totals.policies {
        table.row([
            total.policy.name().to_owned(),
            total
                .makespan
                .map_or("unknown".to_owned(), |m| totals.timing.show(m)),
            saved(total.savings),
            share(total.savings),
            figure(total.makespan, total.figure, totals.timing),
            match total.hazards {
                0 => "none".to_owned(),
                1 => "1 pair".to_owned(),
                n => format!("{n} pairs"),
            },
        ]);
    }
    table.text("  ")
}

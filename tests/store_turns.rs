//! Random turns on a real store: under a safe policy nobody can tell that calls overlapped.

#![cfg(feature = "sqlite")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[macro_use]
mod store_support;

use serde_json::json;
use store_support::{Place, assert_unbroken, begin, state, threads, tool};
use tokio::runtime::{Builder, Runtime};
use turnlane::model::{CallRequest, Catalog, Outcome};
use turnlane::run::{CallAnswer, CancelTurn, PlannedCall, Runner};
use turnlane::schedule::Policy;
use turnlane::time::Nanos;
use turnlane::tools::store::{Latency, Mode, Record, StoreRun, lost_updates};

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[usize::try_from(self.below(from.len() as u64)).unwrap()]
    }
}

/// A call, and how long it takes besides the database.
type Drawn = (CallRequest, Nanos);

fn random_call(numbers: &mut Numbers) -> Drawn {
    let invoice = numbers.pick(&["8123", "8124", "8125", "9003"]);
    let ticket = numbers.pick(&["t7", "t8", "t9"]);
    let word = numbers.pick(&["open", "waiting", "paid", "desk"]);
    let (tool, args) = match numbers.below(12) {
        0 | 1 => ("get_invoice", json!({"invoice_id": invoice})),
        2 => ("list_invoices", json!({})),
        3 => ("list_tickets", json!({"status": word})),
        4 => ("get_ticket", json!({"ticket_id": ticket})),
        5 | 6 => (
            "update_invoice",
            json!({"invoice_id": invoice, "shipping_note": word}),
        ),
        7 => {
            let revision = numbers.below(40);
            (
                "update_ticket",
                json!({"ticket_id": ticket, "note": word, "revision": revision}),
            )
        }
        8 => (
            "update_ticket",
            json!({"ticket_id": ticket, "status": word}),
        ),
        9 => {
            let agent = numbers.pick(&["ada", "ben"]);
            (
                "assign_ticket",
                json!({"ticket_id": ticket, "agent_id": agent}),
            )
        }
        _ => {
            let card = numbers.pick(&["c17", "c18"]);
            let amount = numbers.below(9);
            (
                "charge_card",
                json!({"invoice_id": invoice, "card_id": card, "amount": amount}),
            )
        }
    };
    let request = CallRequest::new(tool, args.to_string());
    (request, Nanos::from_millis(numbers.below(4)))
}

fn random_turns(turns: usize) -> Vec<Vec<Drawn>> {
    let mut numbers = Numbers(0x7475_726e_6c61_6e65);
    let mut turn = || {
        let calls = 1 + numbers.below(8);
        (0..calls).map(|_| random_call(&mut numbers)).collect()
    };
    (0..turns).map(|_| turn()).collect()
}

fn planned(runner: &mut Runner, run: &StoreRun, (request, time): &Drawn) -> PlannedCall {
    PlannedCall {
        tool: Some(tool(run, &request.tool, Latency::of(*time))),
        refused: None,
        ..runner.plan(request.clone())
    }
}

/// Everything that can be seen of a run: all answers, and what is in the store after each turn.
struct Seen {
    answers: Vec<Vec<CallAnswer>>,
    states: Vec<Vec<Record>>,
    lost: usize,
}

impl Seen {
    fn conflicts(&self) -> usize {
        let answers = self.answers.iter().flatten();
        answers.filter(|a| a.outcome == Outcome::Conflict).count()
    }
}

async fn run_all(place: &Place, turns: &[Vec<Drawn>], policy: Policy, mode: Mode) -> Seen {
    let text = include_str!("../assets/catalogs/store.json");
    let catalog = Catalog::parse(text, "store.json").unwrap();
    let store = place.open().await;
    let demo = state(&store).await;
    let run = begin(&store, "r", mode).await;
    let mut runner = Runner::new(catalog, policy);
    let mut seen = Seen {
        answers: Vec::new(),
        states: Vec::new(),
        lost: 0,
    };
    for turn in turns {
        let calls = turn
            .iter()
            .map(|call| planned(&mut runner, &run, call))
            .collect();
        let result = runner
            .run_planned(calls, None, CancelTurn::new())
            .await
            .unwrap();
        seen.answers.push(result.answers);
        seen.states.push(state(&store).await);
    }
    seen.lost = lost_updates(&store.writes().await.unwrap()).len();
    if mode == Mode::Conditional {
        assert_unbroken(&store, &demo).await;
    }
    seen
}

/// Time passes at once; work in the database is waited for all the same.
fn paused() -> Runtime {
    Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap()
}

fn check(place: &dyn Fn() -> Place, runtime: &Runtime, turns: usize) {
    let turns = random_turns(turns);
    let run = |policy, mode| {
        let place = place();
        runtime.block_on(run_all(&place, &turns, policy, mode))
    };
    let sequential = run(Policy::Sequential, Mode::Conditional);
    let accepted = sequential
        .answers
        .iter()
        .flatten()
        .filter(|a| a.outcome == Outcome::Ok);
    assert!(
        accepted.count() > turns.len(),
        "most calls find something to do"
    );
    for policy in [Policy::Keyed, Policy::Graph] {
        let seen = run(policy, Mode::Conditional);
        for (turn, (one, other)) in sequential.answers.iter().zip(&seen.answers).enumerate() {
            assert_eq!(one, other, "{policy}, turn {turn}: {:?}", turns[turn]);
        }
        assert!(seen.states == sequential.states, "{policy}");
    }
    let at_once = run(Policy::AllAtOnce, Mode::Conditional);
    assert!(
        at_once.conflicts() > sequential.conflicts(),
        "a race is refused, loudly"
    );
    assert_eq!(at_once.lost, 0, "and nothing is lost");
    let last_wins = run(Policy::AllAtOnce, Mode::LastWriterWins);
    assert_eq!(last_wins.conflicts(), 0, "every call says that all is well");
    assert!(last_wins.lost > 0, "and updates are lost");
}

#[test]
fn a_thousand_random_turns_leave_the_state_and_the_answers_of_the_sequential_run() {
    check(&Place::memory, &paused(), 1_000);
}

#[test]
fn they_do_on_several_threads_and_a_real_clock() {
    check(&Place::file, &threads(4), 60);
}

#[test]
fn they_do_on_postgresql() {
    if Place::postgres().is_some() {
        check(&|| Place::postgres().unwrap(), &threads(2), 100);
    }
}

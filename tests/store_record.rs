//! `record --store`: scenarios on a real store, and recordings that are cut off and go on.

#![cfg(feature = "sqlite")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[allow(unused_macros)]
mod store_support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;
use store_support::{Place, invoice, threads};
use turnlane::model::Outcome;
use turnlane::tools::store::{Kind, Value};
use turnlane::trace::{Bodies, Run, read};

fn turnlane<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_turnlane"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .output()
        .unwrap()
}

#[track_caller]
fn stdout(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn refusal(output: &Output) -> String {
    assert_eq!(
        output.status.code(),
        Some(2),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A recording in a folder of its own, with a store in a file.
struct Recorded {
    folder: tempfile::TempDir,
    scenario: PathBuf,
}

impl Recorded {
    fn new(scenario: &str) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            scenario: PathBuf::from(scenario),
        }
    }

    fn of(scenario: &Json) -> Self {
        let mut recorded = Self::new("");
        recorded.scenario = recorded.folder.path().join("scenario.json");
        std::fs::write(&recorded.scenario, scenario.to_string()).unwrap();
        recorded
    }

    fn trace(&self) -> PathBuf {
        self.folder.path().join("trace.jsonl")
    }

    fn store(&self) -> String {
        format!("sqlite:{}", self.folder.path().join("store.db").display())
    }

    fn record(&self, more: &[&str]) -> Output {
        let (trace, store) = (self.trace(), self.store());
        let mut args: Vec<&str> = vec!["record", self.scenario.to_str().unwrap()];
        args.extend(["-o", trace.to_str().unwrap(), "--store", &store]);
        args.extend(more);
        turnlane(args)
    }

    fn resume(&self, store: &str) -> Output {
        let trace = self.trace();
        let scenario = self.scenario.to_str().unwrap();
        turnlane([
            "record",
            scenario,
            "--resume",
            trace.to_str().unwrap(),
            "--store",
            store,
        ])
    }

    fn run(&self) -> Run {
        read(self.trace()).unwrap()
    }
}

fn answer(run: &Run, turn: usize, call: usize) -> Json {
    let call = run.calls_of(&run.turns[turn])[call];
    serde_json::from_str(&Bodies::text(run, call.answer).unwrap()).unwrap()
}

const INVOICE: &str = "assets/scenarios/store-invoice.json";

#[test]
fn under_a_safe_policy_the_invoice_has_its_note_and_its_charge() {
    for policy in ["sequential", "keyed", "graph"] {
        let recorded = Recorded::new(INVOICE);
        let said = stdout(&recorded.record(&["--policy", policy]));
        assert!(
            said.contains("2 writes accepted, 0 refused as a conflict"),
            "{said}"
        );
        let invoice = answer(&recorded.run(), 1, 0);
        assert_eq!(invoice["revision"], 6, "{policy}");
        assert_eq!(invoice["shipping_note"], "leave at the desk");
        assert_eq!(invoice["charged"], 4900);
    }
}

#[test]
fn everything_at_once_is_refused_loudly_or_loses_silently() {
    let loud = Recorded::new(INVOICE);
    let said = stdout(&loud.record(&["--policy", "all-at-once"]));
    assert!(
        said.contains("1 write accepted, 1 refused as a conflict"),
        "{said}"
    );
    let run = loud.run();
    let refused = run
        .calls
        .iter()
        .find(|c| c.outcome == Outcome::Conflict)
        .unwrap();
    let text = run.names.get(refused.error);
    assert!(
        text.contains("invoice:8123 was seen at revision 4"),
        "{text}"
    );
    assert_eq!(answer(&run, 1, 0)["revision"], 5);

    let silent = Recorded::new(INVOICE);
    let said = stdout(&silent.record(&["--policy", "all-at-once", "--last-writer-wins"]));
    assert!(said.contains("2 writes accepted, 0 refused"), "{said}");
    assert!(
        said.contains("An update is lost: 2 writes made revision 5 of invoice:8123"),
        "{said}"
    );
    let run = silent.run();
    assert!(
        run.calls.iter().all(|c| c.outcome == Outcome::Ok),
        "nothing looks wrong"
    );
    let invoice = answer(&run, 1, 0);
    let (note, charged) = (&invoice["shipping_note"], &invoice["charged"]);
    assert!(note == "" || charged == 0, "{invoice}");
}

#[test]
fn a_card_that_two_charges_share_is_a_key_of_both() {
    let scenario = "assets/scenarios/store-one-card.json";
    let keyed = Recorded::new(scenario);
    let said = stdout(&keyed.record(&["--policy", "keyed"]));
    assert!(said.contains("4 writes accepted, 0 refused"), "{said}");
    let at_once = Recorded::new(scenario);
    let said = stdout(&at_once.record(&["--policy", "all-at-once"]));
    assert!(said.contains("2 writes accepted, 2 refused"), "{said}");
    let run = at_once.run();
    let errors: Vec<_> = run.calls.iter().map(|c| run.names.get(c.error)).collect();
    assert!(
        errors
            .iter()
            .any(|e| e.contains("card:c18 was seen at revision 1")),
        "{errors:?}"
    );
}

#[test]
fn a_write_that_lands_after_it_was_given_up_is_refused_by_the_store() {
    let recorded = Recorded::new("assets/scenarios/store-late-write.json");
    let said = stdout(&recorded.record(&[]));
    assert!(said.contains("1 write accepted"), "{said}");
    let run = recorded.run();
    let outcomes: Vec<_> = run.calls.iter().map(|c| c.outcome).collect();
    assert_eq!(outcomes, [Outcome::Indeterminate, Outcome::Ok]);
    assert!(run.calls[0].late.is_some());
    let text = std::fs::read_to_string(recorded.trace()).unwrap();
    let late = text
        .lines()
        .find(|l| l.contains(r#""kind":"late""#))
        .unwrap();
    assert!(late.contains(r#""outcome":"conflict""#), "{late}");
}

#[test]
fn a_reset_starts_from_the_demo_data_and_without_one_the_store_goes_on() {
    let recorded = Recorded::new(INVOICE);
    stdout(&recorded.record(&[]));
    // The invoice is paid by now: the second charge has nothing left to charge.
    stdout(&recorded.record(&["--force"]));
    assert_eq!(recorded.run().calls[2].outcome, Outcome::Failed);
    stdout(&recorded.record(&["--force", "--store-reset"]));
    assert_eq!(answer(&recorded.run(), 1, 0)["revision"], 6);
}

#[test]
fn what_cannot_be_recorded_is_said_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("t.jsonl");
    let trace = trace.to_str().unwrap();
    let refused = refusal(&turnlane(["record", INVOICE, "-o", trace]));
    assert!(refused.contains("--store"), "{refused}");
    assert!(!Path::new(trace).exists());
    let refused = refusal(&turnlane([
        "record", INVOICE, "-o", trace, "--store", "shop.db",
    ]));
    assert!(refused.contains("sqlite:PATH"), "{refused}");
    let missing = "sqlite:/no/such/folder/s.db";
    let refused = refusal(&turnlane([
        "record", INVOICE, "-o", trace, "--store", missing,
    ]));
    assert!(refused.contains("cannot open the store"), "{refused}");
    assert!(!Path::new(trace).exists());
    let both = ["record", INVOICE, "--resume", trace, "--policy", "graph"];
    assert!(refusal(&turnlane(both)).contains("cannot be used with"));
    let none = [
        "record",
        INVOICE,
        "--resume",
        trace,
        "--store",
        "sqlite::memory:",
    ];
    assert!(refusal(&turnlane(none)).contains("No such file"));
}

#[cfg(not(feature = "postgres"))]
#[test]
fn a_database_that_is_not_built_in_is_named_with_its_feature() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("t.jsonl");
    let url = "postgres://me:secret@localhost/shop";
    let args = [
        "record",
        INVOICE,
        "--store",
        url,
        "-o",
        trace.to_str().unwrap(),
    ];
    let refused = refusal(&turnlane(args));
    assert!(refused.contains("--features postgres"), "{refused}");
    assert!(!refused.contains("secret"), "{refused}");
}

/// Writes only, which take no time: what they answered once they answer for ever.
fn writes() -> Json {
    let text = include_str!("../assets/catalogs/store.json");
    let mut catalog: Json = serde_json::from_str(text).unwrap();
    for tool in catalog["tools"].as_array_mut().unwrap() {
        tool["x-run"]["latency_ms"] = 0.into();
    }
    let call = |tool: &str, args: Json| serde_json::json!({"tool": tool, "args": args});
    let note = |id: &str| {
        call(
            "update_invoice",
            serde_json::json!({"invoice_id": id, "shipping_note": "ü\n"}),
        )
    };
    let charge = |id: &str| {
        let args = serde_json::json!({"invoice_id": id, "card_id": "c17", "amount": 100});
        call("charge_card", args)
    };
    serde_json::json!({
        "format": "turnlane-scenario", "version": 1, "catalog": catalog,
        "turns": [
            {"model_ms": 5, "calls": [note("8123"), charge("8123"), charge("8124")]},
            {"model_ms": 5, "calls": [charge("8123"), charge("99"), note("8124"), note("8123")]},
        ],
    })
}

#[test]
fn cut_anywhere_a_recording_goes_on_to_the_same_answers_and_writes_nothing_twice() {
    let recorded = Recorded::of(&writes());
    stdout(&recorded.record(&["--policy", "graph"]));
    let whole = std::fs::read(recorded.trace()).unwrap();
    let runtime = threads(1);
    let store = recorded.store();
    let accepted = || {
        runtime.block_on(async {
            let store = turnlane::tools::store::Store::open(&store.parse().unwrap())
                .await
                .unwrap();
            (
                store_support::state(&store).await,
                store.writes().await.unwrap(),
            )
        })
    };
    let before = accepted();
    assert_eq!(
        before.1.len(),
        9,
        "three notes, and three charges of an invoice and a card"
    );
    let answers = |run: &Run| -> Vec<_> {
        let text = |c: &turnlane::trace::Call| Bodies::text(run, c.answer).unwrap();
        let calls = run.calls.iter();
        calls
            .map(|c| {
                (
                    c.turn,
                    c.index,
                    c.outcome,
                    text(c),
                    run.names.get(c.error).to_owned(),
                )
            })
            .collect()
    };
    let first = answers(&recorded.run());
    let orders = |run: &Run| {
        let mut orders: Vec<_> = run
            .key_orders
            .iter()
            .map(|o| {
                let tools: Vec<_> = o
                    .tools
                    .iter()
                    .map(|t| run.names.get(*t).to_owned())
                    .collect();
                (o.turn, run.keys.text(o.key).to_owned(), tools)
            })
            .collect();
        orders.sort();
        orders
    };
    let first_orders = orders(&recorded.run());

    let line_ends = whole
        .iter()
        .enumerate()
        .filter(|(_, b)| **b == b'\n')
        .map(|(at, _)| at);
    // Around every line's end, and in the middle of every line.
    let mut cuts: Vec<usize> = line_ends.flat_map(|at| [at, at + 1, at + 40]).collect();
    cuts.retain(|cut| *cut < whole.len());
    let begun = whole.iter().position(|b| *b == b'\n').unwrap();
    for cut in cuts.into_iter().filter(|cut| *cut >= begun) {
        std::fs::write(recorded.trace(), &whole[..cut]).unwrap();
        stdout(&recorded.resume(&store));
        let run = recorded.run();
        assert!(
            run.skipped.bad_lines <= 1,
            "cut at {cut}: {:?}",
            run.skipped.bad
        );
        let text = std::fs::read(recorded.trace()).unwrap();
        assert!(
            text.starts_with(&whole[..cut]),
            "nothing that stands is touched"
        );
        assert_eq!(answers(&run), first, "cut at {cut}");
        assert_eq!(orders(&run), first_orders, "cut at {cut}");
        assert_eq!(
            (run.skipped.copies, run.skipped.orphans),
            (0, 0),
            "cut at {cut}"
        );
        assert!(run.ended.is_some());
        assert_eq!(accepted(), before, "cut at {cut}");
    }
    std::fs::write(recorded.trace(), &whole).unwrap();
    let said = stdout(&recorded.resume(&store));
    assert!(
        said.contains("is complete: nothing is left to run"),
        "{said}"
    );
    assert_eq!(std::fs::read(recorded.trace()).unwrap(), whole);
}

#[test]
fn a_recording_goes_on_only_where_it_began() {
    let recorded = Recorded::of(&writes());
    stdout(&recorded.record(&[]));
    let whole = std::fs::read(recorded.trace()).unwrap();
    let half = &whole[..whole.len() / 2];
    std::fs::write(recorded.trace(), half).unwrap();
    let refused = refusal(&recorded.resume("sqlite::memory:"));
    assert!(refused.contains("ended with the run"), "{refused}");
    let elsewhere = Place::file();
    let refused = refusal(&recorded.resume(&elsewhere.url));
    assert!(refused.contains("does not know the run"), "{refused}");
    // Another scenario, and one whose call has other arguments.
    let other = Recorded::new(INVOICE);
    std::fs::write(other.trace(), half).unwrap();
    assert!(
        refusal(&other.resume(&recorded.store())).contains("another call than in the scenario")
    );
    let mut changed = writes();
    changed["turns"][0]["calls"][1]["args"]["amount"] = 101.into();
    std::fs::write(&recorded.scenario, changed.to_string()).unwrap();
    assert!(
        refusal(&recorded.resume(&recorded.store())).contains("turn 1, call 1 has other arguments")
    );
    std::fs::write(&recorded.scenario, writes().to_string()).unwrap();
    // Somebody else writes to it.
    let held = std::fs::OpenOptions::new()
        .append(true)
        .open(recorded.trace())
        .unwrap();
    held.lock().unwrap();
    let refused = refusal(&recorded.resume(&recorded.store()));
    assert!(
        refused.contains("being recorded by another process"),
        "{refused}"
    );
    drop(held);
    assert_eq!(
        std::fs::read(recorded.trace()).unwrap(),
        half,
        "a refusal writes nothing"
    );
    stdout(&recorded.resume(&recorded.store()));
    let store = recorded.store();
    let after = threads(1).block_on(async {
        let store = turnlane::tools::store::Store::open(&store.parse().unwrap())
            .await
            .unwrap();
        invoice(&store, "8123").await
    });
    assert_eq!(after.kind, Kind::Invoice);
    assert_eq!(after.get("charged"), Some(&Value::Int(200)));
}

#[test]
fn a_body_that_cannot_be_repeated_is_not_run_again_after_a_cut() {
    let folder = tempfile::tempdir().unwrap();
    let ran = folder.path().join("ran");
    let script = format!("echo once >> '{}'", ran.display());
    let command = |name: &str, mutates: bool| {
        serde_json::json!({"name": name, "x-mutates": mutates, "x-resource-key": ["file", "$args.f"],
            "x-run": {"command": ["sh", "-c", script]}})
    };
    let recorded = Recorded::of(&serde_json::json!({
        "format": "turnlane-scenario", "version": 1,
        "catalog": {"tools": [command("write", true), command("look", false)]},
        "turns": [{"calls": [
            {"tool": "write", "args": {"f": "a"}}, {"tool": "look", "args": {"f": "b"}},
        ]}],
    }));
    let trace = recorded.trace();
    let (trace, scenario) = (trace.to_str().unwrap(), recorded.scenario.to_str().unwrap());
    stdout(&turnlane(["record", scenario, "-o", trace]));
    let text = std::fs::read_to_string(trace).unwrap();
    let started = text.lines().take_while(|l| !l.contains(r#""kind":"end""#));
    let cut: String = started.map(|l| format!("{l}\n")).collect();
    assert_eq!(cut.matches(r#""kind":"start""#).count(), 2);
    std::fs::write(trace, cut).unwrap();
    stdout(&turnlane(["record", scenario, "--resume", trace]));
    let run = recorded.run();
    let outcomes: Vec<_> = run.calls.iter().map(|c| c.outcome).collect();
    assert_eq!(outcomes, [Outcome::Indeterminate, Outcome::Ok]);
    assert!(run.names.get(run.calls[0].error).contains("not run again"));
    assert_eq!(run.calls[0].run_time(), None, "nobody saw it end");
    assert_eq!(
        std::fs::read_to_string(ran).unwrap().lines().count(),
        3,
        "two, and the look again"
    );
}

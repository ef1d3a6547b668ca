//! The boundary that the whole pattern leans on: what the store accepts, and what it refuses.

#![cfg(feature = "sqlite")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[macro_use]
mod store_support;

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value as Json;
use store_support::{Place, begin, call, context, invoice, key, state, tool};
use turnlane::model::{CallRequest, Catalog, KeyTable, Outcome};
use turnlane::run::{Event, Observer, Runner, ToolError};
use turnlane::schedule::{Options, Policy};
use turnlane::time::Nanos;
use turnlane::tools::store::{
    Kind, Latency, Mode, Store, StoreError, StoreRun, StoreUrl, Value, lost_updates,
};

on_every_store! {
    of_two_conditional_writes_against_one_revision_one_must_fail
    a_write_that_names_an_old_revision_is_refused_and_told_the_current_one
    a_refused_write_leaves_nothing_behind_and_may_be_decided_again
    when_the_last_writer_wins_an_update_is_gone_and_nobody_was_told
    a_charge_writes_the_invoice_and_the_card_or_neither
    the_same_call_again_gets_the_stored_answer_and_writes_nothing
    the_same_call_twice_at_once_writes_once
    another_call_cannot_pass_for_one_that_was_answered
    a_run_goes_on_in_its_mode_and_only_where_the_store_knows_it
    a_cancelled_write_writes_nothing
    hung_write_does_not_stall_the_turn_and_its_late_landing_is_refused
    what_cannot_be_written_is_said_in_the_answer
    texts_come_back_as_they_were_given
    a_reset_brings_the_demo_data_back_and_opening_again_keeps_what_is_there
}

fn ms(ms: u64) -> Latency {
    Latency::of(Nanos::from_millis(ms))
}

fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

const UPDATE: &str = r#"{"invoice_id": "8123", "shipping_note": "leave at the desk"}"#;
const CHARGE: &str = r#"{"invoice_id": 8123, "card_id": "c17", "amount": 4900}"#;

async fn of_two_conditional_writes_against_one_revision_one_must_fail(place: &Place) {
    let store = place.open().await;
    let run = begin(&store, "r", Mode::Conditional).await;
    let update = tool(&run, "update_invoice", ms(30));
    let charge = tool(&run, "charge_card", ms(30));
    let (updated, charged) = tokio::join!(
        update.call(context(key(1, 0), "update_invoice", UPDATE).0),
        charge.call(context(key(1, 1), "charge_card", CHARGE).0),
    );
    let accepted = [&updated, &charged].iter().filter(|r| r.is_ok()).count();
    assert_eq!(accepted, 1, "{updated:?} {charged:?}");
    let refused = updated.err().or(charged.err()).unwrap();
    let ToolError::Conflict(text) = refused else {
        panic!("not a conflict: {refused:?}")
    };
    assert!(
        text.starts_with("409 conflict: invoice:8123 was seen at revision 4 and is at revision 5"),
        "{text}"
    );
    assert_eq!(invoice(&store, "8123").await.revision, 5);
    assert!(lost_updates(&store.writes().await.unwrap()).is_empty());
}

async fn a_write_that_names_an_old_revision_is_refused_and_told_the_current_one(place: &Place) {
    let store = place.open().await;
    let run = begin(&store, "r", Mode::Conditional).await;
    let on = |revision| {
        format!(r#"{{"invoice_id": "8123", "shipping_note": "n", "revision": {revision}}}"#)
    };
    for stale in [3, 5] {
        let refused = call(&run, key(1, 0), "update_invoice", &on(stale)).await;
        let text = refused.unwrap_err().to_string();
        assert!(
            text.contains(&format!("seen at revision {stale} and is at revision 4")),
            "{text}"
        );
    }
    let answer = call(&run, key(1, 0), "update_invoice", &on(4))
        .await
        .unwrap();
    assert_eq!(json(&answer.text)["revision"], 5);
}

async fn a_refused_write_leaves_nothing_behind_and_may_be_decided_again(place: &Place) {
    let store = place.open().await;
    let run = begin(&store, "r", Mode::Conditional).await;
    let slow = tool(&run, "charge_card", ms(60));
    let before = state(&store).await;
    let (charged, updated) = tokio::join!(
        slow.call(context(key(1, 1), "charge_card", CHARGE).0),
        call(&run, key(1, 0), "update_invoice", UPDATE),
    );
    assert!(
        matches!(charged, Err(ToolError::Conflict(_))),
        "{charged:?}"
    );
    updated.unwrap();
    let changed = state(&store)
        .await
        .iter()
        .zip(&before)
        .filter(|(a, b)| a != b)
        .count();
    assert_eq!(changed, 1, "only the accepted write shows");
    // The same call decides anew: a refusal is not an answer that is kept.
    let answer = call(&run, key(1, 1), "charge_card", CHARGE).await.unwrap();
    let answer = json(&answer.text);
    assert_eq!(answer["invoice"]["revision"], 6);
    assert_eq!(answer["invoice"]["shipping_note"], "leave at the desk");
    assert_eq!(answer["card"]["charged"], 4900);
}

async fn when_the_last_writer_wins_an_update_is_gone_and_nobody_was_told(place: &Place) {
    let store = place.open().await;
    let run = begin(&store, "r", Mode::LastWriterWins).await;
    let slow = tool(&run, "charge_card", ms(60));
    let (charged, updated) = tokio::join!(
        slow.call(context(key(1, 1), "charge_card", CHARGE).0),
        call(&run, key(1, 0), "update_invoice", UPDATE),
    );
    charged.unwrap();
    let answer = json(&updated.unwrap().text);
    assert_eq!(answer["shipping_note"], "leave at the desk");
    let after = invoice(&store, "8123").await;
    assert_eq!(after.get("charged"), Some(&Value::Int(4900)));
    assert_eq!(
        after.get("shipping_note"),
        Some(&Value::Text(String::new()))
    );
    assert_eq!(after.revision, 5, "both made revision 5");
    let lost = lost_updates(&store.writes().await.unwrap());
    let lost: Vec<_> = lost
        .iter()
        .map(|l| (l.kind, l.id.as_str(), l.revision, l.writes))
        .collect();
    assert_eq!(lost, [(Kind::Invoice, "8123", 5, 2)]);
}

async fn a_charge_writes_the_invoice_and_the_card_or_neither(place: &Place) {
    let store = place.open().await;
    let run = begin(&store, "r", Mode::Conditional).await;
    // Two invoices, one card: only the second resource races.
    let other = r#"{"invoice_id": "9001", "card_id": "c17", "amount": 100}"#;
    let slow = tool(&run, "charge_card", ms(60));
    let (first, second) = tokio::join!(
        slow.call(context(key(1, 0), "charge_card", CHARGE).0),
        call(&run, key(1, 1), "charge_card", other),
    );
    second.unwrap();
    let text = first.unwrap_err().to_string();
    assert!(
        text.contains("card:c17 was seen at revision 1 and is at revision 2"),
        "{text}"
    );
    let untouched = invoice(&store, "8123").await;
    assert_eq!(
        (untouched.revision, untouched.get("charged")),
        (4, Some(&Value::Int(0)))
    );
}

async fn the_same_call_again_gets_the_stored_answer_and_writes_nothing(place: &Place) {
    let store = place.open().await;
    let run = begin(&store, "r", Mode::Conditional).await;
    let first = call(&run, key(1, 0), "charge_card", CHARGE).await.unwrap();
    call(&run, key(1, 1), "update_invoice", UPDATE)
        .await
        .unwrap();
    let before = (state(&store).await, store.writes().await.unwrap());
    let again = call(&run, key(1, 0), "charge_card", CHARGE).await.unwrap();
    assert_eq!(again, first, "not what the invoice is by now");
    assert_eq!((state(&store).await, store.writes().await.unwrap()), before);
    // Another place in the turn is another call: it is decided on its own.
    let other = call(&run, key(1, 2), "charge_card", CHARGE).await;
    assert!(other.unwrap_err().to_string().contains("0 cents left"));
}

async fn the_same_call_twice_at_once_writes_once(place: &Place) {
    let store = place.open().await;
    let run = begin(&store, "r", Mode::Conditional).await;
    // Two connections, as two processes have where one was taken for dead.
    let elsewhere = if place.url.contains(":memory:") {
        store.clone()
    } else {
        place.open().await
    };
    let resumed = StoreRun::resume(elsewhere, "r").await.unwrap().unwrap();
    let (a, b) = (
        tool(&run, "charge_card", ms(20)),
        tool(&resumed, "charge_card", ms(20)),
    );
    let (a, b) = tokio::join!(
        tokio::spawn(a.call(context(key(1, 0), "charge_card", CHARGE).0)),
        tokio::spawn(b.call(context(key(1, 0), "charge_card", CHARGE).0)),
    );
    assert_eq!(a.unwrap().unwrap(), b.unwrap().unwrap());
    assert_eq!(invoice(&store, "8123").await.revision, 5);
    assert_eq!(
        store.writes().await.unwrap().len(),
        2,
        "the invoice and the card, once"
    );
}

async fn another_call_cannot_pass_for_one_that_was_answered(place: &Place) {
    let store = place.open().await;
    let run = begin(&store, "r", Mode::Conditional).await;
    call(&run, key(1, 0), "update_invoice", UPDATE)
        .await
        .unwrap();
    let before = state(&store).await;
    for (name, args) in [
        ("charge_card", CHARGE),
        (
            "update_invoice",
            r#"{"invoice_id": "8123", "shipping_note": "else"}"#,
        ),
    ] {
        let text = call(&run, key(1, 0), name, args)
            .await
            .unwrap_err()
            .to_string();
        assert!(
            text.contains("turn 1, call 0 of run r was a update_invoice"),
            "{text}"
        );
    }
    assert_eq!(state(&store).await, before);
}

async fn a_run_goes_on_in_its_mode_and_only_where_the_store_knows_it(place: &Place) {
    let store = place.open().await;
    begin(&store, "r", Mode::LastWriterWins).await;
    assert!(
        StoreRun::begin(store.clone(), "r", Mode::Conditional)
            .await
            .is_err()
    );
    let run = StoreRun::resume(store.clone(), "r").await.unwrap().unwrap();
    let stale = r#"{"invoice_id": "8123", "shipping_note": "n", "revision": 1}"#;
    call(&run, key(1, 0), "update_invoice", stale)
        .await
        .unwrap();
    assert!(StoreRun::resume(store, "s").await.unwrap().is_none());
}

async fn a_cancelled_write_writes_nothing(place: &Place) {
    let store = place.open().await;
    let run = begin(&store, "r", Mode::Conditional).await;
    let hanging = tool(&run, "update_invoice", ms(30_000));
    let (context, cancel) = context(key(1, 0), "update_invoice", UPDATE);
    let (ended, ()) = tokio::join!(hanging.call(context), async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        cancel.cancel();
    });
    assert_eq!(ended, Err(ToolError::Cancelled));
    assert!(store.writes().await.unwrap().is_empty());
}

/// What landed late.
#[derive(Clone, Default)]
struct Landings(Arc<Mutex<Vec<(u32, Outcome, String)>>>);

impl Observer for Landings {
    fn record(&mut self, event: &Event<'_>, _: &KeyTable) -> io::Result<()> {
        if let Event::Late {
            key, outcome, text, ..
        } = event
        {
            self.0
                .lock()
                .unwrap()
                .push((key.index, *outcome, (*text).to_owned()));
        }
        Ok(())
    }
}

async fn hung_write_does_not_stall_the_turn_and_its_late_landing_is_refused(place: &Place) {
    let store = place.open().await;
    let text = include_str!("../assets/catalogs/store.json");
    let catalog = Catalog::parse(text, "store.json").unwrap();
    for ignores_cancel in [false, true] {
        let run = begin(&store, &format!("r{ignores_cancel}"), Mode::Conditional).await;
        let landings = Landings::default();
        let mut runner = Runner::new(catalog.clone(), Policy::Keyed);
        let hangs = Latency {
            time: Nanos::from_millis(2_500),
            ignores_cancel,
        };
        runner.add_tool("update_invoice", tool(&run, "update_invoice", hangs));
        runner.add_tool("charge_card", tool(&run, "charge_card", ms(1)));
        runner.set_observer(Box::new(landings.clone()));
        runner.set_options(Options {
            deadline: Some(Nanos::from_millis(3_000)),
            ..Options::default()
        });
        let charge = r#"{"invoice_id": "8123", "card_id": "c17", "amount": 100}"#;
        let turn = vec![
            CallRequest::new("update_invoice", UPDATE),
            CallRequest::new("charge_card", charge),
        ];
        let seen = invoice(&store, "8123").await.revision;
        let result = runner.run_turn(turn).await.unwrap();
        let given_up = if ignores_cancel {
            Outcome::Indeterminate
        } else {
            Outcome::TimedOut
        };
        let outcomes: Vec<_> = result.answers.iter().map(|a| a.outcome).collect();
        assert_eq!(outcomes, [given_up, Outcome::Ok], "{result:?}");
        runner.settle(Nanos::from_millis(60_000)).await;
        let late = landings.0.lock().unwrap().clone();
        if ignores_cancel {
            let [(0, Outcome::Conflict, text)] = late.as_slice() else {
                panic!("{late:?}")
            };
            let said = format!("seen at revision {seen} and is at revision {}", seen + 1);
            assert!(text.contains(&said), "{text}");
        } else {
            assert!(late.is_empty(), "{late:?}");
        }
        let after = invoice(&store, "8123").await;
        assert_eq!(after.revision, seen + 1, "the charge alone");
        assert_eq!(
            after.get("shipping_note"),
            Some(&Value::Text(String::new()))
        );
    }
}

async fn what_cannot_be_written_is_said_in_the_answer(place: &Place) {
    let store = place.open().await;
    let run = begin(&store, "r", Mode::Conditional).await;
    let bad = [
        ("get_invoice", "{}"),
        ("get_invoice", ""),
        ("get_invoice", r#"{"invoice_id": ["8123"]}"#),
        ("update_invoice", r#"{"invoice_id": "8123"}"#),
        (
            "update_invoice",
            r#"{"invoice_id": "8123", "status": "paid", "note": "x"}"#,
        ),
        ("charge_card", r#"{"invoice_id": "8123", "amount": 1}"#),
        (
            "charge_card",
            r#"{"invoice_id": "8123", "card_id": "c17", "amount": 0.5}"#,
        ),
        ("assign_ticket", r#"{"ticket_id": "t7"}"#),
    ];
    for (name, args) in bad {
        let ended = call(&run, key(1, 0), name, args).await;
        assert!(
            matches!(ended, Err(ToolError::BadArgs(_))),
            "{name} {args}: {ended:?}"
        );
    }
    let failing = [
        (
            "get_ticket",
            r#"{"ticket_id": "t99"}"#,
            "there is no ticket t99",
        ),
        (
            "charge_card",
            r#"{"invoice_id": "8123", "card_id": "c99", "amount": 1}"#,
            "no card c99",
        ),
        (
            "charge_card",
            r#"{"invoice_id": "8123", "card_id": "c17", "amount": 4901}"#,
            "4900 cents left",
        ),
        (
            "charge_card",
            r#"{"invoice_id": "8123", "card_id": "c17", "amount": -5}"#,
            "cannot be charged",
        ),
    ];
    for (name, args, said) in failing {
        let ended = call(&run, key(1, 0), name, args).await;
        let Err(ToolError::Failed(text)) = ended else {
            panic!("{name} {args}: {ended:?}")
        };
        assert!(text.contains(said), "{text}");
    }
    assert!(store.writes().await.unwrap().is_empty());
}

async fn texts_come_back_as_they_were_given(place: &Place) {
    let store = place.open().await;
    let run = begin(
        &store,
        "r'; DROP TABLE turnlane_runs; --",
        Mode::Conditional,
    )
    .await;
    let note = "it's \"here\" \\ $1 ?1 :a ü 日本 \u{202e} \n\t'); DELETE FROM turnlane_tickets; --";
    let args = serde_json::json!({"ticket_id": "t8", "note": note}).to_string();
    let answer = call(&run, key(1, 0), "update_ticket", &args).await.unwrap();
    assert_eq!(json(&answer.text)["note"], note);
    let read = call(&run, key(1, 1), "get_ticket", r#"{"ticket_id": "t8"}"#)
        .await
        .unwrap();
    assert_eq!(read, answer);
    assert_eq!(store.list(Kind::Ticket).await.unwrap().len(), 4);
}

async fn a_reset_brings_the_demo_data_back_and_opening_again_keeps_what_is_there(place: &Place) {
    let url: StoreUrl = place.url.parse().unwrap();
    let store = place.open().await;
    let demo = state(&store).await;
    let run = begin(&store, "r", Mode::Conditional).await;
    call(&run, key(1, 0), "charge_card", CHARGE).await.unwrap();
    if !url.is_memory() {
        let again = place.open().await;
        assert_eq!(state(&again).await, state(&store).await);
        assert_eq!(again.writes().await.unwrap().len(), 2);
    }
    let fresh = Store::open_reset(&url).await.unwrap();
    assert_eq!(state(&fresh).await, demo);
    assert!(fresh.writes().await.unwrap().is_empty());
    assert!(
        StoreRun::resume(Arc::new(fresh), "r")
            .await
            .unwrap()
            .is_none()
    );
}

#[test]
fn a_file_of_a_later_version_or_of_no_database_is_refused() {
    let place = Place::file();
    let url: StoreUrl = place.url.parse().unwrap();
    let path = place.url.strip_prefix("sqlite:").unwrap();
    store_support::threads(1).block_on(async {
        drop(place.open().await);
        let connection = rusqlite::Connection::open(path).unwrap();
        connection
            .execute("UPDATE turnlane_store SET version = 9", [])
            .unwrap();
        drop(connection);
        let error = Store::open(&url).await.unwrap_err();
        assert!(
            matches!(error, StoreError::Version { found: 9, .. }),
            "{error}"
        );
        Store::open_reset(&url).await.unwrap();
        Store::open(&url).await.unwrap();
    });
    std::fs::write(path, "no database at all ".repeat(200)).unwrap();
    let error = store_support::threads(1)
        .block_on(Store::open(&url))
        .unwrap_err();
    assert!(error.to_string().contains("not a database"), "{error}");
}

#[test]
fn an_address_is_read_and_shown_without_its_secrets() {
    let url = |text: &str| text.parse::<StoreUrl>();
    assert!(url("sqlite::memory:").unwrap().is_memory());
    assert_eq!(
        url("sqlite:a b.db").unwrap(),
        StoreUrl::SqliteFile("a b.db".into())
    );
    let secret = url("postgres://me:p@ss@db.example:5433/shop?password=p@ss").unwrap();
    assert_eq!(secret.to_string(), "postgres://db.example:5433/shop");
    assert!(!format!("{secret:?}").contains("p@ss"));
    for bad in ["", "sqlite:", "shop.db", "mysql://x"] {
        let error = url(bad).unwrap_err().to_string();
        assert!(error.contains("sqlite:PATH"), "{error}");
    }
}

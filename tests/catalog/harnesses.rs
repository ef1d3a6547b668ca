//! The catalogs of known harnesses.

use turnlane::model::{Catalog, KeyTable, Source};

/// Reads and writes of a call, as text; `None` for an opaque one.
fn touches(harness: &str, tool: &str, args: &str) -> Option<(Vec<String>, Vec<String>)> {
    let catalog = Catalog::for_harness(harness).unwrap();
    let mut keys = KeyTable::new();
    let effects = catalog.effects(tool, args, Some("/p"), &mut keys);
    assert_eq!(effects.source, Source::Harness, "{harness} {tool}");
    let texts = |ids: &[_]| ids.iter().map(|id| keys.text(*id).to_owned()).collect();
    (!effects.opaque).then(|| (texts(&effects.reads), texts(&effects.writes)))
}

#[test]
fn every_shipped_catalog_can_be_read_and_declares_each_of_its_tools() {
    assert!(Catalog::harnesses().count() >= 8);
    for name in Catalog::harnesses() {
        let catalog = Catalog::for_harness(name).unwrap();
        assert!(catalog.is_harness, "{name}");
        for tool in catalog.tools() {
            assert_eq!(
                catalog.source(&tool.name),
                Source::Harness,
                "{name} {}",
                tool.name
            );
        }
    }
    assert!(Catalog::for_harness("nobody").unwrap().tools().is_empty());
}

#[test]
fn shells_and_what_hands_over_to_others_are_opaque() {
    for (harness, tools) in [
        (
            "codex",
            &["shell", "exec_command", "exec", "spawn_agent"][..],
        ),
        ("gemini-cli", &["run_shell_command"]),
        ("openhands", &["terminal", "execute_bash", "delegate"]),
        ("swe-agent", &["bash", "edit"]),
        ("tau-retail", &["transfer_to_human_agents"]),
        ("tau-airline", &["transfer_to_human_agents"]),
        ("tau-telecom", &["transfer_to_human_agents"]),
    ] {
        for tool in tools {
            assert_eq!(touches(harness, tool, "{}"), None, "{harness} {tool}");
        }
    }
}

#[test]
fn what_two_calls_share_without_naming_it_is_a_key_of_both() {
    let writes = |harness: &str, tool: &str, args: &str| touches(harness, tool, args).unwrap().1;
    let retail = |tool, order| {
        let args = format!(r#"{{"order_id":"{order}","payment_method_id":"gift_card_1"}}"#);
        writes("tau-retail", tool, &args)
    };
    let one = retail("modify_pending_order_items", "#W1");
    let other = retail("exchange_delivered_order_items", "#W2");
    assert!(
        one.iter().any(|key| other.contains(key)),
        "{one:?} and {other:?}"
    );
    let airline = |reservation| {
        let args =
            format!(r#"{{"reservation_id":"{reservation}","payment_id":"c_{reservation}"}}"#);
        writes("tau-airline", "update_reservation_flights", &args)
    };
    let shared: Vec<_> = airline("A")
        .into_iter()
        .filter(|key| airline("B").contains(key))
        .collect();
    assert_eq!(
        shared,
        ["flight:**", "user:**"],
        "seats and the user's methods"
    );
    let status = r#"{"flight_number":"HAT1","date":"d"}"#;
    assert_eq!(
        touches("tau-airline", "get_flight_status", status)
            .unwrap()
            .0,
        ["flight:HAT1"]
    );
}

#[test]
fn a_call_of_a_shop_that_only_looks_is_a_read() {
    for (harness, tool, args, key) in [
        (
            "tau-retail",
            "get_order_details",
            r##"{"order_id":"#W1"}"##,
            "order:#W1",
        ),
        (
            "tau-telecom",
            "get_data_usage",
            r#"{"line_id":"L1"}"#,
            "line:L1",
        ),
        (
            "codex",
            "view_image",
            r#"{"path":"a.png"}"#,
            "file:/p/a.png",
        ),
        (
            "gemini-cli",
            "read_file",
            r#"{"file_path":"a"}"#,
            "file:/p/a",
        ),
        (
            "openhands",
            "file_editor:view",
            r#"{"path":"/p"}"#,
            "file:/p/**",
        ),
        (
            "swe-agent",
            "find_file",
            r#"{"dir":"src"}"#,
            "file:/p/src/**",
        ),
    ] {
        let found = touches(harness, tool, args).unwrap();
        assert_eq!(found, (vec![key.to_owned()], vec![]), "{harness} {tool}");
    }
}

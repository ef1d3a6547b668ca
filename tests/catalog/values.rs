//! From arguments to keys.

use proptest::prelude::*;
use serde_json::json;
use turnlane::model::{KeyTable, Source};

use crate::{Touched, call_of, catalog, reader, touched, writer};

fn read(args: &str) -> Touched {
    touched(&reader(), "t", args)
}

#[test]
fn a_number_and_the_string_of_it_are_one_key() {
    for args in [
        r#"{"invoice_id":8123}"#,
        r#"{"invoice_id":"8123"}"#,
        r#"{ "invoice_id" : "\u0038123" , "note":"x"}"#,
        r#"{"\u0069nvoice_id":8123}"#,
    ] {
        let touched = touched(&writer(), "t", args);
        assert_eq!(touched.writes, ["invoice:8123"], "{args}");
        assert_eq!(touched.note, None, "{args}");
    }
}

#[test]
fn numbers_are_kept_exact() {
    for number in [
        "12345678901234567890",
        "98765432109876543210",
        "-1",
        "9007199254740993",
        "0.1000",
        "1e400",
    ] {
        let args = format!("{{\"invoice_id\":{number}}}");
        assert_eq!(read(&args).reads, [format!("invoice:{number}")]);
    }
}

#[test]
fn elements_are_joined_with_a_slash_and_follow_a_path_into_objects() {
    let fields = json!({"x-reads": [["row", "db", "$args.where.table.name", "$args.id"]]});
    let args = r#"{"where":{"a":[],"table":{"name":"t 1"}},"id":5}"#;
    assert_eq!(call_of(fields, args).reads, ["row:db/t 1/5"]);
}

#[test]
fn a_kind_alone_is_a_key() {
    let fields = json!({"x-mutates": true, "x-resource-key": ["shell"]});
    for args in ["{}", "", "no json", "null"] {
        let shell = call_of(fields.clone(), args);
        assert_eq!(shell.writes, ["shell"]);
        assert_eq!(shell.note, None);
    }
}

#[test]
fn only_a_literal_last_pair_of_stars_makes_a_tree() {
    let tree = json!({"x-reads": [["doc", "$args.at", "**"], ["doc2", "**"]]});
    assert_eq!(
        call_of(tree, r#"{"at":"a/b"}"#).reads,
        ["doc:a/b/**", "doc2:**"]
    );
    let mut keys = KeyTable::new();
    let catalog = catalog(&json!([{"name": "t", "x-writes": [["doc", "$args.at"]]}]));
    for args in [r#"{"at":"**"}"#, r#"{"at":"a/**"}"#, r#"{"at":"a/**\\"}"#] {
        let effects = catalog.effects("t", args, None, &mut keys);
        assert!(!keys.get(effects.writes[0]).tree, "{args}");
    }
    assert_eq!(keys.len(), 3);
}

#[test]
fn without_a_value_a_read_reads_the_whole_kind_and_says_why() {
    for (args, why) in [
        ("{}", "argument invoice_id is missing"),
        (r#"{"invoice_id":null}"#, "argument invoice_id is null"),
        (
            r#"{"invoice_id":true}"#,
            "argument invoice_id is true or false",
        ),
        (r#"{"invoice_id":[8123]}"#, "argument invoice_id is a list"),
        (
            r#"{"invoice_id":{"id":1}}"#,
            "argument invoice_id is an object",
        ),
        (
            r#"{"invoice_id":1,"invoice_id":2}"#,
            "argument invoice_id is given twice",
        ),
        (
            r#"{"invoice_id":"\ud800"}"#,
            "argument invoice_id is not valid Unicode",
        ),
        ("[8123]", "the arguments are no JSON object"),
        ("null", "the arguments are no JSON object"),
        (r#""8123""#, "the arguments are no JSON object"),
        ("", "the arguments are cut off or no JSON"),
        (
            r#"{"invoice_id":"8123","note":"#,
            "the arguments are cut off or no JSON",
        ),
        (
            r#"{"invoice_id":"8123"} trailing"#,
            "the arguments are cut off or no JSON",
        ),
        (
            r#"{invoice_id: 8123}"#,
            "the arguments are cut off or no JSON",
        ),
    ] {
        let touched = read(args);
        assert_eq!(touched.reads, ["invoice:**"], "{args}");
        assert!(!touched.opaque, "{args}");
        assert_eq!(touched.note(), format!("{why}: all of invoice"), "{args}");
    }
}

#[test]
fn without_a_value_a_write_is_opaque_and_says_why() {
    for args in ["{}", r#"{"invoice_id":null}"#, r#"{"invoice_id":["#] {
        let touched = touched(&writer(), "t", args);
        assert!(touched.opaque && touched.writes.is_empty() && touched.reads.is_empty());
        assert_eq!(touched.source, Source::Declared);
        assert!(
            touched
                .note()
                .ends_with("so which invoice it writes is not known: opaque"),
            "{}",
            touched.note()
        );
    }
}

#[test]
fn one_write_without_a_value_makes_the_whole_call_opaque() {
    let fields = json!({"x-writes": [["a", "$args.a"], ["b", "$args.b"]], "x-reads": [["c"]]});
    let touched = call_of(fields, r#"{"a":1}"#);
    assert!(touched.opaque && touched.writes.is_empty() && touched.reads.is_empty());
    assert!(touched.note().contains("argument b is missing"));
}

#[test]
fn a_path_through_something_else_than_an_object_is_missing() {
    let fields = json!({"x-reads": [["k", "$args.a.b"]]});
    for args in [
        r#"{"a":"b"}"#,
        r#"{"a":[{"b":1}]}"#,
        r#"{"a":null}"#,
        r#"{"a":{}}"#,
    ] {
        let touched = call_of(fields.clone(), args);
        assert_eq!(touched.reads, ["k:**"]);
        assert_eq!(touched.note(), "argument a.b is missing: all of k");
    }
}

#[test]
fn equal_keys_count_once_and_a_key_read_and_written_is_written() {
    let fields = json!({
        "x-reads": [["k", "$args.a"], ["k", "$args.b"], ["k", "$args.c"], ["k", "$args.c"]],
        "x-writes": [["k", "$args.a"], ["k", "$args.b"]]});
    let touched = call_of(fields, r#"{"a":1,"b":"1","c":2}"#);
    assert_eq!(touched.writes, ["k:1"]);
    assert_eq!(touched.reads, ["k:2"]);
}

#[test]
fn kinds_keep_equal_ids_apart() {
    let fields = json!({"x-writes": [["invoice", "$args.id"], ["ticket", "$args.id"]]});
    let touched = call_of(fields, r#"{"id":8123}"#);
    assert_eq!(touched.writes, ["invoice:8123", "ticket:8123"]);
}

#[test]
fn deep_nesting_in_another_argument_costs_nothing() {
    let deep = "[".repeat(5_000) + &"]".repeat(5_000);
    let objects = "{\"a\":".repeat(5_000) + "1" + &"}".repeat(5_000);
    for other in [&deep, &objects] {
        let before = format!(r#"{{"other":{other},"invoice_id":8123}}"#);
        let after = format!(r#"{{"invoice_id":8123,"other":{other}}}"#);
        assert_eq!(read(&before).reads, ["invoice:8123"]);
        assert_eq!(read(&after).reads, ["invoice:8123"]);
    }
    let wanted = format!(r#"{{"invoice_id":{deep}}}"#);
    assert_eq!(
        read(&wanted).note(),
        "argument invoice_id is a list: all of invoice"
    );
}

#[test]
fn a_path_of_a_thousand_names_is_followed() {
    let names = vec!["a"; 1_000].join(".");
    let fields = json!({"x-reads": [["k", format!("$args.{names}")]]});
    let args = "{\"a\":".repeat(1_000) + "7" + &"}".repeat(1_000);
    assert_eq!(call_of(fields, &args).reads, ["k:7"]);
}

#[test]
fn half_a_surrogate_pair_elsewhere_costs_nothing() {
    for args in [
        r#"{"note":"\ud83d","invoice_id":"8123"}"#,
        r#"{"invoice_id":"8123","note":["\udc00\ud800"]}"#,
        r#"{"\ud800":1,"invoice_id":"8123"}"#,
    ] {
        assert_eq!(read(args).reads, ["invoice:8123"], "{args}");
    }
    assert_eq!(
        read(r#"{"invoice_id":"\ud83d\ude00"}"#).reads,
        ["invoice:\u{1f600}"]
    );
}

proptest! {
    #[test]
    fn any_string_is_the_key_it_spells(id in ".*", note in ".*") {
        let args = json!({"note": note, "invoice_id": id}).to_string();
        let mut keys = KeyTable::new();
        let effects = writer().effects("t", &args, None, &mut keys);
        let key = keys.get(effects.writes[0]);
        prop_assert_eq!((key.kind.as_str(), key.path.as_deref(), key.tree),
            ("invoice", Some(id.as_str()), false));
    }

    #[test]
    fn no_text_as_arguments_panics_and_none_frees_a_write(args in r#"[{}\[\]",:a-z0-9\\ud]{0,40}"#) {
        let touched = touched(&writer(), "t", &args);
        prop_assert!(touched.opaque != (touched.writes.len() == 1));
    }

    #[test]
    fn arguments_cut_off_anywhere_give_no_key(cut in 0usize..40) {
        let whole = r#"{"invoice_id":"8123","n":{"a":[1,2]}}"#;
        let cut = cut.min(whole.len() - 1);
        prop_assert!(touched(&writer(), "t", &whole[..cut]).opaque);
    }
}

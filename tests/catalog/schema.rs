//! The JSON schema and the reader agree.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::{Value, json};
use turnlane::model::Catalog;

use crate::ARTICLE;

static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let text = include_str!("../../assets/schemas/catalog.schema.json");
    jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap()
});

#[test]
fn the_shipped_catalogs_and_the_articles_example_fit_the_schema() {
    let file = |name| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/catalogs");
        std::fs::read_to_string(format!("{folder}/{name}.json")).unwrap()
    };
    let mut texts: Vec<_> = Catalog::harnesses().map(file).collect();
    texts.push(ARTICLE.to_owned());
    for text in texts {
        let value: Value = serde_json::from_str(&text).unwrap();
        let errors: Vec<_> = SCHEMA.iter_errors(&value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
}

fn keys() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(["a", "$args.x"])),
        Just(json!([["a", "$args.x", "**"], ["b"]])),
        Just(json!([])),
        Just(json!(["a:b"])),
        Just(json!([["a", "$x"]])),
        Just(json!([["a", "b/**"]])),
        Just(json!(["$args.x"])),
        Just(json!([["**"]])),
        Just(json!(["a", 7])),
        Just(json!("a")),
    ]
}

fn flag() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => any::<bool>().prop_map(Value::from),
        1 => Just(json!("true"))
    ]
}

fn tool() -> impl Strategy<Value = Value> {
    let field = |name: &'static str, value: BoxedStrategy<Value>| {
        prop::option::weighted(0.3, value).prop_map(move |value| value.map(|v| (name, v)))
    };
    let run = prop_oneof![
        Just(json!({"command": ["a"]})),
        Just(json!({"command": []})),
        Just(json!({"workspace": "code_read"})),
        Just(json!({"workspace": "code_read", "command": ["a"]})),
        Just(json!({"workspace": "code_patch", "check": ["a"]})),
        Just(json!({"workspace": "nope"})),
        Just(json!({"store": "charge_card", "latency_ms": 5, "ignores_cancel": true})),
        Just(json!({"store": "nope"})),
        Just(json!({"store": "get_ticket", "latency_ms": -1})),
        Just(json!({"store": "get_ticket", "workspace": "code_read"})),
        Just(json!({"command": ["a"], "latency_ms": 5})),
    ];
    let ms = prop_oneof![Just(json!(5)), Just(json!(0)), Just(json!("5"))];
    (
        field("x-mutates", flag().boxed()),
        field("x-opaque", flag().boxed()),
        field("x-final", flag().boxed()),
        field("x-resource-key", keys().boxed()),
        field("x-reads", keys().boxed()),
        field("x-writes", keys().boxed()),
        field("x-timeout-ms", ms.boxed()),
        field("x-run", run.boxed()),
        prop::option::weighted(0.1, Just(("x-else", json!(1)))),
        prop::option::weighted(0.9, Just(("name", json!("t")))),
    )
        .prop_map(|(a, b, c, d, e, f, g, h, i, j)| {
            [a, b, c, d, e, f, g, h, i, j]
                .into_iter()
                .flatten()
                .map(|(name, value)| (name.to_owned(), value))
                .collect::<serde_json::Map<_, _>>()
                .into()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn the_schema_accepts_what_the_reader_accepts_and_nothing_else(tool in tool()) {
        let list = json!({"tools": [tool]});
        let read = Catalog::parse(&list.to_string(), "f");
        prop_assert_eq!(SCHEMA.is_valid(&list), read.is_ok(), "{}: {:?}", list, read.err());
    }
}

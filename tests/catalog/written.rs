use turnlane::model::{Catalog, Declared, KeyTable, Source, ToolSpec};

fn parse(text: &str) -> Catalog {
    Catalog::parse(text, "tools.json").unwrap()
}

const EVERY: &str = r#"{"tools": [
  {"name": "read", "description": "Reads \"a\" file.\n", "parameters": {}, "x-reads": [["file", "$args.path.of.it"]]},
  {"name": "move", "x-reads": [["file", "$args.a"]], "x-writes": [["file", "$args.b"], ["log", "x", "**"], ["shell"]]},
  {"name": "look", "x-mutates": false},
  {"name": "any", "x-opaque": true, "x-timeout-ms": 400, "x-approval": true},
  {"name": "quiet"},
  {"name": "end", "x-final": true},
  {"name": "hinted", "annotations": {"readOnlyHint": true, "openWorldHint": false}},
  {"name": "test", "x-run": {"workspace": "run_tests", "command": ["cargo", "test"]}},
  {"name": "sort", "x-run": {"command": ["sort", "-u"]}},
  {"name": "pay", "x-run": {"store": "charge_card", "latency_ms": 40, "ignores_cancel": true}},
  {"name": "see", "x-run": {"store": "get_invoice"}}
]}"#;

/// What a call of every tool touches, as far as it decides anything.
fn effects(catalog: &Catalog) -> Vec<String> {
    let mut keys = KeyTable::new();
    let args = r#"{"path": {"of": {"it": "p"}}, "a": "1", "b": "2"}"#;
    let tools = catalog.tools().iter();
    tools
        .map(|tool| {
            let e = catalog.effects(&tool.name, args, None, &mut keys);
            let (reads, writes) = (e.reads, e.writes);
            format!(
                "{} {reads:?} {writes:?} {} {}",
                tool.name, e.opaque, e.is_final
            )
        })
        .collect()
}

#[test]
fn a_written_catalog_reads_back_as_it_was() {
    let catalog = parse(EVERY);
    let again = parse(&catalog.to_json());
    assert_eq!(again.tools(), catalog.tools());
    let source = |c: &Catalog| {
        c.tools()
            .iter()
            .map(|t| c.source(&t.name))
            .collect::<Vec<_>>()
    };
    assert_eq!(source(&again), source(&catalog));
}

#[test]
fn every_tool_keeps_what_it_touches_when_catalogs_with_other_marks_come_into_one_file() {
    let lax = r#"{"x-undeclared": "read", "tools": [{"name": "lax"}, {"name": "own", "x-mutates": true}]}"#;
    let trusted = r#"{"x-trusted": true, "tools": [
        {"name": "trusted", "annotations": {"readOnlyHint": true}}]}"#;
    let harness = r#"{"x-harness": true, "tools": [{"name": "Read", "x-mutates": false}]}"#;
    let all = [lax, trusted, harness, EVERY].map(parse);
    let [lax, trusted, harness, every] = all;
    let merged = lax
        .merged_over(trusted)
        .merged_over(harness)
        .merged_over(every);
    let again = parse(&merged.to_json());
    assert_eq!(effects(&again), effects(&merged));
    // Untrusted hints and silent tools of other catalogs stay opaque.
    for tool in ["quiet", "hinted"] {
        assert_eq!(
            again.get(tool).unwrap().declared,
            Declared::Opaque,
            "{tool}"
        );
    }
    assert_eq!(again.source("lax"), Source::Assumption);
    assert_eq!(again.source("trusted"), Source::Hint);
    assert_eq!(again.source("Read"), Source::Declared);
}

#[test]
fn names_that_need_escapes_come_back() {
    let name = "a\"b\\c\u{1b}[2J\u{202e}";
    let catalog = Catalog::new(vec![ToolSpec {
        name: name.to_owned(),
        ..ToolSpec::default()
    }]);
    assert_eq!(parse(&catalog.to_json()).tools(), catalog.tools());
}

#[test]
fn the_shipped_catalog_can_be_written() {
    let catalog = Catalog::claude_code().unwrap();
    let again = parse(&catalog.to_json());
    assert_eq!(again.tools(), catalog.tools());
}

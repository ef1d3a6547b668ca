//! The queries in `assets/sql` against the built-in report, on DuckDB. They run where
//! TURNLANE_DUCKDB names a Python that has its `duckdb` package.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value};

const QUERIES: [&str; 7] = [
    "several",
    "time",
    "savings",
    "hazards",
    "costs",
    "single_reads",
    "tools",
];

/// Runs every query over the rows in a file and prints the results as JSON.
const SCRIPT: &str = r#"
import json, sys, duckdb
rows, queries = sys.argv[1], sys.argv[2:]
source = "read_parquet(?)" if rows.endswith(".parquet") else "read_csv(?, header=true, sample_size=-1, nullstr='')"
db = duckdb.connect()
db.execute("CREATE TABLE calls AS SELECT * FROM " + source, [rows])
out = {}
for query in queries:
    found = db.execute(open(query).read())
    names = [column[0] for column in found.description]
    out[query] = [dict(zip(names, row)) for row in found.fetchall()]
print(json.dumps(out, default=int))
"#;

fn turnlane(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_turnlane"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() || errors.contains("left out"),
        "{errors}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The rows of a group that a query found.
fn of_group(rows: &[Value], group: &Value) -> Vec<Map<String, Value>> {
    let same = |row: &&Value| {
        ["harness", "model", "task", "agent"]
            .iter()
            .all(|name| row[*name] == group[*name])
    };
    let rows = rows.iter().filter(same);
    rows.map(|row| row.as_object().unwrap().clone()).collect()
}

/// What every query found.
struct Found(Map<String, Value>);

impl Found {
    fn rows(&self, query: &str) -> &[Value] {
        let path = path_of(query);
        self.0[&path].as_array().unwrap()
    }

    /// The one row of a group; empty where the query has none for it.
    fn row(&self, query: &str, group: &Value) -> Map<String, Value> {
        let mut rows = of_group(self.rows(query), group);
        assert!(rows.len() <= 1, "{query}: {rows:?}");
        rows.pop().unwrap_or_default()
    }

    fn same(&self, query: &str, group: &Value, pairs: &[(&str, &Value)]) {
        let row = self.row(query, group);
        for (name, wanted) in pairs {
            let seen = row.get(*name).and_then(Value::as_i64);
            assert_eq!(seen, wanted.as_i64(), "{query}.{name}: {row:?} {group}");
        }
    }
}

fn path_of(query: &str) -> String {
    format!("{}/assets/sql/{query}.sql", env!("CARGO_MANIFEST_DIR"))
}

fn check(folder: &str, format: &str, python: &str) {
    let work = tempfile::tempdir().unwrap();
    let ending = if format == "parquet" {
        "parquet"
    } else {
        "csv"
    };
    let rows = work.path().join(format!("rows.{ending}"));
    let to = rows.to_str().unwrap();
    turnlane(&["summary", folder, "--format", format, "-o", to]);
    let report: Value = serde_json::from_str(&turnlane(&["summary", folder, "--json"])).unwrap();
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(&rows)
        .args(QUERIES.map(path_of))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found = Found(serde_json::from_slice(&output.stdout).unwrap());
    let groups = report["report"]["groups"].as_array().unwrap();
    assert!(!groups.is_empty());
    assert_eq!(found.rows("several").len(), groups.len());
    for group in groups {
        compare(group, &found);
    }
}

fn compare(group: &Value, found: &Found) {
    let sizes = &group["calls_per_reply"];
    let counts = [
        ("files", &group["files"]),
        ("replies", &group["replies"]),
        ("with_calls", &group["with_calls"]),
        ("with_several", &group["with_several"]),
        ("calls", &group["calls"]),
        ("p50", &sizes["p50"]),
        ("p90", &sizes["p90"]),
        ("p99", &sizes["p99"]),
        ("max", &sizes["max"]),
    ];
    found.same("several", group, &counts);
    let time = group["time"].as_array().unwrap();
    let names = [
        "model_ns",
        "tools_ns",
        "waiting_ns",
        "you_ns",
        "unattributed_ns",
    ];
    for (name, part) in names.iter().zip(time) {
        found.same("time", group, &[(name, &part["ns"])]);
    }
    let unknown = [
        ("model_unknown_replies", &time[0]["unknown_replies"]),
        ("tools_unknown_replies", &time[1]["unknown_replies"]),
    ];
    found.same("time", group, &unknown);
    savings(group, &found.row("savings", group));
    let hazards = &group["hazards"];
    let races = [
        ("lost_update", &hazards["lost_update"]),
        ("stale_read", &hazards["stale_read"]),
        ("early_write", &hazards["early_write"]),
        ("unknown_order", &hazards["unknown_order"]),
        (
            "recorded_unknown_replies",
            &group["recorded_unknown_replies"],
        ),
    ];
    found.same("hazards", group, &races);
    let costs = [
        ("failed", &group["failed"]),
        ("cancelled_siblings", &group["cancelled_siblings"]),
        ("asked_again", &group["asked_again"]),
    ];
    found.same("costs", group, &costs);
    let single = found.row("single_reads", group);
    for name in ["stretches", "replies_at_most", "model_unknown"] {
        let seen = single.get(name).and_then(Value::as_i64).unwrap_or(0);
        let wanted = group["single_reads"][name].as_i64();
        assert_eq!(Some(seen), wanted, "{name} {group}");
    }
    tools(group, found.rows("tools"));
}

fn savings(group: &Value, row: &Map<String, Value>) {
    let savings = &group["savings"];
    if savings["sequential_ns"].is_null() {
        return;
    }
    assert_eq!(row["sequential_ns"], savings["sequential_ns"]);
    assert_eq!(row["timing"], savings["timing"]);
    assert_eq!(row["replies_left_out"], savings["replies_left_out"]);
    let policies = [
        (Some("staged"), "staged_ns"),
        (Some("keyed"), "keyed_ns"),
        (Some("graph"), "graph_ns"),
        (None, "most_ns"),
    ];
    for (policy, column) in policies {
        let all = savings["policies"].as_array().unwrap();
        let is_it = |sum: &&Value| sum["policy"].as_str() == policy;
        let found = all.iter().find(is_it).unwrap();
        assert_eq!(row[column], found["saved_ns"], "{column} {group}");
        if policy.is_none() {
            let seen = row["most_share"].as_f64();
            let wanted = found["saved_share"].as_f64();
            assert_eq!(seen.is_some(), wanted.is_some(), "{row:?} {savings}");
            let apart = seen.zip(wanted).map_or(0.0, |(a, b)| (a - b).abs());
            assert!(apart < 1e-9, "{seen:?} {wanted:?}");
        }
    }
}

fn tools(group: &Value, rows: &[Value]) {
    let rows = of_group(rows, group);
    let tools = group["tools"].as_array().unwrap();
    assert_eq!(rows.len(), tools.len());
    for tool in tools {
        let row = rows.iter().find(|row| row["tool"] == tool["tool"]).unwrap();
        for name in ["calls", "timed", "work_ns"] {
            assert_eq!(row[name], tool[name], "{name} of {tool}");
        }
    }
}

fn python() -> Option<String> {
    let python = std::env::var("TURNLANE_DUCKDB").ok();
    if python.is_none() {
        eprintln!("skipped: TURNLANE_DUCKDB is not set");
    }
    python
}

#[test]
fn the_queries_give_the_figures_of_the_report_over_our_own_traces() {
    let Some(python) = python() else { return };
    check("traces", "calls", &python);
}

#[test]
fn the_queries_give_the_figures_of_the_report_over_real_sessions() {
    let Some(python) = python() else { return };
    let Ok(cases) = std::env::var("TURNLANE_CASES") else {
        eprintln!("skipped: TURNLANE_CASES is not set");
        return;
    };
    assert!(Path::new(&cases).is_dir());
    check(&cases, "calls", &python);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_holds_the_same_rows() {
    let Some(python) = python() else { return };
    check("traces", "parquet", &python);
}

#[test]
fn the_page_beside_the_queries_names_every_column() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sql/README.md");
    let page = std::fs::read_to_string(page).unwrap();
    let columns = turnlane::export::columns_markdown();
    assert!(page.contains(&columns), "{columns}");
}

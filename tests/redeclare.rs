//! A recorded run under other declarations.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use std::process::Command;

use import_support::{Folder, call, open, prompt, reply, result, text, with};
use serde_json::{Value, json};
use turnlane::import::{Opened, open_any};
use turnlane::model::{Catalog, Source};
use turnlane::trace::{BodyRef, Run, arg_names, read, redeclare};

/// What every call touches, keys as text, and where that comes from.
fn touched(run: &Run) -> Vec<String> {
    let text = |keys| {
        let keys = run.keys_in(keys).iter().map(|key| run.keys.text(*key));
        keys.collect::<Vec<_>>().join(" ")
    };
    let calls = run.calls.iter();
    calls
        .map(|call| {
            let (reads, writes) = (text(call.reads), text(call.writes));
            let opaque = if call.opaque { " opaque" } else { "" };
            format!("{} r[{reads}] w[{writes}]{opaque}", run.tool(call))
        })
        .collect()
}

fn catalog(value: &Value) -> Catalog {
    Catalog::parse(&value.to_string(), "mine.json").unwrap()
}

/// A session that changes its folder on the way.
fn session() -> Vec<Value> {
    let in_folder = |folder: &str, line| with(line, json!({"cwd": folder}));
    let edit = |id, path| call(id, "Edit", json!({"file_path": path, "new_string": "x"}));
    vec![
        in_folder("/work", prompt(0, "go")),
        in_folder(
            "/work",
            reply(
                1_000,
                "m1",
                json!([
                    edit("a", "src/a.rs"),
                    call("b", "Bash", json!({"command": "ls", "where": "src/a.rs"}))
                ]),
            ),
        ),
        in_folder("/work", result(1_100, "a", "ok")),
        in_folder("/work", result(1_200, "b", "ok")),
        in_folder(
            "/work/src",
            reply(
                2_000,
                "m2",
                json!([
                    edit("c", "a.rs"),
                    call("d", "Bash", json!({"command": "ls", "where": "a.rs"}))
                ]),
            ),
        ),
        in_folder("/work/src", result(2_100, "c", "ok")),
        in_folder("/work/src", result(2_200, "d", "ok")),
    ]
}

#[test]
fn a_session_under_other_declarations_is_what_importing_it_with_them_gives() {
    let folder = Folder::new();
    let path = folder.write("session.jsonl", text(&session()));
    let user = json!({"tools": [
        {"name": "Bash", "x-reads": [["file", "$args.where"]]},
        {"name": "Edit", "x-mutates": false},
        {"name": "Never", "x-opaque": true}]});
    let merged = catalog(&user).merged_over(Catalog::claude_code().unwrap());
    let Opened::Run(imported) = open_any(&path, &merged).unwrap() else {
        panic!("a run")
    };
    let redeclared = redeclare(&open(&path), &catalog(&user), None);
    assert_eq!(redeclared.unread, 0);
    assert_eq!(touched(&redeclared.run), touched(&imported));
    let bash = "Bash r[file:/work/src/a.rs] w[]";
    let edit = "Edit r[] w[]";
    assert_eq!(touched(&imported), [edit, bash, edit, bash]);
}

#[test]
fn only_the_named_tools_change_and_nothing_but_what_they_touch() {
    let folder = Folder::new();
    let before = open(&folder.write("session.jsonl", text(&session())));
    let user = json!([{"name": "Bash", "x-mutates": false}]);
    let after = redeclare(&before, &catalog(&user), Some(Source::Assumption)).run;
    assert_eq!(touched(&after)[0], touched(&before)[0]);
    for (old, new) in before.calls.iter().zip(&after.calls) {
        assert_eq!(
            (old.start, old.end, old.timing),
            (new.start, new.end, new.timing)
        );
        assert_eq!(
            (old.args, old.outcome, old.id),
            (new.args, new.outcome, new.id)
        );
        let assumed = before.tool(old) == "Bash";
        assert_eq!(new.source == Source::Assumption, assumed);
    }
    assert!(after.catalog.as_ref().unwrap().get("Edit").is_some());
}

#[test]
fn arguments_that_cannot_be_read_are_counted_and_give_no_narrow_key() {
    let folder = Folder::new();
    let mut run = open(&folder.write("session.jsonl", text(&session())));
    for call in &mut run.calls {
        call.args = BodyRef {
            file: 0,
            offset: 1 << 40,
            len: 10,
        };
    }
    let user = json!([
        {"name": "Bash", "x-reads": [["file", "$args.where"]]},
        {"name": "Edit", "x-mutates": true, "x-resource-key": ["file", "$args.file_path"]}]);
    let after = redeclare(&run, &catalog(&user), None);
    assert_eq!(after.unread, 4);
    let bash = "Bash r[file:**] w[]";
    let edit = "Edit r[] w[] opaque";
    assert_eq!(touched(&after.run), [edit, bash, edit, bash]);
}

#[test]
fn arguments_that_are_kept_as_text_are_read_like_others() {
    let trace = concat!(
        r#"{"kind":"run","format":"turnlane","version":1}"#,
        "\n",
        r#"{"kind":"turn","turn":1,"calls":3}"#,
        "\n",
        r#"{"kind":"call","turn":1,"call":0,"tool":"get","args":{"id":7},"reads":[]}"#,
        "\n",
        r#"{"kind":"call","turn":1,"call":1,"tool":"get","args":"{\"id\": \"7\"}","reads":[]}"#,
        "\n",
        r#"{"kind":"call","turn":1,"call":2,"tool":"get","args":"{\"id\": ","reads":[]}"#,
        "\n",
    );
    let folder = Folder::new();
    let run = read(folder.write("trace.jsonl", trace)).unwrap();
    let user = json!([{"name": "get", "x-mutates": true, "x-resource-key": ["doc", "$args.id"]}]);
    let after = redeclare(&run, &catalog(&user), None);
    assert_eq!(after.unread, 0);
    let one = "get r[] w[doc:7]";
    assert_eq!(touched(&after.run), [one, one, "get r[] w[] opaque"]);
}

#[test]
fn the_names_of_plain_arguments_are_found_two_levels_deep() {
    let folder = Folder::new();
    let args = json!({"path": "a", "n": -1, "on": true, "list": ["x"], "no": null, "": 1, "a.b": 2,
        "ticket": {"id": "T-1", "deep": {"er": 1}}});
    let lines = vec![
        prompt(0, "go"),
        reply(10, "m", json!([call("a", "Odd", args)])),
    ];
    let run = open(&folder.write("session.jsonl", text(&lines)));
    let names = arg_names(&run, &[0, 99]);
    assert_eq!(names["Odd"], ["n", "path", "ticket.id"]);
    assert_eq!(names.len(), 1);
}

#[test]
fn a_catalog_on_the_command_line_stands_over_what_a_trace_says() {
    let folder = Folder::new();
    let mine = json!({"tools": [{"name": "charge_card", "x-opaque": true}]});
    let mine = folder.write("mine.json", mine.to_string());
    let what_if = |more: &[&str]| -> Value {
        let output = Command::new(env!("CARGO_BIN_EXE_turnlane"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["what-if", "--json", "traces/invoice-all-at-once.jsonl"])
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let before = what_if(&[]);
    let after = what_if(&["--catalog", mine.to_str().unwrap()]);
    assert_ne!(before["totals"], after["totals"]);
    // An opaque call overlaps all seven others; the two others still race for the invoice.
    let all = &after["turns"][0]["policies"][1];
    assert_eq!(all["policy"], "all-at-once");
    assert_eq!(all["hazard_count"], 8, "{all}");
}

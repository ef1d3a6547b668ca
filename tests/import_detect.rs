//! What a file is decides its content.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::*;
use serde_json::json;
use turnlane::import::{Format, ImportError, Opened};

/// The format that a file is refused as, or none where nothing is known of it.
fn refused(bytes: impl AsRef<[u8]>) -> (Option<Format>, String) {
    let folder = Folder::new();
    let path = folder.write("any.txt", bytes);
    let error = try_open(&path).expect_err("a refusal");
    let text = error.to_string();
    match error {
        ImportError::Unusable { format, .. } => (Some(format), text),
        ImportError::Unknown { .. } => (None, text),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_known_format_with_nothing_to_show_is_named_and_refused() {
    let cases = [
        ("PK\u{3}\u{4}rest", Format::InspectEval, "broken"),
        (r#"{"traceEvents":[]}"#, Format::Chrome, "slices"),
        (r#"[{"ph":"M","pid":1}]"#, Format::Chrome, "slices"),
    ];
    for (text, format, problem) in cases {
        let (found, error) = refused(text);
        assert_eq!(found, Some(format), "{text}");
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn a_format_is_known_by_its_content_and_the_run_says_which_it_was() {
    let cases = [
        (
            r#"{"timestamp":"t","type":"session_meta","payload":{}}"#,
            "codex",
        ),
        (r#"[{"task_id":0,"traj":[]}]"#, "tau-bench"),
        (
            r#"{"timestamp":"t","info":{},"tasks":[],"simulations":[]}"#,
            "tau2-bench",
        ),
        (r#"{"task":{},"simulation_run":{}}"#, "tau2-bench"),
        (r#"{"trajectory":[],"history":[],"info":{}}"#, "swe-agent"),
        (
            r#"{"messages":[],"trajectory_format":"mini-swe-agent-1.1"}"#,
            "mini-swe-agent",
        ),
        (
            r#"[{"role":"system","content":"exactly ONE bash code block"}]"#,
            "mini-swe-agent",
        ),
        (
            r#"{"id":"1","kind":"MessageEvent","source":"user"}"#,
            "openhands",
        ),
        (
            r#"[{"id":0,"source":"user","action":"message"}]"#,
            "openhands",
        ),
        (r#"{"schema_version":"ATIF-v1.2","steps":[]}"#, "atif"),
        (
            r#"{"sessionId":"s","projectHash":"h","messages":[]}"#,
            "gemini-cli",
        ),
        (r#"[{"role":"user","content":"x"}]"#, "messages"),
        (r#"{"role":"user","content":"x"}"#, "messages"),
        (
            r#"{"messages":[],"response":{},"latency_sec":1.0}"#,
            "messages",
        ),
        (r#"{"object":"chat.completion","choices":[]}"#, "messages"),
        (r#"{"id":"parallel_0","ground_truth":[]}"#, "bfcl"),
        (r#"{"resourceSpans":[]}"#, "otlp"),
        (r#"{"resource_spans":[]}"#, "otlp"),
        (r#"[{"resourceSpans":[]}]"#, "otlp"),
        (
            "{\n  \"resourceSpans\": [\n    {\"scopeSpans\": []}\n  ]\n}\n",
            "otlp",
        ),
        (r#"{"trace":{},"observations":[]}"#, "langfuse"),
        (r#"{"version":2,"eval":{},"samples":[]}"#, "inspect"),
        (r#"[{"run_type":"llm","id":"1"}]"#, "langsmith"),
    ];
    for (text, source) in cases {
        let (run, _folder) = run_of(text);
        assert_eq!(run.meta.source, source, "{text}");
        assert_eq!(run.threads[0].name, "main");
    }
}

#[test]
fn a_large_document_is_known_by_a_name_before_its_first_bulk() {
    let padding = "x".repeat(17 << 20);
    let text = format!(
        "{{\n\"info\":{{}},\n\"simulations\":[{{\"messages\":[{{\"role\":\"user\",\"content\":\"{padding}\"}}]}}]\n}}"
    );
    assert_eq!(run_of(text).0.meta.source, "tau2-bench");
}

#[test]
fn junk_is_refused_with_what_can_be_opened() {
    for junk in [
        "",
        " \n\n",
        "hello",
        "[1,2]",
        "{}",
        "{\"a\":1}\n{\"b\":2}\n",
        "\u{0}\u{1}",
        "[",
        "{",
    ] {
        let (found, error) = refused(junk);
        assert_eq!(found, None, "{junk:?}");
        assert!(error.contains("Claude Code sessions"), "{error}");
        assert!(error.contains("any.txt"), "{error}");
    }
    assert_eq!(refused([0xff, 0xfe, 0x00, 0x80]).0, None);
}

#[test]
fn a_torn_first_line_does_not_hide_the_format() {
    let line = prompt(0, "go").to_string();
    for text in [
        format!("{{\"type\":\"us\n{line}\n"),
        format!("\u{feff}\n\n{line}\n"),
    ] {
        let (run, _folder) = run_of(text);
        assert_eq!(run.meta.source, "claude-code");
    }
}

#[test]
fn the_name_says_nothing() {
    let folder = Folder::new();
    let lines = text(&[prompt(0, "go"), reply(9, "m1", json!([]))]);
    for name in ["s.json", "s.txt", "s", "agent-x.jsonl", "s.zst", "s.eval"] {
        let run = open(&folder.write(name, &lines));
        assert_eq!(run.threads[0].turns.len(), 1, "{name}");
    }
}

#[test]
fn a_scenario_gives_its_text() {
    let folder = Folder::new();
    let text = "{\n  \"format\": \"turnlane-scenario\",\n  \"version\": 1,\n  \"turns\": []\n}\n";
    for bytes in [
        text.as_bytes().to_vec(),
        zstd::encode_all(text.as_bytes(), 1).unwrap(),
    ] {
        match try_open(&folder.write("x.jsonl", bytes)).unwrap() {
            Opened::Scenario(found) => assert_eq!(found, text),
            Opened::Run(_) => panic!("a scenario is no run"),
        }
    }
}

#[test]
fn a_trace_opens_also_compressed_and_without_its_first_line() {
    let folder = Folder::new();
    let run_line = r#"{"kind":"run","format":"turnlane","version":1,"id":"r","source":"turnlane"}"#;
    let turn = r#"{"kind":"turn","turn":1,"at_ns":0,"calls":0}"#;
    let whole = format!("{run_line}\n{turn}\n");
    let packed = zstd::encode_all(whole.as_bytes(), 1).unwrap();
    for bytes in [whole.into_bytes(), packed, format!("{turn}\n").into_bytes()] {
        let run = open(&folder.write("t", bytes));
        assert_eq!(run.turns.len(), 1);
    }
}

#[test]
fn a_missing_file_and_a_folder_say_so() {
    let folder = Folder::new();
    let file = folder.write("a/b.jsonl", "");
    let missing = try_open(&file.with_file_name("none")).unwrap_err();
    assert!(matches!(missing, ImportError::Io { .. }));
    let text = try_open(file.parent().unwrap()).unwrap_err().to_string();
    assert!(text.contains("is a folder"), "{text}");
}

//! Sessions that mean harm: broken bytes, shapes that make a careless reader slow or wrong.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::*;
use serde_json::{Value, json};
use turnlane::analyze::{WhatIfOptions, summarise};
use turnlane::import::Opened;
use turnlane::trace::{Bodies, Run};

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((x ^ (x >> 31)) % (below.max(1) as u64)).unwrap()
    }
}

/// Everything that a reader of a run may rely on.
fn is_sound(run: &Run) {
    assert_eq!(run.threads[0].name, "main");
    let mut calls = 0;
    for (number, thread) in run.threads.iter().enumerate() {
        for (at, row) in thread.turns.iter().enumerate() {
            let turn = &run.turns[*row as usize];
            assert_eq!(
                (turn.thread.0 as usize, turn.number as usize),
                (number, at + 1)
            );
            for (index, call) in run.calls_of(turn).iter().enumerate() {
                assert_eq!((call.turn, call.index as usize), (*row, index));
                calls += 1;
            }
        }
        if let Some(parent) = thread.parent {
            let row = run.threads[parent.thread.0 as usize].turns[parent.turn as usize - 1];
            let calls = run.calls_of(&run.turns[row as usize]);
            assert!((parent.call as usize) < calls.len());
        }
    }
    assert_eq!(calls, run.calls.len());
    for call in &run.calls {
        for body in [call.args, call.answer] {
            let bytes = Bodies::load(run, body).unwrap();
            assert_eq!(bytes.len() as u64, body.len);
            assert!(
                body.len == 0 || serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).is_ok()
            );
            Bodies::text(run, body).unwrap();
        }
        let _ = (
            run.keys_in(call.reads),
            run.keys_in(call.writes),
            run.names.get(call.error),
        );
    }
    let _ = summarise(run, &WhatIfOptions::default());
}

/// A session with a bit of everything.
fn everything() -> String {
    let side = json!({"isSidechain": true, "uuid": "s1"});
    let note = "<task-notification>\n<task-id>b7</task-id>\n<tool-use-id>t3</tool-use-id>";
    let hook = json!({"hookEvent": "PreToolUse", "type": "hook_progress"});
    let agent = json!({"type": "agent_progress", "agentId": "x"});
    text(&[
        with(
            prompt(0, "go"),
            json!({"sessionId": "S", "cwd": "/p", "uuid": "a1"}),
        ),
        with(
            reply(10, "m1", json!([{"type": "text", "text": "ok"}])),
            json!({"requestId": "r1"}),
        ),
        with(
            reply(
                20,
                "m1",
                json!([read("t1", "a"), call("t2", "Task", json!({"prompt": "p"}))]),
            ),
            json!({"requestId": "r1", "uuid": "a2"}),
        ),
        json!({"type": "progress", "timestamp": at(22), "toolUseID": "t1", "data": hook}),
        with(
            result(30, "t1", "A"),
            json!({"toolUseResult": {"durationMs": 4}}),
        ),
        json!({"type": "progress", "timestamp": at(31), "parentToolUseID": "t2", "data": agent}),
        with(reply(35, "m5", json!([read("s-t", "a")])), side),
        with(
            error(
                40,
                "t2",
                "<tool_use_error>Sibling tool call errored</tool_use_error>",
            ),
            json!({"toolUseResult": {"agentId": "x", "status": "async_launched"}}),
        ),
        reply(
            50,
            "m2",
            json!([call("t3", "Bash", json!({"command": "ls"})), read("", "b")]),
        ),
        with(
            result(60, "t3", "\u{1f600} out"),
            json!({"toolUseResult": {"backgroundTaskId": "b7"}}),
        ),
        json!({"type": "queue-operation", "timestamp": at(90), "content": note}),
    ])
}

fn break_once(bytes: &mut Vec<u8>, dice: &mut Dice) {
    const TOKENS: [&[u8]; 12] = [
        b"\"", b"\\", b"{", b"}", b"[", b"]", b"\n", b"null", b"-1", b"\xff", b"\\ud83d", b"1e999",
    ];
    let at = dice.roll(bytes.len());
    let end = (at + 1 + dice.roll(40)).min(bytes.len());
    match dice.roll(6) {
        0 => bytes[at] = u8::try_from(dice.roll(256)).unwrap(),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let part = bytes[at..end].to_vec();
            let to = dice.roll(bytes.len());
            bytes.splice(to..to, part);
        }
        3 => bytes.truncate(end),
        4 => {
            let token = TOKENS[dice.roll(TOKENS.len())];
            bytes.splice(at..at, token.iter().copied());
        }
        _ => {
            let mut lines: Vec<_> = bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            let (a, b) = (dice.roll(lines.len()), dice.roll(lines.len()));
            lines.swap(a, b);
            *bytes = lines.join(&b'\n');
        }
    }
}

#[test]
fn broken_bytes_never_bring_the_reader_down() {
    let rounds = std::env::var("TURNLANE_FUZZ_ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok());
    let rounds: u64 = rounds.unwrap_or(300);
    let session = everything();
    let agent = session
        .replace("\"t", "\"x")
        .replace("\"m", "\"xm")
        .replace("\"a", "\"xa");
    let sidecar = r#"{"agentType":"a","toolUseId":"t2"}"#.to_owned();
    let folder = Folder::new();
    let mut opened = 0;
    for round in 0..rounds {
        let mut dice = Dice(round);
        let mut files = [&session, &agent, &sidecar].map(|text| text.clone().into_bytes());
        for _ in 0..1 + dice.roll(6) {
            let which = [0, 0, 0, 1, 1, 2][dice.roll(6)];
            if !files[which].is_empty() {
                break_once(&mut files[which], &mut dice);
            }
        }
        folder.write("S/subagents/agent-x.jsonl", &files[1]);
        folder.write("S/subagents/agent-x.meta.json", &files[2]);
        match try_open(&folder.write("S.jsonl", &files[0])) {
            Ok(Opened::Run(run)) => {
                is_sound(&run);
                opened += 1;
            }
            Ok(Opened::Scenario(_)) => {}
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(
        opened > rounds / 2,
        "most of the file is still there: {opened} of {rounds}"
    );
}

#[test]
fn the_whole_session_is_sound_and_nothing_of_it_is_lost() {
    let (run, _folder) = run_of(everything());
    is_sound(&run);
    assert_eq!(run.threads.len(), 2);
    assert_eq!(shape(&run), [2, 2]);
    let skipped = &run.skipped;
    assert_eq!(
        (skipped.bad_lines, skipped.orphans, skipped.copies),
        (0, 0, 0)
    );
    assert_eq!((skipped.unlinked, skipped.open_calls), (1, 2));
}

#[test]
fn random_bytes_are_refused_or_skipped() {
    for round in 0..200 {
        let mut dice = Dice(round);
        let len = dice.roll(400);
        let bytes: Vec<_> = (0..len)
            .map(|_| u8::try_from(dice.roll(256)).unwrap())
            .collect();
        for head in [
            &b""[..],
            b"{\"type\":\"user\"}\n",
            b"\x1f\x8b\x08",
            b"\x28\xb5\x2f\xfd",
        ] {
            let folder = Folder::new();
            if let Ok(Opened::Run(run)) = try_open(&folder.write("x", [head, &bytes].concat())) {
                is_sound(&run);
            }
        }
    }
}

/// `n` lines, made by their number.
fn many(n: usize, line: impl Fn(usize) -> Value) -> String {
    (0..n).map(|i| format!("{}\n", line(i))).collect()
}

#[test]
fn shapes_that_repeat_a_thing_very_often_stay_quick() {
    let n = 8_000;
    let sorted = |i: usize| i64::try_from(i).unwrap();
    let side = |agent: &str| json!({"isSidechain": true, "agentId": agent});
    let shapes: [(&str, String); 7] = [
        (
            "one reply over many lines",
            many(n, |i| reply(sorted(i), "m", json!([read("", "a")]))),
        ),
        (
            "one id in many replies, issued backwards",
            many(n, |i| reply(0, &format!("m{}", i % (n / 2)), json!([])))
                + &many(n, |i| {
                    reply(
                        0,
                        &format!("m{}", (n - 1 - i) % (n / 2)),
                        json!([read("x", "a")]),
                    )
                })
                + &many(n, |i| result(1, "x", &i.to_string())),
        ),
        (
            "results of nobody",
            many(n, |i| result(0, &format!("t{}", i % 7), "x")),
        ),
        (
            "one message under many requests",
            many(n, |i| {
                with(
                    reply(0, "m", json!([read("x", "a")])),
                    json!({"requestId": i.to_string()}),
                )
            }),
        ),
        (
            "many agents of one name",
            many(n, |i| {
                with(
                    reply(0, "m", json!([])),
                    side(&format!("{}{i}", "l".repeat(200))),
                )
            }),
        ),
        (
            "hooks of nobody",
            many(n, |i| {
                json!({"type": "progress", "timestamp": at(0), "toolUseID": i.to_string(),
                "data": {"type": "hook_progress", "hookEvent": "PreToolUse"}})
            }),
        ),
        (
            "braces without an end",
            "{\"type\"".repeat(n) + "\n" + &prompt(0, "x").to_string(),
        ),
    ];
    for (name, lines) in shapes {
        let (run, _folder) = run_of(lines);
        assert!(run.skipped.lines > 0, "{name}");
        assert_eq!(run.skipped.unknown_types.len(), 0, "{name}");
    }
}

#[test]
fn names_from_a_file_are_cut_before_they_fill_the_memory() {
    let long = "n".repeat(1_000_000);
    let (run, _folder) = run_of(text(&[
        json!({"type": long, "sessionId": "s"}),
        reply(0, &long, json!([call(&long, &long, json!({}))])),
        error(5, &long, &long),
    ]));
    let call = call_at(&run, 1, 0);
    for name in [
        run.tool(call),
        run.names.get(call.id),
        run.names.get(call.error),
    ] {
        assert!(name.len() < 5_000);
    }
    assert_eq!(call.answer_bytes, 1_000_000);
    assert_eq!(
        call.end.map(|end| end.0),
        Some(5_000_000),
        "a cut id still pairs"
    );
}

//! Every foreign format with its files broken in small ways: a run that can be relied on, or a
//! clear error; never a panic, never a hang.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import_support;

use import_support::{Folder, fixtures, try_open};
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

const TOKENS: [&[u8]; 20] = [
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\n",
    b"null",
    b"-1",
    b"\xff",
    b"\\ud83d",
    b"1e999",
    b"NaN",
    b"-Infinity",
    b"99999999999999999999",
    b"{}",
    b"true",
    b"\"\"",
];

fn break_once(bytes: &mut Vec<u8>, dice: &mut Dice) {
    if bytes.is_empty() {
        return;
    }
    let at = dice.roll(bytes.len());
    let end = (at + 1 + dice.roll(60)).min(bytes.len());
    match dice.roll(9) {
        0 => bytes[at] ^= 1 << dice.roll(8),
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
        5 => {
            let depth = dice.roll(20_000);
            bytes.splice(at..at, std::iter::repeat_n(b'[', depth));
        }
        6 => number(bytes, at, dice),
        _ => {
            let mut lines: Vec<_> = bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            let (a, b) = (dice.roll(lines.len()), dice.roll(lines.len()));
            if dice.roll(2) == 0 {
                lines.swap(a, b);
            } else {
                let line = lines[a].clone();
                lines.insert(b, line);
            }
            *bytes = lines.join(&b'\n');
        }
    }
}

/// Puts an absurd number in the place of the next one.
fn number(bytes: &mut Vec<u8>, from: usize, dice: &mut Dice) {
    const NUMBERS: [&str; 7] = [
        "-9223372036854775808",
        "18446744073709551616",
        "1e308",
        "-0.0000001",
        "4611686018427387904",
        "253402300800000",
        "0",
    ];
    let start = bytes[from..].iter().position(u8::is_ascii_digit);
    let Some(start) = start.map(|start| from + start) else {
        return;
    };
    let digits = bytes[start..].iter().take_while(|b| b.is_ascii_digit());
    let end = start + digits.count();
    let new = NUMBERS[dice.roll(NUMBERS.len())];
    bytes.splice(start..end, new.bytes());
}

/// Everything that a reader of a run may rely on.
fn is_sound(run: &Run) {
    assert_eq!(run.threads[0].name, "main");
    let mut calls = 0;
    for (number, thread) in run.threads.iter().enumerate() {
        for (at, row) in thread.turns.iter().enumerate() {
            let turn = &run.turns[*row as usize];
            let place = (turn.thread.0 as usize, turn.number as usize);
            assert_eq!(place, (number, at + 1));
            for (index, call) in run.calls_of(turn).iter().enumerate() {
                assert_eq!((call.turn, call.index as usize), (*row, index));
                let earlier = |before: &u32| *before < call.index;
                assert!(run.indices_in(call.depends_on).iter().all(earlier));
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
            Bodies::text(run, body).unwrap();
        }
        let _ = (run.keys_in(call.reads), run.keys_in(call.writes));
        let _ = (run.names.get(call.error), run.tool(call));
    }
    let _ = summarise(run, &WhatIfOptions::default());
}

#[test]
fn broken_files_of_every_format_open_or_say_why_not() {
    let rounds = std::env::var("TURNLANE_FUZZ_ROUNDS").ok();
    let rounds: u64 = rounds.and_then(|n| n.parse().ok()).unwrap_or(250);
    let folder = Folder::new();
    for (which, (name, text)) in (1..).zip(fixtures::all()) {
        let mut opened = 0;
        for round in 0..rounds {
            let mut dice = Dice(round * 1_000 + which);
            let mut bytes = text.clone().into_bytes();
            for _ in 0..1 + dice.roll(4) {
                break_once(&mut bytes, &mut dice);
            }
            let path = folder.write("file", &bytes);
            match try_open(&path) {
                Ok(Opened::Run(run)) => {
                    is_sound(&run);
                    opened += 1;
                }
                Ok(Opened::Scenario(_)) => {}
                Err(error) => assert!(error.to_string().contains("file"), "{name} {round}"),
            }
        }
        assert!(opened > rounds / 2, "{name}: {opened} of {rounds} opened");
    }
}

#[test]
fn a_whole_file_of_every_format_is_sound_and_nothing_of_it_is_lost() {
    let folder = Folder::new();
    for (name, text) in fixtures::all() {
        let Ok(Opened::Run(run)) = try_open(&folder.write("file", &text)) else {
            panic!("{name} does not open")
        };
        is_sound(&run);
        assert!(!run.calls.is_empty(), "{name}");
        let skipped = &run.skipped;
        assert_eq!((skipped.bad_lines, skipped.orphans), (0, 0), "{name}");
        assert!(skipped.unknown_types.is_empty(), "{name}: {skipped:?}");
        assert!(skipped.unknown_fields.is_empty(), "{name}: {skipped:?}");
        assert_eq!(skipped.negative, 0, "{name}");
    }
}

#[test]
fn a_cut_at_every_byte_costs_no_more_than_what_is_behind_it() {
    let folder = Folder::new();
    for (name, text) in fixtures::all() {
        let mut calls = 0;
        for end in (text.len() / 2..text.len()).step_by(7) {
            if let Ok(Opened::Run(run)) = try_open(&folder.write("file", &text.as_bytes()[..end])) {
                is_sound(&run);
                assert!(
                    run.calls.len() >= calls,
                    "{name}: less calls in more of the file"
                );
                calls = run.calls.len();
            }
        }
        assert!(calls > 0, "{name}");
    }
}

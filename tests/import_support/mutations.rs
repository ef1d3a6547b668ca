//! Ways to break a file, the same every time, and what a run must still be.

#![allow(dead_code, clippy::unwrap_used)]

use turnlane::analyze::{WhatIfOptions, summarise};
use turnlane::trace::{Bodies, Run};

/// Numbers that look random and are the same every time.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, below: usize) -> usize {
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

pub(crate) fn break_once(bytes: &mut Vec<u8>, dice: &mut Dice) {
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
pub(crate) fn is_sound(run: &Run) {
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

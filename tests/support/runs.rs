//! Recorded runs made by hand, for what shows them.

use turnlane::model::{Cause, Outcome, Source, ThreadId, Timing};
use turnlane::time::{Nanos, Span};
use turnlane::trace::{BodyRef, Call, Pooled, Run, Thread, Turn};

/// A call of a [`Recording`]; times in microseconds from the turn's issue.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub tool: &'static str,
    pub start: Option<u64>,
    pub end: Option<u64>,
    pub outcome: Outcome,
    pub timing: Timing,
    pub cause: Option<(&'static str, u32)>,
    pub reads: Vec<&'static str>,
    pub writes: Vec<&'static str>,
    pub opaque: bool,
    pub late: Option<u64>,
    pub error: &'static str,
}

/// A measured call that answered.
pub fn call(tool: &'static str, start: u64, end: u64) -> Recorded {
    Recorded {
        tool,
        start: Some(start),
        end: Some(end),
        outcome: Outcome::Ok,
        timing: Timing::Measured,
        cause: Some(("issued", 0)),
        reads: Vec::new(),
        writes: Vec::new(),
        opaque: false,
        late: None,
        error: "",
    }
}

impl Recorded {
    pub fn reads(mut self, key: &'static str) -> Self {
        self.reads.push(key);
        self
    }

    pub fn writes(mut self, key: &'static str) -> Self {
        self.writes.push(key);
        self
    }

    pub fn opaque(mut self) -> Self {
        self.opaque = true;
        self
    }

    /// `("after", 1)`, `("barrier", 2)`, or a key and the call that had it.
    pub fn because(mut self, what: &'static str, after: u32) -> Self {
        self.cause = Some((what, after));
        self
    }

    pub fn ended(mut self, outcome: Outcome) -> Self {
        self.outcome = outcome;
        self
    }

    pub fn timed(mut self, timing: Timing) -> Self {
        self.timing = timing;
        self
    }
}

/// A run in the making.
#[derive(Debug, Default)]
pub struct Recording {
    pub run: Run,
    now: u64,
}

impl Recording {
    pub fn new(policy: &str, model: &str) -> Self {
        let mut run = Run::default();
        run.meta.policy = policy.to_owned();
        run.meta.model = model.to_owned();
        run.threads.push(Thread {
            name: "main".to_owned(),
            ..Thread::default()
        });
        Self { run, now: 0 }
    }

    pub fn thread(&mut self, name: &str) {
        self.run.threads.push(Thread {
            name: name.to_owned(),
            ..Thread::default()
        });
    }

    /// Adds a turn to the thread that was added last.
    pub fn turn(&mut self, model_ms: u64, calls: &[Recorded]) {
        let issued = self.now + model_ms * 1_000_000;
        let index = self.run.turns.len() as u32;
        let first = self.run.calls.len() as u32;
        let mut end = issued;
        for (i, recorded) in (0..).zip(calls) {
            let at = |us: Option<u64>| us.map(|us| Nanos(issued + us * 1_000));
            let call = self.row(
                index,
                i,
                recorded,
                issued,
                at(recorded.start),
                at(recorded.end),
            );
            end = end.max(call.end.map_or(0, |end| end.0));
            self.run.calls.push(call);
        }
        let thread = self.run.threads.len() - 1;
        let number = self.run.threads[thread].turns.len() as u32 + 1;
        self.run.threads[thread].turns.push(index);
        let model_name = self.run.names.intern("glm-5.3");
        self.run.turns.push(Turn {
            origin: 0,
            thread: ThreadId(thread as u32),
            number,
            at: Some(Nanos(issued)),
            model: Some(Span::new(Nanos(self.now), Nanos(issued))),
            model_timing: Timing::Measured,
            model_name,
            calls: Pooled {
                start: first,
                len: calls.len() as u32,
            },
            end: Some(Nanos(end)),
        });
        self.now = end + 20_000_000;
    }

    fn row(
        &mut self,
        turn: u32,
        index: u32,
        recorded: &Recorded,
        issued: u64,
        start: Option<Nanos>,
        end: Option<Nanos>,
    ) -> Call {
        let keys = &mut self.run.keys;
        let cause = recorded.cause.map(|(what, after)| match what {
            "issued" => Cause::Issued,
            "after" => Cause::After { after },
            "barrier" => Cause::Barrier { after },
            "slot" => Cause::Slot { after },
            key => Cause::Key {
                key: keys.intern_text(key),
                after,
            },
        });
        let reads: Vec<_> = recorded.reads.iter().map(|k| keys.intern_text(k)).collect();
        let writes: Vec<_> = recorded
            .writes
            .iter()
            .map(|k| keys.intern_text(k))
            .collect();
        Call {
            turn,
            index,
            tool: self.run.names.intern(recorded.tool),
            issued: Some(Nanos(issued)),
            start,
            end,
            timing: recorded.timing,
            outcome: recorded.outcome,
            cause: cause.filter(|_| start.is_some()),
            slot: start.map(|_| index),
            reads: self.run.pool_keys(&reads),
            writes: self.run.pool_keys(&writes),
            opaque: recorded.opaque,
            source: if recorded.opaque {
                Source::Undeclared
            } else {
                Source::Declared
            },
            late: recorded.late.map(|us| Nanos(issued + us * 1_000)),
            error: self.run.names.intern(recorded.error),
            args: BodyRef {
                file: 0,
                offset: 0,
                len: 38,
            },
            answer: BodyRef {
                file: 0,
                offset: 38,
                len: 120,
            },
            answer_bytes: 120,
            ..Call::default()
        }
    }
}

/// A coding agent's run, as in DESIGN's sketch: 31 turns, few of them with several calls, and
/// nearly all the time in a test run and a patch.
pub fn triage() -> Run {
    let mut recording = Recording::new("staged", "glm-5.3");
    let read = |key| call("code_read", 0, 4_100).reads(key);
    for turn in 1..=31 {
        match turn {
            12 => recording.turn(3_100, &mixed()),
            7 | 21 => recording.turn(2_200, &[read("file:src/a.rs"), read("file:src/b.rs")]),
            28 => recording.turn(
                2_750,
                &[
                    call("code_search", 0, 9_300).reads("file:**"),
                    read("file:src/lib.rs"),
                    read("file:Cargo.toml"),
                ],
            ),
            5 | 30 => recording.turn(1_900, &[]),
            n if n % 3 == 0 => {
                recording.turn(2_400, &[call("run_tests", 0, 823_000 + n * 1_000).opaque()])
            }
            n => recording.turn(2_600 + n * 17, &[read("file:src/a.rs")]),
        }
    }
    recording.run
}

/// Two reads, a patch, a test run and another read, staged.
pub fn mixed() -> Vec<Recorded> {
    vec![
        call("code_read", 0, 4_100).reads("file:src/a.rs"),
        call("code_read", 0, 5_000).reads("file:src/b.rs"),
        call("code_patch", 5_000, 417_000)
            .writes("file:src/a.rs")
            .because("after", 1),
        call("run_tests", 417_000, 1_240_000)
            .opaque()
            .because("barrier", 2),
        call("code_read", 1_240_000, 1_244_100)
            .reads("file:src/a.rs")
            .because("barrier", 3),
    ]
}

/// What a timeline can hold, one of each.
pub fn states() -> Run {
    let mut recording = Recording::new("keyed", "glm-5.3");
    let mut late = call("update_invoice", 100_000, 400_000).writes("invoice:8123");
    late.late = Some(900_000);
    let mut denied = call("refund", 0, 0)
        .writes("invoice:9")
        .ended(Outcome::Denied);
    (denied.start, denied.end) = (None, Some(250_000));
    let mut not_run = call("ship_order", 0, 0)
        .writes("order:1")
        .ended(Outcome::NotRun);
    (not_run.start, not_run.end) = (None, Some(700_000));
    let mut open = call("watch_build", 300_000, 0)
        .opaque()
        .ended(Outcome::Unfinished);
    open.end = None;
    let mut failed = call("charge_card", 400_000, 700_000).writes("invoice:8123");
    failed.error = "the store refused: revision 4 is not 5";
    recording.turn(
        3_100,
        &[
            call("get_invoice", 0, 200_000).reads("invoice:8123"),
            late.ended(Outcome::Indeterminate)
                .because("invoice:8123", 0),
            failed.ended(Outcome::Conflict).because("invoice:8123", 1),
            call("lookup", 0, 650_000)
                .reads("ticket:1")
                .timed(Timing::Bound),
            call("lookup", 50_000, 60_000)
                .reads("ticket:2")
                .timed(Timing::Unknown)
                .because("slot", 0),
            denied,
            not_run,
            open,
        ],
    );
    recording.run
}

/// The invoice turn of the worked examples, everything at once.
pub fn invoices() -> Run {
    let mut recording = Recording::new("all-at-once", "glm-5.3");
    let lookup = |key| call("lookup", 0, 200_000).reads(key);
    recording.turn(2_400, &[lookup("ticket:0")]);
    recording.turn(
        3_100,
        &[
            call("get_invoice", 0, 200_000).reads("invoice:8123"),
            call("update_invoice", 0, 100_000).writes("invoice:8123"),
            call("charge_card", 0, 100_000).writes("invoice:8123"),
            lookup("ticket:1"),
            lookup("ticket:2"),
            lookup("ticket:3"),
            lookup("ticket:4"),
            lookup("ticket:5"),
        ],
    );
    recording.run
}

/// Names, keys and errors that try to take over the terminal.
pub fn hostile() -> Run {
    let mut recording = Recording::new("sta\x1b[2Jged", "glm\u{202e}5");
    let evil = [
        "plain",
        "\x1b]52;c;QUJD\x07clip",
        "\u{9b}2Jclear",
        "👨‍👩‍👧 family",
        "❤\u{fe0f} heart",
        "日本語の道具",
        "e\u{301}cole",
        "a\tb\nc",
        "\u{202e}gnp.exe",
        "zero\u{200b}\u{feff}width",
        "",
        "\u{301}\u{301}lone",
        "a very long tool name that goes on and on and on",
    ];
    let calls: Vec<Recorded> = (0..)
        .zip(evil)
        .map(|(i, tool)| {
            let mut call = call(tool, i * 10_000, 300_000 + i * 20_000);
            call.error = "\x1b[31mred\u{9d}0;title\u{9c}";
            call.reads("file:\x1b[H/\u{2066}evil").because(
                if i == 0 {
                    "issued"
                } else {
                    "k\x1b]8;;x:\u{200d}y"
                },
                0,
            )
        })
        .collect();
    recording.turn(1_000, &calls);
    recording.run
}

//! Runs with sub-agents, gaps and questions to a person.

use turnlane::model::{Outcome, Source, ThreadId, Timing};
use turnlane::time::{Nanos, Span};
use turnlane::trace::{Call, ParentCall, Pooled, Run, Thread, Turn};

fn ms(ms: u64) -> Nanos {
    Nanos::from_millis(ms)
}

/// A run in the making; times in milliseconds from its start.
#[derive(Debug, Default)]
pub struct Agents {
    pub run: Run,
}

impl Agents {
    pub fn new() -> Self {
        let mut agents = Self::default();
        agents.thread("main", None);
        agents
    }

    /// Adds a thread, started by a call: thread, turn from 1, call from 0.
    pub fn thread(&mut self, name: &str, parent: Option<(u32, u32, u32)>) -> usize {
        let parent = parent.map(|(thread, turn, call)| ParentCall {
            thread: ThreadId(thread),
            turn,
            call,
        });
        self.run.threads.push(Thread {
            name: name.to_owned(),
            parent,
            ..Thread::default()
        });
        self.run.threads.len() - 1
    }

    /// Adds a turn; the model from when to when, and its calls.
    pub fn turn(&mut self, thread: usize, model: Option<(u64, u64)>, calls: &[(&str, Call)]) {
        let turn = self.run.turns.len() as u32;
        let start = self.run.calls.len() as u32;
        for (index, (tool, call)) in (0u32..).zip(calls) {
            self.run.calls.push(Call {
                turn,
                index,
                tool: self.run.names.intern(tool),
                source: Source::Declared,
                ..*call
            });
        }
        let number = self.run.threads[thread].turns.len() as u32 + 1;
        self.run.threads[thread].turns.push(turn);
        self.run.turns.push(Turn {
            origin: 0,
            thread: ThreadId(thread as u32),
            number,
            at: model.map(|(_, to)| ms(to)),
            model: model.map(|(from, to)| Span::new(ms(from), ms(to))),
            model_timing: model.map_or(Timing::Unknown, |_| Timing::Measured),
            model_name: Default::default(),
            calls: Pooled {
                start,
                len: calls.len() as u32,
            },
            end: None,
        });
    }
}

/// A call that ran.
pub fn ran(issued: u64, start: u64, end: u64) -> Call {
    Call {
        issued: Some(ms(issued)),
        start: Some(ms(start)),
        end: Some(ms(end)),
        timing: Timing::Measured,
        outcome: Outcome::Ok,
        ..Call::default()
    }
}

/// A call of which only the issue and the result are known.
pub fn bound(issued: u64, end: u64) -> Call {
    Call {
        start: None,
        timing: Timing::Bound,
        ..ran(issued, issued, end)
    }
}

/// A call that a person was asked about first.
pub fn asked(issued: u64, granted: u64, end: u64) -> Call {
    Call {
        asked: Some(ms(issued)),
        granted: Some(ms(granted)),
        approval: true,
        ..ran(issued, granted, end)
    }
}

/// An evening of work with two sub-agents, one of which has one of its own; a question; a night;
/// a morning.
pub fn overnight() -> Run {
    const MORNING: u64 = 12 * 3_600_000 + 200_000;
    let mut agents = Agents::new();
    agents.turn(0, Some((0, 8_000)), &[("read", ran(8_000, 8_000, 8_400))]);
    agents.turn(
        0,
        Some((9_000, 20_000)),
        &[
            ("task", ran(20_000, 20_000, 80_000)),
            ("task", ran(20_000, 20_000, 60_000)),
        ],
    );
    agents.turn(
        0,
        Some((80_000, 92_000)),
        &[
            ("read", ran(92_000, 92_000, 92_200)),
            ("read", ran(92_000, 92_000, 92_300)),
            ("read", ran(92_000, 92_000, 92_400)),
            ("charge", asked(92_000, 122_000, 124_000)),
        ],
    );
    agents.turn(0, Some((125_000, 130_000)), &[]);
    agents.turn(
        0,
        Some((MORNING, MORNING + 30_000)),
        &[
            ("test", bound(MORNING + 30_000, MORNING + 55_000)),
            (
                "patch",
                ran(MORNING + 30_000, MORNING + 58_000, MORNING + 60_000),
            ),
        ],
    );
    agents.turn(0, Some((MORNING + 60_000, MORNING + 64_000)), &[]);
    let first = agents.thread("explore", Some((0, 2, 0)));
    let second = agents.thread("review", Some((0, 2, 1)));
    let third = agents.thread("look-up", Some((first as u32, 1, 0)));
    agents.turn(
        first,
        Some((21_000, 30_000)),
        &[("task", ran(30_000, 30_000, 70_000))],
    );
    agents.turn(first, Some((70_000, 79_000)), &[]);
    for n in 0..6 {
        let at = 22_000 + n * 6_000;
        agents.turn(
            second,
            Some((at, at + 4_000)),
            &[("read", ran(at + 4_000, at + 4_000, at + 5_900))],
        );
    }
    agents.turn(
        third,
        Some((31_000, 68_000)),
        &[("read", ran(68_000, 68_000, 69_000))],
    );
    agents.run
}

/// The same threads without any time.
pub fn untimed() -> Run {
    let mut run = overnight();
    for turn in &mut run.turns {
        (turn.at, turn.model, turn.end) = (None, None, None);
        turn.model_timing = Timing::Unknown;
    }
    for call in &mut run.calls {
        (call.issued, call.start, call.end) = (None, None, None);
        (call.asked, call.granted) = (None, None);
        call.timing = Timing::Unknown;
    }
    run
}

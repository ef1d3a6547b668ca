//! What the driver reports while a turn runs. Events come from the driver, never from a tool's
//! task, and in the order in which things were decided.

use std::io;

use crate::model::{CallKey, CallRequest, Cause, Effects, KeyTable, Outcome, Timing};
use crate::time::{Nanos, Span};

/// Something that happened. Times count from the run's start.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A reply was received.
    Turn {
        /// Its number, from 1.
        turn: u32,
        /// When it was complete.
        at: Nanos,
        /// How many calls it holds.
        calls: usize,
        /// The model's time before it and where that comes from.
        model: Option<(Span, Timing)>,
    },
    /// A call was issued; one for each call, in issue order, before any start of the turn.
    Call {
        /// Which.
        key: CallKey,
        /// As the model asked for it.
        request: &'a CallRequest,
        /// What it touches.
        effects: &'a Effects,
        /// How many calls must end one after another before it.
        stage: u32,
        /// True where it has to be granted first.
        approval: bool,
        /// When the model had issued it.
        issued: Nanos,
    },
    /// A call's approval was asked for.
    Ask {
        /// Which.
        key: CallKey,
        /// When.
        at: Nanos,
    },
    /// The question was answered.
    Granted {
        /// Which.
        key: CallKey,
        /// When.
        at: Nanos,
        /// Yes or no.
        grant: bool,
    },
    /// A body is about to run. It runs only if every observer has recorded this.
    Start {
        /// Which.
        key: CallKey,
        /// When.
        at: Nanos,
        /// The slot it holds.
        slot: u32,
        /// Why now.
        cause: Cause,
        /// Calls on its keys that were given up and may still be running, of this turn or, carried
        /// along, of an earlier one.
        beside: &'a [CallKey],
    },
    /// A call has its answer; also for calls that never started.
    End {
        /// Which.
        key: CallKey,
        /// When it let go of its keys.
        at: Nanos,
        /// How it ended.
        outcome: Outcome,
        /// The answer or the error's text, as it goes back to the model.
        text: &'a str,
        /// The tool's own figure for how long it ran.
        own: Option<Nanos>,
    },
    /// A body that had been given up has ended after all.
    Late {
        /// Which.
        key: CallKey,
        /// When.
        at: Nanos,
        /// How it ended.
        outcome: Outcome,
        /// Its answer or error text, which nobody waits for any more.
        text: &'a str,
    },
    /// All calls of the turn have their answers.
    TurnEnd {
        /// Its number.
        turn: u32,
        /// When.
        at: Nanos,
        /// For each key that several started calls of the turn touch: the calls in the order in
        /// which they started.
        key_order: &'a [(crate::model::KeyId, Vec<u32>)],
    },
}

/// Takes the events of a run, one after another.
pub trait Observer: Send {
    /// Records one event. `keys` holds the keys that the event mentions.
    ///
    /// # Errors
    /// Where it cannot be recorded. The turn then stops: no body runs unrecorded.
    fn record(&mut self, event: &Event<'_>, keys: &KeyTable) -> io::Result<()>;
}

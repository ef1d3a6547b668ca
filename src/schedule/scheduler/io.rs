//! What goes in and what comes out.

use crate::model::{Cause, Outcome};
use crate::time::Nanos;

/// Something that has happened. All inputs of one instant go into one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// The reply is complete; its calls are issued.
    Begin,
    /// A call's body has ended. For a call that was told to stop, `Cancelled` acknowledges.
    Finished {
        /// The call.
        call: u32,
        /// How its body ended.
        outcome: Outcome,
    },
    /// A call's body has failed and nothing is left to try: it counts as `failed`, and every
    /// unstarted call answers `not_run`.
    Fatal {
        /// The call.
        call: u32,
    },
    /// A time asked for with [`Effect::WakeAt`] has come. The step looks at the clock anyway, so
    /// an early or a repeated wake-up does no harm.
    Deadline,
    /// A call's approval was given.
    Granted {
        /// The call.
        call: u32,
    },
    /// A call's approval was refused.
    Denied {
        /// The call.
        call: u32,
    },
    /// The caller gives up the turn: waiting calls never start, running ones are told to stop.
    Cancel,
}

/// Something the driver has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Ask for a call's approval.
    Ask {
        /// The call.
        call: u32,
    },
    /// Start a call's body.
    Start {
        /// The call.
        call: u32,
        /// The lowest slot that was free.
        slot: u32,
        /// Why now.
        cause: Cause,
    },
    /// Tell a running body to stop. Its key and slot are free already.
    Cancel {
        /// The call.
        call: u32,
    },
    /// The grace is over: drop the body.
    Abort {
        /// The call.
        call: u32,
    },
    /// A call's answer is fixed. Each call settles exactly once.
    Settle {
        /// The call.
        call: u32,
        /// How it ended.
        outcome: Outcome,
        /// When it let go of its keys and its slot; for a call that never started, now.
        end: Nanos,
    },
    /// Step again at this time, at the latest; it may be the present.
    WakeAt(
        /// The time, on the driver's clock.
        Nanos,
    ),
    /// Every call has settled.
    Done,
}

//! Following a run that is still going on.

use super::viewer::Model;
use crate::model::Outcome;
use crate::time::Nanos;
use crate::trace::{Call, Thread};
use crate::tui::msg::Cmd;
use crate::tui::report::Drawn;

/// Following the file of the run on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tui) struct Follow {
    pub(in crate::tui) on: bool,
    /// Number of the last time it was asked for: news of an earlier one are none.
    pub(in crate::tui) id: u32,
    /// The time by now, counted from the run's start; `None` where nobody knows it.
    pub(in crate::tui) now: Option<Nanos>,
    /// True where this program is what the run goes on in.
    pub(in crate::tui) own: bool,
    /// True once the user was asked whether to cancel the run.
    pub(in crate::tui) asked: bool,
}

/// A call that is not over, while its run goes on.
fn is_in_flight(call: &Call) -> bool {
    call.outcome == Outcome::Unfinished && call.end.is_none()
}

impl Model {
    /// Follows the file from the first frame on, from its last turn. `own` where the run goes on
    /// in this program: the user is asked before quitting cancels it.
    pub fn follow_from_start(&mut self, own: bool) {
        self.follow.on = true;
        self.follow.own = own;
        // The verdict must not take the user elsewhere.
        self.touched = true;
        self.turn = self.turns().len().saturating_sub(1);
        self.turn_changed();
    }

    /// What has to be done outside before anything happens.
    pub(in crate::tui) fn first_command(&self) -> Option<Cmd> {
        self.follow.on.then_some(Cmd::Follow(self.follow.id))
    }

    /// True while the file is followed.
    #[must_use]
    pub const fn is_following(&self) -> bool {
        self.follow.on
    }

    /// What the header says while the file is followed.
    pub(in crate::tui) fn following(&self) -> Option<&'static str> {
        match (self.run.ended, self.follow.own) {
            _ if !self.follow.on => None,
            (Some(_), _) => Some("run is over"),
            (None, true) => Some("recording"),
            (None, false) => Some("following"),
        }
    }

    /// The time by now, counted from the turn's first issue, where calls of the turn on the
    /// screen are running or waiting right now.
    pub(in crate::tui) fn in_flight(&self) -> Option<Nanos> {
        let now = self.follow.now.filter(|_| self.follow.on)?;
        let is_last = self.turn + 1 == self.turns().len();
        if !is_last || self.drawn != Drawn::Recorded || self.run.ended.is_some() {
            return None;
        }
        let calls = self.calls();
        let issued = calls.iter().filter_map(|call| call.issued).min();
        let origin = issued.or_else(|| calls.iter().filter_map(|call| call.start).min())?;
        calls.iter().any(is_in_flight).then_some(now.since(origin))
    }

    /// True while the run goes on: then its time has to go on too, whatever is on the screen.
    pub(in crate::tui) fn goes_on(&self) -> bool {
        let last = |thread: &Thread| self.run.turns.get(*thread.turns.last()? as usize);
        let is_open = |turn| self.run.calls_of(turn).iter().any(is_in_flight);
        self.follow.on
            && self.follow.now.is_some()
            && self.run.ended.is_none()
            && self.run.threads.iter().filter_map(last).any(is_open)
    }

    /// True where the file says when bodies start, so that a call without a start is waiting.
    pub(in crate::tui) fn knows_starts(&self) -> bool {
        self.run.meta.source == "turnlane"
    }

    /// An axis with room for what runs now. It grows in steps: what is on the screen should move
    /// seldom.
    pub(in crate::tui) fn axis_by_now(&self, axis: Nanos) -> Nanos {
        let Some(now) = self.in_flight() else {
            return axis;
        };
        let mut axis = axis.max(Nanos::from_millis(1));
        while axis <= now {
            axis = Nanos(axis.0.saturating_add(axis.0 / 4 + 1));
            if axis == Nanos::MAX {
                break;
            }
        }
        axis
    }
}

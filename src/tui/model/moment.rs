//! How much of the drawn schedule has happened.

use super::play::last_moment;
use super::viewer::Model;
use crate::time::Nanos;

/// How much of the drawn schedule is drawn. Times count from the turn's first issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Moment {
    /// All of it.
    All,
    /// What has happened by now in a schedule that is played.
    Played(Nanos),
    /// What the file holds, and what is running right now.
    Live {
        /// The time by now.
        at: Nanos,
        /// True where a call without a start is known to wait.
        knows_starts: bool,
    },
}

impl Model {
    /// How much of the drawn schedule is drawn.
    pub(in crate::tui) fn moment(&self) -> Moment {
        match (self.player.clock, self.in_flight()) {
            (Some(clock), _) => Moment::Played(clock.at),
            (None, Some(at)) => Moment::Live {
                at,
                knows_starts: self.knows_starts(),
            },
            (None, None) => Moment::All,
        }
    }

    /// Where playing the drawn schedule ends; `None` where there is nothing to play.
    pub(in crate::tui) fn play_end(&self) -> Option<Nanos> {
        let schedule = self.schedule()?;
        Some(last_moment(schedule)).filter(|end| *end > Nanos::ZERO)
    }
}

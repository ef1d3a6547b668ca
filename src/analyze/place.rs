//! Where a call stands in a run, in the order in which a person reads it.

use crate::trace::{Run, Turn};

/// Where a call stands: thread, turn, call. Ordered as the run is read: the main thread first,
/// its turns in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The thread, as an index of [`Run::threads`].
    pub thread: u32,
    /// The turn's place in its thread, from 0.
    pub turn: u32,
    /// The call's index in the turn; 0 also for a turn without calls.
    pub call: u32,
}

impl Place {
    /// The first and the last place that a turn can hold.
    #[must_use]
    pub const fn of_turn(thread: u32, turn: u32) -> (Self, Self) {
        let (first, last) = (0, u32::MAX);
        (
            Self {
                thread,
                turn,
                call: first,
            },
            Self {
                thread,
                turn,
                call: last,
            },
        )
    }
}

/// Every turn of a run with the place of its first call, in the order of [`Place`].
pub fn turns_in_order(run: &Run) -> impl Iterator<Item = (Place, &Turn)> {
    (0..).zip(&run.threads).flat_map(move |(thread, line)| {
        (0..).zip(&line.turns).filter_map(move |(turn, &at)| {
            let (place, _) = Place::of_turn(thread, turn);
            Some((place, run.turns.get(at as usize)?))
        })
    })
}

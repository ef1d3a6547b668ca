//! The place in a recording that a command line names.

use super::args::AtArgs;
use super::failure::Failure;
use crate::analyze::Place;
use crate::text::clean;
use crate::trace::Run;

/// The place in a recording that a command line names, if it names one.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    turn: Option<u32>,
    call: u32,
    thread: Option<String>,
}

impl Wanted {
    pub(super) fn of(args: &AtArgs) -> Self {
        Self {
            turn: args.turn,
            call: args.call.unwrap_or(0),
            thread: args.thread.clone(),
        }
    }

    /// Where that is in a run.
    pub(super) fn place(&self, run: &Run) -> Result<Option<Place>, Failure> {
        let Some(number) = self.turn else {
            return Ok(None);
        };
        let thread = self.thread_in(run)?;
        let line = run.threads.get(thread);
        let turns = line.map_or(&[][..], |line| line.turns.as_slice());
        let name = line.map_or("main", |line| line.name.as_str());
        let turn = turns
            .iter()
            .position(|&turn| run.turns[turn as usize].number == number)
            .ok_or_else(|| {
                let (name, last) = (clean(name), turns.len());
                Failure::Unreadable(match thread {
                    0 => format!("no turn {number}; the main thread has turns 1 to {last}"),
                    _ => format!("no turn {number}; the thread {name} has turns 1 to {last}"),
                })
            })?;
        let calls = run.turns[turns[turn] as usize].calls.len;
        if self.call >= calls.max(1) {
            return Err(Failure::Unreadable(format!(
                "no call {}; turn {number} has {calls} calls, counted from 0",
                self.call
            )));
        }
        let place = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Ok(Some(Place {
            thread: place(thread),
            turn: place(turn),
            call: self.call,
        }))
    }

    /// The turn, as an index of the run's turns.
    pub(super) fn turn_of(&self, run: &Run) -> Result<Option<usize>, Failure> {
        let place = self.place(run)?;
        Ok(place.map(|at| run.threads[at.thread as usize].turns[at.turn as usize] as usize))
    }

    fn thread_in(&self, run: &Run) -> Result<usize, Failure> {
        let Some(wanted) = &self.thread else {
            return Ok(0);
        };
        let found = run.threads.iter().position(|line| line.name == *wanted);
        found.ok_or_else(|| {
            let names: Vec<_> = run.threads.iter().map(|line| clean(&line.name)).collect();
            let some = names.iter().take(10).map(AsRef::as_ref);
            let some: Vec<&str> = some.collect();
            let more = match names.len().saturating_sub(some.len()) {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            let wanted = clean(wanted);
            Failure::Unreadable(format!(
                "no thread {wanted}; there are {}{more}",
                some.join(", ")
            ))
        })
    }
}

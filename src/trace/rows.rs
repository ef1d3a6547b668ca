//! The rows of a run while it is being read: lines of several turns may come interleaved, rows of
//! one turn lie side by side.

use std::collections::HashMap;

use super::names::Sym;
use super::run::{Call, ParentCall, Pooled, Run, Thread, Turn};
use super::skipped::cut;
use crate::model::{Outcome, ThreadId, Timing};

/// Labels longer than this are cut: the index must stay small next to the file.
const LONGEST_LABEL: usize = 4_096;

/// A run that grows, with what it takes to find a row again.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) run: Run,
    threads: HashMap<String, ThreadId>,
    turns: HashMap<(ThreadId, u32), u32>,
    /// Rows that do not lie at first row + index; everything else is found by counting.
    strays: HashMap<(u32, u32), u32>,
    unsorted: bool,
}

impl Rows {
    pub(crate) fn new() -> Self {
        let mut rows = Self {
            run: Run::default(),
            threads: HashMap::new(),
            turns: HashMap::new(),
            strays: HashMap::new(),
            unsorted: false,
        };
        rows.thread(super::line::MAIN);
        rows
    }

    /// The thread of that name; a new one where there is none.
    pub(crate) fn thread(&mut self, name: &str) -> ThreadId {
        let name = if name.is_empty() {
            super::line::MAIN
        } else {
            name
        };
        if let Some(id) = self.threads.get(name) {
            return *id;
        }
        let id = ThreadId(small(self.run.threads.len()));
        self.run.threads.push(Thread {
            name: name.to_owned(),
            ..Thread::default()
        });
        self.threads.insert(name.to_owned(), id);
        id
    }

    /// The row of a turn and whether it is new.
    pub(crate) fn turn(&mut self, thread: ThreadId, number: u32) -> (u32, bool) {
        if let Some(row) = self.turns.get(&(thread, number)) {
            return (*row, false);
        }
        let row = small(self.run.turns.len());
        self.run.turns.push(Turn {
            thread,
            number,
            at: None,
            model: None,
            model_timing: Timing::Unknown,
            model_name: Sym::default(),
            origin: 0,
            calls: Pooled::default(),
            end: None,
        });
        self.turns.insert((thread, number), row);
        if let Some(thread) = self.run.threads.get_mut(thread.0 as usize) {
            thread.turns.push(row);
        }
        (row, true)
    }

    pub(crate) fn turn_mut(&mut self, row: u32) -> Option<&mut Turn> {
        self.run.turns.get_mut(row as usize)
    }

    /// Adds a call; `false` where its turn has one at that place already.
    pub(crate) fn add_call(&mut self, call: Call) -> bool {
        if self.position(call.turn, call.index).is_some() {
            return false;
        }
        let at = small(self.run.calls.len());
        let Some(turn) = self.run.turns.get_mut(call.turn as usize) else {
            return false;
        };
        if turn.calls.len == 0 {
            turn.calls.start = at;
        }
        let next_in_line = at == turn.calls.start + turn.calls.len;
        if next_in_line {
            turn.calls.len += 1;
        }
        if !next_in_line || call.index != at - turn.calls.start {
            self.strays.insert((call.turn, call.index), at);
            self.unsorted = true;
        }
        self.run.calls.push(call);
        true
    }

    /// The call at that place, if it was seen.
    pub(crate) fn call(&mut self, thread: &str, turn: u32, index: u32) -> Option<&mut Call> {
        let name = if thread.is_empty() {
            super::line::MAIN
        } else {
            thread
        };
        let thread = *self.threads.get(name)?;
        let row = *self.turns.get(&(thread, turn))?;
        let at = self.position(row, index)?;
        self.run.calls.get_mut(at as usize)
    }

    /// Brings the rows of each turn together and counts what is open.
    pub(crate) fn settle(&mut self) {
        if self.unsorted {
            self.sort();
        }
        for thread in 0..self.run.threads.len() {
            let mut turns = std::mem::take(&mut self.run.threads[thread].turns);
            turns.sort_by_key(|row| self.run.turns.get(*row as usize).map(|turn| turn.number));
            self.run.threads[thread].turns = turns;
        }
        count_labels(&mut self.run);
    }

    /// Says which call started a thread; a link that is none counts as unlinked.
    pub(crate) fn link(&mut self, child: ThreadId, parent: ParentCall) {
        if !self.run.link(child, parent) {
            self.run.skipped.unlinked += 1;
        }
    }

    fn position(&self, row: u32, index: u32) -> Option<u32> {
        let turn = self.run.turns.get(row as usize)?;
        if index < turn.calls.len {
            let at = turn.calls.start + index;
            let call = self.run.calls.get(at as usize)?;
            if call.turn == row && call.index == index {
                return Some(at);
            }
        }
        self.strays.get(&(row, index)).copied()
    }

    fn sort(&mut self) {
        self.run.calls.sort_by_key(|call| (call.turn, call.index));
        self.strays.clear();
        for turn in &mut self.run.turns {
            turn.calls = Pooled::default();
        }
        for (at, call) in self.run.calls.iter().enumerate() {
            let at = small(at);
            let Some(turn) = self.run.turns.get_mut(call.turn as usize) else {
                continue;
            };
            if turn.calls.len == 0 {
                turn.calls.start = at;
            }
            turn.calls.len += 1;
            if call.index != at - turn.calls.start {
                self.strays.insert((call.turn, call.index), at);
            }
        }
        self.unsorted = false;
    }
}

/// Counts calls without a result and calls whose id says nothing.
pub(crate) fn count_labels(run: &mut Run) {
    let mut seen: HashMap<Sym, u64> = HashMap::new();
    for call in &run.calls {
        *seen.entry(call.id).or_insert(0) += 1;
    }
    let repeated = seen.iter().filter(|(id, n)| **n > 1 || **id == Sym(0));
    run.skipped.duplicate_ids = repeated.map(|(_, n)| n).sum();
    let open = |call: &&Call| call.outcome == Outcome::Unfinished;
    run.skipped.open_calls = run.calls.iter().filter(open).count() as u64;
}

/// A label as a number; one of absurd length is cut.
pub(crate) fn label(run: &mut Run, text: &str) -> Sym {
    run.names.intern(&cut(text, LONGEST_LABEL))
}

/// A row number. Beyond four billion rows the memory has long ended.
pub(crate) fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

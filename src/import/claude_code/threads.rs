//! Which thread a line belongs to: the session itself, or one of its sub-agents.

use std::collections::HashMap;

use super::line::Envelope;
use crate::import::value::Stamp;
use crate::trace::cut;

/// Longer names are cut: the index must stay small next to the file.
const LONGEST_NAME: usize = 200;

/// What tells a sub-agent's thread from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// The agent's id.
    Agent(String),
    /// The id of the call that started it.
    Call(String),
}

#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) key: Option<Key>,
    pub(super) name: String,
    /// The time of its last user line so far: the model was asked then.
    pub(super) asked: Stamp,
    /// Its replies in order of their first lines.
    pub(super) replies: Vec<u32>,
    lines: u64,
}

/// The thread of the lines in a file that name none, and the agent whose file it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) thread: u32,
    pub(super) is_agent: bool,
}

#[derive(Debug)]
pub(super) struct Threads {
    pub(super) rows: Vec<Row>,
    pub(super) main: u32,
    by_key: HashMap<Key, u32>,
    /// Lines of sub-agents that name no agent, by their id: a line follows its parent.
    chains: HashMap<u128, u32>,
    chain_count: u32,
}

impl Threads {
    pub(super) fn new() -> Self {
        Self {
            rows: vec![Row::default()],
            main: 0,
            by_key: HashMap::new(),
            chains: HashMap::new(),
            chain_count: 0,
        }
    }

    /// The root of an agent's file, or of the session.
    pub(super) fn root(&mut self, agent: Option<&str>) -> Root {
        Root {
            thread: agent.map_or(self.main, |id| self.by_key(Key::Agent(id.to_owned()))),
            is_agent: agent.is_some(),
        }
    }

    /// The thread of a line of the file with that root.
    pub(super) fn of(&mut self, root: Root, line: &Envelope<'_>) -> u32 {
        let thread = if !line.parent_call.is_empty() {
            self.by_key(Key::Call(line.parent_call.clone().into_owned()))
        } else if line.sidechain && !line.agent.is_empty() {
            self.by_key(Key::Agent(line.agent.clone().into_owned()))
        } else if line.sidechain && !root.is_agent {
            self.chain(line)
        } else {
            root.thread
        };
        self.rows[thread as usize].lines += 1;
        thread
    }

    /// Keeps a line that is no message in its sub-agent's chain: messages may follow it.
    pub(super) fn follow(&mut self, line: &Envelope<'_>) {
        let parent = line
            .parent
            .filter(|_| line.sidechain && line.agent.is_empty());
        let thread = parent.and_then(|parent| self.chains.get(&parent).copied());
        if let (Some(thread), Some(uuid)) = (thread, line.uuid) {
            self.chains.insert(uuid, thread);
        }
    }

    /// In a file of nothing but a sub-agent's lines that sub-agent is the main thread.
    pub(super) fn choose_main(&mut self) {
        if self.rows[0].lines > 0 {
            return;
        }
        let first = self.rows.iter().position(|row| row.lines > 0);
        self.main = first.and_then(|at| u32::try_from(at).ok()).unwrap_or(0);
    }

    /// The agent that the main thread is, where the file is a sub-agent's own.
    pub(super) fn main_agent(&self) -> Option<&str> {
        match &self.rows[self.main as usize].key {
            Some(Key::Agent(id)) => Some(id),
            _ => None,
        }
    }

    fn chain(&mut self, line: &Envelope<'_>) -> u32 {
        let parent = line.parent.and_then(|parent| self.chains.get(&parent));
        let thread = match parent {
            Some(thread) => *thread,
            None => {
                self.chain_count += 1;
                let name = format!("sidechain-{}", self.chain_count);
                self.push(Row {
                    name,
                    ..Row::default()
                })
            }
        };
        if let Some(uuid) = line.uuid {
            self.chains.insert(uuid, thread);
        }
        thread
    }

    fn by_key(&mut self, key: Key) -> u32 {
        if let Some(thread) = self.by_key.get(&key) {
            return *thread;
        }
        let (Key::Agent(name) | Key::Call(name)) = &key;
        let row = Row {
            name: match name.as_str() {
                "" => "unnamed".to_owned(),
                name => cut(name, LONGEST_NAME).into_owned(),
            },
            key: Some(key.clone()),
            ..Row::default()
        };
        let thread = self.push(row);
        self.by_key.insert(key, thread);
        thread
    }

    fn push(&mut self, row: Row) -> u32 {
        self.rows.push(row);
        u32::try_from(self.rows.len() - 1).unwrap_or(u32::MAX)
    }
}

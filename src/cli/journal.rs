//! The runner's events as lines of a trace.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::failure::Failure;
use super::lock::TraceLock;
use super::resume::{GoingOn, Torn};
use crate::model::{KeyId, KeyTable, Outcome, Timing};
use crate::run::{Event, Observer};
use crate::schedule::{Options, Policy};
use crate::time::Nanos;
use crate::trace::{Json, Meta, SideFolder, Text, Writer, line};

/// What the first lines of a trace say.
pub(super) struct RunInfo<'a> {
    /// See [`new_run_id`].
    pub(super) id: &'a str,
    pub(super) policy: Policy,
    pub(super) options: Options,
    pub(super) model: &'a str,
    pub(super) task: &'a str,
    /// The catalog's own JSON, where there is one.
    pub(super) catalog: Option<&'a str>,
}

/// An id that no other run has.
pub(super) fn new_run_id() -> String {
    let at = chrono::Utc::now();
    format!("{}-{}", at.format("%Y%m%dT%H%M%S%.6f"), std::process::id())
}

/// A trace that is being written; clones write to the same one.
#[derive(Clone)]
pub(super) struct Journal {
    shared: Arc<Mutex<Shared>>,
    memory: Option<Memory>,
    /// Held while the trace is written.
    _lock: Option<TraceLock>,
}

struct Shared {
    writer: Writer<Box<dyn Write + Send>>,
    /// Tools of the turn's calls, for the order per key.
    tools: Vec<String>,
    /// The turn that was cut off, while it goes on.
    going_on: Option<GoingOn>,
}

/// A trace that stays in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A panic elsewhere while a line was written leaves a half line at worst, which readers expect.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Journal {
    /// Says early that a trace cannot be made because there is one.
    pub(super) fn refuse_existing(path: &Path, force: bool) -> Result<(), Failure> {
        if force || !path.exists() {
            return Ok(());
        }
        Err(exists(path))
    }

    /// A new trace file with its first lines.
    pub(super) fn create(path: &Path, force: bool, info: &RunInfo<'_>) -> Result<Self, Failure> {
        let name = path.display();
        let mut options = OpenOptions::new();
        options.append(true).create(true).create_new(!force);
        if force && path.exists() {
            std::fs::remove_file(path)
                .map_err(|e| Failure::Unreadable(format!("{name}: cannot replace it: {e}")))?;
        }
        let file = options.open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists(path),
            _ => Failure::Unreadable(format!("{name}: cannot write the trace: {error}")),
        })?;
        let lock = TraceLock::take(path)?;
        let writer = Writer::new(
            Box::new(file) as Box<dyn Write + Send>,
            SideFolder::beside(path),
        );
        let mut journal = Self::begin(writer, None, info)?;
        journal._lock = Some(lock);
        Ok(journal)
    }

    /// Goes on with a trace that was cut off. Half a line at its end stays alone on its line.
    pub(super) fn go_on(
        path: &Path,
        lock: TraceLock,
        torn: Option<Torn>,
        now: Nanos,
    ) -> Result<Self, Failure> {
        let failed = |error: io::Error| {
            Failure::Unreadable(format!("{}: cannot go on with it: {error}", path.display()))
        };
        let mut writer = Writer::append(path).map_err(failed)?.boxed();
        let at = chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Nanos, true);
        let line = line::Resume {
            at_ns: Some(now.0),
            at: at.into(),
        };
        writer.resume(&line).map_err(failed)?;
        let shared = Shared {
            going_on: torn.map(GoingOn::new),
            ..Shared::new(writer)
        };
        Ok(Self {
            shared: Arc::new(Mutex::new(shared)),
            memory: None,
            _lock: Some(lock),
        })
    }

    /// A trace that stays in memory; long answers are kept nowhere else.
    pub(super) fn in_memory(info: &RunInfo<'_>) -> Result<Self, Failure> {
        let memory = Memory::default();
        let no_side_files = |_: &str, _: u32, _: u32, _: &str| Ok(String::new());
        let writer = Writer::new(
            Box::new(memory.clone()) as Box<dyn Write + Send>,
            no_side_files,
        );
        Self::begin(writer, Some(memory), info)
    }

    fn begin(
        mut writer: Writer<Box<dyn Write + Send>>,
        memory: Option<Memory>,
        info: &RunInfo<'_>,
    ) -> Result<Self, Failure> {
        let at = chrono::Utc::now();
        writer.run(&Meta {
            id: info.id.to_owned(),
            at: at.to_rfc3339_opts(chrono::SecondsFormat::Nanos, true),
            policy: info.policy.name().to_owned(),
            slots: info.options.slots.to_string(),
            on_failure: info.options.on_failure.name().to_owned(),
            deadline: info.options.deadline,
            model: info.model.to_owned(),
            task: info.task.to_owned(),
            source: "turnlane".to_owned(),
            ..Meta::default()
        })?;
        if let Some(catalog) = info.catalog {
            writer.catalog(catalog)?;
        }
        writer.flush()?;
        Ok(Self {
            shared: Arc::new(Mutex::new(Shared::new(writer))),
            memory,
            _lock: None,
        })
    }

    /// An observer that writes here.
    pub(super) fn observer(&self) -> Self {
        self.clone()
    }

    /// The last line.
    pub(super) fn finish(&self, now: Nanos) -> Result<(), Failure> {
        lock(&self.shared)
            .writer
            .run_end(line::RunEnd { at_ns: Some(now.0) })?;
        Ok(())
    }

    /// What a trace in memory holds so far.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.memory
            .as_ref()
            .map_or_else(Vec::new, |memory| lock(&memory.0).clone())
    }
}

fn exists(path: &Path) -> Failure {
    Failure::Unreadable(format!(
        "{} exists already; use another name, or --force where there is one",
        path.display()
    ))
}

impl Observer for Journal {
    fn record(&mut self, event: &Event<'_>, keys: &KeyTable) -> io::Result<()> {
        lock(&self.shared).record(event, keys)
    }
}

impl Shared {
    const fn new(writer: Writer<Box<dyn Write + Send>>) -> Self {
        Self {
            writer,
            tools: Vec::new(),
            going_on: None,
        }
    }

    fn record(&mut self, event: &Event<'_>, keys: &KeyTable) -> io::Result<()> {
        if let Event::Turn { .. } = event {
            self.tools.clear();
        }
        if let Event::Call { request, .. } = event {
            self.tools.push(request.tool.clone());
        }
        if self
            .going_on
            .as_mut()
            .is_some_and(|turn| turn.stands(event))
        {
            return Ok(());
        }
        match *event {
            Event::Turn {
                turn,
                at,
                calls,
                model,
            } => self.writer.turn(&line::Turn {
                turn,
                at_ns: Some(at.0),
                calls: u32::try_from(calls).unwrap_or(u32::MAX),
                model: model.map(|(span, timing)| line::Model {
                    start_ns: span.start.0,
                    end_ns: span.end.0,
                    timing,
                }),
                ..line::Turn::default()
            }),
            Event::Call { .. } => self.call(event, keys),
            Event::Ask { key, at } => self.writer.ask(&ask(key.turn, key.index, at, None)),
            Event::Granted { key, at, grant } => {
                self.writer
                    .granted(&ask(key.turn, key.index, at, Some(grant)))
            }
            Event::Start {
                key,
                at,
                slot,
                cause,
                beside,
            } => {
                let same_turn = beside.iter().filter(|b| b.turn == key.turn);
                let carried = beside.iter().filter(|b| b.turn != key.turn);
                self.writer.start(&line::Start {
                    turn: key.turn,
                    call: key.index,
                    at_ns: Some(at.0),
                    slot: Some(slot),
                    cause: cause.text(keys).into(),
                    beside: same_turn.map(|b| b.index).collect(),
                    carried: carried.map(|b| [b.turn, b.index]).collect(),
                    ..line::Start::default()
                })
            }
            Event::End {
                key,
                at,
                outcome,
                text,
                own,
            } => {
                let end = line::End {
                    own_ns: own.map(|n| n.0),
                    // When it ended nobody saw.
                    timing: self
                        .going_on
                        .as_ref()
                        .and_then(|turn| turn.stays_cut(key.index).then_some(Timing::Unknown)),
                    ..end_line(key.turn, key.index, at, outcome, text)
                };
                self.writer
                    .end(end, (outcome == Outcome::Ok).then_some(text))
            }
            Event::Late {
                key,
                at,
                outcome,
                text,
            } => {
                let end = end_line(key.turn, key.index, at, outcome, text);
                self.writer
                    .late(end, (outcome == Outcome::Ok).then_some(text))
            }
            Event::TurnEnd {
                turn,
                at,
                key_order,
            } => {
                let both_parts = self.going_on.take().map(|turn| turn.order_per_key());
                let key_order = both_parts.as_deref().unwrap_or(key_order).iter();
                let key_order = key_order.map(|(key, calls)| self.order(*key, calls, keys));
                let key_order = key_order.collect();
                let line = line::TurnEnd {
                    turn,
                    at_ns: Some(at.0),
                    key_order,
                    ..line::TurnEnd::default()
                };
                self.writer.turn_end(&line)
            }
        }
    }

    fn call(&mut self, event: &Event<'_>, keys: &KeyTable) -> io::Result<()> {
        let Event::Call {
            key,
            request,
            effects,
            stage,
            approval,
            issued,
        } = event
        else {
            return Ok(());
        };
        let texts = |ids: &[KeyId]| {
            ids.iter()
                .map(|&k| Text(keys.text(k).to_owned().into()))
                .collect::<Vec<_>>()
        };
        self.writer.call(&line::Call {
            turn: key.turn,
            call: key.index,
            id: request.id.as_str().into(),
            tool: request.tool.as_str().into(),
            args: Json(&request.args),
            issued_ns: Some(issued.0),
            reads: Some(texts(&effects.reads)),
            writes: Some(texts(&effects.writes)),
            opaque: Some(effects.opaque),
            is_final: effects.is_final,
            source: Some(effects.source),
            approval: *approval,
            stage: Some(*stage),
            depends_on: request.depends_on.clone(),
            ..line::Call::default()
        })
    }

    fn order(
        &self,
        key: KeyId,
        calls: &[u32],
        keys: &KeyTable,
    ) -> (Text<'static>, Vec<Text<'static>>) {
        let tools = calls
            .iter()
            .filter_map(|&call| self.tools.get(call as usize));
        let tools = tools.map(|tool| Text(tool.clone().into())).collect();
        (Text(keys.text(key).to_owned().into()), tools)
    }
}

fn ask(turn: u32, call: u32, at: Nanos, grant: Option<bool>) -> line::Ask<'static> {
    line::Ask {
        turn,
        call,
        at_ns: Some(at.0),
        grant,
        ..line::Ask::default()
    }
}

fn end_line(turn: u32, call: u32, at: Nanos, outcome: Outcome, text: &str) -> line::End<'_> {
    let error = if outcome == Outcome::Ok { "" } else { text };
    line::End {
        error: error.into(),
        ..line::End::new(turn, call, at, outcome)
    }
}

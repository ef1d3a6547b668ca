//! Turns through the real runner: planned calls, a recorder of events, and a store whose answers
//! tell what each call saw.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use turnlane::model::{CallRequest, Effects, KeyTable, Outcome};
use turnlane::run::{
    Answer, CallContext, CancelTurn, Event, Observer, PlannedCall, Runner, Tool, ToolError,
    TurnResult,
};
use turnlane::schedule::{Options, Policy};
use turnlane::time::Nanos;

use super::bridge::Bridge;
use super::reference::RefCall;

/// What the driver reported, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    Start {
        call: u32,
        at: Nanos,
        slot: u32,
        cause: String,
    },
    End {
        call: u32,
        at: Nanos,
        outcome: Outcome,
        text: String,
    },
    Late {
        call: u32,
        at: Nanos,
        outcome: Outcome,
    },
    Granted {
        call: u32,
        at: Nanos,
        grant: bool,
    },
    TurnEnd {
        at: Nanos,
        key_order: BTreeMap<String, Vec<u32>>,
    },
}

/// Keeps every event of a run.
#[derive(Clone, Debug, Default)]
pub struct Recorder(pub Arc<Mutex<Vec<Seen>>>);

impl Observer for Recorder {
    fn record(&mut self, event: &Event<'_>, keys: &KeyTable) -> io::Result<()> {
        let seen = match event {
            Event::Start {
                key,
                at,
                slot,
                cause,
                ..
            } => Seen::Start {
                call: key.index,
                at: *at,
                slot: *slot,
                cause: cause.text(keys),
            },
            Event::End {
                key,
                at,
                outcome,
                text,
                ..
            } => Seen::End {
                call: key.index,
                at: *at,
                outcome: *outcome,
                text: (*text).to_owned(),
            },
            Event::Late {
                key, at, outcome, ..
            } => Seen::Late {
                call: key.index,
                at: *at,
                outcome: *outcome,
            },
            Event::Granted { key, at, grant } => Seen::Granted {
                call: key.index,
                at: *at,
                grant: *grant,
            },
            Event::TurnEnd { at, key_order, .. } => {
                let order = key_order
                    .iter()
                    .map(|(k, calls)| (keys.text(*k).to_owned(), calls.clone()));
                Seen::TurnEnd {
                    at: *at,
                    key_order: order.collect(),
                }
            }
            _ => return Ok(()),
        };
        self.0.lock().unwrap().push(seen);
        Ok(())
    }
}

impl Recorder {
    pub fn all(&self) -> Vec<Seen> {
        self.0.lock().unwrap().clone()
    }

    /// `(call, cause)` in the order of the starts.
    pub fn starts(&self) -> Vec<(u32, String)> {
        let starts = self.all().into_iter().filter_map(|s| match s {
            Seen::Start { call, cause, .. } => Some((call, cause)),
            _ => None,
        });
        starts.collect()
    }

    pub fn start(&self, call: u32) -> Option<Nanos> {
        self.all().into_iter().find_map(|s| match s {
            Seen::Start { call: c, at, .. } if c == call => Some(at),
            _ => None,
        })
    }

    pub fn end(&self, call: u32) -> Option<Nanos> {
        self.all().into_iter().find_map(|s| match s {
            Seen::End { call: c, at, .. } if c == call => Some(at),
            _ => None,
        })
    }

    /// First issue to last end; the turn is the run's first.
    pub fn makespan(&self) -> Nanos {
        let ends = self.all().into_iter().filter_map(|s| match s {
            Seen::End { at, .. } => Some(at),
            _ => None,
        });
        ends.max().unwrap_or_default()
    }
}

/// A tool that sleeps on tokio's clock and then does what it was made for.
pub struct Sleeper {
    pub time: Duration,
    pub outcome: Outcome,
}

impl Tool for Sleeper {
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        let (time, outcome) = (self.time, self.outcome);
        Box::pin(async move {
            tokio::select! {
                () = context.cancel.cancelled() => return Err(ToolError::Cancelled),
                () = tokio::time::sleep(time) => {}
            }
            match outcome {
                Outcome::Ok => Ok(Answer::text(format!("call {}", context.key.index))),
                Outcome::Panicked => panic!("the tool gave up"),
                Outcome::Conflict => Err(ToolError::Conflict("revision 4 is gone".into())),
                _ => Err(ToolError::Failed("exit 1".into())),
            }
        })
    }
}

/// Versions by key, and for each key who touched it and what version they saw.
#[derive(Debug, Default)]
pub struct Store {
    versions: BTreeMap<String, u64>,
    pub log: Vec<(u32, String)>,
}

/// A call over a [`Store`]: it reads versions, dawdles, and writes back what it read plus one, so
/// an overlap loses an update and shows in the answers.
pub struct StoreCall {
    pub store: Arc<Mutex<Store>>,
    pub call: RefCall,
}

impl StoreCall {
    fn touched(&self, store: &Store, keys: &[String]) -> Vec<String> {
        let inside = |tree: &String| {
            let known = store
                .versions
                .keys()
                .filter(|k| super::reference::overlap(k, tree))
                .cloned();
            known
                .chain((!super::reference::is_tree(tree)).then(|| tree.clone()))
                .collect::<Vec<_>>()
        };
        let mut all: Vec<String> = keys.iter().flat_map(inside).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Tool for StoreCall {
    fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
        let this = Self {
            store: self.store.clone(),
            call: self.call.clone(),
        };
        Box::pin(async move {
            let call = &this.call;
            let dawdle = (context.key.index * 7 + u32::try_from(call.duration).unwrap()) % 4;
            let (reads, writes, mut seen) = {
                let mut store = this.store.lock().unwrap();
                let all = ["file:**".to_owned()];
                let reads = if call.opaque {
                    &all[..]
                } else {
                    &call.reads[..]
                };
                let writes = if call.opaque {
                    &all[..]
                } else {
                    &call.writes[..]
                };
                let (reads, writes) = (this.touched(&store, reads), this.touched(&store, writes));
                let see =
                    |key: &String| (key.clone(), store.versions.get(key).copied().unwrap_or(0));
                let seen: BTreeMap<String, u64> = reads.iter().chain(&writes).map(see).collect();
                for key in seen.keys() {
                    store.log.push((context.key.index, key.clone()));
                }
                (reads, writes, seen)
            };
            for _ in 0..dawdle {
                tokio::task::yield_now().await;
            }
            if dawdle == 3 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            let answer = format!("{reads:?} {seen:?}");
            for key in writes {
                let version = seen.remove(&key).unwrap_or(0) + 1;
                this.store.lock().unwrap().versions.insert(key, version);
            }
            Ok(Answer::text(answer))
        })
    }
}

/// The turn's calls for the runner, each run by what `tool` gives for it.
pub fn planned(
    calls: &[RefCall],
    bridge: &Bridge,
    tool: impl Fn(usize, &RefCall) -> Arc<dyn Tool>,
) -> Vec<PlannedCall> {
    let specs = bridge.specs(calls);
    let rows = calls.iter().enumerate().zip(&specs);
    rows.map(|((index, call), spec)| PlannedCall {
        request: Arc::new(CallRequest {
            id: format!("c{index}"),
            tool: "t".into(),
            args: "{}".into(),
            depends_on: spec.depends_on.to_vec(),
        }),
        effects: Effects {
            reads: spec.reads.to_vec(),
            writes: spec.writes.to_vec(),
            opaque: spec.opaque,
            is_final: spec.is_final,
            ..Effects::default()
        },
        timeout: None,
        approval: false,
        refused: spec
            .refused
            .map(|outcome| (outcome, outcome.word().to_owned())),
        tool: Some(tool(index, call)),
    })
    .collect()
}

/// Runs one turn and gives its result and everything the driver reported.
pub async fn run(
    policy: Policy,
    options: Options,
    bridge: &Bridge,
    calls: Vec<PlannedCall>,
    cancel: CancelTurn,
) -> (TurnResult, Recorder) {
    let recorder = Recorder::default();
    let mut runner = Runner::new(turnlane::model::Catalog::default(), policy);
    runner.set_options(options);
    *runner.keys_mut() = bridge.keys.clone();
    runner.set_observer(Box::new(recorder.clone()));
    let result = runner.run_planned(calls, None, cancel).await.unwrap();
    (result, recorder)
}

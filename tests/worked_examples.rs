//! The worked examples of the policies: makespan and hazards of every row under every policy.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use turnlane::model::{KeyId, KeyTable};
use turnlane::schedule::{CallSpec, HazardKind, Hazards, Options, Policy, Slots, hazards};
use turnlane::simulate::{Body, Timeline, simulate};
use turnlane::time::Nanos;

/// One call of a row: what it reads, what it writes, whether it is opaque, how many ms it takes.
#[derive(Clone, Debug)]
struct Row {
    reads: Vec<&'static str>,
    writes: Vec<&'static str>,
    opaque: bool,
    ms: u64,
}

fn r(key: &'static str, ms: u64) -> Row {
    Row {
        reads: vec![key],
        writes: vec![],
        opaque: false,
        ms,
    }
}

fn w(keys: &[&'static str], ms: u64) -> Row {
    Row {
        reads: vec![],
        writes: keys.to_vec(),
        opaque: false,
        ms,
    }
}

fn opaque(ms: u64) -> Row {
    Row {
        reads: vec![],
        writes: vec![],
        opaque: true,
        ms,
    }
}

const LOOKUPS: [&str; 9] = [
    "d:1", "d:2", "d:3", "d:4", "d:5", "d:6", "d:7", "d:8", "d:9",
];

struct Example {
    name: &'static str,
    calls: Vec<Row>,
    /// sequential, all-at-once, staged, keyed, graph.
    makespans: [u64; 5],
    all_at_once: &'static [HazardKind],
}

fn examples() -> Vec<Example> {
    use HazardKind::{EarlyWrite, LostUpdate, StaleRead, UnknownOrder};
    let invoice = [r("inv", 200), w(&["inv"], 100), w(&["inv"], 100)];
    let invoice = invoice
        .into_iter()
        .chain(LOOKUPS[..5].iter().map(|k| r(k, 200)));
    vec![
        Example {
            name: "edit then test",
            calls: vec![w(&["file:a"], 300), opaque(1000)],
            makespans: [1300, 1000, 1300, 1300, 1300],
            all_at_once: &[UnknownOrder],
        },
        Example {
            name: "a read behind a write",
            calls: vec![w(&["k:1"], 400), r("k:1", 50), r("j:1", 50)],
            makespans: [500, 400, 450, 450, 450],
            all_at_once: &[StaleRead],
        },
        Example {
            name: "two reads behind a write",
            calls: vec![w(&["k:1"], 100), r("k:1", 200), r("k:1", 200)],
            makespans: [500, 200, 300, 500, 300],
            all_at_once: &[StaleRead, StaleRead],
        },
        Example {
            name: "a write behind a read",
            calls: vec![r("k:1", 200), w(&["k:1"], 100)],
            makespans: [300, 200, 300, 300, 300],
            all_at_once: &[EarlyWrite],
        },
        Example {
            name: "invoice",
            calls: invoice.collect(),
            makespans: [1400, 200, 600, 400, 400],
            all_at_once: &[EarlyWrite, EarlyWrite, LostUpdate],
        },
        Example {
            name: "two patches and a test of the tree",
            calls: vec![w(&["file:a"], 900), w(&["file:b"], 900), r("file:**", 1500)],
            makespans: [3300, 1500, 3300, 2400, 2400],
            all_at_once: &[StaleRead, StaleRead],
        },
        Example {
            name: "a tree read of another folder between patches",
            calls: vec![
                w(&["file:a"], 900),
                r("file:docs/**", 100),
                w(&["file:b"], 900),
            ],
            makespans: [1900, 900, 1900, 1900, 900],
            all_at_once: &[],
        },
        Example {
            name: "tree reads before an edit elsewhere",
            calls: vec![r("file:a/**", 100), r("file:b/**", 100), w(&["file:c"], 50)],
            makespans: [250, 100, 150, 150, 100],
            all_at_once: &[],
        },
        Example {
            name: "nine reads",
            calls: LOOKUPS.iter().map(|k| r(k, 100)).collect(),
            makespans: [900, 200, 200, 200, 200],
            all_at_once: &[],
        },
        Example {
            name: "five lookups",
            calls: LOOKUPS[..5].iter().map(|k| r(k, 2000)).collect(),
            makespans: [10000, 2000, 2000, 2000, 2000],
            all_at_once: &[],
        },
        Example {
            name: "two moves of the same pair",
            calls: vec![
                w(&["k:a", "k:b"], 100),
                w(&["k:b", "k:a"], 100),
                r("k:c", 100),
            ],
            makespans: [300, 100, 300, 200, 200],
            all_at_once: &[LostUpdate],
        },
    ]
}

struct Turn {
    keys: KeyTable,
    calls: Vec<(Vec<KeyId>, Vec<KeyId>, Row)>,
}

impl Turn {
    fn new(rows: &[Row]) -> Self {
        let mut keys = KeyTable::new();
        let mut ids = |texts: &[&str]| {
            texts
                .iter()
                .map(|t| keys.intern_text(t))
                .collect::<Vec<_>>()
        };
        let calls = rows
            .iter()
            .map(|row| (ids(&row.reads), ids(&row.writes), row.clone()))
            .collect();
        Self { keys, calls }
    }

    fn specs(&self) -> Vec<CallSpec<'_>> {
        self.calls
            .iter()
            .map(|(reads, writes, row)| CallSpec {
                reads,
                writes,
                opaque: row.opaque,
                ..CallSpec::default()
            })
            .collect()
    }

    fn simulate(&self, policy: Policy) -> (Timeline, Hazards) {
        let bodies: Vec<Body> = self
            .calls
            .iter()
            .map(|c| Body::ok(Nanos::from_millis(c.2.ms)))
            .collect();
        let timeline = simulate(
            policy,
            &self.specs(),
            &bodies,
            &self.keys,
            Options::default(),
        );
        let found = hazards(&self.specs(), &timeline.intervals(), &self.keys);
        (timeline, found)
    }
}

#[test]
fn every_row_takes_the_stated_time_and_lets_through_the_stated_races() {
    for example in examples() {
        let turn = Turn::new(&example.calls);
        for (policy, ms) in Policy::SHOWN.into_iter().zip(example.makespans) {
            let (timeline, found) = turn.simulate(policy);
            assert_eq!(
                timeline.makespan,
                Some(Nanos::from_millis(ms)),
                "{} under {policy}",
                example.name
            );
            let mut kinds: Vec<_> = found.list.iter().map(|h| h.kind).collect();
            kinds.sort_unstable();
            let mut expected = if policy == Policy::AllAtOnce {
                example.all_at_once.to_vec()
            } else {
                Vec::new()
            };
            expected.sort_unstable();
            assert_eq!(kinds, expected, "{} under {policy}", example.name);
        }
    }
}

#[test]
fn the_loose_queue_lets_two_writes_overtake_a_read() {
    let invoice = examples().remove(4);
    let (timeline, found) = Turn::new(&invoice.calls).simulate(Policy::KeyedLoose);
    assert_eq!(timeline.makespan, Some(Nanos::from_millis(200)));
    let kinds: Vec<_> = found.list.iter().map(|h| h.kind).collect();
    assert_eq!(kinds, [HazardKind::EarlyWrite, HazardKind::EarlyWrite]);
}

#[test]
fn without_a_limit_the_graph_is_never_slower_than_keyed_or_staged() {
    for example in examples() {
        let turn = Turn::new(&example.calls);
        let bodies: Vec<Body> = turn
            .calls
            .iter()
            .map(|c| Body::ok(Nanos::from_millis(c.2.ms)))
            .collect();
        let options = Options {
            slots: Slots::Unlimited,
            ..Options::default()
        };
        let span = |policy| simulate(policy, &turn.specs(), &bodies, &turn.keys, options).makespan;
        let [sequential, staged, keyed, graph] = [
            Policy::Sequential,
            Policy::Staged,
            Policy::Keyed,
            Policy::Graph,
        ]
        .map(span);
        assert!(graph <= keyed && graph <= staged && keyed <= sequential && staged <= sequential);
    }
}

#[cfg(feature = "run")]
mod through_the_runner {
    use std::sync::Arc;
    use std::time::Duration;

    use futures::future::BoxFuture;
    use tokio::runtime::{Builder, Runtime};
    use turnlane::model::{CallRequest, Catalog, Cause, Effects, Outcome};
    use turnlane::run::{
        Answer, CallContext, CancelTurn, PlannedCall, Runner, Tool, ToolError, TurnResult,
    };

    use super::*;

    struct Sleeper(Duration);

    impl Tool for Sleeper {
        fn call(&self, context: CallContext) -> BoxFuture<'static, Result<Answer, ToolError>> {
            let time = self.0;
            Box::pin(async move {
                tokio::time::sleep(time).await;
                Ok(Answer::text(format!("call {}", context.key.index)))
            })
        }
    }

    #[derive(Clone, Default)]
    struct Starts(Arc<std::sync::Mutex<Seen>>);

    /// Starts in order with their causes, and the last end.
    type Seen = (Vec<(u32, Cause)>, Nanos);

    impl turnlane::run::Observer for Starts {
        fn record(
            &mut self,
            event: &turnlane::run::Event<'_>,
            _: &KeyTable,
        ) -> std::io::Result<()> {
            let mut seen = self.0.lock().unwrap();
            match event {
                turnlane::run::Event::Start { key, cause, .. } => seen.0.push((key.index, *cause)),
                turnlane::run::Event::End { at, .. } => seen.1 = seen.1.max(*at),
                _ => {}
            }
            Ok(())
        }
    }

    /// Runs a row with each millisecond of it lasting `unit`.
    fn run(runtime: &Runtime, policy: Policy, turn: &Turn, unit: Duration) -> (TurnResult, Starts) {
        let calls = turn.calls.iter().map(|(reads, writes, row)| PlannedCall {
            request: Arc::new(CallRequest::new("t", "{}")),
            effects: Effects {
                reads: reads.clone(),
                writes: writes.clone(),
                opaque: row.opaque,
                ..Effects::default()
            },
            timeout: None,
            approval: false,
            refused: None,
            tool: Some(Arc::new(Sleeper(unit * u32::try_from(row.ms).unwrap()))),
        });
        let calls = calls.collect();
        let starts = Starts::default();
        let mut runner = Runner::new(Catalog::default(), policy);
        *runner.keys_mut() = turn.keys.clone();
        runner.set_observer(Box::new(starts.clone()));
        let result = runtime
            .block_on(runner.run_planned(calls, None, CancelTurn::new()))
            .unwrap();
        (result, starts)
    }

    #[test]
    fn every_row_takes_the_stated_time_on_a_paused_clock() {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        for example in examples() {
            let turn = Turn::new(&example.calls);
            for (policy, ms) in Policy::SHOWN.into_iter().zip(example.makespans) {
                let (_, starts) = run(&runtime, policy, &turn, Duration::from_millis(1));
                let makespan = starts.0.lock().unwrap().1;
                assert_eq!(
                    makespan,
                    Nanos::from_millis(ms),
                    "{} under {policy}",
                    example.name
                );
            }
        }
    }

    /// On a real clock two ends of one instant come in either order: a cause may then name the
    /// other call, and nothing else may differ.
    #[test]
    fn every_row_starts_in_the_predicted_order_for_the_predicted_causes_on_any_runtime() {
        let runtimes = [
            Builder::new_current_thread().enable_time().build().unwrap(),
            Builder::new_multi_thread()
                .worker_threads(2)
                .enable_time()
                .build()
                .unwrap(),
            Builder::new_multi_thread()
                .worker_threads(8)
                .enable_time()
                .build()
                .unwrap(),
        ];
        std::thread::scope(|scope| {
            for runtime in runtimes {
                scope.spawn(move || {
                    examples()
                        .iter()
                        .for_each(|example| starts_as_predicted(&runtime, example))
                });
            }
        });
    }

    fn starts_as_predicted(runtime: &Runtime, example: &Example) {
        let turn = Turn::new(&example.calls);
        for policy in Policy::ALL {
            let context = format!("{} under {policy}", example.name);
            let (predicted, _) = turn.simulate(policy);
            let (result, starts) = run(runtime, policy, &turn, Duration::from_micros(100));
            let texts: Vec<_> = result.answers.iter().map(|a| a.text.clone()).collect();
            let expected: Vec<_> = (0..turn.calls.len()).map(|i| format!("call {i}")).collect();
            assert_eq!(texts, expected, "{context}");
            assert!(result.answers.iter().all(|a| a.outcome == Outcome::Ok));
            let seen = starts.0.lock().unwrap().0.clone();
            let order: Vec<u32> = seen.iter().map(|(call, _)| *call).collect();
            assert_eq!(order, predicted.order, "{context}");
            for (call, cause) in seen {
                let expected = predicted.calls[call as usize].cause.unwrap();
                let kind = std::mem::discriminant(&cause);
                assert_eq!(kind, std::mem::discriminant(&expected), "{context}");
                let end = |c: Cause| c.after().map(|a| predicted.calls[a as usize].end);
                assert_eq!(end(cause), end(expected), "{context}");
            }
        }
    }
}

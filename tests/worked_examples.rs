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

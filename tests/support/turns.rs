//! Turns to try a scheduler on: every short turn over a small alphabet, and long random ones.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::reference::RefCall;

/// The sorts of call that matter next to each other, on two keys and the tree that holds them.
pub fn alphabet() -> Vec<RefCall> {
    let (k1, k2, tree) = ("file:d/k1", "file:d/k2", "file:d/**");
    vec![
        RefCall::read(k1, 1),
        RefCall::write(k1, 1),
        RefCall::read(k2, 1),
        RefCall::write(k2, 1),
        RefCall::write(k1, 1).writes(&[k2]),
        RefCall::read(tree, 1),
        RefCall::write(tree, 1),
        RefCall::lookup(1),
        RefCall::opaque(1),
        RefCall::ends_turn(1),
    ]
}

/// Every turn of `length` calls over [`alphabet`]: ten times as many for each call more. The call
/// at place `i` runs for the duration at place `i` of `durations`, which repeats.
pub fn every_turn(length: usize, durations: &[u64]) -> impl Iterator<Item = Vec<RefCall>> {
    let alphabet = alphabet();
    let letters = alphabet.len();
    let turns = (0..length).fold(1, |turns, _| turns * letters);
    (0..turns).map(move |number| {
        let mut rest = number;
        (0..length)
            .map(|place| {
                let mut call = alphabet[rest % letters].clone();
                call.duration = durations[place % durations.len()];
                rest /= letters;
                call
            })
            .collect()
    })
}

/// As many cases as asked for, always the same ones, and no file of failures.
pub fn seeded(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x7475_726e_6c61_6e65),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Random turns of up to `most` calls: several keys a call, nested trees, mutating calls that also
/// read, hints, refused and failing calls, durations 0 to 5. Half of the turns hold no opaque and
/// no final call and write no tree, so that queues grow long.
pub fn random_turn(most: usize) -> impl Strategy<Value = Vec<RefCall>> {
    prop_oneof![
        prop::collection::vec(drawn(false), 0..=most),
        prop::collection::vec(drawn(true), 0..=most),
    ]
    .prop_map(|drawn| {
        let calls = drawn.into_iter().enumerate();
        calls.map(|(place, call)| call.at(place)).collect()
    })
}

/// A call whose hints are still distances, so that they stay valid while a turn shrinks.
#[derive(Clone, Debug)]
struct Drawn {
    call: RefCall,
    back: Vec<usize>,
}

impl Drawn {
    fn at(mut self, place: usize) -> RefCall {
        let earlier = self.back.iter().filter_map(|back| place.checked_sub(*back));
        self.call.depends_on = earlier.collect();
        self.call
    }
}

fn drawn(barriers: bool) -> impl Strategy<Value = Drawn> {
    let back = prop_oneof![
        4 => Just(Vec::new()),
        1 => prop::collection::vec(1..=6_usize, 1..=2),
    ];
    let sort = if barriers {
        prop_oneof![
            20 => keyed(true),
            1 => Just(RefCall::opaque(0)),
            1 => keyed(true).prop_map(|call| RefCall { is_final: true, ..call }),
        ]
        .boxed()
    } else {
        keyed(false).boxed()
    };
    (sort, back, 0..=5_u64, 0..10_u8).prop_map(|(call, back, duration, fate)| Drawn {
        call: RefCall {
            duration,
            refused: fate == 1,
            fails: fate == 2,
            ..call
        },
        back,
    })
}

/// A call with up to three reads and two writes; a key may be in both.
fn keyed(tree_writes: bool) -> impl Strategy<Value = RefCall> {
    let reads = prop::collection::btree_set(key(true), 0..=3);
    let writes = prop_oneof![
        2 => prop::collection::btree_set(key(tree_writes), 0..=0),
        1 => prop::collection::btree_set(key(tree_writes), 1..=2),
    ];
    // Sorted sets would always name keys in one order; the issue order of keys matters too.
    let shuffled = |set: std::collections::BTreeSet<&'static str>| {
        let keys: Vec<String> = set.into_iter().map(str::to_owned).collect();
        Just(keys).prop_shuffle()
    };
    (reads, writes)
        .prop_flat_map(move |(reads, writes)| (shuffled(reads), shuffled(writes)))
        .prop_map(|(reads, writes)| RefCall {
            reads,
            writes,
            ..RefCall::default()
        })
}

fn key(trees: bool) -> impl Strategy<Value = &'static str> {
    let exact = prop::sample::select(vec![
        "file:d",
        "file:d/k1",
        "file:d/k2",
        "file:d/e",
        "file:d/e/k3",
        "file:dd",
        "invoice:8123",
        "shell",
    ]);
    let tree = prop::sample::select(vec!["file:**", "file:d/**", "file:d/e/**"]);
    if trees {
        prop_oneof![8 => exact, 1 => tree].boxed()
    } else {
        exact.boxed()
    }
}

//! The reference against the worked examples of the design: milliseconds, eight slots.

mod support;

use support::reference::{Policy, RefCall, RefRun, run};

const SLOTS: Option<usize> = Some(8);

/// A turn with what it takes under each policy, and what goes wrong all at once.
struct Example {
    calls: Vec<RefCall>,
    sequential: u64,
    all_at_once: u64,
    staged: u64,
    keyed: u64,
    graph: u64,
    hazards: &'static [&'static str],
}

impl Example {
    #[track_caller]
    fn holds(&self) {
        let makespan = |policy| run(policy, SLOTS, &self.calls).makespan;
        assert_eq!(makespan(Policy::Sequential), self.sequential, "sequential");
        assert_eq!(makespan(Policy::AllAtOnce), self.all_at_once, "all-at-once");
        assert_eq!(makespan(Policy::Staged), self.staged, "staged");
        assert_eq!(makespan(Policy::Keyed), self.keyed, "keyed");
        assert_eq!(makespan(Policy::Graph), self.graph, "graph");

        assert_eq!(
            hazards(&run(Policy::AllAtOnce, SLOTS, &self.calls)),
            self.hazards
        );
        for safe in [
            Policy::Sequential,
            Policy::Staged,
            Policy::Keyed,
            Policy::Graph,
        ] {
            assert!(
                hazards(&run(safe, SLOTS, &self.calls)).is_empty(),
                "{}",
                safe.name()
            );
        }
    }
}

/// One line a hazard.
fn hazards(run: &RefRun) -> Vec<String> {
    let line = run.hazards.iter().map(|hazard| {
        let (kind, first, second) = (hazard.kind, hazard.first, hazard.second);
        match &hazard.key {
            Some(key) => format!("{kind} {key} {first} {second}"),
            None => format!("{kind} {first} {second}"),
        }
    });
    line.collect()
}

fn invoice_turn() -> Vec<RefCall> {
    let mut calls = vec![
        RefCall::read("invoice:8123", 200),
        RefCall::write("invoice:8123", 100),
        RefCall::write("invoice:8123", 100),
    ];
    calls.extend((0..5).map(|n| RefCall::read(&format!("ticket:{n}"), 200)));
    calls
}

#[test]
fn an_edit_and_then_the_tests() {
    Example {
        calls: vec![RefCall::write("file:a", 300), RefCall::opaque(1000)],
        sequential: 1300,
        all_at_once: 1000,
        staged: 1300,
        keyed: 1300,
        graph: 1300,
        hazards: &["unknown_order 0 1"],
    }
    .holds();
}

#[test]
fn a_write_a_read_of_it_and_a_read_of_something_else() {
    Example {
        calls: vec![
            RefCall::write("k", 400),
            RefCall::read("k", 50),
            RefCall::read("j", 50),
        ],
        sequential: 500,
        all_at_once: 400,
        staged: 450,
        keyed: 450,
        graph: 450,
        hazards: &["stale_read k 0 1"],
    }
    .holds();
}

#[test]
fn a_write_and_two_reads_of_it() {
    Example {
        calls: vec![
            RefCall::write("k", 100),
            RefCall::read("k", 200),
            RefCall::read("k", 200),
        ],
        sequential: 500,
        all_at_once: 200,
        staged: 300,
        keyed: 500,
        graph: 300,
        hazards: &["stale_read k 0 1", "stale_read k 0 2"],
    }
    .holds();
}

#[test]
fn a_read_and_then_a_write_of_it() {
    Example {
        calls: vec![RefCall::read("k", 200), RefCall::write("k", 100)],
        sequential: 300,
        all_at_once: 200,
        staged: 300,
        keyed: 300,
        graph: 300,
        hazards: &["early_write k 0 1"],
    }
    .holds();
}

#[test]
fn an_invoice_read_and_written_twice_among_lookups() {
    Example {
        calls: invoice_turn(),
        sequential: 1400,
        all_at_once: 200,
        staged: 600,
        keyed: 400,
        graph: 400,
        hazards: &[
            "early_write invoice:8123 0 1",
            "early_write invoice:8123 0 2",
            "lost_update invoice:8123 1 2",
        ],
    }
    .holds();
}

#[test]
fn the_loose_queue_lets_both_invoice_writes_overtake_the_read() {
    let run = run(Policy::KeyedLoose, SLOTS, &invoice_turn());
    assert_eq!(run.makespan, 200);
    assert_eq!(
        hazards(&run),
        [
            "early_write invoice:8123 0 1",
            "early_write invoice:8123 0 2",
        ]
    );
}

#[test]
fn two_patches_and_a_test_that_reads_every_file() {
    Example {
        calls: vec![
            RefCall::write("file:a", 900),
            RefCall::write("file:b", 900),
            RefCall::read("file:**", 1500),
        ],
        sequential: 3300,
        all_at_once: 1500,
        staged: 3300,
        keyed: 2400,
        graph: 2400,
        hazards: &["stale_read file:a 0 2", "stale_read file:b 1 2"],
    }
    .holds();
}

#[test]
fn two_patches_around_a_search_elsewhere() {
    Example {
        calls: vec![
            RefCall::write("file:a", 900),
            RefCall::read("file:docs/**", 100),
            RefCall::write("file:b", 900),
        ],
        sequential: 1900,
        all_at_once: 900,
        staged: 1900,
        keyed: 1900,
        graph: 900,
        hazards: &[],
    }
    .holds();
}

#[test]
fn two_searches_and_an_edit_elsewhere() {
    Example {
        calls: vec![
            RefCall::read("file:a/**", 100),
            RefCall::read("file:b/**", 100),
            RefCall::write("file:c", 50),
        ],
        sequential: 250,
        all_at_once: 100,
        staged: 150,
        keyed: 150,
        graph: 100,
        hazards: &[],
    }
    .holds();
}

#[test]
fn one_read_more_than_there_are_slots() {
    Example {
        calls: vec![RefCall::lookup(100); 9],
        sequential: 900,
        all_at_once: 200,
        staged: 200,
        keyed: 200,
        graph: 200,
        hazards: &[],
    }
    .holds();
}

#[test]
fn five_slow_lookups() {
    Example {
        calls: vec![RefCall::lookup(2000); 5],
        sequential: 10000,
        all_at_once: 2000,
        staged: 2000,
        keyed: 2000,
        graph: 2000,
        hazards: &[],
    }
    .holds();
}

#[test]
fn two_moves_over_the_same_files_in_opposite_order() {
    Example {
        calls: vec![
            RefCall::write("a", 100).writes(&["b"]),
            RefCall::write("b", 100).writes(&["a"]),
            RefCall::read("c", 100),
        ],
        sequential: 300,
        all_at_once: 100,
        staged: 300,
        keyed: 200,
        graph: 200,
        hazards: &["lost_update a 0 1"],
    }
    .holds();
}

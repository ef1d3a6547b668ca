//! The rules of the reference that are easy to get wrong, one by one.

mod support;

use support::reference::{
    Policy, RefCall, RefHazard, RefOutcome, closure, direct, hazards, overlap, run,
};

const NONE: [usize; 0] = [];

fn read(key: &str) -> RefCall {
    RefCall::read(key, 1)
}

fn write(key: &str) -> RefCall {
    RefCall::write(key, 1)
}

fn lookup() -> RefCall {
    RefCall::lookup(1)
}

fn opaque() -> RefCall {
    RefCall::opaque(1)
}

/// The causes of a run, `-` for a call that never started.
fn causes(policy: Policy, slots: Option<usize>, calls: &[RefCall]) -> Vec<String> {
    let run = run(policy, slots, calls);
    (0..calls.len()).map(|call| run.cause(call)).collect()
}

#[test]
fn a_tree_holds_its_root_and_all_below_and_nothing_else() {
    for inside in ["file:src", "file:src/a", "file:src/b/**", "file:src/**"] {
        assert!(overlap("file:src/**", inside), "{inside}");
        assert!(overlap(inside, "file:src/**"), "{inside}");
    }
    for outside in ["file:src2", "file:a/src", "dir:src/a", "file", "file:s/**"] {
        assert!(!overlap("file:src/**", outside), "{outside}");
    }
    for inside in ["file", "file:a", "file:a/**", "file:/a"] {
        assert!(overlap("file:**", inside), "{inside}");
    }
    assert!(overlap("file:/**", "file:/etc") && !overlap("file:/**", "file:etc"));
    assert!(!overlap("k", "k/**"), "without a kind it is no tree");
}

#[test]
fn a_queue_serialises_reads_behind_a_write_even_across_a_barrier() {
    let calls = [write("k"), opaque(), read("k"), read("k")];
    assert_eq!(
        direct(Policy::Keyed, &calls),
        [vec![], vec![0], vec![1], vec![2]]
    );
    assert_eq!(
        direct(Policy::Graph, &calls),
        [vec![], vec![0], vec![1], vec![1]]
    );
}

#[test]
fn a_read_before_any_write_of_its_key_runs_free_and_a_write_waits_for_it() {
    let calls = ["r", "r", "w", "r", "r", "w"].map(|sort| match sort {
        "r" => read("k"),
        _ => write("k"),
    });
    assert_eq!(
        direct(Policy::Keyed, &calls),
        [vec![], vec![], vec![0, 1], vec![2], vec![3], vec![4]]
    );
    assert_eq!(
        direct(Policy::KeyedLoose, &calls),
        [vec![], vec![], vec![], vec![2], vec![3], vec![4]]
    );
    assert_eq!(
        direct(Policy::Graph, &calls),
        [vec![], vec![], vec![0, 1], vec![2], vec![2], vec![3, 4]]
    );
}

#[test]
fn a_mutating_call_queues_on_what_it_reads_without_making_later_reads_queue() {
    let calls = [read("k"), write("j").reads(&["k"]), read("k"), write("k")];
    assert_eq!(
        direct(Policy::Keyed, &calls),
        [vec![], vec![], vec![], vec![0, 1, 2]]
    );
    assert_eq!(direct(Policy::KeyedLoose, &calls)[3], [1]);
}

#[test]
fn a_key_that_is_read_and_written_counts_as_written() {
    let call = write("k").reads(&["k", "j"]);
    let shown: Vec<_> = call.mentions().iter().map(|m| (m.key, m.write)).collect();
    assert_eq!(shown, [("k", true), ("j", false)]);
    let calls = [write("file:d/**").reads(&["file:d/**"]), write("shell")];
    assert_eq!(direct(Policy::Graph, &calls)[1], NONE);
}

#[test]
fn in_keyed_a_tree_read_and_writes_of_any_kind_wait_for_each_other() {
    let calls = [write("invoice:1"), read("file:**"), write("shell")];
    assert_eq!(direct(Policy::Keyed, &calls), [vec![], vec![0], vec![1]]);
    assert_eq!(direct(Policy::Graph, &calls), [NONE; 3]);
}

#[test]
fn in_keyed_an_exact_read_inside_a_tree_read_waits_for_nothing() {
    let calls = [read("file:**"), read("file:a"), lookup()];
    assert_eq!(direct(Policy::Keyed, &calls), [NONE; 3]);
}

#[test]
fn a_tree_write_is_a_barrier_in_keyed_and_an_ordinary_write_in_graph() {
    let calls = [read("invoice:1"), write("file:d/**"), read("file:d/a")];
    assert_eq!(direct(Policy::Keyed, &calls), [vec![], vec![0], vec![1]]);
    assert_eq!(direct(Policy::Graph, &calls), [vec![], vec![], vec![1]]);
}

#[test]
fn in_graph_only_a_call_that_mentions_the_outer_key_supersedes() {
    let (inner, tree) = ("file:d/a", "file:d/**");
    // The tree read in between mentions no `file:d/a` itself.
    let calls = [write(inner), read(tree), write(inner)];
    assert_eq!(direct(Policy::Graph, &calls)[2], [0, 1]);
    let calls = [write(inner), write(tree), read(tree)];
    assert_eq!(direct(Policy::Graph, &calls)[2], [1]);
    // Two reads of the tree do not wait for each other.
    let calls = [write(inner), read(tree), read(tree)];
    assert_eq!(direct(Policy::Graph, &calls)[2], [0]);
}

#[test]
fn in_graph_one_pair_that_is_not_superseded_is_an_edge() {
    let both = || write("a").writes(&["b"]);
    let calls = [both(), write("a"), both()];
    assert_eq!(direct(Policy::Graph, &calls)[2], [0, 1]);
    let calls = [both(), both(), both()];
    assert_eq!(direct(Policy::Graph, &calls)[2], [1]);
}

#[test]
fn a_barrier_waits_for_the_sinks_of_its_segment() {
    let calls = [
        read("k"),
        write("k"),
        lookup(),
        lookup().after(&[2]),
        opaque(),
        opaque(),
        lookup().after(&[0]),
    ];
    for policy in [Policy::Keyed, Policy::Graph] {
        let direct = direct(policy, &calls);
        assert_eq!(direct[4], [1, 3], "{}", policy.name());
        assert_eq!(direct[5], [4], "{}", policy.name());
        assert_eq!(direct[6], [5], "a hint across a barrier is implied");
        assert_eq!(closure(policy, &calls)[6], [0, 1, 2, 3, 4, 5]);
    }
}

#[test]
fn adjacent_reads_share_a_stage_and_a_hint_orders_within_it() {
    let calls = [
        lookup(),
        lookup().after(&[0]),
        write("k"),
        RefCall::ends_turn(1),
        lookup(),
        lookup().after(&[0]),
    ];
    assert_eq!(
        direct(Policy::Staged, &calls),
        [vec![], vec![0], vec![0, 1], vec![2], vec![3], vec![3]]
    );
    assert_eq!(direct(Policy::AllAtOnce, &calls), [NONE; 6]);
}

#[test]
fn a_blocked_call_reserves_no_slot_and_equal_ends_name_the_lowest_index() {
    let calls = [
        RefCall::write("k", 2),
        RefCall::write("k", 1),
        RefCall::lookup(3),
        RefCall::lookup(3),
    ];
    let run = run(Policy::Keyed, Some(2), &calls);
    assert_eq!(run.starts, [0, 2, 0, 3].map(Some));
    assert_eq!(run.slots, [0, 0, 1, 0].map(Some));
    assert_eq!(run.cause(1), "key k after 0");
    assert_eq!(run.cause(3), "slot after 1");
    assert_eq!(run.makespan, 6);
}

#[test]
fn with_one_slot_calls_of_no_duration_take_turns_within_an_instant() {
    let calls = [0, 0, 5].map(RefCall::lookup);
    let run = run(Policy::Graph, Some(1), &calls);
    assert_eq!(run.starts, [Some(0); 3]);
    assert_eq!(run.slots, [Some(0); 3]);
    assert_eq!(run.ends, [0, 0, 5].map(Some));
    assert_eq!(
        causes(Policy::Graph, Some(1), &calls),
        ["issued"; 3],
        "the slot cost no time"
    );
}

#[test]
fn a_call_of_no_duration_holds_its_slot_until_the_next_round() {
    let calls = [
        RefCall::lookup(0),
        RefCall::lookup(0).after(&[0]),
        RefCall::lookup(3),
        RefCall::lookup(3),
    ];
    let run = run(Policy::Graph, Some(2), &calls);
    assert_eq!(run.starts, [Some(0); 4]);
    assert_eq!(run.slots, [0, 0, 1, 0].map(Some));
}

#[test]
fn a_slot_is_never_owed_to_a_call_that_ends_after_the_start() {
    let calls = [
        RefCall::lookup(3),
        RefCall::lookup(6).after(&[0]),
        RefCall::lookup(0).after(&[0]),
        RefCall::lookup(5),
        RefCall::lookup(5),
        RefCall::lookup(1),
    ];
    let run = run(Policy::Graph, Some(3), &calls);
    // Call 2 starts and ends at 5 as well, but in the round in which call 5 starts.
    assert_eq!(run.ends[2], Some(5));
    assert_eq!(run.cause(5), "slot after 3");
}

#[test]
fn a_cause_names_the_barrier_the_key_inside_or_just_the_call() {
    let barrier = [opaque(), lookup()];
    assert_eq!(causes(Policy::Graph, None, &barrier)[1], "barrier 0");
    assert_eq!(causes(Policy::Sequential, None, &barrier)[1], "after 0");

    let staged = [write("k"), read("k"), read("k"), write("k")];
    assert_eq!(
        causes(Policy::Staged, None, &staged),
        ["issued", "barrier 0", "barrier 0", "after 1"]
    );
    assert_eq!(causes(Policy::Keyed, None, &staged)[2], "key k after 1");
    assert_eq!(causes(Policy::Graph, None, &staged)[2], "key k after 0");

    let tree = [write("file:d/a"), write("file:d/b"), read("file:d/**")];
    assert_eq!(
        causes(Policy::Graph, None, &tree)[2],
        "key file:d/a after 0"
    );
    let other = [write("invoice:1"), read("file:d/**")];
    assert_eq!(causes(Policy::Keyed, None, &other)[1], "after 0");
}

#[test]
fn a_cause_names_the_first_key_of_the_later_call() {
    let calls = [
        write("a").writes(&["b", "c"]),
        write("c").writes(&["b"]).reads(&["a"]),
    ];
    assert_eq!(causes(Policy::Graph, None, &calls)[1], "key c after 0");
}

#[test]
fn a_refused_call_takes_no_time_and_no_slot_and_is_looked_through() {
    let calls = [
        RefCall::read("k", 2),
        RefCall::opaque(7).refused(),
        RefCall::read("k", 1),
    ];
    let run = run(Policy::Keyed, Some(1), &calls);
    assert_eq!(run.starts, [Some(0), None, Some(2)]);
    assert_eq!(run.ends, [2, 2, 3].map(Some));
    assert_eq!(run.slots, [Some(0), None, Some(0)]);
    assert_eq!(run.outcomes[1], Some(RefOutcome::Refused));
    assert_eq!(run.cause(2), "key k after 0");
    assert_eq!(causes(Policy::Graph, None, &calls)[2], "after 0");
}

#[test]
fn a_call_refused_at_its_issue_is_itself_the_cause() {
    let calls = [RefCall::opaque(7).refused(), lookup()];
    assert_eq!(causes(Policy::Graph, None, &calls), ["-", "barrier 0"]);
    assert_eq!(causes(Policy::Sequential, None, &calls), ["-", "after 0"]);
}

#[test]
fn of_equal_ends_the_lowest_index_is_sought_after_looking_through() {
    let calls = [
        RefCall::lookup(2),
        RefCall::lookup(2),
        RefCall::lookup(0).after(&[0]).refused(),
        RefCall::lookup(1).after(&[1, 2]),
    ];
    assert_eq!(causes(Policy::Graph, None, &calls)[3], "after 0");
}

#[test]
fn the_successor_of_a_refused_call_is_ready_one_round_later() {
    let calls = [
        RefCall::lookup(0).refused(),
        RefCall::lookup(1).after(&[0]),
        RefCall::lookup(1),
    ];
    let run = run(Policy::Graph, Some(1), &calls);
    assert_eq!(run.starts, [None, Some(1), Some(0)]);
    assert_eq!(run.cause(1), "slot after 2");
}

#[test]
fn an_accepted_answer_settles_every_later_call_that_did_not_start() {
    let calls = [
        RefCall::lookup(2),
        RefCall::ends_turn(2),
        RefCall::lookup(9),
        RefCall::lookup(9).refused(),
    ];
    let run = run(Policy::Keyed, None, &calls);
    assert_eq!(run.starts, [Some(0), Some(2), None, None]);
    assert_eq!(run.ends, [2, 4, 4, 4].map(Some));
    assert_eq!(run.outcomes[2..], [Some(RefOutcome::NotRun); 2]);
    assert_eq!(run.makespan, 4);
}

#[test]
fn an_accepted_answer_comes_before_any_start_of_its_instant() {
    let calls = [
        RefCall::lookup(2),
        RefCall::ends_turn(2),
        RefCall::lookup(1),
    ];
    let run = run(Policy::AllAtOnce, Some(2), &calls);
    assert_eq!(run.starts[2], None);
    assert_eq!(run.outcomes[2], Some(RefOutcome::NotRun));
}

#[test]
fn all_at_once_calls_that_started_finish_beside_an_accepted_answer() {
    let calls = [RefCall::ends_turn(2), RefCall::write("k", 5)];
    let run = run(Policy::AllAtOnce, None, &calls);
    assert_eq!(run.ends, [2, 5].map(Some));
    assert_eq!(run.outcomes, [Some(RefOutcome::Ok); 2]);
    assert!(run.hazards.is_empty(), "final alone makes no hazard");
}

#[test]
fn an_answer_that_fails_or_is_refused_ends_nothing() {
    for answer in [
        RefCall::ends_turn(2).failing(),
        RefCall::ends_turn(2).refused(),
    ] {
        let run = run(Policy::Keyed, None, &[answer, lookup()]);
        assert_eq!(run.outcomes[1], Some(RefOutcome::Ok));
    }
}

#[test]
fn a_failed_call_releases_its_successors_as_any_other() {
    let calls = [RefCall::write("k", 2).failing(), read("k")];
    let run = run(Policy::Keyed, None, &calls);
    assert_eq!(
        run.outcomes,
        [Some(RefOutcome::Failed), Some(RefOutcome::Ok)]
    );
    assert_eq!(run.cause(1), "key k after 0");
}

#[test]
fn of_several_kinds_a_pair_is_the_first_that_fits_with_its_own_key() {
    let kind = |first: RefCall, second: RefCall| {
        let found = hazards(&[first, second], &[Some(0); 2], &[Some(1); 2]);
        found
            .into_iter()
            .next()
            .map(|hazard| (hazard.kind, hazard.key))
    };
    let with = |kind, key: &str| Some((kind, Some(key.to_owned())));
    let both = || write("a").writes(&["b"]);

    assert_eq!(
        kind(both(), write("b").reads(&["a"])),
        with("lost_update", "b")
    );
    assert_eq!(
        kind(both(), read("b").reads(&["a"])),
        with("stale_read", "a")
    );
    assert_eq!(
        kind(read("b").reads(&["a"]), both()),
        with("early_write", "b")
    );
    assert_eq!(
        kind(write("file:d/**"), read("file:d/a")),
        with("stale_read", "file:d/a")
    );
    assert_eq!(kind(write("k"), opaque()), Some(("unknown_order", None)));
    assert_eq!(kind(read("k"), read("k")), None);
    assert_eq!(kind(write("k"), write("j")), None);
}

#[test]
fn only_a_later_call_that_began_before_the_earlier_ended_is_a_hazard() {
    let calls = [write("k"), write("k")];
    let found = |starts: [Option<u64>; 2], ends: [Option<u64>; 2]| {
        let found = hazards(&calls, &starts, &ends);
        found
            == [RefHazard {
                kind: "lost_update",
                key: Some("k".to_owned()),
                first: 0,
                second: 1,
            }]
    };
    assert!(found([Some(0), Some(1)], [Some(2), Some(3)]));
    assert!(found([Some(5), Some(0)], [Some(6), Some(1)]), "overtaken");
    assert!(!found([Some(0), Some(2)], [Some(2), Some(3)]), "touching");
    assert!(
        !found([Some(0), Some(0)], [Some(0), Some(0)]),
        "no time at all"
    );
    assert!(!found([Some(0), None], [Some(2), Some(1)]), "never started");
}

#[test]
fn an_empty_turn_takes_no_time() {
    for policy in Policy::ALL {
        assert_eq!(run(policy, Some(1), &[]).makespan, 0);
    }
}

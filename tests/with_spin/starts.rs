//! Starts and waits for them: what their ticks add to the states that acceleration compares, in one word and in two.

use autotune::machine::{Program, Queue, Server, Statement, evaluate, evaluate_plain};

use crate::acceleration::{assert_ends, made_for_the_comparisons};
use crate::random_programs::{Shape, in_units, programs};
use crate::side_by_side;

fn used(server: Server, occupancy: u64, latency: u64) -> Statement {
    Statement::Use { server, occupancy, latency }
}

fn start(occupancy: u64, latency: u64) -> Statement {
    Statement::Start { server: Server::Memory, occupancy, latency, queue: Queue::A }
}

fn wait(pending: u64) -> Statement {
    Statement::Wait { queue: Queue::A, pending }
}

fn repeated(count: u64, body: Vec<Statement>) -> Statement {
    Statement::Loop { count, body }
}

/// A program with short waits in one word and in two, and with long ones whose low words are 0. A long launch makes a model
/// wide.
fn in_all_words(program: &Program) -> [Program; 3] {
    [program.clone(), Program { launch: 1 << 31, ..program.clone() }, in_units(1 << 30, program.clone())]
}

/// A snapshot has the starts that are under way and the rests of matrix units too.
#[test]
fn a_state_with_another_start_under_way_is_no_repetition() {
    let short = repeated(2, vec![used(Server::Local, 1, 1)]);
    // The first iteration waits for the start, the others do not.
    let waiting = side_by_side(1, vec![start(0, 50), repeated(5, vec![short, wait(0)])]);
    // The statement before the loop occupies the matrix unit as long as the loop's last one does, with another latency: warps
    // wake as they do in the loop, and the unit's rest differs.
    let body = vec![repeated(2, vec![used(Server::Local, 0, 0)]), used(Server::Matrix, 1, 2)];
    let late = side_by_side(2, vec![used(Server::Matrix, 1, 1), repeated(3, body)]);
    for words in 0..3 {
        let made = [&waiting, &late].map(|program| in_all_words(program)[words].clone());
        let made = made.map(|program| (evaluate_plain(&program, u64::MAX).unwrap().ticks, program));
        let beside = if words == 0 { made_for_the_comparisons() } else { Vec::new() };
        assert_ends(&beside.into_iter().chain(made).collect::<Vec<_>>());
    }
}

/// Loops too long to run one event after the other: with starts in each iteration, and behind one that they do not wait for.
#[test]
fn long_loops_with_starts_are_skipped() {
    let work = used(Server::Local, 5, 10);
    let of_each = side_by_side(1, vec![repeated(10_000_000, vec![start(1, 30), wait(1), work.clone()])]);
    let of_one = side_by_side(1, vec![start(1, 30), repeated(10_000_000, vec![work]), wait(0)]);
    for words in 0..3 {
        let some = [&of_each, &of_one].map(|program| in_all_words(program)[words].clone());
        let with_ticks = some.map(|program| (evaluate(&program, 1000).unwrap().ticks, program));
        assert!(with_ticks.iter().all(|(ticks, _)| *ticks >= 100_000_000));
        assert_ends(&with_ticks);
    }
}

/// A wait that leaves the last start pending ends with the latest of the others, whichever was first.
#[test]
fn the_latest_of_older_starts_is_kept_at_every_edge_of_its_words() {
    let base = 1 << 30;
    let latencies = [1, 5, base - 1, base, base + 1, base + 5, 2 * base - 1, 2 * base, 2 * base + 1];
    let pairs = latencies.into_iter().flat_map(|first| latencies.map(|second| [first, second]));
    let made = pairs.map(|[first, second]| {
        let program = side_by_side(1, vec![start(0, first), start(0, second), start(0, 1), wait(1)]);
        (first.max(second), program)
    });
    assert_ends(&made.collect::<Vec<_>>());
}

/// A long launch makes the model wide.
#[test]
fn short_starts_beside_a_long_launch_keep_their_times() {
    let shape = Shape { dispatchers: 3, resident_groups: 2, warps: 4, iterations: 9, queues: 3 };
    let mut some: Vec<Program> = programs(320, shape).take(150).collect();
    some[0].launch = 1 << 31;
    let with_ticks = some.into_iter().map(|program| (evaluate_plain(&program, u64::MAX).unwrap().ticks, program));
    assert_ends(&with_ticks.collect::<Vec<_>>());
}

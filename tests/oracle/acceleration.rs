//! Programs that distinguish exact acceleration from near misses, found among millions of random ones.
//!
//! Each is named after the part of the comparison, or of the search, without which its time would be wrong. All times
//! are those of `machine.py`.

use autotune::machine::{Evaluation, Program, Server, Statement, evaluate};

use super::reference;

fn memory(occupancy: u64, latency: u64) -> Statement {
    Statement::Use { server: Server::Memory, occupancy, latency }
}

fn local(occupancy: u64, latency: u64) -> Statement {
    Statement::Use { server: Server::Local, occupancy, latency }
}

fn dispatcher(occupancy: u64, latency: u64) -> Statement {
    Statement::Use { server: Server::Dispatcher, occupancy, latency }
}

fn barrier(cost: u64) -> Statement {
    Statement::barrier(cost)
}

fn repeat<const N: usize>(count: u64, body: [Statement; N]) -> Statement {
    Statement::Loop { count, body: body.into() }
}

fn wave<const N: usize>(dispatchers: u64, groups: u64, warps_per_group: u64, body: [Statement; N]) -> Program {
    Program {
        multiprocessors: 1,
        dispatchers,
        groups,
        resident_groups: groups,
        warps_per_group,
        passes: 1,
        launch: 0,
        body: body.into(),
    }
}

/// The program is accelerated, and its time is that of the reference.
#[track_caller]
fn assert_exact(program: Program) -> Evaluation {
    let evaluation = evaluate(&program, u64::MAX).unwrap();
    assert!(evaluation.skips > 0);
    assert_eq!(vec![evaluation.ticks], reference::times(&[program]));
    evaluation
}

/// Checks that the program's time is exact, after so few events that something must have been skipped at the right
/// place.
#[track_caller]
fn assert_within(events: u64, program: Program) {
    let evaluation = assert_exact(program);
    assert!(evaluation.stepped <= events, "{} events of {}", evaluation.stepped, evaluation.events);
}

// Parts of the state that a repetition must share.

#[test]
fn how_long_servers_are_still_busy() {
    assert_exact(wave(2, 1, 4, [memory(6, 11), repeat(8, [memory(6, 26)])]));
}

/// The statement before the loop has the latency of the loop's last statement and another occupancy.
#[test]
fn how_long_servers_are_still_busy_when_warps_wake_as_before() {
    let inner = repeat(3, [dispatcher(1, 1)]);
    assert_exact(wave(2, 1, 2, [local(8, 9), repeat(4, [inner, local(3, 3), local(5, 9)])]));
    assert_exact(wave(1, 2, 1, [memory(1, 1), repeat(30, [repeat(2, [barrier(0)]), memory(1, 2)])]));
}

/// Two dispatchers with different numbers of warps leave the inner loop at different times.
#[test]
fn loops_that_warps_leave_at_different_times() {
    assert_exact(wave(2, 1, 3, [repeat(70, [repeat(2, [dispatcher(2, 3)])])]));
    assert_exact(wave(1, 2, 1, [repeat(50, [repeat(2, [memory(1, 1)]), memory(0, 0)])]));
}

#[test]
fn when_warps_wake() {
    assert_exact(wave(1, 2, 3, [local(3, 13), repeat(6, [barrier(0), barrier(1)])]));
}

#[test]
fn which_warps_wait() {
    assert_exact(wave(3, 3, 2, [repeat(13, [barrier(0), dispatcher(1, 2)])]));
}

#[test]
fn where_warps_are() {
    assert_exact(wave(3, 3, 1, [repeat(71, [barrier(2), barrier(0)])]));
}

#[test]
fn iterations_of_all_levels_but_one() {
    assert_exact(wave(2, 3, 3, [repeat(7, [repeat(8, [dispatcher(5, 13)])])]));
}

#[test]
fn iterations_of_the_loops_outside() {
    let inner = repeat(19, [barrier(0), repeat(79, [dispatcher(4, 6)])]);
    assert_exact(wave(4, 3, 2, [repeat(8, [inner, repeat(26, [barrier(2)])])]));
}

// The number of repetitions that are skipped.

#[test]
fn an_iteration_is_left_after_a_skip() {
    assert_exact(wave(3, 3, 3, [repeat(8, [barrier(0)])]));
}

#[test]
fn the_warp_with_the_fewest_iterations_left_decides() {
    assert_exact(wave(3, 2, 2, [repeat(36, [dispatcher(3, 3)])]));
}

#[test]
fn busy_servers_are_put_off_too() {
    assert_exact(wave(2, 2, 2, [repeat(40, [local(6, 6)])]));
}

// The choice of the states that are compared.

#[test]
fn the_next_pivot_when_one_is_done() {
    assert_within(40, wave(3, 2, 1, [repeat(19, [repeat(64, [repeat(47, [barrier(0)])])])]));
}

#[test]
fn a_new_pivot_by_its_own_snapshots() {
    assert_exact(wave(3, 2, 2, [barrier(1), local(3, 3), repeat(8, [barrier(1)])]));
}

#[test]
fn loops_inside_others() {
    assert_within(40, wave(2, 1, 1, [repeat(8, [repeat(76, [repeat(88, [barrier(0)])])])]));
}

#[test]
fn loops_around_others() {
    assert_within(60, wave(3, 2, 1, [local(3, 4), repeat(82, [repeat(76, [repeat(6, [memory(0, 0)])])])]));
}

#[test]
fn a_loop_around_others_once_an_iteration() {
    let deep = repeat(52, [repeat(8, [barrier(1), dispatcher(3, 18)]), barrier(2)]);
    assert_within(100, wave(3, 1, 1, [repeat(99, [repeat(35, [memory(4, 4)]), deep])]));
}

#[test]
fn a_loop_that_is_entered_again_from_its_first_iteration() {
    let inner = repeat(65, [repeat(37, [memory(1, 3)]), memory(1, 1), memory(3, 12)]);
    assert_within(8_000, wave(1, 3, 1, [repeat(21, [inner, local(1, 1)]), barrier(1)]));
}

#[test]
fn repetitions_that_begin_late() {
    let body = [repeat(93, [dispatcher(0, 2)]), memory(0, 0), dispatcher(0, 0)];
    assert_within(200, wave(3, 2, 1, [repeat(85, [repeat(11, body)])]));
}

#[test]
fn repetitions_of_several_iterations() {
    let program = wave(3, 2, 2, [memory(2, 6), repeat(37, [repeat(99, [local(1, 1), local(0, 0), barrier(0)])])]);
    assert_within(1_000, program);
}

#[test]
fn repetitions_of_different_numbers_of_iterations() {
    // Dispatcher 0 has two warps and takes 6 ticks for an iteration of both, warp 1 takes 5: it begins six iterations
    // while the others begin five.
    let program = wave(2, 1, 3, [repeat(10_000, [dispatcher(3, 5)])]);
    assert_within(100, program.clone());
    assert_eq!(evaluate(&program, u64::MAX).unwrap().longest_period, 5);
}

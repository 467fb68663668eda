//! `check.py` checks kept proofs with Python alone: its times and its lower bounds are those of this program.

use autotune::machine::{Program, Queue, Server, Statement, evaluate, lower_bound};

use super::grid::varied as varied_grid_programs;
use super::one_warp::one_warp;
use super::queues::queued_programs;
use super::{cases, reference, varied_programs};

const DRIVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/drive_check.py");
const CHECK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/certificate/check.py");

#[test]
fn check_py_computes_the_times_and_the_bounds_of_random_programs() {
    let mut programs: Vec<Program> = varied_programs(8).take(cases(10_000)).collect();
    programs.extend(queued_programs(27, 12).take(cases(10_000)));
    programs.extend(varied_grid_programs(45, 12).take(cases(10_000)));
    for (program, line) in programs.iter().zip(reference::answers(&[DRIVER, CHECK], &programs)) {
        let (bound, ticks) = (lower_bound(program).ticks, evaluate(program, u64::MAX).unwrap().ticks);
        assert_eq!(line, format!("{bound} {ticks}"), "{}", serde_json::to_string(program).unwrap());
    }
}

/// A start that outlives a loop: no two iterations begin with equal rests, so both count what is left by its uses.
#[test]
fn check_py_bounds_no_less_where_its_steps_run_out() {
    let start = |server, latency, queue| Statement::Start { server, occupancy: 0, latency, queue };
    let mut turn = vec![start(Server::Local, 50, Queue::A), Statement::Wait { queue: Queue::A, pending: 0 }];
    let issue = Statement::Use { server: Server::Dispatcher, occupancy: 1, latency: 1 };
    turn.extend(std::iter::repeat_n(issue, 20));
    let program = one_warp(vec![
        start(Server::Memory, 2_000_000, Queue::B),
        Statement::Loop { count: 60_000, body: turn },
        Statement::Wait { queue: Queue::B, pending: 0 },
    ]);
    let (bound, ticks) = (lower_bound(&program).ticks, evaluate(&program, u64::MAX).unwrap().ticks);
    let lines = reference::answers(&[DRIVER, CHECK], &[program]);
    let (own, time) = lines[0].split_once(' ').unwrap();
    assert_eq!(time, ticks.to_string());
    assert!(bound < ticks && (bound..=ticks).contains(&own.parse().unwrap()), "{bound} {own} {ticks}");
}

//! Granularity `warp`: SPIN's times against the native evaluator's.

use autotune::machine::{Program, Queue, Server, Statement, evaluate};
use autotune::model::Form;
use autotune::spin::Found;
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::one_warp::one_warp;
use crate::random_programs::{Shape, lengthened, programs};
use crate::{NONE, checker, plain, warp_models};

fn ticks(program: &Program) -> u64 {
    evaluate(program, u64::MAX).unwrap().ticks
}

/// Runs all programs in one model of each form: the time of every end, and the optimum with its proof.
fn assert_equal(programs: &[Program]) {
    for form in [Form::Roles, Form::Wave] {
        assert_equal_in(form, programs);
    }
}

fn assert_equal_in(form: Form, programs: &[Program]) {
    let folder = tempfile::tempdir().unwrap();
    let models = warp_models(form, programs);
    assert_eq!(models.len(), 1);
    let mut checker = checker(models.into_iter().next().unwrap(), folder.path());
    let (ends, statistics) = checker.ends(NONE).unwrap();
    assert_eq!(ends.len(), programs.len());
    for end in &ends {
        let program = &programs[usize::from(end.configuration)];
        assert!(end.done);
        assert_eq!(end.ticks, ticks(program), "{}", serde_json::to_string(program).unwrap());
    }
    let events: u64 = programs.iter().map(|program| evaluate(program, u64::MAX).unwrap().events).sum();
    assert!(statistics.states <= events, "{} states, {events} events", statistics.states);
    let optimum = programs.iter().map(ticks).min().unwrap();
    assert_eq!(checker.find(optimum).unwrap().0, Found::None);
    let (Found::Witnesses(found), _) = checker.find(optimum + 1).unwrap() else { panic!("no witness") };
    assert_eq!(found[0].ticks, optimum);
}

#[test]
fn spin_and_the_evaluator_agree_on_random_programs() {
    let shape = Shape { dispatchers: 4, resident_groups: 3, warps: 4, iterations: 4, queues: 0 };
    for seed in 0..4 {
        let some: Vec<Program> = programs(seed, shape).take(100).collect();
        assert_equal(&some);
    }
}

/// Starts, waits and matrix units, in both forms and with short and long waits.
#[test]
fn spin_and_the_evaluator_agree_on_random_programs_with_queues() {
    let shape = Shape { dispatchers: 3, resident_groups: 2, warps: 4, iterations: 9, queues: 3 };
    let mut random = StdRng::seed_from_u64(31);
    for seed in 31..33 {
        let mut some: Vec<Program> = programs(seed, shape).take(100).collect();
        if seed % 2 == 0 {
            some = some.into_iter().map(|program| lengthened(&mut random, program)).collect();
            some.retain(|program| program.check().is_ok());
        }
        assert!(some.len() > 60);
        assert_equal(&some);
    }
}

#[test]
fn steps_and_states_stay_within_twelve_and_one_an_event() {
    let shape = Shape { dispatchers: 2, resident_groups: 2, warps: 3, iterations: 40, queues: 0 };
    for program in programs(7, shape).filter(|program| evaluate(program, u64::MAX).unwrap().events > 60).take(12) {
        let folder = tempfile::tempdir().unwrap();
        let events = evaluate(&program, u64::MAX).unwrap().events;
        let mut checker = checker(plain(warp_models(Form::Roles, &[program]).remove(0)), folder.path());
        let (_, statistics) = checker.find(NONE).unwrap();
        assert!(statistics.steps <= 12 * events, "{} steps, {events} events", statistics.steps);
        assert!(statistics.steps > events, "{} steps, {events} events: some are skipped", statistics.steps);
        assert!(statistics.states <= events, "{} states, {events} events", statistics.states);
    }
}

/// A program that takes exactly `launch + full * latency` ticks.
fn long(launch: u64, full: u64, latency: u64) -> Program {
    let memory = Statement::Use { server: Server::Memory, occupancy: 0, latency };
    Program { groups: full, launch, ..one_warp(vec![memory]) }
}

/// The rows of all models have slots if those of one need them; then all have matrix units.
#[test]
fn programs_without_starts_beside_a_model_with_starts_keep_their_times() {
    let mut some: Vec<Program> = (1..=1_300).map(|full| long(0, full, 7)).collect();
    let start = Statement::Start { server: Server::Matrix, occupancy: 3, latency: 9, queue: Queue::A };
    some.push(one_warp(vec![start]));
    let models = warp_models(Form::Wave, &some);
    assert_eq!(models.len(), 2);
    for model in models {
        let folder = tempfile::tempdir().unwrap();
        let candidates = model.candidates.clone();
        let mut checker = checker(model, folder.path());
        for end in checker.ends(NONE).unwrap().0 {
            assert_eq!(end.ticks, ticks(&some[usize::from(candidates[end.configuration])]));
        }
    }
}

#[test]
fn time_beyond_32_bits_carries_at_every_edge() {
    let edge = 1u64 << 30;
    let near = [edge - 1, edge - 2, edge / 2, 1, 32767, 32768, 32769];
    let mut some: Vec<Program> = Vec::new();
    for full in near {
        for latency in near {
            some.extend([0, 1, edge - 1, edge, (1 << 31) - 1].map(|launch| long(launch, full, latency)));
        }
    }
    some.retain(|program| program.check().is_ok());
    assert!(some.iter().any(|program| ticks(program) > 1 << 58));
    assert_equal(&some);
}

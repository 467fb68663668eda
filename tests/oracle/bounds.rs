//! The lower bounds: never above a time, and equal to their definition.

use autotune::machine::{By, Program, Server, Statement, evaluate, lower_bound, lower_bound_of_wave};

use super::random_programs::{Shape, programs};
use super::{cases, reference, varied_programs};

#[test]
fn no_bound_is_above_the_time_of_random_programs() {
    let mut reasons = [0_usize; 5];
    let mut met = 0;
    for program in varied_programs(2).take(cases(100_000)) {
        let bound = lower_bound(&program);
        let ticks = evaluate(&program, u64::MAX).unwrap().ticks;
        assert!(bound.ticks <= ticks, "{bound:?} > {ticks}: {}", serde_json::to_string(&program).unwrap());
        met += usize::from(bound.ticks == ticks);
        reasons[REASONS.iter().position(|&by| by == bound.by).unwrap()] += 1;
    }
    assert!(met > cases(10_000), "only {met} bounds are met");
    assert!(reasons.iter().all(|&times| times > cases(1_000)), "hardly ever greatest: {reasons:?} of {REASONS:?}");
}

const REASONS: [By; 5] = [
    By::CriticalPath,
    By::Server(Server::Memory),
    By::Server(Server::Local),
    By::Server(Server::Dispatcher),
    By::Phases,
];

#[test]
fn no_bound_is_above_the_least_time_over_all_orders_of_simultaneous_events() {
    let shape = Shape { dispatchers: 2, resident_groups: 2, warps: 3, iterations: 3, queues: 0 };
    let small = |program: &Program| {
        let warps = program.largest_wave() * program.warps_per_group;
        let events = evaluate(program, u64::MAX).unwrap().events;
        (3..=4).contains(&warps) && (12..=40).contains(&events)
    };
    let programs: Vec<Program> = programs(3, shape).filter(small).take(1_000).collect();
    assert_bounds_hold_in_all_orders(&programs, 50);
}

/// Checks the bounds of programs of which at least `open` take a time that depends on the order of simultaneous events.
pub(crate) fn assert_bounds_hold_in_all_orders(programs: &[Program], open: usize) {
    let mut undecided = 0;
    for (program, (least, greatest)) in programs.iter().zip(reference::extremes(programs)) {
        let bound = lower_bound(program);
        assert!(bound.ticks <= least, "{bound:?} > {least}: {}", serde_json::to_string(program).unwrap());
        undecided += usize::from(least < greatest);
    }
    assert!(undecided >= open, "only {undecided} programs whose time depends on the order");
}

#[test]
fn bounds_are_those_of_the_flattened_body() {
    let shape = Shape { dispatchers: 3, resident_groups: 3, warps: 4, iterations: 4, queues: 0 };
    for program in programs(4, shape).take(20_000) {
        let mut flat = Vec::new();
        flatten(&program.body, &mut flat);
        let groups = program.largest_wave();
        let of_phases: u64 = flat
            .split(|statement| matches!(statement, Statement::Barrier { .. }))
            .map(|phase| greatest_of_stretch(&program, phase, 1))
            .sum();
        let costs: u64 =
            flat.iter().map(|statement| if let Statement::Barrier { cost, .. } = statement { *cost } else { 0 }).sum();
        let expected = greatest_of_stretch(&program, &flat, groups).max(of_phases + costs);
        let bound = lower_bound_of_wave(&program, groups);
        assert_eq!(bound.ticks, expected, "{bound:?}: {}", serde_json::to_string(&program).unwrap());
    }
}

/// Examples that `docs/theory/proofs.md` speaks of: no proof may rest on monotony.
#[test]
fn a_longer_latency_or_a_further_group_can_make_a_wave_shorter() {
    let dispatcher = |occupancy, latency| Statement::Use { server: Server::Dispatcher, occupancy, latency };
    let memory = |occupancy, latency| Statement::Use { server: Server::Memory, occupancy, latency };
    let wave = |dispatchers, groups, warps_per_group, body: &[Statement]| {
        let (resident_groups, body) = (groups, body.to_vec());
        let program = Program {
            multiprocessors: 1,
            dispatchers,
            groups,
            resident_groups,
            warps_per_group,
            passes: 1,
            launch: 0,
            body,
        };
        reference::times(&[program])[0]
    };
    let later = |latency| {
        let local = Statement::Use { server: Server::Local, occupancy: 2, latency: 2 };
        wave(1, 1, 2, &[local, dispatcher(1, latency), dispatcher(4, 5)])
    };
    assert_eq!((later(2), later(3)), (15, 14));
    let body = [dispatcher(2, 2), dispatcher(0, 3), dispatcher(1, 16), memory(2, 4), dispatcher(9, 24), memory(1, 4)];
    assert_eq!((wave(4, 3, 3, &body), wave(4, 4, 3, &body)), (85, 81));
}

pub(crate) fn flatten(body: &[Statement], flat: &mut Vec<Statement>) {
    for statement in body {
        if let Statement::Loop { count, body } = statement {
            (0..*count).for_each(|_| flatten(body, flat));
        } else {
            flat.push(statement.clone());
        }
    }
}

/// The critical path and the servers' bounds, word by word.
fn greatest_of_stretch(program: &Program, flat: &[Statement], groups: u64) -> u64 {
    let warps = groups * program.warps_per_group;
    let servers =
        [(Server::Memory, warps), (Server::Local, warps), (Server::Dispatcher, warps.div_ceil(program.dispatchers))];
    let of_server = servers.map(|(server, sharing)| {
        let uses = |statement: &Statement| matches!(statement, Statement::Use { server: used, .. } if *used == server);
        let Some(first) = flat.iter().position(uses) else { return 0 };
        let last = flat.iter().rposition(uses).unwrap();
        let busy: u64 = flat.iter().filter(|statement| uses(statement)).map(occupancy).sum();
        path(&flat[..first]) + sharing * busy + path(&flat[last..]) - occupancy(&flat[last])
    });
    of_server.into_iter().fold(path(flat), u64::max)
}

fn path(flat: &[Statement]) -> u64 {
    let latency = |statement: &Statement| match *statement {
        Statement::Use { latency, .. } => latency,
        Statement::Barrier { cost, .. } => cost,
        _ => unreachable!("the body is flat and has no starts"),
    };
    flat.iter().map(latency).sum()
}

fn occupancy(statement: &Statement) -> u64 {
    let Statement::Use { occupancy, .. } = *statement else { unreachable!("only uses are served") };
    occupancy
}

//! Programs with barriers of all groups: the evaluator and the bounds against `machine.py`, and against bounds of the body
//! written out.

use autotune::machine::{
    BarrierScope, Program, Statement, critical_stays, evaluate, evaluate_plain, lower_bound, lower_bound_of_wave,
    timeline, timeline_plain,
};
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::bounds::{assert_bounds_hold_in_all_orders, flatten};
use super::grid_programs::{grid_programs, without_grid};
use super::queues::of_stretch;
use super::random_programs::{Shape, lengthened};
use super::{cases, reference};

/// Random programs of several groups, every second with starts; every seventh has ticks of more than 32 bits.
pub(crate) fn varied(seed: u64, iterations: u64) -> impl Iterator<Item = Program> {
    let shape = |queues| Shape { dispatchers: 3, resident_groups: 4, warps: 3, iterations, queues };
    let (mut plain, mut queued) = (grid_programs(seed, shape(0)), grid_programs(seed, shape(3)));
    let alternately = (0..).filter_map(move |turn| if turn % 2 == 0 { plain.next() } else { queued.next() });
    let short = alternately.filter(|program| evaluate(program, u64::MAX).unwrap().events <= 1_500);
    let mut random = StdRng::seed_from_u64(seed);
    let long = move |(turn, program)| if turn % 7 == 0 { lengthened(&mut random, program) } else { program };
    (0..).zip(short).map(long).filter(|program| program.check().is_ok())
}

#[test]
fn the_evaluator_equals_the_reference_on_10_000_random_programs() {
    let programs: Vec<Program> = varied(41, 14).take(10_000).collect();
    let (mut accelerated, mut joined) = (0, 0);
    for (program, expected) in programs.iter().zip(reference::times(&programs)) {
        let text = || serde_json::to_string(program).unwrap();
        let [evaluation, plain] = [evaluate, evaluate_plain].map(|run| run(program, u64::MAX).unwrap());
        assert_eq!((evaluation.ticks, plain.ticks), (expected, expected), "{}", text());
        assert_eq!((evaluation.events, plain.stepped), (plain.events, plain.events), "{}", text());
        accelerated += usize::from(evaluation.skips > 0);
        joined += usize::from(evaluate(&without_grid(program), u64::MAX).unwrap().ticks != expected);
    }
    assert!(accelerated >= 2_000, "only {accelerated} programs accelerated");
    assert!(joined >= 1_000, "barriers of a group take another time in only {joined} programs");
}

#[test]
fn the_timeline_and_the_critical_path_add_up_to_the_time() {
    for program in varied(42, 30).take(cases(5_000)) {
        let text = || serde_json::to_string(&program).unwrap();
        let ticks = evaluate(&program, u64::MAX).unwrap().ticks;
        let path: u64 = critical_stays(&program, u64::MAX).unwrap().iter().map(|at| at.occupancy + at.latency).sum();
        assert_eq!(program.launch + path, ticks, "{}", text());
        let [shown, plain] = [timeline, timeline_plain].map(|run| run(&program, 64, u64::MAX).unwrap());
        assert_eq!((shown.waves.total(), &shown.totals), (ticks, &plain.totals), "{}", text());
    }
}

#[test]
fn no_bound_is_above_the_time_and_bounds_are_those_of_the_flattened_body() {
    let (mut met, mut sharper) = (0, 0);
    for program in varied(43, 4).take(cases(50_000)) {
        let text = || serde_json::to_string(&program).unwrap();
        let ticks = evaluate(&program, u64::MAX).unwrap().ticks;
        let bound = lower_bound(&program).ticks;
        assert!(bound <= ticks, "{bound} > {ticks}: {}", text());
        met += usize::from(bound == ticks);
        sharper += usize::from(bound > lower_bound(&without_grid(&program)).ticks);
        let mut flat = Vec::new();
        flatten(&program.body, &mut flat);
        let groups = program.largest_wave();
        assert_eq!(lower_bound_of_wave(&program, groups).ticks, of_flat(&program, &flat, groups), "{}", text());
    }
    assert!(met > cases(10_000), "only {met} bounds are met");
    assert!(sharper > cases(2_000), "phases of all groups give only {sharper} bounds");
}

#[test]
fn no_bound_is_above_the_least_time_over_all_orders_of_simultaneous_events() {
    let shape = Shape { dispatchers: 2, resident_groups: 3, warps: 2, iterations: 2, queues: 0 };
    let small = |program: &Program| {
        let warps = program.largest_wave() * program.warps_per_group;
        let events = evaluate(program, u64::MAX).unwrap().events;
        program.largest_wave() > 1 && (2..=4).contains(&warps) && (8..=30).contains(&events)
    };
    let programs: Vec<Program> = grid_programs(44, shape).filter(small).take(1_000).collect();
    assert_bounds_hold_in_all_orders(&programs, 20);
}

/// The bound of the wave: as a whole, by the phases of a group, and by those of the wave, each of which may be cut further.
fn of_flat(program: &Program, flat: &[Statement], groups: u64) -> u64 {
    let of_grid = |one: &Statement| matches!(one, Statement::Barrier { scope: BarrierScope::Grid, .. });
    let of_any = |one: &Statement| matches!(one, Statement::Barrier { .. });
    let of_groups = |flat: &[Statement], is_end| {
        by_phases(flat, is_end, of_any, |phase, is_end| of_stretch(program, phase, 1, is_end))
    };
    let both = |flat: &[Statement], is_end| of_stretch(program, flat, groups, is_end).max(of_groups(flat, is_end));
    both(flat, true).max(by_phases(flat, true, of_grid, both))
}

/// The sum of the bounds of the phases between some barriers, and of the costs of these.
fn by_phases(
    flat: &[Statement],
    is_end: bool,
    cuts: impl Fn(&Statement) -> bool,
    bound: impl Fn(&[Statement], bool) -> u64,
) -> u64 {
    let phases: Vec<&[Statement]> = flat.split(|one| cuts(one)).collect();
    let (last, before) = phases.split_last().unwrap();
    let of_barrier = |one: &Statement| if let Statement::Barrier { cost, .. } = one { *cost } else { 0 };
    let costs: u64 = flat.iter().filter(|one| cuts(one)).map(of_barrier).sum();
    costs + before.iter().map(|phase| bound(phase, false)).sum::<u64>() + bound(last, is_end)
}

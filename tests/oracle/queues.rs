//! Programs with asynchronous starts: the evaluator and the bounds against `machine.py` and against bounds of the body
//! written out.

use autotune::machine::{
    Program, Queue, Server, Statement, critical_stays, evaluate, evaluate_plain, lower_bound, lower_bound_of_wave,
    timeline, timeline_plain,
};
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::random_programs::{Shape, lengthened, programs};
use super::{cases, reference};

/// Random programs with starts; every seventh has ticks of more than 32 bits.
pub(crate) fn queued_programs(seed: u64, iterations: u64) -> impl Iterator<Item = Program> {
    let shape = Shape { dispatchers: 3, resident_groups: 3, warps: 4, iterations, queues: 3 };
    let short = programs(seed, shape).filter(|program| evaluate(program, u64::MAX).unwrap().events <= 1_500);
    let mut random = StdRng::seed_from_u64(seed);
    let long = move |(turn, program)| if turn % 7 == 0 { lengthened(&mut random, program) } else { program };
    (0..).zip(short).map(long).filter(|program| program.check().is_ok() && has_starts(program))
}

fn has_starts(program: &Program) -> bool {
    Statement::all(&program.body).any(|(statement, _)| matches!(statement, Statement::Start { .. }))
}

#[test]
fn the_evaluator_equals_the_reference_on_random_programs_with_queues() {
    let programs: Vec<Program> = queued_programs(21, 12).take(cases(100_000)).collect();
    let (mut accelerated, mut held_up) = (0, 0);
    for (program, expected) in programs.iter().zip(reference::times(&programs)) {
        let text = || serde_json::to_string(program).unwrap();
        let [evaluation, plain] = [evaluate, evaluate_plain].map(|run| run(program, u64::MAX).unwrap());
        assert_eq!((evaluation.ticks, plain.ticks), (expected, expected), "{}", text());
        assert_eq!((evaluation.events, plain.stepped), (plain.events, plain.events), "{}", text());
        accelerated += usize::from(evaluation.skips > 0);
        let hasty = Program { body: without_waits(&program.body), ..program.clone() };
        held_up += usize::from(evaluate(&hasty, u64::MAX).unwrap().ticks != expected);
    }
    assert!(accelerated >= cases(10_000), "only {accelerated} programs accelerated");
    assert!(held_up >= cases(2_000), "waits change the time of only {held_up} programs");
}

fn without_waits(body: &[Statement]) -> Vec<Statement> {
    let kept = body.iter().filter(|statement| !matches!(statement, Statement::Wait { .. }));
    let inside = |statement: &Statement| match statement {
        Statement::Loop { count, body } => Statement::Loop { count: *count, body: without_waits(body) },
        other => other.clone(),
    };
    kept.map(inside).collect()
}

/// Gaps of repetitions leave a lane's sums as they are, and the critical path is the time.
#[test]
fn the_timeline_and_the_critical_path_add_up_to_the_time() {
    for program in queued_programs(22, 30).take(cases(5_000)) {
        let text = || serde_json::to_string(&program).unwrap();
        let ticks = evaluate(&program, u64::MAX).unwrap().ticks;
        let path: u64 = critical_stays(&program, u64::MAX).unwrap().iter().map(|at| at.occupancy + at.latency).sum();
        assert_eq!(program.launch + path, ticks, "{}", text());
        let [shown, plain] = [timeline, timeline_plain].map(|run| run(&program, 64, u64::MAX).unwrap());
        assert_eq!((shown.waves.total(), &shown.totals), (ticks, &plain.totals), "{}", text());
        let longest = shown.totals.iter().map(|totals| totals.iter().sum::<u64>()).max();
        assert_eq!(longest, Some(shown.waves.ticks), "{}", text());
    }
}

#[test]
fn no_bound_is_above_the_time_and_bounds_are_those_of_the_flattened_body() {
    let mut met = 0;
    for program in queued_programs(23, 4).take(cases(20_000)) {
        let text = || serde_json::to_string(&program).unwrap();
        let ticks = evaluate(&program, u64::MAX).unwrap().ticks;
        let bound = lower_bound(&program).ticks;
        assert!(bound <= ticks, "{bound} > {ticks}: {}", text());
        met += usize::from(bound == ticks);
        let mut flat = Vec::new();
        super::bounds::flatten(&program.body, &mut flat);
        let groups = program.largest_wave();
        assert_eq!(lower_bound_of_wave(&program, groups).ticks, of_flat(&program, &flat, groups), "{}", text());
    }
    assert!(met > cases(1_000), "only {met} bounds are met");
}

/// Loops of a thousand iterations, which the bounds do not run one by one.
#[test]
fn no_bound_is_above_the_time_of_long_loops() {
    let shape = Shape { dispatchers: 3, resident_groups: 2, warps: 3, iterations: 1_000, queues: 3 };
    let mut met = 0;
    let few = |program: &Program| has_starts(program) && evaluate(program, 100_000).is_ok();
    for program in programs(24, shape).filter(few).take(cases(5_000)) {
        let ticks = evaluate(&program, u64::MAX).unwrap().ticks;
        let bound = lower_bound(&program).ticks;
        assert!(bound <= ticks, "{bound} > {ticks}: {}", serde_json::to_string(&program).unwrap());
        met += usize::from(bound == ticks);
    }
    assert!(met > cases(200), "only {met} bounds are met");
}

#[test]
fn no_bound_is_above_the_least_time_over_all_orders() {
    let shape = Shape { dispatchers: 2, resident_groups: 2, warps: 3, iterations: 2, queues: 2 };
    let small = |program: &Program| {
        let warps = program.largest_wave() * program.warps_per_group;
        let events = evaluate(program, u64::MAX).unwrap().events;
        has_starts(program) && (2..=3).contains(&warps) && (6..=16).contains(&events)
    };
    let programs: Vec<Program> = programs(25, shape).filter(small).take(cases(500)).collect();
    super::bounds::assert_bounds_hold_in_all_orders(&programs, cases(20));
}

#[test]
fn what_waits_for_nothing_and_starts_nothing_takes_the_time_that_it_took() {
    let shape = Shape { dispatchers: 4, resident_groups: 3, warps: 4, iterations: 8, queues: 0 };
    for program in programs(26, shape).take(cases(2_000)) {
        let mut waits = vec![Statement::Wait { queue: Queue::H, pending: 3 }];
        waits.extend(program.body.iter().cloned());
        let waiting = Program { body: waits, ..program.clone() };
        let ticks = [&program, &waiting].map(|program| evaluate(program, u64::MAX).unwrap().ticks);
        assert_eq!(ticks[0], ticks[1]);
        assert_eq!(lower_bound(&program).ticks, lower_bound(&waiting).ticks);
        assert_eq!(waiting.simplified(), program);
    }
}

/// The moments of one warp alone on free servers: when it comes to each statement, when it has gone through, and when all
/// its starts are done.
fn alone(flat: &[Statement]) -> (Vec<u64>, u64, u64) {
    let (mut now, mut at, mut starts) = (0, Vec::new(), Vec::<(Queue, u64)>::new());
    for statement in flat {
        at.push(now);
        match *statement {
            Statement::Use { latency, .. } => now += latency,
            Statement::Start { latency, queue, .. } => starts.push((queue, now + latency)),
            Statement::Wait { queue, pending } => {
                let own: Vec<u64> = starts.iter().filter(|(other, _)| *other == queue).map(|(_, done)| *done).collect();
                let waited = own.len().saturating_sub(usize::try_from(pending).unwrap());
                now = own[..waited].iter().fold(now, |now, done| now.max(*done));
            }
            Statement::Barrier { cost, .. } => now += cost,
            Statement::Loop { .. } => unreachable!("the body is flat"),
        }
    }
    let done = starts.iter().fold(now, |end, (_, done)| end.max(*done));
    (at, now, done)
}

fn of_flat(program: &Program, flat: &[Statement], groups: u64) -> u64 {
    let phases: Vec<&[Statement]> = flat.split(|one| matches!(one, Statement::Barrier { .. })).collect();
    let costs: u64 = flat.iter().map(|one| if let Statement::Barrier { cost, .. } = one { *cost } else { 0 }).sum();
    let (last, before) = phases.split_last().unwrap();
    let of_phases: u64 = before.iter().map(|phase| of_stretch(program, phase, 1, false)).sum();
    of_stretch(program, flat, groups, true).max(costs + of_phases + of_stretch(program, last, 1, true))
}

/// The greatest bound of a stretch that ends at the body's end or at a barrier.
pub(crate) fn of_stretch(program: &Program, flat: &[Statement], groups: u64, is_end: bool) -> u64 {
    let ends = |flat: &[Statement]| if is_end { alone(flat).2 } else { alone(flat).1 };
    let warps = groups * program.warps_per_group;
    let at = alone(flat).0;
    let of_server = |server: Server| {
        let served = |statement: &Statement| match *statement {
            Statement::Use { server: used, occupancy, latency } if used == server => Some((false, occupancy, latency)),
            Statement::Start { server: used, occupancy, latency, .. } if used == server => {
                Some((true, occupancy, latency))
            }
            _ => None,
        };
        let all: Vec<_> = (0..flat.len()).filter_map(|number| Some((number, served(&flat[number])?))).collect();
        // Before a barrier, starts behind the last use hold nobody up.
        let last = all.iter().rposition(|(_, (is_start, ..))| is_end || !is_start)?;
        let busy: u64 = all[..=last].iter().map(|(_, (_, occupancy, _))| occupancy).sum();
        let (number, (is_start, occupancy, latency)) = all[last];
        let behind = if is_start { 0 } else { ends(&flat[number + 1..]) };
        let is_of_scheduler = matches!(server, Server::Dispatcher | Server::Matrix);
        let sharing = if is_of_scheduler { warps.div_ceil(program.dispatchers) } else { warps };
        Some(at[all[0].0] + sharing * busy + latency - occupancy + behind)
    };
    Server::ALL.into_iter().filter_map(of_server).fold(ends(flat), u64::max)
}

//! Max-plus against the native evaluator: equal on the paper's kernel, never above it where it is a bound.

use autotune::gpu::Profile;
use autotune::lowering::{Feasibility, Lowering};
use autotune::machine::{BarrierScope, Program, Server, Statement, evaluate};
use autotune::models::maxplus::{Kernel, Times, serialized_is_a_bound};
use autotune::source::SourceReader;
use autotune::space::{Space, Visit};
use autotune::spec::{Configuration, Spec};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use std::ops::ControlFlow;

use super::grid_programs::grid_programs;
use super::random_programs::{Shape, programs};
use super::varied_programs;

const SHAPE: Shape = Shape { dispatchers: 3, resident_groups: 3, warps: 4, iterations: 6, queues: 0 };

fn times(program: &Program) -> (Times, u128) {
    let ticks = evaluate(program, u64::MAX).unwrap().ticks;
    (Kernel::of_program(program).unwrap().times().unwrap(), ticks.into())
}

#[test]
fn naive_and_operations_are_never_above_the_time_of_20_000_random_programs() {
    let mut met = 0;
    for program in varied_programs(5).take(20_000) {
        let (times, ticks) = times(&program);
        assert!(times.naive <= times.operations && times.operations <= ticks, "{times:?} > {ticks}: {program:?}");
        assert!(times.operations <= times.serialized, "{times:?}: {program:?}");
        met += u32::from(times.operations == ticks);
    }
    assert!(met > 1_000, "only {met} times are met");
}

#[test]
fn serialized_is_never_above_the_time_where_it_is_a_bound_and_is_elsewhere() {
    let (mut bounds, mut better, mut above) = (0, 0, 0);
    let phased = programs(6, SHAPE).take(20_000).map(with_phases);
    for program in programs(7, SHAPE).take(20_000).chain(phased) {
        let (times, ticks) = times(&program);
        if serialized_is_a_bound(&program) {
            bounds += 1;
            assert!(times.serialized <= ticks, "{times:?} > {ticks}: {program:?}");
            better += u32::from(times.serialized > times.operations);
        } else {
            above += u32::from(times.serialized > ticks);
        }
    }
    assert!(bounds > 5_000 && better > 2_000, "only {bounds} bounds, {better} of them above operations");
    assert!(above > 1_000, "only {above} programs show that it is none elsewhere");
}

#[test]
fn with_barriers_of_all_groups_all_models_stay_below_the_time_where_they_are_bounds() {
    let (mut bounds, mut better, mut above) = (0, 0, 0);
    for (turn, program) in grid_programs(46, SHAPE).take(20_000).enumerate() {
        // In every second program all barriers are those of all groups.
        let program = if turn % 2 == 0 { Program { body: of_grid(program.body), ..program } } else { program };
        let (times, ticks) = times(&program);
        assert!(times.naive <= times.operations && times.operations <= ticks, "{times:?} > {ticks}: {program:?}");
        if serialized_is_a_bound(&program) && program.largest_wave() > 1 {
            bounds += 1;
            assert!(times.serialized <= ticks, "{times:?} > {ticks}: {program:?}");
            better += u32::from(times.serialized > times.operations);
        } else {
            above += u32::from(times.serialized > ticks);
        }
    }
    assert!(
        bounds > 1_000 && better > 500,
        "only {bounds} bounds of several groups, {better} of them above operations"
    );
    assert!(above > 200, "only {above} programs show that it is none elsewhere");
}

fn of_grid(body: Vec<Statement>) -> Vec<Statement> {
    let each = |statement| match statement {
        Statement::Barrier { cost, .. } => Statement::Barrier { cost, scope: BarrierScope::Grid },
        Statement::Loop { count, body } => Statement::Loop { count, body: of_grid(body) },
        other => other,
    };
    body.into_iter().map(each).collect()
}

#[test]
fn between_barriers_of_all_groups_memory_serves_the_warps_of_all_of_them_in_turn() {
    let mut random = StdRng::seed_from_u64(47);
    for _ in 0..1_000 {
        let [multiprocessors, resident_groups, warps_per_group] =
            [random.random_range(1..=3_u64), random.random_range(1..=4_u64), random.random_range(1..=4_u64)];
        let groups = random.random_range(1..=multiprocessors * resident_groups);
        let (mut body, mut model, mut machine) = (Vec::new(), 0_u128, 0_u128);
        let warps = groups.div_ceil(multiprocessors) * warps_per_group;
        for _ in 0..random.random_range(2..6) {
            let [occupancy, rest, cost] = [20, 60, 30].map(|most| random.random_range(0..most));
            body.push(Statement::Use { server: Server::Memory, occupancy, latency: occupancy + rest });
            body.push(Statement::Barrier { cost, scope: BarrierScope::Grid });
            // The last warp's read begins behind those of all others. The formula's t does not count its own service.
            model += u128::from((warps - 1) * occupancy + rest + cost);
            machine += u128::from(warps * occupancy + rest + cost);
        }
        let (dispatchers, passes, launch) = (1, 1, 0);
        let program =
            Program { multiprocessors, dispatchers, groups, resident_groups, warps_per_group, passes, launch, body };
        let (times, ticks) = times(&program);
        assert_eq!((times.serialized, ticks), (model, machine), "{program:?}");
        assert!(serialized_is_a_bound(&program), "{program:?}");
    }
}

/// Makes a program one group at a time, with a barrier after every use of memory.
fn with_phases(program: Program) -> Program {
    fn body(statements: Vec<Statement>) -> Vec<Statement> {
        let one = |statement| match statement {
            Statement::Loop { count, body: inner } => vec![Statement::Loop { count, body: body(inner) }],
            memory @ Statement::Use { server: Server::Memory, .. } => vec![memory, Statement::barrier(1)],
            other => vec![other],
        };
        statements.into_iter().flat_map(one).collect()
    }
    Program { resident_groups: 1, body: body(program.body), ..program }
}

/// The configurations that a spec's constraints allow.
fn feasible(spec: &Spec, lowering: &Lowering<'_>) -> Vec<Configuration> {
    let mut configurations = Vec::new();
    let space = Space::new(spec, lowering.names()).unwrap();
    let visited = space.visit(&mut |visit| {
        if let Visit::Feasible(values) = visit {
            configurations.push(Configuration(values.to_vec()));
        }
        ControlFlow::Continue(())
    });
    visited.unwrap();
    configurations
}

/// All feasible configurations of a spec with their max-plus and native times; `None` for a native time of 2^60 ticks
/// or more.
fn all_times(spec: &Spec, profile: &Profile) -> Vec<(Configuration, Times, Option<u128>)> {
    let reader = SourceReader::default();
    let lowering = Lowering::new(spec, profile, &reader);
    let mut all = Vec::new();
    for configuration in feasible(spec, &lowering) {
        let Feasibility::Feasible(lowered) = lowering.lower(&configuration).unwrap() else { continue };
        let scope = spec.scope(lowering.names(), &configuration).unwrap();
        let kernel = Kernel::new(spec, profile, &scope, lowered.program_and_parts()).unwrap();
        let is_short = lowered.program.check_length().is_ok();
        let ticks = is_short.then(|| evaluate(&lowered.program, u64::MAX).unwrap().ticks.into());
        all.push((configuration, kernel.times().unwrap(), ticks));
    }
    all
}

fn lockstep(multiprocessors: u64, elements: u64, dispatchers: u64, global: u64, local: u64, launch: u64) -> Profile {
    let text = format!(
        "name: grid\nexecution: lockstep\nmultiprocessors: {multiprocessors}\nprocessing_elements: {elements}\n\
         dispatchers: {dispatchers}\nglobal_memory_ticks: {global}\nlocal_memory_ticks: {local}\nlaunch_ticks: {launch}\n"
    );
    Profile::parse(&text, "grid.yaml").unwrap()
}

#[test]
fn on_the_papers_kernel_closed_form_evaluator_and_operations_are_equal() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tuning-specs/abstract_kernel.yaml");
    let mut spec = Spec::load(path.as_ref()).unwrap();
    let mut compared = 0;
    for size in [8, 32, 256, 1 << 20, 1 << 30] {
        spec.set("size", size).unwrap();
        for (multiprocessors, elements, dispatchers) in [(1, 2, 1), (3, 4, 2), (4, 8, 2), (16, 32, 2)] {
            for (global, local, launch) in [(1, 1, 0), (10, 1, 5), (100, 3, 0)] {
                let profile = lockstep(multiprocessors, elements, dispatchers, global, local, launch);
                for (configuration, times, ticks) in all_times(&spec, &profile) {
                    let number = |position: usize| u64::try_from(configuration.0[position]).unwrap();
                    let (size, work_group, tile) = (size.unsigned_abs(), number(0), number(1));
                    let repetitions = (size / work_group).div_ceil(multiprocessors) * work_group.div_ceil(elements);
                    let closed_form = |tile_ticks: u64| {
                        let one = u128::from(size / tile) * u128::from(tile_ticks) + u128::from(global);
                        u128::from(launch) + u128::from(repetitions) * one
                    };
                    assert_eq!(times.operations, closed_form(global + 2 * local), "{configuration:?}");
                    assert_eq!(times.naive, closed_form(global), "{configuration:?}");
                    assert_eq!(times.serialized, times.operations);
                    assert_eq!(ticks.unwrap_or(times.operations), times.operations, "{configuration:?}");
                    compared += u32::from(ticks.is_some());
                }
            }
        }
    }
    assert!(compared > 5_000, "only {compared} configurations");
}

/// The time of n executors that add N pairs of numbers, access by access: memory serves one access after the other.
fn served_in_turns(all: u128, n: u128, [t, write, tau, dt, write_dt]: [u64; 5]) -> u128 {
    let [t, write, tau, dt, write_dt] = [t, write, tau, dt, write_dt].map(u128::from);
    let mut time = 0;
    for _ in 0..all.div_ceil(n) {
        let (mut turn, mut summed) = (0, 0_u128);
        for _executor in 0..n {
            let mut ready = 0_u128;
            for _operand in ["a", "b"] {
                ready = ready.max(turn + t);
                turn += dt;
            }
            summed = summed.max(ready + tau);
        }
        let mut turn = 0;
        let mut stored = 0_u128;
        for _executor in 0..n {
            stored = stored.max(summed + turn + write);
            turn += write_dt;
        }
        time += stored;
    }
    time
}

#[test]
fn paper_000_section_9_serialized_is_memory_that_serves_one_access_after_the_other() {
    let mut random = StdRng::seed_from_u64(9);
    for _ in 0..300 {
        let ticks: [u64; 5] = std::array::from_fn(|_| random.random_range(0..50));
        let (multiprocessors, elements) = (random.random_range(1..5_u64), 1_u64 << random.random_range(0..5));
        let [t, write, tau, dt, write_dt] = ticks;
        let profile = format!(
            "name: grid\nexecution: lockstep\nmultiprocessors: {multiprocessors}\nprocessing_elements: {elements}\n\
             dispatchers: 1\nglobal_memory_ticks: 9\nlocal_memory_ticks: 1\nread_ticks: {t}\nwrite_ticks: {write}\n\
             operation_ticks: {tau}\nread_delay_ticks: {dt}\nwrite_delay_ticks: {write_dt}\n"
        );
        let profile = Profile::parse(&profile, "grid.yaml").unwrap();
        // As many groups as multiprocessors, or a multiple: no rounding per group.
        let all: u64 = elements * multiprocessors * random.random_range(1..4);
        let text = format!(
            "kernel: vadd\nparameters: {{ WG: {{ values: [{elements}] }} }}\nlaunch: {{ work_items: {all}, work_group: WG }}\n\
             body: [{{ load: {{ array: a }} }}, {{ load: {{ array: b }} }}, {{ compute: {{}} }}, {{ store: {{ array: c }} }}]\n"
        );
        let spec = Spec::parse(&text, "vadd.yaml").unwrap();
        let [(_, times, Some(machine))] = all_times(&spec, &profile)[..] else { panic!("{text}") };
        let n = u128::from(elements * multiprocessors);
        assert_eq!(times.serialized, served_in_turns(all.into(), n, ticks), "{ticks:?}");
        assert_eq!(times.operations, served_in_turns(all.into(), n, [t, write, tau, 0, 0]), "{ticks:?}");
        assert_eq!(times.naive, served_in_turns(all.into(), n, [t, write, 0, 0, 0]), "{ticks:?}");
        assert!(times.operations <= machine, "{ticks:?}");
    }
}

#[test]
fn stores_apart_from_loads_leave_the_times_of_real_gpus() {
    let mut apart = 0;
    for name in ["vector_add", "transpose", "matmul_tiled", "stencil_2d", "softmax_rows", "reduction"] {
        let spec = Spec::load(format!("tuning-specs/{name}.yaml").as_ref()).unwrap();
        for gpu in ["fermi", "a100-40gb", "rx7900xtx"] {
            let profile = Profile::resolve(gpu).unwrap();
            let reader = SourceReader::default();
            let lowering = Lowering::new(&spec, &profile, &reader);
            for configuration in feasible(&spec, &lowering).into_iter().step_by(17) {
                let Feasibility::Feasible(lowered) = lowering.lower(&configuration).unwrap() else { continue };
                let merged = Kernel::of_program(&lowered.program).unwrap();
                let origins = lowering.origins(&configuration).unwrap().feasible().unwrap();
                let split = merged.clone().with_stores_apart(&origins);
                assert_eq!(split.times().unwrap(), merged.times().unwrap(), "{name} on {gpu}, {configuration:?}");
                apart += u32::from(split != merged);
            }
        }
    }
    assert!(apart > 100, "only {apart} kernels store");
}

#[test]
fn all_three_are_bounds_on_lockstep_gpus_for_random_specs() {
    let mut random = StdRng::seed_from_u64(8);
    let mut below = 0;
    for _ in 0..2_000 {
        let text = format!(
            "kernel: random\nparameters: {{ A: {{ values: [0, 1, 3] }} }}\nlaunch: {{ work_items: 64, work_group: 8 }}\n\
             body: {}\n",
            random_body(&mut random, 3)
        );
        let spec = Spec::parse(&text, "random.yaml").unwrap();
        let ticks = |random: &mut StdRng| random.random_range(0..20);
        let profile =
            lockstep(random.random_range(1..4), 4, 2, ticks(&mut random), ticks(&mut random), ticks(&mut random));
        for (_, times, ticks) in all_times(&spec, &profile) {
            let ticks = ticks.unwrap();
            assert!(times.naive <= times.operations && times.operations <= ticks, "{times:?} > {ticks}: {text}");
            assert_eq!(times.serialized, times.operations, "{text}");
            below += u32::from(times.operations < ticks);
        }
    }
    assert!(below > 500, "only {below} configurations with parallel reads");
}

fn random_body(random: &mut impl Rng, depth: u32) -> String {
    let statements: Vec<String> = (0..random.random_range(1..5)).map(|_| random_statement(random, depth)).collect();
    format!("[{}]", statements.join(", "))
}

fn random_statement(random: &mut impl Rng, depth: u32) -> String {
    let count = ["A", "1", "2", "A * 2"][random.random_range(0..4)];
    match random.random_range(0..if depth > 0 { 8 } else { 5 }) {
        0..=1 => format!("{{ load: {{ array: x, per_item: {count} }} }}"),
        2 => format!("{{ store: {{ array: y, per_item: {count} }} }}"),
        3 => format!("{{ local: {{ per_item: {count} }} }}"),
        4 => format!("{{ compute: {{ per_item: {count} }} }}"),
        5 => format!("{{ loop: {{ count: {count}, body: {} }} }}", random_body(random, depth - 1)),
        6 => "barrier".to_owned(),
        _ => random_branch(random, depth),
    }
}

fn random_branch(random: &mut impl Rng, depth: u32) -> String {
    let divergent = random.random_bool(0.5);
    let sides = [random_body(random, depth - 1), random_body(random, depth - 1)];
    // A divergent branch holds no barrier.
    let sides = sides.map(|side| if divergent { side.replace("barrier", "{ local: {} }") } else { side });
    format!("{{ branch: {{ divergent: {divergent}, then: {}, else: {} }} }}", sides[0], sides[1])
}

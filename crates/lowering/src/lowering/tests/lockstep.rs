use super::*;
use autotune_kernel::source::SourceReader;

fn processor(multiprocessors: u64, elements: u64, dispatchers: u64, global: u64) -> Profile {
    let text = format!(
        "name: grid\nexecution: lockstep\nmultiprocessors: {multiprocessors}\nprocessing_elements: {elements}\n\
         dispatchers: {dispatchers}\nglobal_memory_ticks: {global}\nlocal_memory_ticks: 2\nlaunch_ticks: 7\n"
    );
    Profile::parse(&text, "grid.yaml").unwrap()
}

fn abstract_kernel(size: u64) -> Spec {
    let text = format!(
        "kernel: k\nproblem: {{ size: {size} }}\nparameters:\n  WG: {{ powers_of_two: {{ from: 2, to: size }} }}\n  \
         TS: {{ powers_of_two: {{ from: 2, to: size }} }}\nlaunch: {{ work_items: size, work_group: WG, times: 2 }}\nbody:\n  \
         - loop: {{ count: size / TS, body: [{{ load: {{ array: a }} }}, barrier, {{ branch: {{ then: [{{ local: {{}} }}], \
         else: [{{ local: {{ per_item: 3 }} }}] }} }}, barrier] }}\n  - store: {{ array: b }}\n"
    );
    Spec::parse(&text, "k.yaml").unwrap_or_else(|error| panic!("{error}"))
}

/// The machine's time without contention: every group in turn, every pass.
fn time(program: &Program) -> u128 {
    let groups = u128::from(program.most_groups());
    u128::from(program.launch) + u128::from(program.passes) * groups * program.critical_path()
}

#[test]
fn the_closed_form_on_a_grid() {
    for (multiprocessors, elements, dispatchers, global) in
        [(1, 4, 2, 10), (2, 4, 1, 100), (3, 8, 4, 1), (16, 32, 2, 100), (4, 6, 3, 0)]
    {
        let gpu = processor(multiprocessors, elements, dispatchers, global);
        for size in [8, 16, 64] {
            let spec = abstract_kernel(size);
            let reader = SourceReader::default();
            let lowering = Lowering::new(&spec, &gpu, &reader);
            let found = all(&spec, &lowering);
            assert_eq!(found.len(), (size.ilog2() * size.ilog2()) as usize);
            for (Configuration(values), Lowered { program, work_group, occupancy, .. }) in found {
                let (wg, ts) = (values[0].unsigned_abs(), values[1].unsigned_abs());
                let costs = size / ts * (global + 2 + 3 * 2) + global;
                let expected = 2 * (7 + (size / wg).div_ceil(multiprocessors) * wg.div_ceil(elements) * costs);
                assert_eq!(time(&program), u128::from(expected), "{size} {wg} {ts}");
                assert_eq!((work_group, occupancy, program.resident_groups), (wg, None, 1));
                let lanes = elements / dispatchers;
                assert_eq!(program.warps_per_group, wg.div_ceil(lanes).min(dispatchers));
                assert_eq!((program.dispatchers, program.multiprocessors), (dispatchers, multiprocessors));
            }
        }
    }
}

/// The closed form with messages: two of a group, four of a pass, two of a barrier.
#[test]
fn messages_take_their_time() {
    let messages = |ticks: u64| {
        let text = format!(
            "name: grid\nexecution: lockstep\nmultiprocessors: 3\nprocessing_elements: 8\ndispatchers: 2\n\
             global_memory_ticks: 10\nlocal_memory_ticks: 2\nlaunch_ticks: 7\nmessage_ticks: {ticks}\n"
        );
        Profile::parse(&text, "grid.yaml").unwrap()
    };
    let (spec, reader, size) = (abstract_kernel(64), SourceReader::default(), 64);
    for ticks in [0, 1, 25] {
        let gpu = messages(ticks);
        let lowering = Lowering::new(&spec, &gpu, &reader);
        for (configuration, Lowered { program, .. }) in all(&spec, &lowering) {
            let (wg, ts) = (configuration.0[0].unsigned_abs(), configuration.0[1].unsigned_abs());
            let pass = size / ts * (10 + 2 + 3 * 2 + 2 * 2 * ticks) + 10 + 4 * ticks;
            let group = wg.div_ceil(8) * pass + 2 * ticks;
            assert_eq!(time(&program), u128::from(2 * (7 + (size / wg).div_ceil(3) * group)), "{ticks} {wg} {ts}");
            let Feasibility::Feasible(origins) = lowering.origins(&configuration).unwrap() else { unreachable!() };
            let stays = Statement::all(&program.body).filter(|(one, _)| !matches!(one, Statement::Loop { .. })).count();
            assert_eq!(origins.len(), stays);
        }
    }
    let plain = processor(3, 8, 2, 10);
    let [with, without] = [&messages(0), &plain].map(|gpu| all(&spec, &Lowering::new(&spec, gpu, &reader)));
    assert_eq!(with, without);
}

#[test]
fn a_statement_is_a_use_of_the_warps_own_dispatcher() {
    let body = [
        "load: { array: a, per_item: 3, vector: 4, stride: 77, items: 1 }",
        "compute: { kind: special, per_item: 5, constants: 900 }",
        "barrier",
        "local: { conflict: 9 }",
        "compute: { per_item: 0 }",
    ];
    let busy = |ticks| Statement::Use { server: Server::Dispatcher, occupancy: ticks, latency: ticks };
    let expected = [busy(30), busy(5), Statement::barrier(0), busy(2)];
    assert_eq!(program(&processor(1, 4, 2, 10), LAUNCH, &body).body, expected);
}

#[test]
fn loops_stay_and_empty_ones_go() {
    let body = [
        "loop: { count: 3, body: [{ compute: {} }] }",
        "loop: { count: 0, body: [{ compute: {} }] }",
        "loop: { count: 4, body: [{ compute: { per_item: 0 } }, { loop: { count: 2, body: [{ load: { array: a, per_item: 0 } }] } }] }",
    ];
    let one = Statement::Use { server: Server::Dispatcher, occupancy: 1, latency: 1 };
    assert_eq!(program(&processor(1, 4, 2, 10), LAUNCH, &body).body, [Statement::Loop { count: 3, body: vec![one] }]);
}

#[test]
fn branches_sum_or_take_the_greater_side() {
    let cost = |divergent: bool, then: u64, other: u64| {
        let branch = format!(
            "branch: {{ divergent: {divergent}, then: [{{ loop: {{ count: 2, body: [{{ compute: {{ per_item: {then} }} }}] }} }}], \
             else: [{{ compute: {{ per_item: {other} }} }}] }}"
        );
        program(&processor(1, 4, 2, 10), LAUNCH, &[&branch])
    };
    assert_eq!(cost(true, 3, 5).critical_path(), 11);
    assert_eq!(cost(false, 3, 5).critical_path(), 6);
    assert_eq!(cost(false, 2, 5).critical_path(), 5);
    assert!(matches!(cost(false, 2, 4).body[0], Statement::Loop { .. }), "on a tie the first side");
}

#[test]
fn a_barrier_in_a_divergent_branch_is_refused_with_its_place() {
    for (branch, place) in [
        ("branch: { then: [{ compute: {} }], else: [barrier] }", "test.yaml:5:47"),
        ("branch: { then: [{ branch: { divergent: false, then: [barrier] } }] }", "test.yaml:5:59"),
    ] {
        let error = shown(&processor(1, 4, 2, 10), LAUNCH, &[branch]);
        assert!(error.contains("barrier in a divergent branch") && error.contains(place), "{error}");
    }
}

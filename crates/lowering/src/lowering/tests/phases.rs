use super::*;
use Server::{Dispatcher, Local, Memory};

const COMPUTE: &str = "compute: { kind: any, per_item: 10 }";

fn body(statements: &[&str]) -> Vec<Statement> {
    program(&plain(), LAUNCH, statements).body
}

fn busy(ticks: u64) -> Statement {
    Statement::Use { server: Dispatcher, occupancy: ticks, latency: ticks }
}

/// 20 cycles.
const BARRIER: Statement = Statement::barrier(320);

#[test]
fn the_program_has_the_launch_and_the_gpu() {
    let head = "launch: { work_items: 65600, work_group: 64, times: 3 }\nresources: { registers: 128 }";
    let program = program(&plain(), head, &[COMPUTE]);
    let expected = Program {
        multiprocessors: 64,
        dispatchers: 4,
        groups: 1025,
        resident_groups: 8,
        warps_per_group: 2,
        passes: 3,
        launch: 3 * 40_000, // 2.5 microseconds of 1000 MHz
        body: vec![busy(160)],
    };
    assert_eq!(program, expected);
}

#[test]
fn a_launch_takes_4_microseconds_if_nothing_is_known_and_is_rounded_up() {
    let launch = |value: &str| {
        let gpu = plain_but(&[("kernel_launch_overhead_us", value), ("core_clock_mhz", "1000.5")]);
        program(&gpu, LAUNCH, &[COMPUTE]).launch
    };
    assert_eq!(launch("1.000001"), 16_009);
    assert_eq!(launch("0"), 0);
    let text = &find("v100").unwrap().text;
    let line = text.lines().find(|line| line.starts_with("kernel_launch_overhead_us")).unwrap();
    let unknown = Profile::parse(&text.replace(line, ""), "unknown").unwrap();
    assert_eq!(program(&unknown, LAUNCH, &[COMPUTE]).launch, 4 * 1530 * 16);
}

#[test]
fn groups_are_the_product_over_the_dimensions() {
    let head = "launch: { work_items: [100, 10, 5], work_group: [32, 2] }";
    assert_eq!(program(&plain(), head, &[COMPUTE]).groups, 4 * 5 * 5);
}

#[test]
fn statements_between_barriers_are_one_phase() {
    assert_eq!(body(&[COMPUTE, COMPUTE, "barrier", COMPUTE]), [busy(320), BARRIER, busy(160)]);
}

#[test]
fn what_is_not_used_is_left_out() {
    assert_eq!(body(&["compute: { per_item: 0 }", "load: { array: a, per_item: 0 }", "local: { per_item: 0 }"]), []);
    assert_eq!(body(&["barrier"]), [BARRIER]);
    assert_eq!(
        body(&["loop: { count: 0, body: [barrier] }", "loop: { count: 5, body: [{ compute: { items: 0 } }] }"]),
        []
    );
}

#[test]
fn a_loop_without_a_barrier_dissolves() {
    let nested = "loop: { count: 3, body: [{ loop: { count: 4, body: [{ compute: { kind: any } }] } }, { compute: { kind: any } }] }";
    assert_eq!(body(&[COMPUTE, nested]), [busy((10 + 3 * 5) * 16)]);
    let none = "loop: { count: 3, body: [{ loop: { count: 0, body: [barrier] } }, { compute: { kind: any } }] }";
    assert_eq!(body(&[COMPUTE, none, COMPUTE]), [busy(23 * 16)], "a loop whose barriers all have count 0 holds none");
}

#[test]
fn a_loop_that_holds_a_barrier_stays() {
    let held =
        "loop: { count: 3, body: [{ compute: { kind: any } }, barrier, { compute: { kind: any, per_item: 2 } }] }";
    let inside = vec![busy(16), BARRIER, busy(32)];
    assert_eq!(body(&[COMPUTE, held, COMPUTE]), [busy(160), Statement::Loop { count: 3, body: inside }, busy(160)]);
}

#[test]
fn a_loop_of_count_1_dissolves_with_its_barriers() {
    let once = "loop: { count: 1, body: [{ compute: { kind: any } }, barrier, { compute: { kind: any } }] }";
    assert_eq!(body(&[COMPUTE, once, COMPUTE]), [busy(176), BARRIER, busy(176)]);
}

#[test]
fn turns_are_equal_shares() {
    // 8 loads in two round trips: 1,024 / 17 cycles of memory, 8 of L1, 8 instructions and 11 others
    let statements = ["load: { array: a, per_item: 8 }", "compute: { kind: any, per_item: 11 }"];
    let (count, uses) = turns(&plain(), LAUNCH, &statements);
    let memory = (16u64 * 512).div_ceil(17);
    assert_eq!((count, uses), (2, vec![(Memory, memory, memory + 400 * 16), (Local, 64, 64), (Dispatcher, 152, 152)]));
}

#[test]
fn a_phase_without_loads_is_one_turn_that_stores_last() {
    let statements = ["store: { array: a, per_item: 8 }", "local: {}"];
    let servers: Vec<Server> = uses(&plain(), &statements).iter().map(|use_| use_.0).collect();
    assert_eq!(servers, [Local, Dispatcher, Memory]);
}

#[test]
fn a_phase_has_at_most_four_turns_however_long_it_is() {
    let longest = "loop: { count: 1000000000, body: [{ compute: { kind: any, per_item: 1000 } }] }";
    let ticks = 16_000_000_000_000;
    assert_eq!(turns(&plain(), LAUNCH, &[longest]), (1, vec![(Dispatcher, ticks, ticks)]));
    let loads = ["load: { array: a, per_item: 9, in_flight: 1 }", longest];
    let (count, uses) = turns(&plain(), LAUNCH, &loads);
    assert_eq!((count, uses[2].1), (4, (ticks + 9 * 16).div_ceil(4)));
}

#[test]
fn a_phase_of_local_accesses_in_a_loop_with_a_barrier_is_four_turns() {
    let inner = "local: { per_item: 8 }, compute: { kind: any, per_item: 12 }";
    let statements = inner.replace("}, c", "} }, { c");
    let looped = |rest: &str| format!("loop: {{ count: 9, body: [{{ {statements} }}, barrier{rest}] }}");
    let [Statement::Loop { count: 9, body: around }] = &body(&[&looped("")])[..] else { panic!("a loop of 9") };
    let [Statement::Loop { count: 4, body: turn }, BARRIER] = &around[..] else { panic!("{around:?}") };
    let servers: Vec<_> = turn.iter().map(as_use).collect();
    // 8 passes and 20 instructions, and two waits for local memory, in four turns
    let (local, dispatcher) = (8 * 16 / 4, 20 * 16 / 4);
    let wait = servers[0].2 - servers[0].1;
    assert_eq!(servers[..], [(Local, local, local + wait), (Dispatcher, dispatcher, dispatcher)]);
    // without the barrier the loop dissolves, and without local accesses nothing is shared between groups
    assert!(
        !body(&[&looped("").replace(", barrier", "")])
            .iter()
            .any(|statement| matches!(statement, Statement::Loop { .. }))
    );
    let computing = "loop: { count: 9, body: [{ compute: { kind: any, per_item: 12 } }, barrier] }";
    let [Statement::Loop { body: around, .. }] = &body(&[computing])[..] else { panic!("a loop") };
    assert_eq!(around[..], [busy(12 * 16), BARRIER]);
}

#[test]
fn a_phase_of_2_to_the_60_ticks_is_refused_with_its_place() {
    let long = "compute: { kind: any, per_item: 1152921504606846976 }";
    assert_eq!(refusal(&plain(), LAUNCH, &[long]), "time: spec:5:5: the work here takes 2^60 ticks or more");
    // Each turn is shorter, all waves together are not.
    let many = "launch: { work_items: 6553600, work_group: 64 }";
    let all = refusal(&plain(), many, &["compute: { kind: any, per_item: 9007199254740992 }"]);
    assert!(all.starts_with("time: it takes at least ") && all.ends_with(" ticks, beyond the limit of 2^60"), "{all}");
}

#[test]
fn a_divergent_branch_counts_both_sides() {
    let branch =
        "branch: { then: [{ compute: { kind: any, per_item: 3 } }], else: [{ compute: { kind: any, per_item: 4 } }] }";
    assert_eq!(body(&[COMPUTE, branch]), [busy(17 * 16)]);
}

#[test]
fn another_branch_counts_the_side_that_takes_longer() {
    let branch = |then: &str, other: &str| format!("branch: {{ divergent: false, then: [{then}], else: [{other}] }}");
    let compute = |count: u64| format!("{{ compute: {{ kind: any, per_item: {count} }} }}");
    assert_eq!(body(&[&branch(&compute(3), &compute(4))]), [busy(64)]);
    assert_eq!(body(&[&branch(&compute(4), &compute(3))]), [busy(64)]);
    // latencies decide, not occupancies: one load waits longer than ten instructions
    let load = "{ load: { array: a, in_flight: 1 } }";
    let chosen = program(&plain(), LAUNCH, &[&branch(&compute(10), load)]).body;
    assert_eq!(as_use(&chosen[0]).0, Memory);
    // on a tie the first side: two pipes of the same time
    let tie = branch("{ compute: { per_item: 1 } }", "{ compute: { kind: int32, per_item: 1 } }");
    let gpu = plain_but(&[("int32_lanes_per_sm", "64")]);
    assert_eq!(
        uses(&gpu, &[&tie, "compute: { per_item: 1 }"]),
        [(Dispatcher, 65, 65)],
        "fp32 twice, not fp32 beside int32: the norm of 64 ticks and 32 of the issue"
    );
}

#[test]
fn a_side_with_barriers_counts_them() {
    let branch = "branch: { divergent: false, then: [{ compute: { kind: any, per_item: 19 } }], else: [barrier] }";
    assert_eq!(body(&[branch]), [BARRIER], "320 ticks against 304");
}

#[test]
fn a_barrier_in_a_divergent_branch_is_refused_with_its_place() {
    let other = "branch: { then: [], else: [barrier] }";
    assert!(refusal(&plain(), LAUNCH, &[other]).starts_with("barrier: spec:5:"));
    let branch = "branch: { then: [{ loop: { count: 2, body: [barrier] } }] }";
    let error = shown(&plain(), LAUNCH, &[COMPUTE, branch]);
    assert!(error.contains("barrier in a divergent branch") && error.contains("test.yaml:6:49"), "{error}");
    let none = "branch: { then: [{ loop: { count: 0, body: [barrier] } }] }";
    assert_eq!(body(&[none, COMPUTE]), [busy(160)]);
}

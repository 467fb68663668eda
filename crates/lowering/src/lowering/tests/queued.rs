//! Copies, waits and matrix instructions: straight runs that keep their order.

use super::*;
use Queue::{A, B, G, H};
use Server::{Dispatcher, Local, Matrix, Memory};
use autotune_machine::machine::Queue;

const COPY: &str = "copy: { array: a, to: t, vector: 4, stride: 4, queue: q }";
const OTHER: &str = "copy: { array: b, to: t, vector: 4, stride: 4, queue: q }";
const WAIT: &str = "wait: { queue: q }";
const TEN: &str = "compute: { kind: any, per_item: 10 }";
const MULTIPLY: &str = "matrix: { shape: [16, 8, 16], type: fp16, per_warp: 3 }";
const BARRIER: Statement = Statement::barrier(320);

/// The GPU of round numbers with copies, and with matrix units whose instructions of 2,048 products take 16 cycles, and 24
/// more to their result.
fn with_copies(values: &[(&str, &str)]) -> Profile {
    let all = [
        ("async_copy", "true"),
        ("latency_shared_load_cycles", "32"),
        ("matrix_macs_per_cycle", "{ fp16: 512, int8: 1024 }"),
        ("matrix_latency_cycles", "40"),
    ];
    plain_but(&all.into_iter().chain(values.iter().copied()).collect::<Vec<_>>())
}

fn body(statements: &[&str]) -> Vec<Statement> {
    program(&with_copies(&[]), LAUNCH, statements).body
}

fn using(server: Server, occupancy: u64, latency: u64) -> Statement {
    Statement::Use { server, occupancy, latency }
}

fn start(server: Server, occupancy: u64, latency: u64, queue: Queue) -> Statement {
    Statement::Start { server, occupancy, latency, queue }
}

fn wait(queue: Queue, pending: u64) -> Statement {
    Statement::Wait { queue, pending }
}

/// The instructions of a straight run before what they ask for.
fn issue(instructions: u64) -> Statement {
    using(Dispatcher, instructions * 16, instructions * 16)
}

/// Three matrix instructions that hold a warp: they are issued while the units multiply.
fn multiplied(ticks: u64) -> [Statement; 3] {
    [start(Matrix, ticks, ticks, G), issue(3), wait(G, 0)]
}

/// A copy of 512 bytes of a warp: 17 a cycle from DRAM, after 400 cycles; 4 passes.
fn copied() -> [Statement; 3] {
    [issue(1), start(Memory, 482, 482 + 6400, A), start(Local, 64, 64, H)]
}

#[test]
fn a_copy_is_a_start_of_its_bytes_and_one_of_its_passes() {
    assert_eq!(body(&[COPY]), copied());
    // 8 conflicting ways: 32 passes
    let conflict = COPY.replace("queue", "conflict: 8, queue");
    assert_eq!(body(&[&conflict])[2], start(Local, 32 * 16, 32 * 16, H));
    // rows of 16 bytes, 128 apart: a line for each lane
    assert_eq!(body(&[&COPY.replace("stride: 4", "stride: 32")])[2], start(Local, 32 * 16, 32 * 16, H));
}

/// Each of 64 multiprocessors gets 10 bytes a cycle from L2, which takes in what DRAM supplies at the same rate.
#[test]
fn what_dram_supplies_takes_the_time_of_l2_twice() {
    let gpu = with_copies(&[("memory_bus_bits", "5120"), ("l2_bandwidth_bytes_per_cycle", "640")]);
    let footprint = ", footprint: { together: 256 * concurrent }, queue";
    for (copy, written) in [(COPY.to_owned(), 512), (COPY.replace(", queue", footprint), 128)] {
        let Statement::Start { server: Memory, occupancy, .. } = program(&gpu, LAUNCH, &[&copy]).body[1] else {
            panic!("{copy}");
        };
        assert_eq!(occupancy, ((512 + written) * 16_u64).div_ceil(10), "{copy}");
    }
}

#[test]
fn neighbouring_copies_of_one_queue_are_one_start() {
    let both = [issue(2), start(Memory, 964, 964 + 6400, A), start(Local, 128, 128, H)];
    assert_eq!(body(&[COPY, OTHER]), both);
    let [one, other] = [COPY, &OTHER.replace("queue: q", "queue: r")].map(str::to_owned);
    let queues: Vec<_> = body(&[&one, &other])
        .into_iter()
        .filter_map(|statement| if let Statement::Start { queue, .. } = statement { Some(queue) } else { None })
        .collect();
    assert_eq!(queues, [A, H, B, H], "queues have their names in the order of the text");
}

#[test]
fn a_run_keeps_its_order_and_issues_first() {
    let [issued, memory, passes] = copied();
    let before = [issue(11), memory, passes, wait(A, 0), issue(10)];
    assert_eq!(body(&[TEN, COPY, WAIT, TEN, MULTIPLY]), [&before[..], &multiplied(3 * 256)].concat());
    assert_eq!(body(&[COPY, TEN])[..1], [issued]);
    assert_eq!(body(&[COPY, TEN]).last(), Some(&issue(10)));
}

#[test]
fn what_a_loop_starts_stays_in_the_loop() {
    let looped = |count: u64| format!("loop: {{ count: {count}, body: [{{ {COPY} }}, {{ {WAIT} }}] }}");
    let inside = copied().into_iter().chain([wait(A, 0)]).collect::<Vec<_>>();
    assert_eq!(body(&[&looped(5)]), [Statement::Loop { count: 5, body: inside.clone() }]);
    assert_eq!(body(&[&looped(1)]), inside);
    // the copies of two bodies are two starts, or `pending` would count other starts for one iteration than for two
    let once = format!("loop: {{ count: 1, body: [{{ {COPY} }}] }}");
    assert_eq!(body(&[&once, &once]), [copied(), copied()].concat());
}

#[test]
fn a_loop_of_other_statements_dissolves_in_its_place() {
    let inner = "loop: { count: 4, body: [{ compute: { kind: any, per_item: 2 } }, { compute: { kind: any } }] }";
    let [_, memory, passes] = copied();
    assert_eq!(body(&[inner, COPY, inner, WAIT]), [issue(13), memory, passes, issue(12), wait(A, 0)]);
}

#[test]
fn other_phases_of_the_body_are_sums() {
    let load = "load: { array: b, per_item: 8 }";
    let alone = program(&with_copies(&[]), LAUNCH, &[load, TEN, "local: {}"]).body;
    let behind = body(&[COPY, "barrier", load, TEN, "local: {}"]);
    assert_eq!(behind, [&copied()[..], &[BARRIER], &alone].concat());
}

#[test]
fn what_is_not_started_is_not_waited_for() {
    let never = COPY.replace("vector", "per_item: one - 1, vector");
    assert_eq!(body(&[&never, WAIT, TEN]), [issue(10)]);
}

#[test]
fn loads_and_local_accesses_can_be_waited_for_later() {
    // 128 bytes of a warp in each of two loads
    let load = "load: { array: a, per_item: 2, queue: q }";
    let memory = start(Memory, 241, 241 + 6400, A);
    assert_eq!(body(&[load, TEN, WAIT]), [issue(2), memory, start(Local, 32, 32, H), issue(10), wait(A, 0)]);
    let local = "local: { per_item: 4, queue: q }";
    assert_eq!(body(&[local, WAIT]), [issue(4), start(Local, 64, 64 + 512, A), wait(A, 0)]);
    // where a warp waits at once, the run has the latencies of a phase
    assert_eq!(body(&["local: { per_item: 8 }", MULTIPLY])[1], using(Local, 128, 128 + 1024));
    let held = body(&["load: { array: a, in_flight: 1 }", MULTIPLY]);
    assert_eq!(held[1..3], [using(Memory, 121, 121 + 6400), using(Local, 16, 16)]);
    let stored = body(&["store: { array: a }", MULTIPLY]);
    assert_eq!(stored[1..3], [using(Local, 16, 16), using(Memory, 121, 121)]);
}

#[test]
fn matrix_instructions_hold_the_warp_or_are_started() {
    assert_eq!(body(&[MULTIPLY]), multiplied(768));
    let started = MULTIPLY.replace("per_warp", "queue: q, per_warp");
    assert_eq!(body(&[&started, WAIT]), [issue(3), start(Matrix, 768, 768 + 24 * 16, A), wait(A, 0)]);
    assert_eq!(body(&[&MULTIPLY.replace("fp16", "int8")]), multiplied(384));
    let slow = with_copies(&[("matrix_macs_per_cycle_mma", "{ fp16: 256 }")]);
    assert_eq!(program(&slow, LAUNCH, &[MULTIPLY]).body, multiplied(2 * 768));
    assert_eq!(program(&slow, LAUNCH, &[&started]).body[1], start(Matrix, 768, 768 + 24 * 16, A));
}

#[test]
fn a_gpu_without_matrix_units_refuses_their_instructions() {
    let old = &find("gtx1080").unwrap().profile;
    assert_eq!(refusal(old, LAUNCH, &[MULTIPLY]), "instruction: spec:5:5: this GPU has no matrix units");
    let unknown = refusal(&with_copies(&[]), LAUNCH, &[&MULTIPLY.replace("fp16", "tf32")]);
    assert_eq!(unknown, "instruction: spec:5:5: the matrix units of this GPU do not take tf32");
    assert!(outcome(old, &spec(LAUNCH, &[&MULTIPLY.replace("per_warp: 3", "per_warp: one - 1")])).is_ok());
}

#[test]
fn a_gpu_without_copies_loads_and_stores() {
    let without = with_copies(&[("async_copy", "false")]);
    let copy = COPY.replace("stride: 4", "stride: 4, per_item: 4");
    let found = program(&without, LAUNCH, &[&copy, WAIT]).body;
    // 4 loads in one round trip, and 4 accesses to local memory of 4 passes
    let memory = (4_u64 * 512 * 16).div_ceil(17);
    let local = [issue(4), using(Local, 256, 256 + (8 + 1) * 32 * 16 / 8 - 32 * 16 / 8 + 32 * 16 / 2)];
    assert_eq!(found[..2], [issue(4), using(Memory, memory, memory + 6400)]);
    assert_eq!(found[3..], local);
}

#[test]
fn a_wait_leaves_at_most_15_pending() {
    let pending = |number: &str| WAIT.replace("queue: q", &format!("queue: q, pending: {number}"));
    assert_eq!(body(&[COPY, &pending("15")])[3], wait(A, 15));
    let refused = refusal(&with_copies(&[]), LAUNCH, &[COPY, &pending("15 + one")]);
    assert_eq!(refused, "range: spec:6:32: `pending` is 16, but a warp of the machine remembers 15 starts of a queue");
}

#[test]
fn lockstep_gpus_start_nothing() {
    let gpu = &find("abstract-fermi").unwrap().profile;
    let Profile::Lockstep(fermi) = gpu else { panic!("an abstract processor") };
    let busy = |ticks| using(Dispatcher, ticks, ticks);
    let found = program(gpu, LAUNCH, &[COPY, WAIT, "load: { array: a, queue: q }", MULTIPLY]).body;
    // 3 instructions of 2,048 products among 32 lanes
    assert_eq!(found, [busy(fermi.global_memory_ticks), busy(fermi.global_memory_ticks), busy(192)]);
}

#[test]
fn spilled_registers_come_last_in_a_run() {
    let head = format!("{LAUNCH}\nresources: {{ registers: 281 }}");
    let found = program(&with_copies(&[]), &head, &[COPY, WAIT]).body;
    // 10 words there and back, of 128 bytes each
    assert_eq!(found[3..], [wait(A, 0), issue(20), using(Local, 320, 320), using(Memory, 1205, 1205)]);
}

#[test]
fn each_instruction_of_a_run_fetches_its_part_of_the_code() {
    let small = with_copies(&[("instruction_cache_bytes", "1024"), ("instruction_bytes", "10.5")]);
    let fifty = "compute: { kind: any, per_item: 49 }";
    let found = program(&small, LAUNCH, &[fifty, COPY, WAIT, fifty, "compute: { kind: any }"]).body;
    // 100 * 10.5 - 1024 = 26 bytes, 16 a cycle for four schedulers: 6.5 cycles, half of them in each part
    assert_eq!([&found[0], &found[4]], [&using(Dispatcher, 852, 852); 2]);
}

#[test]
fn copies_in_flight_need_room() {
    let of = |bytes: u64| {
        let head = format!("{LAUNCH}\nresources: {{ local_memory: {bytes} }}");
        outcome(&with_copies(&[]), &spec(&head, &[COPY, "wait: { queue: q, pending: 2 }"]))
    };
    // three stages of 64 work items with 16 bytes each
    assert!(of(3072).is_ok());
    let words = of(3071).unwrap_err().to_string();
    assert!(words.contains("need 3072 bytes (`t` 3072), but `local_memory` states 3071"), "{words}");
}

/// Two arrays that are filled by turns share the starts that a wait leaves pending.
#[test]
fn copies_to_two_arrays_by_turns_need_room_for_one_stage_each() {
    let of = |bytes: u64, body: &str| {
        let head = format!("{LAUNCH}\nresources: {{ local_memory: {bytes} }}");
        outcome(&with_copies(&[]), &spec(&head, &[&format!("loop: {{ count: 9, body: [{body}] }}")]))
    };
    let (key, value) = (format!("{{ {COPY} }}"), format!("{{ {} }}", COPY.replace("to: t", "to: u")));
    let wait = "{ wait: { queue: q, pending: 1 } }";
    let by_turns = format!("{key}, {wait}, barrier, {value}, {wait}, barrier");
    assert!(of(2048, &by_turns).is_ok());
    // those before and behind a loop of others do not follow each other
    let inner = format!("loop: {{ count: 2, body: [{by_turns}] }}");
    let head = format!("{LAUNCH}\nresources: {{ local_memory: 2048 }}");
    let around = [COPY, "wait: { queue: q, pending: 1 }", &inner, COPY];
    assert!(outcome(&with_copies(&[]), &spec(&head, &around)).is_ok());
    assert!(of(2047, &by_turns).unwrap_err().to_string().contains("(`t` 1024, `u` 1024)"));
    // together they are one start, of which two are under way
    let together = format!("{key}, {value}, {wait}, barrier");
    assert!(of(4096, &together).is_ok());
    assert!(of(4095, &together).unwrap_err().to_string().contains("(`t` 2048, `u` 2048)"));
}

/// The product on an A100: its programs are short, whatever the tile.
#[test]
fn the_products_programs_are_short() {
    let text = include_str!("../../../../../tuning-specs/matmul_tensor_cores.yaml");
    let narrow = text.replace("{ range: { from: 2, to: 8 } }", "{ values: [2, 4] }");
    let spec = Spec::parse(&narrow, "matmul_tensor_cores.yaml").unwrap();
    let (gpu, reader) = (&find("a100").unwrap().profile, SourceReader::default());
    let programs = all(&spec, &Lowering::new(&spec, gpu, &reader));
    assert!(programs.len() > 600, "{}", programs.len());
    let longest = programs.iter().map(|(_, lowered)| Statement::all(&lowered.program.body).count()).max();
    assert!(longest <= Some(50), "{longest:?}");
}

#[test]
fn a_start_is_its_statements_and_its_uses_are_too() {
    let spec = spec(LAUNCH, &[TEN, COPY, OTHER, WAIT, MULTIPLY]);
    let (gpu, reader) = (with_copies(&[]), SourceReader::default());
    let lowering = Lowering::new(&spec, &gpu, &reader);
    let origins = lowering.origins(&Configuration(vec![1])).unwrap().feasible().unwrap();
    let lines = |shares: &[(Option<autotune_base::text::SourceLine>, f64)]| {
        shares.iter().map(|(line, share)| (line.map(|line| line.line), (share * 12.0).round())).collect::<Vec<_>>()
    };
    let copies = vec![(Some(6), 6.0), (Some(7), 6.0)];
    let found: Vec<_> = origins.iter().map(|origin| (lines(&origin.occupancy), lines(&origin.latency))).collect();
    assert_eq!(
        found,
        [
            (vec![(Some(5), 10.0), (Some(6), 1.0), (Some(7), 1.0)], vec![]),
            (copies.clone(), copies.clone()),
            (copies.clone(), copies),
            (vec![(Some(9), 12.0)], vec![(Some(9), 12.0)]),
            (vec![(Some(9), 12.0)], vec![]),
        ]
    );
}

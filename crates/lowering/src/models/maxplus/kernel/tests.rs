//! The worked example as parts, loops of any length, and pictures whose time equals the algebra's.

use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

use super::super::bound::serialized_is_a_bound;
use super::super::picture::GraphPicture;
use super::*;
use crate::models::maxplus::{Operation, Part, Read, Write};
use autotune_machine::machine::{Server, Statement};

fn read(name: &str, ticks: u64, wait: u128) -> Read {
    Read { name: name.to_owned(), line: None, accesses: 1, ticks, delay: 0, wait, uses: Vec::new() }
}

fn operation(ticks: u128) -> Operation {
    Operation { name: "operation".to_owned(), line: None, ticks, uses: Vec::new() }
}

fn write(ticks: u64, wait: u128) -> Part {
    Part::Write(Write { name: "c".to_owned(), line: None, accesses: 1, ticks, delay: 0, wait, uses: Vec::new() })
}

/// The waits of the accesses of the last of n executors, which delay the next by `delays`: all others' go first.
fn waits(n: u128, delays: &[u64]) -> Vec<u128> {
    let of_one: u128 = delays.iter().copied().map(u128::from).sum();
    let before = |at: usize| delays[..at].iter().copied().map(u128::from).sum::<u128>();
    (0..delays.len()).map(|at| (n - 1) * of_one + before(at)).collect()
}

fn kernel(parts: Vec<Part>) -> Kernel {
    Kernel { parts, launch: 0, repetitions: 1, executors: 1, work_items: None }
}

const MODELS: [Variant; 3] = Variant::ALL;

#[test]
fn vector_addition_is_the_papers_under_every_model() {
    let (write_ticks, read_ticks, tau, n, delay, write_delay) = (1000, 100, 7, 64, 3, 5);
    let waits_of_reads = waits(n, &[delay, delay]);
    assert_eq!(waits_of_reads, [(2 * n - 2) * 3, (2 * n - 1) * 3]);
    let reads = vec![read("a", read_ticks, waits_of_reads[0]), read("b", read_ticks, waits_of_reads[1])];
    let parts =
        vec![Part::Reads(reads), Part::Operation(operation(tau)), write(write_ticks, waits(n, &[write_delay])[0])];
    let kernel = Kernel { parts, launch: 0, repetitions: 4, executors: n, work_items: Some(4 * n - 1) };
    let times = kernel.times().unwrap();
    assert_eq!(times.naive, 4 * (1000 + 100));
    assert_eq!(times.operations, 4 * (1000 + 7 + 100));
    assert_eq!(times.serialized, 4 * (1000 + 63 * 5 + 7 + 100 + 127 * 3));
    for (model, height) in MODELS.into_iter().zip([2, 3, 3]) {
        let graph = GraphPicture::new(&kernel, model).unwrap().graph();
        assert_eq!((graph.nodes, graph.height()), (4, Ok(height)));
        assert_eq!(graph.time_in_the_papers_form().unwrap(), kernel.time_of_one(model).unwrap());
    }
}

#[test]
fn loops_of_2_to_the_31_cost_nothing() {
    let body = vec![Part::Reads(vec![read("a", 100, 0)]), Part::Barrier(operation(3))];
    let inner = Part::Loop { count: 1 << 31, body };
    let kernel = kernel(vec![Part::Loop { count: 1 << 31, body: vec![inner, Part::Operation(operation(1))] }]);
    let times = kernel.times().unwrap();
    assert_eq!(times.naive, 100 << 62);
    assert_eq!(times.operations, (103 << 62) + (1 << 31));
    let graph = GraphPicture::new(&kernel, Variant::Operations).unwrap().graph();
    assert_eq!(graph.time().unwrap(), Scalar::Time(times.operations));
    let mut deep = kernel;
    for _ in 0..3 {
        deep.parts = vec![Part::Loop { count: 1 << 31, body: deep.parts }];
    }
    assert_eq!(deep.times(), Err(Overflow));
}

fn random_parts(random: &mut impl Rng, depth: u32) -> Vec<Part> {
    (0..random.random_range(0..4)).map(|_| random_part(random, depth)).collect()
}

fn random_part(random: &mut impl Rng, depth: u32) -> Part {
    match random.random_range(0..if depth > 0 { 6 } else { 4 }) {
        0 => {
            let reads = random.random_range(1..4);
            Part::Reads((0..reads).map(|_| read("a", random.random_range(0..50), random.random_range(0..50))).collect())
        }
        1 => write(random.random_range(0..50), random.random_range(0..50)),
        2 => Part::Operation(operation(random.random_range(0..50))),
        3 => Part::Barrier(operation(random.random_range(0..5))),
        4 => Part::Branch([random_parts(random, depth - 1), random_parts(random, depth - 1)]),
        _ => Part::Loop { count: random.random_range(0..4), body: random_parts(random, depth - 1) },
    }
}

fn unrolled(parts: &[Part]) -> Vec<Part> {
    let one = |part: &Part| match part {
        Part::Loop { count, body } => (0..*count).flat_map(|_| unrolled(body)).collect(),
        Part::Branch([then, otherwise]) => vec![Part::Branch([unrolled(then), unrolled(otherwise)])],
        other => vec![other.clone()],
    };
    parts.iter().flat_map(one).collect()
}

#[test]
fn the_algebra_is_the_longest_way_of_the_picture_and_of_the_unrolled_one() {
    let mut random = StdRng::seed_from_u64(2);
    for _ in 0..2_000 {
        let kernel = kernel(random_parts(&mut random, 3));
        let whole = self::kernel(unrolled(&kernel.parts));
        for model in MODELS {
            let time = kernel.time_of_one(model).unwrap();
            let picture = GraphPicture::new(&kernel, model).unwrap();
            assert_eq!(picture.graph().reduced().unwrap().time().unwrap(), time, "{kernel:?}");
            let unrolled = GraphPicture::new(&whole, model).unwrap();
            assert!(unrolled.repeats.is_empty());
            assert_eq!(unrolled.graph().reduced().unwrap().time().unwrap(), time, "{kernel:?}");
            assert_critical(&picture, time);
        }
    }
}

/// Checks that the marked arcs lead from an input to an output and that each is needed: without them the time is
/// shorter.
fn assert_critical(picture: &GraphPicture, time: Scalar) {
    let graph = picture.graph();
    let marked: Vec<_> = picture.arcs.iter().filter(|arc| arc.critical).collect();
    assert!(marked.iter().all(|arc| picture.nodes[arc.from].critical && picture.nodes[arc.to].critical));
    let mut only = graph.clone();
    let mut number = 0;
    only.arcs.retain(|arc| {
        number += 1;
        arc.from == arc.to || picture.arcs[number - 1].critical
    });
    assert_eq!(only.reduced().unwrap().time().unwrap(), time);
    let mut others = graph;
    let mut number = 0;
    others.arcs.retain(|arc| {
        number += 1;
        arc.from == arc.to || !picture.arcs[number - 1].critical
    });
    others.inputs.retain(|&input| !picture.nodes[input].critical || !others.outputs.contains(&input));
    assert!(others.reduced().unwrap().time().unwrap() < time || marked.is_empty());
}

fn one_use(server: Server, occupancy: u64, latency: u64) -> Statement {
    Statement::Use { server, occupancy, latency }
}

fn program(body: Vec<Statement>) -> Program {
    Program {
        multiprocessors: 2,
        dispatchers: 1,
        groups: 11,
        resident_groups: 1,
        warps_per_group: 3,
        passes: 2,
        launch: 1000,
        body,
    }
}

#[test]
fn a_phases_turns_are_its_reads_and_its_other_uses_one_operation() {
    let turn = vec![one_use(Server::Memory, 10, 110), one_use(Server::Local, 4, 4), one_use(Server::Dispatcher, 6, 8)];
    let phase = Statement::Loop { count: 4, body: turn };
    let again = Statement::Loop { count: 5, body: vec![phase, Statement::barrier(20)] };
    let kernel = Kernel::of_program(&program(vec![again, one_use(Server::Local, 1, 1)])).unwrap();
    let Part::Loop { count: 5, body } = &kernel.parts[0] else { panic!("{kernel:?}") };
    let [Part::Reads(reads), Part::Operation(rest), Part::Barrier(barrier)] = body.as_slice() else {
        panic!("{kernel:?}")
    };
    // M = 4, n = 3: the last read waits for (M n - 1) others.
    assert_eq!((reads[0].accesses, reads[0].ticks, reads[0].wait), (4, 100, 11 * 10));
    assert_eq!((rest.ticks, barrier.ticks, kernel.repetitions), (48, 20, 12));
    let times = kernel.times().unwrap();
    assert_eq!(times.naive, 1000 + 12 * 5 * 100);
    assert_eq!(times.operations, 1000 + 12 * (5 * (100 + 48 + 20) + 1));
    assert_eq!(times.serialized, 1000 + 12 * (5 * (100 + 110 + 48 + 20) + 1));
}

#[test]
fn different_reads_of_a_phase_wait_as_if_listed() {
    let body = vec![
        one_use(Server::Memory, 10, 15),
        Statement::Loop { count: 3, body: vec![one_use(Server::Memory, 2, 9)] },
        one_use(Server::Memory, 7, 7),
    ];
    let kernel = Kernel::of_program(&program(body)).unwrap();
    let [Part::Reads(reads)] = kernel.parts.as_slice() else { panic!("{kernel:?}") };
    let listed = waits(3, &[10, 2, 2, 2, 7]);
    let of_reads: Vec<u128> = reads.iter().map(|read| read.wait).collect();
    assert_eq!(of_reads, [listed[0], listed[3], listed[4]]);
}

#[test]
fn serialized_is_a_bound_only_where_phases_cannot_overlap() {
    let memory = || one_use(Server::Memory, 10, 110);
    let local = || one_use(Server::Local, 4, 4);
    let barrier = || Statement::barrier(0);
    let repeat = |count, body| Statement::Loop { count, body };
    let holds = |body| serialized_is_a_bound(&program(body));
    assert!(holds(vec![local(), memory(), memory(), local(), barrier(), memory()]));
    assert!(holds(vec![repeat(9, vec![memory()]), local()]));
    assert!(holds(vec![repeat(9, vec![memory(), local(), barrier()])]));
    assert!(!holds(vec![memory(), local(), memory()]));
    assert!(!holds(vec![repeat(9, vec![memory(), local()])]));
    assert!(!holds(vec![memory(), one_use(Server::Memory, 10, 11)]));
    // No barrier parts the last read of one iteration from the first of the next, or from what is behind the loop.
    assert!(!holds(vec![repeat(9, vec![memory(), barrier(), memory()])]));
    assert!(!holds(vec![repeat(1, vec![local(), barrier(), memory()]), memory()]));
    let mut two_groups = program(vec![memory()]);
    two_groups.resident_groups = 2;
    assert!(!serialized_is_a_bound(&two_groups));
}

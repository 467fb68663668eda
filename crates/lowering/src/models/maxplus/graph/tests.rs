//! The worked examples of the paper, and random graphs.

use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

use super::super::matrix::Matrix;
use super::*;

const EPSILON: Scalar = Scalar::Epsilon;

fn arc(from: usize, to: usize, ticks: u128) -> Arc {
    Arc { from, to, ticks }
}

fn graph(nodes: usize, arcs: &[Arc], inputs: &[usize], outputs: &[usize]) -> Graph {
    Graph { nodes, arcs: arcs.to_vec(), inputs: inputs.to_vec(), outputs: outputs.to_vec() }
}

/// c = a + b: nodes c, the sum, a, b; reads take `reads`, the operation `tau`, the write `write`.
fn vector_addition(reads: [u128; 2], tau: Option<u128>, write: u128) -> Graph {
    let mut arcs = vec![arc(1, 0, write), arc(2, 1, reads[0]), arc(3, 1, reads[1])];
    arcs.extend(tau.map(|tau| arc(1, 1, tau)));
    graph(4, &arcs, &[2, 3], &[0])
}

const T: u128 = 1000;
const READ: u128 = 100;
const TAU: u128 = 7;

/// Checks all forms of a graph that the paper's form describes correctly.
fn assert_time(graph: &Graph, height: u64, ticks: u128) {
    assert_eq!(graph.height(), Ok(height));
    let expected = Ok(Scalar::Time(ticks));
    assert_eq!(graph.time_in_the_papers_form(), expected);
    assert_eq!(graph.time(), expected);
    assert_eq!(graph.reduced().unwrap().time(), expected);
}

#[test]
fn paper_000_section_6_naive_vector_addition() {
    assert_time(&vector_addition([READ, READ], None, T), 2, T + READ);
}

#[test]
fn paper_000_section_8_vector_addition_with_its_operation() {
    let graph = vector_addition([READ, READ], Some(TAU), T);
    assert_time(&graph, 3, T + TAU + READ);
    let time = Scalar::Time;
    let expected = [
        [EPSILON, time(T + 2 * TAU), time(T + TAU + READ), time(T + TAU + READ)],
        [EPSILON, time(3 * TAU), time(2 * TAU + READ), time(2 * TAU + READ)],
        [EPSILON; 4],
        [EPSILON; 4],
    ];
    let cube = graph.matrix().power(3).unwrap();
    for (row, cells) in expected.iter().enumerate() {
        for (column, &cell) in cells.iter().enumerate() {
            assert_eq!(cube[(row, column)], cell, "({row}, {column})");
        }
    }
}

#[test]
fn paper_000_section_9_vector_addition_by_executors_that_share_memory() {
    let (delay, write_delay) = (3, 5);
    for n in [1, 2, 64] {
        let reads = [READ + (2 * n - 2) * delay, READ + (2 * n - 1) * delay];
        let graph = vector_addition(reads, Some(TAU), T + (n - 1) * write_delay);
        assert_time(&graph, 3, T + (n - 1) * write_delay + TAU + READ + (2 * n - 1) * delay);
    }
}

#[test]
fn paper_000_table_1_a_fork_is_the_longer_side_and_a_chain_is_the_sum() {
    assert_time(&graph(3, &[arc(2, 0, 5), arc(2, 1, 9)], &[2], &[0, 1]), 1, 9);
    assert_time(&graph(3, &[arc(2, 1, 5), arc(1, 0, 9)], &[2], &[0]), 2, 14);
}

#[test]
fn paper_000_section_7_n_executors_are_n_copies() {
    let k = vector_addition([READ, READ], Some(TAU), T).matrix();
    let big = Matrix::identity(5).kronecker(&k).unwrap().power(3).unwrap();
    assert_eq!(big, Matrix::identity(5).kronecker(&k.power(3).unwrap()).unwrap());
}

/// Node 0 feeds node 2 at once and through node 1: the shorter way has too few arcs for the paper's form.
#[test]
fn the_papers_form_loses_short_ways_and_repeats_loops() {
    let shortcut = graph(3, &[arc(0, 1, 1), arc(1, 2, 1), arc(0, 2, 10)], &[0], &[2]);
    assert_eq!(shortcut.time_in_the_papers_form(), Ok(Scalar::Time(2)));
    assert_eq!(shortcut.time(), Ok(Scalar::Time(10)));
    // Height 3 counts both operations; the way past the second one walks the first one's loop twice.
    let two = graph(3, &[arc(0, 0, 50), arc(0, 1, 1), arc(1, 1, 2), arc(1, 2, 1), arc(0, 2, 1)], &[0], &[2]);
    assert_eq!(two.height(), Ok(4));
    assert_eq!(two.time_in_the_papers_form(), Ok(Scalar::Time(151)));
    assert_eq!(two.time(), Ok(Scalar::Time(54)));
}

#[test]
fn cycles_are_refused_and_overflow_is_told() {
    let cycle = graph(2, &[arc(0, 1, 1), arc(1, 0, 1)], &[0], &[1]);
    assert_eq!(cycle.height(), Err(GraphError::Cycle));
    assert_eq!(cycle.time(), Err(GraphError::Cycle));
    assert_eq!(cycle.reduced(), Err(GraphError::Cycle));
    let long = graph(3, &[arc(0, 1, u128::MAX), arc(1, 2, 1)], &[0], &[2]);
    assert_eq!(long.time(), Err(GraphError::Overflow(Overflow)));
    assert_eq!(long.reduced(), Err(GraphError::Overflow(Overflow)));
}

#[test]
fn where_there_is_no_way_there_is_no_time() {
    let apart = graph(2, &[], &[0], &[1]);
    assert_eq!((apart.time(), apart.reduced().unwrap().time()), (Ok(EPSILON), Ok(EPSILON)));
}

/// A random graph whose nodes are numbered along the arcs; about half of them have an operation.
fn random_graph(random: &mut impl Rng) -> Graph {
    let nodes = random.random_range(2..12);
    let density = random.random_range(0.1..0.6);
    let mut arcs = Vec::new();
    for to in 0..nodes {
        for from in 0..to {
            while random.random_bool(density) {
                arcs.push(arc(from, to, random.random_range(0..100)));
                if random.random_bool(0.9) {
                    break;
                }
            }
        }
        if random.random_bool(0.5) {
            arcs.push(arc(to, to, random.random_range(0..100)));
        }
    }
    let has = |of: &dyn Fn(&Arc) -> usize, node: usize| arcs.iter().any(|arc| arc.from != arc.to && of(arc) == node);
    let inputs: Vec<usize> = (0..nodes).filter(|&node| !has(&|arc| arc.to, node)).collect();
    let outputs: Vec<usize> = (0..nodes).filter(|&node| !has(&|arc| arc.from, node)).collect();
    graph(nodes, &arcs, &inputs, &outputs)
}

/// The longest way, node by node in the order of their numbers: an input is ready at 0 and works for its operation.
fn longest_way(graph: &Graph) -> Option<u128> {
    let mut ready = vec![None; graph.nodes];
    for node in 0..graph.nodes {
        let arrivals = graph.arcs.iter().filter(|arc| arc.to == node && arc.from != node);
        let arrived = arrivals.filter_map(|arc| ready[arc.from].map(|begin: u128| begin + arc.ticks)).max();
        let begun = if graph.inputs.contains(&node) { arrived.max(Some(0)) } else { arrived };
        let own = graph.arcs.iter().filter(|arc| arc.from == node && arc.to == node).map(|arc| arc.ticks).max();
        ready[node] = begun.map(|begin| begin + own.unwrap_or(0));
    }
    graph.outputs.iter().filter_map(|&output| ready[output]).max()
}

#[test]
fn the_general_form_is_the_longest_way_of_5_000_random_graphs_reduced_or_not() {
    let mut random = StdRng::seed_from_u64(1);
    let (mut papers_form_differs, mut irreducible) = (0, 0);
    for _ in 0..5_000 {
        let graph = random_graph(&mut random);
        let expected = longest_way(&graph);
        assert_eq!(graph.time().unwrap().time(), expected, "{graph:?}");
        let reduced = graph.reduced().unwrap();
        assert_eq!(reduced.time().unwrap().time(), expected, "{graph:?}");
        papers_form_differs += u32::from(graph.time_in_the_papers_form().unwrap().time() != expected);
        let ends = graph.inputs.len() + graph.outputs.len();
        irreducible += u32::from(reduced.nodes > ends);
    }
    assert!(papers_form_differs > 500, "only {papers_form_differs} graphs where the paper's form differs");
    assert!(irreducible > 500, "only {irreducible} graphs that need a matrix");
}

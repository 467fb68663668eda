use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::super::trace::{AccessKind, BlockRun, RegionId, SourceAccess, SourceMemory};
use super::super::super::value::{Known, Lanes, Mask, Slope, Symbol};
use super::*;

/// A block with a load of `bytes` by four work items.
fn block(number: u32, bytes: u64) -> Step {
    let mut items = Mask::with_capacity(4);
    items.insert_range(..);
    let access = SourceAccess {
        instruction: 0,
        kind: AccessKind::Load,
        memory: SourceMemory::Global,
        region: Some(RegionId(0)),
        address: Some(Known::constant(RegionId(0).address())),
        bytes,
        elements: 1,
        split: 1,
        part: None,
        knows_memory: true,
        items: None,
        is_sure: true,
        to: None,
        level: 1,
    };
    Step::Block(BlockRun { block: BlockId(number), items: Arc::new(items), accesses: vec![access] })
}

fn repeated(times: &[u64], steps: &[Step]) -> Step {
    let round = |times: &u64| Round { times: *times, counter: None, steps: steps.to_vec() };
    Step::Loop(LoopRun { head: BlockId(9), data_from: 0, rounds: times.iter().map(round).collect() })
}

fn merged(traces: Vec<Weighted>) -> Trace {
    mean(traces, &Shape::new([4, 1, 1]))
}

/// The executions of each block and its bytes.
fn executions(trace: &Trace, times: f64, sums: &mut BTreeMap<(u32, u64), f64>) {
    let number = |number: u64| num_traits::ToPrimitive::to_f64(&number).unwrap();
    for step in trace {
        match step {
            Step::Block(run) => *sums.entry((run.block.0, run.accesses[0].bytes)).or_default() += times,
            Step::Loop(run) => {
                run.rounds.iter().for_each(|round| executions(&round.steps, times * number(round.times), sums));
            }
            Step::Sides(_, sides) => sides.iter().for_each(|side| executions(&side.steps, times * side.share, sums)),
        }
    }
}

/// Holds the executions of a mean against the mean of the executions.
fn assert_mean(traces: Vec<Weighted>) -> Trace {
    let total: u64 = traces.iter().map(|(weight, _)| weight).sum();
    let number = |number: u64| num_traits::ToPrimitive::to_f64(&number).unwrap();
    let mut expected = BTreeMap::new();
    for (weight, trace) in &traces {
        executions(trace, number(*weight) / number(total), &mut expected);
    }
    let trace = merged(traces);
    let mut found = BTreeMap::new();
    executions(&trace, 1.0, &mut found);
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (key, found) in found {
        assert!((found - expected[&key]).abs() < 1e-9, "{key:?}: {found} is not {}", expected[&key]);
    }
    trace
}

#[test]
fn common_steps_stand_once_and_a_branch_has_its_share() {
    let light = vec![block(0, 4), block(3, 4)];
    let heavy = vec![block(0, 4), block(1, 4), block(2, 8), block(3, 4)];
    let trace = assert_mean(vec![(3, light), (1, heavy)]);
    let [first, Step::Sides(Fork::Groups, sides), last] = &trace[..] else { panic!("{trace:?}") };
    assert_eq!((first, last), (&block(0, 4), &block(3, 4)));
    let [Side { share, steps }] = &sides[..] else { panic!("{sides:?}") };
    assert_eq!((share.to_bits(), steps.len()), (0.25_f64.to_bits(), 2));
}

#[test]
fn three_ways_part_where_they_begin_in_different_blocks() {
    let way = |number: u32| vec![block(0, 4), block(number, 4), block(8, 4)];
    let trace = assert_mean(vec![(1, way(1)), (2, way(2)), (1, vec![block(0, 4), block(8, 4)])]);
    assert_eq!(trace.len(), 3);
    // Without a place that all have.
    assert_mean(vec![(1, vec![block(1, 4)]), (1, vec![block(2, 4)]), (2, Vec::new())]);
}

#[test]
fn a_loop_has_the_mean_of_its_iterations() {
    let of = |times: u64| vec![repeated(&[1, times, 1], &[block(1, 4)])];
    assert_eq!(assert_mean(vec![(1, of(10)), (1, of(20))]), of(15));
    let trace = assert_mean(vec![(3, of(10)), (1, of(20))]);
    let [Step::Loop(run)] = &trace[..] else { panic!("{trace:?}") };
    assert_eq!(run.rounds.iter().map(|round| round.times).collect::<Vec<_>>(), [1, 12, 1, 1], "and half of one");
    // Rounds at other places.
    assert_mean(vec![(2, of(10)), (1, vec![repeated(&[5], &[block(1, 4), block(2, 4)])])]);
    // As many kinds as groups.
    assert_mean((0..500).map(|times| (1, of(times))).collect());
}

#[test]
fn work_within_a_loop_counts_by_its_iterations() {
    let heavy = vec![repeated(&[30], &[block(1, 4), block(2, 16), block(3, 4)])];
    let light = vec![repeated(&[10], &[block(1, 4), block(3, 4)])];
    assert_mean(vec![(3, light), (1, heavy)]);
}

#[test]
fn a_block_with_other_work_is_another_side() {
    let trace = assert_mean(vec![(1, vec![block(0, 4)]), (1, vec![block(0, 8)])]);
    assert!(matches!(&trace[..], [Step::Sides(Fork::Groups, sides)] if sides.len() == 2), "{trace:?}");
}

#[test]
fn iterations_that_become_one_have_one_counter() {
    let of = |times: u64, counter: u32| {
        let mut steps = vec![block(1, 4)];
        if let Step::Block(run) = &mut steps[0]
            && let Some(address) = &mut run.accesses[0].address
        {
            address.slopes.push((Symbol::Counter(counter), Slope::By(Lanes::Same(4))));
        }
        vec![Step::Loop(LoopRun {
            head: BlockId(9),
            data_from: 0,
            rounds: vec![Round { times, counter: Some(counter), steps }],
        })]
    };
    assert_eq!(merged(vec![(1, of(10, 1)), (1, of(20, 7))]), of(15, 7));
}

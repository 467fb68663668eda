//! The values and blocks that follow from data, beside the definition: sets that are searched anew until they stay.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::super::super::ir::Block;
use super::*;
use crate::source::ir::{AccessTypes, Marks, Operand, Typed};

/// The most blocks of a random kernel.
const MOST_BLOCKS: u32 = 12;
/// The values of a random kernel.
const VALUES: u32 = 24;

/// A random kernel; its values stand anywhere.
fn random_kernel(random: &mut StdRng) -> IrFunction {
    let count = random.random_range(1..=MOST_BLOCKS);
    let mut blocks: Vec<Vec<Instruction>> = vec![Vec::new(); count as usize];
    for result in 0..VALUES {
        let kind = random_kind(random, count);
        let block = &mut blocks[random.random_range(0..count as usize)];
        let has_result = !matches!(kind, Kind::Store { .. });
        let position = if matches!(kind, Kind::Phi(..)) { 0 } else { block.len() };
        block.insert(position, instruction(has_result.then_some(ValueId(result)), kind));
    }
    for block in &mut blocks {
        let last = random_end(random, count);
        block.push(instruction(None, last));
    }
    let name: Arc<str> = "k".into();
    let blocks = blocks.into_iter().map(|instructions| Block { name: name.clone(), instructions }).collect();
    let values = VALUES as usize;
    IrFunction {
        name,
        parameters: Vec::new(),
        blocks,
        values,
        returns: Type::Void,
        place: None,
        declared: Vec::new(),
        accessed: AccessTypes::default(),
        marks: Marks::default(),
    }
}

fn instruction(result: Option<ValueId>, kind: Kind) -> Instruction {
    Instruction { result, kind, places: Arc::new([]), tag: None }
}

fn random_operand(random: &mut StdRng) -> Operand {
    if random.random_bool(0.4) { Operand::Integer(1) } else { Operand::Value(ValueId(random.random_range(0..VALUES))) }
}

fn random_typed(random: &mut StdRng) -> Typed {
    let of = Type::Pointer([0, 1, PRIVATE][random.random_range(0..3)]);
    Typed { of, operand: random_operand(random) }
}

fn random_kind(random: &mut StdRng, blocks: u32) -> Kind {
    let of = Type::Integer(32);
    match random.random_range(0..6) {
        0 => Kind::Freeze(random_typed(random)),
        1 => Kind::Select([random_typed(random), random_typed(random), random_typed(random)]),
        2 => Kind::Load { of, from: random_typed(random), align: 4, volatile: false },
        3 => Kind::Store { value: random_typed(random), to: random_typed(random), align: 4, volatile: false },
        4 => Kind::Atomic(random_typed(random), random_typed(random)),
        _ => {
            let incoming = (0..2).map(|_| (BlockId(random.random_range(0..blocks)), random_operand(random)));
            Kind::Phi(of, incoming.collect())
        }
    }
}

fn random_end(random: &mut StdRng, blocks: u32) -> Kind {
    let to = |random: &mut StdRng| BlockId(random.random_range(0..blocks));
    match random.random_range(0..10) {
        0 => Kind::Return,
        1 => Kind::Unreachable,
        2 | 3 => Kind::Jump(to(random)),
        4 => Kind::Switch(random_typed(random), vec![(1, to(random)), (2, to(random))], to(random)),
        _ => Kind::Branch(random_typed(random), [to(random), to(random)]),
    }
}

fn random_seeds(random: &mut StdRng, kernel: &IrFunction) -> DataSeeds {
    let flow = Flow::new(kernel);
    let reached = |id: &BlockId| flow.position(*id) < flow.end();
    let all = (0..).map(BlockId).take(kernel.blocks.len());
    let branches = all.filter(reached).filter(|_| random.random_bool(0.2)).collect();
    let values = (0..VALUES).map(ValueId).filter(|_| random.random_bool(0.03)).collect();
    DataSeeds { branches, values, is_private: random.random_bool(0.1), ..DataSeeds::default() }
}

/// The definition: sets of numbers, searched anew until they stay.
struct Definition {
    after: Vec<BTreeSet<usize>>,
    reached: BTreeSet<usize>,
    doomed: BTreeSet<usize>,
}

impl Definition {
    fn new(kernel: &IrFunction) -> Self {
        let last = |block: &Block| block.instructions.last().unwrap().kind.clone();
        let after: Vec<BTreeSet<usize>> = kernel
            .blocks
            .iter()
            .map(|block| last(block).successors().into_iter().map(BlockId::index).collect())
            .collect();
        let mut of = Self { after, reached: BTreeSet::new(), doomed: BTreeSet::new() };
        of.reached = of.ways([0].into(), None);
        let is_trap = |at: &usize| matches!(last(&kernel.blocks[*at]), Kind::Unreachable);
        let mut doomed: BTreeSet<usize> = (0..kernel.blocks.len()).filter(is_trap).collect();
        for _ in 0..kernel.blocks.len() {
            let all_doomed = |at: &usize| !of.after[*at].is_empty() && of.after[*at].is_subset(&doomed);
            let more: BTreeSet<usize> = of.reached.iter().copied().filter(all_doomed).collect();
            doomed.extend(more);
        }
        of.doomed = if doomed.contains(&0) { BTreeSet::new() } else { doomed };
        of
    }

    /// The blocks on all ways from some blocks on that do not go through a block.
    fn ways(&self, from: BTreeSet<usize>, not: Option<usize>) -> BTreeSet<usize> {
        let mut all: BTreeSet<usize> = from.into_iter().filter(|at| Some(*at) != not).collect();
        loop {
            let next = all.iter().flat_map(|at| &self.after[*at]).copied().filter(|at| Some(*at) != not);
            let more: BTreeSet<usize> = next.chain(all.iter().copied()).collect();
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// True if the kernel ends on some way from a block that does not go through another one.
    fn ends(&self, from: usize, not: Option<usize>) -> bool {
        let is_end = |at: &usize| self.after[*at].is_empty() && !self.doomed.contains(at);
        !self.doomed.contains(&from) && self.ways([from].into(), not).iter().any(is_end)
    }

    /// The first block that all ways from a block to an end go through.
    fn join(&self, from: usize) -> Option<usize> {
        let is_on_all = |from: usize, at: usize| from == at || !self.ends(from, Some(at));
        let all: Vec<usize> = (0..self.after.len())
            .filter(|at| self.ends(from, None) && *at != from && self.ends(*at, None) && is_on_all(from, *at))
            .collect();
        all.iter().copied().find(|first| all.iter().all(|other| is_on_all(*first, *other)))
    }

    fn values(&self, kernel: &IrFunction, seeds: &DataSeeds) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let mut values: BTreeSet<usize> = seeds.values.iter().map(|id| id.index()).collect();
        let mut blocks = BTreeSet::new();
        loop {
            let before = (values.clone(), blocks.clone());
            for (at, block) in kernel.blocks.iter().enumerate() {
                let has = |of: &Operand| matches!(of, Operand::Value(id) if before.0.contains(&id.index()));
                let is_seed = seeds.branches.iter().any(|seed| seed.index() == at);
                if self.reached.contains(&at) && (is_seed || decides(&block.instructions, has)) {
                    let join = self.join(at);
                    blocks.extend(self.ways(self.after[at].clone(), join));
                    let phis = join.iter().flat_map(|join| &kernel.blocks[*join].instructions);
                    let phis = phis.take_while(|one| matches!(one.kind, Kind::Phi(..)));
                    values.extend(phis.map(|phi| phi.result.unwrap().index()));
                }
                for one in &block.instructions {
                    let Some(result) = one.result else { continue };
                    if blocks.contains(&at) || follows(&one.kind, has) || seeds.is_private && loads_private(one) {
                        values.insert(result.index());
                    }
                }
            }
            if (&values, &blocks) == (&before.0, &before.1) {
                return before;
            }
        }
    }
}

fn decides(instructions: &[Instruction], has: impl Fn(&Operand) -> bool) -> bool {
    match &instructions.last().unwrap().kind {
        Kind::Branch(of, _) | Kind::Switch(of, ..) => has(&of.operand),
        _ => false,
    }
}

fn follows(kind: &Kind, has: impl Fn(&Operand) -> bool) -> bool {
    match kind {
        Kind::Freeze(one) | Kind::Load { from: one, .. } | Kind::Atomic(one, _) => has(&one.operand),
        Kind::Select(all) => all.iter().any(|one| has(&one.operand)),
        Kind::Phi(_, incoming) => incoming.iter().any(|(_, operand)| has(operand)),
        _ => false,
    }
}

proptest! {
    #[test]
    fn what_follows_from_data_is_what_the_definition_says(seed: u64) {
        let mut random = StdRng::seed_from_u64(seed);
        let kernel = random_kernel(&mut random);
        let seeds = random_seeds(&mut random, &kernel);
        let found = OnData::new(&kernel, &Flow::new(&kernel), &seeds);
        let (values, blocks) = Definition::new(&kernel).values(&kernel, &seeds);
        prop_assert_eq!(found.values.ones().collect::<BTreeSet<_>>(), values);
        prop_assert_eq!(found.blocks.ones().collect::<BTreeSet<_>>(), blocks);
    }
}

/// A branch that no other leads to, and a branch on a value that is chosen where its sides meet: each is led from once.
#[test]
fn thousands_of_branches_one_after_the_other_are_followed_at_once() {
    const COUNT: u32 = 20_000;
    let mut blocks = Vec::new();
    for step in 0..COUNT {
        let typed = |id: u32| Typed { of: Type::Integer(1), operand: Operand::Value(ValueId(id)) };
        let phi = Kind::Phi(Type::Integer(32), vec![(BlockId(2 * step), Operand::Integer(step.into()))]);
        let next = [BlockId(2 * step + 1), BlockId(2 * step + 2)];
        blocks.push(vec![instruction(Some(ValueId(step)), phi), instruction(None, Kind::Branch(typed(step), next))]);
        blocks.push(vec![instruction(None, Kind::Jump(BlockId(2 * step + 2)))]);
    }
    blocks.push(vec![instruction(None, Kind::Return)]);
    let name: Arc<str> = "k".into();
    let blocks = blocks.into_iter().map(|instructions| Block { name: name.clone(), instructions }).collect();
    let (values, returns) = (COUNT as usize, Type::Void);
    let kernel = IrFunction {
        name,
        parameters: Vec::new(),
        blocks,
        values,
        returns,
        place: None,
        declared: Vec::new(),
        accessed: AccessTypes::default(),
        marks: Marks::default(),
    };
    let seeds = DataSeeds { branches: [BlockId(0)].into(), ..DataSeeds::default() };
    let found = OnData::new(&kernel, &Flow::new(&kernel), &seeds);
    assert_eq!(found.blocks.count_ones(..), COUNT as usize);
    assert_eq!(found.values.count_ones(..), COUNT as usize - 1);
}

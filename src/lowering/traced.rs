//! Lowering of what a work group executed, as the kernel's source says it: a trace in place of a spec's body.
//!
//! ```text
//! trace ─▶ merge: accesses that one instruction makes ─▶ sectors: the memory that warps touch ─▶ prepare: work
//!                                                     └▶ union: the memory that groups share ─────┘
//! ```

mod access;
mod lockstep;
mod memo;
mod merge;
mod prepare;
mod sectors;
mod union;
mod waits;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::block::Block;
use super::blocks::{append, join, repeat};
use super::exact::Exact;
use super::launch::Geometry;
use super::work::Work;
use crate::gpu::Pipelined;
use crate::source::{
    BlockId, Executed, Instruction, IrFunction, Kernel, Kind, Mask, Memory, Operand, Operations, Shape, Step, Trace,
    Type, operands,
};
use crate::spec::AssumedAddress;
use crate::text::Place;
use memo::Memo;
use prepare::{Made, Piece, Prepared, Run};
use waits::Waits;

pub(super) use lockstep::body as lockstep_body;

/// Bytes to which each array of local memory is aligned.
const LOCAL_ALIGNMENT: u64 = 16;

/// The parts in which a share of executions is counted.
const SHARES: u64 = 1 << 16;

/// What a work group of a configuration executed.
#[derive(Debug, Clone)]
pub(crate) struct TracedKernel {
    /// The instructions.
    pub(crate) kernel: Arc<Kernel>,
    /// The blocks, loops and accesses of the group.
    pub(crate) executed: Executed,
    /// The work items of the group.
    pub(crate) shape: Shape,
    /// What the user assumes of addresses that depend on data, by line.
    pub(crate) addresses: BTreeMap<u32, AssumedAddress>,
}

impl TracedKernel {
    /// True if another instruction uses the result of one.
    fn uses_result(&self, block: BlockId, position: usize) -> bool {
        let Some(result) = self.instruction(block, position).result else { return false };
        let instructions = || self.function().blocks.iter().flat_map(|block| &block.instructions);
        let of_phi = |instruction: &Instruction| match &instruction.kind {
            Kind::Phi(_, sources) => {
                sources.iter().any(|(_, operand)| matches!(operand, Operand::Value(value) if *value == result))
            }
            _ => false,
        };
        instructions().any(|one| of_phi(one) || operands(&one.kind).any(|operand| operand == result))
    }

    fn function(&self) -> &IrFunction {
        &self.kernel.module.kernel
    }

    fn instruction(&self, block: BlockId, position: usize) -> &Instruction {
        &self.function().blocks[block.index()].instructions[position]
    }

    /// Bytes of the local memory of a group.
    pub(crate) fn local_memory(&self) -> u64 {
        let local = self.executed.regions.iter().filter(|region| region.memory == Memory::Local);
        local.map(|region| region.bytes.unwrap_or(0).next_multiple_of(LOCAL_ALIGNMENT)).sum()
    }
}

impl TracedKernel {
    /// The stores and loads of each word that spills, in pairs: the executions of the block that computes most, times
    /// the pairs that a back end makes of a word.
    pub(crate) fn spill_uses(&self) -> u64 {
        let registers = &self.kernel.registers;
        let words = registers.spilled_bytes.unwrap_or(0).div_ceil(4);
        let pairs = registers.spill_accesses.filter(|_| words > 0).map_or(1, |all| all.div_ceil(2 * words).max(1));
        pairs * self.hottest_executions()
    }

    /// The executions of the block that computes most.
    fn hottest_executions(&self) -> u64 {
        let mut executions = BTreeMap::new();
        count(&self.executed.trace, 1, &mut executions);
        let arithmetic = |block: &BlockId| {
            let of_each = self.kernel.prices.block(*block).iter();
            of_each.map(|price| price.fp32 + price.fp64).sum::<u64>()
        };
        executions.into_iter().max_by_key(|(block, _)| arithmetic(block)).map_or(1, |(_, times)| times)
    }
}

/// Counts the executions of each block.
fn count(trace: &Trace, times: u64, executions: &mut BTreeMap<BlockId, u64>) {
    for step in trace {
        match step {
            Step::Block(run) => *executions.entry(run.block).or_default() += times,
            Step::Loop(run) => {
                run.rounds.iter().for_each(|round| count(&round.steps, times.saturating_mul(round.times), executions));
            }
            Step::Sides(_, sides) => sides.iter().for_each(|side| count(&side.steps, times, executions)),
        }
    }
}

/// A loop of many iterations around an access, the innermost last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Repeated {
    counter: u32,
    times: u64,
}

/// The walk over a trace for one GPU.
pub(super) struct TraceWalk<'a> {
    traced: &'a TracedKernel,
    gpu: &'a Pipelined,
    banks: super::Banks,
    /// Groups that run together.
    concurrent: u64,
    /// The groups of the launch along x, y and z.
    grid: [u64; 3],
    /// Registers of a work item.
    registers: u64,
    /// True if the work of each line is kept beside the sums.
    tracing: bool,
    /// The blocks whose code is counted.
    coded: BTreeSet<BlockId>,
    /// The blocks that use what they load.
    waiting: BTreeMap<BlockId, bool>,
    /// The counts of accesses so far.
    memo: Memo,
}

impl<'a> TraceWalk<'a> {
    /// The walk over a trace. `concurrent` groups of a launch of `grid` run together; each line's work is kept beside the
    /// sums if `tracing`.
    pub(super) fn new(
        traced: &'a TracedKernel,
        gpu: &'a Pipelined,
        concurrent: u64,
        geometry: &Geometry,
        tracing: bool,
    ) -> Self {
        Self {
            traced,
            gpu,
            banks: super::pipelined::banks(gpu),
            concurrent,
            grid: geometry.grid,
            registers: geometry.registers,
            tracing,
            coded: BTreeSet::new(),
            waiting: BTreeMap::new(),
            memo: Memo::default(),
        }
    }

    /// The phases, barriers and loops of the group.
    pub(super) fn blocks(&mut self) -> Vec<Block> {
        let pieces = prepare::prepared(self);
        self.pieces(pieces, 1)
    }

    /// The blocks of pieces in a loop of that many iterations.
    fn pieces(&mut self, pieces: Vec<Piece>, iterations: u64) -> Vec<Block> {
        let mut blocks = Vec::new();
        // Compilers unroll only loops without a loop inside.
        let is_innermost = pieces.iter().all(|piece| !matches!(piece, Piece::Loop(_)));
        let mut waits = Waits::new(if is_innermost { iterations } else { 1 });
        for piece in pieces {
            match piece {
                Piece::Run(run) => self.run(run, &mut waits, &mut blocks),
                Piece::Loop(rounds) => {
                    self.wait(&mut waits, &mut blocks);
                    let iterations = rounds.iter().map(|(times, _)| *times).sum();
                    for (times, pieces) in rounds {
                        let body = self.pieces(pieces, iterations);
                        append(&mut blocks, repeat(times, body));
                    }
                }
                Piece::Sides(sides) => {
                    self.wait(&mut waits, &mut blocks);
                    for (share, pieces) in sides {
                        let mut work = self.pieces(pieces, iterations);
                        scale(&mut work, share);
                        append(&mut blocks, work);
                    }
                }
            }
        }
        self.wait(&mut waits, &mut blocks);
        blocks
    }

    /// Ends a stretch: its warps have waited for the loads.
    fn wait(&self, waits: &mut Waits, blocks: &mut Vec<Block>) {
        let free = self.gpu.register_limit().saturating_sub(self.registers).max(1);
        for work in waits.end(self.gpu, free) {
            join(blocks, self.traced_work(work));
        }
    }

    /// An execution of a block.
    fn run(&mut self, run: Run, waits: &mut Waits, blocks: &mut Vec<Block>) {
        let is_new = self.coded.insert(run.block);
        for (place, operations) in self.operations(run.block) {
            join(blocks, self.traced_work(computed(place, operations, run.warps, is_new)));
        }
        for made in run.made {
            match made {
                Made::Barrier(place) => {
                    self.wait(waits, blocks);
                    blocks.push(Block::Barrier(place));
                }
                Made::Access(access) => {
                    let Prepared { mut work, waited, .. } = *access;
                    if !is_new {
                        work.code = Exact::ZERO;
                    }
                    waits.extend(waited);
                    join(blocks, self.traced_work(work));
                }
            }
        }
        if self.waits_for_its_loads(run.block) {
            waits.end_block();
        }
    }

    /// True if a block uses what it loads.
    fn waits_for_its_loads(&mut self, block: BlockId) -> bool {
        let instructions = &self.traced.function().blocks[block.index()].instructions;
        *self.waiting.entry(block).or_insert_with(|| {
            let is_load = |one: &&Instruction| match &one.kind {
                Kind::Load { from, .. } => matches!(from.of, Type::Pointer(0 | 1)),
                kind => matches!(kind, Kind::Atomic(..)),
            };
            let loaded: BTreeSet<_> = instructions.iter().filter(is_load).filter_map(|load| load.result).collect();
            instructions.iter().any(|one| operands(&one.kind).any(|operand| loaded.contains(&operand)))
        })
    }

    /// The operations of a block: of each line if the lines are asked for.
    fn operations(&self, block: BlockId) -> Vec<(Place, Operations)> {
        let prices = self.traced.kernel.prices.block(block);
        let instructions = &self.traced.function().blocks[block.index()].instructions;
        let mut lines: Vec<(Place, Operations)> = Vec::new();
        for (instruction, price) in instructions.iter().zip(prices).filter(|(_, price)| price.all() > 0) {
            let place = place(instruction);
            let known = lines.iter_mut().find(|(known, _)| !self.tracing || known.line == place.line);
            match known {
                Some((_, sum)) => *sum = sum.plus(*price),
                None => lines.push((place, *price)),
            }
        }
        lines
    }

    fn traced_work(&self, work: Work) -> Option<Work> {
        Some(if self.tracing { Work { parts: vec![work.clone()], ..work } } else { work })
    }
}

/// The operations of a block by a number of warps.
fn computed(place: Place, operations: Operations, warps: u64, is_new: bool) -> Work {
    let mut work = Work::at(place);
    if is_new {
        work.code = Exact::from(operations.all());
    }
    for (issued, warps) in [(&mut work.issued, warps), (&mut work.first_warp, 1)] {
        let of = |count: u64| Exact::from(count) * Exact::from(warps);
        issued.instructions = of(operations.all());
        issued.fp32 = of(operations.fp32);
        issued.int32 = of(operations.int32);
        issued.fp64 = of(operations.fp64);
        issued.special = of(operations.special);
    }
    work
}

/// The number of warps with a work item in a mask.
fn warps(items: &Mask, warp_size: u64) -> u64 {
    let mut last = None;
    let mut count = 0;
    for lane in items.ones() {
        let warp = lane as u64 / warp_size;
        count += u64::from(last != Some(warp));
        last = Some(warp);
    }
    count
}

/// The user's place of an instruction.
pub(super) fn place(instruction: &Instruction) -> Place {
    instruction.user_place().map_or_else(Place::default, |place| Place::of_line(place.line, place.column))
}

/// Multiplies the work of blocks by a share of executions.
fn scale(blocks: &mut [Block], part: f64) {
    if (part - 1.0).abs() < f64::EPSILON {
        return;
    }
    let part = share(part);
    super::block::phases(blocks, 1, &mut |work, _| work.scale(part));
}

/// A share of executions.
fn share(part: f64) -> Exact {
    let parts =
        num_traits::ToPrimitive::to_u64(&(part * num_traits::ToPrimitive::to_f64(&SHARES).unwrap_or(1.0)).round());
    Exact::ratio(parts.unwrap_or(SHARES), SHARES)
}

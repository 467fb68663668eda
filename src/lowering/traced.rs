//! Lowering of what a work group executed, as the kernel's source says it: a trace in place of a spec's body.
//!
//! ```text
//! trace ─▶ merge: accesses that one instruction makes ─▶ sectors: the memory that warps and groups touch ─▶ work
//! ```

mod access;
mod listed;
mod lockstep;
mod merge;
mod sectors;
mod waits;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::block::Block;
use super::blocks::{append, join, repeat};
use super::exact::Exact;
use super::work::Work;
use crate::gpu::Pipelined;
use crate::source::{
    AccessKind, BlockId, BlockRun, Executed, IrFunction, Kernel, LoopRun, Mask, Memory, Operations, Shape, Step, Trace,
};
use crate::text::Place;
use access::Accessing;
use waits::Waits;

pub(crate) use listed::{Listed, ListedAccess, ListedStep, TouchedMemory, is_of_memory};
pub(super) use lockstep::{body as lockstep_body, origins as lockstep_origins};

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
}

impl TracedKernel {
    fn function(&self) -> &IrFunction {
        &self.kernel.module.kernel
    }

    /// The place of an instruction in the user's files, which are numbered from 1; line 0 if it has none.
    pub(crate) fn place(&self, block: BlockId, position: usize) -> Place {
        self.kernel
            .places
            .at(block, position)
            .map_or_else(Place::default, |at| Place { file: at.file + 1, ..Place::of_line(at.line, at.column) })
    }

    /// The name of a place's file, as the compiler names it; `None` for a place in none.
    pub(crate) fn file(&self, place: Place) -> Option<&str> {
        self.files().get(usize::from(place.file.checked_sub(1)?)).map(|name| &**name)
    }

    /// The name of an array or variable as the source has it: local ones bear the kernel's name before their own.
    pub(crate) fn shown_name<'a>(&self, name: &'a str) -> &'a str {
        let own = name.strip_prefix(&*self.function().name).and_then(|rest| rest.strip_prefix('.'));
        own.filter(|own| !own.is_empty()).unwrap_or(name)
    }

    /// The innermost of some places that lies in a file of the user.
    pub(crate) fn place_of(&self, places: &[crate::source::Place]) -> Place {
        let numbered = |place: &crate::source::Place| {
            let file = self.files().iter().position(|file| *file == place.file)?;
            Some(Place { file: u16::try_from(file + 1).ok()?, ..Place::of_line(place.line, place.column) })
        };
        places.iter().find_map(numbered).unwrap_or_default()
    }

    /// The user's files by their numbers, as the compiler names them; number 1 is the first.
    pub(crate) fn files(&self) -> &[Arc<str>] {
        self.kernel.places.files()
    }

    /// Bytes of the local memory of a group.
    pub(crate) fn local_memory(&self) -> u64 {
        let local = self.executed.regions.iter().filter(|region| region.memory == Memory::Local);
        local.map(|region| region.bytes.unwrap_or(0).next_multiple_of(LOCAL_ALIGNMENT)).sum()
    }
}

impl TracedKernel {
    /// The uses of each word that spills: the executions of the block that computes most.
    pub(crate) fn spill_uses(&self) -> u64 {
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
#[derive(Debug, Clone, Copy)]
struct Repeated {
    counter: u32,
    times: u64,
}

/// The walk over a trace for one GPU.
pub(super) struct TraceWalk<'a> {
    pub(super) traced: &'a TracedKernel,
    pub(super) gpu: &'a Pipelined,
    pub(super) banks: super::Banks,
    /// Groups that run together, and the groups of the launch along x, y and z.
    pub(super) concurrent: u64,
    pub(super) grid: [u64; 3],
    /// Registers of a work item.
    pub(super) registers: u64,
    /// True if the work of each line is kept beside the sums.
    pub(super) tracing: bool,
    /// The blocks whose code is counted.
    pub(super) coded: BTreeSet<BlockId>,
}

impl TraceWalk<'_> {
    /// The phases, barriers and loops of the group.
    pub(super) fn blocks(&mut self) -> Vec<Block> {
        let traced = self.traced;
        self.steps(&traced.executed.trace, &mut Vec::new())
    }

    fn steps(&mut self, trace: &Trace, loops: &mut Vec<Repeated>) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut waits = Waits::new(loops.last().map_or(1, |last| last.times));
        for step in trace {
            match step {
                Step::Block(run) => self.run(run, loops, &mut waits, &mut blocks),
                Step::Loop(run) => {
                    self.wait(&mut waits, &mut blocks);
                    append(&mut blocks, self.repeated(run, loops));
                }
                Step::Sides(_, sides) => {
                    self.wait(&mut waits, &mut blocks);
                    for side in sides {
                        let mut work = self.steps(&side.steps, loops);
                        scale(&mut work, side.share);
                        append(&mut blocks, work);
                    }
                }
            }
        }
        self.wait(&mut waits, &mut blocks);
        blocks
    }

    fn repeated(&mut self, run: &LoopRun, loops: &mut Vec<Repeated>) -> Vec<Block> {
        let mut blocks = Vec::new();
        for round in &run.rounds {
            let many = round.counter.map(|counter| Repeated { counter, times: round.times });
            loops.extend(many);
            let body = self.steps(&round.steps, loops);
            if many.is_some() {
                loops.pop();
            }
            append(&mut blocks, repeat(round.times, body));
        }
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
    fn run(&mut self, run: &BlockRun, loops: &[Repeated], waits: &mut Waits, blocks: &mut Vec<Block>) {
        let traced = self.traced;
        let warps = warps(&run.items, self.gpu.warp_size);
        let is_new = self.coded.insert(run.block);
        for (place, operations) in self.operations(run.block) {
            join(blocks, self.traced_work(computed(place, operations, warps, is_new)));
        }
        let mut accesses =
            merge::merged(traced.function(), run, &traced.executed.regions, &traced.shape).into_iter().peekable();
        while let Some(access) = accesses.next() {
            let place = traced.place(run.block, access.instruction);
            if access.kind == AccessKind::Barrier {
                self.wait(waits, blocks);
                blocks.push(Block::Barrier(place));
                continue;
            }
            let accessing = Accessing { walk: self, access: &access, items: &run.items, warps, loops, place, is_new };
            let (work, load) = accessing.work();
            waits.extend(load);
            join(blocks, work.and_then(|work| self.traced_work(work)));
        }
    }

    /// The operations of a block: of each line if the lines are asked for.
    fn operations(&self, block: BlockId) -> Vec<(Place, Operations)> {
        let prices = self.traced.kernel.prices.block(block);
        let mut lines: Vec<(Place, Operations)> = Vec::new();
        for (position, price) in prices.iter().enumerate().filter(|(_, price)| price.all() > 0) {
            let place = self.traced.place(block, position);
            let known = lines.iter_mut().find(|(known, _)| !self.tracing || known.source_line() == place.source_line());
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

/// Multiplies the work of blocks by a share of executions.
fn scale(blocks: &mut [Block], share: f64) {
    if (share - 1.0).abs() < f64::EPSILON {
        return;
    }
    let parts =
        num_traits::ToPrimitive::to_u64(&(share * num_traits::ToPrimitive::to_f64(&SHARES).unwrap_or(1.0)).round());
    let share = Exact::ratio(parts.unwrap_or(SHARES), SHARES);
    super::block::phases(blocks, 1, &mut |work, _| work.scale(share));
}

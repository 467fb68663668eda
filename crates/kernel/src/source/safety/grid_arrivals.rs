//! The barriers of all groups that the groups of a launch reach: no group goes on until all have arrived.

use std::collections::HashMap;

use super::super::execute::{AllowedSums, Executed};
use super::super::flow::Flow;
use super::super::functions::{Function, function};
use super::super::ir::{BlockId, Callee, Instruction, IrFunction, Kind, SourcePlace};
use super::super::trace::{AccessKind, Step};
use super::on_data::{OnData, is_open};
use autotune_base::limits::watch::{Phase, look};

/// The most groups of a launch that are counted.
const MOST_COUNTED: u64 = 1 << 16;

/// The most executed groups that are tried for another one.
const MOST_TRIED: usize = 1 << 7;

/// The barriers of all groups that executed groups of a launch reach.
#[derive(Debug)]
pub struct GridArrivals<'a> {
    kernel: &'a IrFunction,
    flow: &'a Flow,
    executed: Vec<Arrivals>,
    /// True if nothing is claimed: the kernel has no such barrier, or data decides which ones a group reaches.
    is_open: bool,
}

/// The barriers of an executed group.
#[derive(Debug)]
struct Arrivals {
    group: [u64; 3],
    /// The groups that do the same.
    allowed: AllowedSums,
    /// The barriers by block and position, in the order of the execution, each with the number of arrivals.
    barriers: Vec<((BlockId, usize), u64)>,
}

/// A barrier of all groups that some groups of a launch do not reach, or reach less often than others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissedGridBarrier {
    /// The number of groups that do not reach it.
    pub missing: u64,
    /// True if other groups may not reach it either.
    pub is_least: bool,
    /// The number of groups of the launch.
    pub of: u64,
    /// The ids along x, y and z of a group that reaches it and of one that does not.
    pub groups: [[u64; 3]; 2],
    /// The barriers of all groups that these two pass.
    pub passed: [u64; 2],
    /// The place in a file of the user; `None` if it has none.
    pub place: Option<SourcePlace>,
}

impl Arrivals {
    fn all(&self) -> u64 {
        self.barriers.iter().fold(0, |all, (_, times)| all.saturating_add(*times))
    }

    fn at(&self, barrier: (BlockId, usize)) -> u64 {
        self.barriers.iter().find(|(known, _)| *known == barrier).map_or(0, |(_, times)| *times)
    }
}

impl<'a> GridArrivals<'a> {
    /// No executed group of a launch of this kernel.
    pub fn new(kernel: &'a IrFunction, flow: &'a Flow) -> Self {
        let mut instructions = kernel.blocks.iter().flat_map(|block| &block.instructions);
        let is_open = !instructions.any(is_barrier);
        Self { kernel, flow, executed: Vec::new(), is_open }
    }

    /// Adds what a group of the launch has executed.
    pub fn add(&mut self, group: [u64; 3], executed: &Executed) {
        if self.is_open {
            return;
        }
        let allowed = executed.dependence.allowed.clone();
        let mut arrivals = Arrivals { group, allowed, barriers: Vec::new() };
        let on_data = OnData::new(self.kernel, self.flow, &executed.seeds);
        self.is_open = is_open(executed);
        for (step, times) in Step::all(&executed.trace) {
            let Step::Block(run) = step else { continue };
            for access in run.accesses.iter().filter(|access| access.kind == AccessKind::GridBarrier) {
                let instruction = &self.kernel.blocks[run.block.index()].instructions[access.instruction];
                self.is_open |= on_data.decides(run.block, instruction);
                let barrier = (run.block, access.instruction);
                match arrivals.barriers.iter_mut().find(|(known, _)| *known == barrier) {
                    Some((_, known)) => *known = known.saturating_add(times),
                    None => arrivals.barriers.push((barrier, times)),
                }
            }
        }
        self.executed.push(arrivals);
    }

    /// The barrier that some groups of a launch of `grid` groups along each axis do not reach; `None` if all executed groups
    /// pass the same number, or data decides it.
    #[must_use]
    pub fn missed(&self, grid: [u64; 3]) -> Option<MissedGridBarrier> {
        if self.is_open {
            return None;
        }
        let key = |arrivals: &&Arrivals| (arrivals.all(), std::cmp::Reverse(arrivals.group));
        let most = self.executed.iter().max_by_key(key)?;
        let least = self.executed.iter().min_by_key(|arrivals| (arrivals.all(), arrivals.group))?;
        // A group with more barriers passes one of them more often.
        let ((block, instruction), _) = most.barriers.iter().find(|(barrier, times)| *times > least.at(*barrier))?;
        if most.all() == least.all() {
            return None;
        }
        let (missing, is_least) = self.missing(most.all(), grid);
        Some(MissedGridBarrier {
            missing,
            is_least,
            of: grid.iter().fold(1, |all, groups| all.saturating_mul(*groups)),
            groups: [most.group, least.group],
            passed: [most.all(), least.all()],
            place: self.kernel.blocks[block.index()].instructions[*instruction].user_place().cloned(),
        })
    }

    /// The number of groups that pass fewer barriers than `most`, and true if there may be more of them.
    fn missing(&self, most: u64, grid: [u64; 3]) -> (u64, bool) {
        let executed: HashMap<[u64; 3], u64> = self.executed.iter().map(|one| (one.group, one.all())).collect();
        let all = grid.iter().fold(1_u64, |all, groups| all.saturating_mul(*groups));
        if all > MOST_COUNTED {
            return (executed.values().filter(|passed| **passed < most).count() as u64, true);
        }
        let tried = || self.executed.iter().take(MOST_TRIED);
        let (mut missing, mut is_least) = (0, false);
        for number in 0..all {
            look(Phase::Groups);
            let group = [number % grid[0], number / grid[0] % grid[1], number / grid[0] / grid[1]];
            let stands_for = || tried().find(|one| one.allowed.allow(group)).map(Arrivals::all);
            match executed.get(&group).copied().or_else(stands_for) {
                Some(passed) => missing += u64::from(passed < most),
                None => is_least = true,
            }
        }
        (missing, is_least)
    }
}

/// True for a barrier of all groups.
fn is_barrier(instruction: &Instruction) -> bool {
    matches!(&instruction.kind, Kind::Call { callee: Callee::Named(name), .. }
        if function(name).does == Function::GridBarrier)
}

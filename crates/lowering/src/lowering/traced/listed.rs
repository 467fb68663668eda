//! The accesses of a trace one by one, for models that look at each.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::executions::warps;
use super::merge::accesses;
use super::sectors::Addresses;
use crate::lowering::access::warp::{MemoryBanks, SECTOR};
use crate::lowering::exact::Exact;
use autotune_base::limits::watch::{Phase, look};
use autotune_base::text::Place;
use autotune_kernel::source::{
    AccessKind, BlockId, BlockRun, Mask, SourceAccess, SourceMemory, Step, Trace, TracedKernel,
};

/// Iterations of a loop around an access.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListedLoop {
    pub number: usize,
    /// The symbol of the iterations in the addresses; `None` if there is one iteration.
    pub(crate) counter: Option<u32>,
    pub times: u64,
    /// The place of the loop's first line.
    pub place: Place,
}

/// An access or a barrier of a trace.
#[derive(Debug, Clone)]
pub struct ListedAccess<'a> {
    /// The access or barrier.
    pub access: SourceAccess,
    /// The work items that take part.
    pub items: Arc<Mask>,
    /// The loops around the access, the outermost first.
    pub(crate) loops: Vec<ListedLoop>,
    /// The share of the executions that take the sides of branches on data around the access, from 0 to 1.
    pub(crate) share: f64,
    /// The place in the user's files; line 0 if it has none.
    pub place: Place,
    /// The name of the array or variable in the compiler's output; `None` if no pointer to it is named.
    pub array: Option<&'a str>,
}

/// A part of a trace.
#[derive(Debug, Clone)]
pub enum ListedStep {
    /// A loop, by its number.
    Loop(usize, Vec<ListedStep>),
    /// An access, by its position in the list.
    Access(usize),
}

/// An execution of a block.
#[derive(Debug, Clone)]
pub struct ListedRun<'a> {
    pub block: BlockId,
    pub items: &'a Arc<Mask>,
    /// The executions: the iterations of all loops around the block, by the share of the sides around it.
    pub times: f64,
}

/// The accesses, barriers and blocks of a trace in order.
#[derive(Debug, Default)]
pub struct Listed<'a> {
    pub(crate) steps: Vec<ListedStep>,
    /// The accesses and barriers in their order.
    pub accesses: Vec<ListedAccess<'a>>,
    /// The executions of blocks in their order.
    pub runs: Vec<ListedRun<'a>>,
}

/// The memory that an execution of an access touches: sums over the warps that take part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TouchedMemory {
    /// The number of warps.
    pub warps: u64,
    /// Sectors of 32 bytes, as the mean over the innermost loop.
    pub sectors: Exact,
    /// The fewest sectors that hold the different elements of each warp.
    pub least_sectors: u64,
    /// Passes of local memory; 0 without banks.
    pub passes: u64,
    /// The fewest passes for the different elements of each warp.
    pub least_passes: u64,
}

impl ListedAccess<'_> {
    /// The executions of the access by a work item that takes part.
    #[must_use]
    pub fn times(&self) -> f64 {
        times(&self.loops) * self.share
    }

    /// The memory that an execution touches.
    #[must_use]
    pub fn touched(&self, traced: &TracedKernel, warp_size: u64, banks: Option<MemoryBanks>) -> TouchedMemory {
        let bytes = self.access.bytes;
        let warps = warps(&self.items, warp_size);
        let Some(known) = &self.access.address else {
            let items = self.items.count_ones(..) as u64;
            return TouchedMemory {
                warps,
                sectors: Exact::from(items),
                least_sectors: (items * bytes).div_ceil(SECTOR).max(warps),
                passes: warps,
                least_passes: warps,
            };
        };
        let (items, shape) = (&self.items, &traced.shape);
        let addresses = Addresses { known, items, shape, bytes, warp_size, distances: None, data_from: u32::MAX };
        let iterations = self.loops.iter().rev().find_map(|around| Some((around.counter?, around.times)));
        let sectors = addresses.of_warps(SECTOR, iterations);
        let of_warps = addresses.warps();
        let different = |warp: &Vec<i64>| warp.iter().collect::<BTreeSet<_>>().len() as u64;
        let least_sectors = of_warps.iter().map(|warp| (different(warp) * bytes).div_ceil(SECTOR)).sum();
        let sub_groups =
            |banks: MemoryBanks| of_warps.iter().map(|warp| banks.sub_groups(different(warp), bytes, warp_size)).sum();
        let passes = banks.map_or(0, |banks| addresses.local_passes(banks));
        // Sub-groups that read the same words are served together.
        let least_passes = banks.map_or(0, sub_groups).min(passes);
        TouchedMemory { warps, sectors, least_sectors, passes, least_passes }
    }
}

impl<'a> Listed<'a> {
    /// The accesses and barriers in order; `merges` joins accesses as a compiler for real GPUs does.
    #[must_use]
    pub fn new(traced: &'a TracedKernel, merges: bool) -> Self {
        let mut walk = Walk { traced, merges, listed: Self::default(), around: Vec::new(), share: 1.0, loops: 0 };
        let steps = walk.steps(&traced.executed.trace);
        Self { steps, ..walk.listed }
    }
}

struct Walk<'a> {
    traced: &'a TracedKernel,
    merges: bool,
    listed: Listed<'a>,
    around: Vec<ListedLoop>,
    share: f64,
    loops: usize,
}

impl<'a> Walk<'a> {
    fn steps(&mut self, trace: &'a Trace) -> Vec<ListedStep> {
        let mut steps = Vec::new();
        for step in trace {
            match step {
                Step::Block(run) => self.run(run, &mut steps),
                Step::Loop(run) => {
                    let place = self.first_place(run.head);
                    for round in &run.rounds {
                        let number = self.loops;
                        self.loops += 1;
                        self.around.push(ListedLoop { number, counter: round.counter, times: round.times, place });
                        let body = self.steps(&round.steps);
                        self.around.pop();
                        steps.push(ListedStep::Loop(number, body));
                    }
                }
                Step::Sides(_, sides) => {
                    for side in sides.iter().filter(|side| side.is_taken()) {
                        let outer = self.share;
                        self.share *= side.share;
                        steps.extend(self.steps(&side.steps));
                        self.share = outer;
                    }
                }
            }
        }
        steps
    }

    fn run(&mut self, run: &'a BlockRun, steps: &mut Vec<ListedStep>) {
        let traced = self.traced;
        let times = times(&self.around) * self.share;
        self.listed.runs.push(ListedRun { block: run.block, items: &run.items, times });
        let accesses = if self.merges { accesses(traced, run, true) } else { run.accesses.clone() };
        for access in accesses {
            look(Phase::Lowering);
            steps.push(ListedStep::Access(self.listed.accesses.len()));
            let items = access.items.as_ref().unwrap_or(&run.items).clone();
            self.listed.accesses.push(ListedAccess {
                items,
                array: traced.array(run.block, &access),
                place: traced.place(run.block, access.instruction),
                access,

                loops: self.around.clone(),
                share: self.share,
            });
        }
    }

    /// The first place of a block that has one.
    fn first_place(&self, block: BlockId) -> Place {
        let instructions = self.traced.function().blocks[block.index()].instructions.len();
        let places = (0..instructions).map(|position| self.traced.place(block, position));
        places.into_iter().find(|place| place.line > 0).unwrap_or_default()
    }
}

/// The iterations of loops within each other.
fn times(loops: &[ListedLoop]) -> f64 {
    loops.iter().map(|around| Exact::from(around.times).to_f64().unwrap_or(f64::INFINITY)).product()
}

/// True for an access of memory that the theorems of locality speak of.
#[must_use]
pub fn is_of_memory(access: &SourceAccess) -> bool {
    matches!(access.kind, AccessKind::Load | AccessKind::Store | AccessKind::Atomic)
        && matches!(access.memory, SourceMemory::Global | SourceMemory::Local)
}

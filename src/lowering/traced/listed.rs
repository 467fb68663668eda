//! The accesses of a trace one by one, for models that look at each.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::executions::warps;
use super::sectors::Addresses;
use crate::limits::watch::{Phase, look};
use crate::lowering::access::warp::{Banks, SECTOR};
use crate::lowering::exact::Exact;
use crate::source::{
    AccessKind, BlockId, BlockRun, FindingKind, Fork, Kind, Mask, Operand, SourceAccess, SourceFinding, SourceMemory,
    Step, Trace, TracedKernel,
};
use crate::text::Place;

/// The longest chain of addresses that is followed to the name of an array.
const DEEPEST: usize = 16;

/// Iterations of a loop around an access.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListedLoop {
    pub(crate) number: usize,
    /// The symbol of the iterations in the addresses; `None` if there is one iteration.
    pub(crate) counter: Option<u32>,
    pub(crate) times: u64,
    /// The place of the loop's first line.
    pub(crate) place: Place,
}

/// An access or a barrier of a trace.
#[derive(Debug, Clone)]
pub(crate) struct ListedAccess<'a> {
    pub(crate) access: SourceAccess,
    /// The work items that take part.
    pub(crate) items: Arc<Mask>,
    /// The loops around the access, the outermost first.
    pub(crate) loops: Vec<ListedLoop>,
    /// The share of the executions that take the sides of branches on data around the access, from 0 to 1.
    pub(crate) share: f64,
    pub(crate) place: Place,
    /// The name of the array or variable in the compiler's output; `None` if no pointer to it is named.
    pub(crate) array: Option<&'a str>,
}

/// A part of a trace.
#[derive(Debug, Clone)]
pub(crate) enum ListedStep {
    /// A loop, by its number.
    Loop(usize, Vec<ListedStep>),
    /// An access, by its position in the list.
    Access(usize),
}

/// An execution of a block.
#[derive(Debug, Clone)]
pub(crate) struct ListedRun<'a> {
    pub(crate) block: BlockId,
    pub(crate) items: &'a Arc<Mask>,
    /// The executions: the iterations of all loops around the block, by the share of the sides around it.
    pub(crate) times: f64,
}

/// The accesses, barriers and blocks of a trace in order.
#[derive(Debug, Default)]
pub(crate) struct Listed<'a> {
    pub(crate) steps: Vec<ListedStep>,
    pub(crate) accesses: Vec<ListedAccess<'a>>,
    pub(crate) runs: Vec<ListedRun<'a>>,
}

/// The memory that an execution of an access touches: sums over the warps that take part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TouchedMemory {
    pub(crate) warps: u64,
    /// Sectors of 32 bytes, as the mean over the innermost loop.
    pub(crate) sectors: Exact,
    /// The fewest sectors that hold the different elements of each warp.
    pub(crate) least_sectors: u64,
    /// Passes of local memory; 0 without banks.
    pub(crate) passes: u64,
    /// The fewest passes for the different elements of each warp.
    pub(crate) least_passes: u64,
}

impl ListedAccess<'_> {
    /// The executions of the access by a work item that takes part.
    pub(crate) fn times(&self) -> f64 {
        times(&self.loops) * self.share
    }

    /// The memory that an execution touches.
    pub(crate) fn touched(&self, traced: &TracedKernel, warp_size: u64, banks: Option<Banks>) -> TouchedMemory {
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
            |banks: Banks| of_warps.iter().map(|warp| banks.sub_groups(different(warp), bytes, warp_size)).sum();
        let passes = banks.map_or(0, |banks| addresses.local_passes(banks));
        // Sub-groups that read the same words are served together.
        let least_passes = banks.map_or(0, sub_groups).min(passes);
        TouchedMemory { warps, sectors, least_sectors, passes, least_passes }
    }
}

impl TracedKernel {
    /// The accesses and barriers in order; `merges` joins accesses as a compiler for real GPUs does.
    pub(crate) fn listed(&self, merges: bool) -> Listed<'_> {
        let mut walk =
            Walk { traced: self, merges, listed: Listed::default(), around: Vec::new(), share: 1.0, loops: 0 };
        let steps = walk.steps(&self.executed.trace);
        Listed { steps, ..walk.listed }
    }

    /// The name of the array that an access reaches: of its region, or of the pointer that its address is computed
    /// from.
    fn array(&self, block: BlockId, access: &SourceAccess) -> Option<&str> {
        if let Some(region) = access.region {
            return Some(&self.executed.regions[region.0 as usize].name);
        }
        let instructions = || self.function().blocks.iter().flat_map(|block| &block.instructions);
        let mut pointer = match &self.function().blocks[block.index()].instructions[access.instruction].kind {
            Kind::Load { from, .. } => &from.operand,
            Kind::Store { to, .. } | Kind::Atomic(to, _) => &to.operand,
            _ => return None,
        };
        for _ in 0..DEEPEST {
            let value = match pointer {
                Operand::Global(name) => return Some(name),
                Operand::Value(value) => *value,
                _ => return None,
            };
            if let Some(parameter) = self.function().parameters.iter().find(|parameter| parameter.value == value) {
                return Some(&parameter.name);
            }
            pointer = match &instructions().find(|instruction| instruction.result == Some(value))?.kind {
                Kind::Element(_, all) => &all.first()?.operand,
                Kind::Cast(_, one, _) | Kind::Freeze(one) => &one.operand,
                _ => return None,
            };
        }
        None
    }

    /// The number of sides of each branch on data that a warp runs one after the other.
    pub(crate) fn sides(&self) -> Vec<u64> {
        let of_step = |(step, _)| match step {
            &Step::Sides(Fork::Data(_), ref sides) => {
                let taken = sides.iter().filter(|side| side.share > 0.0 && !side.steps.is_empty());
                Some(taken.count().max(1) as u64)
            }
            _ => None,
        };
        Step::all(&self.executed.trace).filter_map(of_step).collect()
    }

    /// The lines of the loops whose ends depend on data and whose iterations the spec states, in ascending order.
    pub(crate) fn stated_loops(&self) -> Vec<u32> {
        let stated = |finding: &&SourceFinding| matches!(finding.kind, FindingKind::TripsOnData { assumed: false, .. });
        let places = self.executed.findings.iter().filter(stated).filter_map(SourceFinding::user_place);
        places.map(|place| place.line).collect::<BTreeSet<_>>().into_iter().collect()
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
        let accesses = if self.merges { traced.accesses(run, true) } else { run.accesses.clone() };
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
pub(crate) fn is_of_memory(access: &SourceAccess) -> bool {
    matches!(access.kind, AccessKind::Load | AccessKind::Store | AccessKind::Atomic)
        && matches!(access.memory, SourceMemory::Global | SourceMemory::Local)
}

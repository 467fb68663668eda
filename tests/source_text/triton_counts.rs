//! Counts over what a group executes: instructions of warps, sectors of global memory, conflicts in local memory.

use std::collections::{BTreeMap, BTreeSet};

use autotune::source::{
    AccessKind, BlockRun, Executed, Instruction, IrFunction, Mask, Shape, SourceAccess, SourceMemory, Step, Trace,
};

/// Bytes of a sector.
const SECTOR: i64 = 32;

/// Counts of the work of a group.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// M * N * K of all products of all warps.
    pub(crate) products: u64,
    /// Instructions of warps on the matrix units.
    pub(crate) matrix: u64,
    /// Copies of warps from global to local memory.
    pub(crate) copies: u64,
    /// The sectors of each array in global memory that are read, and those that are written.
    pub(crate) read: BTreeMap<String, u64>,
    pub(crate) written: BTreeMap<String, u64>,
    /// Loads of rows of 16 bytes from local memory by warps, and the passes that they take.
    pub(crate) local_rows: u64,
    pub(crate) local_row_passes: u64,
    pub(crate) barriers: u64,
    /// The lines of the user's file that multiply, and those that read global memory.
    pub(crate) lines: [BTreeSet<u32>; 2],
}

pub(crate) struct Counting<'a> {
    pub(crate) function: &'a IrFunction,
    pub(crate) executed: &'a Executed,
    pub(crate) shape: &'a Shape,
    pub(crate) warp: usize,
}

impl Counting<'_> {
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.trace(&self.executed.trace, 1, &mut counts);
        counts
    }

    fn trace(&self, trace: &Trace, times: u64, counts: &mut Counts) {
        for step in trace {
            match step {
                Step::Block(run) => run.accesses.iter().for_each(|access| self.access(run, access, times, counts)),
                Step::Loop(run) => {
                    run.rounds.iter().for_each(|round| self.trace(&round.steps, times * round.times, counts));
                }
                Step::Sides(..) => panic!("a branch on data"),
            }
        }
    }

    fn access(&self, run: &BlockRun, access: &SourceAccess, times: u64, counts: &mut Counts) {
        let items = access.items.as_ref().unwrap_or(&run.items);
        let warps: Vec<Vec<usize>> = self.warps(items);
        let executions = times * warps.len() as u64;
        if let Some((shape, _)) = access.kind.product() {
            counts.matrix += executions;
            counts.products += executions * shape.products();
            counts.lines[0].insert(self.line(run, access));
        }
        if access.kind == AccessKind::Barrier {
            counts.barriers += times;
        }
        let is_read = matches!(access.kind, AccessKind::Load | AccessKind::Copy);
        match (access.memory, access.kind) {
            (SourceMemory::Global, AccessKind::Load | AccessKind::Copy | AccessKind::Store) => {
                counts.copies += if access.kind == AccessKind::Copy { executions } else { 0 };
                let sectors: u64 = warps.iter().map(|lanes| self.sectors(access, lanes)).sum();
                let array = self.executed.regions[access.region.expect("an array").0 as usize].name.to_string();
                let sums = if is_read { &mut counts.read } else { &mut counts.written };
                *sums.entry(array).or_default() += times * sectors;
                if is_read {
                    counts.lines[1].insert(self.line(run, access));
                }
            }
            (SourceMemory::Local, AccessKind::Load) if access.bytes == 16 => {
                counts.local_rows += executions;
                counts.local_row_passes += times * warps.iter().map(|lanes| self.passes(access, lanes)).sum::<u64>();
            }
            _ => {}
        }
    }

    /// The work items of each warp that takes part.
    fn warps(&self, items: &Mask) -> Vec<Vec<usize>> {
        let mut warps: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        items.ones().for_each(|lane| warps.entry(lane / self.warp).or_default().push(lane));
        warps.into_values().collect()
    }

    fn addresses(&self, access: &SourceAccess, lanes: &[usize]) -> Vec<i64> {
        let address = access.address.as_ref().expect("an address that does not depend on data");
        lanes.iter().map(|lane| address.base.at(*lane, self.shape)).collect()
    }

    fn sectors(&self, access: &SourceAccess, lanes: &[usize]) -> u64 {
        let bytes = access.bytes.cast_signed();
        let first_and_last = |at: i64| at / SECTOR..=(at + bytes - 1) / SECTOR;
        let sectors: BTreeSet<i64> = self.addresses(access, lanes).into_iter().flat_map(first_and_last).collect();
        sectors.len() as u64
    }

    /// The passes of rows of 16 bytes: 8 work items at a time, one after the other where two rows share banks.
    fn passes(&self, access: &SourceAccess, lanes: &[usize]) -> u64 {
        let passes = |rows: &[i64]| {
            let mut banks = [0_u64; 8];
            let rows: BTreeSet<i64> = rows.iter().copied().collect();
            for row in rows {
                banks[usize::try_from(row / 16 % 8).unwrap()] += 1;
            }
            banks.into_iter().max().unwrap_or(0)
        };
        self.addresses(access, lanes).chunks(8).map(passes).sum()
    }

    fn line(&self, run: &BlockRun, access: &SourceAccess) -> u32 {
        let instruction: &Instruction = &self.function.blocks[run.block.index()].instructions[access.instruction];
        let place = instruction.user_place().expect("a place in the user's file");
        assert!(place.file.starts_with("kernels/"), "{}", place.file);
        place.line
    }
}

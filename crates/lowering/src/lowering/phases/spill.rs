//! Spilling: the words of registers beyond a work item's limit are stored to memory and loaded again.

use super::block::{Block, straight_runs};
use super::run::{Run, RunKind};
use super::work::Work;
use crate::lowering::access::warp::WORD;
use crate::lowering::exact::Exact;

/// The registers that spill.
pub(in crate::lowering) struct Spill {
    /// Words of a work item beyond its limit.
    pub(in crate::lowering) words: u64,
    /// Stores and loads of each word.
    pub(in crate::lowering) uses: u64,
    /// Lanes of a warp.
    pub(in crate::lowering) warp_size: u64,
    /// Warps of a group.
    pub(in crate::lowering) warps: u64,
    /// Bytes of a line of L1.
    pub(in crate::lowering) line: u64,
}

impl Spill {
    /// Distributes the stores and loads over the phases in proportion to their instructions. No warp waits for them. Where
    /// statements keep their order, they are the last ones.
    pub(in crate::lowering) fn add_to(&self, blocks: &mut [Block]) {
        let mut instructions = Exact::ZERO;
        straight_runs(blocks, 1, &mut |run, times| instructions += run.instructions() * Exact::from(times));
        if self.words == 0 || !instructions.is_positive() {
            return;
        }
        let both_ways = Exact::from(2) * Exact::from(self.words) * Exact::from(self.uses) * Exact::from(self.warps);
        let each = both_ways / instructions;
        straight_runs(blocks, 1, &mut |run, _| {
            let accesses = each * run.instructions();
            match run {
                Block::Phase(work) => self.add(work, accesses),
                Block::Ordered(runs) => {
                    let mut work = Work::default();
                    self.add(&mut work, accesses);
                    runs.push(Run::new(RunKind::Store, work));
                }
                Block::Barrier(..) | Block::Loop { .. } => {}
            }
        });
    }

    /// Adds accesses of a word per lane, through L1 and L2; half of them reach DRAM.
    fn add(&self, work: &mut Work, accesses: Exact) {
        let bytes = WORD * self.warp_size;
        let of_a_warp = accesses / Exact::from(self.warps);
        for (issued, more) in [(&mut work.issued, accesses), (&mut work.first_warp, of_a_warp)] {
            issued.instructions += more;
            issued.accesses += more;
        }
        work.l1_bytes += accesses * Exact::from(bytes.next_multiple_of(self.line));
        let (l2_bytes, dram_bytes) = (accesses * Exact::from(bytes), accesses * Exact::ratio(bytes, 2));
        work.l2_bytes += l2_bytes;
        work.dram_bytes += dram_bytes;
        work.stored.beyond_l1 += l2_bytes;
        work.stored.beyond_l2 += dram_bytes;
    }
}

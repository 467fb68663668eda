//! The work of an access, from the memory that it touches: the one place where accesses get their costs. Subscripts of
//! a body and addresses of a trace both say what an access touches.

use std::ops::AddAssign;

use super::channels::Channels;
use super::warp::SECTOR;
use crate::gpu::Pipelined;
use crate::lowering::exact::Exact;
use crate::lowering::phases::traffic::{Issued, Traffic};
use crate::lowering::phases::work::Work;
use autotune_base::text::Place;

/// Slots of L2 that a line takes at least.
const LEAST_SLOTS: u64 = 2;

/// The memory that an access of a group touches: sums over the group's warps and the repetitions of the access.
pub(in crate::lowering) trait Touched {
    /// Instructions of one warp.
    fn instructions(&self) -> Exact;

    /// Warps that take part.
    fn warps(&self) -> Exact;

    /// Warps that issue the instructions: all that take part, unless they have done so for another memory.
    fn issuing_warps(&self) -> Exact {
        self.warps()
    }

    /// True if other accesses have the code of these instructions.
    fn goes_on(&self) -> bool {
        false
    }

    /// Bytes that the work items ask for.
    fn asked(&self) -> Exact;

    /// Passes of local memory.
    fn local_passes(&self) -> Exact;

    /// Passes of L1.
    fn l1_passes(&self) -> Exact;

    /// Sectors that the warps ask for.
    fn sectors_of_warps(&self) -> Exact;

    /// Words that the warps ask for.
    fn words_of_warps(&self) -> Exact;

    /// Sectors that a warp's access covers in part, summed over the warps.
    fn sectors_in_part(&self) -> Exact;

    /// Sectors that a warp's access touches alone in their line of L2, summed over the warps.
    fn lone_sectors(&self) -> Exact;

    /// Sectors that the warps would ask for if neighbours in lane order accessed neighbouring bytes.
    fn sectors_side_by_side(&self) -> Exact;

    /// Bytes that L2 supplies of the `moved` ones; `keeps` is true if L1 keeps what a group loads.
    fn l2_bytes(&self, moved: Exact, keeps: bool) -> Exact;

    /// Bytes of the `moved` ones that no earlier iteration of the group's loops has loaded.
    fn fresh_bytes(&self, moved: Exact) -> Exact;

    /// Bytes that DRAM supplies or takes of those of L2.
    fn dram_bytes(&self, l2_bytes: Exact) -> Exact;

    /// Channels of L2 for each one that the accesses of the groups that run together reach; 1 if they are not known.
    fn crowding(&self, _: Channels) -> Exact {
        Exact::ONE
    }

    /// Bytes that the atomic operations of all groups that run together change; `None` if they are not known here.
    fn changed(&self) -> Option<Exact>;
}

/// The kind of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lowering) enum Touching {
    /// Of local memory, or an exchange between lanes.
    Local,
    Load,
    /// From global to local memory, past the registers and past L1.
    Copy,
    Store,
    /// An operation in L2 that changes memory.
    Atomic,
}

/// The work of an access, without the waits of its warps.
pub(in crate::lowering) fn work(gpu: &Pipelined, touching: Touching, place: Place, touched: &dyn Touched) -> Work {
    let mut work = issue(place, touched);
    match touching {
        Touching::Local => {
            work.local_accesses = work.issued.accesses;
            work.local_passes = touched.local_passes();
        }
        Touching::Load => {
            work.l1_bytes = touched.l1_passes() * Exact::from(gpu.l1_pass_bytes);
            work.loaded = moved(&mut work, touched, gpu.l1_keeps_global_loads);
            if !gpu.l1_keeps_global_loads {
                work.fresh_bytes = touched.fresh_bytes(work.loaded.moved).min(work.l2_bytes);
            }
        }
        Touching::Copy => {
            // The data pass the array of L1 and local memory once: by lines on one side, by banks on the other.
            work.local_passes = touched.local_passes().max(touched.l1_passes());
            work.loaded = moved(&mut work, touched, false);
            work.copied_bytes = work.l2_bytes;
        }
        Touching::Store | Touching::Atomic => {
            work.stored = stored(&mut work, touched);
            if touching == Touching::Atomic {
                // One for each word.
                work.slotted_bytes = work.l2_bytes;
                work.slot_bytes = touched.words_of_warps() * Exact::from(SECTOR);
            } else {
                work.take_slots(touched.sectors_in_part() * Exact::from(SECTOR), gpu.part_written_slots().into());
            }
            let changed = touched.changed().filter(|_| touching == Touching::Atomic);
            work.contended = changed.map_or(Exact::ZERO, |bytes| work.stored.asked / bytes);
        }
    }
    if let Some(channels) = Channels::of(gpu).filter(|_| touching != Touching::Local) {
        work.crowding_bytes = work.l2_bytes * touched.crowding(channels).saturating_sub(Exact::ONE);
    }
    work
}

/// The issue of an access: its instructions and its code.
pub(in crate::lowering) fn issue(place: Place, touched: &dyn Touched) -> Work {
    let each = touched.instructions();
    let code = if touched.goes_on() { Exact::ZERO } else { each };
    let issued =
        Issued { instructions: each * touched.issuing_warps(), accesses: each * touched.warps(), ..Issued::default() };
    let first_warp = Issued { instructions: code, accesses: code, ..Issued::default() };
    Work { issued, first_warp, code, ..Work::at(place) }
}

/// The traffic of a load.
fn moved(work: &mut Work, touched: &dyn Touched, keeps: bool) -> Traffic<Exact> {
    let moved = touched.sectors_of_warps() * Exact::from(SECTOR);
    work.l2_bytes = touched.l2_bytes(moved, keeps);
    work.fresh_bytes = work.l2_bytes;
    // A line takes the slots of two sectors at least. L1 has as large a part of the lone sectors as of all.
    let lone = touched.lone_sectors() * Exact::from(SECTOR);
    if lone.is_positive() {
        work.take_slots(lone * (work.l2_bytes / moved).min(Exact::ONE), LEAST_SLOTS.into());
    }
    traffic(work, touched, moved)
}

/// The traffic of a store, which goes past L1.
fn stored(work: &mut Work, touched: &dyn Touched) -> Traffic<Exact> {
    let moved = touched.sectors_of_warps() * Exact::from(SECTOR);
    work.l2_bytes = moved;
    traffic(work, touched, moved)
}

/// The traffic of an access whose bytes of L2 are known. It is not coalesced if its warps ask for more sectors than
/// neighbours would.
fn traffic(work: &mut Work, touched: &dyn Touched, moved: Exact) -> Traffic<Exact> {
    work.dram_bytes = touched.dram_bytes(work.l2_bytes);
    let scattered = touched.sectors_of_warps().saturating_sub(touched.sectors_side_by_side()).is_positive();
    Traffic::new(touched.asked(), [moved, work.l2_bytes, work.dram_bytes], scattered)
}

/// Cycles of a load, by the memory that has the data.
#[derive(Debug)]
pub(in crate::lowering) struct Latencies {
    l1: Exact,
    l2: Exact,
    dram: Exact,
}

impl Latencies {
    /// The latencies of a GPU.
    pub(in crate::lowering) fn new(gpu: &Pipelined) -> Self {
        Self {
            l1: gpu.latency_l1_hit_cycles.into(),
            l2: gpu.latency_l2_hit_cycles.into(),
            dram: gpu.latency_dram_cycles.into(),
        }
    }

    /// Cycles of one round trip: the mean of the latencies of L1, of L2 and of DRAM, weighted by the bytes that each supplies. Groups
    /// that run together ask for a sector at the same time: all wait for DRAM if it supplies any. What a group has loaded in
    /// an earlier iteration lies in L2.
    pub(in crate::lowering) fn mean(&self, bytes: &Supplied) -> Exact {
        let Supplied { asked, l2, fresh, dram } = *bytes;
        let beyond_l1 = (l2 / asked).min(Exact::ONE);
        let of_dram = if dram.is_positive() { (fresh / asked).min(beyond_l1) } else { Exact::ZERO };
        let of_l2 = beyond_l1.saturating_sub(of_dram);
        of_dram * self.dram + of_l2 * self.l2 + Exact::ONE.saturating_sub(beyond_l1) * self.l1
    }
}

/// The bytes that a group loads.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::lowering) struct Supplied {
    /// Bytes of the sectors that the warps ask for.
    pub(in crate::lowering) asked: Exact,
    /// Bytes of these that L2 supplies.
    pub(in crate::lowering) l2: Exact,
    /// Bytes of L2 that the group loads for the first time.
    pub(in crate::lowering) fresh: Exact,
    /// Bytes of L2 that DRAM supplies.
    pub(in crate::lowering) dram: Exact,
}

impl Supplied {
    /// The bytes of a work's loads.
    pub(in crate::lowering) fn of(work: &Work) -> Self {
        Self { asked: work.loaded.moved, l2: work.l2_bytes, fresh: work.fresh_bytes, dram: work.dram_bytes }
    }
}

impl AddAssign for Supplied {
    fn add_assign(&mut self, other: Self) {
        self.asked += other.asked;
        self.l2 += other.l2;
        self.fresh += other.fresh;
        self.dram += other.dram;
    }
}

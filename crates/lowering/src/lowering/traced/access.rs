//! The work of one access of a trace.

use std::borrow::Cow;

use super::executions::{Repeated, warps};
use super::memo::Counted;
use super::sectors::Addresses;
use super::waits::Waited;
use super::walk::TraceWalk;
use crate::lowering::access::touched::{Supplied, Touched, Touching, issue, work};
use crate::lowering::access::warp::{SECTOR, WORD, instructions, pass_bytes};
use crate::lowering::exact::Exact;
use crate::lowering::phases::traffic::Issued;
use crate::lowering::phases::work::{Work, product_cycles};
use autotune_base::text::Place;
use autotune_kernel::source::{
    AccessKind, AssumedAddress, BlockId, Known, Lanes, Mask, MatrixType, SourceAccess, SourceMemory,
};

/// An access by some work items of the group.
pub(super) struct Accessing<'a> {
    pub(super) walk: &'a TraceWalk<'a>,
    pub(super) access: &'a SourceAccess,
    pub(super) block: BlockId,
    pub(super) items: &'a Mask,
    pub(super) warps: u64,
    /// The loops of many iterations around the access.
    pub(super) loops: &'a [Repeated],
    pub(super) place: Place,
}

impl Accessing<'_> {
    /// The work of an iteration, as the mean over the iterations of the innermost loop, and the load that a warp waits
    /// for. No work for what an operand of another instruction reaches.
    pub(super) fn work(&self) -> (Option<Work>, Option<Waited>) {
        if let Some((shape, of)) = self.access.kind.product() {
            return (Some(self.product(shape.products(), of)), None);
        }
        match (self.access.kind, self.access.memory) {
            (AccessKind::Copy, _) => (Some(self.touching(Touching::Copy)), None),
            (AccessKind::LoadTile, _) => (Some(self.tile(Touching::Copy)), None),
            (AccessKind::StoreTile, _) => (Some(self.tile(Touching::Store)), None),
            (AccessKind::Shuffle, _) | (_, SourceMemory::Local) => (Some(self.touching(Touching::Local)), None),
            (_, SourceMemory::Constant) => (None, None),
            (_, SourceMemory::Private) => (Some(self.private()), None),
            (AccessKind::Store, SourceMemory::Global) => (Some(self.touching(Touching::Store)), None),
            (AccessKind::Atomic, SourceMemory::Global) => self.waited(Touching::Atomic),
            (_, SourceMemory::Global) => self.waited(Touching::Load),
        }
    }

    fn touching(&self, touching: Touching) -> Work {
        work(self.walk.gpu, touching, self.place, self)
    }

    /// The work of an access whose result a warp waits for, unless nothing uses it.
    fn waited(&self, touching: Touching) -> (Option<Work>, Option<Waited>) {
        let work = self.touching(touching);
        let waits = touching != Touching::Atomic || self.walk.traced.uses_result(self.block, self.access.instruction);
        let moved = work.loaded.moved + work.stored.moved;
        let waited = waits.then(|| Waited {
            place: self.place,
            level: self.access.level.max(1),
            words: self.access.bytes.div_ceil(WORD),
            // The bytes of DRAM are those of L2 until the access's scope is known.
            bytes: Supplied { asked: moved, l2: work.l2_bytes, fresh: work.fresh_bytes, dram: work.l2_bytes },
        });
        (Some(work), waited)
    }

    /// An instruction on the matrix units. A GPU without them is refused before.
    fn product(&self, products: u64, of: MatrixType) -> Work {
        let gpu = self.walk.gpu;
        let rate = gpu.matrix_macs(of, self.access.kind.is_asynchronous());
        let cycles = rate.map_or(Exact::ZERO, |rate| product_cycles(gpu, products, rate));
        let work = Work::on_matrix_units(self.place, Exact::ONE, self.warps(), cycles);
        work.reading_factors(gpu, Exact::from(self.access.kind.factor_bytes()))
    }

    /// A tile that a work item copies for its group: an instruction for all, and passes of local memory without conflicts.
    fn tile(&self, touching: Touching) -> Work {
        let work = self.touching(touching);
        let one = Exact::from(self.access.split);
        let issued = Issued { instructions: one, accesses: one, ..Issued::default() };
        let local_passes = self.asked() / Exact::from(pass_bytes(self.walk.gpu));
        Work { issued, first_warp: issued, code: one, local_passes, ..work }
    }

    /// Private arrays lie in L1, a word of each work item beside the next one's. L1 passes stores on to L2.
    fn private(&self) -> Work {
        let mut work = issue(self.place, self);
        let line = self.walk.gpu.l1_pass_bytes;
        let bytes = (self.walk.gpu.warp_size * self.access.bytes.max(WORD)).next_multiple_of(line);
        work.l1_bytes = Exact::from(self.warps) * Exact::from(bytes);
        if self.access.kind == AccessKind::Store {
            work.l2_bytes = Exact::from(self.warps * self.walk.gpu.warp_size * self.access.bytes.max(WORD));
        }
        work
    }

    /// The part of the access's sectors that is different among the groups that run together.
    pub(super) fn shared(&self) -> Exact {
        match (&self.access.address, self.assumed()) {
            // Each group has its own number.
            (Some(known), _) if known.data().any(|(data, _)| !data.of_launch) => Exact::ONE,
            (Some(known), _) => self
                .counted(Counted::Shared, known, |addresses, _| addresses.shared(self.walk.concurrent, self.walk.grid)),
            (None, Some(AssumedAddress::Same)) => Exact::ratio(1, self.walk.concurrent.max(1)),
            (None, _) => Exact::ONE,
        }
    }

    /// The addresses: those of the trace, or what the user assumes of an address that depends on data; `None` if each
    /// work item accesses a sector of its own.
    fn address(&self) -> Option<Cow<'_, Known>> {
        let assumed = self.assumed();
        if let Some(known) = self.access.address.as_ref().filter(|known| !known.is_on_data() || assumed.is_none()) {
            return Some(Cow::Borrowed(known));
        }
        let bytes = self.access.bytes.max(1).cast_signed();
        match assumed? {
            AssumedAddress::Random => None,
            AssumedAddress::Same => Some(Cow::Owned(Known::constant(0))),
            AssumedAddress::Coalesced => {
                let lanes = i64::try_from(self.walk.traced.shape.lanes()).unwrap_or(i64::MAX);
                let each = (0..lanes).map(|lane| lane * bytes).collect();
                Some(Cow::Owned(Known::fixed(Lanes::Each(each))))
            }
        }
    }

    fn assumed(&self) -> Option<AssumedAddress> {
        self.walk.traced.addresses.get(&self.place.line).copied()
    }

    /// A count of the addresses; `unknown` if they depend on data.
    fn count_or(
        &self,
        counted: Counted,
        unknown: Exact,
        compute: impl FnOnce(&Addresses<'_>, Option<(u32, u64)>) -> Exact,
    ) -> Exact {
        self.address().map_or(unknown, |known| self.counted(counted, &known, compute))
    }

    /// The work items that take part.
    fn number(&self) -> Exact {
        Exact::from(self.items.count_ones(..) as u64)
    }

    /// A count of known addresses, given the counter and the iterations of the innermost loop.
    fn counted(
        &self,
        counted: Counted,
        known: &Known,
        compute: impl FnOnce(&Addresses<'_>, Option<(u32, u64)>) -> Exact,
    ) -> Exact {
        let innermost = self.loops.last().copied();
        let iterations = innermost.map(|innermost| (innermost.counter, innermost.times));
        let of = (known, self.access.bytes);
        self.walk.memo.get_or(counted, of, self.items, innermost, || compute(&self.addresses(known), iterations))
    }

    fn addresses<'k>(&'k self, known: &'k Known) -> Addresses<'k> {
        Addresses {
            known,
            items: self.items,
            shape: &self.walk.traced.shape,
            bytes: self.access.bytes,
            warp_size: self.walk.gpu.warp_size,
            distances: self.walk.traced.distances(self.block, self.access).map(|distances| &**distances),
            data_from: self.loops.last().map_or(u32::MAX, |around| around.data_from),
        }
    }
}

/// An address that depends on data is a sector of its own for each work item.
impl Touched for Accessing<'_> {
    fn instructions(&self) -> Exact {
        Exact::from(instructions(self.access.bytes) * self.access.split)
    }

    fn warps(&self) -> Exact {
        Exact::from(self.warps)
    }

    fn issuing_warps(&self) -> Exact {
        let part = self.access.part.as_ref();
        Exact::from(part.map_or(self.warps, |part| warps(&part.issuing, self.walk.gpu.warp_size)))
    }

    fn goes_on(&self) -> bool {
        self.access.goes_on()
    }

    fn asked(&self) -> Exact {
        self.number() * Exact::from(self.access.bytes)
    }

    fn local_passes(&self) -> Exact {
        if self.access.kind == AccessKind::Shuffle {
            return self.warps();
        }
        if let Some(to) = &self.access.to {
            let known = to.address.as_ref();
            let passes = known.map(|known| Exact::from(self.addresses(known).local_passes(self.walk.banks)));
            return passes.unwrap_or_else(|| self.warps());
        }
        let passes = |addresses: &Addresses<'_>, _| Exact::from(addresses.local_passes(self.walk.banks));
        self.count_or(Counted::LocalPasses, self.warps(), passes)
    }

    fn l1_passes(&self) -> Exact {
        let line = self.walk.gpu.l1_pass_bytes;
        let passes = |addresses: &Addresses<'_>, iterations| addresses.l1_passes(line, iterations);
        // Each part of a split access touches all lines.
        self.count_or(Counted::L1Passes, self.number(), passes) * Exact::from(self.access.split)
    }

    fn sectors_of_warps(&self) -> Exact {
        let sectors = |addresses: &Addresses<'_>, iterations| addresses.of_warps(SECTOR, iterations);
        // A tile somewhere is as many bytes as it is.
        let unknown = if self.access.kind.is_of_tile() { self.asked() / Exact::from(SECTOR) } else { self.number() };
        self.count_or(Counted::SectorsOfWarps, unknown, sectors)
    }

    fn words_of_warps(&self) -> Exact {
        let words = |addresses: &Addresses<'_>, iterations| addresses.of_warps(WORD, iterations);
        self.count_or(Counted::WordsOfWarps, self.number() * Exact::from(self.access.bytes.div_ceil(WORD)), words)
    }

    fn sectors_in_part(&self) -> Exact {
        let sectors = |addresses: &Addresses<'_>, iterations| addresses.in_part(SECTOR, iterations);
        // A tile somewhere is whole; a work item somewhere has a sector of its own.
        let is_whole = self.access.kind.is_of_tile() || self.access.bytes.is_multiple_of(SECTOR);
        let unknown = if is_whole { Exact::ZERO } else { self.number() };
        self.count_or(Counted::SectorsInPart, unknown, sectors)
    }

    fn lone_sectors(&self) -> Exact {
        let lone = |addresses: &Addresses<'_>, iterations| addresses.lone(iterations);
        let is_whole = self.access.kind.is_of_tile() || self.access.bytes > SECTOR;
        let unknown = if is_whole { Exact::ZERO } else { self.number() };
        self.count_or(Counted::LoneSectors, unknown, lone)
    }

    fn sectors_side_by_side(&self) -> Exact {
        let sectors = |addresses: &Addresses<'_>, iterations| addresses.side_by_side(SECTOR, iterations);
        let warp = self.walk.gpu.warp_size * self.access.bytes;
        self.count_or(Counted::SideBySide, self.warps() * Exact::from(warp.div_ceil(SECTOR)), sectors)
    }

    fn l2_bytes(&self, moved: Exact, keeps: bool) -> Exact {
        if !keeps {
            return moved;
        }
        let sectors = |addresses: &Addresses<'_>, iterations| addresses.of_group(iterations) * Exact::from(SECTOR);
        self.count_or(Counted::SectorsOfGroup, moved, sectors).min(moved)
    }

    fn fresh_bytes(&self, moved: Exact) -> Exact {
        let part = |addresses: &Addresses<'_>, iterations| addresses.fresh(iterations);
        moved * self.count_or(Counted::Fresh, Exact::ONE, part)
    }

    /// The bytes of L2 until the access's scope is known.
    fn dram_bytes(&self, l2_bytes: Exact) -> Exact {
        l2_bytes
    }

    /// Not known before the access's scope is.
    fn changed(&self) -> Option<Exact> {
        None
    }
}

//! The work of one access of a trace.

use std::borrow::Cow;

use super::super::exact::Exact;
use super::super::lanes::{SECTOR, WIDEST, WORD};
use super::super::work::Work;
use super::executions::Repeated;
use super::memo::Counted;
use super::sectors::Addresses;
use super::waits::Waited;
use super::walk::TraceWalk;
use crate::lowering::amount::{Issued, Traffic};
use crate::source::{AccessKind, AssumedAddress, BlockId, Known, Lanes, Mask, SourceAccess, SourceMemory};
use crate::text::Place;

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
    /// The work of an iteration, as the mean over the iterations of the innermost loop, and the load for which a warp
    /// waits. No work for what an operand of another instruction reaches.
    pub(super) fn work(&self) -> (Option<Work>, Option<Waited>) {
        match (self.access.kind, self.access.memory) {
            (AccessKind::Shuffle, _) => (Some(self.local(Exact::from(self.warps))), None),
            (_, SourceMemory::Constant) => (None, None),
            (_, SourceMemory::Local) => (Some(self.local(self.local_passes())), None),
            (_, SourceMemory::Private) => (Some(self.private()), None),
            (AccessKind::Store, SourceMemory::Global) => (Some(self.store()), None),
            (_, SourceMemory::Global) => {
                let (work, waited) = self.load();
                (Some(work), waited)
            }
        }
    }

    /// The issue of the access.
    fn issue(&self) -> Work {
        let instructions = Exact::from(self.access.bytes.div_ceil(WIDEST).max(1));
        let issued = |number| Issued { instructions: number, accesses: number, ..Issued::default() };
        let issued_all = issued(instructions * Exact::from(self.warps));
        Work { code: instructions, issued: issued_all, first_warp: issued(instructions), ..Work::at(self.place) }
    }

    fn local(&self, passes: Exact) -> Work {
        let mut work = self.issue();
        work.local_accesses = work.issued.accesses;
        work.local_passes = passes;
        work
    }

    fn local_passes(&self) -> Exact {
        match self.address() {
            Some(known) => self.counted(Counted::LocalPasses, &known, |addresses, _| {
                Exact::from(addresses.local_passes(self.walk.banks))
            }),
            None => Exact::from(self.warps),
        }
    }

    /// Private arrays lie in L1, a word of each work item beside that of the next. L1 passes stores on to L2.
    fn private(&self) -> Work {
        let mut work = self.issue();
        let line = self.walk.gpu.l1_pass_bytes;
        let bytes = (self.walk.gpu.warp_size * self.access.bytes.max(WORD)).next_multiple_of(line);
        work.l1_bytes = Exact::from(self.warps) * Exact::from(bytes);
        if self.access.kind == AccessKind::Store {
            work.l2_bytes = Exact::from(self.warps * self.walk.gpu.warp_size * self.access.bytes.max(WORD));
        }
        work
    }

    /// A store. The bytes of DRAM are those of L2 until its scope is known.
    fn store(&self) -> Work {
        let mut work = self.issue();
        work.l2_bytes = self.sectors_of_warps() * Exact::from(SECTOR);
        work.stored = self.traffic([work.l2_bytes, work.l2_bytes, work.l2_bytes]);
        work
    }

    /// A load, or an atomic operation, which is done in L2. The bytes of DRAM are those of L2 until its scope is known.
    fn load(&self) -> (Work, Option<Waited>) {
        let gpu = self.walk.gpu;
        let mut work = self.issue();
        let asked = self.sectors_of_warps() * Exact::from(SECTOR);
        let is_atomic = self.access.kind == AccessKind::Atomic;
        if !is_atomic {
            work.l1_bytes = self.l1_passes() * Exact::from(gpu.l1_pass_bytes);
        }
        work.l2_bytes = match self.address() {
            Some(known) if gpu.l1_keeps_global_loads && !is_atomic => {
                let different = |addresses: &Addresses<'_>, iterations| {
                    let sectors = addresses.of_group(iterations);
                    sectors * Exact::from(SECTOR)
                };
                self.counted(Counted::SectorsOfGroup, &known, different).min(asked)
            }
            _ => asked,
        };
        let traffic = self.traffic([asked, work.l2_bytes, work.l2_bytes]);
        if is_atomic {
            work.stored = traffic;
        } else {
            work.loaded = traffic;
        }
        let waits = !is_atomic || self.walk.traced.uses_result(self.block, self.access.instruction);
        let waited = waits.then(|| Waited {
            place: self.place,
            level: self.access.level.max(1),
            words: self.access.bytes.div_ceil(WORD),
            bytes: [asked, work.l2_bytes, work.l2_bytes],
        });
        (work, waited)
    }

    /// Sectors that the warps ask for. An address that depends on data is a sector of its own for each work item.
    fn sectors_of_warps(&self) -> Exact {
        match self.address() {
            Some(known) => self.counted(Counted::SectorsOfWarps, &known, |addresses, iterations| {
                addresses.of_warps(SECTOR, iterations)
            }),
            None => Exact::from(self.items.count_ones(..) as u64),
        }
    }

    /// The part of the access's sectors that is different among the groups that run together.
    pub(super) fn shared(&self) -> Exact {
        match (&self.access.address, self.assumed()) {
            (Some(known), _) => self
                .counted(Counted::Shared, known, |addresses, _| addresses.shared(self.walk.concurrent, self.walk.grid)),
            (None, Some(AssumedAddress::Same)) => Exact::ratio(1, self.walk.concurrent.max(1)),
            (None, _) => Exact::ONE,
        }
    }

    /// The addresses: those of the trace, or what the user assumes of an address that depends on data; `None` if each
    /// work item accesses a sector of its own.
    fn address(&self) -> Option<Cow<'_, Known>> {
        if let Some(known) = &self.access.address {
            return Some(Cow::Borrowed(known));
        }
        let bytes = self.access.bytes.max(1).cast_signed();
        match self.assumed()? {
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

    fn l1_passes(&self) -> Exact {
        match self.address() {
            Some(known) => self.counted(Counted::L1Passes, &known, |addresses, iterations| {
                addresses.l1_passes(self.walk.gpu.l1_pass_bytes, iterations)
            }),
            None => Exact::from(self.items.count_ones(..) as u64),
        }
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
        }
    }

    /// The traffic of the access, as [`Traffic::of`] takes its bytes.
    fn traffic(&self, bytes: [Exact; 3]) -> Traffic<Exact> {
        let items = self.items.count_ones(..) as u64;
        let asked = Exact::from(items) * Exact::from(self.access.bytes);
        let warp = self.walk.gpu.warp_size.min(items).max(1);
        // Neighbours would touch as many sectors as they have bytes, and one more where they begin within a sector.
        let side_by_side = (warp * self.access.bytes).div_ceil(SECTOR) + 1;
        let least = Exact::from(side_by_side) * Exact::from(self.warps) * Exact::from(SECTOR);
        let [moved, ..] = bytes;
        let scattered = moved.saturating_sub(least).is_positive();
        Traffic::of(asked, bytes, scattered)
    }
}

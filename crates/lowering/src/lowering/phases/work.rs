//! The work of a group between two barriers, before it is divided into turns.

use std::ops::AddAssign;

use super::traffic::{Issued, Traffic};
use crate::gpu::{Pipelined, Rate};
use crate::lowering::access::warp::pass_bytes;
use crate::lowering::exact::Exact;
use crate::spec::OperationKind;
use autotune_base::text::Place;

/// Cycles of a scheduler's matrix unit for a number of products, where those of a multiprocessor have this rate.
pub(in crate::lowering) fn product_cycles(gpu: &Pipelined, products: u64, rate: Rate) -> Exact {
    Exact::from(products) * Exact::from(gpu.schedulers_per_sm) / Exact::from(rate)
}

/// The work of one phase: sums over the warps of a group, unless stated otherwise.
#[derive(Debug, Clone, Default)]
pub(in crate::lowering) struct Work {
    pub(in crate::lowering) issued: Issued<Exact>,
    /// Instructions of the first warp, which executes every statement.
    pub(in crate::lowering) first_warp: Issued<Exact>,
    /// Passes of local memory.
    pub(in crate::lowering) local_passes: Exact,
    /// Local accesses, which determine the waits for local memory.
    pub(in crate::lowering) local_accesses: Exact,
    /// Bytes of the passes of L1.
    pub(in crate::lowering) l1_bytes: Exact,
    /// Bytes that L2 supplies or takes.
    pub(in crate::lowering) l2_bytes: Exact,
    /// The bytes of L2 that the group loads for the first time: DRAM may have to supply them.
    pub(in crate::lowering) fresh_bytes: Exact,
    /// The bytes of L2 in sectors that take more than a slot each.
    pub(in crate::lowering) slotted_bytes: Exact,
    /// Bytes that L2 could move in the slots of these sectors.
    pub(in crate::lowering) slot_bytes: Exact,
    /// The bytes of L2 that asynchronous copies move.
    pub(in crate::lowering) copied_bytes: Exact,
    /// Bytes that the channels of L2 could move while the channels that have the bytes of L2 move these.
    pub(in crate::lowering) crowding_bytes: Exact,
    /// Bytes that DRAM supplies or takes.
    pub(in crate::lowering) dram_bytes: Exact,
    /// Atomic operations on one address, which wait for those of all groups.
    pub(in crate::lowering) contended: Exact,
    /// Cycles of the matrix unit of one scheduler.
    pub(in crate::lowering) matrix: Exact,
    /// Bytes loaded from global memory.
    pub(in crate::lowering) loaded: Traffic<Exact>,
    /// Bytes stored to global memory.
    pub(in crate::lowering) stored: Traffic<Exact>,
    /// True if the phase loads from global memory.
    pub(in crate::lowering) loads: bool,
    /// Waits of a warp for loads.
    pub(in crate::lowering) round_trips: Exact,
    /// Cycles that a warp waits for its loads, and for operations that need each other's results.
    pub(in crate::lowering) load_latency: Exact,
    /// Instructions of the code, every loop's body once.
    pub(in crate::lowering) code: Exact,
    /// The place of the statements that issue most.
    pub(in crate::lowering) place: Place,
    /// The work of each statement; empty unless origins are wanted.
    pub(in crate::lowering) parts: Vec<Work>,
}

impl Work {
    /// Empty work at a place.
    pub(in crate::lowering) fn at(place: Place) -> Self {
        Self { place, ..Self::default() }
    }

    /// The work of some warps with so many instructions on the matrix units each. An instruction takes `cycles`.
    pub(in crate::lowering) fn on_matrix_units(place: Place, per_warp: Exact, warps: Exact, cycles: Exact) -> Self {
        let mut work = Self::at(place);
        work.code = per_warp;
        work.first_warp.instructions = per_warp;
        work.issued.instructions = per_warp * warps;
        work.matrix = work.issued.instructions * cycles;
        work
    }

    /// Has sectors of `bytes` bytes take `slots` slots of L2 each.
    pub(in crate::lowering) fn take_slots(&mut self, bytes: Exact, slots: Exact) {
        self.slotted_bytes = bytes;
        self.slot_bytes = bytes * slots;
    }

    /// The same instructions, where each takes this many bytes out of local memory for its factors.
    pub(in crate::lowering) fn reading_factors(self, gpu: &Pipelined, bytes: Exact) -> Self {
        let local_passes = self.issued.instructions * bytes / Exact::from(pass_bytes(gpu));
        Self { local_passes, ..self }
    }

    /// The instructions alone, without what they ask of memory.
    pub(super) fn issue(&self) -> Self {
        let Self { issued, code, place, .. } = *self;
        Self { issued, code, place, parts: self.parts.iter().map(Self::issue).collect(), ..Self::default() }
    }

    /// The sums that a repetition multiplies.
    fn sums(&mut self) -> impl Iterator<Item = &mut Exact> {
        let issued = self.issued.each().into_iter().chain(self.first_warp.each());
        let moved = self.loaded.each().into_iter().chain(self.stored.each());
        issued.chain(moved).chain([
            &mut self.local_passes,
            &mut self.local_accesses,
            &mut self.l1_bytes,
            &mut self.l2_bytes,
            &mut self.fresh_bytes,
            &mut self.slotted_bytes,
            &mut self.slot_bytes,
            &mut self.copied_bytes,
            &mut self.crowding_bytes,
            &mut self.dram_bytes,
            &mut self.contended,
            &mut self.matrix,
            &mut self.round_trips,
            &mut self.load_latency,
        ])
    }

    /// Repeats the work by a loop around it. The code does not grow.
    pub(in crate::lowering) fn repeat(&mut self, count: u64) {
        if count != 1 {
            self.scale(Exact::from(count));
        }
    }

    /// Shortens the waits for loads to a part.
    pub(super) fn shorten_waits(&mut self, part: Exact) {
        self.load_latency = self.load_latency * part;
        self.parts.iter_mut().for_each(|one| one.shorten_waits(part));
    }

    /// Shortens the fractions of all sums.
    pub(in crate::lowering) fn shorten(&mut self) {
        for sum in self.sums() {
            *sum = sum.shortened();
        }
        self.parts.iter_mut().for_each(Self::shorten);
    }

    /// Multiplies all sums. The code does not grow.
    pub(in crate::lowering) fn scale(&mut self, factor: Exact) {
        for sum in self.sums() {
            *sum = *sum * factor;
        }
        self.parts.iter_mut().for_each(|part| part.scale(factor));
    }
}

impl Issued<Exact> {
    /// The instructions on the lanes of a kind; `None` for `any`.
    pub(in crate::lowering) fn lanes(&mut self, kind: OperationKind) -> Option<&mut Exact> {
        match kind {
            OperationKind::Fp32 => Some(&mut self.fp32),
            OperationKind::Int32 | OperationKind::Int8 => Some(&mut self.int32),
            OperationKind::Fp64 => Some(&mut self.fp64),
            OperationKind::Fp16 | OperationKind::Bf16 => Some(&mut self.fp16),
            OperationKind::Special => Some(&mut self.special),
            OperationKind::Any => None,
        }
    }
}

impl AddAssign<&Self> for Work {
    fn add_assign(&mut self, other: &Self) {
        // All fields by name, so that none is forgotten.
        let &Self {
            issued,
            first_warp,
            loaded,
            stored,
            loads,
            place,
            ref parts,
            local_passes,
            local_accesses,
            l1_bytes,
            l2_bytes,
            fresh_bytes,
            slotted_bytes,
            slot_bytes,
            copied_bytes,
            crowding_bytes,
            dram_bytes,
            contended,
            matrix,
            round_trips,
            load_latency,
            code,
        } = other;
        if issued.instructions > self.issued.instructions {
            self.place = place;
        }
        self.issued += issued;
        self.first_warp += first_warp;
        self.loaded += loaded;
        self.stored += stored;
        self.loads |= loads;
        self.local_passes += local_passes;
        self.local_accesses += local_accesses;
        self.l1_bytes += l1_bytes;
        self.l2_bytes += l2_bytes;
        self.fresh_bytes += fresh_bytes;
        self.slotted_bytes += slotted_bytes;
        self.slot_bytes += slot_bytes;
        self.copied_bytes += copied_bytes;
        self.crowding_bytes += crowding_bytes;
        self.dram_bytes += dram_bytes;
        self.contended += contended;
        self.matrix += matrix;
        self.round_trips += round_trips;
        self.load_latency += load_latency;
        self.code += code;
        self.parts.extend_from_slice(parts);
    }
}

//! The waits of a warp for its loads within a stretch: from one barrier or loop to the next.

use std::collections::BTreeMap;

use super::alias::{Memory, Moving, Target};
use crate::gpu::Pipelined;
use crate::lowering::access::touched::{Latencies, Supplied};
use crate::lowering::exact::Exact;
use crate::lowering::phases::work::Work;
use autotune_base::limits::watch::{Phase, look};
use autotune_base::text::Place;
use autotune_kernel::source::{AccessKind, BlockId, SourceAccess, SourceMemory, TracedKernel};

/// Compilers unroll short loops by this number, so that their loads wait together.
const UNROLLED: u64 = 4;

/// A load that a warp waits for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waited {
    pub(super) place: Place,
    /// The number of loads that wait for each other, this one included.
    pub(super) level: u32,
    /// Words that the load brings to a work item.
    pub(super) words: u64,
    /// Bytes of the group.
    pub(super) bytes: Supplied,
}

/// Loads that a warp waits for together, by their level, each with its number among those of the stretch.
type Together = BTreeMap<u32, Vec<(usize, Waited)>>;

/// Loads of one level that a warp waits for together.
pub(super) struct Trips {
    /// The number of waits.
    pub(super) number: Exact,
    /// The loads, each with its number among those of the stretch; never empty.
    pub(super) loads: Vec<(usize, Waited)>,
}

/// The loads of a stretch.
#[derive(Debug, Default)]
pub(super) struct Waits {
    /// The loads that the warp has waited for.
    done: Vec<Together>,
    /// The loads that are under way.
    open: Together,
    /// The number of loads so far.
    number: usize,
    /// Iterations of the innermost loop around the stretch.
    times: u64,
    /// The stores to global memory behind the loads that the warp has waited for.
    stores: Vec<Target>,
    /// The loads, and the stores, of a loop that may be unrolled.
    moving: [Vec<Moving>; 2],
    /// True if a load may not pass a store of the iteration before: it waits for that store even where the loop is unrolled.
    follows_store: bool,
}

impl Waits {
    pub(super) fn new(times: u64) -> Self {
        Self { times, ..Self::default() }
    }

    /// Adds an access of a block. What a store needs has arrived before the loads that may not pass the store.
    pub(super) fn access(
        &mut self,
        traced: &TracedKernel,
        block: BlockId,
        access: &SourceAccess,
        load: Option<Waited>,
    ) {
        let is_store = matches!(access.kind, AccessKind::Store | AccessKind::Atomic);
        if access.memory != SourceMemory::Global || !is_store && load.is_none() {
            return;
        }
        look(Phase::Lowering);
        let (memory, target) = (Memory::of(traced), Target::of_instruction(traced, block, access));
        if let Some(load) = load {
            if self.stores.iter().any(|store| memory.may_change(store, &target)) {
                self.end_block();
            }
            self.open.entry(load.level).or_default().push((self.number, load));
            self.number += 1;
        }
        if self.times >= UNROLLED && !self.follows_store {
            let [loads, stores] = &mut self.moving;
            if load.is_some() {
                let moving = Moving::new(access, target);
                self.follows_store = stores.iter().any(|store| memory.may_change_later(store, &moving));
                loads.push(moving);
            }
            if is_store {
                let moving = Moving::new(access, target);
                self.follows_store |= loads.iter().any(|load| memory.may_change_later(&moving, load));
                stores.push(moving);
            }
        }
        self.stores.extend(is_store.then_some(target));
    }

    /// Warps issue in order: behind a block that uses what it loads, they have waited.
    pub(super) fn end_block(&mut self) {
        self.stores.clear();
        if !self.open.is_empty() {
            self.done.push(std::mem::take(&mut self.open));
        }
    }

    /// Ends the stretch: the work of the waits of each level, if a work item has that many free registers.
    pub(super) fn end(&mut self, gpu: &Pipelined, free: u64) -> Vec<Work> {
        let latencies = Latencies::new(gpu);
        let wait = |Trips { number, loads }: Trips| {
            let mut bytes = Supplied::default();
            for (_, load) in &loads {
                bytes += load.bytes;
            }
            let latency = latencies.mean(&bytes);
            let place = loads[0].1.place;
            Work { loads: true, round_trips: number, load_latency: number * latency, ..Work::at(place) }
        };
        self.trips(free).into_iter().map(wait).collect()
    }

    /// Ends the stretch: the waits of each level, if a work item has that many free registers.
    pub(super) fn trips(&mut self, free: u64) -> Vec<Trips> {
        self.end_block();
        let Self { done, times, follows_store, .. } = std::mem::replace(self, Self::new(self.times));
        let is_unrolled = times >= UNROLLED && !follows_store && done.iter().map(Together::len).sum::<usize>() == 1;
        // Whole rounds of the unrolled loop, and its last iterations one by one.
        let rounds = Exact::ratio(times / UNROLLED + times % UNROLLED, times.max(1));
        let trips = |loads: Vec<(usize, Waited)>| {
            let words: u64 = loads.iter().map(|(_, load)| load.words).sum();
            let mut number = Exact::ratio(words, free).max(Exact::ONE);
            if is_unrolled {
                number = number * rounds;
            }
            Trips { number, loads }
        };
        done.into_iter().flat_map(Together::into_values).map(trips).collect()
    }
}

//! The waits of a warp for its loads within a stretch: from one barrier or loop to the next.

use std::collections::BTreeMap;

use crate::gpu::Pipelined;
use crate::lowering::access::touched::Latencies;
use crate::lowering::exact::Exact;
use crate::lowering::phases::work::Work;
use crate::text::Place;

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
    /// Bytes of the group that come from L1, L2 and DRAM.
    pub(super) bytes: [Exact; 3],
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
#[derive(Debug)]
pub(super) struct Waits {
    /// The loads that the warp has waited for.
    done: Vec<Together>,
    /// The loads that are under way.
    open: Together,
    /// The number of loads so far.
    number: usize,
    /// Iterations of the innermost loop around the stretch.
    times: u64,
}

impl Waits {
    pub(super) fn new(times: u64) -> Self {
        Self { done: Vec::new(), open: Together::new(), number: 0, times }
    }

    pub(super) fn extend(&mut self, load: Option<Waited>) {
        if let Some(load) = load {
            self.open.entry(load.level).or_default().push((self.number, load));
            self.number += 1;
        }
    }

    /// Warps issue in order: behind a block that uses what it loads, they have waited.
    pub(super) fn end_block(&mut self) {
        if !self.open.is_empty() {
            self.done.push(std::mem::take(&mut self.open));
        }
    }

    /// Ends the stretch: the work of the waits of each level, if a work item has that many free registers.
    pub(super) fn end(&mut self, gpu: &Pipelined, free: u64) -> Vec<Work> {
        let latencies = Latencies::new(gpu);
        let wait = |Trips { number, loads }: Trips| {
            let sum = |level: usize| loads.iter().fold(Exact::ZERO, |sum, (_, load)| sum + load.bytes[level]);
            let latency = latencies.mean(sum(0), sum(1), sum(2));
            let place = loads[0].1.place;
            Work { loads: true, round_trips: number, load_latency: number * latency, ..Work::at(place) }
        };
        self.trips(free).into_iter().map(wait).collect()
    }

    /// Ends the stretch: the waits of each level, if a work item has that many free registers.
    pub(super) fn trips(&mut self, free: u64) -> Vec<Trips> {
        self.end_block();
        self.number = 0;
        let done = std::mem::take(&mut self.done);
        let is_unrolled = self.times >= UNROLLED && done.iter().map(Together::len).sum::<usize>() == 1;
        // Whole rounds of the unrolled loop, and its last iterations one by one.
        let rounds = Exact::ratio(self.times / UNROLLED + self.times % UNROLLED, self.times.max(1));
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

//! The paper's model of a GPU, from a profile.

use num_traits::ToPrimitive;

use super::levels::{Levels, real};
use crate::gpu::{Pipelined, Rate};
use crate::lowering::{Issued, dram_bytes_per_cycle};

/// The number of departure delays in the extra latency of an uncoalesced access: the paper's 28, for its 32
/// transactions.
const DEPARTURES: f64 = 28.0;

/// A GPU in the model's terms; times are in core cycles.
pub(super) struct Device {
    pub(super) multiprocessors: u64,
    /// Processing blocks of a multiprocessor: one for each scheduler.
    pub(super) processing_blocks: u64,
    /// Cycles during which an instruction keeps its processing block from starting another; `instructions` is the delay
    /// of one that needs only its issue slot.
    pub(super) delay: Issued<f64>,
    /// Cycles until the result of a single-precision operation can be used; `None` if not known.
    pub(super) arithmetic_latency: Option<f64>,
    /// Cycles of a round trip to local memory.
    pub(super) local_latency: f64,
    /// Cycles of a round trip on an idle GPU; `None` if not known, as may be for uncoalesced accesses.
    pub(super) latency: Levels<Option<f64>>,
    /// Bytes per cycle, of one multiprocessor for L1, else of the GPU; `None` if not known.
    pub(super) bandwidth: Levels<Option<f64>>,
    /// Core cycles per microsecond.
    pub(super) megahertz: f64,
}

impl Device {
    pub(super) fn new(gpu: &Pipelined) -> Self {
        let schedulers = real(gpu.schedulers_per_sm);
        let issue = (schedulers / number(gpu.warp_instructions_per_cycle)).max(1.0);
        // delay = max(warp size / units of a processing block, 1), and never less than the issue slot
        let delay = |lanes: u64| (real(gpu.warp_size) * schedulers / real(lanes)).max(issue);
        let pairs = real(gpu.fp16_results_per_cycle()) / 2.0;
        let delay_of_pairs = (real(gpu.warp_size) * schedulers / pairs).max(issue);
        let dram = number(gpu.latency_dram_cycles);
        Self {
            multiprocessors: gpu.multiprocessors,
            processing_blocks: gpu.schedulers_per_sm,
            delay: Issued {
                instructions: issue,
                fp32: delay(gpu.fp32_lanes_per_sm),
                int32: delay(gpu.int32_lanes_per_sm),
                fp64: delay(gpu.fp64_lanes_per_sm),
                fp16: delay_of_pairs,
                special: delay(gpu.sfu_lanes_per_sm),
                accesses: (schedulers / number(gpu.warp_accesses_per_cycle)).max(issue),
            },
            arithmetic_latency: gpu.latency_fp32_fma_cycles.map(number),
            local_latency: number(gpu.latency_shared_load_cycles),
            latency: Levels {
                l1: Some(number(gpu.latency_l1_hit_cycles)),
                l2: Some(number(gpu.latency_l2_hit_cycles)),
                dram: Some(dram),
                uncoalesced: gpu.latency_uncoalesced_extra_cycles.map(|extra| dram + number(extra)),
            },
            bandwidth: Levels {
                l1: Some(number(gpu.l1_bandwidth_bytes_per_cycle_per_sm)),
                l2: gpu.l2_bandwidth_bytes_per_cycle.map(number),
                dram: Some(dram_bytes_per_cycle(gpu)),
                uncoalesced: gpu.uncoalesced_bandwidth_bytes_per_cycle.map(number),
            },
            megahertz: number(gpu.core_clock_mhz),
        }
    }

    /// `delay_dep` = (`lat_uncoal` - `lat_dram`) / 28: cycles of a barrier for each warp of a group but one; `None` if
    /// not known.
    pub(super) fn departure_delay(&self) -> Option<f64> {
        let Levels { dram, uncoalesced, .. } = self.latency;
        uncoalesced.zip(dram).map(|(uncoalesced, dram)| (uncoalesced - dram) / DEPARTURES)
    }
}

/// Converts a rate, which the profile's checks keep finite.
pub(super) fn number(rate: Rate) -> f64 {
    rate.to_f64().unwrap_or(f64::NAN)
}

//! The paper's model of a GPU, from a profile.

use num_traits::ToPrimitive;

use super::levels::Levels;
use crate::gpu::{Pipelined, Rate};
use crate::lowering::{InstructionCycles, dram_bytes_per_cycle};

/// The number of departure delays in the extra latency of an uncoalesced access: the paper's 28, for its 32
/// transactions.
const DEPARTURES: f64 = 28.0;

/// A GPU in the model's terms; times are in core cycles.
pub(super) struct Device {
    pub(super) multiprocessors: u64,
    /// Processing blocks of a multiprocessor: one for each scheduler.
    pub(super) processing_blocks: u64,
    /// Cycles of each instruction.
    pub(super) each: InstructionCycles,
    /// True if the latency of single precision is known.
    pub(super) knows_arithmetic: bool,
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
        let dram = number(gpu.latency_dram_cycles);
        Self {
            multiprocessors: gpu.multiprocessors,
            processing_blocks: gpu.schedulers_per_sm,
            each: InstructionCycles::new(gpu),
            knows_arithmetic: gpu.latency_fp32_fma_cycles.is_some(),
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

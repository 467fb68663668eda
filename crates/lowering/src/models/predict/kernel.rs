//! The paper's model of a kernel: the time of a warp alone, and the bytes that a group moves.

use serde::Serialize;

use super::device::Device;
use super::levels::{Level, Levels, real};
use crate::lowering::{GroupWork, InstructionCycles, Issued, Traffic};

/// The time of a warp in core cycles: the paper's time(lat) is `arithmetic_cycles` + `local_cycles` + `round_trips` *
/// lat.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Warp {
    /// Cycles of the instructions of the first warp, which executes every statement. Those of a source wait for the results
    /// that they use; a body does not state which these are, so each waits for the one before.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub arithmetic_cycles: f64,
    /// Cycles of the waits for local memory.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub local_cycles: f64,
    /// The number of waits for global memory.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub round_trips: f64,
    /// `time_sync` = syncs * `delay_dep` * (warps of a group - 1).
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub sync_cycles: f64,
    /// The sum of the delays of a warp's instructions, as the mean over the warps of a group: cycles when no other warp
    /// of the processing block starts an instruction.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub delay_cycles: f64,
}

pub(super) struct Kernel {
    pub(super) warp: Warp,
    /// Warps of a group.
    pub(super) warps: u64,
    /// The shares of the loaded bytes by their source: `l1`, `l2` and `dram` add up to 1; `uncoalesced` is the share of
    /// the uncoalesced bytes in all.
    shares: Levels<f64>,
    /// Bytes that a group loads and stores.
    pub(super) bytes: Levels<f64>,
}

impl Kernel {
    pub(super) fn new(device: &Device, work: &GroupWork, warps: u64) -> Self {
        let sync = device.departure_delay().unwrap_or(0.0);
        let InstructionCycles { delay, latency } = &device.each;
        let loaded = by_level(&work.loaded);
        let stored = by_level(&work.stored);
        let share = |bytes: f64| if work.loaded.moved > 0.0 { bytes / work.loaded.moved } else { 0.0 };
        // Without their latency, uncoalesced accesses count as coalesced ones.
        let uncoalesced = if device.latency.uncoalesced.is_some() { share(work.loaded.uncoalesced) } else { 0.0 };
        let matrix = work.matrix_cycles / real(warps);
        Self {
            warp: Warp {
                arithmetic_cycles: arithmetic_cycles(work, latency) + matrix,
                local_cycles: work.local_round_trips * device.local_latency,
                round_trips: work.round_trips,
                sync_cycles: work.barriers * sync * (real(warps) - 1.0),
                delay_cycles: work.issued.cycles(delay) / real(warps) + matrix,
            },
            warps,
            shares: Levels { l1: share(loaded.l1), l2: share(loaded.l2), dram: share(loaded.dram), uncoalesced },
            bytes: Levels {
                l1: loaded.l1,
                l2: loaded.l2 + stored.l2 + work.crowding_bytes,
                dram: loaded.dram + stored.dram,
                uncoalesced: loaded.uncoalesced + stored.uncoalesced,
            },
        }
    }

    /// The share of a level's latency in the mean latency.
    fn share(&self, level: Level) -> f64 {
        let share = self.shares.get(level);
        if level == Level::Uncoalesced { share } else { (1.0 - self.shares.uncoalesced) * share }
    }

    /// lat = coal * (l1 * `lat_L1` + l2 * `lat_L2` + dram * `lat_DRAM`) + uncoal * `lat_uncoal`.
    pub(super) fn mean_latency(&self, latency: &Levels<f64>) -> f64 {
        let Levels { l1, l2, dram, uncoalesced } = self.shares;
        let coalesced = l1 * latency.l1 + l2 * latency.l2 + dram * latency.dram;
        (1.0 - uncoalesced) * coalesced + uncoalesced * latency.uncoalesced
    }

    /// The latency of a level that makes a warp take `needed` cycles, more than it does: the fixed point where the demand
    /// no longer exceeds the bandwidth. The level's own latency if no latency of it slows the warp.
    pub(super) fn latency_that_takes(&self, latency: &Levels<f64>, level: Level, needed: f64) -> f64 {
        // The time of a warp grows linearly with a level's latency.
        let slope = self.warp.round_trips * self.share(level);
        let raised = (needed - self.warp_cycles(latency)) / slope;
        latency.get(level) + if slope > 0.0 && raised.is_finite() { raised } else { 0.0 }
    }

    /// `time_warp` = time(lat) + `time_sync`.
    pub(super) fn warp_cycles(&self, latency: &Levels<f64>) -> f64 {
        let Warp { arithmetic_cycles, local_cycles, round_trips, sync_cycles, .. } = self.warp;
        arithmetic_cycles + local_cycles + round_trips * self.mean_latency(latency) + sync_cycles
    }
}

/// Bytes that L1, L2 and DRAM supply or take.
fn by_level(traffic: &Traffic<f64>) -> Levels<f64> {
    let Traffic { moved, uncoalesced, beyond_l1, beyond_l2, .. } = *traffic;
    Levels { l1: (moved - beyond_l1).max(0.0), l2: (beyond_l1 - beyond_l2).max(0.0), dram: beyond_l2, uncoalesced }
}

/// The cycles of the first warp's instructions: by their dependences where a source has them, else one after the other.
fn arithmetic_cycles(work: &GroupWork, latency: &Issued<f64>) -> f64 {
    let Some(dependent) = work.dependent else { return work.first_warp.cycles(latency) };
    // Spilled registers are not in the source.
    dependent.cycles + work.first_warp.without(dependent.counted).cycles(latency)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kernel(round_trips: f64, shares: Levels<f64>) -> Kernel {
        let warp =
            Warp { arithmetic_cycles: 70.0, local_cycles: 20.0, round_trips, sync_cycles: 5.0, delay_cycles: 40.0 };
        Kernel { warp, warps: 4, shares, bytes: Levels::default() }
    }

    proptest! {
        /// A fixed point: a warp lasts as long as its bytes need, and with any lower latency it would not.
        #[test]
        fn a_raised_latency_makes_a_warp_take_what_its_bytes_need(
            round_trips in 1e-2..1e6_f64, l2 in 0.01..0.99_f64, uncoalesced in 0.01..0.99_f64, more in 1.0..1e9_f64,
        ) {
            let kernel = kernel(round_trips, Levels { l1: 0.0, l2, dram: 1.0 - l2, uncoalesced });
            let idle = Levels { l1: 30.0, l2: 200.0, dram: 500.0, uncoalesced: 900.0 };
            let needed = kernel.warp_cycles(&idle) + more;
            for level in [Level::L2, Level::Dram, Level::Uncoalesced] {
                let raised = kernel.latency_that_takes(&idle, level, needed);
                prop_assert!(raised > idle.get(level));
                let cycles = kernel.warp_cycles(&idle.with(level, raised));
                prop_assert!((cycles / needed - 1.0).abs() < 1e-9, "{} is not {}", cycles, needed);
            }
        }
    }

    #[test]
    fn a_latency_that_slows_nothing_stays() {
        let idle = Levels { l1: 30.0, l2: 200.0, dram: 500.0, uncoalesced: 900.0 };
        let all_from_l2 = Levels { l2: 1.0, ..Levels::default() };
        for (round_trips, level) in [(0.0, Level::L2), (1e3, Level::Dram), (1e3, Level::Uncoalesced)] {
            let latency = kernel(round_trips, all_from_l2).latency_that_takes(&idle, level, 1e9);
            assert_eq!(latency.to_bits(), idle.get(level).to_bits());
        }
    }
}

//! One wave: the work groups that the GPU runs at a time.

use serde::Serialize;

use super::device::Device;
use super::kernel::Kernel;
use super::levels::{Level, Levels, real};

/// A wave and the bound of its time. Cycles are core cycles.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Wave {
    /// The number of such waves in a launch.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub count: u64,
    /// Work groups of the wave.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub groups: u64,
    /// Work groups of the multiprocessor with the most groups.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub groups_of_multiprocessor: u64,
    /// Warps of that multiprocessor's processing block with the most warps.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub warps_of_processing_block: u64,
    /// Cycles of a load from each level, raised until no bandwidth is exceeded; `None` if the profile lacks the
    /// latency.
    pub latency_cycles: Levels<Option<f64>>,
    /// lat: the mean latency over the loaded bytes.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub mean_latency_cycles: f64,
    /// `time_warp`: time(lat) + `time_sync`.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub warp_cycles: f64,
    /// The sum of the delays of the processing block's warps.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub delay_cycles: f64,
    /// Bytes / bandwidth of each level, a lower bound of the wave's time; `None` if the profile lacks the bandwidth.
    pub bandwidth_cycles: Levels<Option<f64>>,
    /// `time_GPU`: the time of the whole wave.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub cycles: f64,
    /// The bound that decides the time.
    pub bound: Bottleneck,
}

/// The bound that decides the time of a wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Bottleneck {
    /// The time of one warp on an idle GPU.
    Latency,
    /// The instructions of all warps of a processing block.
    Delay,
    /// The bandwidth of L1.
    L1,
    /// The bandwidth of L2.
    L2,
    /// The bandwidth of DRAM.
    Dram,
    /// The bandwidth of uncoalesced accesses.
    Uncoalesced,
}

impl Bottleneck {
    /// Returns the name of the bound in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Latency => "latency",
            Self::Delay => "delay",
            Self::L1 => "l1",
            Self::L2 => "l2",
            Self::Dram => "dram",
            Self::Uncoalesced => "uncoalesced",
        }
    }
}

impl From<Level> for Bottleneck {
    fn from(level: Level) -> Self {
        match level {
            Level::L1 => Self::L1,
            Level::L2 => Self::L2,
            Level::Dram => Self::Dram,
            Level::Uncoalesced => Self::Uncoalesced,
        }
    }
}

/// The waves of a launch: first the ones of as many groups as are resident on all multiprocessors, then the rest.
pub(super) fn all(device: &Device, kernel: &Kernel, groups: u64, resident: u64) -> Vec<Wave> {
    let full = device.multiprocessors.saturating_mul(resident);
    let waves = [(groups / full, full), (u64::from(!groups.is_multiple_of(full)), groups % full)];
    waves
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, groups)| one(device, kernel, count, groups))
        .collect()
}

/// `count` waves of `groups` groups. All groups are equal: the multiprocessor with the most groups ends last.
fn one(device: &Device, kernel: &Kernel, count: u64, groups: u64) -> Wave {
    let groups_of_multiprocessor = groups.div_ceil(device.multiprocessors);
    let warps = groups_of_multiprocessor.saturating_mul(kernel.warps).div_ceil(device.processing_blocks);
    let delay_cycles = real(warps) * kernel.warp.delay_cycles;
    let bandwidth_cycles = |level: Level| {
        // L1 is a multiprocessor's own.
        let groups = if level == Level::L1 { groups_of_multiprocessor } else { groups };
        let known = device.latency.get(level).and(device.bandwidth.get(level));
        known.map(|bandwidth| real(groups) * kernel.bytes.get(level) / bandwidth)
    };
    let time = |latency: &Levels<f64>| kernel.warp_cycles(latency).max(delay_cycles);
    let idle = Level::ALL
        .into_iter()
        .fold(Levels::default(), |latency, level| latency.with(level, device.latency.get(level).unwrap_or_default()));
    let mut latency = idle;
    let (mut cycles, mut bound) = (time(&idle), Bottleneck::Latency);
    if delay_cycles > kernel.warp_cycles(&idle) {
        bound = Bottleneck::Delay;
    }
    for level in Level::ALL {
        if let Some(needed) = bandwidth_cycles(level).filter(|needed| *needed > cycles) {
            latency = latency.with(level, kernel.latency_that_takes(&latency, level, needed));
            cycles = needed;
            bound = level.into();
        }
    }
    let of_levels = |of: &dyn Fn(Level) -> Option<f64>| {
        Level::ALL.into_iter().fold(Levels::default(), |levels, level| levels.with(level, of(level)))
    };
    Wave {
        count,
        groups,
        groups_of_multiprocessor,
        warps_of_processing_block: warps,
        latency_cycles: of_levels(&|level| device.latency.get(level).map(|_| latency.get(level))),
        mean_latency_cycles: kernel.mean_latency(&latency),
        warp_cycles: kernel.warp_cycles(&latency),
        delay_cycles,
        bandwidth_cycles: of_levels(&bandwidth_cycles),
        cycles,
        bound,
    }
}

//! A real GPU: what one multiprocessor has, holds and does in a core cycle.
//!
//! The fields are named as in the profile files. Lowering knows no architectures: where they differ, a field says how.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::number::{Rate, integer, known_rate, optional, optional_rate, positive, rate, rate_or_zero};

/// Bytes of anything in a multiprocessor.
const BYTES: u64 = 1 << 30;

/// A GPU whose warps share servers. Cycles are of its core clock, rates of one multiprocessor.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(non_snake_case, reason = "GB is a unit, and the files spell it so")]
pub struct Pipelined {
    pub(super) name: String,
    #[serde(default)]
    pub(super) aliases: Vec<String>,
    #[serde(rename = "execution")]
    _execution: IgnoredAny,
    /// Whose compiler builds the kernel.
    pub vendor: Vendor,
    /// The family of GPUs that it belongs to, such as `Ampere`: what was measured on others of it tells how accurate a ranking is.
    #[serde(default)]
    pub architecture: Option<String>,

    /// NM.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub multiprocessors: u64,
    /// ND.
    #[serde(deserialize_with = "positive::<_, 64>")]
    pub schedulers_per_sm: u64,
    /// Lanes of a warp.
    #[serde(deserialize_with = "positive::<_, 256>")]
    pub warp_size: u64,
    /// Single-precision results per cycle.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub fp32_lanes_per_sm: u64,
    /// Integer results per cycle.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub int32_lanes_per_sm: u64,
    /// Double-precision results per cycle.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub fp64_lanes_per_sm: u64,
    /// Results of special functions per cycle.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub sfu_lanes_per_sm: u64,

    /// Work groups that a multiprocessor runs at a time.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub max_blocks_per_sm: u64,
    /// Warps that a multiprocessor runs at a time.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub max_warps_per_sm: u64,
    /// Work items that a multiprocessor runs at a time.
    #[serde(deserialize_with = "positive::<_, 1_048_576>")]
    pub max_threads_per_sm: u64,
    /// Work items that a group may have.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub max_threads_per_block: u64,

    /// Registers of 32 bits.
    #[serde(deserialize_with = "positive::<_, BYTES>")]
    pub registers_per_sm: u64,
    /// Registers that the instructions of a work item can name.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub max_registers_per_thread: u64,
    /// Registers that are handed out at a time.
    #[serde(deserialize_with = "positive::<_, BYTES>")]
    pub register_alloc_unit: u64,
    /// To whom they are handed out.
    pub register_alloc_granularity: Granularity,
    /// Multiprocessors whose register files serve one work group; 1 if not stated.
    #[serde(default, deserialize_with = "optional::<_, 1, 64>")]
    pub registers_shared_by_sms: Option<u64>,
    /// The size of work group that the compiler fits the registers to, if it does.
    #[serde(default, deserialize_with = "optional::<_, 1, 1_048_576>")]
    pub compiled_for_threads_per_block: Option<u64>,

    /// Bytes of local memory.
    #[serde(deserialize_with = "positive::<_, BYTES>")]
    pub shared_memory_per_sm_bytes: u64,
    /// Bytes that a group may have.
    #[serde(deserialize_with = "positive::<_, BYTES>")]
    pub shared_memory_per_block_max_bytes: u64,
    /// Bytes that a group may have whose size is known when it is compiled, if less.
    #[serde(default, deserialize_with = "optional::<_, 1, BYTES>")]
    pub shared_memory_static_max_bytes: Option<u64>,
    /// Bytes that the driver takes for itself in each group.
    #[serde(deserialize_with = "integer::<_, 0, BYTES>")]
    pub shared_memory_reserved_per_block_bytes: u64,
    /// Bytes that are handed out at a time.
    #[serde(deserialize_with = "positive::<_, BYTES>")]
    pub shared_alloc_granularity_bytes: u64,
    /// Banks of local memory.
    #[serde(deserialize_with = "positive::<_, 256>")]
    pub shared_banks: u64,
    /// 8: words i and i + banks of an aligned row of two rounds share a pass.
    #[serde(deserialize_with = "integer::<_, 4, 8>")]
    pub shared_bank_width_bytes: u64,

    /// The clock of all cycles here.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub core_clock_mhz: Rate,
    /// Width of the memory interface.
    #[serde(deserialize_with = "positive::<_, 1_048_576>")]
    pub memory_bus_bits: u64,
    /// 10^9 bytes per second of the whole device.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub memory_bandwidth_GBps: Rate,
    /// Bytes per cycle of loads that hit L1.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub l1_bandwidth_bytes_per_cycle_per_sm: Rate,
    /// Microseconds of one launch; 4 if not stated.
    #[serde(default, deserialize_with = "optional_rate::<_, 1_000_000>")]
    pub kernel_launch_overhead_us: Option<Rate>,

    /// Cycles of a load from local memory.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub latency_shared_load_cycles: Rate,
    /// Cycles of a load that hits L1.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub latency_l1_hit_cycles: Rate,
    /// Cycles of a load that hits L2.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub latency_l2_hit_cycles: Rate,
    /// Cycles of a load from DRAM.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub latency_dram_cycles: Rate,

    /// Instructions of a warp that are issued.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub warp_instructions_per_cycle: Rate,
    /// Loads, stores and local accesses of a warp.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub warp_accesses_per_cycle: Rate,
    /// Bytes that the banks of local memory deliver.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub shared_bytes_per_cycle: Rate,
    /// Bytes of the line that L1 looks up in one pass.
    #[serde(deserialize_with = "positive::<_, 4096>")]
    pub l1_pass_bytes: u64,
    /// Whether L1 keeps what loads bring from global memory, for the whole group.
    pub l1_keeps_global_loads: bool,
    /// Whether L1 and local memory are one array, so that their passes add up.
    pub l1_unified_with_shared: bool,
    /// Bytes of one instruction.
    #[serde(deserialize_with = "rate::<_, 1024>")]
    pub instruction_bytes: Rate,
    /// Bytes of code that the warps of a scheduler share.
    #[serde(deserialize_with = "positive::<_, BYTES>")]
    pub instruction_cache_bytes: u64,
    /// Bytes of code that refill it.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub instruction_fetch_bytes_per_cycle: Rate,
    /// Words of constant memory that an operand can name, where later ones take an instruction more.
    #[serde(default, deserialize_with = "optional::<_, 0, BYTES>")]
    pub constant_operand_words: Option<u64>,

    /// Bytes per cycle of loads that hit L2, of the whole device.
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    pub l2_bandwidth_bytes_per_cycle: Option<Rate>,
    /// Cycles until a single-precision result can be used.
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    pub latency_fp32_fma_cycles: Option<Rate>,
    /// Cycles by which a load from DRAM takes longer if it is not coalesced.
    #[serde(default, deserialize_with = "optional_rate::<_, 1_000_000>")]
    pub latency_uncoalesced_extra_cycles: Option<Rate>,
    /// Bytes per cycle of accesses that are not coalesced, of the whole device.
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    pub uncoalesced_bandwidth_bytes_per_cycle: Option<Rate>,
    /// Microseconds of the launch of an empty kernel, by the size of its groups.
    #[serde(default)]
    pub launch_regression: Vec<LaunchRegression>,
    /// What each of K1 to K6 counts in the efficiency of a kernel.
    #[serde(default)]
    pub efficiency_weights: Option<[Weight; 6]>,
}

/// Microseconds of the launch of an empty kernel whose groups have so many warps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchRegression {
    /// Warps of a group.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub warps: u64,
    /// x1: for each group.
    #[serde(deserialize_with = "rate_or_zero::<_, 1_000_000>")]
    pub per_group_us: Rate,
    /// x2: for the launch.
    #[serde(deserialize_with = "rate_or_zero::<_, 1_000_000>")]
    pub fixed_us: Rate,
}

/// An exponent of the efficiency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Weight(#[serde(deserialize_with = "rate_or_zero::<_, 1_000>")] pub Rate);

/// Whose compiler builds the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Vendor {
    /// NVIDIA: nvcc, or the compiler of its driver.
    Nvidia,
    /// AMD: the back end of LLVM.
    Amd,
}

impl Vendor {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nvidia => "NVIDIA",
            Self::Amd => "AMD",
        }
    }
}

/// To whom registers are handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Granularity {
    /// To each warp, from its scheduler's share of the file.
    #[serde(alias = "wave")]
    Warp,
    /// To the work group, for an even number of warps.
    Block,
}

impl Pipelined {
    /// Registers of a work item above which the compiler spills.
    #[must_use]
    pub fn register_limit(&self) -> u64 {
        let file = self.registers_per_sm * self.registers_shared_by_sms.unwrap_or(1);
        let fitted = self.compiled_for_threads_per_block.map_or(u64::MAX, |items| file / items);
        fitted.min(self.max_registers_per_thread)
    }

    /// Bytes of local memory that a group may have; `dynamic` if its size is given at launch.
    #[must_use]
    pub fn local_memory_limit(&self, dynamic: bool) -> u64 {
        let fixed = self.shared_memory_static_max_bytes.filter(|_| !dynamic);
        fixed.map_or(self.shared_memory_per_block_max_bytes, |bytes| bytes.min(self.shared_memory_per_block_max_bytes))
    }

    /// Microseconds that `ticks` of a 16th of a cycle take.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "for people and for ratios: 53 bits are plenty")]
    pub fn microseconds(&self, ticks: u64) -> f64 {
        let megahertz = *self.core_clock_mhz.numer() as f64 / *self.core_clock_mhz.denom() as f64;
        ticks as f64 / 16.0 / megahertz
    }

    /// What no single number shows to be wrong: a key, and why.
    pub(super) fn contradiction(&self) -> Option<(&'static str, String)> {
        let Self { registers_per_sm, schedulers_per_sm, shared_bank_width_bytes, .. } = self;
        if !registers_per_sm.is_multiple_of(*schedulers_per_sm) {
            let what = format!(
                "{registers_per_sm} registers_per_sm cannot be shared equally by {schedulers_per_sm} schedulers_per_sm"
            );
            return Some(("registers_per_sm", what));
        }
        if self.register_limit() == 0 {
            let what = "the register file is too small for that many work items".to_owned();
            return Some(("compiled_for_threads_per_block", what));
        }
        let unknown = ![4, 8].contains(shared_bank_width_bytes);
        unknown
            .then(|| ("shared_bank_width_bytes", format!("banks are 4 or 8 bytes wide, not {shared_bank_width_bytes}")))
    }
}

//! A real GPU: the resources of one multiprocessor, its limits and its rates per core cycle.
//!
//! The fields are named as in the profile files. Lowering does not distinguish architectures; fields state their
//! differences.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::kind::Told;
use super::matrix_rates::{MatrixRates, rates};
use super::number::{Rate, integer, known_rate, optional, optional_rate, positive, rate, rate_or_zero};

/// Bytes of anything in a multiprocessor.
const BYTES: u64 = 1 << 30;
/// The words beyond the register limit that NVIDIA's compiler computes again instead of keeping them.
const COMPUTED_AGAIN: u64 = 16;

/// A GPU whose warps share servers. Cycles are core cycles; rates are per multiprocessor unless stated otherwise.
#[derive(Debug, Clone, PartialEq, Deserialize, Eq, Hash)]
#[serde(deny_unknown_fields)]
#[expect(non_snake_case, reason = "GB is a unit, and the files spell it so")]
#[expect(clippy::struct_excessive_bools, reason = "the keys of a file")]
pub struct Pipelined {
    pub(super) name: String,
    #[serde(default)]
    pub(super) aliases: Vec<String>,
    #[serde(rename = "execution")]
    pub(super) _execution: Told,
    /// The vendor, whose compiler builds the kernel.
    pub vendor: Vendor,
    /// The family of GPUs, such as `Ampere`; measurements of other members show the accuracy of a ranking. `None` if
    /// not stated.
    #[serde(default)]
    pub architecture: Option<String>,
    /// The architecture that the compiler is given, such as `sm_89` or `gfx942`: its limits and multiprocessors are the
    /// same on each GPU. `None` if not stated.
    #[serde(default)]
    pub target: Option<String>,
    /// The year of the GPU's release; `None` if not stated.
    #[serde(default, deserialize_with = "optional::<_, 1990, 2100>")]
    pub year: Option<u64>,

    /// NM: the number of multiprocessors.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub multiprocessors: u64,
    /// ND: the schedulers of one multiprocessor.
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
    /// Results of 16-bit floating-point operations per cycle, of packed pairs: an operation takes two, on one number or
    /// on a pair. `None` if such operations take the lanes of single precision, or their rate is not known.
    #[serde(default, deserialize_with = "optional::<_, 1, 65_536>")]
    pub fp16_lanes_per_sm: Option<u64>,
    /// Results of operations on 16-bit numbers with the exponent of single precision, counted as those of
    /// `fp16_lanes_per_sm`. `None` if the rate is that of the other 16-bit numbers.
    #[serde(default, deserialize_with = "optional::<_, 1, 65_536>")]
    pub bf16_lanes_per_sm: Option<u64>,
    /// Results of special functions per cycle.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub sfu_lanes_per_sm: u64,

    /// Dense multiply-accumulates of the matrix units per cycle, of the fastest instructions; `None` without matrix units.
    #[serde(default, deserialize_with = "rates")]
    pub(super) matrix_macs_per_cycle: Option<MatrixRates>,
    /// The same for instructions whose warp waits for the result, for the types for which they are slower.
    #[serde(default, deserialize_with = "rates")]
    pub(super) matrix_macs_per_cycle_mma: Option<MatrixRates>,
    /// Cycles from the issue of a matrix instruction on 16-bit numbers to its result: of m16n8k16, on AMD of 32x32x8, or
    /// of 16x16x16 where there is no 32x32x8. `None` if not known.
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    pub matrix_latency_cycles: Option<Rate>,
    /// True if work items can copy from global to local memory past the registers and wait for groups of such copies.
    #[serde(default)]
    pub async_copy: bool,
    /// True if one work item can start a copy of a whole tile between global and local memory.
    #[serde(default)]
    pub tma: bool,
    /// True if four warps can start matrix instructions together whose factors lie in local memory.
    #[serde(default)]
    pub wgmma: bool,

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

    /// Registers of a multiprocessor, of 32 bits each.
    #[serde(deserialize_with = "positive::<_, BYTES>")]
    pub registers_per_sm: u64,
    /// Registers that the instructions of a work item can name.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub max_registers_per_thread: u64,
    /// The unit of allocation of registers.
    #[serde(deserialize_with = "positive::<_, BYTES>")]
    pub register_alloc_unit: u64,
    /// The receiver of an allocation of registers: a warp or a work group.
    pub register_alloc_granularity: AllocationGranularity,
    /// Multiprocessors whose register files serve one work group; `None` means 1.
    #[serde(default, deserialize_with = "optional::<_, 1, 64>")]
    pub registers_shared_by_sms: Option<u64>,
    /// The size of work group that the compiler fits the registers to; `None` if it does not.
    #[serde(default, deserialize_with = "optional::<_, 1, 1_048_576>")]
    pub compiled_for_threads_per_block: Option<u64>,

    /// Local memory of a multiprocessor, in bytes.
    #[serde(deserialize_with = "positive::<_, BYTES>")]
    pub shared_memory_per_sm_bytes: u64,
    /// The most local memory of a group, in bytes.
    #[serde(deserialize_with = "positive::<_, BYTES>")]
    pub shared_memory_per_block_max_bytes: u64,
    /// The most local memory, in bytes, of a group whose size is known at compilation; `None` if it is not smaller.
    #[serde(default, deserialize_with = "optional::<_, 1, BYTES>")]
    pub shared_memory_static_max_bytes: Option<u64>,
    /// Local memory of each group that the driver reserves, in bytes.
    #[serde(deserialize_with = "integer::<_, 0, BYTES>")]
    pub shared_memory_reserved_per_block_bytes: u64,
    /// The unit of allocation of local memory, in bytes.
    #[serde(deserialize_with = "positive::<_, BYTES>")]
    pub shared_alloc_granularity_bytes: u64,
    /// Banks of local memory.
    #[serde(deserialize_with = "positive::<_, 256>")]
    pub shared_banks: u64,
    /// The width of a bank, 4 or 8 bytes. With 8, the words i and i + banks of an aligned row of two rounds share a
    /// pass.
    #[serde(deserialize_with = "integer::<_, 4, 8>")]
    pub shared_bank_width_bytes: u64,

    /// The core clock in MHz; all cycles refer to it.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub core_clock_mhz: Rate,
    /// The width of the memory interface in bits.
    #[serde(deserialize_with = "positive::<_, 1_048_576>")]
    pub memory_bus_bits: u64,
    /// The bandwidth of the whole device's memory, in 10^9 bytes per second.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub memory_bandwidth_GBps: Rate,
    /// The fraction of this bandwidth that DRAM reaches; `None` means [the family's](Self::dram_efficiency()).
    #[serde(default, deserialize_with = "known_rate::<_, 1>")]
    pub dram_efficiency: Option<Rate>,
    /// Bytes per cycle of loads that hit L1.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub l1_bandwidth_bytes_per_cycle_per_sm: Rate,
    /// The overhead of one launch in microseconds; `None` means 4.
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

    /// Instructions of a warp that are issued per cycle.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub warp_instructions_per_cycle: Rate,
    /// Loads, stores and local accesses of a warp per cycle.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub warp_accesses_per_cycle: Rate,
    /// Bytes per cycle that the banks of local memory deliver.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub shared_bytes_per_cycle: Rate,
    /// The bytes that L1 looks up in one pass.
    #[serde(deserialize_with = "positive::<_, 4096>")]
    pub l1_pass_bytes: u64,
    /// True if L1 keeps data that loads bring from global memory, for the whole group.
    pub l1_keeps_global_loads: bool,
    /// True if L1 and local memory are one array, so that their passes add up.
    pub l1_unified_with_shared: bool,
    /// The size of one instruction in bytes.
    #[serde(deserialize_with = "rate::<_, 1024>")]
    pub instruction_bytes: Rate,
    /// The instruction cache that the warps of a scheduler share, in bytes.
    #[serde(deserialize_with = "positive::<_, BYTES>")]
    pub instruction_cache_bytes: u64,
    /// Bytes of code per cycle that refill the instruction cache.
    #[serde(deserialize_with = "rate::<_, 1_000_000>")]
    pub instruction_fetch_bytes_per_cycle: Rate,
    /// Words of constant memory that an operand can name; each further word takes one more instruction. `None` if
    /// operands can name all words.
    #[serde(default, deserialize_with = "optional::<_, 0, BYTES>")]
    pub constant_operand_words: Option<u64>,

    /// Bytes per cycle of loads that hit L2, for the whole device; `None` if not known. Lowering takes
    /// it behind HBM if it is more than that of an A100.
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    pub l2_bandwidth_bytes_per_cycle: Option<Rate>,
    /// Bytes per cycle between L2 and one multiprocessor; `None` means 64.
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    pub l2_port_bytes_per_cycle: Option<Rate>,
    /// Slots of L2 for a sector that a warp's store writes in part, where a full sector takes one; `None` means [the
    /// family's](Self::part_written_slots()).
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    pub part_written_slots: Option<Rate>,
    /// Channels of L2, where the address alone decides which one serves an access; `None` if the GPU spreads addresses over
    /// them, or if they are not known.
    #[serde(default, deserialize_with = "optional::<_, 1, 4096>")]
    pub l2_channels: Option<u64>,
    /// Neighbouring bytes in one channel of L2; `None` if `l2_channels` is not stated.
    #[serde(default, deserialize_with = "optional::<_, 32, 4096>")]
    pub l2_channel_interleave_bytes: Option<u64>,
    /// The size of the whole device's L2 in bytes; `None` if not known.
    #[serde(default, deserialize_with = "optional::<_, 1, BYTES>")]
    pub l2_size_bytes: Option<u64>,
    /// The start and the end of a group of 16 warps or more with a barrier, in cycles; `None` means 0.
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    pub large_group_cycles: Option<Rate>,
    /// Cycles from the last arrival at a barrier of all groups until all go on; `None` means 2,000.
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    pub grid_barrier_cycles: Option<Rate>,
    /// Cycles of one atomic operation of L2 on an address; `None` means 1.
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    pub same_address_atomic_cycles: Option<Rate>,
    /// Cycles until a single-precision result can be used; `None` if not known.
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    pub latency_fp32_fma_cycles: Option<Rate>,
    /// The extra cycles of a load from DRAM that is not coalesced; `None` if not known.
    #[serde(default, deserialize_with = "optional_rate::<_, 1_000_000>")]
    pub latency_uncoalesced_extra_cycles: Option<Rate>,
    /// Bytes per cycle of accesses that are not coalesced, for the whole device; `None` if not known.
    #[serde(default, deserialize_with = "known_rate::<_, 1_000_000>")]
    pub uncoalesced_bandwidth_bytes_per_cycle: Option<Rate>,
    /// The launch times of an empty kernel, by the size of its groups; empty if not known.
    #[serde(default)]
    pub launch_regression: Vec<LaunchRegression>,
    /// The weights of K1 to K6 in the efficiency of a kernel; `None` if not known.
    #[serde(default)]
    pub efficiency_weights: Option<[Weight; 6]>,

    /// The keys of the values that the file assumes or states without a source; empty until the file's comments are read.
    #[serde(skip)]
    pub assumed: BTreeSet<String>,
}

/// The launch time of an empty kernel: `per_group_us` times the number of groups, plus `fixed_us`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Hash)]
#[serde(deny_unknown_fields)]
pub struct LaunchRegression {
    /// Warps of a group.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub warps: u64,
    /// x1: microseconds per group.
    #[serde(deserialize_with = "rate_or_zero::<_, 1_000_000>")]
    pub per_group_us: Rate,
    /// x2: microseconds per launch.
    #[serde(deserialize_with = "rate_or_zero::<_, 1_000_000>")]
    pub fixed_us: Rate,
}

/// A weight of the efficiency: the exponent of one of K1 to K6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Hash)]
pub struct Weight(#[serde(deserialize_with = "rate_or_zero::<_, 1_000>")] pub Rate);

/// The vendor, whose compiler builds the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum Vendor {
    /// NVIDIA: nvcc, or the compiler of its driver.
    Nvidia,
    /// AMD: the back end of LLVM.
    Amd,
}

impl Vendor {
    /// Returns the vendor's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nvidia => "NVIDIA",
            Self::Amd => "AMD",
        }
    }
}

/// The receiver of an allocation of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Hash)]
#[serde(rename_all = "lowercase")]
pub enum AllocationGranularity {
    /// Each warp, from its scheduler's share of the file.
    #[serde(alias = "wave")]
    Warp,
    /// The work group, for an even number of warps.
    Block,
}

impl Pipelined {
    /// Returns the most registers of a work item without spills.
    #[must_use]
    pub fn register_limit(&self) -> u64 {
        let compiled_for = self.compiled_for_threads_per_block;
        compiled_for.map_or(self.max_registers_per_thread, |items| self.registers_of_group(items))
    }

    /// Returns the results of 16-bit floating-point operations on packed pairs per cycle, by lanes of their own or by those
    /// of single precision.
    #[must_use]
    pub fn fp16_results_per_cycle(&self) -> u64 {
        self.fp16_lanes_per_sm.unwrap_or(self.fp32_lanes_per_sm)
    }

    /// Returns the same for 16-bit numbers with the exponent of single precision.
    #[must_use]
    pub fn bf16_results_per_cycle(&self) -> u64 {
        self.bf16_lanes_per_sm.unwrap_or_else(|| self.fp16_results_per_cycle())
    }

    /// Returns the most registers of a work item of a group that has a multiprocessor's register file for itself.
    #[must_use]
    pub fn registers_of_group(&self, work_items: u64) -> u64 {
        let file = self.registers_per_sm * self.registers_shared_by_sms.unwrap_or(1);
        (file / work_items.max(1)).min(self.max_registers_per_thread)
    }

    /// Returns the number of words of a work item that spill if the work item needs this many registers and the compiler
    /// leaves `limit`.
    ///
    /// NVIDIA's compiler first computes addresses and ids again, which costs next to nothing.
    #[must_use]
    pub fn spilled_words(&self, registers: u64, limit: u64) -> u64 {
        let computed_again = match self.vendor {
            Vendor::Nvidia => COMPUTED_AGAIN,
            Vendor::Amd => 0,
        };
        registers.saturating_sub(limit).saturating_sub(computed_again)
    }

    /// Returns the most local memory of a group, in bytes. `dynamic` is true if its size is given at launch.
    #[must_use]
    pub fn local_memory_limit(&self, dynamic: bool) -> u64 {
        let fixed = self.shared_memory_static_max_bytes.filter(|_| !dynamic);
        fixed.map_or(self.shared_memory_per_block_max_bytes, |bytes| bytes.min(self.shared_memory_per_block_max_bytes))
    }

    /// Converts ticks, each a 16th of a core cycle, to microseconds.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "for people and for ratios: 53 bits are plenty")]
    pub fn microseconds(&self, ticks: u64) -> f64 {
        let megahertz = *self.core_clock_mhz.numer() as f64 / *self.core_clock_mhz.denom() as f64;
        ticks as f64 / 16.0 / megahertz
    }

    /// A contradiction between several values: the key and the message.
    pub(super) fn contradiction(&self) -> Option<(&'static str, String)> {
        let Self { registers_per_sm, schedulers_per_sm, shared_bank_width_bytes, .. } = self;
        if !registers_per_sm.is_multiple_of(*schedulers_per_sm) {
            let what = format!(
                "{registers_per_sm} registers_per_sm cannot be shared equally by {schedulers_per_sm} schedulers_per_sm"
            );
            return Some(("registers_per_sm", what));
        }
        if self.register_limit() == 0 {
            let what = "the register file has less than one register for each of this many work items".to_owned();
            return Some(("compiled_for_threads_per_block", what));
        }
        if ![4, 8].contains(shared_bank_width_bytes) {
            let what = format!("banks are 4 or 8 bytes wide, not {shared_bank_width_bytes}");
            return Some(("shared_bank_width_bytes", what));
        }
        if self.l2_channels.is_some() != self.l2_channel_interleave_bytes.is_some() {
            let what = "l2_channels and l2_channel_interleave_bytes need each other".to_owned();
            return Some(("l2_channels", what));
        }
        if self.l2_channels.is_some() && self.l2_bandwidth_bytes_per_cycle.is_none() {
            let what = "l2_channels need the l2_bandwidth_bytes_per_cycle of all channels".to_owned();
            return Some(("l2_channels", what));
        }
        self.matrix_contradiction()
    }
}

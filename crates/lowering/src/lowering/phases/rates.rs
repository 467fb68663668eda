//! Cycles that one GPU takes for a unit of work, whatever runs on it: section 2 of the physics.

use super::work::product_cycles;
use crate::gpu::{HBM_BITS, Pipelined, Rate, Vendor};
use crate::lowering::access::touched::Latencies;
use crate::lowering::access::warp::pass_bytes;
use crate::lowering::exact::Exact;
use autotune_kernel::source::MatrixType;

/// Bytes per cycle of the port of one multiprocessor to L2 if the profile does not state them.
const L2_PORT: u64 = 64;

/// The least bytes per cycle of the whole L2 in front of HBM: those of an A100.
const L2_OF_HBM: u64 = 5120;

/// Bytes per cycle of the whole L2 for each bit of another memory interface.
const L2_PER_BIT: u64 = 4;

/// Products of the instruction whose latency a profile of NVIDIA states: m16n8k16.
const MACS_OF_LATENCY: u64 = 16 * 8 * 16;

/// Products of the instruction whose latency a profile of AMD states, for warps of 64: 32x32x8.
const MACS_OF_LATENCY_WIDE: u64 = 32 * 32 * 8;

/// The same for warps of 32: 16x16x16.
const MACS_OF_LATENCY_NARROW: u64 = 16 * 16 * 16;

/// Cycles of a barrier of all groups if the profile does not state them: about 1.5 microseconds.
const GRID_BARRIER_CYCLES: u64 = 2000;

/// Cycles of the servers of one GPU for a unit of work.
#[derive(Debug)]
pub(in crate::lowering) struct Rates {
    pub(super) multiprocessors: u64,
    pub(super) schedulers: u64,
    pub(super) latencies: Latencies,
    pub(super) local_latency: Exact,
    /// The start and the end of a group of many warps with a barrier, in cycles.
    pub(super) large_group: Exact,
    /// Cycles from the last arrival at a barrier of all groups until all warps go on.
    pub(super) grid_barrier: Exact,
    pub(super) matrix_result: Exact,
    pub(super) instruction: Exact,
    pub(super) fp32: Exact,
    pub(super) int32: Exact,
    pub(super) fp64: Exact,
    pub(super) fp16: Exact,
    /// True if 16-bit operations have lanes of their own; else they take those of single precision.
    pub(super) fp16_alone: bool,
    pub(super) special: Exact,
    pub(super) access: Exact,
    pub(super) local_pass: Exact,
    pub(super) l1_byte: Exact,
    pub(super) l1_and_local_add_up: bool,
    pub(super) l2_byte: Exact,
    /// Cycles of a byte of the whole L2, whatever the port of a multiprocessor takes.
    pub(super) l2_slot_byte: Exact,
    /// Bytes per cycle of the port of one multiprocessor to L2.
    l2_port: Exact,
    /// Bytes per cycle that the whole L2 delivers to copies.
    copied: Exact,
    /// Bytes per cycle that the channels of L2 deliver together, where the address decides about the channel.
    channels: Option<Rate>,
    /// Cycles of a byte of DRAM, if one multiprocessor has DRAM alone.
    pub(super) dram_byte: Exact,
    /// Cycles of an atomic operation, if one multiprocessor has its address alone.
    pub(super) contended: Exact,
    pub(super) code_byte: Exact,
    pub(super) instruction_bytes: Exact,
    pub(super) instruction_cache: Exact,
}

impl Rates {
    pub(in crate::lowering) fn new(gpu: &Pipelined) -> Self {
        let per_scheduler = Exact::from(gpu.schedulers_per_sm);
        let operation = |lanes: u64| per_scheduler * Exact::ratio(gpu.warp_size, lanes);
        let served = |rate: Rate| Exact::ONE / Exact::from(rate);
        let l2 = if gpu.memory_bus_bits < HBM_BITS {
            Exact::from(L2_PER_BIT * gpu.memory_bus_bits)
        } else {
            // A measured bandwidth is a lower bound of what L2 delivers.
            gpu.l2_bandwidth_bytes_per_cycle.map_or(Exact::ZERO, Exact::from).max(L2_OF_HBM.into())
        };
        let l2_port = gpu.l2_port_bytes_per_cycle.map_or(Exact::from(L2_PORT), Exact::from);
        Self {
            multiprocessors: gpu.multiprocessors,
            schedulers: gpu.schedulers_per_sm,
            latencies: Latencies::new(gpu),
            large_group: gpu.large_group_cycles.map_or(Exact::ZERO, Exact::from),
            local_latency: gpu.latency_shared_load_cycles.into(),
            grid_barrier: gpu.grid_barrier_cycles.map_or(Exact::from(GRID_BARRIER_CYCLES), Exact::from),
            matrix_result: matrix_result(gpu),
            instruction: per_scheduler * served(gpu.warp_instructions_per_cycle),
            fp32: operation(gpu.fp32_lanes_per_sm),
            int32: operation(gpu.int32_lanes_per_sm),
            fp64: operation(gpu.fp64_lanes_per_sm),
            fp16: operation(gpu.fp16_results_per_cycle()) * Exact::from(2),
            fp16_alone: gpu.fp16_lanes_per_sm.is_some(),
            special: operation(gpu.sfu_lanes_per_sm),
            access: served(gpu.warp_accesses_per_cycle),
            local_pass: Exact::from(pass_bytes(gpu)) * served(gpu.shared_bytes_per_cycle),
            l1_byte: served(gpu.l1_bandwidth_bytes_per_cycle_per_sm),
            l1_and_local_add_up: gpu.l1_unified_with_shared,
            l2_byte: Exact::ONE / l2_port.min(l2 / Exact::from(gpu.multiprocessors)),
            l2_slot_byte: Exact::from(gpu.multiprocessors) / l2,
            l2_port,
            copied: gpu.l2_bandwidth_bytes_per_cycle.map_or(l2, Exact::from),
            // All channels together deliver what was measured.
            channels: gpu.l2_bandwidth_bytes_per_cycle.filter(|_| gpu.l2_channels.is_some()),
            dram_byte: Exact::ONE / dram_bytes_per_cycle(gpu),
            contended: gpu.same_address_atomic_cycles.map_or(Exact::ONE, Exact::from),
            code_byte: per_scheduler * served(gpu.instruction_fetch_bytes_per_cycle),
            instruction_bytes: gpu.instruction_bytes.into(),
            instruction_cache: gpu.instruction_cache_bytes.into(),
        }
    }

    /// Cycles of a copied byte in a launch of `groups` groups. Copies keep L2 busy all the time: it delivers what was
    /// measured, to the multiprocessors that have groups.
    pub(super) fn copied_byte(&self, groups: u64) -> Exact {
        Exact::ONE / self.l2_port.min(self.copied / self.with_groups(groups))
    }

    /// Cycles of a byte in the slots of sectors that take several, in a launch of `groups` groups: the whole L2 has as many as its
    /// measured bandwidth says.
    pub(super) fn slot_byte(&self, groups: u64) -> Exact {
        self.with_groups(groups) / self.copied
    }

    /// Cycles of a byte of the channels of L2 in a launch of `groups` groups; 0 if the address does not choose the channel.
    pub(super) fn channel_byte(&self, groups: u64) -> Exact {
        self.channels.map_or(Exact::ZERO, |rate| self.with_groups(groups) / Exact::from(rate))
    }

    /// The multiprocessors that have groups.
    fn with_groups(&self, groups: u64) -> Exact {
        Exact::from(self.multiprocessors.min(groups))
    }
}

/// Cycles from the end of the service of a matrix instruction to its result; 0 if the profile does not know them.
fn matrix_result(gpu: &Pipelined) -> Exact {
    let (Some(latency), Some(rate)) = (gpu.matrix_latency_cycles, gpu.matrix_macs(MatrixType::Fp16, true)) else {
        return Exact::ZERO;
    };
    let macs = match gpu.vendor {
        Vendor::Nvidia => MACS_OF_LATENCY,
        Vendor::Amd if gpu.warp_size == 64 => MACS_OF_LATENCY_WIDE,
        Vendor::Amd => MACS_OF_LATENCY_NARROW,
    };
    Exact::from(latency).saturating_sub(product_cycles(gpu, macs, rate))
}

/// Bytes per core cycle that DRAM delivers to all multiprocessors together.
pub(in crate::lowering) fn dram_bytes_per_cycle(gpu: &Pipelined) -> Exact {
    let promised = Exact::from(gpu.memory_bandwidth_GBps) * Exact::from(1000) / Exact::from(gpu.core_clock_mhz);
    Exact::from(gpu.dram_efficiency()) * promised
}

//! The servers of a multiprocessor and their use by a phase: sections 2 and 3 of the physics.

use super::norm::norm;
use super::traffic::Issued;
use super::work::{Work, product_cycles};
use crate::gpu::{Pipelined, Rate, Vendor};
use crate::lowering::access::touched::Latencies;
use crate::lowering::access::warp::pass_bytes;
use crate::lowering::exact::Exact;
use crate::machine::Server;
use crate::source::MatrixType;

/// Ticks of a core cycle.
pub(super) const TICKS_PER_CYCLE: u64 = 16;

/// The most resources of a server.
const RESOURCES: usize = 6;

/// Local accesses of a warp that share one wait for the latency of local memory.
const LOCAL_IN_FLIGHT: u64 = 8;

/// The least width in bits of a memory interface that is HBM.
const HBM_BITS: u64 = 1024;

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

/// The fraction of its nominal bandwidth that DRAM reaches: 0.85.
pub(crate) const DRAM_EFFICIENCY: Rate = Rate::new_raw(17, 20);

/// The cycles that the servers of one GPU take for a unit of work.
#[derive(Debug)]
pub(in crate::lowering) struct Servers {
    warps: Exact,
    latencies: Latencies,
    local_latency: Exact,
    matrix_result: Exact,
    instruction: Exact,
    fp32: Exact,
    int32: Exact,
    fp64: Exact,
    fp16: Exact,
    /// True if 16-bit operations have lanes of their own; else they take those of single precision.
    fp16_alone: bool,
    special: Exact,
    access: Exact,
    local_pass: Exact,
    l1_byte: Exact,
    l1_and_local_add_up: bool,
    l2_byte: Exact,
    copied_byte: Exact,
    channel_byte: Exact,
    dram_byte: Exact,
    contended: Exact,
    code_byte: Exact,
    instruction_bytes: Exact,
    instruction_cache: Exact,
}

impl Servers {
    /// Returns the servers for a launch of `groups` groups of `warps` warps.
    pub(in crate::lowering) fn new(gpu: &Pipelined, warps: u64, groups: u64) -> Self {
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
        // Multiprocessors with fewer groups than the others leave them their share of DRAM.
        let sharing = Exact::ratio(groups, groups.div_ceil(gpu.multiprocessors).max(1));
        // Copies keep L2 busy all the time: it delivers what was measured, to the multiprocessors that have groups.
        let copied = gpu.l2_bandwidth_bytes_per_cycle.map_or(l2, Exact::from);
        // Where the address decides, all channels together deliver what was measured.
        let channels = gpu.l2_bandwidth_bytes_per_cycle.filter(|_| gpu.l2_channels.is_some());
        let with_groups = Exact::from(gpu.multiprocessors.min(groups));
        Self {
            warps: warps.into(),
            latencies: Latencies::new(gpu),
            local_latency: gpu.latency_shared_load_cycles.into(),
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
            copied_byte: Exact::ONE / l2_port.min(copied / with_groups),
            channel_byte: channels.map_or(Exact::ZERO, |rate| with_groups / Exact::from(rate)),
            dram_byte: sharing / dram_bytes_per_cycle(gpu),
            contended: sharing * gpu.same_address_atomic_cycles.map_or(Exact::ONE, Exact::from),
            code_byte: per_scheduler * served(gpu.instruction_fetch_bytes_per_cycle),
            instruction_bytes: gpu.instruction_bytes.into(),
            instruction_cache: gpu.instruction_cache_bytes.into(),
        }
    }

    /// A phase's servers, in the order of their uses.
    pub(in crate::lowering) fn order(work: &Work) -> [Server; 3] {
        if work.loads {
            [Server::Memory, Server::Local, Server::Dispatcher]
        } else {
            [Server::Local, Server::Dispatcher, Server::Memory]
        }
    }

    /// Cycles that a warp waits for memory in a phase, without contention.
    pub(in crate::lowering) fn latency(&self, work: &Work) -> Exact {
        work.load_latency + self.local_latency * self.local_round_trips(work)
    }

    /// Waits of a warp for local memory in a phase.
    pub(super) fn local_round_trips(&self, work: &Work) -> Exact {
        if !work.local_accesses.is_positive() {
            return Exact::ZERO;
        }
        work.local_accesses / self.warps / Exact::from(LOCAL_IN_FLIGHT) + Exact::ONE
    }

    /// Cycles of one wait for local memory.
    pub(super) fn local_latency(&self) -> Exact {
        self.local_latency
    }

    /// Cycles until loads and copies that are under way together are done, behind the service.
    pub(super) fn memory_latency(&self, work: &Work) -> Exact {
        if work.loaded.moved.is_positive() {
            self.latencies.mean(work.loaded.moved, work.l2_bytes, work.dram_bytes)
        } else {
            Exact::ZERO
        }
    }

    /// Cycles from the end of the service of matrix instructions to their result; 0 without such instructions.
    pub(super) fn matrix_latency(&self, work: &Work) -> Exact {
        if work.matrix.is_positive() { self.matrix_result } else { Exact::ZERO }
    }

    /// Ticks that a warp occupies a server with a share of a phase; `None` if a number does not fit. The greatest sum of
    /// memory and local hides the others; the dispatcher's get in each other's way.
    pub(in crate::lowering) fn occupancy(&self, server: Server, work: &Work, share: Exact) -> Option<u64> {
        self.occupancy_in(server, work, share, work.code)
    }

    /// The ticks of [`Self::occupancy`] in a straight run of `straight` instructions, of which the work has some.
    pub(super) fn occupancy_in(&self, server: Server, work: &Work, share: Exact, straight: Exact) -> Option<u64> {
        let part = share / self.warps;
        let sums = self.sums(server, work);
        if server != Server::Dispatcher {
            return ticks(sums.into_iter().fold(Exact::ZERO, Exact::max) * part).ceil();
        }
        let mut busy = [0; RESOURCES];
        for (busy, sum) in busy.iter_mut().zip(sums) {
            *busy = ticks(sum * part).ceil()?;
        }
        norm(&busy)?.checked_add(ticks(self.fetching(work, straight) * share).ceil()?)
    }

    /// The sums of a server's cycles for a group, one per resource of the server.
    fn sums(&self, server: Server, work: &Work) -> [Exact; RESOURCES] {
        let none = Exact::ZERO;
        match server {
            Server::Memory => {
                let loaded = work.l2_bytes.saturating_sub(work.copied_bytes) * self.l2_byte;
                let l2 = loaded + work.copied_bytes * self.copied_byte;
                let dram = work.dram_bytes * self.dram_byte;
                let channels = (work.l2_bytes + work.crowding_bytes) * self.channel_byte;
                [l2, channels, dram, work.contended * self.contended, none, none]
            }
            Server::Local => {
                let local = work.local_passes * self.local_pass;
                let l1 = work.l1_bytes * self.l1_byte;
                let accesses = work.issued.accesses * self.access;
                if self.l1_and_local_add_up {
                    [local + l1, accesses, none, none, none, none]
                } else {
                    [local, l1, accesses, none, none, none]
                }
            }
            Server::Matrix => [work.matrix, none, none, none, none, none],
            Server::Dispatcher => {
                let Issued { instructions, fp32, int32, fp64, fp16, special, .. } = work.issued;
                let (fp32, fp16) = (fp32 * self.fp32, fp16 * self.fp16);
                let [fp32, fp16] = if self.fp16_alone { [fp32, fp16] } else { [fp32 + fp16, none] };
                [
                    instructions * self.instruction,
                    fp32,
                    int32 * self.int32,
                    fp64 * self.fp64,
                    special * self.special,
                    fp16,
                ]
            }
        }
    }

    /// Cycles of a warp's fetches of code beyond the instruction cache; nothing is issued meanwhile. Each instruction of a
    /// straight run has an equal part of them.
    fn fetching(&self, work: &Work, straight: Exact) -> Exact {
        let beyond = (straight * self.instruction_bytes).saturating_sub(self.instruction_cache);
        if !beyond.is_positive() {
            return Exact::ZERO;
        }
        let part = if straight == work.code { Exact::ONE } else { work.code / straight };
        beyond * self.code_byte * part
    }

    /// The fraction of a server's time in a phase that one of its statements causes; `None` if a number does not fit.
    ///
    /// It is the statement's part of the greatest sum. The dispatcher's sums count by their fourth powers, as in the norm.
    pub(super) fn part(&self, server: Server, phase: &Work, statement: &Work, straight: Exact) -> Option<f64> {
        let whole = numbers(self.sums(server, phase))?;
        let part = numbers(self.sums(server, statement))?;
        let greatest = whole.iter().copied().fold(0.0, f64::max);
        let weight =
            |sum: f64| if server == Server::Dispatcher { (sum / greatest).powi(4) } else { f64::from(sum >= greatest) };
        let (mut weights, mut parts) = (0.0, 0.0);
        for (whole, part) in whole.into_iter().zip(part).filter(|(whole, _)| *whole > 0.0) {
            weights += weight(whole);
            parts += weight(whole) * part / whole;
        }
        let busy = if weights > 0.0 { parts / weights } else { 0.0 };
        if server != Server::Dispatcher || !phase.code.is_positive() {
            return Some(busy);
        }
        let issuing = greatest * weights.sqrt().sqrt() / self.warps.to_f64()?;
        let fetching = self.fetching(phase, straight).to_f64()?;
        let fetched = (statement.code / phase.code).to_f64()?;
        Some((issuing * busy + fetching * fetched) / (issuing + fetching))
    }

    /// The fraction of a phase's latency that one of its statements causes; `None` if a number does not fit.
    pub(super) fn part_of_latency(&self, phase: &Work, statement: &Work) -> Option<f64> {
        let mut cycles = statement.load_latency;
        if statement.local_accesses.is_positive() {
            let rounds = self.local_round_trips(phase) * statement.local_accesses / phase.local_accesses;
            cycles += self.local_latency * rounds;
        }
        (cycles / self.latency(phase)).to_f64()
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

fn numbers(sums: [Exact; RESOURCES]) -> Option<[f64; RESOURCES]> {
    let mut numbers = [0.0; RESOURCES];
    for (number, sum) in numbers.iter_mut().zip(sums) {
        *number = sum.to_f64()?;
    }
    Some(numbers)
}

/// Bytes per core cycle that DRAM delivers to all multiprocessors together.
pub(in crate::lowering) fn dram_bytes_per_cycle(gpu: &Pipelined) -> Exact {
    let promised = Exact::from(gpu.memory_bandwidth_GBps) * Exact::from(1000) / Exact::from(gpu.core_clock_mhz);
    Exact::from(DRAM_EFFICIENCY) * promised
}

/// Converts cycles to ticks.
pub(in crate::lowering) fn ticks(cycles: Exact) -> Exact {
    cycles * Exact::from(TICKS_PER_CYCLE)
}

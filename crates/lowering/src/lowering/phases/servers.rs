//! The servers of a multiprocessor and their use by a phase: sections 2 and 3 of the physics.

use super::norm::norm;
use super::rates::Rates;
use super::traffic::Issued;
use super::work::Work;
use crate::lowering::access::touched::Supplied;
use crate::lowering::exact::Exact;
use autotune_machine::machine::Server;

/// Ticks of a core cycle.
pub(super) const TICKS_PER_CYCLE: u64 = 16;

/// The most resources of a server.
const RESOURCES: usize = 6;

/// The least warps of a group whose start and end take time.
const MANY_WARPS: u64 = 16;

/// Local accesses of a warp that share one wait for the latency of local memory.
const LOCAL_IN_FLIGHT: u64 = 8;

/// The servers of a multiprocessor in one launch.
#[derive(Debug)]
pub(in crate::lowering) struct Servers<'a> {
    pub(super) rates: &'a Rates,
    /// Groups of the launch.
    groups: u64,
    /// Warps of a group.
    warps: Exact,
    /// Multiprocessors that share DRAM and the units of atomic operations, as a mean over the launch.
    sharing: Exact,
}

impl<'a> Servers<'a> {
    /// Returns the servers for a launch of `groups` groups of `warps` warps.
    pub(in crate::lowering) fn new(rates: &'a Rates, warps: u64, groups: u64) -> Self {
        // Multiprocessors with fewer groups than the others leave them their share of DRAM.
        let sharing = Exact::ratio(groups, groups.div_ceil(rates.multiprocessors).max(1));
        Self { rates, groups, warps: warps.into(), sharing }
    }

    /// The start and the end of a group with a barrier, in cycles.
    pub(super) fn start_and_end(&self) -> Exact {
        if self.warps >= Exact::from(MANY_WARPS) { self.rates.large_group } else { Exact::ZERO }
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
        work.load_latency + self.rates.local_latency * self.local_round_trips(work)
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
        self.rates.local_latency
    }

    /// Cycles until loads and copies that are under way together are done, behind the service.
    pub(super) fn memory_latency(&self, work: &Work) -> Exact {
        if work.loaded.moved.is_positive() { self.rates.latencies.mean(&Supplied::of(work)) } else { Exact::ZERO }
    }

    /// Cycles from the end of the service of matrix instructions to their result; 0 without such instructions.
    pub(super) fn matrix_latency(&self, work: &Work) -> Exact {
        if work.matrix.is_positive() { self.rates.matrix_result } else { Exact::ZERO }
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

    /// Ticks that a group occupies a server with a phase, or the scheduler that has most of its warps; `None` if a number does not
    /// fit.
    pub(super) fn of_group(&self, server: Server, work: &Work) -> Option<Exact> {
        let alike = if matches!(server, Server::Memory | Server::Local) { 1 } else { self.rates.schedulers };
        Some(Exact::from(self.occupancy(server, work, Exact::ONE)?) * self.warps / Exact::from(alike))
    }

    /// The sums of a server's cycles for a group, one per resource of the server.
    fn sums(&self, server: Server, work: &Work) -> [Exact; RESOURCES] {
        let none = Exact::ZERO;
        match server {
            Server::Memory => {
                let not_copied = work.l2_bytes.saturating_sub(work.copied_bytes);
                let mut l2 = not_copied * self.rates.l2_byte;
                if work.copied_bytes.is_positive() {
                    // What DRAM supplies is written to L2 first, which takes L2's time where copies keep it busy.
                    l2 += (work.copied_bytes + work.loaded.beyond_l2) * self.rates.copied_byte(self.groups);
                }
                let in_a_slot = not_copied.saturating_sub(work.slotted_bytes);
                let slots = in_a_slot * self.rates.l2_slot_byte + work.slot_bytes * self.rates.slot_byte(self.groups);
                let channels = (work.l2_bytes + work.crowding_bytes) * self.rates.channel_byte(self.groups);
                let dram = work.dram_bytes * self.rates.dram_byte * self.sharing;
                let contended = work.contended * self.rates.contended * self.sharing;
                [l2, slots, channels, dram, contended, none]
            }
            Server::Local => {
                let local = work.local_passes * self.rates.local_pass;
                let l1 = work.l1_bytes * self.rates.l1_byte;
                let accesses = work.issued.accesses * self.rates.access;
                if self.rates.l1_and_local_add_up {
                    [local + l1, accesses, none, none, none, none]
                } else {
                    [local, l1, accesses, none, none, none]
                }
            }
            Server::Matrix => [work.matrix, none, none, none, none, none],
            Server::Dispatcher => {
                let Issued { instructions, fp32, int32, fp64, fp16, special, .. } = work.issued;
                let (fp32, fp16) = (fp32 * self.rates.fp32, fp16 * self.rates.fp16);
                let [fp32, fp16] = if self.rates.fp16_alone { [fp32, fp16] } else { [fp32 + fp16, none] };
                [
                    instructions * self.rates.instruction,
                    fp32,
                    int32 * self.rates.int32,
                    fp64 * self.rates.fp64,
                    special * self.rates.special,
                    fp16,
                ]
            }
        }
    }

    /// Cycles of a warp's fetches of code beyond the instruction cache; nothing is issued meanwhile. Each instruction of a
    /// straight run has an equal part of them.
    fn fetching(&self, work: &Work, straight: Exact) -> Exact {
        let beyond = (straight * self.rates.instruction_bytes).saturating_sub(self.rates.instruction_cache);
        if !beyond.is_positive() {
            return Exact::ZERO;
        }
        let part = if straight == work.code { Exact::ONE } else { work.code / straight };
        beyond * self.rates.code_byte * part
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
            cycles += self.rates.local_latency * rounds;
        }
        (cycles / self.latency(phase)).to_f64()
    }
}

fn numbers(sums: [Exact; RESOURCES]) -> Option<[f64; RESOURCES]> {
    let mut numbers = [0.0; RESOURCES];
    for (number, sum) in numbers.iter_mut().zip(sums) {
        *number = sum.to_f64()?;
    }
    Some(numbers)
}

/// Converts cycles to ticks.
pub(in crate::lowering) fn ticks(cycles: Exact) -> Exact {
    cycles * Exact::from(TICKS_PER_CYCLE)
}

//! Occupancy: the number of work groups that a multiprocessor runs at a time, as the vendors' calculators count it.

use std::fmt;

use super::{AllocationGranularity, Pipelined};

/// The resources of a multiprocessor that a work group takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// Work items, at least 1.
    pub work_items: u64,
    /// Registers of a work item.
    pub registers: u64,
    /// Local memory in bytes, without the driver's reserve.
    pub local_memory: u64,
}

/// A resource that limits the number of resident groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Work groups: `max_blocks_per_sm`.
    Groups,
    /// Warps: `max_warps_per_sm`.
    Warps,
    /// Work items: `max_threads_per_sm`.
    WorkItems,
    /// Registers: `registers_per_sm`.
    Registers,
    /// Local memory: `shared_memory_per_sm_bytes`.
    LocalMemory,
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Groups => "groups",
            Self::Warps => "warps",
            Self::WorkItems => "work_items",
            Self::Registers => "registers",
            Self::LocalMemory => "local_memory",
        })
    }
}

/// The number of resident groups and the limit that sets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Occupancy {
    /// R: resident work groups of a multiprocessor, at least 1.
    pub groups: u64,
    /// W: warps of a group.
    pub warps: u64,
    /// The binding limit; among equals the first in the order of [`Limit`].
    pub limit: Limit,
}

/// A group that is too large for a whole multiprocessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfit {
    /// The limit that the group exceeds.
    pub limit: Limit,
    /// The demand of the group in the limit's unit, rounded up to the unit of allocation. Local memory is in bytes.
    pub needed: u64,
    /// The supply of the multiprocessor, in the same unit.
    pub available: u64,
}

/// The number of groups that one limit allows.
#[derive(Debug, Clone, Copy)]
struct Bound {
    limit: Limit,
    needed: u64,
    available: u64,
    groups: u64,
}

impl Bound {
    fn new(limit: Limit, needed: u64, available: u64) -> Self {
        let groups = available.checked_div(needed).unwrap_or(u64::MAX);
        Self { limit, needed, available, groups }
    }
}

impl Pipelined {
    /// Returns the number of groups of this demand that a multiprocessor runs at a time.
    ///
    /// # Errors
    /// `Unfit` if the multiprocessor cannot run a single group.
    pub fn occupancy(&self, demand: Demand) -> Result<Occupancy, Unfit> {
        let warps = demand.work_items.div_ceil(self.warp_size);
        let local = demand.local_memory.saturating_add(self.shared_memory_reserved_per_block_bytes);
        // What the driver reserves keeps groups from running beside others. A group that fits without it runs alone.
        let local = round_up(local, self.shared_alloc_granularity_bytes);
        let alone = round_up(demand.local_memory, self.shared_alloc_granularity_bytes);
        let local = if local > self.shared_memory_per_sm_bytes { alone } else { local };
        let mut binding = Bound::new(Limit::Groups, 1, self.max_blocks_per_sm);
        for bound in [
            Bound::new(Limit::Warps, warps, self.max_warps_per_sm),
            Bound::new(Limit::WorkItems, demand.work_items, self.max_threads_per_sm),
            self.registers(demand.registers.max(1), warps),
            Bound::new(Limit::LocalMemory, local, self.shared_memory_per_sm_bytes),
        ] {
            if bound.groups < binding.groups {
                binding = bound;
            }
        }
        let Bound { limit, needed, available, groups } = binding;
        if groups == 0 { Err(Unfit { limit, needed, available }) } else { Ok(Occupancy { groups, warps, limit }) }
    }

    fn registers(&self, per_item: u64, warps: u64) -> Bound {
        let of_a_warp = per_item.saturating_mul(self.warp_size);
        match self.register_alloc_granularity {
            AllocationGranularity::Block => {
                let even = of_a_warp.saturating_mul(warps.next_multiple_of(2));
                Bound::new(Limit::Registers, round_up(even, self.register_alloc_unit), self.registers_per_sm)
            }
            AllocationGranularity::Warp => {
                self.registers_of_schedulers(round_up(of_a_warp, self.register_alloc_unit), warps)
            }
        }
    }

    /// The bound of registers that each scheduler allocates to whole warps from its share of the file. A group that is
    /// too large for one multiprocessor may use the files of all multiprocessors that share them, alone.
    fn registers_of_schedulers(&self, of_a_warp: u64, warps: u64) -> Bound {
        let sms = self.registers_shared_by_sms.unwrap_or(1);
        let warps_of_a_scheduler = self.registers_per_sm / self.schedulers_per_sm / of_a_warp;
        let groups = |sms: u64| warps_of_a_scheduler * self.schedulers_per_sm * sms / warps;
        Bound {
            limit: Limit::Registers,
            needed: of_a_warp.saturating_mul(warps.next_multiple_of(self.schedulers_per_sm * sms)),
            available: self.registers_per_sm * sms,
            groups: if groups(1) > 0 { groups(1) } else { groups(sms).min(1) },
        }
    }
}

fn round_up(number: u64, unit: u64) -> u64 {
    number.checked_next_multiple_of(unit).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::process::Command;

    use super::super::profile::Profile;
    use super::*;
    use crate::gpu::{find, shipped};

    fn gpu(name: &str) -> Pipelined {
        match &find(name).unwrap().profile {
            Profile::Pipelined(profile) => (**profile).clone(),
            Profile::Lockstep(_) => panic!("{name} is lockstep"),
        }
    }

    fn occupancy(name: &str, work_items: u64, registers: u64, local_memory: u64) -> (u64, Limit) {
        let found = gpu(name).occupancy(Demand { work_items, registers, local_memory }).unwrap();
        (found.groups, found.limit)
    }

    #[test]
    fn as_the_cuda_occupancy_calculator() {
        // compute capability 2.0: 8 groups, 48 warps; 128-byte units of shared memory; 64 registers, of either scheduler
        assert_eq!(occupancy("gtx480", 256, 20, 0), (6, Limit::Warps));
        assert_eq!(occupancy("gtx480", 256, 32, 0), (4, Limit::Registers));
        assert_eq!(occupancy("gtx480", 64, 16, 0), (8, Limit::Groups));
        assert_eq!(occupancy("gtx480", 128, 16, 12_289), (3, Limit::LocalMemory));
        // 3.5: 64 warps, 16 groups, 256 registers
        assert_eq!(occupancy("gtx-titan", 256, 33, 0), (6, Limit::Registers));
        assert_eq!(occupancy("gtx-titan", 256, 32, 0), (8, Limit::Warps));
        // Beside what the driver reserves, two groups of 24 KiB do not fit 48 KiB; one of 48 KiB runs alone.
        assert_eq!(occupancy("gtx-titan", 64, 32, 24_576), (1, Limit::LocalMemory));
        assert_eq!(occupancy("gtx-titan", 64, 32, 24_320), (2, Limit::LocalMemory));
        assert_eq!(occupancy("gtx-titan", 64, 32, 49_152), (1, Limit::LocalMemory));
        // 7.5: 32 warps, 16 groups
        assert_eq!(occupancy("rtx2080ti", 1024, 64, 0), (1, Limit::Warps));
        assert_eq!(occupancy("rtx2080ti", 32, 32, 0), (16, Limit::Groups));
        assert_eq!(occupancy("rtx2080ti", 256, 32, 20_000), (3, Limit::LocalMemory));
        // 8.0: the driver keeps 1 KiB of each group's shared memory
        assert_eq!(occupancy("a100", 128, 32, 16_384), (9, Limit::LocalMemory));
        assert_eq!(occupancy("a100", 256, 128, 0), (2, Limit::Registers));
    }

    /// Launches and the groups of each, as `tests/data/occupancy/launches.py` fills a multiprocessor of NVIDIA.
    const LAUNCHES: &str = include_str!("../../../../tests/data/occupancy/launches.csv");

    /// The groups of a launch, 0 if none fits, and the limit.
    fn filled(gpu: &Pipelined, demand: Demand) -> (u64, Limit) {
        match gpu.occupancy(demand) {
            Ok(Occupancy { groups, limit, .. }) => (groups, limit),
            Err(Unfit { limit, .. }) => (0, limit),
        }
    }

    #[test]
    fn two_thousand_launches_have_the_groups_of_nvidias_published_rules() {
        let (mut launches, mut compared, mut capabilities, mut limits) = (0, 0, HashSet::new(), HashSet::new());
        for line in LAUNCHES.lines().skip(1) {
            let [capability, work_items, registers, local_memory, groups, limited_by] =
                <[&str; 6]>::try_from(line.split(',').collect::<Vec<_>>()).unwrap();
            let [work_items, registers, local_memory, groups] =
                [work_items, registers, local_memory, groups].map(|number| number.parse::<u64>().unwrap());
            let target = format!("sm_{}", capability.replace('.', ""));
            let of_target = shipped().into_iter().filter(|file| file.profile.target() == Some(&target));
            for file in of_target {
                let Profile::Pipelined(gpu) = &file.profile else { unreachable!("{target} is a real GPU's") };
                let (found, limit) = filled(gpu, Demand { work_items, registers, local_memory });
                assert_eq!(found, groups, "{}: {line}", file.profile.name());
                assert!(limited_by.split(' ').any(|name| name == limit.to_string()), "{}: {limit} of {line}", gpu.name);
                limits.insert(limit);
                capabilities.insert(capability);
                compared += 1;
            }
            launches += 1;
        }
        assert_eq!((launches, capabilities.len(), limits.len()), (2000, 14, 4));
        assert!(compared > 3 * launches, "{compared}");
    }

    #[test]
    fn the_launches_are_those_that_the_script_draws() {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/occupancy/launches.py");
        let ended = Command::new("python3").arg(script).output().expect("this test needs python3");
        assert!(ended.status.success() && ended.stdout == LAUNCHES.as_bytes());
    }

    #[test]
    fn a_scheduler_serves_whole_warps() {
        // 168 registers: 5,376 of a warp, three of them in each scheduler's 16,384: 12 warps, not the 65,536 / 5,376 = 12.2
        assert_eq!(occupancy("v100", 32, 168, 0), (12, Limit::Registers));
        // 140: 4,608 a warp: 3 * 4 = 12 warps, though 14 would fit the whole file
        assert_eq!(occupancy("v100", 32, 140, 0), (12, Limit::Registers));
        let unfit = gpu("v100").occupancy(Demand { work_items: 416, registers: 140, local_memory: 0 });
        assert_eq!(unfit, Err(Unfit { limit: Limit::Registers, needed: 73_728, available: 65_536 }));
    }

    #[test]
    fn tesla_hands_registers_to_the_group() {
        // compute capability 1.3: units of 512 for an even number of warps: 3 warps of 20 are 2,560, rounded up from 1,920
        assert_eq!(occupancy("gtx285", 96, 20, 0), (6, Limit::Registers));
        assert_eq!(occupancy("gtx285", 256, 16, 0), (4, Limit::Warps));
        // 1.1: units of 256
        assert_eq!(occupancy("8600gt", 256, 10, 0), (3, Limit::Warps));
        assert_eq!(occupancy("8600gt", 256, 11, 0), (2, Limit::Registers));
    }

    #[test]
    fn waves_of_amd() {
        // GCN: 10 waves of each of 4 SIMDs; 256 registers a lane and SIMD, in units of 4
        assert_eq!(occupancy("mi50", 64, 24, 0), (16, Limit::Groups));
        assert_eq!(occupancy("mi50", 256, 24, 0), (10, Limit::Warps));
        assert_eq!(occupancy("mi50", 256, 25, 0), (9, Limit::Registers));
        assert_eq!(occupancy("mi50", 256, 24, 8_193), (7, Limit::LocalMemory));
    }

    #[test]
    fn a_large_group_of_rdna_has_the_files_of_a_pair() {
        // 1,024 work items of 128 registers: the 131,072 of two compute units
        assert_eq!(occupancy("w6600", 1024, 128, 0), (1, Limit::Warps));
        assert_eq!(occupancy("w6600", 512, 128, 0), (1, Limit::Registers));
        let unfit = gpu("w6600").occupancy(Demand { work_items: 1024, registers: 129, local_memory: 0 });
        assert_eq!(unfit, Err(Unfit { limit: Limit::Registers, needed: 147_456, available: 131_072 }));
    }

    #[test]
    fn a_group_too_large_for_the_multiprocessor_names_what_it_breaks() {
        let unfit = |demand| gpu("rtx2080ti").occupancy(demand).unwrap_err();
        let registers = unfit(Demand { work_items: 1024, registers: 65, local_memory: 0 });
        assert_eq!(registers, Unfit { limit: Limit::Registers, needed: 73_728, available: 65_536 });
        let local = unfit(Demand { work_items: 32, registers: 32, local_memory: 65_537 });
        assert_eq!(local, Unfit { limit: Limit::LocalMemory, needed: 65_792, available: 65_536 });
        let huge = unfit(Demand { work_items: u64::MAX, registers: u64::MAX, local_memory: u64::MAX });
        assert_eq!((huge.limit, huge.available), (Limit::Warps, 32));
    }
}

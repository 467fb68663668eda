//! The load that a configuration puts on the machine: where the predicted time comes from.

use num_traits::ToPrimitive;

use crate::compare::Prediction;
use crate::compare::term::{alone, dominating_on_machine};
use autotune_base::ticks::Ticks;
use autotune_lowering::gpu::{Limit, Profile};
use autotune_lowering::models::predict::complete_time;
use autotune_lowering::space::Case;
use autotune_machine::machine::{Server, busy};

/// The load of a feasible configuration on the machine.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineLoad {
    /// The predicted time in ticks, or the reason why it is not known.
    pub ticks: Result<Ticks, String>,
    /// The wave model's time in microseconds; `None` where it lacks a term for what the program does.
    pub waves: Option<f64>,
    /// The greatest term of the predicted time: a server, `latency` or `launch`; `None` without a predicted time.
    pub limited_by: Option<&'static str>,
    /// The shares of the ticks after launch when the servers are busy, in the order of [`Server::ALL`], from 0 to 1; 0
    /// without a predicted time.
    pub busy: [f64; Server::ALL.len()],
    /// The share of the ticks after launch that a single warp would need in each wave, alone on the machine; 0 without
    /// a predicted time.
    pub latency: f64,
    /// The number of times that each wave runs: the launches of a real GPU.
    pub launches: u64,
    /// The number of work groups of a launch.
    pub groups: u64,
    /// Work items of a group.
    pub work_group: u64,
    /// Warps of a group.
    pub warps_per_group: u64,
    /// Work groups that a multiprocessor runs at a time.
    pub resident_groups: u64,
    /// The limit of the resident groups; `None` on a lockstep GPU.
    pub resident_limit: Option<Limit>,
    /// The demands of a group; `None` on a lockstep GPU, where only times are known.
    pub demand: Option<GroupDemand>,
}

/// The registers of a work item and the bytes that a group moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupDemand {
    /// True if the compiler may give a work item more registers than the group can have: the launch would fail.
    pub may_not_launch: bool,
    /// Registers that a work item needs, including those that spill.
    pub registers: u64,
    /// Bytes that a group moves between L1 and its warps.
    pub l1_bytes: f64,
    /// Bytes that a group moves between L2 and L1.
    pub l2_bytes: f64,
    /// Bytes that a group moves between DRAM and L2.
    pub dram_bytes: f64,
}

impl MachineLoad {
    /// The predicted time in microseconds; `None` if it is not known, or on a lockstep GPU, which does not have a clock.
    #[must_use]
    pub fn microseconds(&self, profile: &Profile) -> Option<f64> {
        profile.microseconds(self.ticks.as_ref().ok()?.get())
    }

    /// True if the compiler may give a work item more registers than the group can have.
    pub(super) fn may_not_launch(&self) -> bool {
        self.demand.is_some_and(|demand| demand.may_not_launch)
    }

    /// The load of a configuration whose time by the machine is `predicted`.
    pub(super) fn new(case: &Case, predicted: &Prediction) -> Self {
        let program = &case.lowered.program;
        let ticks = match predicted {
            Ok(cost) => cost.ticks().ok_or_else(|| "its time has more than 64 bits".to_owned()),
            Err(why) => Err(why.to_string()),
        };
        let after_launch = ticks.as_ref().map_or(0, |ticks| ticks.get().saturating_sub(program.launch));
        let share = |busy: u128| {
            let quotient = busy.to_f64().unwrap_or_default() / after_launch.to_f64().unwrap_or_default();
            if after_launch == 0 { 0.0 } else { quotient }
        };
        let mut shares = [0.0; Server::ALL.len()];
        for (server, busy) in busy(program) {
            shares[server as usize] = share(busy);
        }
        Self {
            waves: complete_time(case.profile, case.lowered),
            limited_by: ticks
                .as_ref()
                .ok()
                .and_then(|&ticks| dominating_on_machine(program, ticks))
                .map(|term| term.name),
            busy: shares,
            latency: share(alone(program)),
            ticks,
            launches: program.passes,
            groups: program.groups,
            work_group: case.lowered.work_group,
            warps_per_group: program.warps_per_group,
            resident_groups: program.resident_groups,
            resident_limit: case.lowered.occupancy.map(|occupancy| occupancy.limit),
            demand: case.lowered.work.as_deref().map(|work| GroupDemand {
                may_not_launch: work.may_not_launch,
                registers: work.registers,
                l1_bytes: work.loaded.moved + work.stored.moved,
                l2_bytes: work.loaded.beyond_l1 + work.stored.beyond_l1,
                dram_bytes: work.loaded.beyond_l2 + work.stored.beyond_l2,
            }),
        }
    }
}

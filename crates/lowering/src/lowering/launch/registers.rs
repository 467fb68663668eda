//! The registers of a work item: those that it takes, and the words that spill.

use serde::{Deserialize, Serialize};

use crate::gpu::{Demand, Pipelined};
use autotune_kernel::source::{LaunchBounds, RegisterSource, Registers};

/// The unit of the compilers' limits of registers.
const REGISTER_STEP: u64 = 8;

/// The greatest part of a count of registers, in hundredths, that a work item may take: an expression or an estimate is a
/// quarter too low at times.
const UNSURE_PERCENT: u64 = 125;

/// The origin of a number of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RegisterOrigin {
    /// The spec states the number.
    Spec,
    /// An estimate from what is live.
    Estimate,
    /// NVIDIA's assembler.
    Ptxas,
    /// The compiler's back end for AMD.
    Amd,
}

impl RegisterOrigin {
    /// A number of registers and its origin, as they are shown; `unit` stands behind the number.
    #[must_use]
    pub fn shown(self, number: u64, unit: &str) -> String {
        match self {
            Self::Spec => format!("{number}{unit} (spec)"),
            Self::Estimate => format!("about {number}{unit} (estimate)"),
            Self::Ptxas => format!("{number}{unit} (ptxas)"),
            Self::Amd => format!("{number}{unit} (clang for AMD)"),
        }
    }

    /// True if the number is what a back end assigned; what it spills is not among it.
    #[must_use]
    pub fn is_assigned(self) -> bool {
        matches!(self, Self::Ptxas | Self::Amd)
    }
}

impl From<RegisterSource> for RegisterOrigin {
    fn from(source: RegisterSource) -> Self {
        match source {
            RegisterSource::Estimate => Self::Estimate,
            RegisterSource::Ptxas => Self::Ptxas,
            RegisterSource::Amd => Self::Amd,
        }
    }
}

/// The registers of a work item as the spec or the compiler of its kernel says them, before a GPU limits them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lowering) struct ToldRegisters {
    pub(in crate::lowering) number: u64,
    pub(in crate::lowering) origin: RegisterOrigin,
    /// Words that spill; `None` if what is beyond the limit of registers spills.
    pub(in crate::lowering) spilled: Option<u64>,
    /// Work items of the largest group that the kernel is compiled for; `None` if nothing bounds them.
    fitted_items: Option<u64>,
    /// The groups that the compiler leaves registers for: what a work item needs beyond them spills. 0 if the number of
    /// registers is not an estimate.
    fitted_groups: u64,
    /// The words of a work item that hold the sums of an instruction of four warps on the matrix units: they lie side by
    /// side. 0 if there is none.
    words_of_sums: u64,
    /// Words that wait for reuse and are not in the number: a compiler may keep them in registers.
    waiting: u64,
}

impl ToldRegisters {
    /// The registers that a spec states.
    pub(in crate::lowering) fn stated(number: u64, spilled: Option<u64>) -> Self {
        let origin = RegisterOrigin::Spec;
        Self { number, origin, spilled, fitted_items: None, fitted_groups: 0, words_of_sums: 0, waiting: 0 }
    }

    /// The same with words that wait for reuse beside these registers.
    pub(in crate::lowering) fn with_waiting(self, words: u64) -> Self {
        Self { waiting: words, ..self }
    }

    /// The same of a kernel whose compiler knows the work items of its largest group; `None` if it does not.
    pub(in crate::lowering) fn fitted_to(self, items: Option<u64>) -> Self {
        Self { fitted_items: items, ..self }
    }

    /// The registers that a compiler gives a work item of a kernel with these bounds. The spec has the last word about
    /// what spills.
    pub(in crate::lowering) fn compiled(self, registers: &Registers, bounds: &LaunchBounds) -> Self {
        let origin = RegisterOrigin::from(registers.source);
        let assigned = origin.is_assigned().then(|| registers.spilled_bytes.unwrap_or(0).div_ceil(4));
        Self {
            number: registers.value.into(),
            origin,
            spilled: self.spilled.or(assigned),
            fitted_items: bounds.most_items,
            fitted_groups: if assigned.is_some() { 0 } else { bounds.least_groups.unwrap_or(1).max(1) },
            ..self
        }
    }

    /// The same of a kernel whose widest instruction of four warps on the matrix units has sums of `words` words.
    pub(in crate::lowering) fn with_sums(self, words: u64) -> Self {
        Self { words_of_sums: words, ..self }
    }

    /// The words that spill under a limit of registers. The sums of an instruction of four warps lie side by side: the
    /// compiler stores and loads all of them, and what makes room for them.
    fn spilled_beyond(&self, gpu: &Pipelined, limit: u64) -> u64 {
        match self.words_of_sums {
            0 => gpu.spilled_words(self.number, limit),
            words => 2 * self.number.saturating_sub(limit).next_multiple_of(words),
        }
    }

    /// The registers of a work item of a group of `work_group` work items on a GPU.
    ///
    /// A compiler's count is exact, and may be more than a group can have. An expression or an estimate is not: a compiler
    /// that is told the launch spills what does not fit, so a group takes what it can have, and the rest spills.
    pub(in crate::lowering) fn on(self, gpu: &Pipelined, work_group: u64) -> RegisterUse {
        let Self { number, origin, .. } = self;
        let most = self.most(gpu);
        if self.is_exact() {
            let spilled = self.spilled.unwrap_or(0);
            return RegisterUse { number, held: number, spilled, most, origin, may_not_launch: false };
        }
        let limit = self.limit(gpu, most, work_group);
        let fitting = greatest_that_fits(gpu, limit, work_group, 1);
        let held = number.min(fitting);
        let beyond_launch = number.min(limit) - held;
        let spilled = self.spilled.unwrap_or_else(|| self.spilled_beyond(gpu, limit) + beyond_launch);
        let may_not_launch = self.greatest().min(limit) > fitting;
        RegisterUse { number, held, spilled, most, origin, may_not_launch }
    }

    /// True if a compiler, or a spec that says what its compiler spills, says the number: a group takes it.
    fn is_exact(&self) -> bool {
        let is_of_spec = self.origin == RegisterOrigin::Spec && self.spilled.is_some();
        is_of_spec || self.origin.is_assigned()
    }

    /// The most registers that a work item may need where the number is not exact.
    fn greatest(&self) -> u64 {
        let unsure = u128::from(self.number) * u128::from(UNSURE_PERCENT) / 100;
        u64::try_from(unsure).unwrap_or(u64::MAX).saturating_add(self.waiting)
    }

    /// The registers of a work item on a GPU that gives it at most `limit` and spills nothing.
    pub(in crate::lowering) fn within(self, limit: u64) -> RegisterUse {
        let Self { number, origin, .. } = self;
        RegisterUse { number, held: number.min(limit), spilled: 0, most: limit, origin, may_not_launch: false }
    }

    /// The most registers that the compiler gives a work item of the kernel, whatever its launch.
    fn most(&self, gpu: &Pipelined) -> u64 {
        let fitted = self.fitted_items.filter(|_| gpu.compiled_for_threads_per_block.is_some());
        fitted.map_or(gpu.register_limit(), |items| gpu.registers_of_group(items))
    }

    /// The most registers of a work item: more of them spill. As many groups as the compiler leaves registers for always
    /// fit. NVIDIA's compiler leaves none for the launches of a kernel without bounds.
    fn limit(&self, gpu: &Pipelined, most: u64, work_group: u64) -> u64 {
        let knows_launch = self.fitted_items.or(gpu.compiled_for_threads_per_block).is_some();
        if self.fitted_groups == 0 || !knows_launch {
            return most;
        }
        let work_items = self.fitted_items.unwrap_or(0).max(work_group);
        greatest_that_fits(gpu, most, work_items, self.fitted_groups)
    }
}

/// True if what a back end may assign to a work item of a kernel, at most, could be more than a group of `work_group` work
/// items has.
pub(in crate::lowering) fn may_refuse(gpu: &Pipelined, bounds: &LaunchBounds, work_group: u64) -> bool {
    let most = bounds.most_items.map_or(gpu.max_registers_per_thread, |items| gpu.registers_of_group(items));
    gpu.occupancy(Demand { work_items: work_group, registers: most, local_memory: 0 }).is_err()
}

/// The most registers of a work item, `most` or a multiple of the compilers' step below it, that leave a multiprocessor
/// room for so many groups.
pub(in crate::lowering) fn greatest_that_fits(gpu: &Pipelined, most: u64, work_items: u64, groups: u64) -> u64 {
    let fits = |registers: &u64| {
        let demand = Demand { work_items, registers: *registers, local_memory: 0 };
        gpu.occupancy(demand).is_ok_and(|occupancy| occupancy.groups >= groups)
    };
    let fewer = (1..most / REGISTER_STEP).rev().map(|step| step * REGISTER_STEP);
    std::iter::once(most).chain(fewer).find(fits).unwrap_or(REGISTER_STEP)
}

/// The registers of a work item of a launch on a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisterUse {
    /// The number as its origin says it: what a spec or an estimate says that a work item needs, or what a back end
    /// assigns.
    pub number: u64,
    /// Registers of the multiprocessor's file that a work item takes.
    pub held: u64,
    /// Words of a work item that spill; 0 on a lockstep GPU.
    pub spilled: u64,
    /// The most registers that the compiler gives a work item, whatever its launch.
    pub(in crate::lowering) most: u64,
    /// The origin of the number.
    pub origin: RegisterOrigin,
    /// True if a compiler that is not told the launch may give a work item more registers than the group can have, so that
    /// the launch fails.
    pub may_not_launch: bool,
}

impl RegisterUse {
    /// Registers that a work item needs, including those that spill.
    #[must_use]
    pub fn needed(&self) -> u64 {
        self.number.max(self.held.saturating_add(self.spilled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{Profile, find};

    fn v100() -> &'static Pipelined {
        let profile = &find("v100").unwrap().profile;
        let Profile::Pipelined(gpu) = profile else { panic!("{profile:?}") };
        gpu
    }

    /// 1,024 work items of 65,536 registers have 64 each.
    #[test]
    fn an_expression_refuses_no_group_and_says_that_it_may_not_launch() {
        let on = |told: ToldRegisters| {
            let RegisterUse { held, spilled, may_not_launch, .. } = told.on(v100(), 1024);
            (held, spilled, may_not_launch)
        };
        assert_eq!(
            on(ToldRegisters::stated(84, None)),
            (64, 20, true),
            "what does not fit the launch counts as spilled"
        );
        assert_eq!(on(ToldRegisters::stated(52, None)), (52, 0, true), "a quarter more does not fit");
        assert_eq!(on(ToldRegisters::stated(51, None)), (51, 0, false), "a quarter more fits");
        assert_eq!(on(ToldRegisters::stated(40, None).with_waiting(30)), (40, 0, true), "words may wait in registers");
        assert_eq!(on(ToldRegisters::stated(84, Some(0))), (84, 0, false), "the spec says what the compiler spills");
    }

    /// With at most 255 registers of a work item, 256 work items fit whatever the kernel needs.
    #[test]
    fn what_the_compiler_gives_at_most_always_launches_in_a_small_group() {
        let RegisterUse { held, spilled, may_not_launch, .. } = ToldRegisters::stated(400, None).on(v100(), 256);
        assert_eq!((held, spilled, may_not_launch), (255, 400 - 255 - 16, false));
    }

    #[test]
    fn what_an_assembler_says_is_held_and_never_unsure() {
        let registers = Registers {
            value: 84,
            source: RegisterSource::Ptxas,
            spilled_bytes: Some(0),
            spill_accesses: None,
            local_bytes: None,
        };
        let told = ToldRegisters::stated(0, None).compiled(&registers, &LaunchBounds::default());
        let RegisterUse { held, may_not_launch, .. } = told.on(v100(), 1024);
        assert_eq!((held, may_not_launch), (84, false), "the occupancy refuses it");
    }

    /// The 39 words beyond 255 of 294 are parts of sums that lie side by side: 128 words go to memory, and 128 come.
    #[test]
    fn sums_of_four_warps_are_spilled_whole() {
        let profile = &find("h100-sxm").unwrap().profile;
        let Profile::Pipelined(gpu) = profile else { panic!("{profile:?}") };
        let spilled = |number, words| ToldRegisters::stated(number, None).with_sums(words).on(gpu, 128).spilled;
        assert_eq!(spilled(294, 128), 2 * 128);
        assert_eq!(spilled(294, 32), 2 * 64);
        assert_eq!(spilled(255, 128), 0);
        assert_eq!(spilled(294, 0), 39 - 16, "none lie side by side");
    }
}

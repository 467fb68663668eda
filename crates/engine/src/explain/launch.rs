//! Launches that may fail.

use crate::proof::Question;
use autotune_lowering::lowering::{GroupWork, Lowering};
use autotune_lowering::spec::Configuration;

/// The remedy of a launch that fails for its registers: NVIDIA's compiler fits registers to no group but one that the source
/// states.
pub(super) const BOUNDS: &str = "state the group in the source, by `__launch_bounds__` or `reqd_work_group_size`: the \
                                 compiler then fits the registers";

/// The reason why the launch of a configuration may fail, and the remedy; `None` if it surely launches, or if that cannot be
/// said.
#[must_use]
pub fn may_not_launch(question: &Question, configuration: &Configuration) -> Option<String> {
    let lowering = Lowering::new(question.spec, question.profile, question.reader);
    let registers = lowering.launch(configuration).ok()?.feasible()?.registers;
    registers.may_not_launch.then(|| because(registers.needed(), registers.held))
}

/// The reason why the launch of a group may fail, and the remedy; `None` if it surely launches.
pub(super) fn group_may_not_launch(work: &GroupWork) -> Option<String> {
    work.may_not_launch.then(|| because(work.registers, work.held_registers))
}

fn because(needed: u64, held: u64) -> String {
    format!(
        "the compiler may give a work item more registers than the group can have (it needs about {needed}, {held} are \
         counted); {BOUNDS}"
    )
}

//! The registers that a compiler leaves a work item, and the words that spill.

use super::launch::Geometry;
use crate::gpu::{Demand, Pipelined};

/// The unit in which compilers limit registers.
const REGISTER_STEP: u64 = 8;

/// The most registers that the compiler gives a work item of a kernel, whatever its launch.
pub(super) fn most_registers(gpu: &Pipelined, geometry: &Geometry) -> u64 {
    let fitted = geometry.fitted_items.filter(|_| gpu.compiled_for_threads_per_block.is_some());
    fitted.map_or(gpu.register_limit(), |items| gpu.registers_of_group(items))
}

/// The most registers of a work item: more of them spill. An estimate refuses no configuration: the groups for which the
/// compiler leaves registers fit.
pub(super) fn register_limit(gpu: &Pipelined, geometry: &Geometry) -> u64 {
    let most = most_registers(gpu, geometry);
    if geometry.fitted_groups == 0 {
        return most;
    }
    let work_items = geometry.fitted_items.unwrap_or(0).max(geometry.work_group);
    let fits = |registers: &u64| {
        let demand = Demand { work_items, registers: *registers, local_memory: 0 };
        gpu.occupancy(demand).is_ok_and(|occupancy| occupancy.groups >= geometry.fitted_groups)
    };
    let fewer = (1..most / REGISTER_STEP).rev().map(|step| step * REGISTER_STEP);
    std::iter::once(most).chain(fewer).find(fits).unwrap_or(REGISTER_STEP)
}

/// The words of a work item that spill: as a back end says, else those beyond the limit of registers.
pub(super) fn spilled_words(gpu: &Pipelined, geometry: &Geometry) -> u64 {
    geometry.spilled.unwrap_or_else(|| gpu.spilled_words(geometry.registers, register_limit(gpu, geometry)))
}

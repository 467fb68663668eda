//! The faults in the lanes of operations of warps.

use super::super::execute::{Executed, LaneFault, LaneFaultKind};
use super::super::ir::IrFunction;
use super::super::trace::AccessKind;
use super::super::value::Shape;
use super::found::Safety;
use super::hazard::{Hazard, HazardKind, Party};
use super::on_data::OnData;

/// Adds the faults of an execution that data does not decide.
pub(super) fn add(safety: &mut Safety, kernel: &IrFunction, executed: &Executed, shape: &Shape, on_data: &OnData) {
    safety.unjudged += executed.open_lanes;
    for fault in &executed.lane_faults {
        let (block, position) = fault.at;
        let instruction = &kernel.blocks[block.index()].instructions[position];
        if on_data.decides(block, instruction) {
            safety.unjudged += 1;
            continue;
        }
        let place = instruction.user_place().cloned();
        let party = |lane: usize, place| Party { kind: AccessKind::Shuffle, item: shape.coordinates()[lane], place };
        let LaneFault { kind, first, second, elsewhere, .. } = fault;
        let kind = match kind {
            LaneFaultKind::Absent => HazardKind::AbsentLane,
            LaneFaultKind::Unnamed => HazardKind::UnnamedLane,
            LaneFaultKind::Inactive => HazardKind::InactiveLane,
        };
        let (first, second) = (party(*first, place), party(*second, elsewhere.clone()));
        safety.hazards.push(Hazard { kind, array: "".into(), byte: 0, first, second });
    }
}

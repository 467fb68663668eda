//! The errors of a work group, as far as they are certain: races in memory.
//!
//! ```text
//! trace ─▶ intervals: the accesses between two barriers ─▶ shared: who touches the same bytes ─▶ hazard
//!   │         └─ on_data: what data decides: nothing is claimed there    stored: what two stores write
//!   ├────▶ bounds: accesses beyond arrays of global memory whose sizes are stated
//!   └────▶ neighbours: what this group and those beside it touch in global memory; overlap: whether two accesses can meet
//! ```

mod bounds;
mod cells;
mod copies;
mod event;
mod found;
mod hazard;
mod intervals;
mod lanes;
mod neighbours;
mod on_data;
mod overlap;
mod shared;
mod stored;

use super::analyse::SourceKernel;
use super::execute::{Executed, FindingKind};
use super::value::Shape;
use bounds::Alike;
pub use found::Safety;
pub use hazard::{Hazard, HazardKind, Party};
use intervals::Walk;
use on_data::OnData;
use stored::Definitions;

/// An executed group of a launch.
#[derive(Debug, Clone, Copy)]
pub struct ExecutedGroup<'a> {
    /// The work items.
    pub shape: &'a Shape,
    /// The number of work items of a warp.
    pub warp: usize,
    /// The ids along x, y and z.
    pub group: [u64; 3],
    /// The number of groups along each axis if the group stands for others; `None` if it is looked at alone.
    pub grid: Option<[u64; 3]>,
}

impl SourceKernel {
    /// Judges what a work group has executed.
    #[must_use]
    pub fn judged(&self, executed: &Executed, of: &ExecutedGroup<'_>) -> Safety {
        let is_open = |kind: &FindingKind| matches!(kind, FindingKind::Assembly | FindingKind::UnknownFunction(_));
        if executed.findings.iter().any(|finding| is_open(&finding.kind)) {
            // What is not known may be a barrier.
            let accesses = on_data::accesses(executed);
            return Safety { hazards: Vec::new(), unjudged: accesses.len() + executed.open_lanes };
        }
        let (kernel, shape) = (&self.module.kernel, of.shape);
        let on_data = OnData::new(kernel, &self.flow, &executed.seeds);
        let definitions = Definitions::new(kernel);
        let mut safety = Walk::new((kernel, &definitions), executed, (shape, of.warp.max(1)), &on_data).safety();
        lanes::add(&mut safety, kernel, executed, shape, &on_data);
        let alike = of.grid.map_or_else(|| Alike::alone(of.group), |grid| Alike::of_launch(executed, grid, of.group));
        bounds::add(&mut safety, kernel, executed, (shape, &alike), &on_data);
        if let Some(grid) = of.grid {
            neighbours::add(&mut safety, (kernel, &definitions), executed, (shape, grid), &on_data);
        }
        safety
    }
}

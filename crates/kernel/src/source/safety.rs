//! The errors of a work group, as far as they are certain: races in memory.
//!
//! ```text
//! trace ─▶ intervals: the accesses between two barriers ─▶ shared: who touches the same bytes ─▶ hazard
//!   │         └─ on_data: what data decides: nothing is claimed there    stored: what two stores write
//!   ├────▶ grid_arrivals: barriers of all groups that some groups do not reach
//!   ├────▶ bounds: accesses beyond arrays of global memory whose sizes are stated
//!   └────▶ neighbours: what two groups touch in global memory; overlap: whether two accesses can meet; told: what they store
//! ```

mod bounds;
mod cells;
mod collected;
mod copies;
mod distances;
mod event;
mod found;
mod grid_arrivals;
mod grid_phases;
mod hazard;
mod intervals;
mod lanes;
mod left_out;
mod neighbours;
mod on_data;
mod overlap;
mod shared;
mod stored;
mod told;

use super::analyse::SourceKernel;
use super::execute::Executed;
use super::value::Shape;
use bounds::Alike;
use collected::OfLaunch;
pub use found::Safety;
pub use grid_arrivals::{GridArrivals, MissedGridBarrier};
pub use hazard::{Hazard, HazardKind, Party};
use intervals::Walk;
pub use neighbours::GroupMeetings;
use on_data::{OnData, is_open};
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
        if is_open(executed) {
            // What is not known may be a barrier.
            let accesses = on_data::accesses(executed);
            return Safety { unjudged: accesses.len() + executed.open_lanes, ..Safety::default() };
        }
        let (kernel, shape) = (&self.module.kernel, of.shape);
        let on_data = OnData::new(kernel, &self.flow, &executed.seeds);
        let definitions = Definitions::new(kernel);
        let mut safety = Walk::new((kernel, &definitions), executed, (shape, of.warp.max(1)), &on_data).safety();
        lanes::add(&mut safety, kernel, executed, shape, &on_data);
        let alike = of.grid.map_or_else(|| Alike::alone(of.group), |grid| Alike::of_launch(executed, grid, of.group));
        bounds::add(&mut safety, kernel, executed, (shape, &alike), &on_data);
        if let Some(grid) = of.grid {
            let of_launch = OfLaunch { group: of.group, executed, on_data: &on_data };
            safety.hazards.extend(neighbours::meetings((kernel, &definitions), &[of_launch], (shape, grid)).found);
        }
        safety
    }

    /// Returns what executed groups of a launch, and those for which they stand, do to the same bytes of global memory; `grid` is
    /// the number of groups along each axis.
    #[must_use]
    pub fn judged_between(&self, groups: &[([u64; 3], &Executed)], (shape, grid): (&Shape, [u64; 3])) -> GroupMeetings {
        let (kernel, definitions) = (&self.module.kernel, Definitions::new(&self.module.kernel));
        let known = groups.iter().filter(|(_, executed)| !is_open(executed));
        let known: Vec<([u64; 3], &Executed, OnData)> = known
            .map(|(group, executed)| (*group, *executed, OnData::new(kernel, &self.flow, &executed.seeds)))
            .collect();
        let groups = known.iter().map(|(group, executed, on_data)| OfLaunch { group: *group, executed, on_data });
        neighbours::meetings((kernel, &definitions), &groups.collect::<Vec<_>>(), (shape, grid))
    }
}

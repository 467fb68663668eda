//! The plan of a proof, as a result states it.

use crate::proof::Plan;
use crate::result::{PlannedCost, PlannedJob};

/// The job with the numbers of its plan.
#[must_use]
pub fn planned(job: PlannedJob, plan: &Plan) -> PlannedJob {
    let estimate = plan.effort.map(|effort| PlannedCost {
        states: effort.states,
        events: effort.events,
        memory_mib: effort.memory_mib,
        search_seconds: effort.seconds,
    });
    let (configurations, feasible) = (Some(plan.all), Some(plan.feasible));
    PlannedJob { configurations, feasible, searched: Some(plan.searched), estimate, ..job }
}

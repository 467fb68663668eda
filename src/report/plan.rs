//! The plan of a proof, as a result states it.

use crate::proof::Plan;
use crate::result::{PlannedCost, PlannedJob};

/// The job with the numbers of its plan.
#[must_use]
pub fn planned(job: PlannedJob, plan: &Plan) -> PlannedJob {
    let estimate = plan.expected_cost.map(|cost| PlannedCost {
        states: cost.states,
        events: cost.events,
        memory_mib: cost.memory_mib,
        search_seconds: cost.seconds,
    });
    let (configurations, feasible) = (Some(plan.all), Some(plan.feasible));
    PlannedJob { configurations, feasible, searched: Some(plan.searched), estimate, ..job }
}

/// The same with its plan.
#[must_use]
pub fn with(self, plan: &Plan) -> Self {
    let estimate = plan.effort.map(|effort| PlannedEffort {
        states: effort.states,
        events: effort.events,
        memory_mib: effort.memory_mib,
        search_seconds: effort.seconds,
    });
    let (configurations, feasible) = (Some(plan.all), Some(plan.feasible));
    Self { configurations, feasible, searched: Some(plan.searched), estimate, ..self }
}


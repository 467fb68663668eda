//! The own optimum of a scenario, in a table.

use crate::result::FleetScenario;
use autotune_base::text::words::{grouped, label};

/// Returns the cells of a scenario's own optimum, and of its time.
pub(super) fn cells(scenario: &FleetScenario) -> [String; 2] {
    let optimum = scenario.optimum.as_ref();
    optimum.map_or_else(
        || ["not proved".to_owned(), String::new()],
        |optimum| [label(&optimum.parameters), grouped(optimum.ticks)],
    )
}

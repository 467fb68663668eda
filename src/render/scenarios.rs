//! The names of scenarios in tables.

use serde_json::Value;

use crate::result::{FleetReport, FleetScenario, Values};
use crate::text::words::label;

/// The most scenarios that have a column each.
pub(super) const COLUMNS: usize = 8;
/// The most scenarios whose own optima are listed.
pub(super) const LISTED: usize = 32;

/// The names of the scenarios, which have what differs among them, and the text of what is common to all.
pub(super) fn names(report: &FleetReport) -> (Vec<String>, String) {
    let first = &report.scenarios[0];
    let same_gpu = report.scenarios.iter().all(|scenario| scenario.gpu == first.gpu);
    let is_common = |name: &String, value: &Value| {
        report.scenarios.iter().all(|scenario| scenario.problem.get(name) == Some(value))
    };
    let common: Values = first.problem.clone().into_iter().filter(|(name, value)| is_common(name, value)).collect();
    let is_listed = report.scenarios.iter().all(|scenario| *scenario == *first);
    let name = |scenario: &FleetScenario| {
        let own = scenario.problem.clone().into_iter().filter(|(name, value)| !is_common(name, value)).collect();
        let gpu = Some(scenario.gpu.clone()).filter(|_| !same_gpu || is_listed);
        gpu.into_iter().chain(Some(label(&own)).filter(|own| !own.is_empty())).collect::<Vec<_>>().join(" ")
    };
    let gpu = if same_gpu { format!(" on {}", first.gpu) } else { String::new() };
    let sizes = if common.is_empty() { String::new() } else { format!(", {}", label(&common)) };
    (report.scenarios.iter().map(name).collect(), gpu + &sizes)
}

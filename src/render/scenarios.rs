//! The names of scenarios in tables.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::result::{FleetExcluded, FleetReport, FleetScenario, Values};
use autotune_base::text::words::{counted, label};

/// The most scenarios that have a column each.
pub(super) const COLUMNS: usize = 8;
/// The most scenarios whose own optima are listed.
pub(super) const LISTED: usize = 32;

/// The problem of a batch's job: its sizes, and the number of scenarios if there are several.
pub(super) fn problem(sizes: &Values, scenarios: Option<usize>) -> String {
    let scenarios = scenarios.map(|number| format!("{number} scenarios"));
    Some(label(sizes)).filter(|sizes| !sizes.is_empty()).into_iter().chain(scenarios).collect::<Vec<_>>().join(" ")
}

/// The variants that surely launch where a scenario's fastest one may not: by variant, the scenarios and the worst slowdown
/// among them.
pub(super) fn instead(report: &FleetReport) -> BTreeMap<usize, (Vec<usize>, f64)> {
    let mut found: BTreeMap<usize, (Vec<usize>, f64)> = BTreeMap::new();
    for (launch, taken) in report.may_not_launch.iter().filter_map(|launch| Some((launch, launch.instead.as_ref()?))) {
        let (scenarios, worst) = found.entry(taken.variant).or_default();
        scenarios.push(launch.scenario);
        *worst = worst.max(taken.slowdown);
    }
    found
}

/// The configurations that a scenario excludes, in words.
pub(super) fn excluded_configurations(excluded: &FleetExcluded) -> String {
    match excluded.configurations {
        0 => "all configurations".to_owned(),
        some => format!("{} of other scenarios", counted(some as u64, "configuration")),
    }
}

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

//! The files and folders of a kept proof about several scenarios.

use std::collections::BTreeSet;

use crate::result::FleetReport;

/// The file of the result about all scenarios.
pub(super) const FLEET: &str = "fleet.json";
/// The file of the tree of a proof about several variants.
pub(super) const TREE: &str = "tree.json";
/// The folders of a scenario's proofs, in their order.
pub const FLEET_PARTS: [&str; 3] = ["optimum", "best", "others"];

/// The folder of a scenario's proofs.
#[must_use]
pub fn scenario_folder(scenario: usize) -> String {
    format!("scenario-{scenario}")
}

/// The folders of the proofs that a result follows from, in the order of their names.
pub(in crate::certificate) fn parts_of(report: &FleetReport) -> BTreeSet<String> {
    let scenarios = report.proof.iter().flat_map(|proof| &proof.scenarios);
    let has_others: BTreeSet<usize> =
        scenarios.filter(|proof| proof.configurations > 0).map(|proof| proof.scenario).collect();
    let of_scenario = |scenario: usize| {
        let parts = FLEET_PARTS.into_iter().filter(move |part| *part != "others");
        let others = has_others.contains(&scenario).then_some("others");
        parts.chain(others).map(move |part| format!("{}/{part}", scenario_folder(scenario))).collect::<Vec<_>>()
    };
    (0..report.scenarios.len()).flat_map(of_scenario).collect()
}

//! The repetition of a proof about several scenarios.

use indexmap::IndexMap;

use super::super::verification::{compilations, own_profile};
use crate::result::{FleetVerificationReport, OwnProfile};
use autotune_base::text::words::{at_most, counted, first_of};

/// Returns the repetition of a proof about several scenarios as text.
#[must_use]
pub fn verified_to_text(report: &FleetVerificationReport) -> String {
    let FleetVerificationReport { kernel, scenarios, slowdown, configurations, checker, proofs, .. } = report;
    let (of_variants, in_scenarios) = match report.variants {
        Some(variants) => (format!(" of {}", counted(variants as u128, "variant")), "some scenario"),
        None => (String::new(), "all scenarios"),
    };
    let text = format!(
        "verified  {kernel} in {}: the least worst slowdown{of_variants} is {}\n          \
         {} repeated from their inputs, {} feasible in {in_scenarios} enumerated again\n          \
         {} rendered and searched again with {} by {checker}, {} replayed\n",
        counted(*scenarios as u128, "scenario"),
        at_most(*slowdown),
        counted(*proofs as u128, "kept proof"),
        counted(*configurations as u128, "configuration"),
        counted(report.models as u128, "model"),
        counted(report.searched as u128, "configuration"),
        counted(report.trails as u128, "trail"),
    );
    text + &own_profiles(&report.own_profiles) + &report.compilations.iter().map(compilations).collect::<String>()
}

/// A line for each GPU whose profile autotune does not ship, with its scenarios.
fn own_profiles(own: &[OwnProfile]) -> String {
    let mut by_gpu: IndexMap<&str, Vec<String>> = IndexMap::new();
    for OwnProfile { scenario, gpu } in own {
        by_gpu.entry(gpu).or_default().push(scenario.to_string());
    }
    let line = |(gpu, scenarios): (&str, Vec<String>)| {
        let noun = if scenarios.len() == 1 { "scenario" } else { "scenarios" };
        let numbers: Vec<&str> = scenarios.iter().map(String::as_str).collect();
        own_profile(&format!("the profile of {noun} {}", first_of(&numbers)), gpu)
    };
    by_gpu.into_iter().map(line).collect()
}

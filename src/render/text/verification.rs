//! The repetition of a kept proof.

use crate::result::VerificationReport;

/// Returns the repetition of a proof as text.
#[must_use]
pub fn to_text(report: &VerificationReport) -> String {
    let VerificationReport { kernel, gpu, property, checker, programs, models, configurations, trails, pruned, .. } =
        report;
    let excluded = if *pruned == 0 {
        String::new()
    } else {
        format!(", {} excluded by lower bounds", counted(*pruned, "configuration"))
    };
    let profile = if report.profile == "own" {
        format!("          the profile is the maker's own, not one that autotune ships as {gpu}\n")
    } else {
        String::new()
    };
    format!(
        "verified  {kernel} on {gpu}: {property}\n          \
         lowered again to {}{excluded}\n          \
         {} rendered and searched again with {} by {checker}, {} replayed\n          \
         every file is an input or what this proof leaves, but for measurements\n{profile}",
        counted(*programs as u128, "program"),
        counted(*models as u128, "model"),
        counted(*configurations as u128, "configuration"),
        counted(*trails as u128, "trail"),
    )
}

fn counted(number: u128, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

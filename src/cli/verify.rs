//! `autotune verify DIR`: a kept proof, repeated.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::progress::Progress;
use super::tune::open;
use super::{Status, output};
use crate::certificate::Verification;

pub(super) fn run(request: &arguments::Verify) -> Result<Status, Failure> {
    let session = open(true)?;
    let progress = Progress::new();
    let verification =
        session.verify(&request.folder, request.memory.as_u64() >> 20, &mut |event| progress.show(&event));
    progress.end();
    let verification = verification?;
    output::text(&match request.format {
        Format::Text => for_people(&verification),
        Format::Json => output::to_json(&verification)?,
    })?;
    Ok(Status::Success)
}

fn for_people(verification: &Verification) -> String {
    let Verification { kernel, gpu, property, checker, programs, models, configurations, trails, pruned, .. } =
        verification;
    let excluded = if *pruned == 0 {
        String::new()
    } else {
        format!(", {} excluded by lower bounds", counted(*pruned, "configuration"))
    };
    let profile = if verification.profile == "own" {
        format!("          the profile is the maker's own, not one that autotune ships as {gpu}\n")
    } else {
        String::new()
    };
    format!(
        "verified  {kernel} on {gpu}: {property}\n          \
         lowered again to {}{excluded}\n          \
         {} rendered and searched again with {} by {checker}, {} replayed\n          \
         every file is what this proof leaves\n{profile}",
        counted(*programs as u128, "program"),
        counted(*models as u128, "model"),
        counted(*configurations as u128, "configuration"),
        counted(*trails as u128, "trail"),
    )
}

fn counted(number: u128, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

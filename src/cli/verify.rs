//! `autotune verify DIR`: a kept proof, repeated.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::tune::{interrupt, wanted};
use super::{Status, output};
use crate::cache::Cache;
use crate::certificate::{self, Verification};
use crate::scratch::Scratch;
use crate::spin::process::Limits;
use crate::spin::{Settings, Toolchain};

pub(super) fn run(request: &arguments::Verify) -> Result<Status, Failure> {
    // Models of one text share their checker, which is made anew.
    let of_this_run = Scratch::new()?;
    let toolchain = Toolchain::find(&wanted())?;
    let limits = Limits { deadline: None, interrupt: interrupt()? };
    let cache = Some(Cache::at(of_this_run.path().to_owned()));
    let settings = Settings { toolchain, limits, memory_mib: request.memory.as_u64() >> 20, cache, record: None };
    let verification = certificate::verify(&request.folder, &settings)?;
    output::text(&match request.format {
        Format::Text => for_people(&verification),
        Format::Json => output::to_json(&verification)?,
    })?;
    Ok(Status::Success)
}

fn for_people(verification: &Verification) -> String {
    let Verification { kernel, gpu, property, checker, models, configurations, trails, pruned, .. } = verification;
    let pruned = if *pruned == 0 {
        String::new()
    } else {
        format!("          {} that a lower bound excludes: not in the models\n", counted(*pruned, "configuration"))
    };
    format!(
        "verified  {kernel} on {gpu}: {property}\n          {} searched again with {} by {checker}, {} replayed\n{pruned}",
        counted(*models as u128, "model"),
        counted(*configurations as u128, "configuration"),
        counted(*trails as u128, "trail"),
    )
}

fn counted(number: u128, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

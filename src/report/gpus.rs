//! The GPU profiles, as a result states them.

use crate::gpu::{Fact, Pipelined, Profile, ProfileFile, Provenance, Rate};
use crate::result::{AssumedValue, GpuFacts, GpuReport, GpusReport};

/// The parts of a report that are asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct GpuParts {
    /// True if the text of each profile is included.
    pub text: bool,
    /// True if each assumed value is included.
    pub assumed: bool,
}

/// The report of these profiles.
#[must_use]
pub fn gpus<'a>(files: impl Iterator<Item = &'a ProfileFile>, parts: GpuParts) -> GpusReport<'a> {
    GpusReport { schema: GpusReport::SCHEMA, gpus: files.map(|file| gpu(file, parts)).collect() }
}

fn gpu(file: &ProfileFile, parts: GpuParts) -> GpuReport<'_> {
    let (execution, multiprocessors, facts) = match &file.profile {
        Profile::Lockstep(gpu) => ("lockstep", gpu.multiprocessors, None),
        Profile::Pipelined(gpu) => ("pipelined", gpu.multiprocessors, Some(facts(file, gpu))),
    };
    GpuReport {
        name: file.profile.name(),
        aliases: file.profile.aliases(),
        execution,
        multiprocessors,
        facts,
        assumed: parts.assumed.then(|| file.facts().filter_map(assumed).collect()),
        profile: parts.text.then_some(file.text.as_str()),
    }
}

fn facts<'a>(file: &'a ProfileFile, gpu: &'a Pipelined) -> GpuFacts<'a> {
    GpuFacts {
        vendor: gpu.vendor.name(),
        architecture: gpu.architecture.as_deref(),
        target: gpu.target.as_deref(),
        year: gpu.year,
        core_clock_mhz: real(gpu.core_clock_mhz),
        memory_bandwidth_gb_per_second: real(gpu.memory_bandwidth_GBps),
        base: file.base.as_deref(),
        values: file.facts().count(),
        assumed_values: file.facts().filter_map(assumed).count(),
    }
}

fn assumed(fact: Fact<'_>) -> Option<AssumedValue<'_>> {
    let Fact { key, value, origin } = fact;
    match origin {
        Provenance::Assumed(why) => Some(AssumedValue { key, value, why }),
        Provenance::Source(_) => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "profiles have at most 12 digits")]
fn real(rate: Rate) -> f64 {
    *rate.numer() as f64 / *rate.denom() as f64
}

//! The GPU profiles (`schemas/gpus.json`).

use std::borrow::Cow;

use serde::Serialize;

use autotune_lowering::gpu::{Fact, Pipelined, Profile, ProfileFile, Provenance, Rate, Vendor};

/// The requested parts of a report.
#[derive(Debug, Clone, Copy, Default)]
pub struct GpuParts {
    /// True if the text of each profile is included.
    pub text: bool,
    /// True if each assumed value is included.
    pub assumed: bool,
}

/// The result of `autotune gpus [NAME] --format json`: the GPU profiles.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct GpusReport<'a> {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = GpusReport::SCHEMA)))]
    pub schema: &'static str,
    /// The profiles: abstract processors first, then by vendor and generation.
    pub gpus: Vec<GpuReport<'a>>,
}

impl<'a> GpusReport<'a> {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.gpus/2";

    /// The report of these profiles.
    #[must_use]
    pub fn new(files: impl Iterator<Item = &'a ProfileFile>, parts: GpuParts) -> Self {
        Self { schema: Self::SCHEMA, gpus: files.map(|file| GpuReport::new(file, parts)).collect() }
    }
}

/// One GPU profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct GpuReport<'a> {
    /// The GPU's name.
    pub name: &'a str,
    /// Other names that mean the same GPU.
    pub aliases: &'a [String],
    /// The execution of its warps.
    pub execution: Execution,
    /// The number of multiprocessors.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub multiprocessors: u64,
    /// The facts of a real GPU; null for an abstract processor.
    pub facts: Option<GpuFacts<'a>>,
    /// The values without a source, each with the reason to assume it, in the order of the profile; absent unless
    /// `--why` asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumed: Option<Vec<AssumedValue<'a>>>,
    /// The text of the profile's file, which can be saved, edited and given to `--gpu`; absent unless the GPU was
    /// named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<&'a str>,
}

/// The execution of a GPU's warps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Execution {
    /// Processing elements take one step together, as on the abstract processor.
    Lockstep,
    /// Warps share servers, as on a real GPU.
    Pipelined,
}

/// The facts of a real GPU.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct GpuFacts<'a> {
    /// The vendor.
    pub vendor: Vendor,
    /// The family of GPUs, such as `Ampere`; null if the profile does not state it.
    pub architecture: Option<&'a str>,
    /// The architecture that the compiler is given, such as `sm_89`; null if the profile does not state it.
    pub target: Option<&'a str>,
    /// The year when the GPU was released; null if the profile does not state it.
    pub year: Option<u64>,
    /// The core clock in MHz.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub core_clock_mhz: f64,
    /// The bandwidth of the device's memory, in 10^9 bytes per second.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub memory_bandwidth_gb_per_second: f64,
    /// The profile that this one is a variant of; null if it states all values itself.
    pub base: Option<&'a str>,
    /// The number of values of the profile.
    pub values: usize,
    /// The number of these values that have no source.
    pub assumed_values: usize,
}

/// A value without a source.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct AssumedValue<'a> {
    /// The key of the profile.
    pub key: &'a str,
    /// The value as written in the profile, or the default that stands for it.
    pub value: Cow<'a, str>,
    /// The reason, or the GPU that the value was taken from with the source there.
    pub why: Cow<'a, str>,
}

impl<'a> GpuReport<'a> {
    fn new(file: &'a ProfileFile, parts: GpuParts) -> Self {
        let (execution, multiprocessors, facts) = match &file.profile {
            Profile::Lockstep(gpu) => (Execution::Lockstep, gpu.multiprocessors, None),
            Profile::Pipelined(gpu) => (Execution::Pipelined, gpu.multiprocessors, Some(GpuFacts::new(file, gpu))),
        };
        Self {
            name: file.profile.name(),
            aliases: file.profile.aliases(),
            execution,
            multiprocessors,
            facts,
            assumed: parts.assumed.then(|| assumed(file)),
            profile: parts.text.then_some(file.text.as_str()),
        }
    }
}

impl<'a> GpuFacts<'a> {
    fn new(file: &'a ProfileFile, gpu: &'a Pipelined) -> Self {
        Self {
            vendor: gpu.vendor,
            architecture: gpu.architecture.as_deref(),
            target: gpu.target.as_deref(),
            year: gpu.year,
            core_clock_mhz: real(gpu.core_clock_mhz),
            memory_bandwidth_gb_per_second: real(gpu.memory_bandwidth_GBps),
            base: file.base.as_deref(),
            values: file.facts().count() + gpu.defaults().len(),
            assumed_values: assumed(file).len(),
        }
    }
}

/// The values without a source, those too that the profile leaves to its family.
fn assumed(file: &ProfileFile) -> Vec<AssumedValue<'_>> {
    let stated = file.facts().filter_map(AssumedValue::new);
    let defaults = match &file.profile {
        Profile::Pipelined(gpu) => gpu.defaults(),
        Profile::Lockstep(_) => Vec::new(),
    };
    let defaults = defaults.into_iter().map(|one| AssumedValue {
        key: one.key,
        value: real(one.value).to_string().into(),
        why: one.why.into(),
    });
    stated.chain(defaults).collect()
}

impl<'a> AssumedValue<'a> {
    /// The fact without its source; `None` if it has one.
    fn new(Fact { key, value, origin }: Fact<'a>) -> Option<Self> {
        match origin {
            Provenance::Assumed(why) => Some(Self { key, value: value.into(), why: why.into() }),
            Provenance::Source(_) => None,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "profiles have at most 12 digits")]
fn real(rate: Rate) -> f64 {
    *rate.numer() as f64 / *rate.denom() as f64
}

//! The GPU profiles (`schemas/gpus.json`).

use schemars::JsonSchema;
use serde::Serialize;

/// The result of `autotune gpus [NAME] --format json`: the GPU profiles.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GpusReport<'a> {
    /// The id of this schema.
    #[schemars(extend("const" = GpusReport::SCHEMA))]
    pub schema: &'static str,
    /// The profiles: abstract processors first, then by vendor and generation.
    pub gpus: Vec<GpuReport<'a>>,
}

impl GpusReport<'_> {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.gpus/2";
}

/// One GPU profile.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GpuReport<'a> {
    /// The GPU's name.
    pub name: &'a str,
    /// Other names that mean the same GPU.
    pub aliases: &'a [String],
    /// The execution of its warps.
    #[schemars(extend("enum" = ["lockstep", "pipelined"]))]
    pub execution: &'static str,
    /// The number of multiprocessors.
    #[schemars(range(min = 1))]
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

/// The facts of a real GPU.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GpuFacts<'a> {
    /// The vendor.
    #[schemars(extend("enum" = ["NVIDIA", "AMD"]))]
    pub vendor: &'static str,
    /// The family of GPUs, such as `Ampere`; null if the profile does not state it.
    pub architecture: Option<&'a str>,
    /// The architecture that the compiler is given, such as `sm_89`; null if the profile does not state it.
    pub target: Option<&'a str>,
    /// The year in which the GPU was released; null if the profile does not state it.
    pub year: Option<u64>,
    /// The core clock in MHz.
    #[schemars(range(min = 0))]
    pub core_clock_mhz: f64,
    /// The bandwidth of the device's memory, in 10^9 bytes per second.
    #[schemars(range(min = 0))]
    pub memory_bandwidth_gb_per_second: f64,
    /// The profile of which this one is a variant; null if it states all values itself.
    pub base: Option<&'a str>,
    /// The number of values of the profile.
    pub values: usize,
    /// The number of these values that have no source.
    pub assumed_values: usize,
}

/// A value without a source.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AssumedValue<'a> {
    /// The key of the profile.
    pub key: &'a str,
    /// The value as written in the profile.
    pub value: &'a str,
    /// The reason, or the GPU that the value was taken from with the source there.
    pub why: &'a str,
}

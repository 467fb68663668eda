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
    /// The profiles, in the order of their names.
    pub gpus: Vec<GpuReport<'a>>,
}

impl GpusReport<'_> {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.gpus/1";
}

/// One GPU profile.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GpuReport<'a> {
    /// The GPU's name.
    pub name: &'a str,
    /// The execution of its warps.
    #[schemars(extend("enum" = ["lockstep", "pipelined"]))]
    pub execution: &'static str,
    /// The number of multiprocessors.
    #[schemars(range(min = 1))]
    pub multiprocessors: u64,
    /// Other names that mean the same GPU.
    pub aliases: &'a [String],
    /// The text of the profile's file, which can be saved, edited and given to `--gpu`; absent unless the GPU was
    /// named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<&'a str>,
}

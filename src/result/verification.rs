//! A kept proof that was made again (`schemas/verification.json`).

use schemars::JsonSchema;
use serde::Serialize;

/// The result of `autotune verify DIR --format json`: a kept proof, made again from its inputs with the same outcome. Where
/// anything differs there is no result.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct VerificationReport {
    /// The id of this schema.
    #[schemars(extend("const" = VerificationReport::SCHEMA))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The outcome.
    #[schemars(extend("const" = VerificationReport::VERIFIED))]
    pub verdict: &'static str,
    /// The property that holds.
    #[schemars(regex(pattern = r"^\[\] \(DONE -> \(time >= [0-9]+\)\)$"))]
    pub property: String,
    /// The optimum's time.
    pub ticks: u64,
    /// The model checker that repeated it, and its version.
    pub checker: String,
    /// Whether the GPU's profile is the one that autotune ships under its name, or the maker's own.
    #[schemars(extend("enum" = ["shipped", "own"]))]
    pub profile: &'static str,
    /// The different programs that the inputs were lowered to again.
    pub programs: usize,
    /// The models that were rendered and searched again.
    pub models: usize,
    /// The configurations that SPIN chose from in these models.
    pub configurations: usize,
    /// The trails that were found and replayed again.
    pub trails: usize,
    /// The configurations that a lower bound excludes; the bounds were computed again.
    pub pruned: u128,
}

impl VerificationReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.verification/1";
    /// The only outcome.
    pub const VERIFIED: &'static str = "verified";
}

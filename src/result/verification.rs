//! The repetition of a kept proof (`schemas/verification.json`).

use crate::ticks::Ticks;

use schemars::JsonSchema;
use serde::Serialize;

/// The result of `autotune verify DIR --format json`: a kept proof, repeated from its inputs with the same outcome. If
/// anything differs, the command fails without a result.
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
    /// The property that SPIN proved again.
    #[schemars(regex(pattern = r"^\[\] \(DONE -> \(time >= [0-9]+\)\)$"))]
    pub property: String,
    /// The optimum's time, in ticks.
    pub ticks: Ticks,
    /// The model checker of the repetition and its version.
    pub checker: String,
    /// The origin of the GPU's profile: `shipped` if it is the one that autotune ships under its name, otherwise
    /// `own`.
    #[schemars(extend("enum" = ["shipped", "own"]))]
    pub profile: &'static str,
    /// The number of different programs to which the inputs were lowered again.
    pub programs: usize,
    /// The number of models that were rendered and searched again.
    pub models: usize,
    /// The number of configurations in these models, from which SPIN chose.
    pub configurations: usize,
    /// The number of trails that were found and replayed again.
    pub trails: usize,
    /// The number of configurations that a lower bound excludes; the bounds were computed again.
    pub pruned: u128,
}

impl VerificationReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.verification/1";
    /// The only outcome of a result.
    pub const VERIFIED: &'static str = "verified";
}

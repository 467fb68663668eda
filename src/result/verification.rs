//! The repetition of a kept proof (`schemas/verification.json`).

use autotune_base::ticks::Ticks;
use autotune_engine::schedules::OrderVerdict;
use serde::Serialize;

/// The result of `autotune verify DIR --format json`: a kept proof, repeated from its inputs with the same outcome. If
/// anything differs, the command fails without a result.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct VerificationReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = VerificationReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The outcome.
    #[cfg_attr(test, schemars(extend("const" = VerificationReport::VERIFIED)))]
    pub verdict: &'static str,
    /// The property that SPIN proved again.
    #[cfg_attr(test, schemars(regex(pattern = r"^\[\] \(DONE -> \(time >= [0-9]+\)\)$")))]
    pub property: String,
    /// The optimum's time, in ticks.
    pub ticks: Ticks,
    /// The model checker of the repetition and its version.
    pub checker: String,
    /// The origin of the GPU's profile.
    pub profile: ProfileOrigin,
    /// The number of different programs that the inputs were lowered to again.
    pub programs: usize,
    /// The number of models that were rendered and searched again.
    pub models: usize,
    /// The number of configurations in these models; SPIN chose from them.
    pub configurations: usize,
    /// The number of trails that were found and replayed again.
    pub trails: usize,
    /// The number of configurations that a lower bound excludes; the bounds were computed again.
    pub pruned: u128,
    /// The verdict about every order of simultaneous events, which was reached again; `open` claims nothing, and its numbers were not
    /// computed again. Missing if the answer is about one order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedules: Option<OrderVerdict>,
    /// The compilations of the kernel's source; missing if the spec has a body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compilations: Option<CompilationsReport>,
}

/// The origin of a GPU's profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ProfileOrigin {
    /// The profile that autotune ships under the GPU's name.
    Shipped,
    /// Another one.
    Own,
}

/// The compilations of a kernel's source in a kept proof, and their comparison with those of the compiler here.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct CompilationsReport {
    /// The number of configurations whose compilation the folder has.
    pub configurations: usize,
    /// The number of these that the compiler is said to refuse.
    pub errors: usize,
    /// The compiler that made the folder's outputs, as the folder says.
    pub made_by: String,
    /// The compiler that compiled the source again; `null` if the folder is believed.
    pub compiled_by: Option<String>,
    /// The comparison of the two.
    pub compared: ConfirmedParts,
    /// The number of configurations whose registers, or whose error, are believed to be those of ptxas, which is not
    /// here; 0 if it is here or was not asked.
    pub believed_assemblies: usize,
    /// The number of these that ptxas is said to refuse.
    pub believed_assembly_errors: usize,
}

/// The parts of compilations that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ConfirmedParts {
    /// Bytes of the outputs, registers and errors: the compiler has the version of the folder's.
    Outputs,
    /// Lowered programs, and which configurations compile: the compiler has another version.
    Programs,
    /// Nothing: the folder's outputs, registers and errors are believed.
    Nothing,
}

impl VerificationReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.verification/1";
    /// The only outcome of a result.
    pub const VERIFIED: &'static str = "verified";
}

/// The result of `autotune verify DIR --format json` for a proof about several scenarios: each of its proofs was repeated
/// from its inputs, and the result follows from them. If anything differs, the command fails without a result.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetVerificationReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = FleetVerificationReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The outcome.
    #[cfg_attr(test, schemars(extend("const" = VerificationReport::VERIFIED)))]
    pub verdict: &'static str,
    /// The number of scenarios.
    pub scenarios: usize,
    /// The least worst slowdown, rounded up to 6 digits behind the point.
    pub slowdown: f64,
    /// The number of variants that have it together; absent if the answer is one configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variants: Option<usize>,
    /// The number of configurations that are feasible in all scenarios, with variants in some scenario; they were
    /// enumerated again.
    pub configurations: usize,
    /// The model checker of the repetition and its version.
    pub checker: String,
    /// The number of kept proofs that were repeated, each from its inputs.
    pub proofs: usize,
    /// The number of models that were rendered and searched again.
    pub models: usize,
    /// The number of configurations in these models.
    pub searched: usize,
    /// The number of trails that were found and replayed again.
    pub trails: usize,
    /// The scenarios whose profile is the maker's own, not one that autotune ships under its name; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub own_profiles: Vec<OwnProfile>,
    /// The compilations of the kernel's source in all proofs together, by compiler and by what is compared; absent if the
    /// spec has a body. A configuration counts in each proof that has it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compilations: Vec<CompilationsReport>,
}

/// A scenario whose profile autotune does not ship.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct OwnProfile {
    /// The index of the scenario.
    pub scenario: usize,
    /// The GPU's name in the profile.
    pub gpu: String,
}

impl CompilationsReport {
    /// Adds the numbers of another proof; false if it has another compiler, or another comparison.
    #[must_use]
    pub fn add(&mut self, other: &Self) -> bool {
        let kind = |one: &Self| (one.made_by.clone(), one.compiled_by.clone(), one.compared);
        let is_alike = kind(self) == kind(other);
        if is_alike {
            self.configurations += other.configurations;
            self.errors += other.errors;
            self.believed_assemblies += other.believed_assemblies;
            self.believed_assembly_errors += other.believed_assembly_errors;
        }
        is_alike
    }
}

impl FleetVerificationReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.fleet_verification/1";
}

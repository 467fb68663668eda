//! The body that a source amounts to (`schemas/extraction.json`), and a body held against its source
//! (`schemas/source_agreement.json`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{Integers, Values};

/// The result of `autotune extract SPEC --gpu GPU --format json`: the spec that a source amounts to for one
/// configuration.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExtractionReport {
    /// The id of this schema.
    #[schemars(extend("const" = ExtractionReport::SCHEMA))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The spec as YAML.
    pub spec: String,
}

impl ExtractionReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.extraction/1";
}

/// The result of `autotune extract --check SPEC --gpu GPU --format json`: a body held against the source that it
/// describes. Amounts are those of one work group in one launch, summed over its warps.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SourceAgreementReport {
    /// The id of this schema.
    #[schemars(extend("const" = SourceAgreementReport::SCHEMA))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The source's files.
    pub files: Vec<String>,
    /// The number of configurations that were compared.
    #[schemars(range(min = 1))]
    pub configurations: usize,
    /// True if body and source agree in every configuration in all that is judged.
    pub agrees: bool,
    /// The quantities.
    pub quantities: Vec<QuantityReport>,
}

impl SourceAgreementReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.source_agreement/1";
}

/// A quantity of body and source.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct QuantityReport {
    /// The quantity.
    pub quantity: CountedQuantity,
    /// False for a quantity that is shown and not judged.
    pub judged: bool,
    /// The number of configurations in which body and source agree.
    pub agreeing: usize,
    /// The first configuration in which they differ; the first of all if they do not differ.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The body's amount in this configuration.
    #[schemars(range(min = 0))]
    pub body: f64,
    /// The source's amount in this configuration.
    #[schemars(range(min = 0))]
    pub source: f64,
    /// The source's amount once neighbouring accesses are one, as compilers join them.
    #[schemars(range(min = 0))]
    pub joined: f64,
    /// The body's statements that cause the amount, without those of arrays in which the two agree; empty if they do not
    /// differ.
    pub statements: Vec<CountedReport>,
    /// The source's lines that cause the amount, without those of arrays in which the two agree; empty if they do not
    /// differ.
    pub lines: Vec<CountedReport>,
}

/// A quantity in which a body and its source are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CountedQuantity {
    /// Loads from global memory by warps.
    GlobalLoads,
    /// Stores to global memory by warps.
    GlobalStores,
    /// Accesses to local memory and exchanges between lanes, by warps.
    LocalAccesses,
    /// Operations of single precision by warps.
    Fp32,
    /// Barriers of the group.
    Barriers,
    /// Bytes of local memory of the group.
    LocalMemory,
    /// All other operations by warps.
    OtherOperations,
}

/// A place and its part of an amount.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CountedReport {
    /// The file.
    pub file: String,
    /// The line, from 1; 0 if the compiler does not say.
    pub line: u32,
    /// The array; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
    /// The amount.
    #[schemars(range(min = 0))]
    pub amount: f64,
}

//! The body that a source amounts to (`schemas/extraction.json`), and a body held against its source
//! (`schemas/source_agreement.json`).

use serde::Serialize;

use super::values::{Values, values};
use autotune_lowering::extraction::{Agreement, CountedPlace, ExtractedSpec, QuantityAgreement};
use autotune_lowering::lowering::Quantity;
use autotune_lowering::spec::{Configuration, Spec};

/// The result of `autotune extract SPEC --gpu GPU --format json`: the spec that a source amounts to for one
/// configuration.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ExtractionReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = ExtractionReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The spec as YAML.
    pub spec: String,
}

impl ExtractionReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.extraction/1";

    /// The report of the spec that a source amounts to.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, configuration: &Configuration, extracted: ExtractedSpec) -> Self {
        Self {
            schema: Self::SCHEMA,
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            parameters: values(spec, configuration),
            spec: extracted.text,
        }
    }
}

/// The result of `autotune extract --check SPEC --gpu GPU --format json`: a body held against the source that it
/// describes. Amounts are those of one work group in one launch, summed over its warps.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SourceAgreementReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = SourceAgreementReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The source's files.
    pub files: Vec<String>,
    /// The number of configurations that were compared.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub configurations: usize,
    /// True if body and source agree in every configuration in all that is judged.
    pub agrees: bool,
    /// The quantities.
    pub quantities: Vec<QuantityReport>,
}

impl SourceAgreementReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.source_agreement/1";

    /// The report of a body that was held against its source.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, agreement: Agreement) -> Self {
        Self {
            schema: Self::SCHEMA,
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            agrees: agreement.is_whole(),
            files: agreement.files,
            configurations: agreement.configurations,
            quantities: agreement.quantities.into_iter().map(|quantity| QuantityReport::new(spec, quantity)).collect(),
        }
    }
}

/// A quantity of body and source.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct QuantityReport {
    /// The quantity.
    pub quantity: Quantity,
    /// False for a quantity that is shown and not judged.
    pub judged: bool,
    /// The number of configurations where body and source agree.
    pub agreeing: usize,
    /// The first configuration where they differ; the first of all if they do not differ.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The body's amount in this configuration.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub body: f64,
    /// The source's amount in this configuration.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub source: f64,
    /// The source's amount once neighbouring accesses are one, as compilers join them.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub joined: f64,
    /// The body's statements that cause the amount, without those of arrays where the two agree; empty if they do not
    /// differ.
    pub statements: Vec<CountedPlace>,
    /// The source's lines that cause the amount, without those of arrays where the two agree; empty if they do not
    /// differ.
    pub lines: Vec<CountedPlace>,
}

impl QuantityReport {
    fn new(spec: &Spec, QuantityAgreement { quantity, agreeing, shown }: QuantityAgreement) -> Self {
        Self {
            quantity,
            judged: quantity.is_judged(),
            agreeing,
            parameters: values(spec, &shown.configuration),
            body: shown.body,
            source: shown.source,
            joined: shown.joined,
            statements: shown.statements,
            lines: shown.lines,
        }
    }
}

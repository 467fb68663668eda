//! The errors and doubtful places of a spec (`schemas/diagnosis.json`).

use serde::Serialize;

use autotune_base::text::Inferred;

use super::FitsReport;
use autotune_engine::check::{Diagnosis, SpaceSafety, SpaceSummary, SpecProblem, Warning};

/// The result of `autotune check SPEC --format json`: the errors and doubtful places of a spec.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct DiagnosisReport<'a> {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = DiagnosisReport::SCHEMA)))]
    pub schema: &'static str,
    /// The spec's file.
    pub spec: &'a str,
    /// The GPU's name; null if no GPU was named, so that the limits of GPUs are not checked.
    pub gpu: Option<&'a str>,
    /// The parts of the question that follow from the text of the source, with their lines; absent if a spec or options state
    /// all.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub inferred: &'a [Inferred],
    /// The errors that keep the spec from being tuned, in the order of the text, or of the first configuration that
    /// has each.
    pub errors: &'a [SpecProblem],
    /// The doubtful places of the spec and the profile, which may be intended.
    pub warnings: &'a [Warning],
    /// The sizes of the space before and after constraints and limits; absent if the spec could not be read or its
    /// space is too large.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<&'a SpaceSummary>,
    /// The GPUs that the configurations fit; absent unless several GPUs, a configuration or required targets are asked
    /// for. Then `gpu` is the first of them: errors, warnings and `space` are found on that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fits: Option<FitsReport<'a>>,
    /// The search for what the kernel does wrong in each configuration; absent unless it is asked for, and if the spec has a
    /// body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safety: Option<&'a SpaceSafety>,
    /// The reason why not all configurations were looked at, in words; absent if they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

impl<'a> DiagnosisReport<'a> {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.diagnosis/1";

    /// The report of the findings in the file `spec`; `gpu` is the GPU's name, and `None` if none was named;
    /// `fits` what fits several GPUs, `None` if that was not asked for; `safety` what the kernel does wrong, `None` likewise.
    #[must_use]
    pub fn new(
        spec: &'a str,
        gpu: Option<&'a str>,
        diagnosis: &'a Diagnosis,
        fits: Option<FitsReport<'a>>,
        safety: Option<&'a SpaceSafety>,
        inferred: &'a [Inferred],
    ) -> Self {
        let Diagnosis { errors, warnings, space, is_refused: _, stopped } = diagnosis;
        let stopped = stopped.or_else(|| fits.as_ref()?.stopped).or_else(|| safety?.stopped).map(|why| why.to_string());
        Self {
            schema: Self::SCHEMA,
            spec,
            gpu,
            inferred,
            errors,
            warnings,
            space: space.as_ref(),
            fits,
            safety,
            stopped,
        }
    }
}

//! The errors and doubtful places of a spec, as a result states them.

use crate::check::Diagnosis;
use crate::result::DiagnosisReport;

/// The report of the findings in the file `spec`; `gpu` is the GPU's name, and `None` if none was named.
#[must_use]
pub fn diagnosis<'a>(spec: &'a str, gpu: Option<&'a str>, diagnosis: &'a Diagnosis) -> DiagnosisReport<'a> {
    let Diagnosis { errors, warnings, space, is_refused: _ } = diagnosis;
    DiagnosisReport { schema: DiagnosisReport::SCHEMA, spec, gpu, errors, warnings, space: space.as_ref() }
}

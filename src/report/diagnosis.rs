//! Everything that is wrong or doubtful in a spec, as a result states it.

use crate::diagnosis::Diagnosis;
use crate::result::DiagnosisReport;

/// The report of what was found in the file `spec`, on a GPU if one was named.
#[must_use]
pub fn diagnosis<'a>(spec: &'a str, gpu: Option<&'a str>, diagnosis: &'a Diagnosis) -> DiagnosisReport<'a> {
    let Diagnosis { errors, warnings, space } = diagnosis;
    DiagnosisReport { schema: DiagnosisReport::SCHEMA, spec, gpu, errors, warnings, space: space.as_ref() }
}

//! The source of a kernel in a result.

use crate::lowering::{Feasibility, Lowering};
use crate::proof::Question;
use crate::result::{RegistersOrigin, RegistersReport, SourceReport};
use crate::source::RegisterSource;
use crate::spec::Configuration;

/// The source of a question's kernel and the registers of a configuration; `None` if the spec has a body.
pub(super) fn kernel_source(question: &Question, configuration: &Configuration) -> Option<SourceReport> {
    let stated = question.spec.kernel_source.as_ref()?;
    let lowering = Lowering::new(question.spec, question.profile);
    let launched = lowering.launch(configuration).ok()?.feasible()?;
    let Feasibility::Feasible(traced) = lowering.trace(configuration).ok()?? else { return None };
    let read = traced.kernel.registers;
    let source = match read.source {
        // What the spec says has the last word.
        _ if launched.geometry.registers != u64::from(read.value) => RegistersOrigin::Spec,
        RegisterSource::Estimate => RegistersOrigin::Estimate,
        RegisterSource::Ptxas => RegistersOrigin::Ptxas,
        RegisterSource::Amd => RegistersOrigin::Amd,
    };
    let files = stated.source.files.iter().map(|file| {
        let name = file.file_name().unwrap_or(file.as_os_str());
        name.to_string_lossy().into_owned()
    });
    let registers = RegistersReport { value: launched.geometry.registers, source };
    Some(SourceReport { files: files.collect(), registers })
}

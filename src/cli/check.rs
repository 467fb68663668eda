//! `autotune check`: all errors and warnings of a spec.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::warned::Frames;
use super::{Status, output};
use crate::check::Diagnosis;
use crate::gpu::Profile;
use crate::render::text;
use crate::result::DiagnosisReport;
use crate::session::{SessionError, in_space, set_sizes};
use crate::source::{SourceReader, Tools};
use crate::spec::{OuterSpace, Spec};
use crate::text::Source;

/// The GPU that is taken if none is named, without its limits.
const NO_GPU: &str = "abstract-fermi";

pub(super) fn run(request: &arguments::Check) -> Result<Status, Failure> {
    let gpu = request.gpu.as_deref().unwrap_or(NO_GPU);
    let (profile, profile_text) =
        Profile::resolve_with_text(gpu).map_err(|why| SessionError::Gpu { name: gpu.to_owned(), why })?;
    let profile = match profile {
        Profile::Lockstep(processor) if request.gpu.is_none() => Profile::Lockstep(processor.unlimited()),
        profile => profile,
    };
    let profile_text = Source::new(gpu, &profile_text);
    let file = request.space.as_deref();
    let space = file.map(|file| OuterSpace::load(file).map_err(|why| in_space(file, why))).transpose()?;
    let name = request.spec.display().to_string();
    let source = match request.kernel.spec(&request.spec, &Tools::from(&request.tools))? {
        Some(options) => options,
        None => match Spec::text_of(&request.spec) {
            Ok(text) => Source::new(&name, &text),
            Err(why) => return Err(SessionError::Spec { path: request.spec.clone(), why }.into()),
        },
    };
    let (diagnosis, spec) = match Spec::diagnose(&source, space.as_ref()) {
        Err(errors) => (Diagnosis::of_errors(&errors), None),
        Ok(mut spec) => {
            set_sizes(&mut spec, &request.sizes)?;
            let reader = SourceReader::new(Tools::from(&request.tools));
            (Diagnosis::new(&spec, &profile, &reader, &profile_text), Some(spec))
        }
    };
    let gpu = request.gpu.as_ref().map(|_| profile.name());
    let report = DiagnosisReport::new(&name, gpu, &diagnosis);
    output::text(&match request.format {
        Format::Json => output::to_json(&report)?,
        Format::Text => {
            let frames = Frames { spec: spec.as_ref(), profile: &profile_text };
            text::diagnosis::to_text(&report, |warning| frames.of(warning))
        }
    })?;
    Ok(match (diagnosis.errors.is_empty() || diagnosis.is_refused, &diagnosis.space) {
        (false, _) => Status::Unusable,
        (true, Some(space)) if space.feasible == 0 && space.not_looked_at == 0 => Status::Infeasible,
        (true, _) => Status::Success,
    })
}

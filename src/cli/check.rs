//! `autotune check`: all errors and warnings of a spec, and what fits where.

use std::time::{Duration, Instant};

use super::arguments::{self, Format};
use super::failure::Failure;
use super::progress::Progress;
use super::warned::Frames;
use super::{Status, output, signals};
use crate::render::text;
use crate::result::{DiagnosisReport, FitsReport};
use crate::session::{SessionError, in_space, set_sizes, set_warm};
use autotune_base::limits::Limits;
use autotune_base::text::Source;
use autotune_engine::check::{Diagnosis, Fits, ObserveShare, SpaceSafety};
use autotune_kernel::source::{SourceReader, Tools};
use autotune_lowering::gpu::{self, Profile, Selected};
use autotune_lowering::spec::{OuterSpace, Spec};

/// The GPU that is taken if none is named, without its limits.
const NO_GPU: &str = "abstract-fermi";

/// The GPUs of a question.
struct Asked {
    /// The named GPUs, then the required ones that are not among them; at least one.
    gpus: Vec<Selected>,
    /// The names of the GPUs that some configuration has to fit.
    required: Vec<String>,
    /// True if no GPU is named: the one of `gpus` stands for none.
    is_none: bool,
    /// The place of the GPU whose errors and warnings are shown.
    shown: usize,
}

impl Asked {
    fn new(gpus: Option<&str>, require: Option<&str>) -> Result<Self, Failure> {
        let of = |list: &str, select: fn(&str) -> Result<Vec<Selected>, gpu::GpuError>| {
            select(list).map_err(|why| SessionError::Gpu { name: list.to_owned(), why })
        };
        let required = require.map_or(Ok(Vec::new()), |targets| of(targets, gpu::select_targets))?;
        let is_none = gpus.is_none() && required.is_empty();
        let default = if is_none { Some(NO_GPU) } else { None };
        let mut gpus = gpus.or(default).map_or(Ok(Vec::new()), |list| of(list, gpu::select))?;
        let names: Vec<String> = required.iter().map(|gpu| gpu.profile.name().to_owned()).collect();
        for gpu in required {
            if gpus.iter().all(|known| known.profile != gpu.profile) {
                gpus.push(gpu);
            }
        }
        Ok(Self { gpus, required: names, is_none, shown: 0 })
    }

    /// The GPU whose errors and warnings are shown.
    fn shown(&self) -> Profile {
        match self.gpus[self.shown].profile.clone() {
            Profile::Lockstep(processor) if self.is_none => Profile::Lockstep(processor.unlimited()),
            profile => profile,
        }
    }

    /// The text of this GPU's profile.
    fn profile_text(&self) -> Source {
        let gpu = &self.gpus[self.shown];
        Source::new(&gpu.argument, &gpu.text)
    }

    fn diagnosis(&self, spec: &Spec, reader: &SourceReader, limits: &Limits, progress: &Progress) -> Diagnosis {
        let observe = &mut |share| progress.diagnosing(Some(share));
        Diagnosis::new(spec, &self.shown(), reader, &self.profile_text(), limits, observe)
    }

    /// Returns what fits each GPU; `None` if the question is about one GPU and its whole space.
    fn fits(
        &self,
        config: Option<&str>,
        spec: &Spec,
        reader: &SourceReader,
        limits: &Limits,
        observe: ObserveShare<'_>,
    ) -> Result<Option<Fits>, Failure> {
        let is_about_one = self.gpus.len() == 1 && config.is_none() && self.required.is_empty();
        let profiles: Vec<&Profile> = self.gpus.iter().map(|gpu| &gpu.profile).collect();
        let fits = || Fits::new(spec, &profiles, reader, config, limits, observe);
        Ok((!is_about_one).then(fits).transpose()?)
    }
}

/// A spec that was checked.
pub(super) struct Checked {
    asked: Asked,
    pub(super) diagnosis: Diagnosis,
    /// The spec; `None` if its text is not one.
    spec: Option<Spec>,
    fits: Option<Fits>,
    safety: Option<SpaceSafety>,
}

impl Checked {
    /// Checks a spec's text for these GPUs and those that are required, lists between commas; `None` for no GPU. What each
    /// configuration does wrong is searched for if `asks_safety` is true. Errors and warnings are about the first GPU that some
    /// configuration fits, and about the first GPU if none does. `progress` shows how far the work is.
    pub(super) fn new(
        source: &Source,
        space: Option<&OuterSpace>,
        [gpus, require, config]: [Option<&str>; 3],
        (sizes, warm): (&[(String, i64)], Option<bool>),
        reader: &SourceReader,
        asks_safety: bool,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let mut asked = Asked::new(gpus, require)?;
        let limits = &reader.tools().limits();
        let (diagnosis, spec, fits, safety) = match Spec::diagnose(source, space) {
            Err(errors) => (Diagnosis::of_errors(&errors), None, None, None),
            Ok(mut spec) => {
                set_sizes(&mut spec, sizes)?;
                if let Some(is_warm) = warm {
                    set_warm(&mut spec, is_warm);
                }
                progress.diagnosing(None);
                let mut diagnosis = asked.diagnosis(&spec, reader, limits, progress);
                let is_usable = diagnosis.errors.is_empty() || diagnosis.is_refused;
                let observe = &|share| progress.fitting(share, asked.gpus.len());
                let fits = if is_usable { asked.fits(config, &spec, reader, limits, observe)? } else { None };
                if let Some(place) = fits.as_ref().and_then(first_fit).filter(|place| *place > 0) {
                    asked.shown = place;
                    diagnosis = asked.diagnosis(&spec, reader, limits, progress);
                }
                let search = || SpaceSafety::new(&spec, &asked.shown(), reader, limits);
                let safety = (is_usable && asks_safety).then(search).transpose()?.flatten();
                (diagnosis, Some(spec), fits, safety)
            }
        };
        Ok(Self { asked, diagnosis, spec, fits, safety })
    }

    /// The report about a spec that messages call `name`, and the exit status that says whether the spec can be used.
    pub(super) fn report<'a>(&'a self, name: &'a str) -> (DiagnosisReport<'a>, Status) {
        let Self { asked, diagnosis, spec, fits, safety } = self;
        let inferred = spec.as_ref().map_or(&[][..], |spec| spec.source.inferred());
        let gpu = (!asked.is_none).then(|| asked.gpus[asked.shown].profile.name());
        let required: Vec<&str> = asked.required.iter().map(String::as_str).collect();
        let fits = spec.as_ref().zip(fits.as_ref()).map(|(spec, fits)| FitsReport::new(spec, fits, &required));
        let status = status(diagnosis, fits.as_ref(), safety.as_ref());
        (DiagnosisReport::new(name, gpu, diagnosis, fits, safety.as_ref(), inferred), status)
    }
}

pub(super) fn run(request: &arguments::Check) -> Result<Status, Failure> {
    let file = request.space.as_deref();
    let space = file.map(|file| OuterSpace::load(file).map_err(|why| in_space(file, why))).transpose()?;
    let name = request.spec.display().to_string();
    let deadline = request.time_limit.map(|limit| Instant::now() + Duration::from(limit));
    let tools = Tools { interrupt: signals::interrupt()?, deadline, ..Tools::from(&request.tools) };
    let source = match request.kernel.spec(&request.spec, request.gpu.as_deref(), &request.sizes, &tools)? {
        Some(options) => options,
        None => match Spec::text_of(&request.spec) {
            Ok(text) => Source::new(&name, &text),
            Err(why) => return Err(SessionError::Spec { path: request.spec.clone(), why }.into()),
        },
    };
    let words = [request.gpu.as_deref(), request.require.as_deref(), request.config.as_deref()];
    let reader = SourceReader::new(tools);
    let progress = Progress::new();
    let problem = (&request.sizes[..], request.l2.warm());
    let checked = Checked::new(&source, space.as_ref(), words, problem, &reader, request.safety, &progress);
    progress.end();
    let checked = checked?;
    if request.safety && checked.spec.as_ref().is_some_and(|spec| spec.kernel_source.is_none()) {
        output::note("nothing is executed for `--safety`: the spec states the kernel's work, and names no source");
    }
    let (report, status) = checked.report(&name);
    if request.format == Format::Text {
        output::inferred(report.inferred)?;
    }
    output::text(&match request.format {
        Format::Json => output::to_json(&report)?,
        Format::Text => {
            let frames = Frames { spec: checked.spec.as_ref(), profile: &checked.asked.profile_text() };
            text::diagnosis::to_text(&report, |warning| frames.of(warning))
        }
    })?;
    Ok(status)
}

/// The place of the first GPU that some configuration fits.
fn first_fit(fits: &Fits) -> Option<usize> {
    fits.gpus.iter().position(|fit| fit.feasible > 0)
}

/// Errors make a spec unusable. Without them, some configuration has to fit some GPU, and each of the required ones.
fn status(diagnosis: &Diagnosis, fits: Option<&FitsReport>, safety: Option<&SpaceSafety>) -> Status {
    if !(diagnosis.errors.is_empty() || diagnosis.is_refused) {
        return Status::Unusable;
    }
    let is_cut = safety.is_some_and(|safety| safety.stopped.is_some());
    if diagnosis.stopped.is_some() || fits.is_some_and(FitsReport::is_stopped) || is_cut {
        return Status::BestEffort;
    }
    let fits_none = match (fits, &diagnosis.space) {
        (Some(fits), _) => fits.without(false).count() == fits.gpus.len() || fits.without(true).next().is_some(),
        (None, Some(space)) => space.feasible == 0 && space.not_looked_at == 0,
        (None, None) => false,
    };
    if fits_none { Status::Infeasible } else { Status::Success }
}

//! Kernel, GPU and problem, read.

use crate::space;
use std::path::Path;

use tracing::info;

use super::arguments::{self, Printed};
use super::failure::Failure;
use super::output;
use crate::gpu::Profile;
use crate::session::batch::Job;
use crate::space::{Case, Space};
use crate::spec::{Configuration, OuterSpace, Spec, SpecError};
use crate::text::Source;
use crate::warnings::{Warning, warnings};

/// A question's inputs.
pub(super) struct Question {
    pub(super) spec: Spec,
    pub(super) profile: Profile,
    /// The text of the profile.
    pub(super) profile_text: String,
    /// What is to be told of it besides errors.
    pub(super) warnings: Vec<Warning>,
    /// What messages call the profile's file.
    pub(super) profile_file: String,
    /// The GPU as it was asked for: a name or alias, or the name in a file.
    pub(super) gpu: String,
    /// The only configuration to consider, if one is named.
    pub(super) only: Option<Configuration>,
}

impl Question {
    /// The same question, with what is to be told of it.
    fn judged(mut self) -> Self {
        self.warnings = warnings(&self.spec, &self.profile, &self.profile_source(), self.only.is_none());
        self
    }

    fn profile_source(&self) -> Source {
        Source::new(&self.profile_file, &self.profile_text)
    }

    /// Tells the warnings on standard error.
    fn tell_warnings(&self) {
        let frames = Frames { spec: Some(&self.spec), profile: &self.profile_source() };
        for warning in &self.warnings {
            output::warning(&frames.of(warning), &warning.help);
        }
    }

    /// Asks something of each feasible configuration, or of the one that is named.
    ///
    /// # Errors
    /// When none is feasible, or one cannot be lowered.
    pub(super) fn ask<T: Send>(&self, ask: impl Fn(&Case) -> T + Sync) -> Result<Vec<(Configuration, T)>, Failure> {
        let configurations = match &self.only {
            Some(configuration) => vec![configuration.clone()],
            None => space::allowed(&self.spec, &self.profile)?,
        };
        let answers = space::each(&self.spec, &self.profile, &configurations, ask)?;
        let mut refusal = None;
        let mut feasible = Vec::with_capacity(configurations.len());
        for (configuration, answer) in configurations.into_iter().zip(answers) {
            match answer {
                Ok(answer) => feasible.push((configuration, answer)),
                Err(reason) => refusal = refusal.or(Some(reason)),
            }
        }
        if feasible.is_empty() {
            return Err(Failure::Infeasible(refusal.unwrap_or_else(|| "no configuration is feasible".to_owned())));
        }
        Ok(feasible)
    }
}

/// The texts that warnings are about.
pub(super) struct Frames<'a> {
    pub(super) spec: Option<&'a Spec>,
    pub(super) profile: &'a Source,
}

impl Frames<'_> {
    /// A warning with the line that it is about.
    pub(super) fn of(&self, warning: &Warning) -> String {
        let Warning { message, file, line, column, .. } = warning;
        let spec = self.spec.into_iter();
        let of_spec = spec.flat_map(|spec| [Some(&*spec.source), spec.space_source.as_deref()]).flatten();
        let source = of_spec.chain([self.profile]).find(|source| source.name() == file);
        let title = format!("warning: {message}");
        source.map_or_else(|| placed(warning), |source| source.frame_at(&title, *line, *column))
    }
}

/// A warning and where it stands.
pub(super) fn placed(warning: &Warning) -> String {
    let Warning { message, file, line, column, .. } = warning;
    format!("warning: {message}\n --> {file}:{line}:{column}")
}

/// Reads what a question names.
pub(super) fn read<F: Printed>(arguments: &arguments::Question<F>) -> Result<Question, Failure> {
    let path = &arguments.spec;
    info!("reading {} for {}", path.display(), arguments.gpu);
    let file = arguments.space.as_deref();
    let space = file.map(|file| OuterSpace::load(file).map_err(|why| in_space(file, why))).transpose()?;
    let spec = Spec::load_with(path, space.as_ref()).map_err(|why| match file {
        // What is wrong with a condition is known only beside the spec.
        Some(file) if why.file() == Some(&file.display().to_string()) => in_space(file, why),
        _ => Failure::Spec { path: path.clone(), why },
    })?;
    let mut question = of(spec, &arguments.sizes, &arguments.gpu)?;
    if let Some(text) = &arguments.config {
        let space = Space::new(&question.spec, &question.profile.names(question.spec.resources.dynamic));
        let configuration = space.map_err(Failure::Request)?.configuration(text);
        question.only = Some(configuration.map_err(Failure::Request)?);
    }
    let question = question.judged();
    question.tell_warnings();
    Ok(question)
}

/// The question with the preferences that the command line states in the place of the spec's.
pub(super) fn preferring(mut question: Question, request: &arguments::Tune) -> Result<Question, Failure> {
    if let Some(text) = &request.prefer {
        question.spec.set_preferences(text).map_err(Failure::Request)?;
    }
    Ok(question)
}

/// Reads what a job of a batch names; messages do not tell where the batch was called from.
pub(super) fn of_job(job: &Job) -> Result<Question, Failure> {
    info!("reading {} for {}", job.spec, job.gpu);
    let spec =
        Spec::load_as(&job.path, &job.spec).map_err(|why| Failure::Spec { path: job.spec.clone().into(), why })?;
    of(spec, &job.set, &job.gpu_path).map(Question::judged)
}

/// That something in another file's space is wrong.
pub(super) fn in_space(file: &Path, why: SpecError) -> Failure {
    Failure::Space { path: file.to_owned(), why }
}

/// Gives problem sizes other values, each once.
pub(super) fn set_sizes(spec: &mut Spec, sizes: &[(String, i64)]) -> Result<(), Failure> {
    for (place, (name, value)) in sizes.iter().enumerate() {
        if sizes[..place].iter().any(|(earlier, _)| earlier == name) {
            return Err(Failure::TwoSizes { name: name.clone() });
        }
        spec.set(name, *value).map_err(Failure::Request)?;
    }
    Ok(())
}

fn of(mut spec: Spec, sizes: &[(String, i64)], gpu: &str) -> Result<Question, Failure> {
    set_sizes(&mut spec, sizes)?;
    let (profile, profile_text) =
        Profile::resolve_with_text(gpu).map_err(|why| Failure::Gpu { name: gpu.to_owned(), why })?;
    let profile_file = gpu.to_owned();
    let gpu = profile.called(gpu).unwrap_or(profile.name()).to_owned();
    Ok(Question { spec, profile, profile_text, profile_file, gpu, only: None, warnings: Vec::new() })
}

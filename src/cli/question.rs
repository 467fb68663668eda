//! Kernel, GPU and problem, read.

use std::path::Path;

use tracing::info;

use super::arguments::{self, Printed};
use super::failure::Failure;
use crate::analysis::{self, Case};
use crate::batch::Job;
use crate::gpu::Profile;
use crate::spec::{Configuration, OuterSpace, Space, Spec};

/// A question's inputs.
pub(super) struct Question {
    pub(super) spec: Spec,
    pub(super) profile: Profile,
    /// The text of the profile.
    pub(super) profile_text: String,
    /// The GPU as it was asked for: a name or alias, or the name in a file.
    pub(super) gpu: String,
    /// The only configuration to consider, if one is named.
    pub(super) only: Option<Configuration>,
}

impl Question {
    /// Asks something of each feasible configuration, or of the one that is named.
    ///
    /// # Errors
    /// When none is feasible, or one cannot be lowered.
    pub(super) fn ask<T: Send>(&self, ask: impl Fn(&Case) -> T + Sync) -> Result<Vec<(Configuration, T)>, Failure> {
        let configurations = match &self.only {
            Some(configuration) => vec![configuration.clone()],
            None => analysis::allowed(&self.spec, &self.profile)?,
        };
        let answers = analysis::each(&self.spec, &self.profile, &configurations, ask)?;
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

/// Reads what a question names.
pub(super) fn read<F: Printed>(arguments: &arguments::Question<F>) -> Result<Question, Failure> {
    let path = &arguments.spec;
    info!("reading {} for {}", path.display(), arguments.gpu);
    let in_space = |file: &Path, why| Failure::Space { path: file.to_owned(), why };
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
    of(spec, &job.set, &job.gpu_path)
}

fn of(mut spec: Spec, sizes: &[(String, i64)], gpu: &str) -> Result<Question, Failure> {
    for (place, (name, value)) in sizes.iter().enumerate() {
        if sizes[..place].iter().any(|(earlier, _)| earlier == name) {
            return Err(Failure::TwoSizes { name: name.clone() });
        }
        spec.set(name, *value).map_err(Failure::Request)?;
    }
    let (profile, profile_text) =
        Profile::resolve_with_text(gpu).map_err(|why| Failure::Gpu { name: gpu.to_owned(), why })?;
    let is_known = profile.names_and_aliases().any(|name| name == gpu);
    let gpu = if is_known { gpu.to_owned() } else { profile.name().to_owned() };
    Ok(Question { spec, profile, profile_text, gpu, only: None })
}

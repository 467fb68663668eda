//! The inputs of a question: kernel, GPU and problem.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracing::info;

use super::SessionError;
use super::batch::{Job, JobScenario};
use super::stated::spec_of_file;
use autotune_base::files;
use autotune_base::text::{Inferred, InferredKind, Source};
use autotune_engine::check::{CheckFinding, Warning, findings};
use autotune_kernel::source::{AbsentHeader, SourceReader, StandIn};
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::{Feasibility, Lowering};
use autotune_lowering::space::{Case, Space, Visit, allowed, each, only_configuration};
use autotune_lowering::spec::{Configuration, OuterSpace, Spec, SpecError, StatedSource};

/// The most bytes of a source file that are compared.
const MOST_BYTES: u64 = 16 * files::MIB;

/// The names of a question's inputs.
#[derive(Debug, Clone, Default)]
pub struct Named {
    /// The spec's file, or the source file that `options` are about; `None` for the kernel that the T1 file describes.
    pub spec: Option<PathBuf>,
    /// The spec that options of a command line stand for; `None` to read the file.
    pub options: Option<Source>,
    /// A GPU's name or alias, or the path of a profile.
    pub gpu: String,
    /// The problem sizes that differ from the spec's.
    pub sizes: Vec<(String, i64)>,
    /// A T1 file with values of parameters, further parameters and constraints; `None` for the spec's own space.
    pub space: Option<PathBuf>,
    /// A configuration to consider alone, `A=1,B=2`; `None` for the whole space.
    pub config: Option<String>,
    /// True if the launch finds in L2 what fits there, and false if it finds nothing; `None` for what the spec says.
    pub warm: Option<bool>,
}

/// The inputs of a question, read and checked.
#[derive(Debug)]
pub struct Inputs {
    /// The kernel, with its problem sizes set.
    pub spec: Spec,
    /// The GPU's profile.
    pub profile: Profile,
    /// The reader of the kernel's source for this question; not asked for a spec with a body.
    pub reader: SourceReader,
    /// The text of the profile.
    pub profile_text: String,
    /// The findings about spec and profile.
    pub findings: Vec<CheckFinding>,
    /// The profile's file, as messages name it.
    pub profile_file: String,
    /// The GPU as it was requested: a name or alias, or the name in a file.
    pub gpu: String,
    /// True if a group of GPUs brought it: if it refuses each configuration, the question is answered all the same.
    pub of_group: bool,
    /// The only configuration to consider; `None` for the whole space.
    pub only: Option<Configuration>,
    /// The spec, the T1 file and the profile, as far as they are files.
    read: Vec<PathBuf>,
}

impl Inputs {
    /// Reads a spec and a GPU's profile. A kernel's source is compiled with the reader's tools, once with those of its
    /// other questions.
    ///
    /// # Errors
    /// If one of them cannot be used; the message shows file, line and column.
    pub fn read(spec: impl AsRef<Path>, gpu: &str, reader: &SourceReader) -> Result<Self, SessionError> {
        let named = Named { spec: Some(spec.as_ref().to_owned()), gpu: gpu.to_owned(), ..Named::default() };
        Self::read_named(&named, reader)
    }

    /// Reads all inputs that are named.
    ///
    /// # Errors
    /// If one of them cannot be used; the message shows file, line and column if there are any.
    pub fn read_named(named: &Named, reader: &SourceReader) -> Result<Self, SessionError> {
        Ok(Self::read_unjudged(named, reader)?.judged())
    }

    /// Reads all inputs that are named, without findings: a source is not compiled.
    ///
    /// # Errors
    /// As [`Inputs::read_named`].
    pub(super) fn read_unjudged(named: &Named, reader: &SourceReader) -> Result<Self, SessionError> {
        let file = named.space.as_deref();
        let space = file.map(|file| OuterSpace::load(file).map_err(|why| in_space(file, why))).transpose()?;
        let of_space = space.as_ref().zip(file).filter(|_| named.spec.is_none());
        let of_space = of_space.map(|(space, file)| space.kernel().map_err(|why| in_space(file, why))).transpose()?;
        let stated = named.spec.as_deref().filter(|_| named.options.is_none()).map(spec_of_file).transpose()?.flatten();
        let (read, path) = match (&named.spec, named.options.as_ref().or(stated.as_ref()), of_space.flatten()) {
            (Some(path), Some(options), _) => (Spec::read(options, space.as_ref()), path.clone()),
            (Some(path), None, _) => (Spec::load_with(path, space.as_ref()), path.clone()),
            (None, _, Some((text, name))) => (Spec::parse_with(&text, &name, space.as_ref()), name.into()),
            (None, _, None) => return Err(SessionError::NoKernel(file.unwrap_or(Path::new("")).to_owned())),
        };
        info!(target: "input.read", "reading {} for {}", path.display(), named.gpu);
        let spec = read.map_err(|why| match file {
            // A fault of a T1 file's condition only shows beside the spec.
            Some(file) if why.file() == Some(&file.display().to_string()) => in_space(file, why),
            _ if named.options.is_some() || stated.is_some() => SessionError::Options { path, why },
            _ => SessionError::Spec { path, why },
        })?;
        let mut inputs = Self::new(spec, reader, &named.sizes, &named.gpu)?.warmed(named.warm);
        let of_spec = named.spec.clone().filter(|_| named.options.is_none() && stated.is_none());
        inputs.read.splice(..0, of_spec.into_iter().chain(named.space.clone()));
        if let Some(text) = &named.config {
            let space = Space::new(&inputs.spec, &inputs.profile.names(inputs.spec.has_dynamic_local_memory()));
            let configuration = space.map_err(SessionError::Request)?.configuration(text);
            inputs.only = Some(configuration.map_err(SessionError::Request)?);
        }
        Ok(inputs)
    }

    /// The inputs of a spec that was read elsewhere, without findings.
    ///
    /// # Errors
    /// If a problem size or the GPU cannot be used.
    pub(super) fn of_spec(
        spec: Spec,
        (sizes, warm): (&[(String, i64)], Option<bool>),
        gpu: &str,
        reader: &SourceReader,
    ) -> Result<Self, SessionError> {
        Ok(Self::new(spec, reader, sizes, gpu)?.warmed(warm))
    }

    /// Reads the inputs of a batch's job in each of its scenarios; messages do not depend on the caller's folder.
    ///
    /// # Errors
    /// As [`Inputs::read`].
    pub fn of_job(job: &Job, reader: &SourceReader) -> Result<Vec<Self>, SessionError> {
        job.scenarios.iter().map(|scenario| Self::of_scenario(job, scenario, reader)).collect()
    }

    fn of_scenario(job: &Job, scenario: &JobScenario, reader: &SourceReader) -> Result<Self, SessionError> {
        info!(target: "input.read", "reading {} for {}", job.spec, scenario.gpu);
        let read = match spec_of_file(&job.path)? {
            Some(stated) => Spec::read(&stated, None),
            None => Spec::load_as(&job.path, &job.spec),
        };
        let spec = read.map_err(|why| SessionError::Spec { path: job.spec.clone().into(), why })?;
        let mut inputs = Self::new(spec, reader, &scenario.set, &scenario.gpu_path)?.warmed(job.warm);
        inputs.read.insert(0, job.path.clone());
        inputs.of_group = scenario.of_group;
        Ok(inputs.judged())
    }

    fn new(mut spec: Spec, reader: &SourceReader, sizes: &[(String, i64)], gpu: &str) -> Result<Self, SessionError> {
        set_sizes(&mut spec, sizes)?;
        let (profile, profile_text) =
            Profile::resolve_with_text(gpu).map_err(|why| SessionError::Gpu { name: gpu.to_owned(), why })?;
        let (profile_file, reader) = (gpu.to_owned(), reader.for_another_question());
        let read = Profile::file(gpu).map(Path::to_owned).into_iter().collect();
        let gpu = profile.called(gpu).to_owned();
        let (of_group, only, findings) = (false, None, Vec::new());
        Ok(Self { spec, profile, reader, profile_text, findings, profile_file, gpu, of_group, only, read })
    }

    /// The inputs with a launch that is warm or cold as an option says; as they are without one.
    fn warmed(mut self, warm: Option<bool>) -> Self {
        if let Some(is_warm) = warm {
            set_warm(&mut self.spec, is_warm);
        }
        self
    }

    /// The reason why the first configuration cannot be lowered; `None` if it can, or if it cannot run.
    pub(crate) fn first_failure(&self) -> Option<SessionError> {
        let names = self.profile.names(self.spec.has_dynamic_local_memory());
        let space = Space::new(&self.spec, &names).ok()?;
        let mut first = self.only.clone();
        let take = &mut |visit: Visit<'_>| match visit {
            Visit::Feasible(values) => {
                first.get_or_insert_with(|| Configuration(values.to_vec()));
                ControlFlow::Break(())
            }
            Visit::Excluded { .. } => ControlFlow::Continue(()),
        };
        space.visit(take).ok()?;
        let first = first?;
        each(&self.spec, &self.profile, &self.reader, &[first], |_| ()).err().map(SessionError::from)
    }

    /// The GPU and the problem sizes, such as `a100-40gb n=1024`.
    pub(crate) fn scenario(&self) -> String {
        let sizes = self.spec.problem.iter().map(|(name, size)| format!("{name}={size}"));
        std::iter::once(self.profile.name().to_owned()).chain(sizes).collect::<Vec<_>>().join(" ")
    }

    /// The same inputs with a space of these configurations alone, without findings. If one configuration is considered
    /// alone, that stays.
    pub(super) fn among(&self, configurations: Vec<Configuration>) -> Self {
        let mut inputs = self.same();
        if self.only.is_none() {
            inputs.spec.restrict(configurations);
        }
        inputs
    }

    /// The same inputs for another question, without findings.
    pub(super) fn same(&self) -> Self {
        Self {
            spec: self.spec.clone(),
            profile: self.profile.clone(),
            reader: self.reader.for_another_question(),
            profile_text: self.profile_text.clone(),
            findings: Vec::new(),
            profile_file: self.profile_file.clone(),
            gpu: self.gpu.clone(),
            of_group: self.of_group,
            only: self.only.clone(),
            read: self.read.clone(),
        }
    }

    fn judged(mut self) -> Self {
        self.findings = findings(&self.spec, &self.profile, &self.reader, &self.profile_source(), self.only.as_ref());
        self
    }

    /// The findings about spec and profile in words.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        self.findings.iter().map(CheckFinding::warning).collect()
    }

    /// Returns the inputs with these preferences instead of the spec's.
    ///
    /// # Errors
    /// If a preference cannot be read.
    pub fn preferring(mut self, preferences: &str) -> Result<Self, SessionError> {
        self.spec.set_preferences(preferences).map_err(SessionError::Request)?;
        Ok(self)
    }

    /// The user's files that an answer depends on: spec, T1 file, profile, the files of the source and those that it
    /// includes, each once. Included files are known after the question was answered.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = self.read.clone();
        if let Some(StatedSource { source, .. }) = &self.spec.kernel_source {
            files.extend(source.files.iter().cloned().chain(self.reader.included(source)));
        }
        let mut met = HashSet::new();
        files.retain(|file| met.insert(file.clone()));
        files
    }

    /// The target that the kernel's source is compiled for in place of the GPU's; `None` if clang knows that, or the spec
    /// has a body.
    #[must_use]
    pub fn stand_in(&self) -> Option<StandIn> {
        Lowering::new(&self.spec, &self.profile, &self.reader).stand_in()
    }

    /// The headers that the kernel's source includes and that are nowhere: the compiler gets empty ones.
    #[must_use]
    pub fn absent(&self) -> Vec<AbsentHeader> {
        Lowering::new(&self.spec, &self.profile, &self.reader).absent()
    }

    /// The profile's text under the name that messages give it.
    #[must_use]
    pub fn profile_source(&self) -> Source {
        Source::new(&self.profile_file, &self.profile_text)
    }

    /// The configuration that is considered alone, or the only one of the space; `None` if there are several.
    ///
    /// # Errors
    /// If the space cannot be enumerated.
    pub fn only_configuration(&self) -> Result<Option<Configuration>, SessionError> {
        match &self.only {
            Some(only) => Ok(Some(only.clone())),
            None => Ok(only_configuration(&self.spec, &self.profile)?),
        }
    }

    /// Asks something of each feasible configuration, or of the named one, in the space's order.
    ///
    /// # Errors
    /// If no configuration is feasible, or one cannot be lowered.
    pub fn ask<T: Send>(&self, ask: impl Fn(&Case) -> T + Sync) -> Result<Vec<(Configuration, T)>, SessionError> {
        let configurations = match &self.only {
            Some(configuration) => vec![configuration.clone()],
            None => allowed(&self.spec, &self.profile)?,
        };
        let answers = each(&self.spec, &self.profile, &self.reader, &configurations, ask)?;
        let mut refusal = None;
        let mut feasible = Vec::with_capacity(configurations.len());
        for (configuration, answer) in configurations.into_iter().zip(answers) {
            match answer {
                Feasibility::Feasible(answer) => feasible.push((configuration, answer)),
                Feasibility::Infeasible(reason) => refusal = refusal.or(Some(reason)),
            }
        }
        if feasible.is_empty() {
            let reason = refusal.unwrap_or_else(|| "no configuration is feasible".to_owned());
            return Err(SessionError::Infeasible(reason));
        }
        Ok(feasible)
    }
}

/// The text of a spec and the files of its source, without those that the source includes; empty where a file cannot be
/// read.
pub(crate) fn texts(spec: &Spec) -> Vec<Vec<u8>> {
    let files = spec.kernel_source.iter().flat_map(|stated| &stated.source.files);
    let sources = files.map(|file| files::named(file, MOST_BYTES).beginning().unwrap_or_default());
    std::iter::once(spec.source.text().as_bytes().to_vec()).chain(sources).collect()
}

/// The error of a T1 file.
pub(crate) fn in_space(file: &Path, why: SpecError) -> SessionError {
    SessionError::Space { path: file.to_owned(), why }
}

/// Sets problem sizes, each at most once.
pub(crate) fn set_sizes(spec: &mut Spec, sizes: &[(String, i64)]) -> Result<(), SessionError> {
    for (place, (name, value)) in sizes.iter().enumerate() {
        if sizes[..place].iter().any(|(earlier, _)| earlier == name) {
            return Err(SessionError::TwoSizes { name: name.clone() });
        }
        spec.set(name, *value).map_err(SessionError::Request)?;
    }
    Ok(())
}

/// Makes the launch of a spec warm or cold, and says so in the answer if the spec says otherwise.
pub(crate) fn set_warm(spec: &mut Spec, is_warm: bool) {
    if !spec.set_warm(is_warm) {
        return;
    }
    let [state, before] = if is_warm { ["warm", "cold"] } else { ["cold", "warm"] };
    let line = Inferred {
        what: InferredKind::Launch,
        name: state.to_owned(),
        value: String::new(),
        file: String::new(),
        line: 0,
        by_rule: false,
        rule: format!("by an option in place of {before}"),
    };
    let inferred = spec.source.inferred().iter().cloned().chain([line]).collect();
    spec.source = Arc::new((*spec.source).clone().with_inferred(inferred));
}

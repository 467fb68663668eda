//! The error of a question without an answer.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::batch::JobListError;
use super::batch::slurm::SlurmError;
use super::journal::JournalError;
use super::revision::error::RevisionError;
use crate::certificate::CertificateError;
use autotune_base::files::own_folder::Exposed;
use autotune_base::files::scratch::ScratchError;
use autotune_base::user_error::{ExitStatus, UserError, is_of_the_command_line};
use autotune_engine::compare::cross_check::CrossCheckError;
use autotune_engine::compare::near::NearError;
use autotune_engine::difference::DifferenceError;
use autotune_engine::proof::TuningError;
use autotune_engine::spin::ToolError;
use autotune_lowering::gpu::GpuError;
use autotune_lowering::inference::InferenceError;
use autotune_lowering::space::SpaceError;
use autotune_lowering::spec::SpecError;

/// The error of a question without an answer. Its text is the whole message; `help` gives advice.
#[derive(Debug, Error)]
pub enum SessionError {
    /// A spec that cannot be used.
    #[error("{}", cannot_use(path, why))]
    Spec {
        /// The spec's file.
        path: PathBuf,
        /// The reason, with its place.
        why: SpecError,
    },
    /// A source whose text does not say how its kernel is launched.
    #[error("{0}")]
    Inference(InferenceError),
    /// An option that says nothing beside the comment of a source.
    #[error("`{option}` says nothing beside the comment of `{}` (line {line}), which states the {states}", path.display())]
    NotBesideComment {
        /// The source.
        path: PathBuf,
        /// The line of the comment.
        line: usize,
        /// The option.
        option: &'static str,
        /// The part that the comment states: the launch, or the configurations.
        states: &'static str,
    },
    /// A source with several specs in comments.
    #[error("`{}` states several specs in comments:{}", path.display(), listed_specs(kernels))]
    SeveralSpecs {
        /// The source.
        path: PathBuf,
        /// The kernels and the lines of the comments.
        kernels: Vec<(String, usize)>,
    },
    /// Options that do not describe how a source is tuned.
    #[error("cannot tune `{}` with these options\n{why}", path.display())]
    Options {
        /// The source's file.
        path: PathBuf,
        /// The reason, with its option.
        why: SpecError,
    },
    /// A T1 file that cannot be used.
    #[error("cannot use T1 file `{}`\n{why}", path.display())]
    Space {
        /// The T1 file.
        path: PathBuf,
        /// The reason, with its place.
        why: SpecError,
    },
    /// A T1 file that is a question by itself, and describes no kernel.
    #[error("no SPEC is given, and `{}` describes no kernel: it has no `KernelSpecification`", .0.display())]
    NoKernel(PathBuf),
    /// A size, a configuration or a preference of the request that cannot be used.
    #[error("{0}")]
    Request(SpecError),
    /// A problem size that is set more than once.
    #[error("the problem size `{name}` is given twice")]
    TwoSizes {
        /// The size's name.
        name: String,
    },
    /// A GPU that is unknown, or a profile that cannot be used.
    #[error("cannot use GPU `{name}`\n{why}")]
    Gpu {
        /// The GPU as it was requested.
        name: String,
        /// The reason.
        why: GpuError,
    },
    /// A space that cannot be enumerated, lowered or evaluated.
    #[error(transparent)]
    Analysis(Box<SpaceError>),
    /// A space without a feasible configuration, with the reason for the first.
    #[error("the configuration cannot run: {0}")]
    Infeasible(String),
    /// An error in one of several scenarios.
    #[error("cannot answer for {scenario}\n{why}")]
    Scenario {
        /// The scenario: its GPU and problem sizes, or the line of a list.
        scenario: String,
        /// The error.
        why: Box<Self>,
    },
    /// Two equal scenarios.
    #[error("{0} stands twice among the scenarios: as scenario {1} and as scenario {2}, from 0")]
    TwoScenarios(String, usize, usize),
    /// A program that proofs need, and that is missing or unusable.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A proof that fails.
    #[error(transparent)]
    Tuning(Box<TuningError>),
    /// Near ties that cannot be computed.
    #[error(transparent)]
    Near(#[from] NearError),
    /// Kernels that cannot be compared.
    #[error(transparent)]
    Difference(#[from] DifferenceError),
    /// A kernel that cannot be taken from a revision.
    #[error(transparent)]
    Revision(#[from] RevisionError),
    /// A spec with a body, which another source cannot replace.
    #[error("`{}` has a body, and no source that another one could stand for", .0.display())]
    NoSource(PathBuf),
    /// A source of another name than each of the spec's several sources.
    #[error("the spec has several sources, and none is called like `{}`", .0.display())]
    NoSuchSource(PathBuf),
    /// Formulas that contradict the machine.
    #[error(transparent)]
    CrossCheck(#[from] CrossCheckError),
    /// A kept proof that differs from its claims.
    #[error(transparent)]
    Certificate(Box<CertificateError>),
    /// A folder for a new proof that is not empty.
    #[error("the folder `{}` is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// A folder for a new proof that cannot be made or used.
    #[error("cannot keep a proof in `{}`", path.display())]
    Keep {
        /// The folder.
        path: PathBuf,
        /// The reason.
        #[source]
        why: std::io::Error,
    },
    /// A file that was requested beside the answer and cannot be written.
    #[error("the {what} is lost, `{}` cannot be written", path.display())]
    Lost {
        /// The kind of file.
        what: &'static str,
        /// The folder.
        path: PathBuf,
        /// The reason.
        #[source]
        why: std::io::Error,
    },
    /// A temporary folder that cannot be made.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// A cache that others may write.
    #[error("the cache is not safe: {0}")]
    UnsafeCache(Exposed),
    /// A job list that cannot be used.
    #[error("cannot use job list `{}`\n{why}", path.display())]
    JobList {
        /// The job list's file.
        path: PathBuf,
        /// The reason, with its place.
        why: JobListError,
    },
    /// A journal that cannot be opened or continued.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A journal that can no longer be written.
    #[error("the {work} has stopped: `{}` cannot be written", path.display())]
    JournalLost {
        /// The work that the journal records.
        work: &'static str,
        /// The journal's file.
        path: PathBuf,
        /// The reason.
        #[source]
        why: std::io::Error,
    },
    /// A job whose inputs have changed since the batch was started.
    #[error("{0}")]
    Changed(String),
    /// An end of a job that cannot be checked here.
    #[error("{what} cannot be checked: {why}")]
    NotEvaluated {
        /// The end and its place.
        what: String,
        /// The reason.
        why: String,
    },
    /// A failure of Slurm.
    #[error(transparent)]
    Slurm(#[from] SlurmError),
    /// A job that is to run here, but still runs on the cluster.
    #[error("{0} is still on the cluster")]
    StillOnCluster(String),
    /// An environment that does not name a task of a batch.
    #[error("Slurm has named no job of the batch to do")]
    NoTask,
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

/// The kernels of specs in comments, a line each.
fn listed_specs(kernels: &[(String, usize)]) -> String {
    kernels.iter().fold(String::new(), |text, (kernel, line)| text + &format!("\n  {kernel} (line {line})"))
}

/// The advice for several specs in comments.
fn choice_of_spec(path: &Path, kernels: &[(String, usize)]) -> String {
    let first = kernels.first().map_or("", |(kernel, _)| kernel.as_str());
    format!("choose one: `{}:{first}`; each comment names its kernel by `kernel:`", path.display())
}

/// The message about a spec; a kernel in a language that is not read is not called a spec.
fn cannot_use(path: &Path, why: &SpecError) -> String {
    match why {
        SpecError::Unread(_) => format!("cannot read `{}`: {why}", path.display()),
        _ => format!("cannot use spec `{}`\n{why}", path.display()),
    }
}

impl From<SpaceError> for SessionError {
    fn from(error: SpaceError) -> Self {
        Self::Analysis(Box::new(error))
    }
}

impl From<TuningError> for SessionError {
    fn from(error: TuningError) -> Self {
        Self::Tuning(Box::new(error))
    }
}

impl From<CertificateError> for SessionError {
    fn from(error: CertificateError) -> Self {
        Self::Certificate(Box::new(error))
    }
}

impl SessionError {
    /// The error with the scenario that it is about, if it is about the kernel and the GPU rather than about a tool.
    pub(crate) fn in_scenario(self, scenario: impl FnOnce() -> String) -> Self {
        match self {
            Self::Analysis(_) | Self::Tuning(_) | Self::Infeasible(_) | Self::Request(_) | Self::Gpu { .. } => {
                Self::Scenario { scenario: scenario(), why: Box::new(self) }
            }
            _ => self,
        }
    }
}

impl UserError for SessionError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Scenario { why, .. } => why.status(),
            Self::Analysis(error) => error.status(),
            Self::Tool(error) => error.status(),
            Self::Tuning(error) => error.status(),
            Self::Near(error) => error.status(),
            Self::CrossCheck(error) => error.status(),
            Self::Difference(error) => error.status(),
            Self::Revision(error) => error.status(),
            Self::Certificate(error) => error.status(),
            Self::Scratch(error) => error.status(),
            Self::Journal(error) => error.status(),
            Self::Slurm(error) => error.status(),
            Self::Keep { why, .. } if !is_of_the_command_line(why) => ExitStatus::Failure,
            Self::Inference(error) => error.status(),
            Self::NotBesideComment { .. }
            | Self::SeveralSpecs { .. }
            | Self::Spec { .. }
            | Self::Options { .. }
            | Self::Space { .. }
            | Self::NoKernel(_)
            | Self::Request(_)
            | Self::TwoSizes { .. }
            | Self::TwoScenarios(..)
            | Self::Gpu { .. }
            | Self::NotEmpty(_)
            | Self::Keep { .. }
            | Self::UnsafeCache(_)
            | Self::JobList { .. }
            | Self::NoSource(_)
            | Self::NoSuchSource(_)
            | Self::NoTask => ExitStatus::Unusable,
            Self::Infeasible(_) => ExitStatus::Infeasible,
            Self::Lost { .. }
            | Self::JournalLost { .. }
            | Self::Changed(_)
            | Self::NotEvaluated { .. }
            | Self::StillOnCluster(_)
            | Self::File(_) => ExitStatus::Failure,
        }
    }

    fn answers(&self) -> Vec<String> {
        match self {
            Self::Inference(error) => error.answers(),
            Self::Scenario { why, .. } => why.answers(),
            Self::Analysis(error) => error.answers(),
            Self::Tuning(error) => error.answers(),
            Self::Near(error) => error.answers(),
            Self::Revision(error) => error.answers(),
            _ => Vec::new(),
        }
    }

    fn help(&self) -> Option<String> {
        let advice = |text: &str| Some(text.to_owned());
        match self {
            Self::Spec { why, .. } | Self::Options { why, .. } | Self::Space { why, .. } | Self::Request(why) => {
                why.help()
            }
            Self::Inference(error) => error.help(),
            Self::NotBesideComment { option, states, .. } => {
                Some(format!("leave `{option}` out, or take the {states} out of the comment"))
            }
            Self::SeveralSpecs { path, kernels } => Some(choice_of_spec(path, kernels)),
            Self::NoKernel(_) => Some("name the spec: autotune SPEC --space FILE.json".to_owned()),
            Self::TwoSizes { name } => Some(format!("keep one `--set {name}=…`")),
            Self::Scenario { why, .. } => why.help(),
            Self::TwoScenarios(..) => advice("name it once: a `weight` in a list of `--scenarios` counts it more"),
            Self::Gpu { why, .. } => why.help(),
            Self::Analysis(error) => error.help(),
            Self::Tool(error) => error.help(),
            Self::Tuning(error) => error.help(),
            Self::Near(error) => error.help(),
            Self::CrossCheck(error) => error.help(),
            Self::Difference(error) => error.help(),
            Self::Revision(error) => error.help(),
            Self::Certificate(error) => error.help(),
            Self::Scratch(error) => error.help(),
            Self::Journal(error) => error.help(),
            Self::Slurm(error) => error.help(),
            Self::JobList { why, .. } => why.help(),
            Self::UnsafeCache(exposed) => {
                let mend = exposed.mend().map(|command| format!("mend it with `{command}`, or ")).unwrap_or_default();
                let elsewhere = "name another folder with the variable XDG_CACHE_HOME";
                Some(format!("{mend}{elsewhere}; `--no-cache` works without a cache"))
            }
            Self::NotEmpty(_) => advice("name a new folder: nothing is overwritten"),
            Self::Keep { .. } => advice("name a folder that is empty, or can be made, and that you may write to"),
            Self::Lost { .. } => advice("the answer stands: make room there or name another folder, and ask again"),
            Self::JournalLost { .. } => advice("what has ended is kept: make room, then `--resume` goes on from there"),
            Self::Changed(_) => advice("begin a new batch in another folder: this one is about what it was begun with"),
            Self::NotEvaluated { .. } => advice(
                "its times are evaluated again before it counts: mend what is missing here, then `--resume`; nothing is lost",
            ),
            Self::StillOnCluster(_) => advice(
                "`--resume --executor slurm` goes on with what was submitted; `squeue --me` lists it, `scancel` ends it",
            ),
            Self::NoTask => advice("Slurm calls this by itself: `autotune batch JOBS --out DIR --executor slurm`"),
            Self::NoSource(_) => advice("compare it with another spec: `autotune diff OLD.yaml NEW.yaml`"),
            Self::NoSuchSource(_) => advice("compare two specs, each with its own sources"),
            Self::Infeasible(_) | Self::File(_) => None,
        }
    }
}

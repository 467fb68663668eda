//! Why a command fails: which exit status that is, and how to mend it.

use std::path::PathBuf;

use thiserror::Error;

use super::Status;
use super::config::ConfigError;
use crate::certificate::CertificateError;
use crate::compare::comparison::CompareError;
use crate::compare::cross_check::CrossCheckError;
use crate::compare::explain::ExplainError;
use crate::compare::measured::MeasuredError;
use crate::compare::near::NearError;
use crate::compare::validation::ValidationError;
use crate::files::own_folder::Exposed;
use crate::files::scratch::ScratchError;
use crate::gpu::GpuError;
use crate::lowering::LoweringError;
use crate::model::ModelError;
use crate::models::efficiency::EfficiencyError;
use crate::models::maxplus::{KernelError, Overflow};
use crate::models::predict::PredictError;
use crate::proof::TuningError;
use crate::report::export::{ExportError, KeptError};
use crate::report::html::PageError;
use crate::report::plot::PlotError;
use crate::session::batch::slurm::SlurmError;
use crate::session::batch::{JobListError, JournalError};
use crate::session::views::ViewsError;
use crate::space::SpaceError;
use crate::spec::SpecError;
use crate::spin::{SpinError, ToolError};

#[derive(Debug, Error)]
pub(super) enum Failure {
    #[error("no SPEC is given")]
    NoQuestion,
    #[error("no command is called `{}`, and no file", word.escape_debug())]
    NoCommand { word: String, meant: String },
    #[error("{what} stands before the command `{command}`")]
    TwoQuestions { what: String, command: String },
    #[error("cannot use spec `{}`\n{why}", path.display())]
    Spec { path: PathBuf, why: SpecError },
    #[error("cannot use T1 file `{}`\n{why}", path.display())]
    Space { path: PathBuf, why: SpecError },
    #[error("{0}")]
    Request(SpecError),
    #[error("the problem size `{name}` is given twice")]
    TwoSizes { name: String },
    #[error("cannot use GPU `{name}`\n{why}")]
    Gpu { name: String, why: GpuError },
    #[error("cannot use measurements `{}`\n{why}", path.display())]
    Measured { path: PathBuf, why: MeasuredError },
    #[error(transparent)]
    Validation(#[from] ValidationError),
    #[error(transparent)]
    Analysis(#[from] SpaceError),
    #[error(transparent)]
    Compare(#[from] CompareError),
    #[error(transparent)]
    Explain(#[from] ExplainError),
    #[error("no configuration is named that could be explained")]
    NothingToExplain,
    #[error(transparent)]
    Predict(#[from] PredictError),
    #[error(transparent)]
    Efficiency(#[from] EfficiencyError),
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error(transparent)]
    Tuning(#[from] TuningError),
    #[error(transparent)]
    Lowering(#[from] LoweringError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Near(#[from] NearError),
    #[error(transparent)]
    CrossCheck(#[from] CrossCheckError),
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    #[error("no max-plus model: {0}")]
    MaxPlus(#[from] KernelError),
    #[error("the graph cannot be drawn: {0}")]
    Drawing(String),
    #[error(transparent)]
    Plot(#[from] PlotError),
    #[error("the folder `{}` is not empty", .0.display())]
    NotEmpty(PathBuf),
    #[error("cannot keep a proof in `{}`: {why}", path.display())]
    Keep { path: PathBuf, why: std::io::Error },
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    #[error(transparent)]
    Page(#[from] PageError),
    #[error(transparent)]
    Views(#[from] ViewsError),
    #[error("cannot write pages into `{}`: {why}", path.display())]
    Pages { path: PathBuf, why: std::io::Error },
    #[error("the {what} is lost, `{}` cannot be written: {why}", path.display())]
    Lost { what: &'static str, path: PathBuf, why: std::io::Error },
    #[error("`--keep` and `--report` name one folder, `{}`", .0.display())]
    OneFolder(PathBuf),
    #[error("`{}` is no page of autotune", .0.display())]
    NoPage(PathBuf),
    #[error("`{}` exists: nothing was written", .0.display())]
    FileExists(PathBuf),
    #[error("`{}` exists, and autotune did not write it", .0.display())]
    Foreign(PathBuf),
    #[error("a lowered program is that of one configuration")]
    NoConfiguration,
    #[error("the configuration cannot run: {0}")]
    Infeasible(String),
    #[error("{needed} models are needed to hold all configurations")]
    SeveralModels { needed: usize },
    #[error("there is no folder for a cache: neither XDG_CACHE_HOME nor a home folder is known")]
    NoCacheFolder,
    #[error("the cache is not safe: {0}")]
    UnsafeCache(Exposed),
    #[error("some of what a proof needs is missing")]
    NotReady,
    #[error("{why}")]
    KeptFile { why: std::io::Error },
    #[error("cannot use results `{}`: {why}", path.display())]
    Kept { path: PathBuf, why: KeptError },
    #[error("`{}` has a result of {kernel} that contradicts itself\n  {}", path.display(), contradictions.join("\n  "))]
    Contradictory { path: PathBuf, kernel: String, contradictions: Vec<String> },
    #[error("none of these results is proved and chosen")]
    NothingToExport,
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error("cannot use job list `{}`\n{why}", path.display())]
    JobList { path: PathBuf, why: JobListError },
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("the batch has stopped: `{}` cannot be written: {why}", path.display())]
    JournalLost { path: PathBuf, why: std::io::Error },
    #[error("cannot write `{}`: {why}", path.display())]
    Results { path: PathBuf, why: std::io::Error },
    #[error("cannot write to standard output: {0}")]
    Output(std::io::Error),
    #[error("{0}")]
    Changed(String),
    #[error(transparent)]
    Slurm(#[from] SlurmError),
    #[error("{0} is still on the cluster")]
    StillOnCluster(String),
    #[error("Slurm has named no job of the batch to do")]
    NoTask,
    #[error(transparent)]
    File(#[from] std::io::Error),
}

impl From<Overflow> for Failure {
    fn from(overflow: Overflow) -> Self {
        Self::MaxPlus(overflow.into())
    }
}

impl Failure {
    pub(super) fn status(&self) -> Status {
        match self {
            Self::Tuning(error) | Self::Explain(ExplainError::Tuning(error)) => tuning_status(error),
            Self::Certificate(CertificateError::NotKept(_)) | Self::Slurm(SlurmError::Foreign(_)) => Status::Unusable,
            Self::Scratch(error) | Self::Certificate(CertificateError::Scratch(error)) => {
                if error.is_of_the_environment() { Status::Unusable } else { Status::Failure }
            }
            Self::Pages { why, .. } | Self::Keep { why, .. } | Self::Journal(JournalError::File { why, .. })
                if !is_of_the_command_line(why) =>
            {
                Status::Failure
            }
            Self::JournalLost { .. }
            | Self::Results { .. }
            | Self::Lost { .. }
            | Self::Output(_)
            | Self::Changed(_)
            | Self::Slurm(_)
            | Self::StillOnCluster(_)
            | Self::Certificate(_)
            | Self::Tool(_)
            | Self::NotReady
            | Self::NoCacheFolder
            | Self::Drawing(_)
            | Self::Plot(_)
            | Self::Page(_)
            | Self::Views(_)
            | Self::CrossCheck(CrossCheckError::UnsoundBound { .. })
            | Self::Compare(CompareError::UnsoundBound { .. } | CompareError::WrongTime { .. })
            | Self::File(_) => Status::Failure,
            Self::Infeasible(_) | Self::Compare(CompareError::Infeasible(_)) => Status::Infeasible,
            _ => Status::Unusable,
        }
    }

    pub(super) fn help(&self) -> Option<String> {
        match self {
            Self::Spec { why, .. } | Self::Space { why, .. } | Self::Request(why) => why.help(),
            Self::NoCommand { meant, .. } => Some(format!("did you mean `autotune {meant}`?")),
            Self::TwoQuestions { command, .. } => Some(format!(
                "a command comes first, all that it needs behind it: `autotune {command} --help` lists it"
            )),
            Self::TwoSizes { name } => Some(format!("keep one `--set {name}=…`")),
            Self::Gpu { why, .. } => why.help(),
            Self::Measured { why, .. } => why.help(),
            Self::JobList { why, .. } => why.help().map(str::to_owned),
            Self::Journal(why) => why.help().map(str::to_owned),
            Self::Slurm(why) => why.help().map(str::to_owned),
            Self::Validation(why) => why.help(),
            Self::Analysis(why) | Self::Compare(CompareError::Analysis(why)) => why.help(),
            Self::Near(why) | Self::Explain(ExplainError::Near(why)) => why.help(),
            Self::Tool(error) => Some(error.help().to_owned()),
            Self::Tuning(error) | Self::Explain(ExplainError::Tuning(error)) => tuning_help(error),
            Self::Explain(ExplainError::Analysis(error)) => error.help(),
            Self::Lowering(error) | Self::Explain(ExplainError::Lowering(error)) => error.help(),
            Self::Explain(ExplainError::Spec(error)) => error.help(),
            Self::Model(error) => error.help().map(str::to_owned),
            Self::Export(error) => error.help().map(str::to_owned),
            Self::Scratch(error) | Self::Certificate(CertificateError::Scratch(error)) => Some(error.help()),
            Self::UnsafeCache(exposed) => {
                let mend = exposed.mend().map(|command| format!("mend it with `{command}`, or ")).unwrap_or_default();
                let elsewhere = "name another folder with the variable XDG_CACHE_HOME";
                Some(format!("{mend}{elsewhere}; `--no-cache` works without a cache"))
            }
            _ => self.advice().map(str::to_owned),
        }
    }

    /// The help for failures that need no numbers.
    fn advice(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoQuestion => "autotune SPEC --gpu GPU; `autotune --help` tells more",
            Self::Compare(CompareError::UnsoundBound { .. } | CompareError::WrongTime { .. }) => {
                "this is a bug of autotune, please report it"
            }
            Self::CrossCheck(CrossCheckError::UnsoundBound { .. }) => {
                "this is a bug of autotune, please report it; `--no-analysis` leaves the models out"
            }
            Self::Predict(PredictError::Lockstep { .. }) | Self::Efficiency(EfficiencyError::Lockstep { .. }) => {
                "`autotune gpus` lists real ones: those whose execution is pipelined"
            }
            Self::Explain(ExplainError::NoTime(_)) => "a smaller problem size has fewer events, `--set NAME=VALUE`",
            Self::FileExists(_) => "name a file that is not there yet",
            Self::NotEmpty(_) => "name a new folder: nothing is overwritten",
            Self::Keep { .. } => "name a folder that is empty, or can be made, and in which you may write",
            Self::Pages { .. } => "name a folder in which you may write, or that can be made",
            Self::Lost { .. } => "the answer stands: make room there or name another folder, and ask again",
            Self::OneFolder(_) => "name two: nothing may be added to a proof that is kept",
            Self::NoPage(_) => "name another folder, or move the file away: only pages of autotune are replaced",
            Self::Foreign(_) => "move it away, or name another folder: only files that autotune wrote are replaced",
            Self::NoConfiguration | Self::NothingToExplain => "name it with `--config A=1,B=2`",
            Self::SeveralModels { .. } => {
                "`--out DIR` writes one model with its tables in a header; `--config A=1,B=2` prints that of one"
            }
            Self::NoCacheFolder => "name one with the variable XDG_CACHE_HOME",
            Self::JournalLost { .. } => "what has ended is kept: make room, then `--resume` goes on from there",
            Self::Results { .. } => "make room, then `--resume` writes it from the journal, which has all results",
            Self::Changed(_) => "begin a new batch in another folder: this one is about what it was begun with",
            Self::StillOnCluster(_) => {
                "`--resume --executor slurm` goes on with what was submitted; `squeue --me` lists it, `scancel` ends it"
            }
            Self::NoTask => "Slurm calls this by itself: `autotune batch JOBS --out DIR --executor slurm`",
            Self::Config(_) => "`AUTOTUNE_CONFIG=` leaves your defaults out",
            Self::NotReady => "`ci/setup` installs it, or says how",
            Self::Certificate(CertificateError::NotKept(_)) => {
                "`autotune SPEC --gpu GPU --keep DIR` fills such a folder"
            }
            Self::KeptFile { .. } | Self::Kept { .. } | Self::NothingToExport => {
                "`autotune SPEC --gpu GPU --format json > FILE` keeps such a result"
            }
            Self::Contradictory { .. } => "it is not as autotune wrote it: tune again, and export that result",
            Self::Drawing(_) => "Graphviz draws what `--format dot` prints",
            _ => return None,
        })
    }
}

/// Whether a file cannot be used because of what the command line names.
fn is_of_the_command_line(why: &std::io::Error) -> bool {
    use std::io::ErrorKind::{
        AlreadyExists, InvalidInput, IsADirectory, NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem,
    };
    let kinds =
        [AlreadyExists, InvalidInput, IsADirectory, NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem];
    kinds.contains(&why.kind())
}

/// The help for what no user can mend.
const REPORT: &str = "this is a bug of autotune, or the tools it runs are not what they seem; `--keep DIR` keeps model, \
                      trail and outputs, please report them";

fn space_status(error: &SpaceError) -> Status {
    match error {
        SpaceError::Spec(_)
        | SpaceError::Lowering { .. }
        | SpaceError::TooManyEvents { .. }
        | SpaceError::TooManyConfigurations { .. }
        | SpaceError::TooLong { .. } => Status::Unusable,
        SpaceError::UnsoundBound { .. } => Status::Failure,
    }
}

/// What the user can mend is unusable input, all else a failure.
fn tuning_status(error: &TuningError) -> Status {
    match error {
        TuningError::Space(error) => space_status(error),
        TuningError::Model(_) => Status::Unusable,
        TuningError::Spin(_)
        | TuningError::Disagreement(_)
        | TuningError::WrongTime { .. }
        | TuningError::Contradiction(_)
        | TuningError::NoProof(_) => Status::Failure,
    }
}

fn tuning_help(error: &TuningError) -> Option<String> {
    match error {
        TuningError::Space(SpaceError::UnsoundBound { .. }) => Some(REPORT.to_owned()),
        TuningError::Space(error) => error.help(),
        TuningError::Model(error) => error.help().map(str::to_owned),
        TuningError::Spin(SpinError::Process(_) | SpinError::File(_)) => None,
        TuningError::Spin(SpinError::NoRoom { .. }) => {
            Some("make room there, or name another place for temporary files with the variable TMPDIR".to_owned())
        }
        TuningError::Spin(SpinError::Refused { .. }) => Some(
            "`autotune doctor` tests all that a proof needs; if it finds nothing wrong, this is a bug of autotune, and \
             `--keep DIR` keeps what to report"
                .to_owned(),
        ),
        TuningError::Spin(_)
        | TuningError::Disagreement(_)
        | TuningError::WrongTime { .. }
        | TuningError::Contradiction(_)
        | TuningError::NoProof(_) => Some(REPORT.to_owned()),
    }
}

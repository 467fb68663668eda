//! The error of a command, with its exit status and its help.

use std::path::PathBuf;

use thiserror::Error;

use super::config::ConfigError;
use super::depfile::DepfileError;
use crate::compare::comparison::CompareError;
use crate::compare::explain::ExplainError;
use crate::compare::landscape::LandscapeError;
use crate::compare::measured::MeasuredError;
use crate::compare::near::NearError;
use crate::compare::validation::ValidationError;
use crate::export::{ExportError, KeptError};
use crate::extraction::ExtractionError;
use crate::files::scratch::ScratchError;
use crate::lowering::LoweringError;
use crate::measuring::MeasuringError;
use crate::model::ModelError;
use crate::models::efficiency::EfficiencyError;
use crate::models::maxplus::{KernelError, Overflow};
use crate::models::predict::PredictError;
use crate::proof::TuningError;
use crate::render::html::PageError;
use crate::render::plot::PlotError;
use crate::report::RestrictionsError;
use crate::session::batch::slurm::SlurmError;
use crate::session::measure::MeasureError;
use crate::session::{JournalError, SessionError};
use crate::space::SpaceError;
use crate::user_error::{ExitStatus, UserError, is_of_the_command_line};

#[derive(Debug, Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Session(Box<SessionError>),
    #[error("no SPEC is given")]
    NoQuestion,
    #[error("`{option}` describes a source file, and `{}` is a spec", path.display())]
    NotOfSpec { option: &'static str, path: PathBuf },
    #[error("no command is called `{}`, and no file", word.escape_debug())]
    NoCommand { word: String, meant: String },
    #[error("{what} stands before the command `{command}`")]
    TwoQuestions { what: String, command: String },
    #[error("cannot use measurements `{}`\n{why}", path.display())]
    Measured { path: PathBuf, why: MeasuredError },
    #[error(transparent)]
    Validation(#[from] ValidationError),
    #[error(transparent)]
    Measuring(#[from] MeasuringError),
    #[error(transparent)]
    Measure(Box<MeasureError>),
    #[error(transparent)]
    Compare(#[from] CompareError),
    #[error(transparent)]
    Explain(Box<ExplainError>),
    #[error("no configuration is named that could be explained")]
    NothingToExplain,
    #[error("`{}` has a body, and no source to inspect", .0.display())]
    NoSource(PathBuf),
    #[error(transparent)]
    Extraction(#[from] ExtractionError),
    #[error("the body is not what its source executes")]
    OtherBody,
    #[error(transparent)]
    Predict(#[from] PredictError),
    #[error(transparent)]
    Efficiency(#[from] EfficiencyError),
    #[error(transparent)]
    Lowering(#[from] LoweringError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("no max-plus model: {0}")]
    MaxPlus(#[from] KernelError),
    #[error("the graph cannot be drawn: {0}")]
    Drawing(String),
    #[error(transparent)]
    Plot(#[from] PlotError),
    #[error(transparent)]
    Page(#[from] PageError),
    #[error(transparent)]
    Landscape(#[from] LandscapeError),
    #[error("cannot write pages into `{}`", path.display())]
    Pages {
        path: PathBuf,
        #[source]
        why: std::io::Error,
    },
    #[error("`--keep` and `--report` name one folder, `{}`", .0.display())]
    OneFolder(PathBuf),
    #[error("`{}` is not a page of autotune", .0.display())]
    NoPage(PathBuf),
    #[error("`{}` exists: nothing was written", .0.display())]
    FileExists(PathBuf),
    #[error("`{}` exists, and autotune did not write it", .0.display())]
    Foreign(PathBuf),
    #[error("the folder `{}` has files, and none of them is of a batch", .0.display())]
    ForeignFolder(PathBuf),
    #[error("`{}` exists, and is not a table of `--rows`", .0.display())]
    NoTable(PathBuf),
    #[error("cannot write the table `{}`", path.display())]
    Table {
        path: PathBuf,
        #[source]
        why: std::io::Error,
    },
    #[error(transparent)]
    Depfile(#[from] DepfileError),
    #[error("`model --format json` prints one configuration's program")]
    NoConfiguration,
    #[error("{needed} models are needed to hold all configurations")]
    SeveralModels { needed: usize },
    #[error("there is no folder for a cache: neither XDG_CACHE_HOME nor a home folder is known")]
    NoCacheFolder,
    #[error("some of what a proof needs is missing")]
    NotReady,
    #[error("{why}")]
    KeptFile { why: std::io::Error },
    #[error("cannot use results `{}`: {why}", path.display())]
    Kept { path: PathBuf, why: KeptError },
    #[error("`{}` has a result of {kernel} that contradicts itself\n  {}", path.display(), contradictions.join("\n  "))]
    Contradictory { path: PathBuf, kernel: String, contradictions: Vec<String> },
    #[error("no proved result matches `--kernel`, `--gpu` and `--set`")]
    NothingToExport,
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error(transparent)]
    Restrictions(#[from] RestrictionsError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("cannot write `{}`", path.display())]
    Results {
        path: PathBuf,
        #[source]
        why: std::io::Error,
    },
    #[error("cannot write to standard output")]
    Output(#[source] std::io::Error),
    #[error(transparent)]
    File(#[from] std::io::Error),
}

/// Converts errors of the library into failures by way of [`SessionError`].
macro_rules! of_session {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                SessionError::from(error).into()
            }
        })*
    };
}

of_session!(SpaceError, TuningError, NearError, ScratchError, SlurmError, JournalError);

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        Self::Session(Box::new(error))
    }
}

impl From<ExplainError> for Failure {
    fn from(error: ExplainError) -> Self {
        Self::Explain(Box::new(error))
    }
}

impl From<MeasureError> for Failure {
    fn from(error: MeasureError) -> Self {
        Self::Measure(Box::new(error))
    }
}

impl From<Overflow> for Failure {
    fn from(overflow: Overflow) -> Self {
        Self::MaxPlus(overflow.into())
    }
}

impl UserError for Failure {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Session(error) => error.status(),
            Self::Measured { why, .. } => why.status(),
            Self::Validation(error) => error.status(),
            Self::Measuring(error) => error.status(),
            Self::Measure(error) => error.status(),
            Self::Compare(error) => error.status(),
            Self::Explain(error) => error.status(),
            Self::Extraction(error) => error.status(),
            Self::Lowering(error) => error.status(),
            Self::Model(error) => error.status(),
            Self::Export(error) => error.status(),
            Self::Restrictions(error) => error.status(),
            Self::Depfile(error) => error.status(),
            Self::Pages { why, .. } | Self::Table { why, .. } if !is_of_the_command_line(why) => ExitStatus::Failure,
            Self::NoQuestion
            | Self::NotOfSpec { .. }
            | Self::NoCommand { .. }
            | Self::TwoQuestions { .. }
            | Self::NothingToExplain
            | Self::NoSource(_)
            | Self::Predict(_)
            | Self::Efficiency(_)
            | Self::MaxPlus(_)
            | Self::Pages { .. }
            | Self::OneFolder(_)
            | Self::NoPage(_)
            | Self::FileExists(_)
            | Self::Foreign(_)
            | Self::ForeignFolder(_)
            | Self::NoTable(_)
            | Self::Table { .. }
            | Self::NoConfiguration
            | Self::SeveralModels { .. }
            | Self::KeptFile { .. }
            | Self::Kept { .. }
            | Self::Contradictory { .. }
            | Self::NothingToExport
            | Self::Config(_) => ExitStatus::Unusable,
            Self::Drawing(_)
            | Self::Plot(_)
            | Self::Page(_)
            | Self::Landscape(_)
            | Self::NoCacheFolder
            | Self::NotReady
            | Self::OtherBody
            | Self::Results { .. }
            | Self::Output(_)
            | Self::File(_) => ExitStatus::Failure,
        }
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each failure")]
    fn help(&self) -> Option<String> {
        let advice = |text: &str| Some(text.to_owned());
        match self {
            Self::Session(error) => error.help(),
            Self::Measured { why, .. } => why.help(),
            Self::Validation(error) => error.help(),
            Self::Measuring(error) => error.help(),
            Self::Measure(error) => error.help(),
            Self::Compare(error) => error.help(),
            Self::Explain(error) => error.help(),
            Self::Extraction(error) => error.help(),
            Self::Lowering(error) => error.help(),
            Self::Model(error) => error.help(),
            Self::Export(error) => error.help(),
            Self::Restrictions(error) => error.help(),
            Self::NoCommand { meant, .. } => Some(format!("did you mean `autotune {meant}`?")),
            Self::TwoQuestions { command, .. } => Some(format!(
                "a command comes first, all that it needs behind it: `autotune {command} --help` lists it"
            )),
            Self::NotOfSpec { .. } => {
                advice("write it into the spec; or name a source file (.cl, .cu), or its `--language`")
            }
            Self::NoQuestion => advice("autotune SPEC --gpu GPU; `autotune --help` says more"),
            Self::NoSource(_) => advice("a spec with `source:` in place of `body:` names the kernel's files"),
            Self::NothingToExplain | Self::NoConfiguration => advice("name it with `--config A=1,B=2`"),
            Self::Predict(PredictError::Lockstep { .. }) | Self::Efficiency(EfficiencyError::Lockstep { .. }) => {
                advice("`autotune gpus` lists real ones: those whose execution is pipelined")
            }
            Self::Drawing(_) => advice("Graphviz draws what `--format dot` prints"),
            Self::Pages { .. } => advice("name a folder in which you may write, or that can be made"),
            Self::OneFolder(_) => advice("name two: nothing may be added to a proof that is kept"),
            Self::NoTable(_) => advice("name another file, or move it away: only tables of `--rows` are replaced"),
            Self::Depfile(error) => error.help(),
            Self::Table { .. } => advice("name a file in a folder in which you may write"),
            Self::NoPage(_) => advice(ONLY_PAGES),
            Self::FileExists(_) => advice("name a file that does not exist yet"),
            Self::Foreign(_) => advice(ONLY_OWN_FILES),
            Self::ForeignFolder(_) => advice("name a new or an empty folder, or that of a batch with `--resume`"),
            Self::SeveralModels { .. } => advice(ONE_MODEL),
            Self::NoCacheFolder => advice("name one with the variable XDG_CACHE_HOME"),
            Self::OtherBody => advice(MEND_BODY),
            Self::NotReady => advice("`ci/setup` installs it, or says how"),
            Self::KeptFile { .. } | Self::Kept { .. } | Self::NothingToExport => {
                advice("`autotune SPEC --gpu GPU --format json > FILE` keeps such a result")
            }
            Self::Contradictory { .. } => advice("it is not as autotune wrote it: tune again, and export that result"),
            Self::Config(_) => advice("`AUTOTUNE_CONFIG=` leaves your defaults out"),
            Self::Results { .. } => advice(WRITE_AGAIN),
            Self::Efficiency(EfficiencyError::Evaluation(_))
            | Self::MaxPlus(_)
            | Self::Plot(_)
            | Self::Page(_)
            | Self::Landscape(_)
            | Self::Output(_)
            | Self::File(_) => None,
        }
    }
}

const MEND_BODY: &str = "correct the statements of the first difference, or the source; `autotune extract SPEC --config A=1,B=2` \
                         prints the body of one configuration";
const ONLY_PAGES: &str = "name another folder, or move the file away: only pages of autotune are replaced";
const ONLY_OWN_FILES: &str = "move it away, or name another folder: only files that autotune wrote are replaced";
const ONE_MODEL: &str =
    "`--out DIR` writes one model with its tables in a header; `--config A=1,B=2` prints that of one";
const WRITE_AGAIN: &str = "make room, then `--resume` writes it from the journal, which has all results";

//! The error of a command, with its exit status and its help.

use std::error::Error;
use std::path::PathBuf;

use thiserror::Error;

use crate::export::{ExportError, KeptError};
use crate::render::html::PageError;
use crate::render::plot::PlotError;
use crate::tuners::MeasuredError;
use autotune_base::user_error::{ExitStatus, UserError, is_of_the_command_line};
use autotune_lowering::models::maxplus::KernelError;

#[derive(Debug, Error)]
pub(super) enum Failure {
    /// An error of the library, which knows its exit status and its help.
    #[error(transparent)]
    Other(Box<dyn UserError>),
    #[error("not all jobs are proved")]
    NotAllProved,
    #[error("it is not proved: {reason}{known}")]
    NotProved { reason: String, known: String },
    #[error("{missing} missing; the GPUs are{names}")]
    NoGpu { missing: String, names: String, help: String },
    #[error("no SPEC is given")]
    NoQuestion,
    #[error("`{option}` describes a source file, and `{}` is a spec", path.display())]
    NotOfSpec { option: &'static str, path: PathBuf },
    #[error("no command is called `{}`, and no file", word.escape_debug())]
    NoCommand { word: String, meant: String },
    #[error("{what} stands before the command `{command}`")]
    TwoQuestions { what: String, command: String },
    #[error("the problem size `{0}` has several values, and this command takes one")]
    SeveralSizes(String),
    #[error("`{option}` is about one GPU and one problem size, and {scenarios} are asked for")]
    NotOfScenarios { option: &'static str, scenarios: String },
    #[error("a result about several scenarios is exported alone, and these are {0} results")]
    OneFleet(usize),
    #[error("`{0}` is about several scenarios, and one is asked for")]
    OneScenario(&'static str),
    #[error("{0} scenarios are asked for, more than {1}")]
    TooManyScenarios(u128, usize),
    #[error("cannot use measurements `{}`\n{why}", path.display())]
    Measured { path: PathBuf, why: MeasuredError },
    #[error("no configuration is named that could be explained")]
    NothingToExplain,
    #[error("`{}` has a body, and no source to inspect", .0.display())]
    NoSource(PathBuf),
    #[error("the body is not what its source executes")]
    OtherBody,
    #[error("one kernel is named, and nothing to compare it with")]
    NothingToCompare,
    #[error("`{}` is a source, and `{}` is a spec", file.display(), spec.display())]
    SourceAndSpec { file: PathBuf, spec: PathBuf },
    #[error("two kernels are named, and a third one by `--git` or `--source-old`")]
    TwoOldKernels,
    #[error("no max-plus model: {0}")]
    MaxPlus(KernelError),
    #[error("the graph cannot be drawn: {0}")]
    Drawing(String),
    #[error(transparent)]
    Plot(#[from] PlotError),
    #[error(transparent)]
    Page(#[from] PageError),
    #[error("cannot write pages into `{}`", path.display())]
    Pages {
        path: PathBuf,
        #[source]
        why: std::io::Error,
    },
    #[error("`--pick recommended` and `{0}` both choose the configuration to export")]
    TwoPicks(&'static str),
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
    #[error("`{}` exists, and is not {one}", path.display())]
    OtherFile { path: PathBuf, one: &'static str, all: &'static str },
    #[error("cannot write {one}, `{}`", path.display())]
    OwnFile {
        path: PathBuf,
        one: &'static str,
        #[source]
        why: std::io::Error,
    },
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
    #[error("cannot write `{}`", path.display())]
    Results {
        path: PathBuf,
        #[source]
        why: std::io::Error,
    },
    #[cfg(feature = "mcp")]
    #[error("the protocol ended: {0}")]
    Protocol(std::io::Error),
    #[error("cannot write to standard output")]
    Output(#[source] std::io::Error),
}

impl<E: UserError + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Other(Box::new(error))
    }
}

impl Failure {
    /// True if results were to be exported and none is proved.
    pub(super) fn is_nothing_proved(&self) -> bool {
        let Self::Other(error) = self else { return false };
        let error: &(dyn Error + 'static) = &**error;
        matches!(error.downcast_ref(), Some(ExportError::NothingProved))
    }

    pub(super) fn status(&self) -> ExitStatus {
        match self {
            Self::Other(error) => error.status(),
            Self::Measured { why, .. } => why.status(),
            Self::Pages { why, .. } | Self::OwnFile { why, .. } if !is_of_the_command_line(why) => ExitStatus::Failure,
            Self::NoQuestion
            | Self::NoGpu { .. }
            | Self::NotOfSpec { .. }
            | Self::NoCommand { .. }
            | Self::TwoQuestions { .. }
            | Self::SeveralSizes(_)
            | Self::NotOfScenarios { .. }
            | Self::OneScenario(_)
            | Self::OneFleet(_)
            | Self::TooManyScenarios(..)
            | Self::NothingToExplain
            | Self::NothingToCompare
            | Self::SourceAndSpec { .. }
            | Self::TwoOldKernels
            | Self::NoSource(_)
            | Self::MaxPlus(_)
            | Self::Pages { .. }
            | Self::OneFolder(_)
            | Self::TwoPicks(_)
            | Self::NoPage(_)
            | Self::FileExists(_)
            | Self::Foreign(_)
            | Self::ForeignFolder(_)
            | Self::OtherFile { .. }
            | Self::OwnFile { .. }
            | Self::NoConfiguration
            | Self::SeveralModels { .. }
            | Self::KeptFile { .. }
            | Self::Kept { .. }
            | Self::Contradictory { .. }
            | Self::NothingToExport => ExitStatus::Unusable,
            #[cfg(feature = "mcp")]
            Self::Protocol(_) => ExitStatus::Unusable,
            Self::Drawing(_)
            | Self::Plot(_)
            | Self::Page(_)
            | Self::NoCacheFolder
            | Self::NotReady
            | Self::NotProved { .. }
            | Self::NotAllProved
            | Self::OtherBody
            | Self::Results { .. }
            | Self::Output(_) => ExitStatus::Failure,
        }
    }

    /// The options that answer what the failure asks, with proposals; none if it asks nothing.
    pub(super) fn answers(&self) -> Vec<String> {
        if let Self::Other(error) = self { error.answers() } else { Vec::new() }
    }

    pub(super) fn help(&self) -> Option<String> {
        let advice = |text: &str| Some(text.to_owned());
        match self {
            Self::Other(error) => error.help(),
            Self::Measured { why, .. } => why.help(),
            Self::NoCommand { meant, .. } => Some(format!("did you mean `autotune {meant}`?")),
            Self::TwoQuestions { command, .. } => Some(format!(
                "a command comes first, all that it needs behind it: `autotune {command} --help` lists it"
            )),
            Self::NotOfSpec { .. } => advice(SPEC_OR_SOURCE),
            Self::SeveralSizes(_) => advice(ONE_FOR_ALL),
            Self::NotOfScenarios { option, .. } => {
                Some(format!("leave `{option}` out, or ask for one GPU and one value of each problem size"))
            }
            Self::OneFleet(_) => advice("name one file, or choose with `--kernel NAME`"),
            Self::OneScenario(_) => advice("name several GPUs, or several values of a problem size"),
            Self::TooManyScenarios(..) => advice("shorten the lists: GPUs and values of problem sizes multiply"),
            Self::NoQuestion => advice("autotune SPEC --gpu GPU; `autotune --help` says more"),
            Self::NoSource(_) => advice("a spec with `source:` in place of `body:` names the kernel's files"),
            Self::NothingToExplain | Self::NoConfiguration => advice("name it with `--config A=1,B=2`"),
            Self::NothingToCompare => {
                advice("name OLD and NEW, or the new one with `--git REV` or `--source-old FILE`")
            }
            Self::SourceAndSpec { .. } => advice("name two specs or two sources, or the spec with `--source-old FILE`"),
            Self::TwoOldKernels => advice("name the new kernel alone, or leave the option out"),
            Self::Drawing(_) => advice("Graphviz draws what `--format dot` prints"),
            Self::Pages { .. } => advice("name a folder that you may write to, or that can be made"),
            Self::TwoPicks(_) => advice("leave one of them out"),
            Self::OneFolder(_) => advice("name two: nothing may be added to a proof that is kept"),
            Self::OtherFile { all, .. } => Some(format!("name another file, or move it away: only {all} are replaced")),
            Self::OwnFile { .. } => advice("name a file in a folder that you may write to"),
            Self::NoPage(_) => advice(ONLY_PAGES),
            Self::FileExists(_) => advice("name a file that does not exist yet"),
            Self::Foreign(_) => advice(ONLY_OWN_FILES),
            Self::ForeignFolder(_) => advice("name a new or an empty folder, or that of a batch with `--resume`"),
            Self::SeveralModels { .. } => advice(ONE_MODEL),
            Self::NoCacheFolder => advice("name one with the variable XDG_CACHE_HOME"),
            Self::OtherBody => advice(MEND_BODY),
            Self::NotProved { .. } => advice("without `--require-proof`, what is known is the answer, with status 3"),
            Self::NoGpu { help, .. } => Some(help.clone()),
            Self::NotReady => advice("`ci/setup` installs it, or says how"),
            Self::KeptFile { .. } | Self::Kept { .. } | Self::NothingToExport => {
                advice("`autotune SPEC --gpu GPU --format json > FILE` keeps such a result")
            }
            Self::Contradictory { .. } => advice("it is not as autotune wrote it: tune again, and export that result"),
            Self::Results { .. } => advice(WRITE_AGAIN),
            #[cfg(feature = "mcp")]
            Self::Protocol(_) => advice(START_SERVER),
            Self::NotAllProved => advice("the table shows which; `--resume` goes on with those that are open"),
            Self::MaxPlus(_) | Self::Plot(_) | Self::Page(_) | Self::Output(_) => None,
        }
    }
}

const SPEC_OR_SOURCE: &str = "write it into the spec; or name a source file (.cl, .cu), or its `--language`";
const ONE_FOR_ALL: &str = "`autotune SPEC --gpu GPU --set n=1024,2048` proves one configuration for all";
#[cfg(feature = "mcp")]
const START_SERVER: &str = "a client of the Model Context Protocol starts `autotune mcp`, and begins with `initialize`";

const MEND_BODY: &str = "correct the statements of the first difference, or the source; `autotune extract SPEC --config A=1,B=2` \
                         prints the body of one configuration";
const ONLY_PAGES: &str = "name another folder, or move the file away: only pages of autotune are replaced";
const ONLY_OWN_FILES: &str = "move it away, or name another folder: only files that autotune wrote are replaced";
const ONE_MODEL: &str =
    "`--out DIR` writes one model with its tables in a header; `--config A=1,B=2` prints that of one";
const WRITE_AGAIN: &str = "make room, then `--resume` writes it from the journal, which has all results";

//! The errors of exports.

use thiserror::Error;

use autotune_base::user_error::{ExitStatus, UserError};

/// A reason why results cannot be exported.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the message of a variant says what its fields are")]
pub enum ExportError {
    /// No result has a proved optimum.
    #[error("nothing is proved that could be exported")]
    NothingProved,
    /// A result without a second opinion, which was to be exported.
    #[error("the answer to {question} does not recommend a configuration")]
    NoRecommended { question: String },
    /// A second opinion about several scenarios.
    #[error("an answer about several scenarios does not recommend a configuration")]
    FleetRecommends,
    /// Several results for a format that holds one.
    #[error("{form} holds one result, and these are {}: {}", .results.len(), .results.join("; "))]
    Several { form: &'static str, results: Vec<String> },
    /// Two different results of one question.
    #[error("two results of {question} differ: {} and {}", .optima[0], .optima[1])]
    Contradiction { question: String, optima: [String; 2] },
    /// Different optima of one kernel on one GPU: a macro has one value.
    #[error("{kernel} on {gpu} has different optima for different problem sizes: {}", .optima.join("; "))]
    SizesDisagree { kernel: String, gpu: String, optima: Vec<String> },
    /// A tuning without the times of all configurations, for a format that needs them.
    #[error(
        "Kernel Tuner needs the time of every configuration that can run, and the result of {question} has {timed} of {feasible}"
    )]
    Incomplete { question: String, timed: u128, feasible: u128 },
    /// A tuning with configurations whose time cannot be told.
    #[error(
        "Kernel Tuner needs the time of every configuration that can run, and {unknown} of {question} are not known"
    )]
    Unknown { question: String, unknown: usize },
    /// An answer about several scenarios, which lists a few configurations.
    #[error("Kernel Tuner needs every configuration, and an answer about several scenarios lists the best {listed}")]
    FleetIncomplete { listed: usize },
    /// A name that has another meaning in the format.
    #[error("a parameter would be called `{name}`, which {means}")]
    Reserved { name: String, means: &'static str },
    /// A problem size whose name has another meaning in the format.
    #[error("a problem size is called `{name}`, which {means}")]
    ReservedSize { name: String, means: &'static str },
    /// One name for two things.
    #[error("{} would both be called `{name}`", .of.join(" and "))]
    SameName { name: String, of: [String; 2] },
    /// A file's name that a rule of make cannot hold.
    #[error("the name `{}` has a line break, which a depfile cannot hold", name.escape_debug())]
    LineBreak { name: String },
    /// A table that cannot be written.
    #[error("the table cannot be written: {0}")]
    Table(#[from] ::csv::Error),
    /// JSON that cannot be written.
    #[error("the JSON cannot be written: {0}")]
    Json(#[from] serde_json::Error),
}

impl ExportError {
    fn advice(&self) -> Option<&'static str> {
        Some(match self {
            Self::NothingProved => "`--format csv`, `t4` and `kernel-tuner` show what is known of the configurations",
            Self::NoRecommended { .. } => {
                "export its optimum, with `--pick optimum`: the wave model, which recommends, lacks terms for lockstep GPUs, matrix \
                 units and asynchronous copies"
            }
            Self::FleetRecommends => "ask about one scenario, or leave out `--pick recommended`",
            Self::Several { .. } => "choose one with `--kernel NAME`, `--gpu NAME` and `--set NAME=VALUE`",
            Self::SizesDisagree { .. } => "choose one problem size with `--set NAME=VALUE`",
            Self::Contradiction { .. } => "they are of different specs or versions: keep one of them",
            Self::Incomplete { .. } => {
                "evaluate them all: `autotune SPEC --gpu GPU --format kernel-tuner`; or keep a result with `--rank \
                 --configurations all`, or that of a job list with `rank: true`, and export that"
            }
            Self::Unknown { .. } => "`unknown` in the result, or `autotune check`, says why; mend it, and tune again",
            Self::FleetIncomplete { .. } => "ask about one GPU and one size; `--format csv` has those that are listed",
            Self::Reserved { .. } => {
                "give the parameter another name in the spec, or the kernel if its name stands in front"
            }
            Self::ReservedSize { .. } => "give the problem size another name in the spec, or choose another `--format`",
            Self::SameName { .. } => "export them apart, with `--kernel NAME` or `--gpu NAME`",
            Self::LineBreak { .. } => "rename the file",
            Self::Table(_) | Self::Json(_) => return None,
        })
    }
}

impl UserError for ExportError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        self.advice().map(str::to_owned)
    }
}

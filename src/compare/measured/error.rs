//! Why a file of measurements cannot be used.

use std::io;

use thiserror::Error;

use super::table::At;
use crate::text::list;

/// Why a file of measurements cannot be used.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the message of a variant says what its fields are")]
pub enum MeasuredError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// It looks like gzip and is not.
    #[error("it cannot be unpacked: {0}")]
    Packed(io::Error),
    /// Its name says gzip, its content does not.
    #[error("its name ends in `.gz`, but it is no gzip file")]
    NotPacked,
    /// Nobody measures so much.
    #[error("it has more than 1 GiB")]
    TooLong,
    /// It is neither CSV nor JSON.
    #[error("it is not UTF-8 text from byte {0} on")]
    NotText(usize),
    /// It is broken CSV.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A row that lacks cells, or has more than there are names.
    #[error("{at}: the row has {cells} cells, but there are {columns} columns")]
    WrongLength { at: At, cells: usize, columns: usize },
    /// It is broken JSON.
    #[error("it is no JSON: {0}")]
    Json(serde_json::Error),
    /// It is JSON of another kind.
    #[error("it is JSON, but neither a Kernel Tuner cache (an object `cache`) nor T4 results (a list `results`)")]
    UnknownJson,
    /// It has nothing under its names.
    #[error("it has no rows")]
    NoRows,
    /// A name that means two columns.
    #[error("the column `{name}` is there twice")]
    TwoColumns { name: String },
    /// A parameter of the spec that it lacks.
    #[error("it has no column `{name}`, a parameter of the spec")]
    NoParameter { name: String, nearest: Option<String>, columns: Vec<String> },
    /// No times.
    #[error("it has no column `{}`", names.join("`, `"))]
    NoTime { names: Vec<String>, nearest: Option<String>, columns: Vec<String> },
    /// A tuner was after something else.
    #[error("{at}: no objective is the time `{time}`: they are {}", list(objectives))]
    NoTimeObjective { at: At, time: String, objectives: Vec<String> },
    /// Nothing of the GPU.
    #[error("none of its rows is of the GPU `{gpu}`: its column `gpu` has {}", list(found))]
    NoRowsOfGpu { gpu: String, found: Vec<String> },
    /// Nothing of the configuration.
    #[error("none of its rows is the configuration {configuration}")]
    NoRowsOfConfiguration { configuration: String },
    /// Everything failed.
    #[error("none of its {rows} runs succeeded")]
    NothingRan { rows: usize },
    /// A problem size that is asked for and measured too.
    #[error("the problem size `{name}` is a column of the file")]
    SizeIsColumn { name: String },
    /// What is no value of a parameter or a size.
    #[error("{at}: `{}`, in the column `{column}`, is not an integer of 64 bits", text.escape_debug())]
    NotAnInteger { at: At, column: String, text: String },
    /// What is no time.
    #[error("{at}: `{}`, in the column `{column}`, is not a time: a number greater than 0", text.escape_debug())]
    NotATime { at: At, column: String, text: String },
    /// A unit that nobody knows.
    #[error("{at}: `{}` is no unit of time", unit.escape_debug())]
    UnknownUnit { at: At, unit: String },
}

impl MeasuredError {
    /// How to mend it.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        match self {
            Self::NoParameter { nearest: Some(nearest), .. } | Self::NoTime { nearest: Some(nearest), .. } => {
                Some(format!("its column `{nearest}` has a similar name"))
            }
            Self::NoParameter { columns, .. } => Some(format!("its columns are {}", list(columns))),
            Self::NoTime { columns, .. } => {
                Some(format!("`--time-column` names another one; its columns are {}", list(columns)))
            }
            Self::NotPacked => Some("pack it with `gzip`, or leave `.gz` out of its name".to_owned()),
            Self::NoTimeObjective { .. } => Some("`--time-column` names the measurement that is a time".to_owned()),
            Self::NoRowsOfGpu { .. } => Some("a profile's own names and aliases count; `--gpu` chooses it".to_owned()),
            Self::SizeIsColumn { name } => Some(format!("leave out `--set {name}=…`")),
            Self::NotATime { .. } => {
                Some("a run that failed has an empty time, or a `status` other than `ok`".to_owned())
            }
            Self::UnknownUnit { .. } => Some("units are ns, us, ms and s".to_owned()),
            _ => None,
        }
    }
}

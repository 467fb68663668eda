//! The errors of files of measurements.

use std::io;

use thiserror::Error;

use super::unit::TimeUnit;
use autotune_base::text::{list, words};
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_engine::compare::measured::At;

/// The reason why a file of measurements cannot be used.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the message of a variant says what its fields are")]
pub enum MeasuredError {
    /// A file that cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// A damaged gzip file.
    #[error("the file cannot be unpacked: {0}")]
    Packed(io::Error),
    /// A name of a gzip file with other content.
    #[error("the file's name ends in `.gz`, but its content is not gzip")]
    NotPacked,
    /// A file of more than 1 GiB, unpacked.
    #[error("the file has more than 1 GiB, unpacked")]
    TooLong,
    /// A file that is not text.
    #[error("the file is not UTF-8: the byte at offset {0} is invalid")]
    NotText(usize),
    /// A damaged CSV file.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A row with fewer or more cells than there are columns.
    #[error("{at}: the row has {cells} cells, but there are {columns} columns")]
    WrongLength { at: At, cells: usize, columns: usize },
    /// Damaged JSON.
    #[error("the file is not valid JSON: {0}")]
    Json(serde_json::Error),
    /// JSON of another kind.
    #[error("the file is JSON, but neither a Kernel Tuner cache (an object `cache`) nor T4 results (a list `results`)")]
    UnknownJson,
    /// A file without runs.
    #[error("the file has no rows")]
    NoRows,
    /// A name of two columns.
    #[error("two columns are named `{name}`")]
    TwoColumns { name: String },
    /// A parameter of the spec without a column.
    #[error("the file has no column `{name}`, a parameter of the spec")]
    NoParameter { name: String, nearest: Option<String>, columns: Vec<String> },
    /// A file without a column of times.
    #[error("the file has no column `{}`", names.join("`, `"))]
    NoTime { names: Vec<String>, nearest: Option<String>, columns: Vec<String> },
    /// A column of times whose unit is not known.
    #[error("the unit of the column `{column}` is not known")]
    NoUnit { column: String },
    /// A unit that differs from the one that a column's name states.
    #[error("the unit of the column `{column}` is {}, not {}", stated.symbol(), unit.symbol())]
    OtherUnit { column: String, stated: TimeUnit, unit: TimeUnit },
    /// A unit for a file that has units of its own.
    #[error("`--unit {}` is for CSV files: a Kernel Tuner cache is in ms, and T4 results state their units", unit.symbol())]
    UnitOfJson { unit: TimeUnit },
    /// A file of a tuner with other objectives than the time.
    #[error("{at}: the time `{time}` is not one of the objectives {}", list(objectives))]
    NoTimeObjective { at: At, time: String, objectives: Vec<String> },
    /// A file without runs of the GPU.
    #[error("no row is of the GPU `{gpu}`: the column `gpu` has {}", list(found))]
    NoRowsOfGpu { gpu: String, found: Vec<String> },
    /// A file without runs of the configuration.
    #[error("no row has {}", words::configuration(configuration))]
    NoRowsOfConfiguration { configuration: String },
    /// A file whose runs all failed.
    #[error("none of the {rows} runs succeeded")]
    NothingRan { rows: usize },
    /// A problem size that is set and is also a column.
    #[error("the problem size `{name}` is a column of the file")]
    SizeIsColumn { name: String },
    /// A parameter that is fixed and is also a column.
    #[error("the parameter `{name}` is a column of the file")]
    FixedIsColumn { name: String },
    /// A fixed value of a name that no parameter has.
    #[error("`{name}` is not a parameter of the spec")]
    FixedUnknown { name: String, parameters: Vec<String> },
    /// A parameter that is fixed twice.
    #[error("`--fix` states two values of `{name}`: {} and {}", values[0], values[1])]
    FixedTwice { name: String, values: [i64; 2] },
    /// A value of a parameter or a size that is not an integer.
    #[error("{at}: `{}`, in the column `{column}`, is not a 64-bit integer", text.escape_debug())]
    NotAnInteger { at: At, column: String, text: String },
    /// A time that is not a positive number.
    #[error("{at}: `{}`, in the column `{column}`, is not a time: a number greater than 0", text.escape_debug())]
    NotATime { at: At, column: String, text: String },
    /// An unknown unit of time.
    #[error("{at}: `{}` is not a unit of time", unit.escape_debug())]
    UnknownUnit { at: At, unit: String },
}

impl UserError for MeasuredError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NoParameter { nearest: Some(nearest), .. } | Self::NoTime { nearest: Some(nearest), .. } => {
                Some(format!("the column `{nearest}` has a similar name: rename it"))
            }
            Self::NoParameter { name, columns, .. } => Some(fixing(name, columns)),
            Self::FixedIsColumn { name } => Some(format!("leave out `--fix {name}=…`")),
            Self::FixedTwice { .. } => Some("leave one of them out".to_owned()),
            Self::FixedUnknown { parameters, .. } => Some(format!("the parameters are {}", list(parameters))),
            Self::NoTime { columns, .. } => {
                Some(format!("name the column of times by `--time-column`; the columns are {}", list(columns)))
            }
            Self::NotPacked => Some("pack the file with `gzip`, or remove `.gz` from its name".to_owned()),
            Self::NoRows | Self::NothingRan { .. } => {
                Some("a run needs a row with a value of each parameter and a time greater than 0".to_owned())
            }
            Self::TwoColumns { .. } => Some("rename one of the two".to_owned()),
            Self::NotAnInteger { .. } => {
                Some("values are integers, `true` or `false`: number other choices".to_owned())
            }
            Self::NoTimeObjective { .. } => Some("name the measurement that is a time by `--time-column`".to_owned()),
            Self::NoRowsOfGpu { .. } => {
                Some("choose a GPU by `--gpu`; the column may have any name or alias of its profile".to_owned())
            }
            Self::SizeIsColumn { name } => Some(format!("leave out `--set {name}=…`")),
            Self::NoUnit { .. } => Some(
                "state it by `--unit ns`, `us`, `ms` or `s`, or end the column's name in it, as in `time_ms`"
                    .to_owned(),
            ),
            Self::OtherUnit { .. } | Self::UnitOfJson { .. } => Some("leave out `--unit`".to_owned()),
            Self::WrongLength { cells, columns, .. } if cells > columns => Some(
                "a time with a decimal comma is two cells here: separate cells by `;`, or write a point".to_owned(),
            ),
            Self::NotATime { text, .. } if text.contains(',') => {
                Some("a time has a point, or one decimal comma in a file whose cells are separated by `;`".to_owned())
            }
            Self::NotATime { .. } => {
                Some("a run that failed has an empty time, or a `status` other than `ok`".to_owned())
            }
            Self::UnknownUnit { .. } => Some("the units are ns, us, ms and s".to_owned()),
            Self::Read(_)
            | Self::Packed(_)
            | Self::TooLong
            | Self::NotText(_)
            | Self::Csv(_)
            | Self::WrongLength { .. }
            | Self::Json(_)
            | Self::UnknownJson
            | Self::NoRowsOfConfiguration { .. } => None,
        }
    }
}

/// The ways to give a parameter without a column its values.
fn fixing(name: &str, columns: &[String]) -> String {
    format!("the columns are {}; if all runs had one value of `{name}`, state it by `--fix {name}=…`", list(columns))
}

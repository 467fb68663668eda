//! Measured runs, by problem size, as tuners' files and benchmarks give them.

use std::collections::HashSet;
use std::fmt;

use autotune_lowering::spec::{Configuration, Spec, SpecError};

/// The content of a file of measurements.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Measurements {
    /// The runs by problem size, in the order of the file. Each scenario has at least one run; there is at least one
    /// scenario, unless the reader takes a file without runs, too.
    pub scenarios: Vec<Scenario>,
    /// The names of the columns that are not used.
    pub ignored: Vec<String>,
    /// The rows that repeat the configuration and problem size of an earlier row; `None` if there are none.
    pub repeated: Option<Repeated>,
    /// The device that a Kernel Tuner cache names, if it is not the GPU; else `None`.
    pub other_device: Option<String>,
}

/// Rows that repeat earlier ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    /// The number of rows that repeat an earlier one.
    pub rows: usize,
    /// The first row that is repeated.
    pub first: At,
    /// The row that repeats it.
    pub again: At,
}

/// Runs of one problem size.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// The problem sizes that the file states: name and value.
    pub problem: Vec<(String, i64)>,
    /// The runs, in the order of the file.
    pub runs: Vec<MeasuredRun>,
}

impl Scenario {
    /// The spec with the problem sizes that the file states.
    ///
    /// # Errors
    /// If a size cannot be set.
    pub(super) fn sized(&self, spec: &Spec) -> Result<Spec, SpecError> {
        let mut sized = spec.clone();
        for (name, value) in &self.problem {
            sized.set(name, *value)?;
        }
        Ok(sized)
    }

    /// The runs without those that failed although another run of their configuration succeeded: they say nothing of it.
    #[must_use]
    pub fn telling_runs(&self) -> Vec<MeasuredRun> {
        let succeeded = self.runs.iter().filter(|run| run.milliseconds.is_some());
        let ran: HashSet<&Configuration> = succeeded.map(|run| &run.configuration).collect();
        let tells = |run: &&MeasuredRun| run.milliseconds.is_some() || !ran.contains(&run.configuration);
        self.runs.iter().filter(tells).cloned().collect()
    }
}

/// A measured run of a configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredRun {
    /// The configuration.
    pub configuration: Configuration,
    /// The time in milliseconds; `None` if the run failed.
    pub milliseconds: Option<f64>,
}

/// The place of a row in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    /// The line, counted from 1.
    Line(u64),
    /// The key of the entry.
    Entry(String),
    /// The position in the list of results, counted from 1.
    Result(usize),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Entry(key) => write!(f, "entry `{}`", key.escape_debug()),
            Self::Result(number) => write!(f, "result {number}"),
        }
    }
}

//! A file of measurements as texts in rows and columns, before the columns are interpreted.

use serde_json::Value;

use autotune_engine::compare::measured::At;

/// The column of times in milliseconds, in formats with a fixed name for it.
pub(super) const TIME: &str = "time";
/// The column of the status of runs.
pub(super) const STATUS: &str = "status";
/// The status of a run that succeeded.
pub(super) const OK: &str = "ok";

/// Texts in rows and columns.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// True if a time may have a comma in place of its point.
    pub(super) decimal_comma: bool,
}

/// A row with as many cells as there are columns.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) at: At,
    pub(super) cells: Vec<String>,
}

impl Table {
    /// Returns an empty table with a column for each parameter, then time and status.
    pub(super) fn of_parameters(parameters: Vec<String>) -> Self {
        let columns = parameters.into_iter().chain([TIME, STATUS].map(str::to_owned)).collect();
        Self { columns, rows: Vec::new(), decimal_comma: false }
    }

    /// True if it has the columns of a tuner's file without runs.
    pub(super) fn has_no_parameter(&self) -> bool {
        self.columns == [TIME, STATUS]
    }

    /// Adds a row. `get` returns the value of a parameter by its name; `time` is the time of the run in milliseconds,
    /// or the reason why the run failed.
    pub(super) fn add<'v>(&mut self, at: At, get: impl Fn(&str) -> Option<&'v Value>, time: Result<f64, String>) {
        let parameters = &self.columns[..self.columns.len() - 2];
        let mut cells: Vec<String> = parameters.iter().map(|name| get(name).map_or(String::new(), text)).collect();
        match time {
            Ok(milliseconds) => cells.extend([milliseconds.to_string(), OK.to_owned()]),
            Err(status) => cells.extend([String::new(), status]),
        }
        self.rows.push(Row { at, cells });
    }
}

/// The text of a JSON value in a CSV file.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

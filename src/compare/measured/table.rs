//! A file of measurements before its columns mean anything: texts in rows and columns.

use std::fmt;

use serde_json::Value;

/// The column of times in formats that have one name for it; in milliseconds.
pub(super) const TIME: &str = "time";
/// The column that tells whether a run succeeded.
pub(super) const STATUS: &str = "status";
/// What it says of a run that did.
pub(super) const OK: &str = "ok";

/// Texts in rows and columns.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// A row; it has as many cells as there are columns.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) at: At,
    pub(super) cells: Vec<String>,
}

/// Where a row stands in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    /// On this line, counted from 1.
    Line(u64),
    /// It is the entry with this key.
    Entry(String),
    /// It is this one of the results, counted from 1.
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

impl Table {
    /// Of these parameters, then time and status.
    pub(super) fn of_parameters(parameters: Vec<String>) -> Self {
        let columns = parameters.into_iter().chain([TIME, STATUS].map(str::to_owned)).collect();
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row: the values of the parameters as `get` finds them by name, the time of a run that succeeded, or why
    /// it failed.
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

/// A JSON value as a CSV file would have it.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

//! Kernel Tuner's cache files: an object `cache` with an entry for each configuration, times in milliseconds.

use serde_json::Value;

use super::error::MeasuredError;
use super::table::Table;
use autotune_engine::compare::measured::At;

/// Kernel Tuner's time of a failed configuration in files without `__error__`.
const FAILED: f64 = 1e20;
/// The key of an entry's error.
const ERROR: &str = "__error__";

/// Reads JSON. The cache of an unfinished tuning lacks its last brackets, which are added.
pub(super) fn parse(text: &str) -> Result<Value, MeasuredError> {
    serde_json::from_str(text).or_else(|error| {
        if !error.is_eof() {
            return Err(MeasuredError::Json(error));
        }
        let closed = format!("{}}}}}", text.trim_end().trim_end_matches(','));
        serde_json::from_str(&closed).map_err(|_| MeasuredError::Json(error))
    })
}

pub(super) fn table(json: &Value, time: &str) -> Result<Table, MeasuredError> {
    let entries = json["cache"].as_object().ok_or(MeasuredError::UnknownJson)?;
    let names = |value: &Value| {
        value.as_array().map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    };
    let parameters = names(&json["tune_params_keys"]).unwrap_or_else(|| {
        let first = entries.values().find_map(Value::as_object);
        first.map_or(Vec::new(), |entry| entry.keys().filter(|name| *name != time && *name != ERROR).cloned().collect())
    });
    let mut table = Table::of_parameters(parameters);
    for (key, entry) in entries {
        table.add(At::Entry(key.clone()), |name| entry.get(name), milliseconds(entry, time));
    }
    Ok(table)
}

/// The device of a cache's measurements; `None` if the cache does not state it.
pub(super) fn device(json: &Value) -> Option<&str> {
    json.get("cache").and(json.get("device_name")).and_then(Value::as_str).filter(|name| !name.is_empty())
}

/// The time of an entry in milliseconds, or the reason why it failed.
fn milliseconds(entry: &Value, time: &str) -> Result<f64, String> {
    if let Some(error) = entry.get(ERROR) {
        return Err(error.as_str().unwrap_or(ERROR).to_owned());
    }
    match entry.get(time) {
        Some(Value::Number(number)) => number.as_f64().filter(|time| *time < FAILED).ok_or_else(|| "failed".to_owned()),
        Some(Value::String(error)) => Err(error.clone()),
        _ => Err("no time".to_owned()),
    }
}

//! T4, the autotuning community's format of results: a list `results`, each with its configuration and measurements.

use serde_json::Value;

use super::error::MeasuredError;
use super::table::Table;
use autotune_engine::compare::measured::At;

/// The `invalidity` of a valid result.
const VALID: &str = "correct";

pub(super) fn table(json: &Value, time: &str) -> Result<Table, MeasuredError> {
    let results = json["results"].as_array().ok_or(MeasuredError::UnknownJson)?;
    let mut parameters: Vec<String> = Vec::new();
    for configuration in results.iter().filter_map(|result| result["configuration"].as_object()) {
        for name in configuration.keys().filter(|name| !parameters.contains(name)).collect::<Vec<_>>() {
            parameters.push(name.clone());
        }
    }
    let unit = json["metadata"]["timeunit"].as_str().unwrap_or_default();
    let mut table = Table::of_parameters(parameters);
    for (place, result) in results.iter().enumerate() {
        let at = At::Result(place + 1);
        let milliseconds = match result["invalidity"].as_str() {
            Some(VALID) | None => milliseconds(result, time, unit, &at)?.ok_or_else(|| "no time".to_owned()),
            Some(reason) => Err(reason.to_owned()),
        };
        table.add(at, |name| result["configuration"].get(name), milliseconds);
    }
    Ok(table)
}

/// The time of a result in milliseconds: the measurement named `time`, else the mean of the runtimes; `None` if both
/// are missing. An error if the objectives have other names, since the runtimes may then be other quantities.
fn milliseconds(result: &Value, time: &str, file_unit: &str, at: &At) -> Result<Option<f64>, MeasuredError> {
    let named = |measurement: &&Value| measurement["name"].as_str() == Some(time);
    let measurement = result["measurements"].as_array().and_then(|all| all.iter().find(named));
    if let Some(value) = measurement.and_then(|measurement| measurement["value"].as_f64()) {
        let own_unit = measurement.and_then(|measurement| measurement["unit"].as_str()).unwrap_or_default();
        let unit = if own_unit.is_empty() { file_unit } else { own_unit };
        return Ok(Some(value * milliseconds_of(unit, at)?));
    }
    let objectives = names(&result["objectives"]);
    if !objectives.is_empty() && !objectives.iter().any(|objective| objective == time) {
        return Err(MeasuredError::NoTimeObjective { at: at.clone(), time: time.to_owned(), objectives });
    }
    let runtimes = result["times"]["runtimes"]
        .as_array()
        .map_or(Vec::new(), |times| times.iter().filter_map(Value::as_f64).collect());
    if runtimes.is_empty() {
        return Ok(None);
    }
    #[expect(clippy::cast_precision_loss, reason = "repetitions are few")]
    let mean = runtimes.iter().sum::<f64>() / runtimes.len() as f64;
    Ok(Some(mean * milliseconds_of(file_unit, at)?))
}

fn names(list: &Value) -> Vec<String> {
    list.as_array().map_or(Vec::new(), |names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

/// The milliseconds of a unit.
fn milliseconds_of(unit: &str, at: &At) -> Result<f64, MeasuredError> {
    match unit {
        "" | "ms" | "milliseconds" => Ok(1.0),
        "ns" | "nanoseconds" => Ok(1e-6),
        "us" | "microseconds" => Ok(1e-3),
        "s" | "seconds" => Ok(1e3),
        other => Err(MeasuredError::UnknownUnit { at: at.clone(), unit: other.to_owned() }),
    }
}

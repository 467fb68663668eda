//! A cache file of Kernel Tuner: its simulation mode reads times from it instead of measuring them.

use serde_json::{Map, Value, json};

use super::error::ExportError;
use super::results::question;
use crate::result::{ConfigurationReport, ListedStatus, Report, Values};
use autotune_base::text::json::to_json;
use autotune_lowering::lowering::{Infeasible, LimitRule};

/// The greatest number of entries that are added for configurations that a constraint excludes, in a product of that size.
const MOST_EXCLUDED: usize = 1 << 18;

/// Kernel Tuner's name of a configuration that a restriction excludes.
const EXCLUDED: &str = "InvalidConfig";

/// The cache of one tuning. `time` is in milliseconds if the GPU has a clock, otherwise in ticks; `time_unit` states
/// which. Kernel Tuner ends at a configuration without an entry, so that those are added that a constraint excludes.
///
/// # Errors
/// If a configuration that can run has no time.
pub(super) fn cache(report: &Report) -> Result<String, ExportError> {
    check_complete(report)?;
    let domains = report.domains();
    let mut entries = Map::new();
    for configuration in &report.configurations {
        entries.insert(key(&configuration.parameters), entry(report, configuration));
    }
    if covered(&domains) <= MOST_EXCLUDED {
        add_excluded(&mut entries, &domains);
    }
    let has_clock = report.optimum.as_ref().is_some_and(|optimum| optimum.microseconds.is_some());
    let file = json!({
        "device_name": report.gpu,
        "kernel_name": report.kernel,
        "problem_size": report.problem.values().collect::<Vec<_>>(),
        "tune_params_keys": domains.keys().collect::<Vec<_>>(),
        "tune_params": domains,
        "objective": "time",
        "time_unit": if has_clock { "ms" } else { "ticks" },
        "cache": entries,
    });
    Ok(to_json(&file)?)
}

/// An error if not every configuration that can run is listed with its time.
fn check_complete(report: &Report) -> Result<(), ExportError> {
    let listed = &report.configurations;
    let is_unknown = |one: &&ConfigurationReport| one.status == ListedStatus::Unknown;
    let unknown = listed.iter().filter(is_unknown).count();
    if unknown > 0 {
        return Err(ExportError::Unknown { question: question(report), unknown });
    }
    let timed = listed.iter().filter(|one| one.ticks.is_some()).count() as u128;
    let feasible = match &report.proof {
        Some(proof) => proof.configurations.all - proof.configurations.infeasible,
        None => listed.iter().filter(|one| one.reason.is_none()).count() as u128,
    };
    if timed < feasible || listed.is_empty() {
        return Err(ExportError::Incomplete { question: question(report), timed, feasible });
    }
    Ok(())
}

/// The number of configurations of all these values; `usize::MAX` if they are more.
pub(super) fn covered(domains: &Values) -> usize {
    domains.values().filter_map(Value::as_array).map(Vec::len).fold(1, usize::saturating_mul)
}

/// Adds an entry for each configuration of the values that has none.
fn add_excluded(entries: &mut Map<String, Value>, domains: &Values) {
    for number in 0..covered(domains) {
        let parameters = configuration(domains, number);
        entries.entry(key(&parameters)).or_insert_with(|| Value::Object(failed(parameters, EXCLUDED)));
    }
}

/// The configuration of a number from 0; the last parameter's values follow each other.
fn configuration(domains: &Values, mut number: usize) -> Values {
    let digit = |(name, values): (&String, &Value)| {
        let values = values.as_array()?;
        let value = values[number % values.len()].clone();
        number /= values.len();
        Some((name.clone(), value))
    };
    let mut reversed: Vec<_> = domains.iter().rev().filter_map(digit).collect();
    reversed.reverse();
    reversed.into_iter().collect()
}

/// Kernel Tuner's name of a configuration.
fn key(parameters: &Values) -> String {
    parameters.values().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// The entry of a configuration that cannot run.
fn failed(mut entry: Values, failure: &str) -> Values {
    entry.extend([("time".to_owned(), json!(failure)), ("__error__".to_owned(), json!(failure))]);
    add_no_times(&mut entry);
    entry
}

fn entry(report: &Report, configuration: &ConfigurationReport) -> Value {
    let mut entry = configuration.parameters.clone();
    match (&configuration.reason, configuration.ticks) {
        (Some(reason), _) => return Value::Object(failed(entry, failure(reason))),
        (None, None) => return Value::Object(failed(entry, EXCLUDED)),
        (None, Some(ticks)) => {
            // Kernel Tuner takes only floating point for a time.
            let time = report.microseconds(ticks).map_or(ticks.to_f64(), |time| time / 1e3);
            entry.extend([("time".to_owned(), json!(time)), ("times".to_owned(), json!([time]))]);
            entry.insert("ticks".to_owned(), json!(ticks));
        }
    }
    add_no_times(&mut entry);
    Value::Object(entry)
}

/// Adds the times of a tuner's work to an entry: nothing was compiled or run.
pub(super) fn add_no_times(entry: &mut Map<String, Value>) {
    for key in ["compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"] {
        entry.insert(key.to_owned(), json!(0.0));
    }
}

/// Kernel Tuner's name of the failure.
fn failure(reason: &Infeasible) -> &'static str {
    match reason.broken_limit() {
        Some(LimitRule::LocalMemory) => "CompilationFailedConfig",
        Some(LimitRule::Registers) => "RuntimeFailedConfig",
        _ => EXCLUDED,
    }
}

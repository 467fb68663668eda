//! A cache file of Kernel Tuner: its simulation mode reads times from it instead of measuring them.

use serde_json::{Map, Value, json};

use super::error::ExportError;
use crate::lowering::{Infeasible, LimitRule};
use crate::result::{ConfigurationReport, Report};
use crate::text::json::to_json;

/// The cache of one tuning. `time` is in milliseconds if the GPU has a clock, otherwise in ticks; `time_unit` states
/// which. Configurations that can run but do not have a time (pruned and not ranked) are left out.
pub(super) fn cache(report: &Report) -> Result<String, ExportError> {
    let domains = report.domains();
    let mut entries = Map::new();
    for configuration in &report.configurations {
        let key: Vec<String> = configuration.parameters.values().map(ToString::to_string).collect();
        if let Some(entry) = entry(report, configuration) {
            entries.insert(key.join(","), entry);
        }
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

fn entry(report: &Report, configuration: &ConfigurationReport) -> Option<Value> {
    let mut entry = configuration.parameters.clone();
    match (&configuration.reason, configuration.ticks) {
        (None, None) => return None,
        (Some(reason), _) => {
            entry.extend([
                ("time".to_owned(), json!(failure(reason))),
                ("__error__".to_owned(), json!(failure(reason))),
            ]);
        }
        (None, Some(ticks)) => {
            // Kernel Tuner takes only floating point for a time.
            let time = report.microseconds(ticks).map_or(ticks.to_f64(), |time| time / 1e3);
            entry.extend([("time".to_owned(), json!(time)), ("times".to_owned(), json!([time]))]);
            entry.insert("ticks".to_owned(), json!(ticks));
        }
    }
    add_no_times(&mut entry);
    Some(Value::Object(entry))
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
        _ => "InvalidConfig",
    }
}

//! T4 1.0.0, the autotuning community's format of results (`schemas/third-party`).
//!
//! No configuration was compiled or run, so all times of a result are 0 and its list of runtimes is empty. The
//! measurements are `ticks` and, if the GPU has a clock, `time` in milliseconds. Configurations that can run but do
//! not have a time (pruned and not ranked) are left out.

use serde_json::{Value, json};

use super::error::ExportError;
use crate::result::{ConfigurationReport, Report};
use autotune_base::text::json::to_json;
use autotune_lowering::lowering::{Infeasible, LimitRule};

pub(super) const VERSION: &str = "1.0.0";

/// The results of one tuning, as JSON.
pub(super) fn results(report: &Report) -> Result<String, ExportError> {
    let results: Vec<Value> = report.configurations.iter().filter_map(|one| result(report, one)).collect();
    let file = json!({
        "schema_version": VERSION,
        "metadata": { "timeunit": "milliseconds", "kernel": report.kernel, "device": report.gpu, "problem": report.problem },
        "results": results,
    });
    Ok(to_json(&file)?)
}

fn result(report: &Report, configuration: &ConfigurationReport) -> Option<Value> {
    let has_clock = report.optimum.as_ref().is_some_and(|optimum| optimum.microseconds.is_some());
    let invalidity = match (&configuration.reason, configuration.ticks) {
        (None, None) => return None,
        (None, Some(_)) => "correct",
        (Some(reason), _) => invalidity(reason),
    };
    let mut measurements = Vec::new();
    if let Some(ticks) = configuration.ticks {
        if let Some(time) = report.microseconds(ticks) {
            measurements.push(json!({ "name": "time", "value": time / 1e3, "unit": "ms" }));
        }
        measurements.push(json!({ "name": "ticks", "value": ticks, "unit": "ticks" }));
    }
    Some(json!({
        "configuration": configuration.parameters,
        "objectives": [if has_clock { "time" } else { "ticks" }],
        // The schema calls it `compilation_time`, those who read such files `compilation`.
        "times": {
            "compilation_time": 0.0, "compilation": 0.0, "benchmark": 0.0, "framework": 0.0, "search_algorithm": 0.0,
            "validation": 0.0, "runtimes": []
        },
        "invalidity": invalidity,
        "correctness": u8::from(invalidity == "correct"),
        "measurements": measurements,
    }))
}

/// The stage where a measuring tuner would meet the reason.
fn invalidity(reason: &Infeasible) -> &'static str {
    match reason.broken_limit() {
        // The compiler refuses static local memory, the driver what a launch asks for.
        Some(LimitRule::LocalMemory) => "compile",
        Some(LimitRule::Registers) => "runtime",
        _ => "constraints",
    }
}

/// The metadata, with the abstract machine in place of hardware. `profile` is the text of the GPU's
/// profile; `None` if it is not known.
pub(super) fn metadata(report: &Report, profile: Option<&str>) -> Result<String, ExportError> {
    let mut hardware = hardware(&report.gpu);
    hardware["profile"] = json!(profile);
    metadata_of(&[hardware], report.proof.as_ref().map(|proof| proof.checker.clone()))
}

/// The entry of a GPU in the list of hardware.
pub(super) fn hardware(gpu: &str) -> Value {
    json!({ "class": "display", "product": gpu, "description": "an abstract machine; no GPU took part", "profile": null })
}

/// The metadata with this hardware. `checker` is the model checker; `None` if the result does not name it.
pub(super) fn metadata_of(hardware: &[Value], checker: Option<String>) -> Result<String, ExportError> {
    let mut requirements = vec![format!("autotune=={}", env!("CARGO_PKG_VERSION"))];
    requirements.extend(checker);
    let file = json!({
        "schema_version": VERSION,
        "metadata": {
            "hardware": { "hardware_description": hardware },
            "environment": { "device_query": {}, "requirements": requirements }
        }
    });
    Ok(to_json(&file)?)
}

//! The answer about several scenarios in the formats of other programs: one for all of them.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::FileFormat;
use super::error::ExportError;
use super::header::{comment, defines};
use super::names::{Taken, capitals};
use super::shell::{assignments, flags};
use super::triton::config;
use crate::result::{FleetReport, FleetScenario, FleetTime, FleetVariant, Values, Verdict};
use autotune_base::text::json::to_json;
use autotune_base::text::words::{first_of, label};

/// The columns of a table, before and behind the problem sizes and parameters.
const BEFORE: [&str; 2] = ["kernel", "gpu"];
const BEHIND: [&str; 2] = ["ticks", "slowdown"];

/// The text of an answer about several scenarios in a file format.
///
/// # Errors
/// If nothing is proved and the format holds a proved configuration, or if a name has another meaning in the format.
pub fn fleet(report: &FleetReport, format: FileFormat) -> Result<String, ExportError> {
    match format {
        FileFormat::Csv => csv(report),
        FileFormat::Header => header(report),
        FileFormat::Flags => chosen(report)?.into_iter().map(|one| flags(one, None)).collect(),
        FileFormat::Shell => shell(report),
        FileFormat::Triton => Ok(chosen(report)?.into_iter().map(|one| config(one) + "\n").collect()),
        FileFormat::T4 => t4(report),
        FileFormat::T4Metadata => t4_metadata(report),
        FileFormat::KernelTuner => kernel_tuner(report),
    }
}

/// The parameters of the proved optimum, or of each proved variant.
fn chosen(report: &FleetReport) -> Result<Vec<&Values>, ExportError> {
    let optimum = report.optimum.iter().map(|one| &one.parameters);
    let chosen: Vec<&Values> = optimum.chain(report.variants.iter().map(|one| &one.parameters)).collect();
    if report.verdict == Verdict::Proved && !chosen.is_empty() { Ok(chosen) } else { Err(ExportError::NothingProved) }
}

/// The listed configurations, each with its times by scenario.
fn listed(report: &FleetReport) -> Vec<(&Values, Vec<Option<&FleetTime>>)> {
    let one = report.best.iter().map(|one| (&one.parameters, one.times.iter().map(Some).collect()));
    let several = report.variants.iter();
    let several = several.map(|one: &FleetVariant| (&one.parameters, one.times.iter().map(Option::as_ref).collect()));
    one.chain(several).collect()
}

/// The name of a scenario, such as `a100 n=1024`.
fn name(scenario: &FleetScenario) -> String {
    let sizes = label(&scenario.problem);
    if sizes.is_empty() { scenario.gpu.clone() } else { format!("{} {sizes}", scenario.gpu) }
}

/// The proved claim, as a sentence.
fn statement(report: &FleetReport) -> String {
    let worst = report.worst();
    let (slowdown, scenario) = worst.map_or((1.0, 0), |worst| (worst.slowdown, worst.scenario));
    let on = report.scenarios.get(scenario).map_or(String::new(), name);
    let which = match report.variants.len() {
        0 => "the configuration".to_owned(),
        variants => format!("the fastest of {variants} configurations"),
    };
    let mut text = format!(
        "{}: {which} takes at most {slowdown} times the own optimum of each of {} scenarios, worst on {on};\n\
         proved on an abstract machine by autotune {}",
        report.kernel,
        report.scenarios.len(),
        env!("CARGO_PKG_VERSION")
    );
    for line in failing_launches(report) {
        let _ = write!(text, "\nthe launch {line}");
    }
    text
}

/// The scenarios whose launch may fail, a line for each reason.
#[must_use]
pub fn failing_launches(report: &FleetReport) -> Vec<String> {
    let line = |(reason, scenarios): (&str, Vec<usize>)| {
        let names: Vec<String> = scenarios.iter().map(|&scenario| name(&report.scenarios[scenario])).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        format!("may fail on {}: {reason}", first_of(&names))
    };
    report.failing_launches().into_iter().map(line).collect()
}

/// A header for all targets. With variants, macros name them by their number.
fn header(report: &FleetReport) -> Result<String, ExportError> {
    let chosen = chosen(report)?;
    let kernel = capitals(&report.kernel);
    let guard = format!("AUTOTUNE_{kernel}_H");
    let mut text = comment(&statement(report));
    let _ = write!(text, "#ifndef {guard}\n#define {guard}\n\n");
    if report.most_variants.is_none() {
        defines(&mut text, "", chosen[0], None)?;
    } else {
        let _ = writeln!(text, "#define {kernel}_VARIANTS {}", chosen.len());
        for (number, parameters) in chosen.into_iter().enumerate() {
            defines(&mut text, &format!("{kernel}_{number}_"), parameters, None)?;
        }
    }
    text += "\n#endif\n";
    Ok(text)
}

/// Variables of a shell. With variants, their numbers stand before the names.
fn shell(report: &FleetReport) -> Result<String, ExportError> {
    let (mut text, mut taken) = (String::new(), Taken::default());
    for (number, parameters) in chosen(report)?.into_iter().enumerate() {
        let prefix = if report.most_variants.is_some() { format!("VARIANT_{number}_") } else { String::new() };
        text += &assignments(&prefix, parameters, &format!("variant {number}"), &mut taken)?;
    }
    Ok(text)
}

/// A table with a line for each listed configuration in each scenario.
fn csv(report: &FleetReport) -> Result<String, ExportError> {
    let listed = listed(report);
    let sizes = report.scenarios.first().map(|scenario| scenario.problem.keys()).into_iter().flatten();
    let parameters = listed.first().map(|(parameters, _)| parameters.keys()).into_iter().flatten();
    let names: Vec<&str> = sizes.chain(parameters).map(String::as_str).collect();
    if let Some(name) = names.iter().find(|name| BEFORE.contains(name) || BEHIND.contains(name)) {
        return Err(ExportError::Reserved { name: (*name).to_owned(), means: "is a column of every table" });
    }
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(BEFORE.iter().chain(&names).chain(&BEHIND))?;
    for (parameters, times) in &listed {
        for (scenario, time) in report.scenarios.iter().zip(times) {
            let values = scenario.problem.values().chain(parameters.values()).map(ToString::to_string);
            let [ticks, slowdown] =
                time.map_or([String::new(), String::new()], |time| [time.ticks.to_string(), time.slowdown.to_string()]);
            let before = [report.kernel.clone(), scenario.gpu.clone()].into_iter();
            writer.write_record(before.chain(values).chain([ticks, slowdown]))?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The worst slowdown of listed times; `None` if a scenario lacks the configuration.
fn worst(times: &[Option<&FleetTime>]) -> Option<f64> {
    let slowdowns: Option<Vec<f64>> = times.iter().map(|time| Some(time.as_ref()?.slowdown)).collect();
    slowdowns?.into_iter().reduce(f64::max)
}

/// T4 results: the objective is the worst slowdown, and the measurements have the time in each scenario.
fn t4(report: &FleetReport) -> Result<String, ExportError> {
    let result = |(parameters, times): (&Values, Vec<Option<&FleetTime>>)| {
        let worst = worst(&times);
        let scenarios = report.scenarios.iter().zip(&times);
        let ticks = scenarios.filter_map(|(scenario, time)| {
            Some(json!({ "name": format!("ticks on {}", name(scenario)), "value": time.as_ref()?.ticks, "unit": "ticks" }))
        });
        let slowdown = worst.map(|worst| json!({ "name": "worst_slowdown", "value": worst, "unit": "own optimum" }));
        json!({
            "configuration": parameters,
            "objectives": ["worst_slowdown"],
            "times": {
                "compilation_time": 0.0, "compilation": 0.0, "benchmark": 0.0, "framework": 0.0, "search_algorithm": 0.0,
                "validation": 0.0, "runtimes": []
            },
            // A scenario that lacks the configuration excludes it by its constraints or limits.
            "invalidity": if worst.is_some() { "correct" } else { "constraints" },
            "correctness": u8::from(worst.is_some()),
            "measurements": slowdown.into_iter().chain(ticks).collect::<Vec<Value>>(),
        })
    };
    let scenarios = report.scenarios.iter();
    let scenarios: Vec<Value> =
        scenarios.map(|scenario| json!({ "device": scenario.gpu, "problem": scenario.problem })).collect();
    let file = json!({
        "schema_version": super::t4::VERSION,
        "metadata": { "timeunit": "ticks", "kernel": report.kernel, "scenarios": scenarios },
        "results": listed(report).into_iter().map(result).collect::<Vec<Value>>(),
    });
    Ok(to_json(&file)?)
}

/// T4 metadata: an abstract machine for each GPU.
fn t4_metadata(report: &FleetReport) -> Result<String, ExportError> {
    let mut gpus: Vec<&str> = report.scenarios.iter().map(|scenario| scenario.gpu.as_str()).collect();
    gpus.sort_unstable();
    gpus.dedup();
    let hardware = gpus.into_iter().map(super::t4::hardware).collect::<Vec<Value>>();
    super::t4::metadata_of(&hardware, None)
}

/// A cache file of Kernel Tuner: the time of a configuration is its worst slowdown.
fn kernel_tuner(report: &FleetReport) -> Result<String, ExportError> {
    let (mut entries, mut domains) = (Map::new(), Map::new());
    for (parameters, times) in listed(report) {
        for (name, value) in parameters {
            let values = domains.entry(name).or_insert_with(|| json!([])).as_array_mut();
            if let Some(values) = values.filter(|values| !values.contains(value)) {
                values.push(value.clone());
            }
        }
        let key: Vec<String> = parameters.values().map(ToString::to_string).collect();
        let time = worst(&times).map_or_else(|| json!("InvalidConfig"), Value::from);
        let mut entry = parameters.clone();
        if time.is_string() {
            entry.insert("__error__".to_owned(), time.clone());
        } else {
            entry.insert("times".to_owned(), json!([time]));
        }
        entry.insert("time".to_owned(), time);
        super::kernel_tuner::add_no_times(&mut entry);
        entries.insert(key.join(","), Value::Object(entry));
    }
    if entries.len() < super::kernel_tuner::covered(&domains) {
        return Err(ExportError::FleetIncomplete { listed: entries.len() });
    }
    let gpus: Vec<String> = report.scenarios.iter().map(name).collect();
    let file = json!({
        "device_name": gpus.join(", "),
        "kernel_name": report.kernel,
        "problem_size": [],
        "tune_params_keys": domains.keys().collect::<Vec<_>>(),
        "tune_params": domains,
        "objective": "time",
        "time_unit": "worst slowdown",
        "cache": entries,
    });
    Ok(to_json(&file)?)
}

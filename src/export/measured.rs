//! Measured runs, in the forms of other programs. `validate` and `suggest` read all but the header.

use std::fmt::Write;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::error::ExportError;
use super::header::defines;
use super::names::capitals;
use crate::result::{MeasureReport, MeasuredRunReport, RunStatus, Values};
use autotune_base::text::json::to_json;
use autotune_base::text::words::{is_reserved_in_kernel_tuner, label};

/// The columns before and after those of problem sizes and parameters.
const BEFORE: [&str; 2] = ["kernel", "gpu"];
const BEHIND: [&str; 6] = ["run", "purpose", "status", "time_ms", "predicted", "reason"];

/// A form of measured runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeasuredFormat {
    /// Comma-separated values, with a line for each run.
    Csv,
    /// T4 results, with an entry for each configuration.
    T4,
    /// A cache file of Kernel Tuner, with an entry for each configuration.
    KernelTuner,
    /// A C header with the parameters of the best configuration.
    Header,
}

/// The text of measured runs in a form; `None` if the form shows the best configuration and none is known.
///
/// # Errors
/// If a parameter has a name that the form uses otherwise, or the table cannot be written.
pub fn measured(report: &MeasureReport, format: MeasuredFormat) -> Result<Option<String>, ExportError> {
    match format {
        MeasuredFormat::Csv => csv(report).map(Some),
        MeasuredFormat::T4 => t4(report).map(Some),
        MeasuredFormat::KernelTuner => kernel_tuner(report).map(Some),
        MeasuredFormat::Header => header(report),
    }
}

fn csv(report: &MeasureReport) -> Result<String, ExportError> {
    let names: Vec<&String> = report.problem.keys().chain(report.parameters()).collect();
    if let Some(name) = names.iter().find(|name| BEFORE.iter().chain(&BEHIND).any(|column| column == *name)) {
        return Err(ExportError::Reserved { name: (*name).clone(), means: "is a column of every table" });
    }
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(BEFORE.into_iter().chain(names.iter().map(|name| name.as_str())).chain(BEHIND))?;
    for run in &report.runs {
        let values = report.problem.values().chain(run.parameters.values()).map(ToString::to_string);
        let before = [report.kernel.clone(), report.gpu.clone()];
        writer.write_record(before.into_iter().chain(values).chain(cells(run)?))?;
    }
    let bytes = writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The cells behind the parameters.
fn cells(run: &MeasuredRunReport) -> Result<[String; BEHIND.len()], ExportError> {
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    let word = |value: Value| value.as_str().unwrap_or_default().to_owned();
    Ok([
        run.number.to_string(),
        word(serde_json::to_value(run.purpose)?),
        word(serde_json::to_value(run.status)?),
        number(run.time_ms),
        number(run.predicted_ms.or(run.predicted_ticks)),
        run.reason.clone().unwrap_or_default(),
    ])
}

/// The runs of one configuration.
struct Repeated<'a> {
    parameters: &'a Values,
    times: Vec<f64>,
    /// The first failure; `None` if no run failed.
    failure: Option<RunStatus>,
}

impl Repeated<'_> {
    /// The median of the times; `None` if no run succeeded.
    fn time(&self) -> Option<f64> {
        let mut times = self.times.clone();
        times.sort_unstable_by(f64::total_cmp);
        let upper = times.get(times.len() / 2)?;
        Some(f64::midpoint(*upper, times[(times.len() - 1) / 2]))
    }

    /// The first failure, if no run succeeded; else `None`.
    fn failure(&self) -> Option<RunStatus> {
        self.failure.filter(|_| self.times.is_empty())
    }
}

fn by_configuration(report: &MeasureReport) -> Vec<Repeated<'_>> {
    let mut all: IndexMap<String, Repeated> = IndexMap::new();
    for run in &report.runs {
        let new = || Repeated { parameters: &run.parameters, times: Vec::new(), failure: None };
        let repeated = all.entry(label(&run.parameters)).or_insert_with(new);
        repeated.times.extend(run.time_ms);
        if run.status != RunStatus::Ok {
            repeated.failure = repeated.failure.or(Some(run.status));
        }
    }
    all.into_values().collect()
}

fn t4(report: &MeasureReport) -> Result<String, ExportError> {
    let invalidity = |failure: Option<RunStatus>| match failure {
        None | Some(RunStatus::Ok) => "correct",
        Some(RunStatus::BuildFailed) => "compile",
        Some(RunStatus::Wrong) => "correctness",
        Some(RunStatus::TimedOut) => "timeout",
        Some(RunStatus::RunFailed | RunStatus::NoTime) => "runtime",
    };
    let result = |one: &Repeated| {
        let time = one.time().map(|time| json!({ "name": "time", "value": time, "unit": "ms" }));
        json!({
            "configuration": one.parameters,
            "objectives": ["time"],
            "times": {
                "compilation_time": 0.0, "compilation": 0.0, "benchmark": 0.0, "framework": 0.0,
                "search_algorithm": 0.0, "validation": 0.0, "runtimes": one.times
            },
            "invalidity": invalidity(one.failure()),
            "correctness": u8::from(one.failure().is_none()),
            "measurements": time.into_iter().collect::<Vec<_>>(),
        })
    };
    Ok(to_json(&json!({
        "schema_version": "1.0.0",
        "metadata": {
            "timeunit": "milliseconds", "kernel": report.kernel, "device": report.gpu, "problem": report.problem
        },
        "results": by_configuration(report).iter().map(result).collect::<Vec<_>>(),
    }))?)
}

fn kernel_tuner(report: &MeasureReport) -> Result<String, ExportError> {
    if let Some(name) = report.parameters().find(|name| is_reserved_in_kernel_tuner(name)) {
        let means = "is a word of Python, or taken by Kernel Tuner";
        return Err(ExportError::Reserved { name: name.clone(), means });
    }
    let values = |name: &String| {
        let mut values: Vec<i64> = report.runs.iter().filter_map(|run| run.parameters.get(name)?.as_i64()).collect();
        values.sort_unstable();
        values.dedup();
        (name.clone(), json!(values))
    };
    let tune_params: Map<String, Value> = report.parameters().map(values).collect();
    let entry = |one: &Repeated| {
        let key: Vec<String> = one.parameters.values().map(ToString::to_string).collect();
        let mut entry = one.parameters.clone();
        if let Some(time) = one.time() {
            entry.extend([("time".to_owned(), json!(time)), ("times".to_owned(), json!(one.times))]);
        } else {
            let build = one.failure() == Some(RunStatus::BuildFailed);
            let failure = if build { "CompilationFailedConfig" } else { "RuntimeFailedConfig" };
            entry.extend(["time", "__error__"].map(|key| (key.to_owned(), json!(failure))));
        }
        for key in ["compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"] {
            entry.insert(key.to_owned(), json!(0.0));
        }
        (key.join(","), Value::Object(entry))
    };
    Ok(to_json(&json!({
        "device_name": report.gpu,
        "kernel_name": report.kernel,
        "problem_size": report.problem.values().collect::<Vec<_>>(),
        "tune_params_keys": tune_params.keys().collect::<Vec<_>>(),
        "tune_params": tune_params,
        "objective": "time",
        "time_unit": "ms",
        "cache": by_configuration(report).iter().map(entry).collect::<Map<String, Value>>(),
    }))?)
}

fn header(report: &MeasureReport) -> Result<Option<String>, ExportError> {
    let Some(best) = &report.best else { return Ok(None) };
    let (target, guard) = (capitals(&report.gpu), capitals(&report.kernel));
    let mut text = format!(
        "/* Launch parameters for which {kernel} was fastest on {gpu}, measured with autotune {version}.\n \
         * Define TARGET_{target} where this is included. */\n\
         #ifndef AUTOTUNE_{guard}_H\n#define AUTOTUNE_{guard}_H\n\n#ifdef TARGET_{target}\n",
        kernel = comment(&report.kernel),
        gpu = comment(&report.gpu),
        version = env!("CARGO_PKG_VERSION"),
    );
    let runs = if best.runs == 1 { "1 run".to_owned() } else { format!("the median of {} runs", best.runs) };
    let sizes = if report.problem.is_empty() { String::new() } else { format!("{}: ", label(&report.problem)) };
    let _ = writeln!(text, "/* {}{} ms, {runs} */", comment(&sizes), best.time_ms);
    defines(&mut text, "", &best.parameters, None)?;
    let _ = write!(text, "#endif\n\n#ifndef TARGET_{target}\n#error \"define TARGET_{target}\"\n#endif\n\n#endif\n");
    Ok(Some(text))
}

/// A text that does not end a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

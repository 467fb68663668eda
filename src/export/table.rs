//! Comma-separated values, with a line for each listed configuration.

use super::error::ExportError;
use crate::result::{ConfigurationReport, Report};
use autotune_base::ticks::Ticks;

/// The columns of every table, before and after the problem sizes and parameters.
const BEFORE: [&str; 2] = ["kernel", "gpu"];
const BEHIND: [&str; 6] = ["status", "ticks", "microseconds", "bound", "by", "reason"];

/// The table of all results. A column is empty if its problem size or parameter does not belong to the kernel.
pub(super) fn csv(results: &[&Report]) -> Result<String, ExportError> {
    let mut names: Vec<&str> = Vec::new();
    for report in results {
        let parameters = report.configurations.first().into_iter().flat_map(|first| first.parameters.keys());
        for name in report.problem.keys().chain(parameters) {
            if BEFORE.contains(&name.as_str()) || BEHIND.contains(&name.as_str()) {
                return Err(ExportError::Reserved { name: name.clone(), means: "is a column of every table" });
            }
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(BEFORE.iter().chain(&names).chain(&BEHIND))?;
    for report in results {
        for configuration in &report.configurations {
            writer.write_record(record(report, configuration, &names))?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn record(report: &Report, configuration: &ConfigurationReport, names: &[&str]) -> Vec<String> {
    let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let value = |name: &&str| configuration.parameters.get(*name).or_else(|| report.problem.get(*name));
    let time = configuration.ticks.and_then(|ticks| report.microseconds(ticks));
    let reason = configuration.reason.as_ref();
    let mut record = vec![report.kernel.clone(), report.gpu.clone()];
    record.extend(names.iter().map(|name| value(name).map_or(String::new(), ToString::to_string)));
    record.push(configuration.status.to_string());
    record.extend([number(configuration.ticks.map(Ticks::get)), time.map_or(String::new(), |time| time.to_string())]);
    record.extend([
        number(configuration.bound.map(Ticks::get)),
        text(&configuration.by),
        reason.map_or(String::new(), ToString::to_string),
    ]);
    record
}

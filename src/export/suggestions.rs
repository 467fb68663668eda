//! The next configurations to measure, in the forms of other programs.

use serde_json::{Map, Value, json};

use super::error::ExportError;
use super::shell::flags;
use crate::result::{SuggestReport, SuggestedReport};
use autotune_base::text::json::to_json;
use autotune_base::text::words::is_reserved_in_kernel_tuner;

/// A form of the next configurations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuggestionFormat {
    /// Comma-separated values, with a line for each configuration.
    Csv,
    /// `-D` options of a compiler, with a line for each configuration.
    Flags,
    /// The arguments of `tune_kernel` that make Kernel Tuner measure these configurations and no other.
    KernelTuner,
}

/// The text of the next configurations. `parameters` are the names of all parameters.
///
/// # Errors
/// If a parameter has a name that the format uses otherwise, or the table cannot be written.
pub fn suggestions(
    report: &SuggestReport,
    parameters: &[&str],
    format: SuggestionFormat,
) -> Result<String, ExportError> {
    match format {
        SuggestionFormat::Csv => csv(report, parameters),
        SuggestionFormat::Flags => report.next.iter().map(|one| flags(&one.parameters, None)).collect(),
        SuggestionFormat::KernelTuner => kernel_tuner(report, parameters),
    }
}

fn csv(report: &SuggestReport, parameters: &[&str]) -> Result<String, ExportError> {
    let in_ticks = report.next.iter().any(|one| one.predicted_ticks.is_some());
    let times = if in_ticks { ["predicted_ticks", "corrected_ticks"] } else { ["predicted_ms", "corrected_ms"] };
    let behind = [times[0], times[1], "deviation", "work_group", "reason"];
    if let Some(name) = parameters.iter().find(|name| behind.contains(name)) {
        return Err(ExportError::Reserved { name: (*name).to_owned(), means: "is a column of every table" });
    }
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(parameters.iter().chain(&behind))?;
    for one in &report.next {
        let values = parameters.iter().map(|name| one.parameters.get(*name).map_or(String::new(), Value::to_string));
        writer.write_record(values.chain(cells(one)?))?;
    }
    let bytes = writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The cells behind the parameters.
fn cells(one: &SuggestedReport) -> Result<[String; 5], ExportError> {
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    let reason = serde_json::to_value(one.reason)?;
    Ok([
        number(one.predicted_ms.or(one.predicted_ticks)),
        number(one.corrected_ms.or(one.corrected_ticks)),
        one.deviation.to_string(),
        one.work_group.to_string(),
        reason.as_str().unwrap_or_default().to_owned(),
    ])
}

/// An object with `tune_params` and `restrictions`.
fn kernel_tuner(report: &SuggestReport, parameters: &[&str]) -> Result<String, ExportError> {
    if let Some(name) = parameters.iter().find(|name| is_reserved_in_kernel_tuner(name)) {
        let means = "is a word of Python, or taken by Kernel Tuner";
        return Err(ExportError::Reserved { name: (*name).to_owned(), means });
    }
    let values = |name: &&str| {
        let mut values: Vec<i64> =
            report.next.iter().filter_map(|one| one.parameters.get(*name).and_then(Value::as_i64)).collect();
        values.sort_unstable();
        values.dedup();
        ((*name).to_owned(), json!(values))
    };
    let tune_params: Map<String, Value> = parameters.iter().map(values).collect();
    let configurations: Vec<String> = report.next.iter().map(|one| tuple(one.parameters.values())).collect();
    let restriction = format!("{} in [{}]", tuple(parameters.iter()), configurations.join(", "));
    Ok(to_json(&json!({
        "kernel_name": report.kernel,
        "device_name": report.gpu,
        "problem_size": report.problem.values().collect::<Vec<_>>(),
        "tune_params": tune_params,
        "restrictions": [restriction],
    }))?)
}

/// The text of a Python tuple.
fn tuple(items: impl Iterator<Item = impl ToString>) -> String {
    let items: String = items.map(|item| item.to_string() + ", ").collect();
    format!("({})", items.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_python_tuple_of_one_has_its_comma() {
        assert_eq!((tuple(["a"].iter()), tuple([1, 2].iter())), ("(a,)".to_owned(), "(1, 2,)".to_owned()));
    }
}

//! `autotune export`: kept results in the forms of other programs.

use std::path::{Path, PathBuf};

use super::arguments::{self, ExportFormat, Pick};
use super::failure::Failure;
use super::{Status, output};
use crate::doubts::doubts;
use crate::export::{ExportError, FileFormat, Kept, export, failing_launches, fleet, only, recommended};
use crate::result::{FleetReport, FleetScenario, Report, RestrictionsReport};
use crate::{files, gpu};

/// The name of a batch's results in the batch's folder.
const RESULTS: &str = "results.json";
/// The most bytes of a file of results.
const LARGEST_FILE: u64 = 1024 * files::MIB;

pub(super) fn run(request: &arguments::Export) -> Result<Status, Failure> {
    let (mut results, mut fleets) = (Vec::new(), Vec::new());
    for path in &request.files {
        let kept = read(path)?;
        for left_out in &kept.left_out {
            output::note(&format!("left out: {}: {}", left_out.question, left_out.reason));
        }
        fleets.extend(kept.fleets.into_iter().filter(|report| is_about(report, request)));
        results.extend(kept.results.into_iter().filter(|report| is_chosen(report, request)));
    }
    if let Some(report) = fleets.pop() {
        if !fleets.is_empty() || !results.is_empty() {
            return Err(Failure::OneFleet(1 + fleets.len() + results.len()));
        }
        if request.pick == Pick::Recommended {
            return Err(ExportError::FleetRecommends.into());
        }
        let text = exported_fleet(&report, request.format)?;
        tell_launches(&failing_launches(&report));
        output::text(&text)?;
        return Ok(Status::Success);
    }
    if results.is_empty() {
        return Err(Failure::NothingToExport);
    }
    if request.pick == Pick::Recommended {
        results = recommended(results)?;
    }
    let text = exported(&results, request.format)?;
    if request.format == ExportFormat::File(FileFormat::T4) {
        tell_unranked(&results);
    }
    tell_name(request.format);
    for report in &results {
        tell_launches(&failing_launch(report, request.format));
    }
    output::text(&text)?;
    Ok(Status::Success)
}

/// Notes that Kernel Tuner needs a name that ends in `.json`, if standard output goes to a file with another name.
/// Kernel Tuner adds the ending to such a name, and does not find the file.
pub(super) fn tell_name(format: ExportFormat) {
    let is_json = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "json");
    if format == ExportFormat::File(FileFormat::KernelTuner)
        && let Some(file) = output::file().filter(|file| !is_json(file))
    {
        let file = file.display();
        output::note(&format!("Kernel Tuner takes a cache file only if its name ends in `.json`: rename `{file}`"));
    }
}

/// The GPU whose launch of an exported configuration may fail, in words; empty for a format of all configurations.
pub(super) fn failing_launch(report: &Report, format: ExportFormat) -> Vec<String> {
    let is_of_one = matches!(format, ExportFormat::File(format) if !format.holds_all_times());
    let why = report.may_not_launch.iter().filter(|_| is_of_one);
    why.map(|why| format!("may fail on {}: {why}", report.gpu)).collect()
}

/// Notes where launches may fail.
pub(super) fn tell_launches(lines: &[String]) {
    for line in lines {
        output::note(&format!("the launch {line}"));
    }
}

fn read(path: &Path) -> Result<Kept, Failure> {
    let (file, text) = if path == Path::new("-") {
        (path.to_owned(), files::text_of(std::io::stdin(), "standard input", LARGEST_FILE))
    } else if path.is_dir() {
        let file = path.join(RESULTS);
        let text = files::kept(&file, LARGEST_FILE).text();
        (file, text)
    } else {
        (path.to_owned(), files::named(path, LARGEST_FILE).text())
    };
    let text = text.map_err(|why| Failure::KeptFile { why })?;
    let kept = Kept::parse(&text).map_err(|why| Failure::Kept { path: file.clone(), why })?;
    for report in &kept.results {
        let contradictions: Vec<String> = doubts(report, None).iter().map(ToString::to_string).collect();
        if !contradictions.is_empty() {
            return Err(Failure::Contradictory { path: file, kernel: report.kernel.clone(), contradictions });
        }
    }
    Ok(kept)
}

fn is_chosen(report: &Report, request: &arguments::Export) -> bool {
    let has =
        |(name, value): &(String, i64)| report.problem.get(name).and_then(serde_json::Value::as_i64) == Some(*value);
    request.kernel.as_ref().is_none_or(|kernel| *kernel == report.kernel)
        && request.gpu.as_ref().is_none_or(|gpu| gpu.eq_ignore_ascii_case(&report.gpu))
        && request.sizes.iter().all(has)
}

/// True if the request is about a result about several scenarios: about its kernel, and about one of its scenarios.
fn is_about(report: &FleetReport, request: &arguments::Export) -> bool {
    let is_named = |scenario: &FleetScenario| {
        let has = |(name, value): &(String, i64)| {
            scenario.problem.get(name).and_then(serde_json::Value::as_i64) == Some(*value)
        };
        request.gpu.as_ref().is_none_or(|gpu| gpu.eq_ignore_ascii_case(&scenario.gpu)) && request.sizes.iter().all(has)
    };
    request.kernel.as_ref().is_none_or(|kernel| *kernel == report.kernel) && report.scenarios.iter().any(is_named)
}

/// Returns a result about several scenarios in a file format of another program.
pub(super) fn exported_fleet(report: &FleetReport, format: ExportFormat) -> Result<String, Failure> {
    match format {
        ExportFormat::File(format) => Ok(fleet(report, format)?),
        ExportFormat::Restrictions => Err(Failure::NotOfScenarios {
            option: "--format restrictions",
            scenarios: format!("{} scenarios", report.scenarios.len()),
        }),
    }
}

/// Notes the number of pruned configurations that are left out, since a result without `--rank` has no time of them.
fn tell_unranked(results: &[Report]) {
    let configurations = results.iter().flat_map(|report| &report.configurations);
    let unranked = configurations.filter(|one| one.ticks.is_none() && one.reason.is_none()).count();
    if unranked > 0 {
        output::note(&format!(
            "{unranked} pruned configurations are left out, whose times are not known: a result with `--rank`, or of a job list \
             with `rank: true`, has them"
        ));
    }
}

/// Returns results in a file format of another program.
pub(super) fn exported(results: &[Report], format: ExportFormat) -> Result<String, Failure> {
    match format {
        ExportFormat::File(format) => {
            Ok(export(results, format, |gpu| gpu::find(gpu).ok().map(|shipped| shipped.text.as_str()))?)
        }
        ExportFormat::Restrictions => {
            Ok(output::to_json(&RestrictionsReport::from_kept(only(results, "a file of restrictions")?)?)?)
        }
    }
}

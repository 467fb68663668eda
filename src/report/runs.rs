//! The table of measured runs, as a result states them.

use crate::compare::agreement::ranks;
use crate::compare::validation::{Compared, ComparedRun, Validation};
use crate::gpu::Profile;
use crate::result::{RunRow, RunTable};
use crate::spec::Spec;

/// The table of the runs of a validation.
#[must_use]
pub fn runs(spec: &Spec, profile: &Profile, gpu: &str, validation: &Validation) -> RunTable {
    let mut sizes: Vec<String> = Vec::new();
    for (name, _) in validation.compared.iter().flat_map(|compared| &compared.problem) {
        if !sizes.contains(name) {
            sizes.push(name.clone());
        }
    }
    let rows = validation.compared.iter().flat_map(|compared| rows(profile, &sizes, compared)).collect();
    let parameters = spec.parameters.iter().map(|parameter| parameter.name.clone());
    let names = sizes.into_iter().chain(parameters).collect();
    RunTable { kernel: spec.kernel.clone(), gpu: gpu.to_owned(), names, rows }
}

/// The rows of one problem size.
fn rows(profile: &Profile, sizes: &[String], compared: &Compared) -> Vec<RunRow> {
    let best = compared.runs.iter().filter_map(|run| run.milliseconds).reduce(f64::min).unwrap_or_default();
    let size = |name: &String| compared.problem.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
    let sizes: Vec<Option<i64>> = sizes.iter().map(size).collect();
    let (measured, predicted): (Vec<f64>, Vec<f64>) = compared.runs.iter().filter_map(both).unzip();
    let corrected: Vec<f64> = compared
        .runs
        .iter()
        .filter(|run| both(run).is_some())
        .map(|run| run.corrected.unwrap_or(f64::INFINITY))
        .collect();
    let mut corrected_ranks = ranks(&corrected).into_iter();
    let mut ranks = ranks(&measured).into_iter().zip(ranks(&predicted));
    let row = |run: &ComparedRun| RunRow {
        values: sizes.iter().copied().chain(run.configuration.0.iter().copied().map(Some)).collect(),
        measured: run.milliseconds.map(microseconds),
        fraction: run.milliseconds.map_or(0.0, |time| best / time),
        ranks: both(run).and_then(|_| ranks.next()).map(<[f64; 2]>::from),
        corrected_rank: both(run).and_then(|_| corrected_ranks.next()),
        load: run.load.clone(),
        microseconds: microseconds_of(profile, run),
    };
    compared.runs.iter().map(row).collect()
}

/// The measured time in milliseconds and the predicted time in ticks; `None` if a run lacks one.
fn both(run: &ComparedRun) -> Option<(f64, f64)> {
    let ticks = *run.load.as_ref().ok()?.ticks.as_ref().ok()?;
    Some((run.milliseconds?, ticks.to_f64()))
}

/// The predicted time in microseconds; `None` if it is not known, or without a clock.
fn microseconds_of(profile: &Profile, run: &ComparedRun) -> Option<f64> {
    let ticks = run.load.as_ref().ok()?.ticks.as_ref().ok()?;
    profile.microseconds(ticks.get())
}

/// Converts milliseconds to microseconds, to the nearest picosecond: a product with 1000 has digits that the
/// measurement does not have.
fn microseconds(milliseconds: f64) -> f64 {
    (milliseconds * 1e9).round() / 1e6
}

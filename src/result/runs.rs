//! The table of measured runs beside their predictions, which is written as CSV and never as JSON.

use autotune_engine::compare::agreement::ranks;
use autotune_engine::compare::validation::{Compared, ComparedRun, MachineLoad, Validation};
use autotune_lowering::gpu::Profile;
use autotune_lowering::spec::Spec;

/// The measured runs of a kernel beside the machine's predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct RunTable {
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The names of the problem sizes that the measurements state, then of the parameters.
    pub names: Vec<String>,
    /// The runs, by problem size in the order of the measurements.
    pub rows: Vec<RunRow>,
}

/// A measured run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRow {
    /// The values of the table's names; `None` for a problem size that is not stated for this run.
    pub values: Vec<Option<i64>>,
    /// The measured time in microseconds; `None` if the run failed.
    pub measured: Option<f64>,
    /// The least measured time of the problem size divided by this run's; 0 if the run failed.
    pub fraction: f64,
    /// The ranks of measured and predicted time, from 1, among the runs of this problem size that have both; ties have
    /// the mean of their ranks. `None` for the other runs.
    pub ranks: Option<[f64; 2]>,
    /// The rank of the corrected time after ten runs, among the same runs; `None` for the other runs.
    pub corrected_rank: Option<f64>,
    /// The load on the machine, or the rule that the configuration breaks.
    pub load: Result<MachineLoad, String>,
    /// The predicted time in microseconds; `None` if it is not known, or on a lockstep GPU, which does not have a clock.
    pub microseconds: Option<f64>,
}

impl RunTable {
    /// The table of the runs of a validation.
    #[must_use]
    pub fn new(spec: &Spec, profile: &Profile, gpu: &str, validation: &Validation) -> Self {
        let mut sizes: Vec<String> = Vec::new();
        for (name, _) in validation.compared.iter().flat_map(|compared| &compared.problem) {
            if !sizes.contains(name) {
                sizes.push(name.clone());
            }
        }
        let rows = validation.compared.iter().flat_map(|compared| rows(profile, &sizes, compared)).collect();
        let parameters = spec.parameters.iter().map(|parameter| parameter.name.clone());
        let names = sizes.into_iter().chain(parameters).collect();
        Self { kernel: spec.kernel.clone(), gpu: gpu.to_owned(), names, rows }
    }
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
        microseconds: run.load.as_ref().ok().and_then(|load| load.microseconds(profile)),
    };
    compared.runs.iter().map(row).collect()
}

/// The measured time in milliseconds and the predicted time in ticks; `None` if a run lacks one.
fn both(run: &ComparedRun) -> Option<(f64, f64)> {
    let ticks = *run.load.as_ref().ok()?.ticks.as_ref().ok()?;
    Some((run.milliseconds?, ticks.to_f64()))
}

/// Converts milliseconds to microseconds, to the nearest picosecond: a product with 1000 has digits that the
/// measurement does not have.
fn microseconds(milliseconds: f64) -> f64 {
    (milliseconds * 1e9).round() / 1e6
}

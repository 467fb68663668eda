//! Comma-separated values, with a line for each measured run beside its prediction.

use super::error::ExportError;
use crate::result::{RunRow, RunTable};
use autotune_engine::compare::validation::MachineLoad;

/// The columns before and after those of problem sizes and parameters.
const BEFORE: [&str; 2] = ["kernel", "gpu"];
const BEHIND: [&str; 27] = [
    "status",
    "reason",
    "measured_us",
    "predicted_us",
    "predicted_per_measured",
    "ticks",
    "waves_us",
    "fraction",
    "measured_rank",
    "predicted_rank",
    "corrected_rank",
    "limited_by",
    "busy_memory",
    "busy_local",
    "busy_dispatcher",
    "latency_share",
    "launches",
    "groups",
    "work_group",
    "warps_per_group",
    "resident_groups",
    "resident_limit",
    "resident_warps",
    "registers",
    "l1_bytes",
    "l2_bytes",
    "dram_bytes",
];

/// Returns true if a file that begins like this is a table of [`runs`].
#[must_use]
pub fn is_run_table(beginning: &str) -> bool {
    let header = beginning.lines().next().unwrap_or_default();
    header.starts_with("kernel,gpu,") && header.contains(",status,reason,measured_us,predicted_us,")
}

/// The text of a table of measured runs, with a header.
///
/// # Errors
/// If a parameter or problem size has the name of another column, or the table cannot be written.
pub fn runs(table: &RunTable) -> Result<String, ExportError> {
    if let Some(name) = table.names.iter().find(|name| BEFORE.iter().chain(&BEHIND).any(|column| column == name)) {
        return Err(ExportError::Reserved { name: name.clone(), means: "is a column of every table" });
    }
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(BEFORE.into_iter().chain(table.names.iter().map(String::as_str)).chain(BEHIND))?;
    for row in &table.rows {
        let values = row.values.iter().map(|value| shown(*value));
        let cells = [table.kernel.clone(), table.gpu.clone()].into_iter().chain(values).chain(cells(row));
        writer.write_record(cells.collect::<Vec<_>>())?;
    }
    let bytes = writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The cells of a run, in the order of the columns behind its values.
fn cells(row: &RunRow) -> [String; BEHIND.len()] {
    let (status, reason) = match &row.load {
        Err(reason) => ("infeasible", reason.clone()),
        Ok(MachineLoad { ticks: Err(reason), .. }) => ("unpredicted", reason.clone()),
        Ok(_) => ("ok", String::new()),
    };
    let load = row.load.as_ref().ok();
    let known = load.filter(|load| load.ticks.is_ok());
    let count = |of: fn(&MachineLoad) -> u64| shown(load.map(of));
    let share = |of: &dyn Fn(&MachineLoad) -> f64| known.map_or(String::new(), |load| format!("{:.4}", of(load)));
    let demand = load.and_then(|load| load.demand);
    [
        status.to_owned(),
        reason,
        shown(row.measured),
        shown(row.microseconds),
        row.microseconds.zip(row.measured).map_or(String::new(), |(time, measured)| format!("{:.4}", time / measured)),
        shown(known.and_then(|one| one.ticks.as_ref().ok())),
        shown(load.and_then(|one| one.waves)),
        format!("{:.4}", row.fraction),
        shown(row.ranks.map(|[measured, _]| measured)),
        shown(row.ranks.map(|[_, predicted]| predicted)),
        shown(row.corrected_rank),
        shown(known.and_then(|one| one.limited_by)),
        share(&|one| one.busy[0]),
        share(&|one| one.busy[1]),
        share(&|one| one.busy[2]),
        share(&|one| one.latency),
        count(|one| one.launches),
        count(|one| one.groups),
        count(|one| one.work_group),
        count(|one| one.warps_per_group),
        count(|one| one.resident_groups),
        shown(load.and_then(|one| one.resident_limit)),
        count(|one| one.resident_groups.saturating_mul(one.warps_per_group)),
        shown(demand.map(|one| one.registers)),
        shown(demand.map(|one| one.l1_bytes.round())),
        shown(demand.map(|one| one.l2_bytes.round())),
        shown(demand.map(|one| one.dram_bytes.round())),
    ]
}

fn shown(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

//! The native evaluator's times.

use std::fmt::Write;

use comfy_table::CellAlignment;

use super::refused;
use super::table::table;
use crate::result::{EvaluationReport, OccupancyReport, SchedulesReport};
use autotune_base::text::words::{grouped, label};

/// Returns the report as text, the fastest configuration first.
#[must_use]
pub fn to_text(report: &EvaluationReport) -> String {
    let mut rows: Vec<_> = report.configurations.iter().collect();
    rows.sort_by_key(|row| row.rank());
    let has_clock = rows.iter().any(|row| row.microseconds.is_some());
    let resident = if rows.iter().any(|row| row.occupancy.is_some()) { "resident" } else { "" };
    let clock = has_clock.then_some("microseconds");
    let has_orders = rows.iter().any(|row| row.schedules.is_some());
    let orders = if has_orders { &["least", "greatest"][..] } else { &[] };
    let header: Vec<&str> =
        ["configuration", "ticks"].into_iter().chain(orders.iter().copied()).chain(clock).chain([resident]).collect();
    let mut table = table(&header);
    if let Some(column) = table.column_iter_mut().last() {
        column.set_cell_alignment(CellAlignment::Left);
    }
    for row in rows {
        let ticks = row.ticks.map_or(String::new(), grouped);
        let clock = clock.map(|_| row.microseconds.map_or(String::new(), |time| format!("{time:.1}")));
        let occupancy = row.occupancy.map_or(String::new(), in_words);
        let unknown = row.unknown.as_ref().map(|reason| format!("not known: {reason}"));
        let last = unknown.or_else(|| row.reason.clone()).unwrap_or(occupancy);
        let orders = if has_orders { extremes(row.schedules.as_ref()) } else { Vec::new() };
        let cells = [label(&row.parameters), ticks].into_iter().chain(orders).chain(clock).chain([last]);
        table.add_row(cells.collect::<Vec<_>>());
    }
    let mut text = format!("{} on {}, by the native evaluator\n\n{}\n", report.kernel, report.gpu, table.trim_fmt());
    if let Some(omitted @ 1..) = report.omitted {
        let _ = writeln!(text, " and {omitted} more");
        if !report.refused.is_empty() {
            let _ = write!(text, "\n{}", refused::lines(&report.refused));
        }
    }
    text
}

/// Returns the least and the greatest time, or their bounds.
pub(super) fn extremes(schedules: Option<&SchedulesReport>) -> Vec<String> {
    let Some(SchedulesReport { least, greatest, open, .. }) = schedules else { return vec![String::new(); 2] };
    let (at_least, at_most) = if open.is_some() { (">= ", "<= ") } else { ("", "") };
    vec![format!("{at_least}{}", grouped(*least)), format!("{at_most}{}", grouped(*greatest))]
}

/// Returns the groups and warps that run at a time on a multiprocessor, and the limit that excludes more.
fn in_words(occupancy: OccupancyReport) -> String {
    let OccupancyReport { resident_groups, warps, limit, wave_groups, wave_warps } = occupancy;
    let fits = |number: u64| if wave_groups < resident_groups { format!(" of {number}") } else { String::new() };
    let plural = |number: u64| if number == 1 { "" } else { "s" };
    let groups = format!("{wave_groups}{} group{}", fits(resident_groups), plural(resident_groups));
    format!("{groups}, {wave_warps}{} warp{} ({limit})", fits(warps), plural(warps))
}

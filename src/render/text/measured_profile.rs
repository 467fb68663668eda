//! A GPU's own values, measured by micro-benchmarks.

use std::fmt::Write;

use crate::result::MeasuredProfileReport;

/// Returns the report as text. `file` is the profile's.
#[must_use]
pub fn to_text(report: &MeasuredProfileReport, file: &str) -> String {
    let MeasuredProfileReport { name, base, runs, launch_regression, core_clock_mhz, .. } = report;
    let mut text = format!("{name}, a variant of {base}: {} launches of three micro-benchmarks\n\n", runs.len());
    if let [first, .., last] | [first @ last] = launch_regression.as_slice() {
        let _ = writeln!(
            text,
            "launch      {:.2} us and {:.3} ns a group of {} warps, to {:.2} us and {:.3} ns a group of {}; at most {:.1} % off",
            first.fixed_us,
            1e3 * first.per_group_us,
            first.warps,
            last.fixed_us,
            1e3 * last.per_group_us,
            last.warps,
            100.0 * report.launch_deviation
        );
    }
    let [scattered, neighbours] = [report.latency_uncoalesced_cycles, report.latency_coalesced_cycles];
    let extra = report
        .latency_uncoalesced_extra_cycles
        .map_or_else(|| "left out: it takes no longer".to_owned(), |extra| format!("{extra:.0} cycles more"));
    let _ = writeln!(
        text,
        "latency     {scattered:.0} cycles of a load whose lanes are scattered, {neighbours:.0} of neighbours: {extra}"
    );
    let _ = writeln!(
        text,
        "bandwidth   {:.2} bytes a cycle of scattered loads, at {core_clock_mhz} MHz",
        report.uncoalesced_bandwidth_bytes_per_cycle
    );
    let _ = writeln!(text, "profile     {file}: `--gpu {file}` takes it");
    text
}

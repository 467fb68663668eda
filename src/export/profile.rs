//! A GPU profile with measured values, for `--gpu`.

use std::fmt::Write;

use crate::result::MeasuredProfileReport;

/// The column of the comments, which state where the values come from.
const COMMENT: usize = 50;

/// The beginning of a profile of measured values.
const BEGINNING: &str = "# Measured by `autotune measure --profile`, ";

/// True for the first bytes of a profile of measured values.
#[must_use]
pub fn is_measured_profile(text: &str) -> bool {
    text.starts_with(BEGINNING)
}

/// Returns the profile of measured values: a variant of its base.
#[must_use]
pub fn profile(report: &MeasuredProfileReport) -> String {
    let clock = number(report.core_clock_mhz);
    let cycles = |cycles: f64| format!("{cycles:.0}");
    let (scattered, neighbours) = (cycles(report.latency_uncoalesced_cycles), cycles(report.latency_coalesced_cycles));
    let extra = match report.latency_uncoalesced_extra_cycles {
        Some(extra) => (
            number(extra),
            format!(
                "measured: {scattered} cycles of lanes in lines of their own, {neighbours} of neighbours, at {clock} MHz"
            ),
        ),
        None => (
            "unknown".to_owned(),
            format!("measured: {scattered} cycles of lanes in lines of their own, and {neighbours} of neighbours"),
        ),
    };
    let bandwidth = (
        number(report.uncoalesced_bandwidth_bytes_per_cycle),
        format!("measured: bytes of sectors, each of a lane in a line of its own, at {clock} MHz"),
    );
    let launches =
        format!("measured: empty kernels; no time is more than {:.1} % from its line", 100.0 * report.launch_deviation);
    let mut text = format!("{BEGINNING}{} launches\n", report.runs.len());
    let mut line = |key: &str, value: &str, comment: &str| {
        let content = format!("{key}: {value}");
        let _ = writeln!(text, "{:<COMMENT$} # {comment}", content.trim_end());
    };
    line("name", &report.name, "this GPU");
    line("base", &report.base, "all other values");
    line("latency_uncoalesced_extra_cycles", &extra.0, &extra.1);
    line("uncoalesced_bandwidth_bytes_per_cycle", &bandwidth.0, &bandwidth.1);
    line("launch_regression", "", &launches);
    for launch in &report.launch_regression {
        let [per_group, fixed] = [launch.per_group_us, launch.fixed_us].map(number);
        let _ = writeln!(text, "  - {{ warps: {}, per_group_us: {per_group}, fixed_us: {fixed} }}", launch.warps);
    }
    text
}

/// A number with as many decimals as a profile may have, without zeros at the end.
fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

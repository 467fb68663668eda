//! The worst and the mean slowdown of an answer about several scenarios.

use std::fmt::Write;

use crate::render::scenarios::names;
use crate::result::{FleetReport, FleetWorst};
use autotune_base::text::words::{at_most, grouped};

/// The end of the line with the worst slowdown, the scenario of that slowdown, and the line of the mean.
pub(super) fn lines(report: &FleetReport, worst: &FleetWorst) -> String {
    let mut text = format!(
        "{} times the own optimum of each scenario, proved\n          worst on {}: {} / {}\n",
        at_most(worst.slowdown),
        names(report).0[worst.scenario],
        grouped(worst.numerator),
        grouped(worst.denominator),
    );
    if let Some(mean) = report.mean_slowdown {
        let _ = writeln!(text, "mean      {mean:.4} times, geometric, by weight");
    }
    text
}

//! Efficiencies.

use super::TO_USE;
use super::table::numbers;
use crate::result::{EfficiencyReport, RatedReport};
use autotune_base::text::words::label;
use autotune_lowering::models::efficiency::Efficiency;

/// Returns the report as text.
#[must_use]
pub fn to_text(report: &EfficiencyReport) -> String {
    let mut table = numbers(&["configuration", "R", "memory", "input", "output", "temporary", "loops", "branches"]);
    for RatedReport { parameters, efficiency } in &report.configurations {
        let Efficiency { r, memory, input, output, temporary, loops, branches } = efficiency;
        let factors = [r, memory, input, output, temporary, loops, branches].map(|factor| format!("{factor:.3}"));
        table.add_row([label(parameters)].into_iter().chain(factors).collect::<Vec<_>>());
    }
    format!("{} on {}: efficiency, K1 to K6\n\n{}\n\n{TO_USE}", report.kernel, report.gpu, table.trim_fmt())
}

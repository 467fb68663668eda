//! Times by the wave model.

use std::fmt::Write;

use super::TO_USE;
use super::table::table;
use crate::result::PredictionReport;
use autotune_base::text::words::label;
use autotune_lowering::models::predict::{Bottleneck, Levels, Wave, WavePrediction};

/// Returns the report as text.
#[must_use]
pub fn to_text(report: &PredictionReport) -> String {
    let mut text = format!("{} on {}, by the wave model\n\n", report.kernel, report.gpu);
    let mut rows = table(&["configuration", "microseconds", "bound by"]);
    for one in &report.configurations {
        rows.add_row([
            label(&one.parameters),
            format!("{:.2}", one.microseconds),
            one.bound.map_or("", Bottleneck::name).to_owned(),
        ]);
    }
    let _ = writeln!(text, "{}", rows.trim_fmt());
    let _ = write!(text, "\n{TO_USE}");
    if let Some(prediction) = &report.terms {
        text += &terms(prediction);
    }
    if !report.left_out.is_empty() {
        text += "\nleft out, as the profile lacks it\n";
    }
    for term in &report.left_out {
        let _ = writeln!(text, "  {}: {}", term.term(), term.why());
    }
    text
}

/// Returns the terms of one configuration's time.
fn terms(prediction: &WavePrediction) -> String {
    let WavePrediction { launches, launch, warp, waves, .. } = prediction;
    let mut text = format!(
        "\nlaunches  {launches}, each {:.2} microseconds for {} groups, then its waves; all below is in core cycles\n\
         warp      {:.0} for instructions, {:.0} for local memory, {:.0} for barriers, {} round trips to global memory; \
         delays {:.0}\n\n",
        launch.microseconds,
        launch.groups,
        warp.arithmetic_cycles,
        warp.local_cycles,
        warp.sync_cycles,
        short(warp.round_trips),
        warp.delay_cycles,
    );
    let mut rows =
        table(&["waves", "groups", "a load", "one warp", "all delays", "l1", "l2", "dram", "uncoal.", "cycles"]);
    for wave in waves {
        let Wave { count, groups, mean_latency_cycles, warp_cycles, delay_cycles, bandwidth_cycles, cycles, .. } = wave;
        let Levels { l1, l2, dram, uncoalesced } = bandwidth_cycles;
        let known =
            [l1, l2, dram, uncoalesced].map(|cycles| cycles.map_or("-".to_owned(), |cycles| format!("{cycles:.0}")));
        let all = [mean_latency_cycles, warp_cycles, delay_cycles].map(|cycles| format!("{cycles:.0}"));
        let begin = [count.to_string(), groups.to_string()];
        rows.add_row(begin.into_iter().chain(all).chain(known).chain([format!("{cycles:.0}")]).collect::<Vec<_>>());
    }
    let _ = writeln!(text, "{}", rows.trim_fmt());
    text
}

/// Returns a number with two decimals, or without decimals if it is whole.
fn short(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.2}") }
}

//! Times by the wave model (`schemas/prediction.json`).

use std::fmt::Write;

use serde::Serialize;

use super::TO_USE;
use super::result::Values;
use super::terminal::{label, table};
use crate::models::predict::{LeftOut, Levels, Wave, WavePrediction};
use crate::spec::{Configuration, Spec};

/// The predicted times of configurations.
#[derive(Debug, Serialize)]
pub struct PredictionReport {
    schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The feasible configurations, the fastest first.
    pub configurations: Vec<Predicted>,
    /// What the profile lacks, of what any of them needs.
    pub left_out: Vec<LeftOut>,
    /// The terms, where one configuration was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<WavePrediction>,
}

/// The time of one configuration.
#[derive(Debug, Serialize)]
pub struct Predicted {
    /// Its parameters.
    pub parameters: Values,
    /// Its time.
    pub microseconds: f64,
    /// The same in core cycles.
    pub cycles: f64,
    /// What decides the wave that takes longest.
    pub bound: &'static str,
}

impl PredictionReport {
    /// Of some configurations; with the terms of the fastest, if they are asked for.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, mut predictions: Vec<(Configuration, WavePrediction)>, terms: bool) -> Self {
        predictions.sort_by(|(_, one), (_, two)| one.microseconds.total_cmp(&two.microseconds));
        let mut left_out = Vec::new();
        for term in predictions.iter().flat_map(|(_, prediction)| &prediction.left_out) {
            if !left_out.contains(term) {
                left_out.push(*term);
            }
        }
        let configurations = predictions.iter().map(|(configuration, prediction)| Predicted {
            parameters: super::build::values(spec, configuration),
            microseconds: prediction.microseconds,
            cycles: prediction.cycles,
            bound: bound(prediction),
        });
        Self {
            schema: "autotune.prediction/1",
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            configurations: configurations.collect(),
            left_out,
            terms: predictions.into_iter().next().filter(|_| terms).map(|(_, prediction)| prediction),
        }
    }

    /// As text.
    #[must_use]
    pub fn for_people(&self) -> String {
        let mut text = format!("{} on {}, by the wave model\n\n", self.kernel, self.gpu);
        let mut rows = table(&["configuration", "microseconds", "bound by"]);
        for one in &self.configurations {
            rows.add_row([label(&one.parameters), format!("{:.2}", one.microseconds), one.bound.to_owned()]);
        }
        let _ = writeln!(text, "{}", rows.trim_fmt());
        let _ = write!(text, "\n{TO_USE}");
        if let Some(prediction) = &self.terms {
            text += &terms(prediction);
        }
        if !self.left_out.is_empty() {
            text += "\nleft out, as the profile lacks it\n";
        }
        for term in &self.left_out {
            let _ = writeln!(text, "  {}: {}", term.term(), term.why());
        }
        text
    }
}

/// What decides the wave that takes longest of those of a launch.
fn bound(prediction: &WavePrediction) -> &'static str {
    let longest = prediction.waves.iter().max_by(|one, two| one.cycles.total_cmp(&two.cycles));
    longest.map_or("", |wave| wave.bound.name())
}

/// What a time is made of.
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

/// With decimals only where there are some.
fn short(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.2}") }
}

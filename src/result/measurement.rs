//! Runs of a user's own benchmark (`schemas/measure.json`).

use serde::{Deserialize, Serialize};

use super::values::{Values, configuration, problem, values};
use super::{RunsOnModelReport, SuggestionQuestion};
use crate::measuring::{BestRuns, RepeatedRuns, SpaceStanding};
use autotune_lowering::spec::Spec;

/// The result of `autotune measure SPEC --gpu GPU --run COMMAND --format json`, which is also `results.json` of its
/// folder. On a GPU without a clock, predicted times are in ticks and their names end in `_ticks` in place of `_ms`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct MeasureReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = MeasureReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub problem: Values,
    /// The number of configurations that can run.
    pub feasible: usize,
    /// All runs, in their order.
    pub runs: Vec<MeasuredRunReport>,
    /// The best measured configuration; null if no run succeeded.
    pub best: Option<BestRunsReport>,
    /// The fastest configuration of all runs, if it is faster than `best` and some of its runs failed; else null. It cannot be
    /// confirmed.
    pub faster_with_failed_runs: Option<BestRunsReport>,
    /// The first configuration that was measured, the best by prediction; null if none was.
    pub first: Option<FirstPickReport>,
    /// The expected gain over the best measured time of the most promising configuration that was not measured; 1
    /// before a run succeeded.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub expected_gain: f64,
    /// The reason why no other configuration is measured.
    pub ended: MeasureEnd,
    /// The statements of the runs about the model.
    pub model: RunsOnModelReport,
}

impl MeasureReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.measure/2";

    /// The report of a measurement. `repeated` are the runs by their configurations.
    #[must_use]
    pub fn new(
        question: &SuggestionQuestion,
        standing: &SpaceStanding,
        repeated: &RepeatedRuns,
        runs: Vec<MeasuredRunReport>,
        ended: MeasureEnd,
    ) -> Self {
        let spec = question.spec;
        let best = repeated.best().map(|best| BestRunsReport::new(spec, &best));
        let faster = repeated.faster_with_failed_runs().map(|faster| BestRunsReport::new(spec, &faster));
        let first = runs.first().map(|first| FirstPickReport::new(spec, first, repeated, best.as_ref()));
        Self {
            schema: Self::SCHEMA,
            kernel: spec.kernel.clone(),
            gpu: question.gpu.to_owned(),
            problem: problem(spec),
            feasible: standing.feasible,
            runs,
            best,
            faster_with_failed_runs: faster,
            first,
            expected_gain: standing.expected_gain,
            ended,
            model: RunsOnModelReport::new(spec, &standing.notes),
        }
    }

    /// The names of the parameters, in the spec's order; empty without a run.
    pub fn parameters(&self) -> impl Iterator<Item = &String> {
        self.runs.first().into_iter().flat_map(|run| run.parameters.keys())
    }
}

/// A run of a configuration, or the build or check that the run needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct MeasuredRunReport {
    /// The number of the run, from 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub number: usize,
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The purpose of the run.
    pub purpose: RunPurpose,
    /// The predicted time in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub predicted_ms: Option<f64>,
    /// The predicted time in ticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub predicted_ticks: Option<f64>,
    /// The end of the run.
    pub status: RunStatus,
    /// The measured time in milliseconds; null if the run failed.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub time_ms: Option<f64>,
    /// The reason why the run failed; null if it did not.
    pub reason: Option<String>,
    /// The file in the folder that has the output of a run that failed; null if the run did not fail.
    pub output: Option<String>,
}

/// The purpose of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunPurpose {
    /// It was suggested.
    Suggested,
    /// It was among the best, and is measured again.
    Confirmed,
    /// Other runs had failed: one of a configuration that runs shows whether the device is there.
    Probe,
    /// It had failed, maybe by the device's fault, and is repeated when the measurement goes on.
    Repeated,
}

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It has a time.
    Ok,
    /// `--build` failed.
    BuildFailed,
    /// `--verify` failed.
    Wrong,
    /// `--run` failed.
    RunFailed,
    /// A command exceeded `--run-limit`.
    TimedOut,
    /// `--run` succeeded, and printed no time.
    NoTime,
}

/// The best measured configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct BestRunsReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The median of the times of its runs, in milliseconds.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub time_ms: f64,
    /// The number of its runs that succeeded.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub runs: usize,
    /// The number of its runs that failed.
    pub failed: usize,
    /// True if it was measured again, has three runs at least, and no other that was measured again is faster.
    pub confirmed: bool,
}

/// The first configuration that was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FirstPickReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The median of the times of its runs, in milliseconds; null if none succeeded.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub time_ms: Option<f64>,
    /// The best measured time divided by this one; null if no run of it succeeded.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub fraction: Option<f64>,
}

/// The reason why no other configuration is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MeasureEnd {
    /// As many were measured as `--runs` asks for.
    Runs,
    /// None is expected to be faster by `--until`.
    Until,
    /// All that can be suggested were measured.
    Space,
    /// A signal asked to stop.
    Interrupt,
    /// Configurations that ran before fail: the device may be gone.
    Device,
}

impl RunStatus {
    /// The status as tables show it.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::BuildFailed => "build failed",
            Self::Wrong => "wrong",
            Self::RunFailed => "run failed",
            Self::TimedOut => "timed out",
            Self::NoTime => "no time",
        }
    }
}

impl BestRunsReport {
    fn new(spec: &Spec, BestRuns { configuration, time, runs, failed, confirmed }: &BestRuns) -> Self {
        let parameters = values(spec, configuration);
        Self { parameters, time_ms: *time, runs: *runs, failed: *failed, confirmed: *confirmed }
    }
}

impl FirstPickReport {
    fn new(spec: &Spec, first: &MeasuredRunReport, repeated: &RepeatedRuns, best: Option<&BestRunsReport>) -> Self {
        let time_ms = repeated.median(&configuration(spec, &first.parameters));
        let fraction = time_ms.zip(best).map(|(time, best)| best.time_ms / time);
        Self { parameters: first.parameters.clone(), time_ms, fraction }
    }
}

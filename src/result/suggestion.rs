//! The next configurations to measure (`schemas/suggest.json`).

use serde::Serialize;

use super::values::{Values, problem, values};
use crate::measuring::{BestMeasured, ModelNotes, SpaceAdvice, Suggestion};
use autotune_lowering::gpu::Profile;
use autotune_lowering::spec::Spec;
use autotune_machine::correction::{ProposalReason, ValueResidual};

/// The question of a suggestion.
#[derive(Debug, Clone, Copy)]
pub struct SuggestionQuestion<'a> {
    /// The kernel.
    pub spec: &'a Spec,
    /// The GPU's profile.
    pub profile: &'a Profile,
    /// The GPU's name.
    pub gpu: &'a str,
    /// The expected gain that is worth another run, from 0 to 1: below it, the advice is to stop.
    pub until: f64,
}

/// The result of `autotune suggest SPEC --gpu GPU --measured FILE --format json`: the next configurations to measure. On
/// a GPU without a clock, times are in ticks and their names end in `_ticks` in place of `_ms`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SuggestReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = SuggestReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub problem: Values,
    /// The runs that are known.
    pub measured: KnownRunsReport,
    /// The configurations to measure next, the most promising first; empty if `stop` is true.
    pub next: Vec<SuggestedReport>,
    /// The expected gain of the next configuration over the best measured time t: the mean of max(0, 1 - time / t). It
    /// is 1 before a run succeeded.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub expected_gain: f64,
    /// True if no configuration that was not measured has an expected gain of `--until`.
    pub stop: bool,
    /// The number of further runs that are expected to be worth their time: on measured spaces, ten such runs gained `--until`
    /// in the mean. 20 stands for more as well; 0 if `stop` is true.
    #[cfg_attr(test, schemars(range(max = 20)))]
    pub worthwhile_runs: usize,
    /// The statements of the runs about the model.
    pub model: RunsOnModelReport,
}

impl SuggestReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.suggest/1";

    /// The report of a space's advice.
    #[must_use]
    pub fn new(question: &SuggestionQuestion, advice: SpaceAdvice) -> Self {
        let SpaceAdvice { runs, failed, best, next, expected_gain, stop, worthwhile_runs, notes } = advice;
        let best = best.map(|best| BestMeasuredReport::new(question, best));
        Self {
            schema: Self::SCHEMA,
            kernel: question.spec.kernel.clone(),
            gpu: question.gpu.to_owned(),
            problem: problem(question.spec),
            measured: KnownRunsReport { runs, failed, best },
            next: next.iter().map(|suggestion| SuggestedReport::new(question, suggestion)).collect(),
            expected_gain,
            stop,
            worthwhile_runs,
            model: RunsOnModelReport::new(question.spec, &notes),
        }
    }
}

/// The runs that correct the ranking.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct KnownRunsReport {
    /// The number of runs.
    pub runs: usize,
    /// The number of runs that failed.
    pub failed: usize,
    /// The configuration whose runs have the least median; null if no run succeeded.
    pub best: Option<BestMeasuredReport>,
}

/// The best measured configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct BestMeasuredReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The median of the times of its runs, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub time_ms: Option<f64>,
    /// The median of the times of its runs, in ticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub time_ticks: Option<f64>,
}

/// A configuration to measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SuggestedReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The number of work items of a group.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub work_group: u64,
    /// The predicted time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub predicted_ms: Option<f64>,
    /// The predicted time in ticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub predicted_ticks: Option<f64>,
    /// The predicted time in milliseconds after correction by the runs: the median of a log-normal distribution.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub corrected_ms: Option<f64>,
    /// The predicted time in ticks after correction by the runs: the median of a log-normal distribution.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub corrected_ticks: Option<f64>,
    /// The standard deviation of the corrected time, as a factor.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub deviation: f64,
    /// The reason for the suggestion.
    pub reason: ProposalReason,
}

/// The statements of runs on the model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct RunsOnModelReport {
    /// The median of measured divided by predicted time; null without a run that succeeded.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub scale: Option<f64>,
    /// Spearman's rho of predicted and measured times; null if either has a single value.
    #[cfg_attr(test, schemars(range(min = -1, max = 1)))]
    pub spearman: Option<f64>,
    /// The residuals by values of parameters, the greatest first. A parameter with a single value in the runs is left
    /// out.
    pub residuals: Vec<ResidualReport>,
}

/// The residual of the runs that have one value of a parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ResidualReport {
    /// The parameter's name.
    pub parameter: String,
    /// The value.
    pub value: i64,
    /// The median of measured divided by predicted time, in proportion to that of all runs: above 1 if these runs are
    /// slower than predicted.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub factor: f64,
    /// The number of runs that have the value and succeeded.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub runs: usize,
}

/// A time by its unit: in milliseconds and in ticks; one of them is `None`.
pub(super) type InUnits = [Option<f64>; 2];

impl SuggestionQuestion<'_> {
    /// True if a tick has a duration.
    pub(super) fn has_clock(&self) -> bool {
        self.profile.microseconds(1).is_some()
    }

    pub(super) fn in_units(&self, time: f64) -> InUnits {
        if self.has_clock() { [Some(time), None] } else { [None, Some(time)] }
    }
}

impl BestMeasuredReport {
    fn new(question: &SuggestionQuestion, BestMeasured { configuration, time }: BestMeasured) -> Self {
        let [time_ms, time_ticks] = question.in_units(time);
        Self { parameters: values(question.spec, &configuration), time_ms, time_ticks }
    }
}

impl SuggestedReport {
    fn new(question: &SuggestionQuestion, suggestion: &Suggestion) -> Self {
        let [predicted_ms, predicted_ticks] = question.in_units(suggestion.predicted);
        let [corrected_ms, corrected_ticks] = question.in_units(suggestion.corrected.time);
        Self {
            parameters: values(question.spec, &suggestion.configuration),
            work_group: suggestion.work_group,
            predicted_ms,
            predicted_ticks,
            corrected_ms,
            corrected_ticks,
            deviation: suggestion.corrected.deviation.exp(),
            reason: suggestion.reason,
        }
    }
}

impl RunsOnModelReport {
    /// The report of what runs say of the model.
    pub(super) fn new(spec: &Spec, ModelNotes { scale, spearman, residuals }: &ModelNotes) -> Self {
        Self { scale: *scale, spearman: *spearman, residuals: ResidualReport::by_value(spec, residuals) }
    }
}

impl ResidualReport {
    /// The residuals by values of parameters.
    pub(super) fn by_value(spec: &Spec, residuals: &[ValueResidual]) -> Vec<Self> {
        let residual = |residual: &ValueResidual| Self {
            parameter: spec.parameters[residual.parameter].name.clone(),
            value: residual.value,
            factor: residual.factor,
            runs: residual.runs,
        };
        residuals.iter().map(residual).collect()
    }
}

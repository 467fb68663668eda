//! The next configurations to measure, as a result states them.

use super::values::{problem, values};
use crate::correction::{ProposalReason, ValueResidual};
use crate::gpu::Profile;
use crate::measuring::{CorrectedSpace, ModelNotes, Suggestion};
use crate::result::{
    BestMeasuredReport, KnownRunsReport, RankedConfiguration, RankedReport, ResidualReport, RunsOnModelReport,
    ServeReply, ServedSpace, SuggestReport, SuggestedReport, SuggestionReason,
};
use crate::spec::Spec;

/// The question of a suggestion.
#[derive(Debug, Clone, Copy)]
pub struct SuggestionQuestion<'a> {
    /// The kernel.
    pub spec: &'a Spec,
    /// The GPU's profile.
    pub profile: &'a Profile,
    /// The GPU's name.
    pub gpu: &'a str,
    /// The greatest expected gain with which the advice is to stop, from 0 to 1.
    pub until: f64,
}

/// A time by its unit: in milliseconds and in ticks, of which one is `None`.
type InUnits = [Option<f64>; 2];

impl SuggestionQuestion<'_> {
    /// The report of the next configurations of a space, at most `count`.
    #[must_use]
    pub fn suggestion(&self, space: &mut CorrectedSpace, count: usize) -> SuggestReport {
        let next = space.next(count);
        let best = space.best();
        let best_time = best.as_ref().map_or(f64::INFINITY, |best| best.time);
        let expected_gain = next.first().map_or(0.0, |first| first.corrected.expected_gain(best_time));
        let stop = next.is_empty() || space.greatest_expected_gain() < self.until;
        let best = best.map(|best| {
            let [time_ms, time_ticks] = self.in_units(best.time);
            BestMeasuredReport { parameters: values(self.spec, &best.configuration), time_ms, time_ticks }
        });
        SuggestReport {
            schema: SuggestReport::SCHEMA,
            kernel: self.spec.kernel.clone(),
            gpu: self.gpu.to_owned(),
            problem: problem(self.spec),
            measured: KnownRunsReport { runs: space.runs(), failed: space.failed(), best },
            next: if stop { Vec::new() } else { next.iter().map(|one| self.suggested(one)).collect() },
            expected_gain,
            stop,
            model: self.model(&space.notes()),
        }
    }

    /// The report of a space before it is told a run.
    #[must_use]
    pub fn served(&self, space: &CorrectedSpace) -> ServedSpace {
        ServedSpace {
            schema: ServeReply::SCHEMA,
            kernel: self.spec.kernel.clone(),
            gpu: self.gpu.to_owned(),
            problem: problem(self.spec),
            parameters: self.spec.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
            unit: if self.has_clock() { "ms" } else { "ticks" },
            feasible: space.feasible(),
            candidates: space.ranked().count(),
        }
    }

    /// The report of the candidates with the best predictions, at most `count`.
    #[must_use]
    pub fn ranked(&self, space: &CorrectedSpace, count: usize) -> RankedReport {
        let ranked = space.ranked().take(count).map(|(configuration, predicted)| {
            let [predicted_ms, predicted_ticks] = self.in_units(predicted);
            RankedConfiguration { parameters: values(self.spec, configuration), predicted_ms, predicted_ticks }
        });
        RankedReport { ranked: ranked.collect() }
    }

    fn suggested(&self, suggestion: &Suggestion) -> SuggestedReport {
        let [predicted_ms, predicted_ticks] = self.in_units(suggestion.predicted);
        let [corrected_ms, corrected_ticks] = self.in_units(suggestion.corrected.time);
        SuggestedReport {
            parameters: values(self.spec, &suggestion.configuration),
            work_group: suggestion.work_group,
            predicted_ms,
            predicted_ticks,
            corrected_ms,
            corrected_ticks,
            deviation: suggestion.corrected.deviation.exp(),
            reason: match suggestion.reason {
                ProposalReason::First => SuggestionReason::First,
                ProposalReason::BestCorrected => SuggestionReason::BestCorrected,
                ProposalReason::Uncertain => SuggestionReason::Uncertain,
            },
        }
    }

    /// The report of what runs say of the model.
    pub(super) fn model(&self, notes: &ModelNotes) -> RunsOnModelReport {
        RunsOnModelReport {
            scale: notes.scale,
            spearman: notes.spearman,
            residuals: residuals(self.spec, &notes.residuals),
        }
    }

    /// True if a tick has a duration.
    fn has_clock(&self) -> bool {
        self.profile.microseconds(1).is_some()
    }

    fn in_units(&self, time: f64) -> InUnits {
        if self.has_clock() { [Some(time), None] } else { [None, Some(time)] }
    }
}

/// The residuals by values of parameters.
pub(super) fn residuals(spec: &Spec, residuals: &[ValueResidual]) -> Vec<ResidualReport> {
    let residual = |one: &ValueResidual| ResidualReport {
        parameter: spec.parameters[one.parameter].name.clone(),
        value: one.value,
        factor: one.factor,
        runs: one.runs,
    };
    residuals.iter().map(residual).collect()
}

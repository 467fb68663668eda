//! The feasible configurations of a space and their predicted times.

use std::collections::HashSet;

use super::error::MeasuringError;
use autotune_base::index::{EntryId, ProgramId};
use autotune_base::limits::Limits;
use autotune_engine::compare::opinion::{self, Least};
use autotune_engine::compare::{PredictedCost, Predictor};
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::Feasibility;
use autotune_lowering::models::predict::complete_time;
use autotune_lowering::space::{Case, Pruning, SpaceError, each, estimate, known_survey};
use autotune_lowering::spec::{Configuration, Spec};
use autotune_machine::correction::CANDIDATES;

/// A feasible configuration.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) configuration: Configuration,
    pub(super) work_group: u64,
    /// The predicted time in milliseconds, or in ticks on a GPU without a clock; `None` if it is not known.
    pub(super) predicted: Option<f64>,
    /// The wave model's time in microseconds; `None` where it lacks a term for what the configuration does.
    pub(super) waves: Option<f64>,
}

/// The feasible configurations of a space, in its order. The times of all that can be candidates are known.
pub(super) fn of_space(spec: &Spec, profile: &Profile, reader: &SourceReader) -> Result<Vec<Row>, MeasuringError> {
    let limits = Limits::default();
    // A survey without limits is never `None`.
    let survey = known_survey(spec, profile, reader, None, &limits)?.unwrap_or_default();
    let estimates = estimate(spec, &survey, Pruning::Best(CANDIDATES), &limits)?;
    let row = |(entry, program): (EntryId, ProgramId)| {
        let configuration = survey.entries.get(entry).configuration;
        let evaluation = estimates.evaluations[program];
        let predicted = evaluation.map(|evaluation| time(profile, evaluation.ticks));
        let work_group = survey.programs.get(program).work_group;
        Row { configuration, work_group, predicted, waves: survey.entries.waves(entry) }
    };
    let rows: Vec<Row> = survey.runnable().map(row).collect();
    if rows.is_empty() { Err(MeasuringError::NothingRuns(survey.why_nothing_runs())) } else { Ok(rows) }
}

/// The opinion of machine and wave model together about the rows of a space.
#[derive(Debug)]
pub(super) struct Together {
    least: Least,
    /// The row that neither of the two finds slow; `None` if no row has a predicted time.
    pub(super) recommended: Option<usize>,
}

impl Together {
    /// The opinion about these rows; `None` where the wave model lacks a term for a row.
    pub(super) fn of(rows: &[Row]) -> Option<Self> {
        let by_machine: Vec<Option<f64>> = rows.iter().map(|row| row.predicted).collect();
        let by_waves: Vec<Option<f64>> = rows.iter().map(|row| row.waves).collect();
        by_waves.iter().all(Option::is_some).then(|| Self {
            least: Least::of(&by_machine, &by_waves),
            recommended: opinion::recommended(&opinion::opinions(&by_machine, &by_waves), &by_machine),
        })
    }

    /// The time that both expect a row to take, in the unit of its predicted time; `None` without a predicted time.
    pub(super) fn expected(&self, row: &Row) -> Option<f64> {
        Some(self.least.expected(row.predicted?, row.waves?))
    }
}

/// The feasible ones of some configurations, each once, in their order.
pub(super) fn among(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    configurations: &[Configuration],
) -> Result<Vec<Row>, MeasuringError> {
    let mut seen = HashSet::new();
    let different: Vec<Configuration> = configurations.iter().filter(|one| seen.insert(*one)).cloned().collect();
    let (mut rows, mut refusal) = (Vec::new(), None);
    for row in asked(spec, profile, reader, &different)? {
        match row {
            Ok(row) => rows.push(row),
            Err(reason) => refusal = refusal.or(Some(reason)),
        }
    }
    if rows.is_empty() { Err(MeasuringError::NothingRuns(refusal.unwrap_or_default())) } else { Ok(rows) }
}

/// The row of each configuration, or the reason why it cannot run.
pub(super) fn asked(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    configurations: &[Configuration],
) -> Result<Vec<Result<Row, String>>, SpaceError> {
    let ask = |case: &Case| {
        let ticks = Predictor::Machine.predict(case).ok().and_then(PredictedCost::ticks);
        let predicted = ticks.map(|ticks| time(profile, ticks.get()));
        let waves = complete_time(profile, case.lowered);
        Row { configuration: case.configuration.clone(), work_group: case.lowered.work_group, predicted, waves }
    };
    let answer = |answer| match answer {
        Feasibility::Feasible(row) => Ok(row),
        Feasibility::Infeasible(reason) => Err(reason),
    };
    Ok(each(spec, profile, reader, configurations, ask)?.into_iter().map(answer).collect())
}

/// A time in milliseconds, or in ticks on a GPU without a clock.
#[expect(clippy::cast_precision_loss, reason = "for statistics, 53 bits are plenty")]
fn time(profile: &Profile, ticks: u64) -> f64 {
    profile.microseconds(ticks).map_or(ticks as f64, |microseconds| microseconds / 1e3)
}

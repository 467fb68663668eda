//! The runs of a user's own benchmark, as a result states them.

use super::suggestion::SuggestionQuestion;
use super::values::{configuration, problem, values};
use crate::measuring::{CorrectedSpace, RepeatedRuns};
use crate::result::{BestRunsReport, FirstPickReport, MeasureEnd, MeasureReport, MeasuredRunReport};

/// The report of a measurement. `repeated` are the runs by their configurations.
#[must_use]
pub fn measurement(
    question: &SuggestionQuestion,
    space: &mut CorrectedSpace,
    repeated: &RepeatedRuns,
    runs: Vec<MeasuredRunReport>,
    ended: MeasureEnd,
) -> MeasureReport {
    let best = repeated.best().map(|best| BestRunsReport {
        parameters: values(question.spec, &best.configuration),
        time_ms: best.time,
        runs: best.runs,
        confirmed: best.confirmed,
    });
    let first = runs.first().map(|first| {
        let time_ms = repeated.median(&configuration(question.spec, &first.parameters));
        let fraction = time_ms.zip(best.as_ref()).map(|(time, best)| best.time_ms / time);
        FirstPickReport { parameters: first.parameters.clone(), time_ms, fraction }
    });
    MeasureReport {
        schema: MeasureReport::SCHEMA,
        kernel: question.spec.kernel.clone(),
        gpu: question.gpu.to_owned(),
        problem: problem(question.spec),
        feasible: space.feasible(),
        runs,
        best,
        first,
        expected_gain: space.greatest_expected_gain(),
        ended,
        model: question.model(&space.notes()),
    }
}

//! The max-plus models beside a proof, as part of a result.

use super::values::values;
use crate::compare::cross_check::CrossCheck;
use crate::result::{AnalysisReport, TauReport, WinnerReport};
use crate::space::Survey;
use crate::spec::Spec;

/// The report of the max-plus models beside a proof. `compared` holds their rankings of the survey's configurations.
#[must_use]
pub fn analysis(spec: &Spec, survey: &Survey, compared: &CrossCheck) -> AnalysisReport {
    let winner = compared.winner;
    let [max_plus_naive, max_plus_operations, max_plus_serialized] = compared.kendall_tau;
    AnalysisReport {
        max_plus: compared.times,
        kendall_tau: TauReport { max_plus_naive, max_plus_operations, max_plus_serialized },
        of: compared.of,
        winner: WinnerReport {
            model: winner.model.name().to_owned(),
            parameters: values(spec, &survey.entries[winner.entry].configuration),
            equals: winner.equals,
            ticks: winner.ticks,
        },
    }
}

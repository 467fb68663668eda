//! The max-plus models beside a proof, as a result states them.

use serde_json::Value;

use super::values;
use crate::analysis::cross_check::CrossCheck;
use crate::maxplus::Model;
use crate::result::{AnalysisReport, WinnerReport};
use crate::spec::Spec;

/// As a result tells it.
#[must_use]
pub fn new(spec: &Spec, survey: &Survey, compared: &CrossCheck) -> Self {
    let winner = compared.winner;
    let names = Model::ALL.into_iter().map(|model| model.name().to_owned());
    Self {
        max_plus: compared.times,
        kendall_tau: names.zip(compared.kendall_tau.map(Value::from)).collect(),
        of: compared.of,
        winner: WinnerReport {
            model: winner.model.name().to_owned(),
            parameters: values(spec, &survey.entries[winner.entry].configuration),
            equals: winner.equals,
            ticks: winner.ticks,
        },
    }
}

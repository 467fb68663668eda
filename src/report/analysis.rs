//! What formulas say, as a part of a result.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::build::values;
use crate::compare::cross_check::CrossCheck;
use crate::models::maxplus::{Times, Variant};
use crate::space::Survey;
use crate::spec::Spec;

/// The max-plus models beside a proof.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AnalysisReport {
    /// What they say of the optimum.
    pub max_plus: Times,
    /// Each model's rank correlation with the machine.
    pub kendall_tau: Map<String, Value>,
    /// Over so many configurations.
    pub of: usize,
    /// The first choice of the model that agrees best.
    pub winner: WinnerReport,
}

/// A model's first choice.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WinnerReport {
    /// Whose.
    pub model: String,
    /// Its parameters.
    pub parameters: Map<String, Value>,
    /// How many others it puts first too.
    pub equals: usize,
    /// Its native time.
    pub ticks: Option<u64>,
}

impl AnalysisReport {
    /// As a result tells it.
    #[must_use]
    pub fn new(spec: &Spec, survey: &Survey, compared: &CrossCheck) -> Self {
        let winner = compared.winner;
        let names = Variant::ALL.into_iter().map(|model| model.name().to_owned());
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
}

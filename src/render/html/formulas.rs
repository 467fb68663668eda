//! The section of the analytical models.

use serde::Serialize;

use super::quotient;
use crate::render::first_choice::first_choice;
use crate::result::{AnalysisReport, ModelOpinion, Optimum};
use autotune_base::text::words::grouped;

/// The data of the section.
#[derive(Serialize)]
pub(super) struct Formulas {
    summary: String,
    of: String,
    models: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    ticks: String,
    share: String,
    tau: String,
}

impl Formulas {
    pub(super) fn new(analysis: &AnalysisReport, optimum: &Optimum) -> Self {
        let row = |ModelOpinion { name, ticks, tau }: ModelOpinion| {
            let share = u64::try_from(ticks).map(|ticks| quotient(ticks, optimum.ticks));
            Row {
                name,
                ticks: grouped(ticks),
                share: share.map_or(String::new(), |share| format!("{share:.2}")),
                tau: tau.map_or("none".to_owned(), |tau| format!("{tau:.2}")),
            }
        };
        Self {
            summary: summary(analysis, optimum),
            of: grouped(analysis.of as u64),
            models: analysis.opinions().map(row).into(),
        }
    }
}

/// A sentence about the first choice of the model that agrees best with the machine.
fn summary(analysis: &AnalysisReport, optimum: &Optimum) -> String {
    let winner = &analysis.winner;
    let choice = first_choice(winner, optimum.ticks);
    format!("{} agrees best with the machine; it puts first {choice}.", winner.model)
}

//! The section of the near ties, and of the choice among them.

use serde::Serialize;

use super::counted;
use crate::result::{NearReport, Report, SensitivityReport, WithinReport};
use autotune_base::text::words::{grouped, label};
use autotune_engine::compare::expected::Expected;

/// The data of the section.
#[derive(Serialize)]
pub(super) struct Near {
    choice: Option<String>,
    reason: String,
    /// The sentence about the preference that chose the optimum itself; `None` if no preference did.
    confirmation: Option<String>,
    within: Vec<Row>,
    not_evaluated: Option<String>,
    recommended: Option<String>,
    stays: Option<String>,
    expected: Option<String>,
}

#[derive(Serialize)]
struct Row {
    percent: String,
    configurations: String,
    common: String,
}

impl Near {
    /// Returns the section; `None` if the result has no optimum or no near ties.
    pub(super) fn new(report: &Report) -> Option<Self> {
        let (near, optimum): (&NearReport, _) = (report.near.as_ref()?, report.optimum.as_ref()?);
        Some(Self {
            choice: near.chosen.as_ref().map(|choice| label(&choice.parameters)),
            reason: near.chosen.as_ref().map_or(String::new(), |choice| near.reason(choice, optimum.ticks)),
            confirmation: near.confirmation(),
            within: near.within.iter().map(row).collect(),
            not_evaluated: (near.not_evaluated > 0).then(|| counted(near.not_evaluated as u64, "more configuration")),
            recommended: report.recommended.as_ref().map(|found| {
                let words = found.in_words(&optimum.parameters, optimum.ticks);
                found.without().map_or(words.clone(), |without| format!("{words}, {without}"))
            }),
            stays: report.sensitivity.as_ref().map(SensitivityReport::in_words),
            expected: report.expected.as_ref().map(Expected::in_words),
        })
    }
}

fn row(within: &WithinReport) -> Row {
    let is_alone = within.configurations == 1;
    Row {
        percent: within.percent.to_string(),
        configurations: grouped(within.configurations as u64),
        common: if is_alone { "the optimum alone".to_owned() } else { within.in_words() },
    }
}

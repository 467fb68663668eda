//! The configurations that a result lists, each with its status.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::result::values::{Values, values};
use autotune_base::index::{EntryId, ProgramId};
use autotune_base::ticks::Ticks;
use autotune_engine::proof::{Answer, Finding, Question};
use autotune_lowering::lowering::Infeasible;
use autotune_lowering::space::{ConfigurationStatus, Entry, LISTED, Survey};

/// The configurations that a result lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Listing {
    /// All configurations of a space of up to 10,000; of a larger space the optimum, its ties and the configurations
    /// that SPIN searched.
    Searched,
    /// All configurations; of a larger space without those that a constraint excludes.
    All,
}

/// A configuration and its status.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ConfigurationReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The part of the configuration in the proof. `checked`: SPIN searched it, or would have if the verdict is
    /// `best_effort`.
    pub status: ListedStatus,
    /// The time by the native evaluator in ticks, which is proved for the optimum. Absent if the configuration cannot
    /// run or was not evaluated, or if it was pruned and not ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks: Option<Ticks>,
    /// The lower bound of the time of a pruned configuration, in ticks; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Ticks>,
    /// The argument that shows the bound; absent without a bound.
    #[cfg_attr(test, schemars(extend("enum" = autotune_machine::machine::By::names())))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The first configuration with the same program; absent if this is the first, or cannot run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<crate::result::values::Integers>"))]
    pub same_as: Option<Values>,
    /// The rule that the configuration breaks; absent if it can run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Infeasible>,
}

/// The status of a configuration in a result's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ListedStatus {
    /// The optimum, or a configuration that takes the same time.
    Optimum,
    /// A configuration that SPIN searched, or would have searched if nothing is proved.
    Checked,
    /// A configuration with the program of an earlier one that SPIN searched or would have searched.
    Equal,
    /// A configuration that SPIN need not search, because a lower bound excludes it.
    Pruned,
    /// A configuration that cannot run.
    Infeasible,
    /// A configuration that may or may not run: `unknown` has the reason why this is not known.
    Unknown,
}

impl fmt::Display for ListedStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Optimum => "optimum",
            Self::Checked => "checked",
            Self::Equal => "equal",
            Self::Pruned => "pruned",
            Self::Infeasible => "infeasible",
            Self::Unknown => "unknown",
        })
    }
}

/// The list of an answer's configurations.
pub(super) struct List<'a> {
    question: &'a Question<'a>,
    answer: &'a Answer,
    survey: &'a Survey,
    ties: &'a [ProgramId],
}

impl<'a> List<'a> {
    /// The listed configurations of an answer; empty if its survey was cut short.
    pub(super) fn of_answer(
        question: &'a Question<'a>,
        answer: &'a Answer,
        listing: Listing,
    ) -> Vec<ConfigurationReport> {
        let Some(survey) = answer.survey.as_ref().filter(|survey| survey.cut_short.is_none()) else {
            return Vec::new();
        };
        let ties = match &answer.finding {
            Finding::Proved { proof, .. } => proof.ties.as_slice(),
            _ => &[],
        };
        let list = Self { question, answer, survey, ties };
        let each = survey.entries.keys().map(|number| list.configuration(number, &survey.entries.get(number)));
        if survey.all <= LISTED || listing == Listing::All {
            return each.collect();
        }
        if answer.estimates.stopped {
            // SPIN searched none of them.
            return Vec::new();
        }
        each.filter(|listed| matches!(listed.status, ListedStatus::Optimum | ListedStatus::Checked)).collect()
    }

    fn configuration(&self, number: EntryId, entry: &Entry) -> ConfigurationReport {
        let spec = self.question.spec;
        let mut report = ConfigurationReport {
            parameters: values(spec, &entry.configuration),
            status: ListedStatus::Infeasible,
            ticks: None,
            bound: None,
            by: None,
            same_as: None,
            reason: None,
        };
        let program = match &entry.status {
            ConfigurationStatus::Program(program) => *program,
            ConfigurationStatus::Infeasible(reason) => {
                return ConfigurationReport { reason: Some(Infeasible::clone(reason)), ..report };
            }
            ConfigurationStatus::Unknown(_) => return ConfigurationReport { status: ListedStatus::Unknown, ..report },
        };
        let estimates = &self.answer.estimates;
        let first = self.survey.programs.entry(program);
        report.ticks = estimates.evaluations.get(program).copied().flatten().map(|evaluation| evaluation.ticks.into());
        report.same_as = (first != number).then(|| values(spec, &self.survey.entries.get(first).configuration));
        report.status = if self.ties.binary_search(&program).is_ok() {
            ListedStatus::Optimum
        } else if estimates.searched.binary_search(&program).is_err() {
            let bound = estimates.bounds.get(program);
            report.bound = bound.map(|bound| bound.ticks.into());
            report.by = bound.map(|bound| bound.by.to_string());
            report.ticks = report.ticks.filter(|_| self.question.rank);
            ListedStatus::Pruned
        } else if first == number {
            ListedStatus::Checked
        } else {
            ListedStatus::Equal
        };
        report
    }
}

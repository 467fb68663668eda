//! The effect of a change on a kernel: exact counts by line and predicted times of two kernels, side by side.
//!
//! ```text
//! old kernel ─▶ side: optimum, counts ─┐
//!                                      ├─▶ pairs: lines matched by their texts ─▶ judge, slower: findings
//! new kernel ─▶ side: optimum, counts ─┘
//! ```

mod choice;
mod counts;
mod description;
mod error;
mod finding;
mod judge;
mod lines;
mod pairs;
mod precision;
mod side;
mod slower;
mod texts;

use rayon::prelude::*;

use crate::proof::Percent;
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;

use finding::DifferenceFinding as Finding;
use judge::Judged;
use side::Side;
use texts::{ComparedTexts, KernelTexts};

use choice::{Chosen, chosen};
pub use choice::{ChosenConfigurations, ComparedRole};
pub use counts::{AccessCounts, KernelCounts, LineAmounts, LineCounts};
pub use description::{DescriptionChange, Descriptions, StatingLine, share_inferred_values};
pub use error::{DifferenceError, SideName};
pub use finding::{ComparedCount, DifferenceFinding, DifferenceKind};
pub use lines::MatchedLines;
pub use pairs::ChangedLine;
pub use precision::{MeasuredPairs, PredictionPrecision, measured_pairs};
pub use side::{ComparedKernel, CountOutcome};
pub use texts::LinePlace;

/// Two kernels on one GPU, compared.
#[derive(Debug)]
pub struct KernelDifference {
    /// The optimum of each kernel by the native evaluator, not proved; `None` if nobody asked for the optima.
    pub optima: Option<ComparedOptima>,
    /// The compared configurations.
    pub configurations: Vec<ComparedConfiguration>,
}

impl KernelDifference {
    /// The reason why neither kernel can run with any compared configuration; `None` if one of them can.
    #[must_use]
    pub fn why_nothing_runs(&self) -> Option<String> {
        let of_one = |one: &ComparedConfiguration| match (&one.old, &one.new) {
            (CountOutcome::Counted(_), _) | (_, CountOutcome::Counted(_)) => None,
            (_, CountOutcome::Refused(why) | CountOutcome::Foreign(why)) => Some(why.clone()),
        };
        let mut reasons = self.configurations.iter().map(of_one);
        match reasons.next() {
            None => Some("no configuration of either kernel is feasible".to_owned()),
            Some(first) => first.filter(|_| reasons.all(|reason| reason.is_some())),
        }
    }
}

/// The optima of both kernels.
#[derive(Debug)]
pub struct ComparedOptima {
    /// The values of the old optimum's parameters and its time in ticks; `None` if no configuration can run.
    pub old: Option<(Vec<(String, i64)>, Ticks)>,
    /// The values of the new optimum's parameters and its time in ticks; `None` if no configuration can run.
    pub new: Option<(Vec<(String, i64)>, Ticks)>,
    /// The judgement of the times; `None` if they are within the threshold, or one is not known.
    pub finding: Option<DifferenceFinding>,
}

/// A configuration of both kernels.
#[derive(Debug)]
pub struct ComparedConfiguration {
    /// The values of the parameters.
    pub values: Vec<(String, i64)>,
    /// The reasons why the configuration is compared.
    pub roles: Vec<ComparedRole>,
    /// The old kernel's counts.
    pub old: CountOutcome,
    /// The new kernel's counts.
    pub new: CountOutcome,
    /// The lines with a count that differs; empty if one kernel cannot run.
    pub lines: Vec<ChangedLine>,
    /// The findings, the worst first.
    pub findings: Vec<DifferenceFinding>,
}

/// Compares two kernels on one GPU.
///
/// # Errors
/// If a configuration cannot be lowered, or an optimum cannot be found.
pub fn compare(
    old: &ComparedKernel<'_>,
    new: &ComparedKernel<'_>,
    which: &ChosenConfigurations,
    threshold: Percent,
    limits: &Limits,
) -> Result<KernelDifference, DifferenceError> {
    let (old, new) = (Side::new(SideName::Old, old), Side::new(SideName::New, new));
    let Chosen { optima, configurations } = chosen(&old, &new, which, limits)?;
    let comparison = Comparison { old: &old, new: &new, threshold };
    let configurations = configurations.into_par_iter().map(|(values, roles)| comparison.configuration(values, roles));
    let configurations = configurations.collect::<Result<Vec<_>, _>>()?;
    let optima = optima.map(|[old, new]| comparison.optima(old, new, &configurations));
    Ok(KernelDifference { optima, configurations })
}

struct Comparison<'a> {
    old: &'a Side<'a>,
    new: &'a Side<'a>,
    threshold: Percent,
}

type KnownOptimum = Option<(Vec<(String, i64)>, Ticks)>;

impl Comparison<'_> {
    fn optima(&self, old: KnownOptimum, new: KnownOptimum, compared: &[ComparedConfiguration]) -> ComparedOptima {
        let finding = || {
            let ((old_values, before), (new_values, after)) = old.as_ref().zip(new.as_ref())?;
            let kind = slower::kind(*before, *after, self.threshold)?;
            // At one configuration the same is said there, with the line.
            if old_values == new_values {
                return None;
            }
            let is_of_time = |one: &&Finding| one.kind == kind && one.count == ComparedCount::Time;
            let place = compared.iter().flat_map(|one| &one.findings).find(is_of_time);
            let place = place.and_then(|finding| finding.place.clone());
            Some(slower::finding(self.new, kind, [*before, *after], place, "at each kernel's optimum "))
        };
        let finding = finding();
        ComparedOptima { old, new, finding }
    }

    fn configuration(
        &self,
        values: Vec<(String, i64)>,
        roles: Vec<ComparedRole>,
    ) -> Result<ComparedConfiguration, DifferenceError> {
        let outcome = |side: &Side<'_>| match side.configuration(&values) {
            Ok(configuration) => side.counts(&configuration),
            Err(outcome) => Ok(outcome),
        };
        let (old, new) = (outcome(self.old)?, outcome(self.new)?);
        let (lines, findings) = match (&old, &new) {
            (CountOutcome::Counted(before), CountOutcome::Counted(after)) => self.counted(&values, before, after),
            _ => (Vec::new(), feasibility(&old, &new).into_iter().collect()),
        };
        Ok(ComparedConfiguration { values, roles, old, new, lines, findings })
    }

    fn counted(
        &self,
        values: &[(String, i64)],
        old: &KernelCounts,
        new: &KernelCounts,
    ) -> (Vec<ChangedLine>, Vec<Finding>) {
        let read = |side: &Side<'_>, counts| KernelTexts::read(side.kernel, counts);
        let texts = ComparedTexts::new(read(self.old, old), read(self.new, new));
        let mut lines = pairs::lines(old, new, &texts);
        let mut findings = Judged { old, new, lines: &lines, changed: texts.first_change(new) }.findings();
        findings.extend(self.time(values, [old, new], &texts));
        findings.sort_by_key(|finding| finding.kind);
        lines.retain(ChangedLine::differs);
        (lines, findings)
    }

    fn time(
        &self,
        values: &[(String, i64)],
        [old, new]: [&KernelCounts; 2],
        texts: &ComparedTexts,
    ) -> Option<DifferenceFinding> {
        let (before, after) = (old.ticks?, new.ticks?);
        let kind = slower::kind(before, after, self.threshold)?;
        let place = if kind == DifferenceKind::Slower {
            let (one, other) = (self.old.configuration(values).ok()?, self.new.configuration(values).ok()?);
            slower::longest_growth((self.old, &one), (self.new, &other), texts)
        } else {
            None
        };
        Some(slower::finding(self.new, kind, [before, after], place, ""))
    }
}

/// The finding about a configuration that only one of the kernels can run with; `None` if neither can, or the parameters
/// differ.
fn feasibility(old: &CountOutcome, new: &CountOutcome) -> Option<DifferenceFinding> {
    let (kind, message) = match (old, new) {
        (CountOutcome::Counted(_), CountOutcome::Refused(why)) => {
            (DifferenceKind::Worse, format!("the new kernel cannot run: {why}"))
        }
        (CountOutcome::Refused(why), CountOutcome::Counted(_)) => {
            (DifferenceKind::Better, format!("the old kernel cannot run: {why}"))
        }
        _ => return None,
    };
    let count = ComparedCount::Feasibility;
    Some(DifferenceFinding { kind, count, place: None, old_place: None, old: None, new: None, message })
}

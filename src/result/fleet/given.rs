//! The parts that a result about several scenarios is made from.

use super::FleetLaunch;
use crate::result::tuning::{Report, Verdict};
use crate::result::values::values;
use autotune_base::ticks::Ticks;
use autotune_engine::compare::fleet::{Choice, CommonSpace, Exclusions, Slowdown, UnionSpace, VariantChoice, rounded};
use autotune_engine::explain::may_not_launch;
use autotune_engine::proof::{Question, StopReason};
use autotune_lowering::spec::{Configuration, Spec};

/// The proofs of a scenario beside that of its own optimum.
#[derive(Debug)]
pub struct ScenarioProofs {
    /// The answer about the configurations of least worst slowdown, each run to completion.
    pub best: Report,
    /// The answer about the configurations that are assigned to the scenario; `None` if there are none.
    pub others: Option<Report>,
}

/// The parts of a result about several scenarios, as far as they are known.
#[derive(Debug)]
pub struct FleetParts<'a> {
    /// The questions of the scenarios.
    pub questions: &'a [Question<'a>],
    /// Their weights.
    pub weights: &'a [u32],
    /// The answers about the scenarios' own optima.
    pub optima: &'a [Report],
    /// The common space; `None` if a limit was reached first.
    pub common: Option<&'a CommonSpace<'a>>,
    /// The configurations that each scenario excludes; `None` unless the common space is empty.
    pub exclusions: Option<&'a Exclusions>,
    /// The choice in the common space; `None` if a limit was reached first, or the space is empty.
    pub choice: Option<&'a Choice>,
    /// The proofs of the scenarios that were made.
    pub proofs: &'a [ScenarioProofs],
    /// The variants, if the question allows several; `common` and `choice` are `None` then.
    pub variants: Option<VariantParts<'a>>,
    /// The limit that was reached, and a sentence with its circumstances.
    pub stopped: Option<(String, String)>,
}

/// The variants of a question that asks for several, as far as they are known.
#[derive(Debug)]
pub struct VariantParts<'a> {
    /// The most variants that the question allows.
    pub most: usize,
    /// The union of the scenarios' spaces; `None` if a limit was reached first.
    pub union: Option<&'a UnionSpace<'a>>,
    /// The choice; `None` if a limit was reached first, or there is none.
    pub choice: Option<&'a VariantChoice>,
}

impl FleetParts<'_> {
    /// The optima of the scenarios' own spaces, as far as they are proved; those of the native evaluator where nothing can be
    /// proved.
    #[must_use]
    pub fn ticks(&self) -> Vec<Ticks> {
        self.optima.iter().filter_map(optimal_ticks).collect()
    }

    /// True if there is a whole proof of each part.
    pub(super) fn are_proved(&self) -> bool {
        let all = self.questions.len();
        let proofs = self.proofs.iter().flat_map(|proofs| std::iter::once(&proofs.best).chain(&proofs.others));
        self.optima.len() == all && self.proofs.len() == all && self.optima.iter().chain(proofs).all(is_whole)
    }

    /// The scenarios where the launch of a configuration may fail.
    pub(super) fn failing<'c>(&self, of: &dyn Fn(usize) -> Option<&'c Configuration>) -> Vec<FleetLaunch> {
        let launch = |(scenario, question): (usize, &Question)| {
            Some(FleetLaunch { scenario, reason: may_not_launch(question, of(scenario)?)?, instead: None })
        };
        self.questions.iter().enumerate().filter_map(launch).collect()
    }

    /// The weighted geometric mean of the slowdowns of a time in each scenario.
    pub(super) fn mean_of(&self, times: impl Iterator<Item = Ticks>) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for ((time, optimum), weight) in times.zip(self.ticks()).zip(self.weights) {
            sum += f64::from(*weight) * Slowdown::new(time, optimum).to_f64().ln();
            weights += f64::from(*weight);
        }
        rounded((sum / weights).exp())
    }
}

/// The time of a scenario's own optimum: the proved one, or the native evaluator's where nothing can be proved; `None` if
/// a limit was reached first.
#[must_use]
pub fn optimal_ticks(report: &Report) -> Option<Ticks> {
    let evaluated = || {
        let best = report.best_known.as_ref().filter(|_| is_without_checker(report));
        best.map(|best| best.ticks)
    };
    report.optimum.as_ref().map(|optimum| optimum.ticks).or_else(evaluated)
}

/// True if nothing is proved because SPIN or a C compiler is not installed.
fn is_without_checker(report: &Report) -> bool {
    report.stopped.as_deref() == Some(StopReason::Checker.name())
}

/// True if a report is a whole proof.
pub(super) fn is_whole(report: &Report) -> bool {
    report.verdict == Verdict::Proved && report.stopped.is_none()
}

/// True if a report lists a configuration with this time, and SPIN ran what it lists to its end.
pub(super) fn shows(report: &Report, spec: &Spec, configuration: &Configuration, ticks: Ticks) -> bool {
    let parameters = values(spec, configuration);
    let is_run = |report: &Report| {
        report.proof.as_ref().is_some_and(|proof| proof.models.iter().all(|model| model.comparison.is_some()))
    };
    let mut listed = report.configurations.iter();
    is_run(report) && listed.any(|listed| listed.parameters == parameters && listed.ticks == Some(ticks))
}

//! The result about several scenarios, made again from verified proofs.

use std::io;

use super::folder::{FLEET, TREE};
use super::scenario::KeptScenario;
use crate::certificate::compare;
use crate::certificate::deviation::Deviation;
use crate::certificate::error::CertificateError;
use crate::result::{FleetParts, FleetReport, FleetTree, Report, ScenarioProofs, VariantParts};
use autotune_base::text::json::{to_json, to_value};
use autotune_base::ticks::Ticks;
use autotune_engine::compare::fleet::{
    BEST_LISTED, Choice, CommonSpace, ScenarioTimeError, UnionSpace, VariantChoice, VariantsFound, choose,
};
use autotune_engine::proof::{Question, TuningError};
use autotune_engine::spin::Settings;
use autotune_lowering::spec::Configuration;

/// A claim about several scenarios, whose proofs are verified.
pub(super) struct Claim<'a> {
    pub(super) scenarios: &'a [KeptScenario],
    pub(super) report: &'a FleetReport,
    /// The claim as the folder has it.
    pub(super) text: &'a str,
    /// The tree as the folder has it; `None` unless the claim is about several variants.
    pub(super) tree: Option<&'a str>,
}

/// The choice, made again.
enum Again<'a> {
    One(CommonSpace<'a>, Choice),
    Several(UnionSpace<'a>, Box<VariantChoice>),
}

impl Claim<'_> {
    /// The differences between the claim and the result that follows from the proofs.
    pub(super) fn differences(&self, settings: &Settings) -> Result<Vec<Deviation>, CertificateError> {
        let questions: Vec<Question> = self.scenarios.iter().map(|scenario| scenario.optimum.0.question()).collect();
        let weights: Vec<u32> = self.scenarios.iter().map(|scenario| scenario.weight).collect();
        let optima: Vec<Report> = self.scenarios.iter().map(|scenario| scenario.optimum.1.clone()).collect();
        let ticks: Vec<Ticks> = optima.iter().filter_map(|report| Some(report.optimum.as_ref()?.ticks)).collect();
        if ticks.len() != questions.len() {
            return Ok(vec![Deviation::new(FLEET, "a scenario has no optimum")]);
        }
        let Some(again) = self.again(&questions, &ticks, settings)? else {
            return Ok(vec![Deviation::new(FLEET, "no such configurations are feasible in all scenarios")]);
        };
        let mut differences = self.faults(&again, &ticks);
        let proofs: Vec<ScenarioProofs> = self.scenarios.iter().map(KeptScenario::proofs).collect();
        let parts = FleetParts { proofs: &proofs, optima: &optima, ..again.parts(&questions, &weights, self.report) };
        differences.extend(parts.contradictions().into_iter().map(|what| Deviation::new(FLEET, what)));
        self.compare(&FleetReport::new(&parts), &mut differences)?;
        if let Again::Several(union, choice) = &again {
            let tree = choice.refutation.as_ref().ok().map(|tree| FleetTree::new(questions[0].spec, union, tree));
            let tree = tree.map(|tree| to_json(&tree)).transpose().map_err(io::Error::other)?;
            if tree.as_deref() != self.tree {
                differences.push(Deviation::new(TREE, "it is not the tree of these variants"));
            }
        }
        Ok(differences)
    }

    /// Makes the choice again; `None` if there is none.
    fn again<'q>(
        &self,
        questions: &'q [Question<'q>],
        ticks: &[Ticks],
        settings: &Settings,
    ) -> Result<Option<Again<'q>>, CertificateError> {
        let limits = &settings.limits;
        let stopped = || CertificateError::Stopped("a limit was reached before the results were compared".to_owned());
        let failed = |error| match error {
            ScenarioTimeError::Space(error) => CertificateError::from(TuningError::from(error)),
            ScenarioTimeError::Stopped(_) => stopped(),
        };
        let Some(most) = self.report.most_variants else {
            let common = CommonSpace::survey(questions, limits).map_err(TuningError::from)?;
            let mut common = common.ok_or_else(stopped)?;
            let choice = choose(&mut common, ticks, BEST_LISTED).map_err(failed)?;
            return Ok(choice.map(|choice| Again::One(common, choice)));
        };
        let union = UnionSpace::survey(questions, limits).map_err(TuningError::from)?;
        let mut union = union.ok_or_else(stopped)?;
        match union.choose(ticks, most).map_err(failed)? {
            VariantsFound::Chosen(choice) => Ok(Some(Again::Several(union, choice))),
            VariantsFound::Nowhere | VariantsFound::OutOfWork => Ok(None),
        }
    }

    fn faults(&self, again: &Again, ticks: &[Ticks]) -> Vec<Deviation> {
        let first = &self.scenarios[0].optimum.0;
        let of_scenario = |(number, kept): (usize, &KeptScenario)| {
            let (best, others) = again.named(number, ticks[number]);
            kept.faults(number, first, &best, &others)
        };
        self.scenarios.iter().enumerate().flat_map(of_scenario).collect()
    }

    fn compare(&self, again: &FleetReport, differences: &mut Vec<Deviation>) -> io::Result<()> {
        // The spec is kept, and the host code that it follows from is not.
        let again = &FleetReport { inferred: self.report.inferred.clone(), ..again.clone() };
        let value = |report: &FleetReport| to_value(report).map_err(io::Error::other);
        let mut add = |what| differences.push(Deviation::new(FLEET, what));
        compare::values("", &value(self.report)?, &value(again)?, &mut add);
        if differences.is_empty() && to_json(again).map_err(io::Error::other)? != self.text {
            differences.push(Deviation::new(FLEET, "it is not written as autotune writes it"));
        }
        Ok(())
    }
}

impl Again<'_> {
    /// The configurations that a scenario's `best` and `others` must be about.
    fn named(&self, number: usize, optimum: Ticks) -> (Vec<Configuration>, Vec<Configuration>) {
        match self {
            Self::One(common, choice) => (
                common.chosen(choice.optima().iter().map(|ranked| ranked.configuration)),
                common.chosen(choice.others(number)),
            ),
            Self::Several(union, choice) => {
                (union.chosen(choice.feasible_in(number)), union.chosen(union.slower(choice, number, optimum)))
            }
        }
    }

    /// The parts of the result without its proofs.
    fn parts<'a>(&'a self, questions: &'a [Question<'a>], weights: &'a [u32], claimed: &FleetReport) -> FleetParts<'a> {
        let (common, choice, variants) = match self {
            Self::One(common, choice) => (Some(common), Some(choice), None),
            Self::Several(union, choice) => {
                let most = claimed.most_variants.unwrap_or(1);
                (None, None, Some(VariantParts { most, union: Some(union), choice: Some(choice) }))
            }
        };
        FleetParts {
            questions,
            weights,
            optima: &[],
            common,
            exclusions: None,
            choice,
            proofs: &[],
            variants,
            stopped: None,
        }
    }
}
